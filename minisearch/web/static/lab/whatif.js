// Search results without a link, loaded into the page.

// Returns a function that gives the last request as [name, value], for the URL of the page.
export function askWhatIf(form, onAsked) {
  let asked = [...new FormData(form)];
  async function ask(parameters) {
    asked = [...parameters];
    onAsked();
    const answer = await fetch(`${form.dataset.part}?${parameters}`);
    const part = new DOMParser().parseFromString(await answer.text(), "text/html").body.firstElementChild;
    document.getElementById("what-if-result").replaceWith(document.adoptNode(part));
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask(new URLSearchParams(new FormData(form)));
  });
  document.getElementById("what-if-section").addEventListener("click", (event) => {
    const link = event.target.closest("a.cut");
    if (!link) return;
    event.preventDefault();
    const parameters = new URL(link.href).searchParams;
    for (const name of ["query", "from", "to"]) form.elements[name].value = parameters.get(name) ?? "";
    ask(parameters);
  });
  return () => asked.filter(([, value]) => value.trim());
}
