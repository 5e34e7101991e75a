// Elements of the page. They are made from text alone: nothing here, or anywhere else in this folder, reads markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Record<string, any>} Attributes  A name that begins with "on" takes a listener, "style" a record.
 */

/**
 * @template {Element} T
 * @param {T} node
 * @param {Attributes} attributes
 * @param {any[]} children
 * @returns {T}
 */
function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") setStyle(node, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, String(value));
  }
  node.append(...present(children));
  return node;
}

// A strict content policy forbids the attribute, and allows this.
function setStyle(node, style) {
  for (const [name, value] of Object.entries(style)) node.style.setProperty(name, value);
}

/** Children as they can be appended: flat, without those that are left out. */
const present = (children) =>
  children.flat(Infinity).filter((child) => child != null && child !== false && child !== "").map(asNode);

const asNode = (child) => (typeof child === "object" ? child : String(child));

/**
 * An element of HTML.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...any} children nodes, texts and lists of them; what is null or false is left out
 * @returns {any}
 */
export const h = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);

/**
 * An element of SVG.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...any} children nodes, texts and lists of them; what is null or false is left out
 * @returns {any}
 */
export const svg = (tag, attributes = {}, ...children) =>
  filled(document.createElementNS(SVG, tag), attributes, children);

/** Replace what a node holds. */
export const put = (node, ...children) => node.replaceChildren(...present(children));

/** A button of ours: what it says, and its key. */
export const button = (attributes, label, key) =>
  h("button", { type: "button", class: "dcrc-button", ...attributes }, h("span", {}, label), key && h("kbd", {}, key));

/** A natively disabled button drops the focus to the page, where JupyterLab's own keys wait. */
export const setDisabled = (node, disabled) => node.setAttribute("aria-disabled", String(disabled));

/** How much larger than usual a node's text is drawn. */
export const scaleOf = (node) => Number(getComputedStyle(node).getPropertyValue("--dcrc-scale")) || 1;
