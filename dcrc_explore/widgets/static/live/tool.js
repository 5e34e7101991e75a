// The tool without Python: performs what the browser's half asks for, and says what it draws then. widgets/ of Python
// does the same; data, words and controls come from there with the page.

import { Random } from "../engine/random.js";
import { expectedAnswer, randomWorth } from "../engine/information.js";
import { batchSize } from "../engine/guided.js";
import { answerOf } from "../engine/people.js";
import { choose } from "../engine/questions.js";
import { randomPairs } from "../engine/drawing.js";
import { labelsOf, logProba } from "../engine/softmax.js";
import { cardsOf, sheetOf } from "./items.js";
import { mapOf, movedRows, panels, picture, question, RESOLUTION, story } from "./pack.js";
import { closeUp, packPair } from "./pair.js";
import { Scenes } from "./scenes.js";
import { Session, pairsOf, rowOf, tripletsOf } from "./session.js";
import { asAddress, asCsv, asSession, download, kept } from "./keeping.js";

/**
 * @typedef {import("./subjects.js").LivePage} LivePage
 * @typedef {import("../types.d.ts").Message} Message
 * @typedef {import("../shapes.d.ts").Value} Value
 * @typedef {Record<string, unknown>} Traits
 */

export class LiveTool {
  version = 0;
  questions = 0;
  /** @type {number | null} */
  iteration = null;
  /** @type {number[] | null} */
  window = null;
  sent = 0; // answers that the browser has
  /** @type {import("../types.d.ts").QuestionSent | null} */
  asked = null;
  /** @type {number[][]} */
  skipped = [];
  strategy = "guided";
  before = "guided";
  oracle = "";
  error = 0.1;
  told = "";
  drawing = ""; // whether points are drawn by hand: "", "on" or "cleared", which has points behind it
  said = ""; // what is to be noticed
  saved = "";
  soft = 0.05; // the last epsilon that was more than 0
  softBeside = 0.05; // that of the second model
  /** @type {import("./session.js").Fit | null} */
  shown = null; // whose changes were shown

  /** @param {LivePage} page @param {Session} session @param {import("./subjects.js").Subjects} subjects */
  constructor(page, session, subjects) {
    this.page = page;
    this.session = session;
    this.subjects = subjects;
    this.options = { ...page.options };
    this.scenes = new Scenes(page, this);
    this.random = new Random(1);
    /** @type {(sent: import("../shapes.d.ts").Extra, buffers?: DataView[]) => void} */
    this.tell = () => {};
    /** @type {() => void} called after each step */
    this.keep = () => {};
  }

  /** @returns {import("./session.js").Moment} */
  get now() {
    return this.session.now;
  }

  /** The fit that is shown, perhaps at an EM iteration. */
  get fit() {
    const { fit, state } = this.now;
    if (this.iteration === null) return fit;
    const W = Float64Array.from(fit.steps.slice(this.iteration * fit.W.length, (this.iteration + 1) * fit.W.length));
    const { kernel } = state.settings;
    if (kernel !== "linear") return { ...fit, W };
    const { X, d } = state.subject;
    const rows = Float64Array.from({ length: (X.length / d) * (d + 1) }, (_, at) =>
      at % (d + 1) === d ? 1 : X[Math.floor(at / (d + 1)) * d + (at % (d + 1))]);
    const { P } = logProba(W, rows, fit.K, d + 1);
    const labels = labelsOf(P, fit.K);
    return { ...fit, W, P, labels, byQ: labels };
  }

  /**
   * The maps of one model or of two.
   * @param {number[]} [window] in shares of the picture @returns {Promise<import("./work.js").Surface[]>}
   */
  async #maps([left, right, bottom, top] = [0, 1, 0, 1]) {
    const { state: { subject, settings, beside }, second } = this.now;
    const [a, b, c, d] = subject.extent;
    const extent = [a + left * (b - a), a + right * (b - a), c + bottom * (d - c), c + top * (d - c)];
    const maps = [];
    if (subject.d > 2) return [];
    for (const [fit, own] of /** @type {const} */ ([[this.fit, settings], [second, beside]])) {
      if (!fit || !own) continue;
      const { K, W } = fit;
      const cluster = Math.min(this.options.cluster, K - 1);
      const done = await this.session.ask({ map: {
        data: Session.data(subject), settings: { ...own, n_clusters: K }, W, extent, cluster, size: RESOLUTION,
      } });
      if (!done.map) throw new Error("there is no map");
      maps.push(done.map);
    }
    return maps;
  }

  // ---- what travels to the drawing half

  /** Everything about the state of now. @returns {Promise<Traits>} */
  async traits() {
    const { session, options, now } = this;
    const { state, fit } = now;
    const { settings, log } = state;
    const last = log[log.length - 1];
    const { surprise } = last ?? {};
    const { before } = session;
    const isNew = this.shown !== fit && before?.state.subject === state.subject;
    this.shown = fit;
    this.soft = settings.epsilon || this.soft;
    this.softBeside = state.beside?.epsilon || this.softBeside;
    this.version++;
    const shown = this.fit;
    const iteration = this.iteration;
    const people = [...new Set(log.map(({ by }) => by))];
    const maps = await this.#maps();
    const close = this.window && await this.#maps(this.window);
    return {
      models: now.second ? 2 : 1,
      scene: {
        ...(now.second ? packPair(now, maps, options, this.page.controls.model)
          : picture(state, shown, maps[0], options)),
        version: this.version,
        asserts: this.page.asserts[`${options.points} ${Math.min(fit.K, 3)}`],
        last: last ? { answer: last.answer, surprise: surprise === Infinity ? "infinite"
          : Number.isNaN(surprise) ? null : surprise } : null,
        person: session.person, people, undo: session.undoLabel, redo: session.redoLabel, saved: this.saved || null,
        unsaved: null, in_memory: !this.saved, milliseconds: { fit: fit.milliseconds }, changed: "",
        story: story(session), moved: isNew && before ? movedRows(before.fit, fit) : new Int32Array(0),
        iteration, satisfied: iteration === null ? null : fit.bounds[iteration].satisfied, epsilon: settings.epsilon,
      },
      options: { ...options }, given: this.#given(people), playing: this.scenes.card(), notice: {},
      sharp: close?.length ? {
        window: this.window, maps: close.map((map) => mapOf(map, options)),
        apart: now.second ? closeUp(now, maps, close) : null,
      } : {},
      ...this.#controls(), n_clusters: settings.n_clusters, draw: this.drawing,
    };
  }

  /** All answers: there are few. @param {string[]} people */
  #given(people) {
    const three = this.now.state.log.filter(({ points }) => points.length === 3);
    return {
      start: 0, rows: Int32Array.from(three.flatMap(rowOf)),
      who: Uint16Array.from(three, ({ by }) => people.indexOf(by)),
    };
  }

  /** Controls as Python listed them, with what is the case now. */
  #controls() {
    const { state: { settings, subject, beside } } = this.now;
    const nobody = !this.oracle;
    const off = {
      gamma: settings.kernel === "linear", "second.gamma": beside?.kernel === "linear",
      error: this.oracle !== "noisy", "ask.1": nobody, "ask.10": nobody,
      "ask.100": nobody, reset: !this.#changed(), "draw.on": subject.d > 2,
    };
    const { parameters, name, title } = subject;
    const own = parameters ? [] : [{ value: "", label: title, help: "" }];
    const ofData = this.page.data[parameters ? name : ""]
      .filter((each) => each.name !== "draw.truth" || subject.drawing);
    const groups = beside ? this.page.pair : { ...this.page.controls, data: ofData };
    const words = { truth: this.options.truth ? "◉ shown" : "○ hidden" };
    const controls = Object.fromEntries(Object.entries(groups).map(([group, list]) => [group, list
      .filter((each) => each.name !== "renew" || parameters)
      .map((each) => ({
        ...each,
        ...(each.name === "map" && subject.d > 2
          && { options: each.options?.filter(({ value }) => value !== "regions") }), // there is no map
        ...(each.name === "data" && { options: [...own, ...(each.options ?? [])] }),
        ...(each.name in off && { off: off[/** @type {"error"} */ (each.name)] }),
        ...(each.name in words && { words: words[/** @type {"truth"} */ (each.name)] }),
      }))]));
    /** @type {Record<string, Value | undefined>} */
    const values = {
      ...settings,
      ...Object.fromEntries(Object.entries(beside ?? {}).map(([each, value]) => [`second.${each}`, value])),
      "second.soft": beside?.epsilon !== 0,
      data: parameters ? name : "", hardness: settings.epsilon !== 0, soft: settings.epsilon !== 0,
      scene: this.scenes.name, map: this.options.map, links: this.options.links, truth: this.options.truth,
      strategy: this.strategy, oracle: this.oracle, error: this.error, asked: 0, told: this.told || this.#whoAnswers(),
      about: subject.about, "draw.truth": subject.drawing?.isTruth,
      saved: this.saved ? this.page.words.kept : this.page.words.lost,
      ...Object.fromEntries(Object.entries(parameters ?? {}).map(([each, value]) => [`data.${each}`, value])),
    };
    return { controls, values };
  }

  #whoAnswers() {
    const { yourself, unknown } = this.page.words;
    return !this.now.state.subject.y ? unknown : this.oracle ? "" : yourself;
  }

  #changed() {
    const { settings, subject } = this.now.state;
    return Object.entries(this.subjects.settings(subject)).some(([name, value]) =>
      settings[/** @type {"tau"} */ (name)] !== value);
  }

  // ---- questions

  /** @param {number[]} points */
  #ask(points, reason = "", suggested = false, automatic = false) {
    const { fit: { P, K }, state: { settings: { epsilon, use_dnk: useDnk }, log } } = this.now;
    const expected = expectedAnswer(P, K, points, epsilon, { past: log.map(rowOf), useDnk });
    this.asked = question(points, expected, { reason, suggested, automatic, version: ++this.questions });
  }

  /** Questions that nobody was asked. @param {number} size @param {string} strategy */
  #choose(size, strategy) {
    const { fit: { P, K }, state: { settings: { epsilon }, log, subject: { X, d } } } = this.now;
    return choose(strategy, {
      P, K, X, d, triplets: tripletsOf(log), pairs: pairsOf(log).filter((row) => row[2]), epsilon,
      surprises: log.map(({ surprise }) => surprise), skipped: this.skipped,
    }, size, this.random);
  }

  /** Ask what comes next. @param {boolean} automatic whether it comes by itself */
  #next(automatic) {
    this.asked = null;
    const strategy = this.strategy || this.before;
    if (this.options.points === 2) {
      const asked = [...pairsOf(this.now.state.log).map((row) => row.slice(0, 2)), ...this.skipped];
      const [pair] = randomPairs(this.now.state.subject.xy.length / 2, 1, asked, this.random);
      if (pair) this.#ask(pair, this.page.words.random, true, automatic);
      return;
    }
    const [chosen] = this.#choose(1, strategy);
    if (chosen) this.#ask(chosen.points, chosen.reason, true, automatic);
  }

  /** The next question, if it comes by itself and there is none; none while points are drawn. */
  #goOn() {
    if (this.drawing) this.asked = null;
    else if (this.scenes.asks && this.options.auto && !this.asked) this.#next(true);
    return { question: this.asked ?? {} };
  }

  /** Let somebody simulated answer. @param {number} n */
  async #answerBy(n) {
    const { y } = this.now.state.subject;
    if (!y) throw new Error(this.page.words.unknown);
    const errs = { truth: 0, noisy: this.error, people: "people" }[this.oracle] ?? 0;
    const strategy = this.strategy || this.before;
    /** @type {{points: number[], answer: number, by: string}[]} */
    const all = [];
    const { moments } = this.session;
    const [kept_, M] = [moments.length, this.now.state.log.length];
    while (all.length < n) {
      const size = strategy === "guided" ? Math.min(batchSize(M + all.length), n - all.length) : n - all.length;
      const chosen = this.#choose(size, strategy);
      if (!chosen.length) break;
      const given = chosen.map(({ points }) =>
        ({ points, answer: answerOf(y, points, errs, this.random), by: this.oracle }));
      all.push(...given);
      await this.session.answer(given);
      this.tell({ share: all.length / n });
    }
    // All of it is one step to undo.
    const last = this.session.moments.splice(kept_).pop();
    const label = `answers ${M + 1} to ${M + all.length}`;
    if (last) this.session.moments.push(n === 1 ? last : { ...last, label });
    this.asked = null;
    this.told = `${all.length} answer${all.length === 1 ? "" : "s"} added.`;
  }

  // ---- what a person does

  /** @param {Message} message @returns {Promise<Traits>} */
  perform = async (message) => {
    const before = this.now;
    try {
      const only = await this.#perform(message);
      if (only) return only;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      return { ...(await this.traits()), notice: { text, kind: "error", buttons: [] } };
    }
    if (before !== this.now) {
      this.iteration = null;
      this.keep();
    }
    const goingOn = this.#goOn();
    const notice = this.said ? { text: this.said, kind: "", buttons: [] } : {};
    this.said = "";
    return { ...(await this.traits()), ...goingOn, notice };
  };

  /**
   * Do it; returns traits where nothing else has changed.
   * @param {Message} message @returns {Promise<Traits | void>}
   */
  async #perform(message) {
    const { session, now: { state } } = this;
    switch (message.do) {
      case "items": {
        const { items, buffers } = cardsOf(state.subject, message.rows);
        this.tell({ items, key: message.key, detail: message.detail }, buffers);
        return {};
      }
      case "sheet": {
        const { sheet, buffers } = await sheetOf(state.subject, message.rows, message.key);
        this.tell({ sheet }, buffers);
        return {};
      }
      case "hello": return { ...(await this.traits()), ...this.#goOn() };
      case "answer": {
        const { triplet: points, answer, by } = message;
        this.asked = null;
        return void (await session.answer([{ points, answer, by: by ?? session.person }]));
      }
      case "preview": this.#ask(message.triplet); return { question: this.asked };
      case "suggest": this.#next(false); return { question: this.asked ?? {} };
      case "skip": this.skipped.push(message.triplet); this.asked = null; return;
      case "auto": return this.#chooseStrategy(message.on ? this.before : "");
      case "points": this.options.points = message.points; this.asked = null; return;
      case "person": session.person = message.name; return;
      case "drawing": this.drawing = state.subject.d > 2 && message.to ? "cleared" : message.to; return;
      case "draw": {
        this.said = await this.subjects.draw(this, /** @type {import("../brush.js").Stroke & Message} */ (message));
        Object.assign(this, { drawing: "on", asked: null, skipped: [] });
        return;
      }
      case "undo": {
        if (this.drawing === "cleared") return void (this.drawing = "on");
        const { state: { log } } = session.undo();
        const [M, back] = [this.now.state.log.length, log[log.length - 1]];
        this.asked = null;
        const isAsked = log.length === M + 1 && back.points.length === this.options.points;
        if (isAsked) this.#ask(back.points, this.page.words.again, true);
        return;
      }
      case "redo": session.redo(); this.asked = null; return;
      case "flip": {
        const log = state.log.map((entry, t) => t === message.index
          ? { ...entry, answer: message.answer, by: session.person } : entry);
        return session.go(`answer ${message.index + 1}`, { ...state, log });
      }
      case "delete": {
        const log = state.log.filter((_, t) => t !== message.index);
        return session.go(`deletion of answer ${message.index + 1}`, { ...state, log });
      }
      case "replay": {
        const final = this.now.fit.bounds.length - 1;
        this.iteration = message.iteration < final ? message.iteration : null;
        return;
      }
      case "panels": {
        const { settings: { epsilon, use_dnk: useDnk } } = state;
        const fit = this.fit;
        const random = randomWorth(fit.P, fit.K, epsilon, useDnk);
        return { panels: panels(session, fit, this.iteration, this.version, random) };
      }
      case "cluster": Object.assign(this.options, { map: "probability", cluster: message.cluster }); return;
      case "epsilon": return session.set({ epsilon: message.value }, true);
      case "window": this.window = message.window.join() === "0,1,0,1" ? null : message.window; return;
      case "scene": return this.scenes.go(message.to);
      case "set": return this.#set(message.name, /** @type {Value} */ (message.value));
      case "press": return this.#press(message.name);
      case "dismiss": return { notice: {} };
      default: return {};
    }
  }

  /** @param {string} strategy */
  #chooseStrategy(strategy) {
    this.strategy = strategy;
    this.before = strategy || this.before;
    this.options.auto = Boolean(strategy);
    this.asked = null;
  }

  /** @param {string} name @param {Value} value @returns {Promise<void>} */
  async #set(name, value) {
    const { session } = this;
    const numbers = ["epsilon", "tau", "lam", "gamma"];
    const [head, parameter] = name.split(".");
    if (head === "data" && parameter) return this.subjects.regenerate(this, { [parameter]: Number(value) });
    if (name === "draw.truth") return this.subjects.believe(this, Boolean(value));
    if (name === "data") return this.subjects.open(this, String(value));
    if (name === "scene") return this.scenes.open(String(value));
    if (["map", "links", "truth"].includes(name)) return void Object.assign(this.options, { [name]: value });
    if (name === "strategy") return this.#chooseStrategy(String(value));
    if (name === "oracle") return void Object.assign(this, { oracle: value, told: "" });
    if (name === "error") return void (this.error = Number(value));
    const { beside } = this.now.state;
    if (head === "second" && beside) {
      const changes = parameter === "soft" ? { epsilon: value ? this.softBeside : 0 } : { [parameter]: value };
      const state = { ...this.now.state, beside: { ...beside, ...changes } };
      return session.go(name, state, numbers.includes(parameter));
    }
    if (name === "soft" || name === "hardness") return session.set({ epsilon: value ? this.soft : 0 });
    if (name in this.now.state.settings) return session.set({ [name]: value }, numbers.includes(name));
    throw new Error(`there is no control '${name}' now`);
  }

  /** @param {string} name @returns {Promise<Traits | void>} */
  async #press(name) {
    const { session, page, now: { state } } = this;
    const file = state.subject.name.replaceAll(/\W+/g, "-");
    if (name === "compare") {
      const { settings } = state;
      const beside = { ...settings, epsilon: settings.epsilon ? 0 : this.soft };
      this.drawing = "";
      return session.go("Compare", { ...state, beside });
    }
    if (name === "back") return session.go("one model", { ...state, beside: null });
    if (name === "draw.on" || name === "draw.empty") {
      this.drawing = name === "draw.on" ? "on" : "cleared";
      return;
    }
    if (name === "renew") return this.subjects.regenerate(this, { seed: (state.subject.parameters?.seed ?? 0) + 1 });
    if (name === "reset") return session.set(this.subjects.settings(state.subject));
    if (name.startsWith("ask.")) return this.#answerBy(Number(name.slice(4)));
    if (name === "csv") download(`${file}-answers.csv`, asCsv(state), "text/csv");
    if (name === "file") download(`${file}.json`, asSession(state, page.format, page.settings), "application/json");
    if (name === "csv" || name === "file") return {};
    if (name === "link") {
      const address = `${location.href.split("#")[0]}#${asAddress(kept(state))}`;
      this.tell({ show: { title: page.words.link, text: address } });
      return {};
    }
    if (name === "frame") {
      const address = location.href.split("#")[0];
      const look = 'title="DCRC Explorer" width="100%" height="900" style="border:0"';
      this.tell({ show: { title: page.words.frame, text: `<iframe src="${address}" ${look}></iframe>` } });
      return {};
    }
    if (name === "forget") return this.subjects.open(this, state.subject.name);
    throw new Error(`there is no control '${name}' now`);
  }
}
