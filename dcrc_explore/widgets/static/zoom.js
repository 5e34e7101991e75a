// Zoom and move the picture: Ctrl and the wheel, dragging, keys, buttons. All pictures of a tool show the same window.

import { WHOLE } from "./camera.js";
import { h } from "./dom.js";

const POINTING = ["pointerdown", "pointermove", "pointerup", "click", "dblclick"];

const STEP = 1.4; // of a key or a button
const WHEEL = 0.0022; // of a pixel of the wheel
const KEY = 0.2; // share of the window that an arrow key moves it
const SLOP = 4; // pixels that a click may slip
const REST = 150; // ms without motion, after which a sharper map is asked for

/** @param {import("./shapes.d.ts").Ground} ground */
export function makeZoom({ model, planes, state, root, listen, stages, hoverOver, redraw, check }) {
  const { camera } = planes[0];
  for (const plane of planes) plane.camera = camera;
  let frame = 0;
  let resting = 0;
  let asked = "";

  // ---- showing

  function show() {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      for (const plane of planes) plane.place();
      hoverOver(-1);
      redraw();
      root.toggleAttribute("data-zoomed", !camera.isHome);
    });
    clearTimeout(resting);
    resting = setTimeout(check, REST);
  }

  /**
   * Ask for a map of the window alone, when it rests and has none; of the whole picture there is one.
   * @returns {import("./types.d.ts").Message | null}
   */
  function wanted() {
    const { window = WHOLE } = model.get("sharp");
    const now = camera.window;
    const key = `${model.get("scene").version} ${now}`;
    if (String(now) === String(window) || key === asked) return null;
    asked = key;
    return { do: "window", window: now };
  }

  function zoom(/** @type {number} */ factor, x = 0.5, y = 0.5) {
    camera.zoomAt(x, y, factor);
    show();
  }
  function pan(/** @type {number} */ right, /** @type {number} */ up) {
    camera.move(right, up);
    show();
  }
  function home() {
    if (camera.isHome) return;
    camera.home();
    show();
  }
  /** Zoom out when points of a question are not in sight. @param {number[]} rows */
  function reveal(rows) {
    if (planes[0].xy && camera.include(rows.map((i) => planes[0].share(i)))) show();
  }

  // ---- wheel and pointer

  stages.forEach((stage) => {
    /** @returns {[number, number]} */
    const share = (/** @type {MouseEvent} */ { clientX, clientY }) => {
      const box = stage.getBoundingClientRect();
      return [(clientX - box.left) / box.width, 1 - (clientY - box.top) / box.height];
    };
    /** @type {PointerEvent | null} */
    let last = null; // where a drag was
    let dragged = false;
    // Without a modifier the wheel scrolls the notebook; two fingers on a touchpad come as a wheel with Ctrl.
    listen(stage, "wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const pixels = event.deltaY * (event.deltaMode ? 30 : 1);
      zoom(Math.exp(-WHEEL * Math.max(-300, Math.min(300, pixels))), ...share(event));
    }, { passive: false });
    listen(stage, "pointerdown", (event) => {
      dragged = false;
      last = event.button === 0 && !event.shiftKey && !camera.isHome ? event : null;
    });
    listen(stage, "pointermove", (event) => {
      if (!last) return;
      const distance = Math.hypot(event.clientX - last.clientX, event.clientY - last.clientY);
      if (!dragged && distance < SLOP) return;
      if (!dragged) stage.setPointerCapture(event.pointerId);
      dragged = true;
      event.stopImmediatePropagation();
      const [before, now] = [share(last), share(event)];
      last = event;
      pan(before[0] - now[0], before[1] - now[1]);
    }, { capture: true });
    for (const type of /** @type {const} */ (["pointerup", "pointercancel"])) listen(stage, type, () => (last = null));
    listen(stage, "click", (event) => {
      if (dragged) event.stopImmediatePropagation();
      dragged = false;
    }, { capture: true });
    listen(stage, "dblclick", () => state.hover < 0 && home());
  });

  // ---- buttons and keys

  const button = (/** @type {string} */ text, /** @type {string} */ title, /** @type {() => void} */ onclick) =>
    h("button", { type: "button", title, "aria-label": title, onclick }, text);
  stages[0].append(onPicture("div", { class: "dcrc-zoom", role: "group", "aria-label": "Zoom" },
    button("+", "Zoom in (+, or Ctrl and the wheel)", () => zoom(STEP)),
    button("−", "Zoom out (-)", () => zoom(1 / STEP)),
    button("0", "Show everything (0)", home)));
  /** @type {Record<string, () => void>} */
  const keys = { "+": () => zoom(STEP), "=": () => zoom(STEP), "-": () => zoom(1 / STEP), 0: home };
  const move = (/** @type {number} */ right, /** @type {number} */ down) => pan(KEY * right, -KEY * down);
  return { keys, move, home, reveal, wanted };
}

/**
 * An element on a picture that is no part of it: pointing at it does nothing to the points below.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {import("./shapes.d.ts").Attributes} attributes
 * @param {...import("./shapes.d.ts").Child} children
 */
export function onPicture(tag, attributes, ...children) {
  const node = h(tag, attributes, ...children);
  for (const type of POINTING) node.addEventListener(type, (event) => event.stopPropagation());
  return node;
}
