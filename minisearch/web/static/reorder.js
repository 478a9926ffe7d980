// Changes the order of the results at once: the server sorts, the results move to their new places.
function reorder(form) {
  const [sort, blend] = [form.elements.sort, form.elements.blend];
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  let latest = 0;

  function places() {
    return new Map([...document.querySelectorAll(".hits > li")].map((item) => [item.id, item.getBoundingClientRect().top]));
  }

  async function show(url) {
    const own = ++latest;
    const text = await fetch(url).then((response) => (response.ok ? response.text() : ""), () => "");
    if (own !== latest) return;
    if (!text) {
      document.getElementById("status").textContent = "The server did not respond. The order is unchanged.";
      return;
    }
    const page = new DOMParser().parseFromString(text, "text/html");
    const before = places();
    document.getElementById("answers").replaceWith(document.adoptNode(page.getElementById("answers")));
    document.getElementById("status").replaceChildren(...page.getElementById("status").childNodes);
    // The reset link, and filters that keep the chosen order.
    for (const part of [".order .buttons", ".filters"]) document.querySelector(part).replaceWith(document.adoptNode(page.querySelector(part)));
    history.replaceState(null, "", url);
    if (reducedMotion.matches) return;
    for (const [id, top] of places()) {
      const item = document.getElementById(id);
      const from = before.has(id) ? `translateY(${before.get(id) - top}px)` : "translateY(2rem)";
      item.animate([{ transform: from, opacity: before.has(id) ? 1 : 0 }, { transform: "none", opacity: 1 }],
        { duration: 250, easing: "ease-out" });
    }
  }

  function changed(event) {
    if (event.target === blend && sort.value !== "blend") sort.value = "blend";
    const params = new URLSearchParams(new FormData(form));
    if (sort.value !== "blend") params.delete("blend");
    show(`${form.action}?${params}`);
  }
  sort.addEventListener("change", changed);
  blend.addEventListener("input", changed);

  // What was chosen before this script arrived. The browser rounds the slider to a step.
  if (Math.abs(blend.value - blend.defaultValue) > blend.step / 2) changed({ target: blend });
  else if (!sort.selectedOptions[0].defaultSelected) changed({ target: sort });
}

const order = document.querySelector("form.order");
if (order) reorder(order);
