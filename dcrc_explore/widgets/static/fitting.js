// A fit that takes long: at which EM iteration it is, and a button that ends it there.

import { h } from "./dom.js";

/**
 * @param {import("./shapes.d.ts").Ground} ground
 * @param {() => void} show called when there is something else to say
 */
export function followFits({ request, watch }, show) {
  let words = "";
  const stop = h("button", {
    type: "button",
    class: "dcrc-link",
    title: "End the fit after this EM iteration: the model stays as it is then",
    onclick: () => request({ do: "stop" }),
  }, "Stop");

  watch("msg:custom", ({ fitting }) => {
    if (!fitting) return;
    words = fitting;
    show();
  });

  return {
    stop,
    /** How far a fit is; empty when there is none. */
    get words() {
      return words;
    },
    /** @param {boolean} working whether anything goes on @param {boolean} stoppable whether that is a fit alone */
    update(working, stoppable) {
      if (!working) words = "";
      stop.hidden = !stoppable;
    },
  };
}
