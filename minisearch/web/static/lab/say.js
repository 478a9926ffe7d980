// Show and announce a message.
export function say(words) {
  document.getElementById("said").textContent = words;
}
