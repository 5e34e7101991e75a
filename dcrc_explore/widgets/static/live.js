// The tool as a page that lives without Python: the same drawing half, and the engine in the place of the kernel.

import { render } from "./explorer.js";
import { fromAddress, kept, mayStore, remembered } from "./live/keeping.js";
import { LiveModel } from "./live/model.js";
import { Session } from "./live/session.js";
import { Subjects } from "./live/subjects.js";
import { LiveTool } from "./live/tool.js";
import { makeWorker, serve } from "./live/work.js";

/**
 * @typedef {import("./live/subjects.js").LivePage} LivePage
 * @param {LivePage} page @param {HTMLElement} el @param {string | null} code of the worker
 */
async function open(page, el, code) {
  const stores = mayStore();
  const session = new Session(makeWorker(code));
  const subjects = new Subjects(page);
  const tool = new LiveTool(page, session, subjects);
  const memory = remembered(`dcrc-explore page ${location.pathname}`);
  await begin(page, tool, fromAddress(location.hash.slice(1)) ?? memory.read());
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
      xy: Float32Array.from(subject.X), extent: subject.extent, names: null, items: null, note: "",
      brushes: null, blank: [0, 1, 0, 1], ...page.palette,
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
    data: points(), draw: "", question: {}, notice: {}, panels: {}, gallery: {}, people: {}, sweep: {}, methods: {},
    information: {}, classroom: {}, why: {}, busy: false, doing: "", done: "", door: "page", view: "whole",
    hidden: page.hidden, models: 1, selection: [], ...(await tool.traits()),
  }, perform);
  tool.tell = (told) => model.fire("msg:custom", told);
  return render({ model: /** @type {never} */ (model), el });
}

/** @param {LivePage} page @param {LiveTool} tool @param {import("./live/keeping.js").Kept | null} known */
async function begin(page, tool, known) {
  const { session, subjects } = tool;
  const resume = async (/** @type {import("./live/keeping.js").Kept} */ { log, ...rest }) => {
    const { subject, settings } = subjects.restored({ log, ...rest });
    await session.go("", { subject, settings, names: [], log: [] });
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
    const subject = subjects.subject(start.data);
    const settings = { ...subjects.settings(subject), ...start.settings };
    await session.go("", { subject, settings, names: [], log: [] });
    if (!start.log.length) return;
    const given = start.log.map(([points, answer, by]) => ({ points, answer, by }));
    await session.answer(given);
    session.moments.shift();
    return;
  }
  await subjects.begin(tool);
  if (start.scene) await tool.scenes.open(start.scene);
  session.moments.splice(0, session.moments.length - 1);
}

function show() {
  const [data, code] = ["live", "code"].map((id) => document.getElementById(id)?.textContent ?? "");
  const el = document.querySelector(".dcrc-live");
  if (!data || !(el instanceof HTMLElement)) return;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => (document.body.dataset.jpThemeLight = String(!dark.matches));
  dark.addEventListener("change", follow);
  follow();
  void open(JSON.parse(data), el, code);
}

if (typeof document === "undefined") serve();
else show();
