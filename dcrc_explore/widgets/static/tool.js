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

  // The parts that follow put themselves into it, one after the other.
  const tool = /** @type {import("./shapes.d.ts").Tool<T>} */ ({
    model, planes, state, root, listen, watch, inApp, stopped: () => stop.signal.aborted,
    keysSign: h("button", { type: "button", class: "dcrc-keys" }),
  });

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

  const exporting = followExports(tool, () => showState());
  const fits = followFits(tool, () => showState());
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
    if (now === "gone") tool.question?.lose();
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

  // ---- the planes

  const explaining = (/** @type {number} */ p) => hooks.explaining?.(p) ?? false;
  const { stages, focusStage, drawAbove, hoverOver, showHint, markRows } = makeStages(tool, pick, explaining);
  stages[0].append(busy);

  tool.request = request;
  tool.requests = requests;
  const controls = (tool.controls = makeControls(tool, hooks.groups));
  Object.assign(tool, { stages, focusStage, drawAbove, hoverOver, markRows, check, keep });
  const items = (tool.items = makeItems(tool));
  const sheets = makeSheets(tool);
  const zoom = (tool.zoom = makeZoom(tool));
  tool.person = makePerson(tool);
  const playing = (tool.playing = makePlaying(tool));
  root.append(playing.node, grid, h("div", { class: "dcrc-telling" }, notices.node));
  const question = makeQuestion(tool);
  /** @param {number} i @param {number} p */
  function pick(i, p = 0) {
    if (i < 0) return;
    if (!explaining(p)) question.pick(i);
    hooks.picked?.(i, p);
  }

  const sheet = makeSheet(focusStage);
  const openHelp = () => sheet.open("Keys and symbols", hooks.help());
  const helpAttributes = { type: "button", class: "dcrc-link", "aria-haspopup": "dialog", onclick: openHelp };
  const helpButton = h("button", helpAttributes, "? keys and symbols");
  const views = (tool.views = makeViews(tool));
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
    showHint(); // the point under the pointer may be in another cluster now
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
      notice: () => (notices.show(), tool.person.show()),
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
  /** @type {import("./shapes.d.ts").Tool["watch"]} */
  function watch(event, handler) {
    model.on(event, handler);
    stop.signal.addEventListener("abort", () => model.off(event, handler));
  }

  // ---- the place on the page

  function attach() {
    if (placed) return;
    placed = true;
    items.about(root);
    keepFocus(tool, root);
    makeTip(tool, root);
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
  tool.readTheme = readTheme;
  const redraw = () => (hooks.drawBelow(), drawAbove());
  const place = makePlace(tool, { placed: attach, readTheme, redraw, resized: hooks.resized });

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
    tool.person.remember();
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

  return Object.assign(tool, {
    question, redraw, sheet, links, openHelp, pick, follow, newPoints,
    card: h("div", { class: "dcrc-ask" }, question.card),
    newAnswers, newScene, begin, end,
  });
}
