// The tool as a page that lives without Python: the same drawing half, and the engine in the place of the kernel.

import { h } from "./dom.js";
import { asMemberships } from "./engine/quality.js";
import { render } from "./explorer.js";
import { FRAME, drawingOf } from "./live/drawn.js";
import { fromAddress, kept, mayStore, remembered } from "./live/keeping.js";
import { LiveModel } from "./live/model.js";
import { Session } from "./live/session.js";
import { Subjects } from "./live/subjects.js";
import { LiveTool } from "./live/tool.js";
import { makeWorker } from "./live/work.js";
import { unpacked } from "./numbers.js";

/** @typedef {import("./live/subjects.js").LivePage} LivePage @typedef {import("./live/keeping.js").Kept} Kept */

/**
 * @param {LivePage} page @param {HTMLElement} el @param {string} address of a script that works for the page
 * @param {{name?: string, known?: Kept | null, isFresh?: boolean}} about what is remembered under which name; what is
 *   known from elsewhere; whether the page begins as it is, whatever is remembered
 */
async function open(page, el, address, { name = "page", known = null, isFresh = false }) {
  const stores = mayStore();
  const session = new Session(makeWorker(address));
  const subjects = new Subjects(page);
  const tool = new LiveTool(page, session, subjects);
  const memory = remembered(`dcrc-explore ${name} ${location.pathname}`);
  await begin(page, tool, isFresh ? null : known ?? memory.read());
  const keep = () => {
    const { state } = tool.now;
    const isKept = stores && memory.write(state.log.length ? kept(state) : null);
    tool.saved = isKept ? page.words.browser : "";
  };
  keep();
  tool.keep = keep;
  const points = () => {
    const { subject } = tool.now.state;
    return {
      xy: Float32Array.from(subject.xy), extent: subject.extent, names: subject.names, note: subject.note,
      items: subject.items?.kind ?? null,
      brushes: subject.d > 2 ? null : Uint16Array.from(drawingOf(subject).classes), blank: FRAME, ...page.palette,
      classes: subject.y && Array.from(subject.y, (k) => subject.classes[k]),
    };
  };
  let drawn = tool.now.state.subject;
  /** @param {import("./types.d.ts").Message} message */
  const perform = async (message) => {
    const traits = await tool.perform(message);
    if (tool.now.state.subject === drawn) return traits;
    drawn = tool.now.state.subject;
    return { data: points(), ...traits };
  };
  const model = new LiveModel({
    data: points(), question: {}, notice: {}, panels: {}, gallery: {}, people: {}, sweep: {}, methods: {},
    information: {}, classroom: {}, why: {}, busy: false, doing: "", done: "", door: "page", view: "whole",
    hidden: page.hidden, models: 1, selection: [], ...(await tool.traits()),
  }, perform);
  tool.tell = (told, buffers) => model.fire("msg:custom", told, buffers);
  return render({ model: /** @type {never} */ (model), el });
}

/** @param {LivePage} page @param {LiveTool} tool @param {Kept | null} known */
async function begin(page, tool, known) {
  const { session, subjects } = tool;
  const resume = async (/** @type {Kept} */ { log, ...rest }) => {
    const { subject, settings } = subjects.restored({ log, ...rest });
    await session.go("", { subject, settings, names: [], log: [], beside: rest.beside });
    if (!log.length) return;
    const given = log.map(([points, answer, by]) => ({ points, answer, by }));
    await session.go("", { ...session.now.state, log: session.entries(given) });
    session.moments.splice(0, session.moments.length - 1);
  };
  try {
    if (known) return await resume(known);
  } catch {
    session.moments.length = 0; // what was kept is about another page
  }
  const { start } = page;
  if (!("scene" in start)) {
    const subject = { ...subjects.subject(start.data), given: true };
    const settings = { ...subjects.settings(subject), ...start.settings };
    const { labels, log, W } = start;
    const numbered = { P: asMemberships(unpacked(labels), settings.n_clusters), K: settings.n_clusters };
    await session.go("", { subject, settings, names: [], log: [] }, false, numbered);
    if (!log.length) return;
    if (W) session.now.fit.W = Float64Array.from(unpacked(W)); // where the session that wrote the page arrived
    const given = log.map(([points, answer, by]) => ({ points, answer, by }));
    await session.answer(given);
    session.moments.shift();
    return;
  }
  await subjects.begin(tool);
  if (start.scene) await tool.scenes.open(start.scene);
  session.moments.splice(0, session.moments.length - 1);
}

/**
 * Show the page in its file, or at the end of a film, after as many answers as its element says.
 * @param {LivePage} page @param {string} style
 */
export function show(page, style) {
  const el = document.querySelector(".dcrc-live");
  if (!(el instanceof HTMLElement)) return;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => (document.body.dataset.jpThemeLight = String(!dark.matches));
  dark.addEventListener("change", follow);
  follow();
  document.head.append(h("style", {}, style));
  const { answers } = el.dataset;
  if ("log" in page.start && answers) page.start.log.splice(Number(answers));
  const code = new Blob([document.getElementById("code")?.textContent ?? ""], { type: "text/javascript" });
  const known = fromAddress(location.hash.slice(1));
  void open(page, el, URL.createObjectURL(code), { known, isFresh: answers !== undefined });
}

/**
 * Show it as a widget without a kernel: in a page of MyST, in marimo. The host may name the scene.
 * @param {LivePage} page @param {string} style @param {string} address of this module
 * @param {{model: {get: (name: string) => unknown}, el: HTMLElement}} widget
 */
export function place(page, style, address, { model, el }) {
  const scene = String(model.get("scene") ?? "");
  if (scene in page.scenes) page.start = { scene };
  page.controls.session = page.controls.session.filter(({ name }) => name !== "link" && name !== "frame");
  el.append(h("style", {}, style));
  return open(page, el, address, { name: `widget ${scene}` });
}
