// What a control does, told beside it while the pointer rests on it or the keyboard has come to it.

import { h } from "./dom.js";
import { targetOf } from "./host.js";

const PATIENCE = 500; // ms of a resting pointer
const GAP = 6; // pixels

/** @param {import("./shapes.d.ts").Ground} ground */
export function makeTip({ root, listen }) {
  const node = h("div", { class: "dcrc-tip", role: "tooltip", hidden: true });
  let timer = 0;
  /** @type {Element | null} */
  let about = null;
  root.append(node);

  function hide() {
    clearTimeout(timer);
    node.hidden = true;
    about = null;
  }

  function show(/** @type {HTMLElement} */ target) {
    node.textContent = target.dataset.help ?? "";
    node.hidden = false;
    const [box, whole, own] = [target, root, node].map((each) => each.getBoundingClientRect());
    const left = Math.max(0, Math.min(box.left - whole.left, whole.width - own.width));
    const below = box.bottom + GAP + own.height < innerHeight;
    node.style.left = `${left}px`;
    node.style.top = `${(below ? box.bottom + GAP : box.top - GAP - own.height) - whole.top}px`;
  }

  function come(/** @type {Event} */ event, /** @type {number} */ after) {
    const inner = /** @type {HTMLElement} */ (targetOf(event));
    const target = /** @type {HTMLElement | null} */ (inner.closest("[data-help]"));
    if (target === about) return;
    hide();
    about = target;
    if (target) timer = setTimeout(() => target.isConnected && show(target), after);
  }

  listen(root, "pointerover", (event) => come(event, PATIENCE));
  listen(root, "pointerleave", hide);
  listen(root, "pointerdown", hide, { capture: true });
  // What Enter brings is said below a field, where the tip would lie, although the field gets the focus again.
  let pressed = "";
  listen(root, "focusin", (event) => {
    const target = /** @type {HTMLElement} */ (targetOf(event));
    if (pressed !== "Enter" && target.matches(":focus-visible")) come(event, 0);
  });
  listen(root, "focusout", hide);
  listen(root, "keydown", ({ key }) => {
    pressed = key;
    if (key === "Escape" || key === "Enter") hide();
  }, { capture: true });
}
