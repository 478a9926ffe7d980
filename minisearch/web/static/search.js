// The search pages: suggestions, keyboard shortcuts, and results that are sorted again while the slider moves.
import { suggest } from "./suggest.js";
import { keys } from "./keys.js";

for (const field of document.querySelectorAll("[data-suggest]")) suggest(field);
keys(document.getElementById("help"));
const order = document.querySelector("form.order");
if (order) import("./reorder.js").then(({ reorder }) => reorder(order));
if (document.body.classList.contains("home")) document.getElementById("q").focus();
