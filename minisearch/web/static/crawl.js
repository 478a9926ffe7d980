// The progress of a crawl, as it goes.
const card = document.getElementById("progress");
if (card?.dataset.running === "1") {
  const source = new EventSource(card.dataset.events);
  source.onmessage = (event) => {
    const told = JSON.parse(event.data);
    for (const place of card.querySelectorAll("[data-told]")) {
      const text = String(told[place.dataset.told]);
      if (place.textContent !== text) place.textContent = text;
    }
    if (!["crawling", "indexing", "ranking"].includes(told.state)) {
      source.close();
      location.reload();
    }
  };
}
