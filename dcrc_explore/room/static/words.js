// What the page says, in the language that the server chose: its table stands in the page.

const node = document.getElementById("words");
/** @type {Record<string, string | Record<string, string>>} */
const table = JSON.parse(node?.textContent ?? "{}");
const plurals = new Intl.PluralRules(document.documentElement.lang);

/** Return a text of the table; one about a number n has a form for each plural. @param {string} key @param {Record<string, string | number>} [values] */
export function say(key, values = {}) {
  const found = table[key];
  const text = typeof found === "string" ? found : found[plurals.select(Number(values.n))] ?? found.other;
  return text.replace(/\{(\w+)\}/g, (_, /** @type {string} */ name) => String(values[name]));
}
