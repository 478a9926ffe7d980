// Plays the iterations: circles grow and shrink with the rank.

const PAUSE = 700; // milliseconds between two iterations

export class Player {
  constructor(place, board) {
    this.board = board;
    this.place = place;
    place.innerHTML = `<button type="button" class="back" aria-label="Previous iteration">◀</button>
      <button type="button" class="play">Play iterations</button>
      <button type="button" class="on" aria-label="Next iteration">▶</button>
      <label for="round">Iteration</label><input id="round" type="range" min="0" value="0"><output for="round"></output>`;
    this.slider = place.querySelector("input");
    this.shown = place.querySelector("output");
    this.button = place.querySelector(".play");
    place.querySelector(".back").addEventListener("click", () => this.step(-1));
    place.querySelector(".on").addEventListener("click", () => this.step(1));
    this.button.addEventListener("click", () => (this.timer ? this.stop() : this.play()));
    this.slider.addEventListener("input", (event) => {
      event.stopPropagation(); // the slider is no part of the question
      this.stop();
      this.go(Number(this.slider.value));
    });
  }

  // HITS has no round 0: the rounds that are played are the updates of its first column.
  load({ rounds, method }) {
    this.stop();
    this.first = method === "hits" ? 1 : 0;
    this.rounds = rounds;
    this.place.hidden = rounds.length < 2;
    if (this.place.hidden) return;
    this.slider.max = rounds.length - 1;
    this.go(rounds.length - 1, false);
  }

  step(by) {
    this.stop();
    this.go(this.now + by);
  }

  play() {
    if (this.now >= this.rounds.length - 1) this.go(0);
    this.button.textContent = "Pause";
    this.timer = setInterval(() => {
      this.go(this.now + 1);
      if (this.now >= this.rounds.length - 1) this.stop();
    }, PAUSE);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.button.textContent = "Play iterations";
  }

  // The last round is the answer itself, in which also pages that took no part have their ranks.
  go(round, draw = true) {
    this.now = Math.min(Math.max(round, 0), this.rounds.length - 1);
    const last = this.now === this.rounds.length - 1;
    this.slider.value = this.now;
    this.shown.value = `${this.now + this.first} of ${this.rounds.length - 1 + this.first}`;
    if (draw) this.board.drawing.rank(last ? this.board.web.values : this.rounds[this.now].map((value) => value ?? 0));
    const row = document.querySelectorAll(".rounds tr.played")[this.now];
    document.querySelector(".rounds tr.now")?.classList.remove("now");
    if (!row) return;
    row.classList.add("now");
    const box = row.closest(".tall");
    if (draw && box) box.scrollTop = row.offsetTop - box.clientHeight / 2;
  }
}
