// The state of the lab is its form, and the form is in the URL, so that a link restores all of it.

const USUAL = { method: "pagerank", digits: "6", order: "authority" }; // defaults, left out of the URL
const LONGEST = 7000; // characters; longer URLs often break in mails

// The fields that are set, as [name, value].
export function fieldsOf(form) {
  const found = [...new FormData(form)].filter(([name, value]) => typeof value === "string" && value.trim() && USUAL[name] !== value);
  const farmed = found.some(([name]) => name === "farm");
  const method = form.elements.method.value;
  const meant = (name) => {
    const holder = form.elements[name]?.closest?.(".for");
    return !holder || holder.classList.contains(`for-${method}`);
  };
  return found.filter(([name]) => (name !== "supporters" || farmed) && meant(name));
}

// Readable: only ambiguous characters are percent-encoded.
const plain = (text) => encodeURIComponent(text).replace(/%(2C|3A|3B|2F|3D|40|28|29|2A)/g, decodeURIComponent).replace(/%20/g, "+");

export function address(fields, base) {
  const query = fields.map(([name, value]) => `${name}=${plain(value)}`).join("&");
  return query ? `${base}?${query}` : base;
}

export const tooLong = (link) => link.length > LONGEST;

// Fill the form from URL parameters; other fields get their defaults.
export function fill(form, parameters) {
  for (const field of form.elements) {
    if (!field.name || field.type === "file") continue;
    const value = parameters.get(field.name);
    if (field.type === "checkbox") field.checked = value !== null;
    else if (field.type === "range") field.value = value ?? field.defaultValue;
    else field.value = value ?? USUAL[field.name] ?? "";
  }
  if (!["preset", "web", "text", "crawl"].some((name) => parameters.get(name))) form.elements.preset.value = "five-pages";
}
