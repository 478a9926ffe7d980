// Keyboard shortcuts: "/" search box, arrows or j and k results, "e" explain, "?" help.
export function keys(help) {
  const opener = document.querySelector("a.help");
  const open = () => {
    help?.showModal();
    help?.scrollTo(0, 0); // showModal focuses, and scrolls to, the first button
  };
  if (help && opener) opener.addEventListener("click", (event) => {
    event.preventDefault();
    open();
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
    const target = event.target;
    const typing = target.matches?.("input:not([type=range], [type=checkbox], [type=radio]), textarea, select, [contenteditable]");
    if (typing) {
      const box = target.id === "q" && target.getAttribute("aria-expanded") !== "true";
      if (box && event.key === "ArrowDown" && titles().length) {
        event.preventDefault();
        move(1);
      }
      return;
    }
    const slider = target.matches?.("input");
    const actions = {
      "/": () => { const box = document.getElementById("q"); box.focus(); box.select(); },
      "?": open,
      j: () => move(1),
      k: () => move(-1),
      e: () => current()?.querySelector("a.why")?.click(),
      ...(slider ? {} : titles().length ? { ArrowDown: () => move(1), ArrowUp: () => move(-1) } : {}),
    };
    if (actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  });
}
