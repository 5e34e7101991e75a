// Who has the keys. The tool takes them when it is first shown and when the pointer comes over it, and says so.

import { ELSEWHERE, focused, targetOf } from "./host.js";

/** What is typed into: letters belong there. */
export const TYPED =
  "textarea, select, [contenteditable=true], input:not([type=range], [type=checkbox], [type=radio])";
const TYPING = 3000; // ms after a key in a text field in which a moving pointer does not take the keys from it
const IN_SIGHT = 0.3; // of the picture

/** @param {import("./shapes.d.ts").Ground} ground @param {HTMLElement} sign says who has them */
export function makeKeys({ root, listen, stages, focusStage }, sign) {
  let typedAt = -Infinity;
  let untouched = false; // since the tool took the keys by itself nobody has pressed anything
  /** @type {HTMLElement | null} */
  let before = null; // what had the keys when the tool took them

  const isOurs = () => root.contains(focused());

  function show() {
    const on = document.hasFocus() && isOurs() && !focused()?.closest(TYPED);
    if (root.dataset.keys === (on ? "on" : "off")) return;
    root.dataset.keys = on ? "on" : "off";
    sign.title = on ? "Y, N, D and the other keys act here" : "Keys act elsewhere now. Click to use them here";
    sign.textContent = on ? "keys: on" : "keys: click here";
  }

  /** Whether a key pressed now, with the pointer over the tool, is meant for it. */
  function mayTake() {
    const active = focused();
    if (isOurs() || active?.closest(ELSEWHERE)) return false;
    return !active?.closest(TYPED) || performance.now() - typedAt > TYPING;
  }

  function take() {
    if (!mayTake()) return;
    before = focused();
    focusStage();
  }

  // JupyterLab takes the focus back when a cell has run. Until somebody presses something that is not what they want.
  function taken() {
    if (untouched && !focused()?.closest(".dcrc-explorer")) take();
    show();
  }

  const touched = (/** @type {Event} */ event) => {
    const { type } = event;
    const target = targetOf(event);
    untouched = false;
    if (type === "keydown" && "closest" in target && target.closest(TYPED)) typedAt = performance.now();
    if (type === "pointerdown" && root.contains(target)) before = null;
  };
  listen(window, "keydown", touched, { capture: true });
  listen(window, "pointerdown", touched, { capture: true });
  listen(document, "focusin", taken);
  listen(document, "focusout", () => setTimeout(taken));
  listen(window, "focus", show);
  listen(window, "blur", show);
  // A page that scrolls under a resting pointer makes events without movement.
  listen(root, "pointermove", ({ movementX, movementY }) => (movementX || movementY) && take());
  listen(root, "wheel", take, { passive: true });

  const first = new IntersectionObserver((seen) => {
    if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
    first.disconnect();
    if (focused()?.closest(".dcrc-explorer") || !mayTake()) return;
    untouched = true;
    take();
  }, { threshold: IN_SIGHT });
  first.observe(stages[0]);
  show();

  return {
    /** Take a key that was pressed outside while the pointer is over the tool; true when it is ours. */
    claim: () => root.matches(":hover") && mayTake() && (take(), true),
    /** Give the focus back to where it was before the tool took it, and return that; null when a person came here. */
    giveBack() {
      if (!before?.isConnected || before === document.body) return null;
      const there = before;
      before = null;
      there.focus({ preventScroll: true });
      return there;
    },
  };
}
