// The data of a page: those that Python made, and others from other seeds.

import { unpacked } from "../numbers.js";
import { plural } from "../say.js";
import { afterStroke, drawingOf, drawnSubject, planar, strokeLabel } from "./drawn.js";
import { generate } from "./generators.js";

/**
 * @typedef {{name: string, title: string, about: string, X: import("../types.d.ts").PackedArray,
 *   xy: import("../types.d.ts").PackedArray | null, d: number, features: string[], names: string[] | null,
 *   note: string, items: import("./items.js").ItemsSent | null,
 *   y: import("../types.d.ts").PackedArray | null, classes: string[], extent: number[], K: number,
 *   parameters: Record<string, number> | null, drawing: import("./drawn.js").Drawing | null}} DataSent
 *
 * @typedef {object} LivePage what Python wrote into the page
 * @property {Record<string, DataSent>} subjects by the names of generators
 * @property {Record<string, import("./scenes.js").SceneSent>} scenes
 * @property {Record<string, import("../types.d.ts").ControlSent[]>} controls by group
 * @property {Record<string, import("../types.d.ts").ControlSent[]>} pair the same where two models are shown
 * @property {Record<string, import("../types.d.ts").ControlSent[]>} data controls of the tab Data by generator
 * @property {Record<string, unknown>} settings the default of each
 * @property {import("../types.d.ts").Options} options
 * @property {Record<string, string[]>} asserts what answers claim, by number of points and of clusters
 * @property {Record<string, string>} words
 * @property {{format: string, version: number}} format of session files
 * @property {{colours: string[], markers: string[]}} palette
 * @property {string[]} hidden tabs
 * @property {{scene: string} | {data: DataSent, settings: Record<string, unknown>,
 *   log: [number[], number, string][], labels: import("../types.d.ts").PackedArray,
 *   W: import("../types.d.ts").PackedArray | null}} start `labels` of its clusters, and the weights of a linear model
 */

const MARGIN = 0.06;
const ASPECT = 1.12;
const MOST_STRETCH = 4;
const MOST_POINTS = 1000;

/** Bounds of a picture: the range, a margin, equal scales if possible. @param {number[][]} X */
function extentOf(X) {
  const axes = [0, 1].map((d) => X.map((row) => row[d]));
  const [low, high] = [axes.map((values) => Math.min(...values)), axes.map((values) => Math.max(...values))];
  const size = high.map((value, d) => (value > low[d] ? (1 + 2 * MARGIN) * (value - low[d]) : 1));
  const stretched = [Math.max(size[0], size[1] * ASPECT), Math.max(size[1], size[0] / ASPECT)];
  const used = stretched.every((value, d) => value <= MOST_STRETCH * size[d]) ? stretched : size;
  return [0, 1].flatMap((d) => [-1, 1].map((sign) => (low[d] + high[d] + sign * used[d]) / 2));
}

let count = 0; // of data: what is known of some is never taken for others

export class Subjects {
  /** @param {LivePage} page */
  constructor(page) {
    this.page = page;
  }

  key = () => `data ${++count}`;

  /** The settings with which data begin. @param {import("./session.js").Subject} subject */
  settings({ K }) {
    return /** @type {import("./session.js").Settings} */ ({ ...this.page.settings, n_clusters: K });
  }

  /** @param {DataSent} sent @returns {import("./session.js").Subject} */
  subject({ X, xy, y, ...rest }) {
    const rows = Float64Array.from(unpacked(X));
    return {
      ...rest, X: rows, xy: xy ? Float64Array.from(unpacked(xy)) : rows, y: y && Int32Array.from(unpacked(y)),
      original: true, key: this.key(),
    };
  }

  /** @param {string} name @param {Record<string, number>} parameters @returns {import("./session.js").Subject} */
  generated(name, parameters) {
    const sent = this.page.subjects[name];
    if (Object.entries(sent.parameters ?? {}).every(([each, value]) => parameters[each] === value)) {
      return this.subject(sent);
    }
    const { X, y } = generate(name, parameters, sent.K);
    if (X.length > MOST_POINTS) throw new Error(`a page takes up to ${MOST_POINTS} points, got ${X.length}`);
    const K = 1 + Math.max(...y);
    return {
      ...sent, ...planar(Float64Array.from(X.flat())), y: Int32Array.from(y), extent: extentOf(X), K, parameters,
      original: false, classes: Array.from({ length: K }, (_, k) => String(k + 1)), key: this.key(),
    };
  }

  /** Begin with the first data. @param {import("./tool.js").LiveTool} tool */
  async begin({ session }) {
    const subject = this.subject(Object.values(this.page.subjects)[0]);
    await session.go("", { subject, settings: this.settings(subject), names: [], log: [] });
  }

  /** Turn to other data, without answers. @param {import("./tool.js").LiveTool} tool @param {string} name */
  async open(tool, name) {
    const { parameters } = this.page.subjects[name];
    await this.#turn(tool, `data ${name}`, this.generated(name, { ...parameters }));
  }

  /**
   * Other points of the same kind.
   * @param {import("./tool.js").LiveTool} tool @param {Record<string, number>} changes
   */
  async regenerate(tool, changes) {
    const { name, parameters } = tool.now.state.subject;
    if (!parameters) throw new Error("these data were not generated: choose a generator first");
    await this.#turn(tool, "other points", this.generated(name, { ...parameters, ...changes }));
  }

  /**
   * @param {import("./tool.js").LiveTool} tool
   * @param {string} label @param {import("./session.js").Subject} subject
   */
  async #turn(tool, label, subject) {
    const { settings } = tool.now.state;
    const same = subject.name === tool.now.state.subject.name;
    const now = same ? { ...settings, n_clusters: subject.K } : this.settings(subject);
    await tool.session.go(label, { subject, settings: now, log: [], names: [], beside: tool.now.state.beside });
    Object.assign(tool, { asked: null, skipped: [], window: null });
  }

  /**
   * Draw points by hand: a step like any other.
   * @param {import("./tool.js").LiveTool} tool @param {import("../brush.js").Stroke} stroke
   */
  async draw({ session, page }, stroke) {
    const { state: before, fit: { P, K } } = session.now;
    const { state, was } = afterStroke(before, stroke, this.key());
    const n = was.length;
    if (n < 2 || n > MOST_POINTS) throw new Error(`a page takes 2 to ${MOST_POINTS} points, got ${n}`);
    const numbered = stroke.empty ? null : { K, P: Float64Array.from({ length: n * K }, (_, at) =>
      P[was[Math.floor(at / K)] * K + (at % K)] || 0) };
    await session.go(strokeLabel(stroke), state, false, numbered);
    const gone = before.log.length - state.log.length;
    return gone ? page.words.gone.replace("{}", plural(gone, "answer")) : "";
  }

  /**
   * @param {import("./tool.js").LiveTool} tool
   * @param {boolean} isTruth whether the classes that were drawn are true
   */
  async believe({ session }, isTruth) {
    const { state, fit: { P, K } } = session.now;
    const { xy, extent } = state.subject;
    const places = Array.from({ length: xy.length / 2 }, (_, n) => [xy[2 * n], xy[2 * n + 1]]);
    const subject = drawnSubject(places, { ...drawingOf(state.subject), isTruth }, extent, this.key());
    await session.go("drawn classes", { ...state, subject }, false, { P, K });
  }

  /**
   * What was kept, as a state; an error where it is not about data of this page.
   * @param {import("./keeping.js").Kept} kept
   */
  restored({ data, parameters, X, y, drawing, extent, settings }) {
    if (parameters && this.page.subjects[data]) {
      const subject = this.generated(data, parameters);
      return { subject, settings: { ...this.settings(subject), ...settings } };
    }
    const { start } = this.page;
    if (!X && "data" in start && start.data.name === data) {
      const subject = { ...this.subject(start.data), given: true };
      return { subject, settings: { ...this.settings(subject), ...settings } };
    }
    if (!Array.isArray(X)) throw new Error(`these are no data of this page: ${data}`);
    const subject = drawing && extent ? drawnSubject(X, drawing, extent, this.key()) : {
      ...planar(Float64Array.from(X.flat())), name: data, title: data, about: "", y: y ? Int32Array.from(y) : null,
      classes: [], extent: extentOf(X), K: y ? 1 + Math.max(...y) : 3, parameters: null, original: false,
      key: this.key(),
    };
    return { subject, settings: { ...this.settings(subject), ...settings } };
  }
}
