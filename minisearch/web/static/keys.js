// Keys: "/" to the box, arrows or j and k through the results, "e" explains, "?" helps.
export function keys(help) {
  const opener = document.querySelector("a.help");
  if (help && opener) opener.addEventListener("click", (event) => {
    event.preventDefault();
    help.showModal();
  });

  const titles = () => [...document.querySelectorAll(".hits h2 a")];
  const current = () => document.activeElement?.closest(".hits > li");

  function move(step) {
    const links = titles();
    const here = links.findIndex((link) => link.closest("li") === current());
    const next = here < 0 ? (step > 0 ? 0 : links.length - 1) : here + step;
    if (next < 0) return document.getElementById("q").focus();
    links[next]?.focus();
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help?.open) return;
    const at = event.target;
    const typing = at.matches?.("input:not([type=range], [type=checkbox], [type=radio]), textarea, select, [contenteditable]");
    if (typing) {
      const box = at.id === "q" && at.getAttribute("aria-expanded") !== "true";
      if (box && event.key === "ArrowDown" && titles().length) {
        event.preventDefault();
        move(1);
      }
      return;
    }
    const slider = at.matches?.("input");
    const acts = {
      "/": () => { const box = document.getElementById("q"); box.focus(); box.select(); },
      "?": () => help?.showModal(),
      j: () => move(1),
      k: () => move(-1),
      e: () => current()?.querySelector("a.why")?.click(),
      ...(slider ? {} : titles().length ? { ArrowDown: () => move(1), ArrowUp: () => move(-1) } : {}),
    };
    if (acts[event.key]) {
      event.preventDefault();
      acts[event.key]();
    }
  });
}
