// The graph editor: mouse, touch and keyboard.
import { Drawing, HEIGHT, WIDTH } from "../draw.js";
import { Canvas, focusOn, walkByKeys } from "../canvas.js";
import { Web } from "./web.js";
import { say } from "./say.js";

const TOOLS = [ // name, key, method
  ["Add page", "n", "add"], ["Link", "l", "link"], ["Remove", "Delete", "remove"], ["Make dangling", "", "deadEnd"],
  ["Make a trap", "", "trap"], ["+", "+", "closer"], ["−", "-", "farther"], ["Fit", "0", "whole"],
];
const LABELS = { "+": "Zoom in", "−": "Zoom out", Fit: "Fit all pages" };
const quoted = (name) => (/^[\w./:-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\"'\"'")}'`);

export class Board {
  // on: {changed(web), edited(words), inWords()}
  constructor(figure, toolbar, on) {
    this.on = on;
    this.drawing = new Drawing(figure, "Link graph: pages are circles, links are arrows. Use the arrow keys to move between pages.");
    this.canvas = new Canvas(this.drawing, {
      tap: (page, point, event) => this.tap(page, point, event),
      drop: (page) => say(`${this.web.names[page]} moved.`),
    });
    walkByKeys(this.drawing, (page) => say(`${this.web.names[page]} moved.`));
    this.drawing.svg.addEventListener("keydown", (event) => this.key(event));
    this.drawing.svg.addEventListener("dblclick", (event) => {
      if (this.canvas.pageOf(event) === null) this.add(this.canvas.point(event));
    });
    this.adopt(new Web({ names: [], links: [], at: [], values: [] }));
    this.chosen = null;
    this.linking = false;
    toolbar.hidden = false;
    this.buttons = {};
    for (const [name, key, deed] of TOOLS) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: name });
      if (LABELS[name]) button.setAttribute("aria-label", LABELS[name]);
      if (key) button.title = `${LABELS[name] ?? name} (key ${key})`;
      button.addEventListener("click", () => this[deed]());
      toolbar.append(button);
      this.buttons[deed] = button;
    }
    this.buttons.link.setAttribute("aria-pressed", "false");
    this.enable();
  }

  // Draws the server's response; pages that were drawn before keep their positions unless the graph is new.
  show(data, fresh) {
    const old = fresh ? new Map() : new Map(this.web.names.map((name, page) => [name, this.web.at[page]]));
    const at = data.names.map((name, page) => old.get(name) ?? data.at?.[page] ?? null);
    at.forEach((place, page) => { if (!place) at[page] = this.beside(data, at, page); });
    const was = this.chosen === null ? null : this.web.names[this.chosen];
    this.adopt(new Web({ ...data, at }));
    this.choose(fresh || was === null ? null : this.web.number(was));
    if (fresh) this.canvas.reset();
    return this.web;
  }

  // A position for a new page: near the first linked page that has one.
  beside({ links }, at, page) {
    const link = links.find(([from, to]) => (from === page && at[to]) || (to === page && at[from]));
    const [x, y] = link ? at[link[0] === page ? link[1] : link[0]] : [WIDTH / 2, HEIGHT / 2];
    const angle = page * 2.39996, far = 70 + 4 * Math.sqrt(page); // the golden angle: no two fall together
    return [x + far * Math.cos(angle), y + far * Math.sin(angle)];
  }

  adopt(web) {
    this.web = web;
    this.drawing.show(web, (page) => web.describe(page));
  }

  choose(page) {
    this.chosen = page === -1 ? null : page;
    this.drawing.mark("chosen", this.chosen === null ? [] : [this.chosen]);
    const name = this.chosen === null ? null : this.web.names[this.chosen];
    for (const row of document.querySelectorAll(".ranks tbody tr")) row.classList.toggle("chosen", row.dataset.page === name);
    if (this.chosen === null) this.stopLinking();
    this.enable();
  }

  enable() {
    for (const deed of ["link", "remove", "deadEnd", "trap"]) this.buttons[deed].disabled = this.chosen === null;
  }

  tap(page, point, event) {
    if (page === null) return this.choose(null);
    const from = this.chosen;
    focusOn(this.drawing, page);
    if (from !== null && (this.linking || event?.shiftKey)) return this.join(from, page);
    this.choose(page === from ? null : page);
    if (this.chosen !== null) say(`${this.web.describe(page)}. To link it, Shift-click another page or press L.`);
    return undefined;
  }

  key(event) {
    const node = event.target.closest(".page");
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Number(node.dataset.page);
    if (event.key === "Enter" || event.key === " ") this.tap(page, null, event);
    else if (event.key === "Escape") this.choose(null);
    else {
      const tool = TOOLS.find(([, key]) => key === event.key || (key === "Delete" && event.key === "Backspace"));
      if (!tool) return;
      if (["link", "remove"].includes(tool[2]) && this.chosen !== page) this.choose(page);
      this[tool[2]]();
    }
    event.preventDefault();
  }

  // -- changes -------------------------------------------------------------------------------

  done(words, edit) {
    say(words);
    if (this.on.inWords()) this.on.edited(edit);
    else {
      this.adopt(this.web);
      this.on.changed(this.web);
    }
  }

  add(place = [WIDTH / 2 + 90 * Math.cos(this.web.names.length), HEIGHT / 2 + 90 * Math.sin(this.web.names.length)]) {
    const name = this.web.freeName();
    const page = this.web.addPage(name, place);
    this.done(`Page ${name} added.`, `page ${quoted(name)}`);
    this.choose(page);
    if (this.drawing.node_of(page)) focusOn(this.drawing, page);
  }

  link() {
    this.linking = !this.linking;
    this.buttons.link.setAttribute("aria-pressed", String(this.linking));
    if (this.linking) say(`Choose the page that ${this.web.names[this.chosen]} should link to. Choosing a linked page removes the link. Escape cancels.`);
  }

  stopLinking() {
    this.linking = false;
    this.buttons.link.setAttribute("aria-pressed", "false");
  }

  join(from, to) {
    const { names } = this.web, made = this.web.toggle(from, to);
    this.stopLinking();
    const verb = made ? "add" : "cut";
    this.done(`${names[from]} ${made ? "now links" : "no longer links"} to ${names[to]}.`, `${verb} ${quoted(names[from])} ${quoted(names[to])}`);
    this.choose(from);
  }

  remove() {
    const name = this.web.names[this.chosen];
    if (this.web.names.length === 1) return say(`${name} is the only page and cannot be removed.`);
    this.web.removePage(this.chosen);
    this.choose(null);
    this.done(`Page ${name} removed.`, `remove ${quoted(name)}`);
    return focusOn(this.drawing, 0);
  }

  deadEnd() {
    const name = this.web.names[this.chosen];
    this.web.links = this.web.links.filter(([from]) => from !== this.chosen);
    this.done(`${name} is a dangling page now.`, `dead-end ${quoted(name)}`);
  }

  trap() {
    const name = this.web.names[this.chosen];
    this.web.links = this.web.links.filter(([from]) => from !== this.chosen);
    this.web.setWeight(this.chosen, this.chosen, 1);
    this.done(`${name} links only to itself: a spider trap.`, `trap ${quoted(name)}`);
  }

  closer() { this.canvas.zoom(1.3); }
  farther() { this.canvas.zoom(1 / 1.3); }
  whole() { this.canvas.reset(); }
}
