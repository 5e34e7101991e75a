// As much of a browser's page as the modules need to be tested under node: elements that hold attributes, children and
// listeners. Nothing has a size, and nothing is drawn.

class TestElement extends EventTarget {
  constructor(tag) {
    super();
    Object.assign(this, { tagName: tag, attributes: {}, childNodes: [], parentNode: null, hidden: false });
    this.dataset = new Proxy({}, {
      get: (_, name) => this.attributes[dashed(name)],
      set: (_, name, value) => ((this.attributes[dashed(name)] = String(value)), true),
    });
    this.style = { setProperty: (name, value) => (this.style[name] = value) };
    this.classList = {
      contains: (name) => this.className.split(" ").includes(name),
      add: (...names) => names.forEach((name) => this.classList.toggle(name, true)),
      toggle: (name, on = !this.classList.contains(name)) => {
        const rest = this.className.split(" ").filter((other) => other && other !== name);
        this.className = [...rest, ...(on ? [name] : [])].join(" ");
      },
    };
  }
  setAttribute(name, value) {
    this.attributes[name] = String(value);
    if (name === "hidden") this.hidden = true;
  }
  getAttribute = (name) => this.attributes[name] ?? null;
  hasAttribute = (name) => name in this.attributes;
  removeAttribute = (name) => delete this.attributes[name];
  toggleAttribute = (name, on) => (on ? this.setAttribute(name, "") : this.removeAttribute(name));
  matches = (tags) => tags.split(", ").includes(this.tagName);
  get className() {
    return this.attributes.class ?? "";
  }
  set className(value) {
    this.attributes.class = value;
  }
  get children() {
    return this.childNodes.filter((child) => child instanceof TestElement);
  }
  get firstChild() {
    return this.childNodes[0];
  }
  get lastChild() {
    return this.childNodes.at(-1);
  }
  get textContent() {
    return this.childNodes.map((child) => child.textContent ?? child).join("");
  }
  set textContent(text) {
    this.childNodes = text == null || text === "" ? [] : [String(text)];
  }
  append(...nodes) {
    for (const node of nodes) if (node instanceof TestElement) node.parentNode = this;
    this.childNodes.push(...nodes);
  }
  replaceChildren(...nodes) {
    this.childNodes = [];
    this.append(...nodes);
  }
  all = (tag) => this.children.flatMap((child) => [...(child.tagName === tag ? [child] : []), ...child.all(tag)]);
  contains = (node) => node === this || this.children.some((child) => child.contains(node));
  focus = () => (document.activeElement = this);
  click = (detail = 1) => this.dispatchEvent(Object.assign(new Event("click"), { detail }));
}

const dashed = (name) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
const createElement = (tag) => new TestElement(tag);

globalThis.document = {
  createElement, createElementNS: (_, tag) => createElement(tag), body: createElement("body"), activeElement: null,
};
globalThis.window = { devicePixelRatio: 1 };
globalThis.matchMedia = () => ({ matches: true });

/** Every element below a node. */
export const below = (node) => node.children.flatMap((child) => [child, ...below(child)]);

/** Wait until everything that was put off is done. */
export const settled = () => new Promise((resolve) => setTimeout(resolve));
