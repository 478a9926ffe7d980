// A search box with results as you type, for any site:
//
//   <div id="search"></div>
//   <script type="module" src="https://search.example.com/embed.js" data-target="#search"></script>
//
// The server must allow the site: minisearch serve --cors https://docs.example.com
// A site with a content security policy needs script-src and connect-src https://search.example.com
//
// More attributes: data-label, data-placeholder, data-limit, data-site and data-lang (to search only these).
// Colours and sizes are CSS variables, see STYLE. From other modules: import { mount } from ".../embed.js".

const SERVER = new URL(".", import.meta.url);
const DELAY = 120; // milliseconds after the last key before a request
const DEFAULTS = { label: "Search", placeholder: "Search", limit: "6", site: "", lang: "" };

const STYLE = `
:host {
  --text: var(--minisearch-text, CanvasText);
  --background: var(--minisearch-background, Canvas);
  --muted: var(--minisearch-muted, color-mix(in srgb, var(--text) 72%, var(--background)));
  --border: var(--minisearch-border, color-mix(in srgb, var(--text) 50%, var(--background)));
  --selected: var(--minisearch-selected, color-mix(in srgb, var(--text) 9%, var(--background)));
  --accent: var(--minisearch-accent, LinkText);
  --mark: var(--minisearch-mark, color-mix(in srgb, #ffd33d 28%, var(--background)));
  --radius: var(--minisearch-radius, .5rem);
  display: block; position: relative; max-width: var(--minisearch-width, 32rem);
  font: var(--minisearch-font, 1rem/1.45 system-ui, sans-serif); color: var(--text); text-align: start;
}
* { box-sizing: border-box; }
input {
  width: 100%; padding: .55rem .8rem; font: inherit; color: inherit; background: var(--background);
  border: 1px solid var(--border); border-radius: var(--radius);
}
input::placeholder { color: var(--muted); opacity: 1; }
input:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.panel {
  position: absolute; inset: calc(100% + .3rem) 0 auto; z-index: var(--minisearch-z-index, 1000);
  overflow: hidden; background: var(--background); border: 1px solid var(--border); border-radius: var(--radius);
  box-shadow: 0 .5rem 1.5rem rgb(0 0 0 / .2);
}
.panel[hidden] { display: none; }
[role=listbox] { max-height: min(75vh, 36rem); overflow-y: auto; }
a { display: block; padding: .5rem .8rem; color: inherit; text-decoration: none; border-inline-start: 3px solid transparent; }
a + a { border-top: 1px solid var(--selected); }
a:hover, a[aria-selected=true] { background: var(--selected); }
a[aria-selected=true] { border-inline-start-color: var(--accent); }
.title { display: block; font-weight: 600; color: var(--accent); }
.text { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; font-size: .875em; color: var(--muted); }
.all { font-size: .875em; color: var(--accent); }
mark { color: var(--text); background: var(--mark); border-radius: 2px; }
p { margin: 0; padding: .6rem .8rem; color: var(--muted); font-size: .875em; }
p:empty { display: none; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (forced-colors: active) { a[aria-selected=true] { outline: 2px solid Highlight; outline-offset: -2px; } }
`;

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// The text with its matches marked. Positions count characters, of which JavaScript may need two units.
function marked(text, marks) {
  const characters = Array.from(text), parts = [];
  let end = 0;
  for (const [from, to] of marks) {
    parts.push(characters.slice(end, from).join(""), element("mark", {}, characters.slice(from, to).join("")));
    end = to;
  }
  return [...parts, characters.slice(end).join("")];
}

const isWeb = (url) => /^https?:\/\//i.test(url);

// While a word is typed, words that begin with it are found too.
function asPrefix(query) {
  const isWord = /(^|\s)[\p{L}\p{N}]{2,}$/u.test(query), isQuoted = query.split('"').length % 2 === 0;
  return isWord && !isQuoted ? `${query}*` : query;
}

class SearchBox {
  constructor(target, options) {
    this.options = { ...DEFAULTS, ...options };
    const host = element("div"), root = host.attachShadow({ mode: "open" }), style = new CSSStyleSheet();
    style.replaceSync(STYLE); // which a content security policy allows, unlike a style element
    root.adoptedStyleSheets = [style];
    const { label, placeholder, site, lang } = this.options;
    this.input = element("input", {
      id: "input", type: "search", name: "q", part: "input", placeholder, maxlength: 2000, autocomplete: "off", autocapitalize: "none",
      spellcheck: "false", enterkeyhint: "search", role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false",
      "aria-controls": "list",
    });
    this.list = element("div", { id: "list", role: "listbox", "aria-label": "Search results" });
    this.message = element("p", { part: "message" });
    this.panel = element("div", { class: "panel", part: "panel", hidden: "" }, this.list, this.message);
    this.status = element("div", { class: "hidden", role: "status" });
    this.form = element("form", { role: "search", action: this.url("search"), "aria-label": label },
      element("label", { class: "hidden", for: "input" }, label), this.input);
    for (const [name, value] of Object.entries({ site, lang })) {
      if (value) this.form.append(element("input", { type: "hidden", name, value }));
    }
    root.append(this.form, this.panel, this.status);
    this.selected = -1;
    this.listen(host);
    target.replaceChildren(host); // what was there is for browsers without scripts
  }

  url(path, parameters = {}) {
    const url = new URL(path, SERVER);
    for (const [name, value] of Object.entries(parameters)) if (value) url.searchParams.set(name, value);
    return url.href;
  }

  listen(host) {
    this.input.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.request?.abort();
      this.timer = setTimeout(() => this.search(), DELAY);
    });
    this.input.addEventListener("focus", () => { if (this.list.children.length && this.input.value.trim()) this.open(); });
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.panel.addEventListener("mousedown", (event) => event.preventDefault()); // the input keeps the focus
    host.addEventListener("focusout", () => this.close());
    this.form.addEventListener("submit", (event) => { if (!this.input.value.trim()) event.preventDefault(); });
  }

  key(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOpen = !this.panel.hidden, last = this.list.children.length - 1;
    if (event.key === "Escape" && isOpen) {
      event.preventDefault(); // the first press closes the results, the next one clears the input
      this.close();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && last >= 0) {
      event.preventDefault();
      if (!isOpen) this.open();
      const next = this.selected + (event.key === "ArrowDown" ? 1 : -1);
      this.select(next > last ? -1 : next < -1 ? last : next);
    } else if (event.key === "Enter" && isOpen && this.selected >= 0) {
      event.preventDefault();
      this.list.children[this.selected].click();
    }
  }

  async search() {
    const query = this.input.value.trim();
    if (!query) {
      this.show([], "");
      return;
    }
    const { limit, site, lang } = this.options;
    this.request = new AbortController();
    const { signal } = this.request;
    try {
      const response = await fetch(this.url("api/search", { q: asPrefix(query), limit, site, lang }), { signal, credentials: "omit" });
      if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
      const found = await response.json();
      if (signal.aborted) return;
      const options = found.hits.filter((hit) => isWeb(hit.url)).map((hit) => this.option(hit));
      const href = this.url("search", { q: query, site, lang });
      if (options.length) options.push(element("a", { class: "all", part: "all", href }, "Show all results"));
      this.show(options, options.length ? "" : `No results for “${query}”`);
      if (options.length) this.status.textContent = `${found.total.toLocaleString("en")} ${found.total === 1 ? "result" : "results"}`;
    } catch (error) {
      if (error.name === "AbortError") return;
      this.show([], "Search is not available.");
      console.error(`minisearch: ${SERVER.origin} cannot be searched from ${location.origin} (${error.message}). Was it started with --cors ${location.origin}?`);
    }
  }

  option(hit) {
    const text = hit.heading && hit.heading !== hit.title ? `${hit.heading}: ` : "";
    return element("a", { href: isWeb(hit.link) ? hit.link : hit.url, part: "result", rel: "noreferrer" },
      element("span", { class: "title", part: "title", dir: "auto" }, hit.title || hit.url),
      element("span", { class: "text", dir: "auto" }, text, ...marked(hit.snippet, hit.marks)));
  }

  show(options, message) {
    options.forEach((option, number) => {
      option.id = `option-${number}`;
      option.tabIndex = -1;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
    });
    this.list.replaceChildren(...options);
    this.list.hidden = !options.length;
    this.list.scrollTop = 0;
    this.message.textContent = message;
    this.status.textContent = message;
    this.select(-1);
    if (options.length || message) this.open();
    else this.close();
  }

  select(number) {
    this.list.children[this.selected]?.setAttribute("aria-selected", "false");
    this.selected = number;
    const option = this.list.children[number];
    if (!option) {
      this.input.removeAttribute("aria-activedescendant");
      return;
    }
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", option.id);
  }

  open() {
    this.panel.hidden = false;
    this.input.setAttribute("aria-expanded", String(this.list.children.length > 0));
  }

  close() {
    this.panel.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.select(-1);
  }
}

// Puts a search box into an element; options are the names of the data attributes.
export function mount(target, options = {}) {
  return new SearchBox(target, options);
}

for (const script of document.querySelectorAll("script[data-target][src]")) {
  if (script.src !== import.meta.url) continue;
  const { target, ...options } = script.dataset;
  const found = document.querySelector(target);
  if (found) mount(found, options);
  else console.error(`minisearch: there is no element ${target}`);
}
