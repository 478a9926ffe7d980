// The order of the results, changed at once: the server sorts, we let the pages glide to their new places.
export function reorder(form) {
  if (!form) return;
  const [sort, blend] = [form.elements.sort, form.elements.blend];
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let latest = 0;

  function places() {
    return new Map([...document.querySelectorAll(".hits > li")].map((item) => [item.id, item.getBoundingClientRect().top]));
  }

  async function show(address) {
    const mine = ++latest;
    const text = await fetch(address).then((answer) => (answer.ok ? answer.text() : ""), () => "");
    if (mine !== latest) return;
    if (!text) {
      document.getElementById("status").textContent = "The server did not answer, so the order is still as it was.";
      return;
    }
    const page = new DOMParser().parseFromString(text, "text/html");
    const before = places();
    document.getElementById("answers").replaceWith(document.adoptNode(page.getElementById("answers")));
    document.getElementById("status").replaceChildren(...page.getElementById("status").childNodes);
    // The way back to the usual order, and filters that keep the one that was chosen.
    for (const part of [".order .buttons", ".filters"]) document.querySelector(part).replaceWith(document.adoptNode(page.querySelector(part)));
    history.replaceState(null, "", address);
    if (still.matches) return;
    for (const [id, top] of places()) {
      const item = document.getElementById(id);
      const from = before.has(id) ? `translateY(${before.get(id) - top}px)` : "translateY(2rem)";
      item.animate([{ transform: from, opacity: before.has(id) ? 1 : 0 }, { transform: "none", opacity: 1 }],
        { duration: 250, easing: "ease-out" });
    }
  }

  function changed(event) {
    if (event.target === blend && sort.value !== "blend") sort.value = "blend";
    const wish = new URLSearchParams(new FormData(form));
    if (sort.value !== "blend") wish.delete("blend");
    show(`${form.action}?${wish}`);
  }
  sort.addEventListener("change", changed);
  blend.addEventListener("input", changed);
}
