// What the tools share: one set of picks and marks on one plane or on several, requests to Python, following Python.
// Every decision about answers, settings and the model is Python's; one message per action goes there.

import { makeControls } from "./controls.js";
import { h } from "./dom.js";
import { followExports } from "./exporting.js";
import { followFits } from "./fitting.js";
import { keepFocus } from "./focus.js";
import { deliver as deliverTo, focused, inApp as isApp, isDark, kernelOf } from "./host.js";
import { makeItems } from "./items.js";
import { fingerprint, makeUnsent } from "./unsent.js";
import { watchKernel } from "./link.js";
import { makeNotices, makeSheet } from "./notices.js";
import { makePerson } from "./person.js";
import { makePlace } from "./place.js";
import { makePlaying } from "./playing.js";
import { makeQuestion } from "./question.js";
import { makeRequests } from "./requests.js";
import { makeSheets } from "./sheets.js";
import { makeStages } from "./stages.js";
import { noticeTexts } from "./noticetexts.js";
import { makeTip } from "./tip.js";
import { makeViews } from "./views.js";
import { makeZoom } from "./zoom.js";

const BUSY_AFTER = 100; // ms

/**
 * @typedef {object} Hooks
 * @property {() => void} drawBelow
 * @property {() => HTMLElement} help
 * @property {() => void} change called when another number of models is to be drawn
 * @property {() => void} attached called when the tool stands on the page
 * @property {string} look classes of its root
 * @property {string[]} groups of controls beside the picture
 * @property {() => void} [resized]
 * @property {(i: number, p: number) => void} [picked] a point was clicked, on plane p
 * @property {import("./focus.js").OwnKeys} [keys] that only this screen has
 * @property {(p: number) => boolean} [explaining] whether a click on plane p asks why, and starts no question
 * @property {() => import("./types.d.ts").Message | null} [idle] gives what to send when nothing waits
 */

/**
 * @template {import("./shapes.d.ts").Traits} T
 * @param {import("./shapes.d.ts").Model<T>} model
 * @param {HTMLElement} el
 * @param {import("./plane.js").Plane[]} planes each drawn on a stage of its own; picks and marks are the same on all
 * @param {Hooks} hooks
 * @returns {import("./shapes.d.ts").Tool<T>}
 */
export function makeTool(model, el, planes, hooks) {
  const stop = new AbortController();
  /** @type {import("./shapes.d.ts").Listen} */
  const listen = (target, type, handler, options = {}) => target.addEventListener(
    type, /** @type {(event: Event) => void} */ (handler), { ...options, signal: stop.signal });
  /** @type {import("./shapes.d.ts").ToolState} */
  const state = {
    picks: [], hover: -1, hoverOn: 0, marked: -1, explained: -1, suggestedAt: -Infinity, pointing: false,
  };
  const inApp = isApp();
  const { answers } = planes[0];
  const grid = h("div", { class: "dcrc-grid" });
  /** @type {HTMLElement} */
  const root = h("div", { class: `dcrc-explorer ${hooks.look}` });
  let placed = false;
  el.classList.add("dcrc-tool");
  el.append(root);

  // ---- requests

  const requests = makeRequests(deliver, showState);
  const { add: request } = requests;
  // Whether the kernel is there is found out when the tool begins and when the kernel goes, not at the first answer.
  const hello = () => request({ do: "hello" });
  const kernel = kernelOf(model);
  const link = watchKernel(kernel, hello);

  /** @param {import("./types.d.ts").Message} message @param {() => void} finished @param {boolean} again */
  function deliver(message, finished, again) {
    if (link.lost) throw new Error(`the ${link.lost} is gone`);
    deliverTo(model, kernel, message, finished, again);
  }

  // ---- the planes, and what every part stands on

  const explaining = (/** @type {number} */ p) => hooks.explaining?.(p) ?? false;
  const hovered = () => items.showHover();
  const pictures = makeStages({ model, planes, state, listen }, { pick, explaining, hovered });
  const { stages, focusStage, drawAbove } = pictures;
  const redraw = () => (hooks.drawBelow(), drawAbove());
  /** @type {import("./shapes.d.ts").Ground<T>} */
  const ground = {
    ...pictures, model, planes, state, root, inApp, listen, watch, request, requests, check, redraw,
    stopped: () => stop.signal.aborted,
  };

  // ---- what goes on

  const exporting = followExports(ground, () => showState());
  const fits = followFits(ground, () => showState());
  const status = h("span", { role: "status" });
  const busy = h("div", { class: "dcrc-busy" }, status, fits.stop);
  let busyTimer = 0;
  function showState(now = requests.state) {
    const working = now !== "idle" || model.get("busy") || model.get("doing");
    root.setAttribute("data-state", now === "gone" ? "gone" : working ? "waiting" : "idle");
    fits.update(Boolean(working), now === "idle" && model.get("busy") && !model.get("doing"));
    if (!working) exporting.end();
    const doing = exporting.words || fits.words || controls.doing(requests.underway) || model.get("doing") ||
      (model.get("busy") ? "Fitting…" : "Waiting for the kernel…");
    status.textContent = now === "late" ? "No reply from the kernel yet. Asking again…" : doing;
    clearTimeout(busyTimer);
    if (!working || now === "gone") root.removeAttribute("data-busy");
    else busyTimer = setTimeout(() => root.setAttribute("data-busy", ""), BUSY_AFTER);
    if (now === "gone" || now === "late") keep();
    if (now === "gone") question.lose();
    notices.show();
  }

  function check() {
    requests.finish(model.get("done"));
    const message = requests.state === "idle" && (zoom.wanted() ?? hooks.idle?.());
    if (message) request(message);
    controls.show();
    showState();
  }

  // ---- answers that did not arrive

  const unsent = makeUnsent(model.get("door"));
  const data = () => fingerprint(model.get("data").xy);
  const known = () => ({ triplets: answers.count, pairs: planes[0].pairs.length });
  const keep = () => unsent.put(data(), requests.unanswered, known());
  const left = {
    count: () => unsent.left(data(), isThere),
    take: () => unsent.inherit(data(), isThere),
  };
  /** @param {import("./requests.js").AnswerMessage} message @param {import("./unsent.js").Known} before */
  function isThere({ triplet, answer }, before) {
    const given = triplet.length === 2
      ? planes[0].pairs.slice(before.pairs).map((pair) => [pair.i, pair.j, pair.answer])
      : Array.from({ length: Math.max(0, answers.count - before.triplets) }, (_, t) => {
        const { i, j, k, answer: value } = answers.at(before.triplets + t);
        return [i, j, k, value];
      });
    return given.some((each) => String(each) === String([...triplet, answer]));
  }
  listen(window, "pagehide", keep);

  // ---- what is told

  const notices = makeNotices(noticeTexts({ model, inApp, requests, link, left }));

  // ---- the parts, each with those that it needs

  stages[0].append(busy);
  const keysSign = h("button", { type: "button", class: "dcrc-keys" });
  const sheet = makeSheet(focusStage);
  const controls = makeControls(ground, hooks.groups);
  const items = makeItems(ground, { sheet, say: (text) => question.say(text) });
  const sheets = makeSheets(ground);
  const zoom = makeZoom(ground);
  const person = makePerson(ground);
  const playing = makePlaying(ground, controls, () => question.show());
  const question = makeQuestion(ground, { items, person, zoom, keysSign });
  root.append(playing.node, grid, h("div", { class: "dcrc-telling" }, notices.node));
  /** @param {number} i @param {number} p */
  function pick(i, p = 0) {
    if (i < 0) return;
    if (!explaining(p)) question.pick(i);
    hooks.picked?.(i, p);
  }

  const openHelp = () => sheet.open("Keys and symbols", hooks.help());
  const helpAttributes = { type: "button", class: "dcrc-link", "aria-haspopup": "dialog", onclick: openHelp };
  const helpButton = h("button", helpAttributes, "? keys and symbols");
  const views = makeViews(ground, () => (readTheme(), redraw()));
  const links = h("span", { class: "dcrc-links" }, views.nodes, helpButton);

  // ---- following Python

  function newPoints() {
    Object.assign(state, { picks: [], hover: -1, marked: -1, explained: -1 });
    question.forget();
    if (!model.get("draw")) zoom.home();
    planes.forEach((plane) => plane.setPoints(model.get("data")));
    items.forget();
    sheets.forget();
    notices.show(); // answers that were left may be about these points
    // Who opened a file by Enter answers about it with the next keys.
    if (focused()?.dataset?.name === "file") focusStage();
  }

  /** Take what is new of the answers; false when some are missing, and were asked for. */
  function newAnswers() {
    const whole = answers.take(model.get("given"));
    if (!whole) request({ do: "hello" });
    return whole;
  }

  // Draw a new picture; `rest` shows what stands around it.
  function newScene(/** @type {() => void} */ rest) {
    state.marked = -1;
    hooks.drawBelow();
    drawAbove();
    pictures.showHint(); // the point under the pointer may be in another cluster now
    question.show();
    rest();
    question.preview(true);
  }

  /**
   * One comm message may change several traits: act once, when all of them are in.
   * @param {Record<string, (now: Set<string>) => unknown>} handlers
   */
  function follow(handlers) {
    /** @type {typeof handlers} */
    const all = {
      ...handlers, controls: controls.arrange, values: controls.show, question: question.take,
      notice: () => (notices.show(), person.show()),
      playing: playing.show, busy() {}, doing() {}, done() {}, door() {}, models() {},
    };
    /** @type {Set<string>} */
    const changed = new Set();
    const flush = () => {
      const now = new Set(changed);
      changed.clear();
      if (now.has("models")) {
        requests.finish(model.get("done"));
        return hooks.change(); // the rest is about the other picture
      }
      for (const [name, handler] of Object.entries(all)) if (now.has(name)) handler(now);
      check();
    };
    for (const name of Object.keys(all)) {
      watch(`change:${name}`, () => {
        if (!changed.size) queueMicrotask(flush);
        changed.add(name);
      });
    }
  }
  /** @type {import("./shapes.d.ts").Ground["watch"]} */
  function watch(event, handler) {
    model.on(event, handler);
    stop.signal.addEventListener("abort", () => model.off(event, handler));
  }

  // ---- the place on the page

  function attach() {
    if (placed) return;
    placed = true;
    items.about();
    keepFocus(ground, {
      items, playing, question, sheet, views, zoom, openHelp, pick, keysSign, own: hooks.keys,
    });
    makeTip(ground);
    readTheme();
    playing.show();
    views.show();
    hooks.attached();
    check();
  }
  function readTheme() {
    root.toggleAttribute("data-dark", isDark());
    planes.forEach((plane) => plane.readTheme(root));
  }
  const place = makePlace(ground, { placed: attach, readTheme, resized: hooks.resized });

  // Called when everything is in its place.
  /** @param {Node[]} parts @param {Element[]} resizing */
  function begin(parts, ...resizing) {
    grid.append(controls.top, ...parts, controls.side, sheet.node);
    controls.arrange();
    playing.show();
    place.begin(...resizing);
    question.take();
    watch("comm_live_update", hello);
    hello();
    person.remember();
    unsent.own().forEach(request);
    check();
  }
  function end() {
    keep();
    stop.abort();
    place.end();
    clearTimeout(busyTimer);
    requests.stop();
    link.stop();
    root.remove();
  }

  const card = h("div", { class: "dcrc-ask" }, question.card);
  return {
    ...ground, controls, items, question, sheet, card, links, follow, newPoints, newAnswers, newScene, begin, end,
  };
}
