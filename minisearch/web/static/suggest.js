// Suggestions below a search box, as an ARIA combobox: arrows select, Enter submits, Esc closes.
const DELAY = 80; // milliseconds after the last key before a request

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

  let typed = input.value, selected = -1, timer = 0, requests = 0;

  function close() {
    list.hidden = true;
    selected = -1;
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
        event.preventDefault(); // keep the focus in the box
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

  function select(number) {
    const items = list.children;
    if (selected >= 0) items[selected].setAttribute("aria-selected", "false");
    selected = number < -1 ? items.length - 1 : number >= items.length ? -1 : number;
    if (selected < 0) {
      input.value = typed;
      input.removeAttribute("aria-activedescendant");
      return;
    }
    const item = items[selected];
    item.setAttribute("aria-selected", "true");
    item.scrollIntoView({ block: "nearest" });
    clearTimeout(timer);  // a late response must not replace the selection
    requests++;
    input.setAttribute("aria-activedescendant", item.id);
    input.value = item.textContent;
  }

  async function request() {
    const own = ++requests;
    const query = input.value;
    if (!query.trim()) return close();
    try {
      const response = await fetch(`${field.dataset.suggest}?q=${encodeURIComponent(query)}`);
      if (!response.ok) return;
      const [, found] = await response.json();
      if (own === requests && document.activeElement === input) show(found);
    } catch { /* no connection, no suggestions */ }
  }

  input.addEventListener("input", () => {
    typed = input.value;
    clearTimeout(timer);
    timer = setTimeout(request, DELAY);
  });
  // Close only after the click that moved the focus: its target would move before the button is released.
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
      requests++;
      close();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (list.hidden) return;
      event.preventDefault();
      select(event.key === "ArrowDown" ? selected + 1 : selected - 1 < -1 ? list.children.length - 1 : selected - 1);
    } else if (event.key === "Enter") {
      clearTimeout(timer);
      requests++;
      close();
    }
  });
}
