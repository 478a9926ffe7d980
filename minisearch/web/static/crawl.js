// Polls the progress of a crawl.
const INTERVAL = 1000; // milliseconds
const card = document.getElementById("progress");

async function poll() {
  const progress = await fetch(card.dataset.status).then((response) => response.json(), () => null);
  for (const field of progress ? card.querySelectorAll("[data-field]") : []) {
    const text = progress[field.dataset.field].toLocaleString("en"); // numbers as 1,234
    if (field.textContent !== text) field.textContent = text;
  }
  if (progress && !progress.is_running) location.reload();
  else setTimeout(poll, INTERVAL);
}

if (card?.dataset.running === "1") poll();
