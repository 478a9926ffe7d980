// A link graph as SVG: a circle for each page, with an area proportional to its score, and an arrow for each link.
// The server draws the same for browsers without scripts: minisearch/lab/sketch.py

export const WIDTH = 1000, HEIGHT = 640;
const SVG = "http://www.w3.org/2000/svg";
const SMALLEST = 8, LARGEST = 46, CROWDED = 12, BEND = 0.16, TIP = 10, NAMED = 14;
const MANY = 300; // links: of more, only highlighted ones have arrowheads, which take longest to draw
const narrow = matchMedia("(max-width: 40rem)"); // on a phone all is drawn larger

export function make(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// The radius of each circle: its area grows with the value.
export function radii(values) {
  const top = Math.max(0, ...values.filter((value) => value !== null));
  const few = values.length <= CROWDED, large = narrow.matches ? 1.5 : 1;
  const most = large * (few ? LARGEST : LARGEST * Math.max(0.35, Math.sqrt(CROWDED / values.length)));
  const least = large * (few ? SMALLEST : 4);
  return values.map((value) => (top > 0 && value > 0 ? least + (most - least) * Math.sqrt(value / top) : least));
}

// The path of an arrow that ends at the rim of a circle; bent, where the other page links back.
export function linkPath([x1, y1], [x2, y2], room, fromRoom, bent) {
  const apart = Math.hypot(x2 - x1, y2 - y1);
  if (apart < 1e-6) {
    const r = fromRoom, rim = y1 - r * 0.87, top = y1 - r - 34;
    return `M${x1 - r / 2} ${rim}C${x1 - r - 14} ${top} ${x1 + r + 14} ${top} ${x1 + r / 2} ${rim}`;
  }
  const across = (x2 - x1) / apart, down = (y2 - y1) / apart, side = bent ? BEND * apart : 0;
  const mx = (x1 + x2) / 2 - down * side, my = (y1 + y2) / 2 + across * side;
  const back = Math.min(room / (Math.hypot(x2 - mx, y2 - my) || 1), 0.9);
  return `M${x1} ${y1}Q${mx} ${my} ${x2 - (x2 - mx) * back} ${y2 - (y2 - my) * back}`;
}

// The last part of a URL, cut to fit beside a circle.
export function shortName(name, most = 18) {
  const path = name.includes("://") ? name.split("://")[1].replace(/\/+$/, "") : name;
  const last = name.includes("://") && path.includes("/") ? path.slice(path.lastIndexOf("/") + 1) : path;
  return last.length <= most ? last : last.slice(0, most - 1) + "…";
}

// Draws a graph {names, links: [[from, to, weight]], at, values, kinds} and updates the drawing.
export class Drawing {
  constructor(figure, label) {
    this.svg = make("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group", "aria-label": label });
    const tip = make("marker", {
      id: "tip", viewBox: `0 0 ${TIP} ${TIP}`, refX: TIP - 1, refY: TIP / 2, markerWidth: TIP, markerHeight: TIP,
      markerUnits: "userSpaceOnUse", orient: "auto",
    }, make("path", { class: "tip", d: `M0 0L${TIP} ${TIP / 2}L0 ${TIP}z` }));
    this.world = make("g");
    this.threads = make("g", { "aria-hidden": "true" });
    this.circles = make("g");
    this.labels = make("g", { "aria-hidden": "true" }); // above all circles; the nodes are named by aria-label
    this.world.append(this.threads, this.circles, this.labels);
    this.svg.append(make("defs", {}, tip), this.world);
    figure.replaceChildren(this.svg);
  }

  show(web, describe) {
    const focused = this.svg.contains(document.activeElement) ? document.activeElement.dataset.name : null;
    this.web = web;
    this.pairs = new Set(web.links.map(([from, to]) => `${from} ${to}`));
    this.ends = web.names.map(() => new Set()); // the numbers of each page's links, in and out
    web.links.forEach(([from, to], number) => { this.ends[from].add(number); this.ends[to].add(number); });
    this.undo = [];
    this.svg.classList.toggle("many", web.links.length > MANY);
    this.threads.replaceChildren(...web.links.map(() => make("path", { class: "link", "marker-end": "url(#tip)" })));
    this.circles.replaceChildren(...web.names.map((name, page) => this.node(name, page, describe)));
    this.labels.replaceChildren(...web.names.map((name) => this.label(name)));
    this.rank(web.values);
    this.place();
    const again = focused !== null && [...this.circles.children].find((node) => node.dataset.name === focused);
    if (again) again.focus();
  }

  node(name, page, describe) {
    const kind = this.web.kinds ? ` kind-${this.web.kinds[page]}` : "";
    const node = make("g", {
      class: `page${kind}`, role: "button", tabindex: page ? "-1" : "0", "data-page": page, "data-name": name,
      "aria-label": describe(page), "aria-pressed": "false",
    });
    node.append(make("circle"));
    return node;
  }

  label(name) {
    const text = make("text", { class: "name halo" });
    text.textContent = shortName(name);
    return make("g", { class: "label" }, text, make("text", { class: "value halo" }));
  }

  // Circles and names by these values, one for each page.
  rank(values) {
    this.sizes = radii(values);
    this.svg.classList.toggle("crowded", values.length > CROWDED);
    const order = [...this.sizes.keys()].sort((a, b) => this.sizes[b] - this.sizes[a]);
    const line = this.line = narrow.matches ? 32 : values.length > CROWDED ? 14 : 20; // as in the style sheet
    const below = (page) => [0, this.sizes[page] + line * 0.85];
    const offsets = values.length > CROWDED ? this.offsets(order.slice(0, 3 * NAMED), line) : new Map(order.map((page) => [page, below(page)]));
    this.rest = []; // where the names are while nothing is highlighted
    [...this.circles.children].forEach((node, page) => {
      const size = this.sizes[page], [text, number] = this.labels.children[page].children;
      node.firstChild.setAttribute("r", size.toFixed(2));
      const inside = size >= line && text.textContent.length <= 3;
      this.offset(page, this.rest[page] = inside ? [0, line * 0.33] : offsets.get(page) ?? below(page));
      text.setAttribute("class", inside ? "name" : "name halo");
      text.setAttribute("display", offsets.has(page) ? "inline" : "none"); // hidden text costs no layout
      number.setAttribute("dy", size + line * (inside ? 0.85 : 1.75));
      number.textContent = values.length <= CROWDED ? Number(values[page]).toFixed(3) : "";
      number.setAttribute("display", number.textContent ? "inline" : "none");
    });
    this.thread();
  }

  offset(page, [dx, dy]) {
    const text = this.labels.children[page].firstChild;
    text.setAttribute("dx", dx);
    text.setAttribute("dy", dy);
  }

  // Where the names of the first pages have room: below, above or beside their circles, without covering one another.
  // Only the first names, `over` of them, may cover other circles. Gives the offset of each name.
  offsets(pages, line, over = 3) {
    const letter = 0.56 * line, high = 1.2 * line, kept = [], found = new Map();
    const overlap = (a, b) => Math.abs(a.x - b.x) < a.half + b.half && Math.abs(a.y - b.y) < a.high + b.high;
    const circles = this.web.at.map(([x, y], page) => ({ x, y, half: this.sizes[page], high: this.sizes[page] }));
    for (const page of pages) {
      if (kept.length === NAMED) break;
      const { x, y, half: size } = circles[page], half = (shortName(this.web.names[page]).length * letter) / 2;
      const aside = size + half + 6, places = [[0, size + high / 2], [0, -size - high / 2], [aside, 0], [-aside, 0]];
      const boxes = places.map(([dx, dy]) => ({ x: x + dx, y: y + dy, half, high: high / 2, offset: [dx, dy + line * 0.3] }))
        .filter((box) => kept.every((one) => !overlap(box, one)) && box.x > half && box.x < WIDTH - half);
      const covered = (box) => circles.filter((circle, other) => other !== page && overlap(box, circle)).length;
      const best = boxes.length && boxes.reduce((one, other) => (covered(other) < covered(one) ? other : one));
      if (!best || (covered(best) && kept.length >= over)) continue;
      kept.push(best);
      found.set(page, best.offset);
    }
    return found;
  }

  // All circles and arrows to their places, or those of one page that moved.
  place(only = null) {
    const nodes = this.circles.children;
    for (const page of only === null ? this.web.names.keys() : [only]) {
      for (const group of [nodes, this.labels.children]) group[page].setAttribute("transform", `translate(${this.web.at[page].join(" ")})`);
    }
    this.thread(only === null ? this.web.links.keys() : this.ends[only]);
  }

  thread(numbers = this.web.links.keys()) {
    const { links, at } = this.web;
    for (const number of numbers) {
      const [from, to] = links[number], bent = from !== to && this.pairs.has(`${to} ${from}`);
      const path = linkPath(at[from], at[to], this.sizes[to], this.sizes[from], bent);
      this.threads.children[number].setAttribute("d", path);
    }
  }

  // Highlights a page with its neighbours, or nothing; the style sheet dims all others.
  highlight(page) {
    for (const step of this.undo) step();
    this.undo = [];
    this.svg.classList.toggle("looking", page !== null);
    if (page === null) return;
    const light = (element, name) => {
      element.classList.add(name);
      this.undo.push(() => element.classList.remove(name));
    };
    for (const number of this.ends[page]) light(this.threads.children[number], "lit");
    const linked = [...this.ends[page]].flatMap((number) => this.web.links[number].slice(0, 2));
    const near = [...new Set([page, ...linked.sort((a, b) => this.sizes[b] - this.sizes[a])])];
    for (const end of near) light(this.circles.children[end], "near");
    const isCrowded = this.svg.classList.contains("crowded");
    const offsets = isCrowded ? this.offsets(near, this.line, NAMED) : new Map();
    for (const end of isCrowded ? offsets.keys() : near) { // the names that have room, small circles included
      light(this.labels.children[end], "near");
      if (isCrowded) this.offset(end, offsets.get(end));
      this.undo.push(() => this.offset(end, this.rest[end]));
    }
  }

  mark(name, pages) {
    const chosen = new Set(pages);
    [...this.circles.children].forEach((node, page) => {
      for (const element of [node, this.labels.children[page]]) element.classList.toggle(name, chosen.has(page));
      if (name === "chosen") node.setAttribute("aria-pressed", String(chosen.has(page)));
    });
  }

  node_of(page) {
    return this.circles.children[page];
  }
}
