// Elements of the page. They are made from text alone: nothing here, or anywhere else in this folder, reads markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {import("./shapes.d.ts").Attributes} Attributes
 * @typedef {import("./shapes.d.ts").Child} Child
 */

/**
 * @template {HTMLElement | SVGElement} T
 * @param {T} node
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {T}
 */
function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value !== null && typeof value === "object") setStyle(node, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, String(value));
  }
  node.append(...present(children));
  return node;
}

/**
 * A strict content policy forbids the attribute, and allows this.
 * @param {HTMLElement | SVGElement} node @param {NonNullable<Attributes["style"]>} style
 */
function setStyle(node, style) {
  for (const [name, value] of Object.entries(style)) node.style.setProperty(name, String(value));
}

/**
 * Children as they can be appended: flat, without those that are left out.
 * @param {Child} child @returns {(Node | string)[]}
 */
function present(child) {
  if (child == null || child === false || child === "") return [];
  if (Array.isArray(child)) return child.flatMap(present);
  return [typeof child === "object" ? child : String(child)];
}

/**
 * An element of HTML.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 */
export const h = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);

/**
 * An element of SVG.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 */
export const svg = (tag, attributes = {}, ...children) =>
  filled(document.createElementNS(SVG, tag), attributes, children);

/** Replace what a node holds. @param {Element} node @param {...Child} children */
export const put = (node, ...children) => node.replaceChildren(...present(children));

/**
 * A button of ours: what it says, and its key.
 * @param {Attributes} attributes @param {Child} label @param {string} [key]
 */
export const button = (attributes, label, key) =>
  h("button", { type: "button", class: "dcrc-button", ...attributes }, h("span", {}, label), key && h("kbd", {}, key));

/**
 * A natively disabled button drops the focus to the page, where JupyterLab's own keys wait.
 * @param {Element} node @param {boolean} disabled
 */
export const setDisabled = (node, disabled) => node.setAttribute("aria-disabled", String(disabled));

/** How much larger than usual a node's text is drawn. @param {Element} node */
export const scaleOf = (node) => Number(getComputedStyle(node).getPropertyValue("--dcrc-scale")) || 1;
