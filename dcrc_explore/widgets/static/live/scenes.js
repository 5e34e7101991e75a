// Scenes: Python has played them, and what each step changes is in the page. Here these changes are done again.

import { randomTriplets } from "../engine/drawing.js";
import { answerOf } from "../engine/people.js";
import { implied } from "../frames.js";
import { SAID } from "../say.js";
import { verdict } from "./pair.js";

/**
 * What Next changes: settings, answers that become others, and answers that are added; `view` is how it is shown then.
 * @typedef {{settings: Record<string, unknown>, revised: [number, number][],
 *   answers: [number[], number, string, boolean][], beside: Record<string, unknown> | null, view: View}} Change
 *   `beside` are the settings in which a second model differs
 * @typedef {{map: string, truth: boolean, draw: boolean, ask: boolean, tab: string}} View
 * @typedef {{title: string, promise: string, data: import("./subjects.js").DataSent, opening: Change,
 *   steps: {text: string, acts: boolean, change: Change}[]}} SceneSent
 */

export class Scenes {
  name = "";
  at = 0;
  /** @type {{moment: import("./session.js").Moment, agreement: number | null, view: View}[]} */
  #marks = [];
  /** @type {import("./session.js").Subject | null} */
  #subject = null;
  /** @type {View | null} */
  #view = null;

  /** @param {import("./subjects.js").LivePage} page @param {import("./tool.js").LiveTool} tool */
  constructor(page, tool) {
    this.page = page;
    this.tool = tool;
  }

  get #scene() {
    return this.page.scenes[this.name];
  }

  get #isOver() {
    const { steps } = this.#scene;
    return this.at >= steps.length - (steps.length && !steps[steps.length - 1].acts ? 1 : 0);
  }

  /** @param {string} name */
  async open(name) {
    this.name = "";
    if (!name) return;
    const { tool } = this;
    const { title, data, opening } = this.page.scenes[name];
    const subject = tool.subjects.subject(data);
    const settings = { ...tool.subjects.settings(subject), ...opening.settings, restart: true };
    const beside = opening.beside && { ...settings, ...opening.beside };
    await tool.session.go(`scene ${title}`, { subject, settings, names: [], log: [], beside });
    await this.#change(opening, "", true);
    Object.assign(this, { name, at: 0 });
    this.#marks = [];
    this.#subject = subject;
    tool.asked = null;
    this.#look(opening.view);
  }

  /** Whether questions come by themselves now. */
  get asks() {
    return !this.name || !this.#view || this.#view.ask || !this.#scene.steps.length;
  }

  /** @param {View} view */
  #look(view) {
    const { map, truth, draw } = view;
    this.#view = view;
    Object.assign(this.tool.options, { map, truth });
    this.tool.drawing = draw ? "on" : "";
  }

  /** @param {Change} change @param {string} label @param {boolean} opens whether it belongs to the step before */
  async #change({ settings, revised, answers, beside }, label, opens = false) {
    const { session } = this.tool;
    const { state, label: before } = session.now;
    if (!revised.length && !answers.length && opens) return;
    const log = state.log.map((entry, t) => {
      const [, answer] = revised.find(([index]) => index === t) ?? [];
      return answer === undefined ? entry : { ...entry, answer, planted: true };
    });
    const given = this.#isDrawn ? this.#truth(answers.length) : answers.map(([points, answer, by, planted]) =>
      ({ points, answer, by, planted }));
    const added = session.entries(given);
    const own = { ...state.settings, ...settings };
    const now = { ...state, settings: own, log: [...log, ...added], beside: beside && { ...own, ...beside } };
    if (opens) session.moments.pop();
    await session.go(opens ? before : label, now);
  }

  /** Whether a person has drawn points of their own in the scene: recorded answers are not about them. */
  get #isDrawn() {
    return this.tool.now.state.subject.original === false;
  }

  /** What the truth says about random points. @param {number} n */
  #truth(n) {
    const { now: { state: { subject: { xy, y } } }, random } = this.tool;
    const classes = y;
    if (!classes) return [];
    return randomTriplets(xy.length / 2, n, [], random).map((points) =>
      ({ points, answer: answerOf(classes, points, 0, random), by: "truth", planted: false }));
  }

  /** @param {"next" | "back" | "leave"} to */
  async go(to) {
    if (!this.name) return;
    const { tool } = this;
    if (to === "leave") {
      this.name = "";
    } else if (to === "next" && !this.#isOver) {
      const step = this.#scene.steps[this.at];
      const { fit } = tool.now;
      const { drawing, options: { map, truth } } = tool;
      const view = /** @type {View} */ (this.#view);
      const agreement = step.acts ? fit.quality?.ARI ?? null : null;
      this.#marks.push({ moment: tool.now, agreement, view: { ...view, map, truth, draw: Boolean(drawing) } });
      if (step.acts) {
        await this.#change(step.change, `step ${this.at + 1} of the scene`);
        this.#look(step.change.view);
      }
      this.at++;
    } else if (to === "back") {
      const mark = this.#marks.pop();
      if (!mark) return;
      while (tool.now !== mark.moment && tool.session.moments.length > 1) tool.session.undo();
      this.#look(mark.view);
      this.at--;
    }
    tool.asked = null;
  }

  /** Which answer is the wrong one, counted among the triplets, and that in words; null unless it is only one. */
  #wrong() {
    const { log, subject: { y } } = this.tool.now.state;
    const three = log.filter(({ points }) => points.length === 3);
    const planted = three.filter((entry) => entry.planted);
    if (planted.length !== 1 || !y) return null;
    const [{ points: [i, j, k], answer }] = planted;
    const words = `This is the wrong answer: “${SAID[answer]}”. The truth is “${SAID[implied(y[i], y[j], y[k])]}”.`;
    return [three.indexOf(planted[0]), words];
  }

  /** The card, if a scene is played; one whose data are gone is over, and not only drawn otherwise. */
  card() {
    const { drawing, now: { state: { subject } } } = this.tool;
    if (this.name && subject !== this.#subject) {
      if (drawing && subject.drawing) this.#subject = subject;
      else this.name = "";
    }
    if (!this.name) return {};
    const { title, promise, steps } = this.#scene;
    const ARI = this.tool.now.fit.quality?.ARI;
    const before = this.#marks.findLast(({ agreement }) => agreement !== null)?.agreement;
    const change = before == null ? "" : `${before.toFixed(2)} → `;
    return {
      title, text: this.at < steps.length ? steps[this.at].text : promise,
      outcome: this.tool.now.second ? verdict(this.tool.now)
        : ARI === undefined ? "" : `Agreement with the truth: ${change}${ARI.toFixed(2)}.`,
      pointed: this.#wrong(), tab: this.#view?.tab ?? "",
      step: Math.min(this.at + 1, steps.length), steps: steps.length, first: this.at === 0, last: this.#isOver,
    };
  }
}
