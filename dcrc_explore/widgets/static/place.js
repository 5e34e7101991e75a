// The place on the page: its size, the pixels of the screen and the theme, and what is drawn again when they change.

import { THEME, focused } from "./host.js";

/**
 * @param {import("./shapes.d.ts").Ground} ground
 * @param {{placed: () => void, readTheme: () => void, resized?: () => void}} hooks
 *   `placed` is called when the tool has a place, before anything is measured
 */
export function makePlace({ planes, stages, listen, focusStage, redraw }, { placed, readTheme, resized }) {
  /** @type {boolean | null} */
  let shown = null;

  function fitSize() {
    placed();
    const before = shown;
    shown = stages[0].clientWidth > 0;
    // The view that stood in this place is gone, and what had the focus with it.
    const had = focused();
    if (shown && before === false && (had === document.body || !had?.checkVisibility())) focusStage();
    const changed = planes.map((plane, p) => plane.resize(stages[p].clientWidth, stages[p].clientHeight));
    if (changed.some(Boolean)) redraw();
    resized?.();
  }
  const sizes = new ResizeObserver(fitSize);
  function watchDensity() {
    // The window may move to a screen with other pixels.
    const query = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    listen(query, "change", () => (fitSize(), watchDensity()), { once: true });
  }
  const themes = new MutationObserver(() => {
    readTheme();
    redraw();
  });

  function begin(/** @type {Element[]} */ ...resizing) {
    [...stages, ...resizing].forEach((node) => sizes.observe(node));
    themes.observe(document.body, { attributes: true, attributeFilter: THEME });
    watchDensity();
  }
  function end() {
    sizes.disconnect();
    themes.disconnect();
  }
  return { begin, end };
}
