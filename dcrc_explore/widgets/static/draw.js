// Points drawn by hand on a picture: brushes, an eraser, points that move. The browser draws at once; who holds the
// data gets one stroke when the pointer is lifted. Nothing here knows a kernel.

import { ARROWS } from "./arrows.js";
import { MOST_CLASSES, MOST_POINTS, Sketch, dab, stroke } from "./brush.js";
import { WHOLE } from "./camera.js";
import { h, put, setDisabled } from "./dom.js";
import { marker, markerPath } from "./markers.js";
import { clamp } from "./numbers.js";
import { plural } from "./say.js";
import { onPicture } from "./zoom.js";

const SIZES = [0, 12, 22, 36, 56]; // radius of a brush in pixels; 0 draws single points
const DENSITIES = [1, 2, 3, 5, 8]; // points of a dab
const APART = 0.7; // distance of dabs, in radii
const SINGLE = 22; // pixels between single points
const ERASER = 9; // least radius
const REACH = 28; // pixels within which a point is taken to be moved
const STEP = 12; // pixels that an arrow key moves the brush
const GRID = 4095; // steps of the frame on which points are drawn: as many as a link can write
const TOOLS = /** @type {const} */ ([
  ["brush", "✎ Draw", "Draw points of the class that is chosen (B)"],
  ["eraser", "⌫ Erase", "Erase points (E)"],
  ["move", "✥ Move", "Drag a point to another place (M)"],
]);

/**
 * @typedef {import("./brush.js").Place} Place
 * @typedef {import("./brush.js").Stroke} Stroke
 *
 * @typedef {object} Host
 * @property {import("./plane.js").Plane} plane
 * @property {HTMLElement} stage
 * @property {import("./shapes.d.ts").Listen} listen
 * @property {() => void} drawAbove
 * @property {() => void} redraw
 * @property {(done: Stroke, n: number) => void} send takes a stroke on n points; what comes of it comes back by `take`
 * @property {() => void} clear an empty plane is wanted
 * @property {() => void} leave
 * @property {() => void} undo
 * @property {() => void} redo
 * @property {(rows: number[]) => number} answersAbout how many answers go with these points
 * @property {number[]} blank the frame of an empty plane
 */

/** @param {Host} host */
export function makeDraw(host) {
  const { plane, stage, listen } = host;
  let on = false;
  let blank = false; // whether the plane is empty, whatever else is known of older points
  let sketch = new Sketch();
  /** @type {typeof TOOLS[number][0]} */
  let tool = "brush";
  let [brush, size, density] = [0, 2, 1];
  /** @type {Place | null} */
  let cursor = null; // in pixels
  /** @type {{at: Place, since: number, added: Place[], erased: Set<number>, row: number, to: Place | null} | null} */
  let under = null; // the stroke that is being drawn
  /** @type {{rows: number[], words: string, done: () => void} | null} */
  let asked = null; // what waits for a word of the person
  /** @type {Stroke[]} */
  let sent = []; // strokes whose points have not come back

  // ---- places

  const frame = () => (blank ? host.blank : plane.extent);
  /** @param {Place} place @returns {Place} */
  function toData([x, y]) {
    const [left, right, bottom, top] = frame();
    const whole = plane.frame(WHOLE);
    const snap = (/** @type {number} */ share) => Math.round(clamp(share, 0, 1) * GRID) / GRID;
    return [left + snap((x - whole.x) / whole.width) * (right - left),
      bottom + snap(1 - (y - whole.y) / whole.height) * (top - bottom)];
  }
  /** @param {Place} place @returns {Place} */
  function toPixels([x, y]) {
    const [left, right, bottom, top] = frame();
    const whole = plane.frame(WHOLE);
    return [whole.x + ((x - left) / (right - left)) * whole.width,
      whole.y + (1 - (y - bottom) / (top - bottom)) * whole.height];
  }
  const seen = () => new Sketch(sketch.places.map(toPixels), sketch.classes);
  const radius = () => (tool === "eraser" ? Math.max(ERASER, SIZES[size]) : SIZES[size]);

  // ---- strokes

  function commit(/** @type {Partial<Stroke>} */ parts) {
    const done = stroke(parts);
    const after = sketch.after(done);
    if (after.n > MOST_POINTS) return say(`A drawing may have at most ${MOST_POINTS} points: erase some first.`);
    const first = blank && !sent.some(({ empty }) => empty);
    const n = first ? 0 : sketch.n;
    sketch = after;
    if (after.n < 2) { // no model can be fitted to these: they wait here
      if (!blank) {
        blank = true;
        host.clear();
      }
      say(after.n ? "One point. A model needs at least two." : "");
    } else {
      const whole = first ? stroke({ empty: true, added: after.places, brushes: after.classes }) : done;
      sent.push(whole);
      host.send(whole, n);
      say("");
    }
    show();
  }

  function dropDabs(/** @type {Place} */ at, /** @type {boolean} */ always) {
    if (!under) return;
    const apart = SIZES[size] ? Math.max(6, APART * SIZES[size]) : SINGLE / Math.sqrt(DENSITIES[density]);
    const distance = Math.hypot(at[0] - under.at[0], at[1] - under.at[1]);
    const n = SIZES[size] ? DENSITIES[density] : 1;
    const steps = always ? 1 : Math.floor(distance / apart);
    for (let step = 1; step <= steps; step++) {
      const share = always ? 1 : (step * apart) / distance;
      const [x, y] = [under.at[0] + share * (at[0] - under.at[0]), under.at[1] + share * (at[1] - under.at[1])];
      const room = MOST_POINTS - sketch.n - under.added.length;
      const dabs = dab(Math.min(n, room), SIZES[size]).map(([dx, dy]) => /** @type {Place} */ ([x + dx, y + dy]));
      under.added.push(...dabs.map(inside));
      if (step === steps) under.at = [x, y];
    }
  }
  /** @param {Place} place @returns {Place} */
  const inside = ([x, y]) => [clamp(x, 1, plane.size.width - 1), clamp(y, 1, plane.size.height - 1)];

  function begin(/** @type {Place} */ at) {
    asked = null;
    under = { at, since: performance.now(), added: [], erased: new Set(), row: -1, to: null };
    if (tool === "brush") dropDabs(at, true);
    else if (tool === "eraser") rub(at, at);
    else under.row = seen().nearest(at, REACH);
    show();
  }
  function rub(/** @type {Place} */ from, /** @type {Place} */ to) {
    const [steps, points] = [Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / 5) || 1, seen()];
    for (let step = 0; step <= steps; step++) {
      const share = step / steps;
      const at = /** @type {Place} */ ([from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]);
      for (const i of points.around(at, radius())) under?.erased.add(i);
    }
  }
  function go(/** @type {Place} */ at) {
    if (!under) return;
    if (tool === "brush") return dropDabs(at, false);
    if (tool === "eraser") {
      rub(under.at, at);
      under.at = at;
    } else if (under.row >= 0) under.to = inside(at);
  }
  function end() {
    const done = under;
    under = null;
    if (!done) return;
    if (done.added.length) {
      commit({ added: done.added.map(toData), brushes: done.added.map(() => brush) });
    } else if (done.to) commit({ rows: [done.row], places: [toData(done.to)] });
    else if (done.erased.size) erase([...done.erased].sort((a, b) => a - b));
    host.drawAbove();
  }

  /** Erase points; with answers about them only after a word. */
  function erase(/** @type {number[]} */ rows) {
    const lost = blank ? 0 : host.answersAbout(rows);
    const all = rows.length === sketch.n;
    const done = () => {
      asked = null;
      commit({ erased: rows });
    };
    if (!lost) return done();
    const what = all ? "The whole drawing" : plural(rows.length, "point");
    asked = { rows, words: `${what} and ${plural(lost, "answer")} will be erased.`, done };
    show();
  }

  // ---- the bar

  const message = h("span");
  const yes = h("button", { type: "button", class: "dcrc-button", onclick: () => asked?.done() }, "Erase");
  const no = h("button", { type: "button", class: "dcrc-button", onclick: () => ((asked = null), show()) }, "Keep");
  const note = onPicture("div", { class: "dcrc-drawn", role: "status" }, message, yes, no);
  stage.append(note);
  let remark = "";
  function say(/** @type {string} */ words) {
    remark = words;
    show();
  }

  /** @param {string} text @param {string} title @param {() => void} onclick */
  const button = (text, title, onclick) =>
    h("button", { type: "button", class: "dcrc-button", title, "aria-label": title, onclick }, text);
  const tools = TOOLS.map(([name, text, title]) => button(text, title, () => choose(name)));
  const classes = h("span", { class: "dcrc-brushes", role: "group", "aria-label": "Class to draw" });
  /** @param {string} label @param {number[]} list @param {number} value @param {(at: number) => void} take */
  const slider = (label, list, value, take) => {
    const input = h("input", { type: "range", min: 0, max: list.length - 1, value, "aria-label": label });
    input.addEventListener("input", () => (take(Number(input.value)), show()));
    return { input, node: h("label", {}, `${label} `, input) };
  };
  const sizes = slider("Size", SIZES, size, (at) => (size = at));
  const densities = slider("Density", DENSITIES, density, (at) => (density = at));
  const undo = button("↶", "Undo the last stroke (Z)", () => back());
  const redo = button("↷", "Redo (Shift+Z)", host.redo);
  const spread = button("Spread out", "Push points apart that are close together", () => {
    const [left, right] = frame();
    const unit = (right - left) / plane.frame(WHOLE).width; // of the data, for a pixel
    if (sketch.n) commit(sketch.spread(frame(), 2.4 * plane.radius * unit));
  });
  const clear = button("Clear", "Erase everything: begin with an empty plane",
    () => sketch.n && erase(sketch.places.map((_, i) => i)));
  const finish = button("Done", "Back to questions (Esc)", host.leave);
  finish.classList.add("dcrc-finish");
  const node = h("div", { class: "dcrc-draw", hidden: true },
    h("div", {}, classes, tools, h("span", { class: "dcrc-gap" }), finish),
    h("div", {}, sizes.node, densities.node, h("span", { class: "dcrc-gap" }), undo, redo, spread, clear));

  function choose(/** @type {typeof tool} */ chosen) {
    [tool, under, asked] = [chosen, null, null];
    show();
  }
  function back() {
    if (!blank || !sketch.n) return host.undo();
    sketch = new Sketch();
    say("");
  }
  function select(/** @type {number} */ k) {
    brush = k;
    choose("brush");
  }

  function show() {
    node.hidden = !on;
    note.hidden = !on;
    stage.toggleAttribute("data-draw", on);
    if (plane.blank !== (on && blank)) {
      plane.blank = on && blank;
      host.redraw();
    }
    node.toggleAttribute("data-blank", plane.blank);
    if (!on) return;
    const offered = Math.max(sketch.offered, brush + 1);
    put(classes, Array.from({ length: offered }, (_, k) => h("button", {
      type: "button", class: "dcrc-button", title: `Draw points of class ${k + 1} (key ${k + 1})`,
      "aria-label": `Class ${k + 1}`, "aria-pressed": String(tool === "brush" && brush === k), onclick: () => select(k),
    }, marker(plane.shape(k), plane.colour(k)), String(k + 1))));
    TOOLS.forEach(([name], t) => tools[t].setAttribute("aria-pressed", String(name === tool)));
    sizes.input.value = String(size);
    densities.input.value = String(density);
    densities.input.disabled = tool !== "brush";
    sizes.input.disabled = tool === "move";
    for (const each of [spread, clear]) setDisabled(each, !sketch.n);
    const counted = under?.erased.size && host.answersAbout([...under.erased]);
    message.textContent = asked ? asked.words : remark ||
      (counted ? `${plural(counted, "answer")} about these points would go too.` : hint());
    yes.hidden = no.hidden = !asked;
    host.drawAbove();
  }
  function hint() {
    if (blank && !sketch.n) return "An empty plane: draw two points or more.";
    if (tool === "move" && under && under.row < 0) return "No point here.";
    return "";
  }

  // ---- pointer

  /** @param {MouseEvent} event @returns {Place} */
  const place = ({ clientX, clientY }) => {
    const box = stage.getBoundingClientRect();
    return [clientX - box.left, clientY - box.top];
  };
  /**
   * @template {`pointer${"down" | "move" | "up" | "cancel" | "leave"}` | "click" | "dblclick"} Type
   * @param {Type} type @param {(event: WindowEventMap[Type]) => void} [handler]
   */
  const take = (type, handler) => listen(stage, type, (event) => {
    const target = /** @type {Element} */ (event.target);
    if (!on || (target !== stage && target.tagName !== "CANVAS" && !target.matches(".dcrc-hint"))) return;
    event.stopImmediatePropagation();
    handler?.(event);
  }, { capture: true });
  take("pointerdown", (event) => {
    if (event.button || under) return; // one finger draws
    stage.focus({ preventScroll: true });
    stage.setPointerCapture(event.pointerId);
    remark = "";
    cursor = place(event);
    begin(cursor);
  });
  take("pointermove", (event) => {
    for (const each of event.getCoalescedEvents?.() ?? []) go(place(each));
    cursor = place(event);
    go(cursor);
    if (under) show();
    else host.drawAbove();
  });
  take("pointerup", end);
  take("pointercancel", () => ((under = null), show()));
  take("pointerleave", () => under || ((cursor = null), host.drawAbove()));
  take("click");
  take("dblclick");

  // ---- keys

  function walk(/** @type {number[]} */ [dx, dy], distance = STEP) {
    const [x, y] = cursor ?? [plane.size.width / 2, plane.size.height / 2];
    cursor = inside([x + distance * dx, y + distance * dy]);
    if (under) go(cursor);
    show();
  }
  /** Draw, erase or take a point at the brush; the second time the point stays where it is. */
  function press() {
    cursor ??= [plane.size.width / 2, plane.size.height / 2];
    if (asked) return asked.done();
    if (under) return end();
    if (tool === "move" && sketch.n) cursor = seen().places[seen().nearest(cursor)];
    begin(cursor);
    if (tool !== "move") end();
  }
  /** What a key does while points are drawn. @param {KeyboardEvent} event @returns {(() => void) | null} */
  function key({ key: pressed, shiftKey }) {
    if (!on) return null;
    if (ARROWS[pressed]) return () => walk(ARROWS[pressed], shiftKey ? 4 * STEP : STEP);
    const number = Number(pressed);
    if (number >= 1 && number <= MOST_CLASSES) return () => select(number - 1);
    /** @type {Record<string, () => void>} */
    const keys = {
      b: () => choose("brush"), e: () => choose("eraser"), m: () => choose("move"), " ": press, Enter: press,
      "[": () => ((size = Math.max(0, size - 1)), show()),
      "]": () => ((size = Math.min(SIZES.length - 1, size + 1)), show()),
      Escape: () => (asked || under ? (([asked, under] = [null, null]), show()) : host.leave()),
    };
    if (pressed === "z" && !shiftKey) return back;
    return keys[pressed] ?? (/^[yndsv]$/i.test(pressed) ? () => say("Press Done to answer questions again.") : null);
  }

  // ---- drawing

  function draw(/** @type {CanvasRenderingContext2D} */ ctx) {
    const mark = (/** @type {Place} */ [x, y], /** @type {number} */ k) => {
      const path = markerPath(plane.shape(k), x, y, plane.radius);
      ctx.lineWidth = 2;
      ctx.strokeStyle = "white";
      ctx.stroke(path);
      ctx.fillStyle = plane.colour(k);
      ctx.fill(path);
    };
    /** @param {Place} place @param {number} r @param {string} colour */
    const ring = ([x, y], r, colour, dash = [4, 3]) => {
      ctx.setLineDash(dash);
      ctx.lineWidth = 1.6;
      ctx.strokeStyle = colour;
      ctx.stroke(markerPath("circle", x, y, r));
      ctx.setLineDash([]);
    };
    const points = seen();
    if (blank) points.places.forEach((at, i) => mark(at, points.classes[i]));
    else showSent(points, mark, (at) => ring(at, plane.radius + 2, plane.ink.muted, []));
    under?.added.forEach((at) => mark(at, brush));
    for (const i of asked?.rows ?? under?.erased ?? []) ring(points.places[i], plane.radius + 3, plane.ink.bad, []);
    if (under?.to) {
      ring(points.places[under.row], plane.radius + 3, plane.ink.muted, []);
      mark(under.to, points.classes[under.row]);
    }
    if (!cursor) return;
    if (tool !== "move") ring(cursor, Math.max(4, radius()), tool === "eraser" ? plane.ink.bad : plane.colour(brush));
    else if (!under) {
      const i = points.nearest(cursor, REACH);
      if (i >= 0) ring(points.places[i], plane.radius + 5, plane.ink.accent, []);
      else ring(cursor, 5, plane.ink.muted);
    }
  }
  /**
   * What was drawn and moved since the picture was made.
   * @param {Sketch} points @param {(at: Place, k: number) => void} mark @param {(at: Place) => void} ring
   */
  function showSent(points, mark, ring) {
    const fresh = sent.reduce((n, { added }) => n + added.length, 0);
    for (let i = points.n - fresh; i < points.n; i++) mark(points.places[i], points.classes[i]);
    for (const { rows } of sent) for (const i of rows) if (i < points.n) ring(points.places[i]);
  }

  const drawing = {
    node, key, draw,
    get on() {
      return on;
    },
    /**
     * Begin or end; `empty` says that the plane is empty.
     * @param {boolean} drawing @param {boolean} empty
     */
    open(drawing, empty) {
      if (on === drawing && blank === empty) return;
      if (on !== drawing) [under, cursor] = [null, null]; // else a stroke may be under way
      if (empty && !blank) sketch = new Sketch();
      [on, blank, remark, asked] = [drawing, empty, "", null];
      show();
      host.drawAbove();
    },
    /**
     * Take the points that there are now; of those that were sent, `waiting` are still under way.
     * @param {Place[]} places @param {number[]} brushes @param {(done: Stroke) => boolean} waiting
     */
    take(places, brushes, waiting = () => false) {
      sent = sent.filter(waiting);
      if (blank && !sent.some(({ empty }) => empty)) return;
      sketch = sent.reduce((before, done) => before.after(done), new Sketch(places, brushes));
      show();
    },
  };
  plane.drawing = drawing;
  return drawing;
}
