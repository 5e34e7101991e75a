// What the tool tells over the picture, and sheets over the whole tool.

import { button, h, put } from "./dom.js";

/**
 * @typedef {{text: string, kind?: string, buttons?: [string, () => void][], dismiss?: () => void}} Notice
 * @param {(() => Notice | null)[]} sources of which the first that has something to say is heard
 */
export function makeNotices(sources) {
  const node = h("div", { class: "dcrc-notice", role: "alert", hidden: true });
  let shown = "";

  function show() {
    const notice = sources.map((source) => source()).find(Boolean);
    const key = JSON.stringify(notice ?? "");
    if (key === shown) return; // a screen reader hears it once
    shown = key;
    node.hidden = !notice;
    if (!notice) return;
    const { text, kind = "", buttons = [], dismiss } = notice;
    node.className = `dcrc-notice ${kind}`;
    put(node, h("span", {}, text),
      buttons.map(([label, action]) => button({ onclick: () => (action(), show()) }, label)),
      dismiss && h("button", { type: "button", class: "dcrc-dismiss", "aria-label": "Dismiss", onclick: dismiss },
        "×"));
  }
  return { node, show };
}

/** A sheet over the tool. @param {() => void} closed called when it goes */
export function makeSheet(closed) {
  const node = h("div", { class: "dcrc-sheet", role: "dialog", "aria-modal": "true", hidden: true });
  node.addEventListener("click", (event) => event.target === node && close());

  /** @param {string} title @param {import("./shapes.d.ts").Child} content */
  function open(title, content) {
    const closing = button({ onclick: close }, "Close", "Esc");
    node.setAttribute("aria-label", title);
    const body = h("div", { class: "dcrc-sheet-body" }, h("header", {}, h("h3", {}, title), closing), content);
    put(node, body);
    node.hidden = false;
    // Where the tool is scrolled, the sheet begins with what is in sight.
    const hidden = Math.min(hiddenAbove(node), node.clientHeight - body.offsetHeight - 40);
    if (hidden > 0) body.style.setProperty("margin-top", `${hidden}px`);
    closing.focus({ preventScroll: true });
  }
  function close() {
    node.hidden = true;
    closed();
  }
  return { node, open, close };
}

/** How many pixels of a node are scrolled out of sight, above. @param {HTMLElement} node */
function hiddenAbove(node) {
  const above = (/** @type {Element} */ outer) => outer.getBoundingClientRect().top - node.getBoundingClientRect().top;
  let hidden = 0;
  for (let outer = node.parentElement; outer; outer = outer.parentElement) {
    if (getComputedStyle(outer).overflowY !== "visible") hidden = Math.max(hidden, above(outer));
  }
  return hidden;
}

/** A text to be copied. @param {string} title @param {string} text */
export function copyable(title, text) {
  const copied = h("span", { role: "status" });
  const area = h("textarea", { readonly: true, rows: "14", spellcheck: "false", "aria-label": title });
  area.value = text;
  const copy = () => {
    area.select();
    document.execCommand("copy"); // works on a plain http page too, where navigator.clipboard does not
    copied.textContent = "copied";
  };
  const below = h("div", { class: "dcrc-more" }, button({ onclick: copy }, "Copy"), copied);
  return h("div", { class: "dcrc-text" }, area, below);
}
