// An editable graph: pages by name, links by number, positions on the board.
// Its compact notation, A:B,C*2;B:A, is that of minisearch/lab/address.py

const MARKS = /[:;,*%\s]/g;
const escaped = (name) => name.replace(MARKS, (mark) => (mark === "*" ? "%2A" : encodeURIComponent(mark)));

export class Web {
  constructor({ names, links, at, values }) {
    this.names = [...names];
    this.links = links.map((link) => [...link]);
    this.at = at.map((place) => [...place]);
    this.values = [...values];
  }

  number(name) {
    return this.names.indexOf(name);
  }

  weight(from, to) {
    return this.links.filter(([a, b]) => a === from && b === to).reduce((sum, link) => sum + link[2], 0);
  }

  setWeight(from, to, weight) {
    this.links = this.links.filter(([a, b]) => a !== from || b !== to);
    if (weight > 0) this.links.push([from, to, weight]);
  }

  // Adds the link, or removes it if it exists; returns whether it was added.
  toggle(from, to) {
    const linked = this.weight(from, to) > 0;
    this.setWeight(from, to, linked ? 0 : 1);
    return !linked;
  }

  addPage(name, place) {
    this.names.push(name);
    this.at.push(place);
    this.values.push(0);
    return this.names.length - 1;
  }

  removePage(page) {
    this.names.splice(page, 1);
    this.at.splice(page, 1);
    this.values.splice(page, 1);
    const shift = (end) => (end > page ? end - 1 : end);
    this.links = this.links.filter(([a, b]) => a !== page && b !== page).map(([a, b, w]) => [shift(a), shift(b), w]);
  }

  // The first unused name: A, B, ... Z, AA, AB ...
  freeName() {
    for (let number = 0; ; number += 1) {
      let name = "";
      for (let place = number + 1; place > 0; place = Math.floor((place - 1) / 26)) {
        name = String.fromCharCode(65 + ((place - 1) % 26)) + name;
      }
      if (!this.names.includes(name)) return name;
    }
  }

  matrix() {
    const rows = this.names.map(() => this.names.map(() => 0));
    for (const [from, to, weight] of this.links) rows[from][to] += weight;
    return rows;
  }

  describe(page) {
    const targets = this.links.filter(([from]) => from === page).map(([, to]) => this.names[to]);
    const links = targets.length ? `links to ${targets.slice(0, 8).join(", ")}` : "dangling";
    return `${this.names[page]}, rank ${Number(this.values[page]).toPrecision(4)}, ${links}`;
  }

  address() {
    const to = this.names.map(() => []);
    const order = [...this.links].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    for (const [from, target, weight] of order) to[from].push(escaped(this.names[target]) + (weight === 1 ? "" : `*${weight}`));
    return this.names.map((name, page) => escaped(name) + (to[page].length ? `:${to[page].join(",")}` : "")).join(";");
  }
}
