// The card of a scene: what to do and where to look, what came of it, and the way on, back and out.

import { button, h, put, setDisabled } from "./dom.js";
import { AGREEMENT } from "./say.js";

/**
 * @param {import("./shapes.d.ts").Ground} ground
 * @param {ReturnType<typeof import("./controls.js").makeControls>} controls have the menu of scenes
 * @param {() => void} shown called when there is another card, or none
 */
export function makePlaying({ model, root, request, state, drawAbove }, controls, shown) {
  const title = h("b");
  const place = h("span", { class: "dcrc-step" });
  const text = h("p", { class: "dcrc-direction" });
  const outcome = h("p", { class: "dcrc-outcome" });
  const go = (/** @type {"next" | "back" | "leave"} */ to) => () => request({ do: "scene", to });
  const press = (/** @type {Element} */ node, /** @type {() => void} */ action) => () =>
    node.getAttribute("aria-disabled") !== "true" && action();
  const back = button({ title: "Take the last step of the scene back", onclick: () => backward() }, "Back", ",");
  const next = button({ class: "dcrc-button dcrc-next", onclick: () => forward() }, "Next", ".");
  const backward = press(back, go("back"));
  const forward = press(next, go("next"));
  const leave = h("button", {
    type: "button", class: "dcrc-dismiss", "aria-label": "Leave the scene", onclick: go("leave"),
    title: "Leave the scene; everything stays as it is",
  }, "×");
  const header = h("header", {}, title, place);
  const node = h("section", { class: "dcrc-playing", "aria-label": "Scene", hidden: true },
    header, h("div", { "aria-live": "polite" }, text, outcome),
    h("div", { class: "dcrc-leading" }, back, next, leave));

  function show() {
    /** @type {import("./types.d.ts").SceneCard | {title?: undefined, pointed?: null}} */
    const card = model.get("playing");
    node.hidden = !card.title;
    root.toggleAttribute("data-playing", Boolean(card.title));
    const hasMenu = controls.placeScenes(card.title ? header : undefined);
    state.pointed = card.pointed?.[0] ?? -1;
    drawAbove();
    shown();
    if (!card.title) return;
    put(title, hasMenu ? "" : card.title);
    put(place, `${card.step} of ${card.steps}`);
    put(text, card.text);
    put(outcome, card.outcome);
    text.title = card.text;
    outcome.title = card.outcome && `${card.outcome} ${AGREEMENT}`;
    setDisabled(back, card.first);
    setDisabled(next, card.last);
  }

  return {
    node, show,
    /** @returns {Record<string, () => void>} */
    keys: () => (node.hidden ? {} : { ".": forward, ",": backward }),
  };
}
