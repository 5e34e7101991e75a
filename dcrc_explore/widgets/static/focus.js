// Keys and focus: keys that are meant for the tool act here and never reach JupyterLab, and the focus stays inside.

import { ARROWS } from "./arrows.js";
import { QUIET, focused, targetOf } from "./host.js";
import { TYPED, makeKeys } from "./keys.js";

/** Not ours: what goes with Ctrl and the like, and Shift+Enter, which runs the notebook's next cell. */
const isForeign = (/** @type {KeyboardEvent} */ { ctrlKey, metaKey, altKey, shiftKey, key }) =>
  ctrlKey || metaKey || altKey || (shiftKey && key === "Enter");

/**
 * What keys do that only one of the screens has.
 * @typedef {object} OwnKeys
 * @property {(event: KeyboardEvent) => (() => void) | null} drawing what a key does while points are drawn
 * @property {() => boolean} back go back in the tab that is open; false where there is no way back
 * @property {() => void} unselect
 * @property {(p: number) => void} selectSeen select what is in sight of a picture
 *
 * @param {import("./shapes.d.ts").Ground} ground
 * @param {object} parts
 * @param {ReturnType<typeof import("./items.js").makeItems>} parts.items
 * @param {ReturnType<typeof import("./playing.js").makePlaying>} parts.playing
 * @param {ReturnType<typeof import("./question.js").makeQuestion>} parts.question
 * @param {ReturnType<typeof import("./notices.js").makeSheet>} parts.sheet
 * @param {ReturnType<typeof import("./views.js").makeViews>} parts.views
 * @param {ReturnType<typeof import("./zoom.js").makeZoom>} parts.zoom
 * @param {() => void} parts.openHelp
 * @param {(i: number, p: number) => void} parts.pick
 * @param {HTMLElement} parts.keysSign says who has the keys
 * @param {OwnKeys} [parts.own]
 */
export function keepFocus(ground, { items, playing, question, sheet, views, zoom, openHelp, pick, keysSign, own }) {
  const { root, listen, state, stages, planes, focusStage, hoverOver } = ground;
  const { answer, skip, undo, redo } = question;
  /** @type {Record<string, (() => void) | undefined>} */
  const actions = {
    y: () => answer(1), n: () => answer(-1), d: () => answer(0), s: skip, z: undo, Z: redo, l: views.toggle,
    f: views.fill,
  };
  /** @type {HTMLElement | null} */
  let guarded = null; // the element that keeps the last key from JupyterLab

  const keys = makeKeys(ground, keysSign);

  /** @param {KeyboardEvent} event @param {HTMLElement} target */
  function onKey(event, target) {
    if (isForeign(event)) return;
    const { key } = event;
    state.pointing = false;
    if (!sheet.node.hidden) {
      event.stopPropagation();
      if (key === "Escape") use(event, sheet.close);
    } else if (!target.closest(TYPED)) {
      const action = actionOf(event, target);
      if (action) use(event, action);
      else event.stopPropagation();
      if (!action && /^[^ ]$/.test(key)) question.say(`${key.toUpperCase()} does nothing here: ? shows the keys.`);
    }
  }

  function use(/** @type {KeyboardEvent} */ event, /** @type {() => void} */ action) {
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  /**
   * What a key does; a key held down is one answer.
   * @param {KeyboardEvent} event @param {HTMLElement} target @returns {(() => void) | null}
   */
  function actionOf(event, target) {
    const { key, shiftKey, repeat } = event;
    const p = stages.indexOf(target);
    const drawn = p >= 0 || key === "Escape" ? own?.drawing(event) : null;
    if (drawn) return drawn;
    const action = actions[shiftKey ? key.toUpperCase() : key.toLowerCase()];
    const sound = action ? null : items.playing(key);
    if (action || sound) return repeat ? () => {} : action ?? sound;
    if (key === "Escape") {
      return () => own?.back() || (state.picks.length ? question.back() : own?.unselect());
    }
    if (key === "Enter" && !target.closest("button, a, input")) return repeat ? () => {} : question.suggest;
    if (key === "?") return openHelp;
    const leading = playing.keys()[key];
    if (leading) return repeat ? () => {} : leading;
    if (zoom.keys[key]) return zoom.keys[key];
    if (p < 0) return null;
    if (key === "v" && own) return () => own.selectSeen(p);
    if (ARROWS[key] && shiftKey) return () => zoom.move(...ARROWS[key]);
    if (ARROWS[key]) return () => hoverOver(planes[p].towards(state.hover, ...ARROWS[key]), p);
    return key === " " ? () => pick(state.hover, p) : null;
  }

  root.tabIndex = -1; // a click beside every control keeps the focus inside the tool
  listen(root, "keydown", (event) => onKey(event, /** @type {HTMLElement} */ (event.target)));
  // JupyterLab looks for the attribute on the focused element, before any listener in here. Its shortcuts with Ctrl
  // and the like, as saving the notebook, stay.
  listen(window, "keydown", (event) => {
    const target = targetOf(event);
    const inside = root.contains(target);
    guarded?.removeAttribute(QUIET);
    guarded = inside && !isForeign(event) ? /** @type {HTMLElement} */ (target) : null;
    guarded?.setAttribute(QUIET, "true");
    if (inside && event.shiftKey && event.key === "Enter") runNext(event);
    else if (!inside && !isForeign(event) && event.key !== "Tab" && keys.claim()) {
      event.stopImmediatePropagation();
      onKey(event, focused() ?? root);
    }
  }, { capture: true });

  // Who runs cell after cell goes on doing so: the key goes where it went before the tool took the keys by itself.
  function runNext(/** @type {KeyboardEvent} */ event) {
    const there = keys.giveBack();
    if (!there) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    there.dispatchEvent(new KeyboardEvent("keydown", event));
  }

  // A button pressed with the mouse hands the focus to the picture: Enter then suggests and does not press again.
  listen(root, "mousedown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const pressed = /** @type {HTMLElement | null} */ (target.closest("button, .dcrc-plane"));
    if (!pressed || !sheet.node.hidden) return;
    event.preventDefault();
    if (stages.includes(pressed)) pressed.focus({ preventScroll: true });
    else focusStage();
  });
  // So does a menu once the mouse has chosen; who uses the keyboard stays there.
  listen(root, "pointerdown", () => (state.pointing = true), { capture: true });
  listen(root, "change", ({ target }) => {
    const changed = /** @type {HTMLElement} */ (target);
    if (state.pointing && changed.matches("select, [type=checkbox]")) focusStage();
  });
  // When the focused control disappears or is disabled the focus comes back here, not to the notebook.
  listen(root, "focusout", (event) => {
    if (event.relatedTarget) return;
    setTimeout(() => {
      // Not the next frame: on a busy machine that may be late, and the next key would be JupyterLab's.
      const left = /** @type {HTMLElement} */ (event.target);
      const gone = !left.isConnected || left.matches(":disabled");
      if (gone && focused() === document.body) focusStage();
    });
  });
}
