// The search pages: suggestions, keyboard shortcuts, and results that are sorted again while the slider moves.
import { suggest } from "./suggest.js";
import { keys } from "./keys.js";
import { reorder } from "./reorder.js";

for (const field of document.querySelectorAll("[data-suggest]")) suggest(field);
keys(document.getElementById("help"));
reorder(document.querySelector("form.order"));
if (document.body.classList.contains("home")) document.getElementById("q").focus();
