// Suggestions below a box, as an ARIA combobox: arrows choose, Enter takes, Esc closes.
const PATIENCE = 80; // milliseconds without a key before we ask

export function suggest(field) {
  const input = field.querySelector("input");
  const list = document.createElement("ul");
  list.id = `${input.id}-suggestions`;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  list.className = "suggestions";
  list.hidden = true;
  field.append(list);
  for (const [name, value] of Object.entries({
    role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": list.id,
  })) input.setAttribute(name, value);

  let typed = input.value, chosen = -1, timer = 0, asked = 0;

  function close() {
    list.hidden = true;
    chosen = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function show(found) {
    close();
    list.replaceChildren(...found.map((text, number) => {
      const item = document.createElement("li");
      item.id = `${list.id}-${number}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      item.dir = "auto";
      item.textContent = text;
      item.addEventListener("pointerdown", (event) => {
        event.preventDefault(); // the box keeps the focus
        input.value = text;
        close();
        input.form.requestSubmit();
      });
      return item;
    }));
    if (found.length) {
      list.hidden = false;
      input.setAttribute("aria-expanded", "true");
    }
  }

  function choose(number) {
    const items = list.children;
    if (chosen >= 0) items[chosen].setAttribute("aria-selected", "false");
    chosen = number < -1 ? items.length - 1 : number >= items.length ? -1 : number;
    if (chosen < 0) {
      input.value = typed;
      input.removeAttribute("aria-activedescendant");
      return;
    }
    const item = items[chosen];
    item.setAttribute("aria-selected", "true");
    item.scrollIntoView({ block: "nearest" });
    clearTimeout(timer);  // what was asked before the choice must not take it back
    asked++;
    input.setAttribute("aria-activedescendant", item.id);
    input.value = item.textContent;
  }

  async function ask() {
    const mine = ++asked;
    const query = input.value;
    if (!query.trim()) return close();
    try {
      const answer = await fetch(`${field.dataset.suggest}?q=${encodeURIComponent(query)}`);
      if (!answer.ok) return;
      const [, found] = await answer.json();
      if (mine === asked && document.activeElement === input) show(found);
    } catch { /* offline: then there are no suggestions */ }
  }

  input.addEventListener("input", () => {
    typed = input.value;
    clearTimeout(timer);
    timer = setTimeout(ask, PATIENCE);
  });
  // Not before the click that took the focus is over: what it was aimed at would move away from under it.
  let pressed = false;
  document.addEventListener("pointerdown", () => { pressed = true; }, true);
  document.addEventListener("click", (event) => {
    pressed = false;
    if (event.target !== input) close();
  });
  input.addEventListener("blur", () => { if (!pressed) close(); });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      input.value = typed;
      asked++;
      close();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (list.hidden) return;
      event.preventDefault();
      choose(event.key === "ArrowDown" ? chosen + 1 : chosen - 1 < -1 ? list.children.length - 1 : chosen - 1);
    } else if (event.key === "Enter") {
      clearTimeout(timer);
      asked++;
      close();
    }
  });
}
