// A session: data, settings and answers, the fits to them, and the way back. session/ of Python is the reference.

import { expectedAnswer, randomWorth, surpriseOf } from "../engine/information.js";
import { quality } from "../engine/quality.js";
import { entropy, labelsOf } from "../engine/softmax.js";

/**
 * @typedef {object} Subject
 * @property {string} name @property {string} title @property {string} about @property {string} key
 * @property {Float64Array} X (N, d) @property {number} d @property {Float64Array} xy (N, 2), where they are seen
 * @property {string[]} features @property {string[] | null} names @property {string} note
 * @property {import("./items.js").ItemsSent | null} items @property {Int32Array | null} y @property {string[]} classes
 * @property {number[]} extent @property {number} K clusters to begin with
 * @property {Record<string, number> | null} parameters of the generator @property {boolean} original as Python made it
 * @property {import("./drawn.js").Drawing | null} [drawing] how they were drawn by hand
 * @property {boolean} [given] whether the page began with them
 *
 * @typedef {object} Entry an answer
 * @property {number[]} points @property {number} answer @property {string} by @property {boolean} planted
 * @property {string} time @property {number[]} expected what the model before it expected: yes, no, dnk, worth, random
 * @property {number} surprise in bits
 *
 * @typedef {import("../engine/fit.js").Settings} Settings
 * @typedef {{subject: Subject, settings: Settings, log: Entry[], names: string[], beside?: Settings | null}} State
 *   `beside` are the settings of a second model, which has the first one's K
 * @typedef {import("../engine/fit.js").Fitted & {labels: Int32Array, byQ: Int32Array, milliseconds: number,
 *   quality: ReturnType<typeof quality> | null, left: number[]}} Fit
 * @typedef {{label: string, state: State, fit: Fit, second: Fit | null}} Moment `label` is the step that led here
 */

/** @param {Entry[]} log @returns {number[][]} rows of points and answer */
export const tripletsOf = (log) => log.filter(({ points }) => points.length === 3).map(rowOf);
/** @param {Entry[]} log */
export const pairsOf = (log) => log.filter(({ points }) => points.length === 2).map(rowOf);
/** @param {Entry} entry */
export const rowOf = ({ points, answer }) => [...points, answer];

export class Session {
  /** @type {Moment[]} */
  #undone = [];

  /** @param {(asked: import("./work.js").Asked) => Promise<import("./work.js").Done>} ask */
  constructor(ask) {
    this.ask = ask;
    /** @type {Moment[]} */
    this.moments = [];
    this.person = "user";
  }

  /** @returns {Moment} */
  get now() {
    return this.moments[this.moments.length - 1];
  }

  /** @returns {Moment | undefined} */
  get before() {
    return this.moments[this.moments.length - 2];
  }

  get undoLabel() {
    return this.moments.length > 1 ? this.now.label : null;
  }

  get redoLabel() {
    return this.#undone[this.#undone.length - 1]?.label ?? null;
  }

  /** Data as a fit takes them. @param {Subject} subject */
  static data = ({ X, d, extent, key }) => ({ rows: X, d, extent, key });

  /**
   * Go on to another state, and fit it. A step that only `merges` takes the place of the last one of its name. Where no
   * picture was shown before, clusters get the numbers of those memberships in which they are `numbered`.
   * @param {string} label @param {State} state
   */
  async go(label, state, merge = false, numbered = /** @type {{P: Float64Array, K: number} | null} */ (null)) {
    const last = this.now;
    const same = last?.state.subject === state.subject;
    const { settings, beside } = state;
    const fit = await this.#fitted(state, settings, same ? last : null, same ? last.fit : numbered);
    const second = beside ? await this.#fitted(state, { ...beside, n_clusters: settings.n_clusters },
      same && last.state.beside && last.second
        ? { state: { ...last.state, settings: last.state.beside }, fit: last.second } : null, fit) : null;
    if (second) fit.milliseconds += second.milliseconds;
    if (merge && last.label === label && this.moments.length > 1) this.moments.pop();
    this.moments.push({ label, state, fit, second });
    this.#undone = [];
  }

  /**
   * Fit settings, from the last model of the same kind.
   * @param {State} state @param {Settings} settings @param {{state: State, fit: Fit} | null} last
   * @param {{P: Float64Array, K: number} | null} reference whose cluster numbers are taken
   */
  async #fitted(state, settings, last, reference) {
    const { subject, log } = state;
    const { kernel, gamma } = last?.state.settings ?? {};
    const start = last && kernel === settings.kernel && gamma === settings.gamma && last.fit.K === settings.n_clusters
      ? last.fit.W : null;
    const began = performance.now();
    const { fitted } = await this.ask({ fit: {
      data: Session.data(subject), triplets: tripletsOf(log), pairs: pairsOf(log), settings, start,
      reference: reference && { P: reference.P, K: reference.K },
    } });
    if (!fitted) throw new Error("the model cannot be fitted");
    return this.#seen(state, fitted, performance.now() - began);
  }

  /**
   * @param {State} state
   * @param {import("../engine/fit.js").Fitted} fitted @param {number} milliseconds @returns {Fit}
   */
  #seen({ subject, log }, fitted, milliseconds) {
    const { P, K, posterior } = fitted;
    const labels = labelsOf(P, K);
    const bits = entropy(P, K);
    const asked = new Set(log.flatMap(({ points }) => points));
    const sum = (/** @type {(n: number) => boolean} */ is) =>
      bits.reduce((all, each, n) => all + (is(n) ? each : 0), 0);
    return {
      ...fitted, labels, byQ: labelsOf(posterior, K), milliseconds,
      quality: subject.y && quality(subject.y, labels),
      left: [log.length, sum((n) => asked.has(n)), sum((n) => !asked.has(n))],
    };
  }

  /**
   * Answers as entries, judged by the model of now.
   * @param {{points: number[], answer: number, by: string, planted?: boolean}[]} given
   */
  entries(given) {
    const { fit: { P, K }, state: { settings: { epsilon, use_dnk: useDnk }, log } } = this.now;
    const random = randomWorth(P, K, epsilon, useDnk);
    const past = log.map(rowOf);
    const time = new Date().toISOString();
    return given.map(({ points, answer, by, planted = false }) => {
      const expected = expectedAnswer(P, K, points, epsilon, { past, useDnk });
      const surprise = points.length === 2 && !answer ? NaN : surpriseOf(expected, answer);
      return { points, answer, by, planted, time, surprise, expected: [...expected, random] };
    });
  }

  /** @param {{points: number[], answer: number, by: string, planted?: boolean}[]} given */
  answer(given) {
    const { state } = this.now;
    const [M, n] = [state.log.length, given.length];
    const label = n === 1 ? `answer ${M + 1}` : `answers ${M + 1} to ${M + n}`;
    return this.go(label, { ...state, log: [...state.log, ...this.entries(given)] });
  }

  /** @param {Partial<Settings>} changes */
  set(changes, merge = false) {
    const { state } = this.now;
    const settings = { ...state.settings, ...changes };
    return this.go(Object.keys(changes)[0], { ...state, settings }, merge);
  }

  undo() {
    if (this.moments.length < 2) throw new Error("there is nothing to undo");
    const last = /** @type {Moment} */ (this.moments.pop());
    this.#undone.push(last);
    return last;
  }

  redo() {
    const next = this.#undone.pop();
    if (!next) throw new Error("there is nothing to redo");
    this.moments.push(next);
  }

  /** Moments with the data of now, the last one for each number of answers, in the order of these numbers. */
  get path() {
    const { subject } = this.now.state;
    const own = this.moments.filter(({ state }) => state.subject === subject);
    const M = this.now.state.log.length;
    const byCount = new Map(own.map((moment) => [moment.state.log.length, moment]));
    return [...byCount.entries()].filter(([n]) => n <= M).sort(([a], [b]) => a - b).map(([, moment]) => moment);
  }
}
