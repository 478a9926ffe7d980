// A table of weights by page, instead of typing A=0.5,E=0.5: teleport vector, trusted pages, topic.

const MOST = 40; // pages
const KINDS = { // method: form field, column title, type of input
  pagerank: ["teleport", "teleport weight", "number"], solve: ["teleport", "teleport weight", "number"],
  eigen: ["teleport", "teleport weight", "number"], surfer: ["teleport", "teleport weight", "number"],
  trustrank: ["trusted", "trusted", "checkbox"], topic: ["topics", "in the topic", "checkbox"],
  hits: ["fits", "relevance", "number"],
};

export class Weights {
  constructor(place, form, onChanged) {
    Object.assign(this, { place, form, onChanged });
    form.elements.method.addEventListener("change", () => this.web && this.show(this.web));
  }

  show(web) {
    this.web = web;
    const [field, title, type] = KINDS[this.form.elements.method.value];
    this.place.hidden = web.names.length > MOST || web.names.some((name) => /[\s,=]/.test(name));
    if (this.place.hidden || this.place.contains(document.activeElement)) return;
    const open = this.place.querySelector("details")?.open;
    const given = this.read(field);
    this.place.innerHTML = `<details><summary>Weights by page</summary><table class="weights"><thead><tr>
      <th scope="col">Page</th><th scope="col">${title}</th></tr></thead><tbody></tbody></table></details>`;
    this.place.querySelector("details").open = Boolean(open);
    this.place.querySelector("tbody").append(...web.names.map((name) => {
      const row = document.createElement("tr"), input = document.createElement("input"), cell = document.createElement("td");
      input.type = type;
      input.setAttribute("aria-label", `${name}: ${title}`);
      if (type === "number") Object.assign(input, { min: "0", step: "any", value: given.size ? given.get(name) ?? 0 : 1 });
      else input.checked = given.has(name);
      input.dataset.name = name;
      cell.append(input);
      row.append(Object.assign(document.createElement("th"), { scope: "row", textContent: name }), cell);
      return row;
    }));
    this.place.onchange = () => this.write(field, type);
  }

  // The value of the field as page -> weight, without the name of a topic.
  read(field) {
    const words = this.form.elements[field].value.replace(/^[^=\n]+=(?=[^\d.])/, "").split(/[\s,]+/).filter(Boolean);
    return new Map(words.map((word) => [word.split("=")[0], Number(word.split("=")[1] ?? 1)]));
  }

  write(field, type) {
    const inputs = [...this.place.querySelectorAll("input")];
    const given = type === "number"
      ? inputs.filter((input) => Number(input.value) > 0).map((input) => (Number(input.value) === 1 ? input.dataset.name : `${input.dataset.name}=${input.value}`))
      : inputs.filter((input) => input.checked).map((input) => input.dataset.name);
    const alike = type === "number" && inputs.every((input) => Number(input.value) === Number(inputs[0].value));
    this.form.elements[field].value = alike ? "" : given.join(field === "trusted" ? "\n" : ",");
    this.onChanged();
  }
}
