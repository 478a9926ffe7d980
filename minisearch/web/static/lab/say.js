// What happened, for eyes and for screen readers.
export function say(words) {
  document.getElementById("said").textContent = words;
}
