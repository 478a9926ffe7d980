// The graph as a matrix: how often the page of a row links to the page of a column. A block copied from a spreadsheet
// can be pasted at any cell.
import { Web } from "./web.js";
import { HEIGHT, WIDTH } from "../draw.js";
import { say } from "./say.js";

const MOST = 26; // pages
const WAYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], Enter: [1, 0] };

export class Matrix {
  constructor(details, onChanged) {
    this.details = details;
    this.place = details.querySelector("#matrix");
    this.onChanged = onChanged;
    details.hidden = false;
  }

  show(web, none) {
    this.web = web;
    const size = web.names.length;
    this.details.hidden = Boolean(none) || size > MOST;
    if (this.details.hidden || this.place.contains(document.activeElement)) return;
    this.place.innerHTML = `<div class="row"><label for="size">Pages</label>
      <input id="size" type="number" min="1" max="${MOST}" value="${size}"><button type="button">New matrix</button></div>
      <p class="note">Row to column. A block copied from a spreadsheet can be pasted into any cell.</p>
      <div class="scroll"><table class="cells"><thead></thead><tbody></tbody></table></div>`;
    this.place.querySelector("button").addEventListener("click", () => this.fresh(Number(this.place.querySelector("#size").value)));
    const head = document.createElement("tr");
    head.append(document.createElement("td"), ...web.names.map((name) => Object.assign(document.createElement("th"), { scope: "col", textContent: name })));
    this.place.querySelector("thead").append(head);
    this.place.querySelector("tbody").append(...web.matrix().map((cells, row) => this.row(cells, row)));
    const table = this.place.querySelector("table");
    table.addEventListener("change", (event) => this.change(event.target));
    table.addEventListener("keydown", (event) => this.walk(event));
    table.addEventListener("paste", (event) => this.paste(event));
  }

  row(cells, row) {
    const line = document.createElement("tr");
    line.append(Object.assign(document.createElement("th"), { scope: "row", textContent: this.web.names[row] }));
    cells.forEach((value, column) => {
      const cell = document.createElement("td"), input = document.createElement("input");
      Object.assign(input, { value: String(value), inputMode: "decimal", autocomplete: "off" });
      Object.assign(input.dataset, { row, column });
      input.setAttribute("aria-label", `from ${this.web.names[row]} to ${this.web.names[column]}`);
      cell.append(input);
      line.append(cell);
    });
    return line;
  }

  cell(row, column) {
    return this.place.querySelector(`[data-row="${row}"][data-column="${column}"]`);
  }

  change(input) {
    if (input.dataset.row === undefined) return;
    const weight = Number(input.value.replace(",", ".") || 0);
    input.toggleAttribute("aria-invalid", !(weight >= 0));
    if (!(weight >= 0)) return say(`"${input.value}" is not a number of links: write 0, 1, 2 or 0.5.`);
    this.web.setWeight(Number(input.dataset.row), Number(input.dataset.column), weight);
    return this.onChanged(this.web);
  }

  walk(event) {
    const way = WAYS[event.key];
    if (!way || event.target.dataset.row === undefined) return;
    event.preventDefault();
    this.cell(Number(event.target.dataset.row) + way[0], Number(event.target.dataset.column) + way[1])?.focus();
  }

  paste(event) {
    const text = event.clipboardData.getData("text/plain").replace(/(\r?\n)+$/, "");
    const block = text.split(/\r?\n/).map((line) => cellsOf(line).map((word) => Number(word.replace(",", "."))));
    if (block.length === 1 && block[0].length === 1) return;
    event.preventDefault();
    if (block.flat().some((value) => !(value >= 0))) {
      say("The clipboard does not contain only numbers.");
      return;
    }
    const row = Number(event.target.dataset.row), column = Number(event.target.dataset.column);
    const needed = Math.max(row + block.length, column + Math.max(...block.map((line) => line.length)));
    if (needed > MOST) return void say(`The limit is ${MOST} pages, not ${needed}. Paste the matrix as text instead.`);
    event.target.blur();
    while (this.web.names.length < needed) this.web.addPage(this.web.freeName(), spread(this.web.names.length, needed));
    block.forEach((line, down) => line.forEach((value, across) => this.web.setWeight(row + down, column + across, value)));
    say(`${block.length} ${block.length === 1 ? "row" : "rows"} pasted.`);
    this.onChanged(this.web);
  }

  fresh(size) {
    if (!(size >= 1 && size <= MOST)) return say(`A matrix can have 1 to ${MOST} pages.`);
    const web = new Web({ names: [], links: [], at: [], values: [] });
    for (let page = 0; page < size; page += 1) web.addPage(web.freeName(), spread(page, size));
    this.place.querySelector("button").blur();
    return this.onChanged(web);
  }
}

// The words of a line. A spreadsheet leaves cells empty that hold no link, also the first and the last ones of a line.
function cellsOf(line) {
  const mark = ["\t", ";"].find((one) => line.includes(one));
  return mark ? line.split(mark) : line.trim().split(/\s+/);
}

// A place on a circle for a page that has none yet.
function spread(page, count) {
  const angle = (2 * Math.PI * page) / count - Math.PI / 2;
  return [WIDTH / 2 + 230 * Math.cos(angle), HEIGHT / 2 + 230 * Math.sin(angle)];
}
