// The lab: connects the form, the graph editor and the results. Every number comes from the server.
import { Board } from "./board.js";
import { Matrix } from "./matrix.js";
import { Player } from "./player.js";
import { Walker } from "./walker.js";
import { Weights } from "./weights.js";
import { address, fieldsOf, fill, tooLong } from "./state.js";
import { receiveFiles } from "./files.js";
import { askWhatIf } from "./whatif.js";
import { say } from "./say.js";

const form = document.getElementById("lab");
const home = location.pathname;
const FROM_FILE = "?"; // the graph, until the response has the contents of the file
let asking = null, last = null; // the pending request, and the last response

const board = new Board(document.getElementById("graph"), document.getElementById("tools"), {
  changed: (web) => handMade(web),
  edited: (words) => inWords(words),
  inWords: () => Boolean(form.elements.crawl.value || last?.more),
});
const player = new Player(document.getElementById("player"), board);
const walker = new Walker(document.getElementById("walker"), board, () => new URLSearchParams(fieldsOf(form)), form.dataset.api);
const matrix = new Matrix(document.getElementById("matrix-editor"), (web) => { board.adopt(web); handMade(web); });
const weights = new Weights(document.getElementById("weights"), form, () => compute());

// The graph was edited on the board or in the matrix: it is compared with the graph before the first edit.
function handMade(web) {
  const { elements } = form;
  if (!elements.before.value) elements.before.value = elements.preset.value || last.address;
  for (const name of ["preset", "text", "crawl", "edits", "farm"]) elements[name].value = "";
  elements.web.value = web.address();
  if (!elements.preset.querySelector('option[value=""]')) elements.preset.prepend(new Option("(the graph below)", ""));
  elements.preset.value = "";
  compute();
}

// The graph of a crawl does not fit into a URL: edits are kept as commands.
function inWords(words) {
  form.elements.edits.value = `${form.elements.edits.value}\n${words}`.trim();
  document.getElementById("edits-editor").open = true;
  compute();
}

async function compute({ fresh = false, push = false, body = null } = {}) {
  asking?.abort();
  const mine = (asking = new AbortController());
  const fields = fieldsOf(form);
  remember(push);
  const question = body ?? new URLSearchParams(fresh ? fields : [...fields, ["laid", "1"]]);
  document.getElementById("ranks").classList.add("waiting");
  let answer;
  try {
    answer = await fetch(form.dataset.results, { method: "POST", body: question, signal: mine.signal });
  } catch (error) {
    if (error.name !== "AbortError") say("The server does not respond. Try again later.");
    return;
  }
  const html = await answer.text();
  if (asking !== mine) return;
  swap(html);
  if (answer.ok) show(fresh);
}

const whole = () => [...fieldsOf(form), ...whatIf()];

// Keep the state in the URL unless that gets too long.
function remember(push = false) {
  const link = address(whole(), home);
  history[push ? "pushState" : "replaceState"](null, "", tooLong(link) ? home : link);
}

// Each part of the response replaces the part of the page with the same id; open details stay open.
const opened = new Map();
document.addEventListener("click", (event) => {
  const details = event.target.closest("#more summary")?.parentElement;
  if (details) opened.set(details.id, !details.open);
});

function swap(html) {
  const scrolled = [...document.querySelectorAll("#more .tall")].map((one) => one.scrollTop);
  for (const part of [...new DOMParser().parseFromString(html, "text/html").body.children]) {
    document.getElementById(part.id)?.replaceWith(document.adoptNode(part));
  }
  for (const one of document.querySelectorAll("#more details")) if (opened.has(one.id)) one.open = opened.get(one.id);
  document.querySelectorAll("#more .tall").forEach((one, number) => { one.scrollTop = scrolled[number] ?? 0; });
}

function show(fresh) {
  const data = (last = JSON.parse(document.getElementById("data").textContent));
  const web = board.show(data, fresh);
  if (form.elements.web.value === FROM_FILE) {
    form.elements.web.value = data.address;
    remember();
  }
  player.load(data);
  walker.load(data);
  matrix.show(web, data.more || form.elements.crawl.value);
  weights.show(web);
  for (const button of document.querySelectorAll(".see")) {
    button.addEventListener("click", () => board.drawing.mark("gone", JSON.parse(button.dataset.gone).map((name) => web.number(name))));
  }
  if (data.more) say(`${data.names.length} of ${data.names.length + data.more} pages are shown, those with the highest ranks.`);
}

// -- the form --------------------------------------------------------------------------------

let soon;
form.addEventListener("input", (event) => {
  if (event.target.id === "supporters") document.getElementById("supporters-said").value = event.target.value;
  if (!event.target.name || event.target.type === "file" || event.target.tagName === "TEXTAREA") return;
  clearTimeout(soon);
  const source = ["preset", "crawl"].includes(event.target.name);
  if (source) chooseSource(event.target.name);
  soon = setTimeout(() => compute({ fresh: source || ["farm", "once"].includes(event.target.name) }), source ? 0 : 150);
});
form.addEventListener("change", (event) => {
  if (event.target.tagName === "TEXTAREA" && event.target.name !== "numbers") {
    if (event.target.name === "text") chooseSource("text");
    compute({ fresh: event.target.name === "text" });
  }
});
form.addEventListener("submit", (event) => {
  if (event.submitter?.classList.contains("save")) return; // the server answers with a file
  event.preventDefault();
  clearTimeout(soon);
  compute({ push: true });
});

// A new graph: options that name pages of the old one are cleared.
function chooseSource(kept) {
  for (const name of ["preset", "crawl", "text", "web", "edits", "before", "farm", "doors", "numbers", "teleport", "trusted", "topics", "start", "fits"]) {
    if (name !== kept) form.elements[name].value = "";
  }
}

document.getElementById("lessons").addEventListener("click", (event) => {
  const step = event.target.closest("a.step");
  if (!step || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  document.querySelectorAll("a.step[aria-current]").forEach((other) => other.removeAttribute("aria-current"));
  step.setAttribute("aria-current", "step");
  fill(form, new URL(step.href).searchParams);
  compute({ fresh: true, push: true });
});
addEventListener("popstate", () => {
  fill(form, new URLSearchParams(location.search));
  compute({ fresh: true });
});

const keep = document.getElementById("keep"), share = document.getElementById("share");
keep.hidden = share.hidden = false;
document.getElementById("load").hidden = true; // choosing is enough
keep.addEventListener("click", () => {
  form.elements.before.value = board.web.address();
  compute();
});
share.addEventListener("click", async () => {
  const link = new URL(address(whole(), home), location.href).href;
  if (tooLong(link)) return say("This graph is too large for a link. Download it as a file instead.");
  try {
    await navigator.clipboard.writeText(link);
    say("Link copied.");
  } catch {
    say(link);
  }
  return undefined;
});

receiveFiles(document, document.getElementById("file"), (files) => {
  chooseSource("");
  const body = new FormData();
  for (const [name, value] of fieldsOf(form)) body.append(name, value);
  for (const file of files) body.append("file", file);
  form.elements.web.value = FROM_FILE;
  say(`Reading ${[...files].map((file) => file.name).join(" and ")} ...`);
  compute({ fresh: true, body });
});
const whatIf = askWhatIf(document.getElementById("what-if"), () => remember());
if (document.getElementById("data")) show(true); // else the question made no sense, and the page says so
