// The search pages: suggestions and keyboard shortcuts.
import { suggest } from "./suggest.js";
import { keys } from "./keys.js";

for (const field of document.querySelectorAll("[data-suggest]")) suggest(field);
keys(document.getElementById("help"));
if (document.body.classList.contains("home")) document.getElementById("q").focus();
