// The link graph: pan, zoom, highlight neighbours, find a page. The server sends coordinates and colours.
import { Drawing, make } from "./draw.js";
import { Canvas, focusOn, walkByKeys } from "./canvas.js";

const data = JSON.parse(document.getElementById("data").textContent);
const said = document.getElementById("said");
const degrees = data.names.map(() => [0, 0]);
for (const [from, to] of data.links) {
  degrees[from][1] += 1;
  degrees[to][0] += 1;
}

// Circles are links to the page.
class GraphView extends Drawing {
  node(name, page, describe) {
    const node = super.node(name, page, describe);
    const link = make("a", { href: data.addresses[page] });
    for (const { name: key, value } of node.attributes) if (!["role", "aria-pressed"].includes(key)) link.setAttribute(key, value);
    link.append(...node.children);
    return link;
  }
}

const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
const describe = (page) => `${data.names[page]}, score ${Number(data.values[page]).toPrecision(4)}, ` +
  `${count(degrees[page][0], "in-link")} and ${count(degrees[page][1], "out-link")} in this picture`;
const drawing = new GraphView(document.getElementById("graph"), "Link graph. Arrow keys move between pages.");
drawing.show(data, describe);
const canvas = new Canvas(drawing, {});
walkByKeys(drawing);

function look(page) {
  drawing.highlight(page);
  said.textContent = page === null ? "" : `${describe(page)}. ${data.urls[page]}`;
}
const under = (event) => canvas.pageOf(event);
drawing.svg.addEventListener("pointerover", (event) => under(event) !== null && look(under(event)));
drawing.svg.addEventListener("pointerout", (event) => under(event) !== null && !drawing.svg.contains(document.activeElement) && look(null));
drawing.svg.addEventListener("focusin", (event) => under(event) !== null && look(under(event)));
drawing.svg.addEventListener("focusout", () => look(null));
let moved = false; // dragging a circle does not open its page
drawing.svg.addEventListener("pointerdown", () => { moved = false; }, true);
drawing.svg.addEventListener("pointermove", () => { moved = [...canvas.pointers.values()].some((one) => one.moved) || moved; });
drawing.svg.addEventListener("click", (event) => { if (moved) event.preventDefault(); }, true);
drawing.svg.addEventListener("dragstart", (event) => event.preventDefault());

document.getElementById("map-tools").hidden = false;
document.getElementById("closer").addEventListener("click", () => canvas.zoom(1.3));
document.getElementById("farther").addEventListener("click", () => canvas.zoom(1 / 1.3));
document.getElementById("whole").addEventListener("click", () => canvas.reset());

const find = document.getElementById("find");
let matches = [];
find.addEventListener("input", () => {
  const wanted = find.value.trim().toLowerCase();
  matches = wanted ? [...data.names.keys()].filter((page) => `${data.names[page]} ${data.urls[page]}`.toLowerCase().includes(wanted)) : [];
  drawing.mark("found", matches);
  drawing.mark("dim", wanted ? [...data.names.keys()].filter((page) => !matches.includes(page)) : []);
  said.textContent = wanted ? `${matches.length} of ${count(data.names.length, "page")} match. Press Enter to go to the first.` : "";
});
find.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !matches.length) return;
  event.preventDefault();
  canvas.centre(data.at[matches[0]]);
  focusOn(drawing, matches[0]);
});
for (const field of ["n", "by", "colour", "template"]) {
  document.getElementById(field).addEventListener("change", (event) => event.target.form.requestSubmit());
}
