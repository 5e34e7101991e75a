// The Explorer: one model or two, as Python says. When that changes, the other number is drawn in the same place.

import { render as renderOne } from "./one.js";
import { render as renderTwo } from "./two.js";

/**
 * @typedef {import("./shapes.d.ts").Model<import("./shapes.d.ts").ExplorerTraits>} One
 * @typedef {import("./shapes.d.ts").Model<import("./shapes.d.ts").CompareTraits>} Two
 * @param {{model: import("./shapes.d.ts").Model, el: HTMLElement}} widget
 */
export function render({ model, el }) {
  /** @type {Record<number, string>} */
  const tabs = {}; // that was open last, for one model and for two
  let end = () => {};
  let replaced = false;
  function draw() {
    const count = model.get("models");
    const screen = {
      el, replaced, tab: tabs[count] ?? "",
      opened: (/** @type {string} */ tab) => void (tabs[count] = tab),
      change() {
        end();
        replaced = true;
        draw();
      },
    };
    end = count === 2
      ? renderTwo({ ...screen, model: /** @type {Two} */ (model) })
      : renderOne({ ...screen, model: /** @type {One} */ (model) });
  }
  draw();
  return () => end();
}

export default { render };
