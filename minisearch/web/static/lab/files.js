// Files that are chosen, or dropped anywhere on the page.

export function receiveFiles(page, input, onFiles) {
  input.addEventListener("change", () => input.files.length && onFiles(input.files));
  let depth = 0; // dragging over a part of the page leaves the whole and enters the part
  const brings = (event) => [...event.dataTransfer.types].includes("Files");
  page.addEventListener("dragenter", (event) => {
    if (!brings(event)) return;
    depth += 1;
    page.body.classList.add("dropping");
  });
  page.addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    if (!depth) page.body.classList.remove("dropping");
  });
  page.addEventListener("dragover", (event) => brings(event) && event.preventDefault());
  page.addEventListener("drop", (event) => {
    depth = 0;
    page.body.classList.remove("dropping");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    onFiles(event.dataTransfer.files);
  });
}
