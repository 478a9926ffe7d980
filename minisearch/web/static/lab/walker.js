// The random surfer: highlights the current page and counts visits beside the ranks. The server draws the walk.
import { say } from "./say.js";

const MOVES = 2000, PACE = [400, 40]; // milliseconds per move: the first 20, then the others
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Walker {
  constructor(place, board, question, api) {
    Object.assign(this, { place, board, question, api, path: [] });
    place.innerHTML = `<button type="button" class="walk">Start random surfer</button>
      <button type="button" class="one">One move</button> <button type="button" class="all">Finish walk</button>
      <output></output>
      <div class="scroll" role="region" aria-label="Visits of the random surfer" tabindex="0" hidden><table>
      <thead><tr><th scope="col">Page</th><th scope="col" class="n">visits</th><th scope="col" class="n">share</th><th scope="col" class="n">rank</th></tr></thead><tbody></tbody></table></div>`;
    place.hidden = false;
    this.button = place.querySelector(".walk");
    this.button.addEventListener("click", () => (this.timer ? this.stop() : this.start()));
    place.querySelector(".one").addEventListener("click", () => this.start(1));
    place.querySelector(".all").addEventListener("click", () => this.start(MOVES));
  }

  load() {
    this.stop();
    this.path = [];
    this.made = 0;
    this.place.querySelector(".scroll").hidden = true;
    this.place.querySelector("output").value = "";
    this.place.hidden = this.board.web.names.length > 60;
  }

  async fetchWalk() {
    const question = this.question();
    for (const name of ["convention", "rounds", "exact", "start", "decimals", "tolerance", "rescale", "apart", "numbers", "before"]) question.delete(name);
    if (!["uniform", "teleport"].includes(question.get("dangling"))) question.delete("dangling");
    question.set("method", "surfer");
    question.set("steps", MOVES);
    question.set("seed", Math.floor(Math.random() * 1e6));
    const answer = await fetch(this.api, { method: "POST", body: question });
    const found = await answer.json();
    if (!answer.ok) return say(found.detail);
    this.path = found.path.map((name) => this.board.web.number(name));
    this.exact = new Map(found.pages.map((row) => [row.page, row.exact]));
    this.visits = this.board.web.names.map(() => 0);
    this.made = 0;
    return undefined;
  }

  async start(moves = 0) {
    this.stop();
    if (this.made >= this.path.length) await this.fetchWalk();
    if (!this.path.length) return;
    this.place.querySelector(".scroll").hidden = false;
    if (moves) {
      for (let move = 0; move < moves && this.made < this.path.length; move += 1) this.count();
      this.tell();
      return;
    }
    this.button.textContent = "Pause random surfer";
    const move = () => {
      this.count();
      this.tell();
      if (this.made >= this.path.length) return this.stop();
      this.timer = setTimeout(move, this.made < 20 ? PACE[0] : PACE[1]);
      return undefined;
    };
    this.timer = setTimeout(move, 0);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.button.textContent = "Start random surfer";
  }

  count() {
    this.here = this.path[this.made];
    this.visits[this.here] += 1;
    this.made += 1;
  }

  tell() {
    if (!still.matches || this.made % 50 === 0 || !this.timer) this.board.drawing.mark("here", [this.here]);
    this.place.querySelector("output").value = `${this.made} moves`;
    const order = [...this.visits.keys()].sort((a, b) => this.visits[b] - this.visits[a]);
    this.place.querySelector("tbody").replaceChildren(...order.map((page) => {
      const row = document.createElement("tr"), name = this.board.web.names[page];
      const cells = [this.visits[page], (this.visits[page] / this.made).toFixed(4), Number(this.exact.get(name)).toFixed(4)];
      row.append(Object.assign(document.createElement("th"), { scope: "row", textContent: name }));
      for (const cell of cells) row.append(Object.assign(document.createElement("td"), { className: "n", textContent: cell }));
      return row;
    }));
  }
}
