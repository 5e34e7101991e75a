// The question: three points, what the model expects of the answer, and what to do with it.

import { button, h, put, setDisabled } from "./dom.js";
import { LETTERS, SAID, bits, called, percentages, plural } from "./say.js";

const DOUBLE_CLICK = 400; // ms in which a second click on a suggested question counts as a slip
const COMING = "One moment: the next question is coming.";
const EARLY = "Your last key came before this question: it was not counted.";
const LOST = "No connection: this key was not counted. The next question comes when the connection is back.";
/** @type {Record<number, string>} */
const COUNT = { 2: "two", 3: "three" };
/** @type {Record<number, string>} */
const WORTH = {
  2: "What the answer says about the clusters of A and B: its mutual information under the current model. Two " +
    "equally likely answers would be worth 1 bit.",
  3: "What the answer says about the clusters of A, B and C: its mutual information under the current model. Three " +
    "equally likely answers would be worth log2 3 = 1.58 bit.",
};

/**
 * @param {import("./shapes.d.ts").Ground} ground
 * @param {object} parts
 * @param {ReturnType<typeof import("./items.js").makeItems>} parts.items
 * @param {ReturnType<typeof import("./person.js").makePerson>} parts.person
 * @param {ReturnType<typeof import("./zoom.js").makeZoom>} parts.zoom
 * @param {HTMLElement} parts.keysSign says who has the keys
 * @returns its card, and what keys and clicks do
 */
export function makeQuestion(ground, { items, person, zoom, keysSign }) {
  const { model, state, planes, root, request, stages, drawAbove, hoverOver } = ground;
  /** @type {import("./types.d.ts").QuestionSent | null} */
  let expected = null; // what the model expects of the current triplet, once Python has said so
  let pending = false;
  let remark = ""; // why the last key did nothing

  const pills = LETTERS.map((letter) => h("b", { class: "dcrc-pill" }, letter));
  const heading = h("h3", {});
  const size = () => model.get("options").points; // three points, or two
  /** @type {Record<number, (string | number)[]>} */
  const asking = {
    2: ["Do ", 0, " and ", 1, " belong together?"], 3: ["Is ", 0, " more similar to ", 1, " than to ", 2, "?"],
  };
  /** @param {string} label @param {string} key @param {number} value @param {string} cls */
  const answerButton = (label, key, value, cls) => {
    const onclick = (/** @type {MouseEvent} */ event) => answer(value, event.detail > 1);
    const title = `Answer ${SAID[value]} (${key})`;
    const made = button({ class: `dcrc-button dcrc-answer ${cls}`, "data-key": key, title, onclick }, label, key);
    const would = h("small", {}); // what the answer claims
    made.append(would);
    return Object.assign(made, { would });
  };
  const answerButtons = [
    answerButton("Yes", "Y", 1, "yes"),
    answerButton("No", "N", -1, "no"),
    answerButton("Don't know", "D", 0, "dnk"),
  ];
  const undo = () => walk("undo");
  const redo = () => walk("redo");
  const suggest = () => request({ do: "suggest" });
  const skipTitle = "Leave this question; nothing is recorded (S)";
  const skipButton = button({ title: skipTitle, onclick: () => skip() }, "Skip", "S");
  const undoButton = button({ onclick: undo }, "Undo", "Z");
  const redoButton = button({ onclick: redo }, "Redo", "⇧Z");
  const suggestTitle = "Let the program choose the points (Enter); the Ask tab says how";
  const suggestButton = button({ title: suggestTitle, onclick: suggest }, "Suggest", "Enter");
  const [suggestWords, suggestKey] = suggestButton.children;
  suggestWords.append(h("span", { class: "long" }, " a question"));
  put(suggestKey, h("span", { class: "spelt" }, "Enter"), h("span", { class: "sign" }, "↵"));
  const parts = ["yes", "no", "dnk"].map((cls) => h("i", { class: cls }));
  const bar = h("div", { class: "dcrc-bar", role: "img" }, parts);
  const words = h("span", { class: "dcrc-told", "aria-live": "polite" });
  const worth = h("b", { class: "dcrc-worth" });
  const reason = h("div", { class: "dcrc-reason" });
  const auto = h("input", { type: "checkbox", onchange: () => request({ do: "auto", on: auto.checked }) });
  const autoTitle = "After each answer the next question comes by itself; the Ask tab says which";
  const switching = h("label", { class: "dcrc-auto", title: autoTitle }, auto,
    h("span", { class: "long" }, "ask the next by itself"), h("span", { class: "short" }, "auto"));
  const card = h("section", { class: "dcrc-card", "aria-label": "Question" },
    h("div", { class: "dcrc-heading" }, heading, keysSign), person.line, items.slots,
    h("div", { class: "dcrc-answers" }, answerButtons), bar,
    h("div", { class: "dcrc-expected" }, words, worth), reason,
    h("div", { class: "dcrc-more" },
      skipButton, undoButton, redoButton, h("span", { class: "dcrc-gap" }), switching, suggestButton));

  /** Draw the question once, however much has changed. */
  function show() {
    if (pending) return;
    pending = true;
    queueMicrotask(() => {
      pending = false;
      draw();
    });
  }

  function draw() {
    const n = state.picks.length;
    if (card.dataset.points !== String(size())) {
      card.dataset.points = String(size());
      put(heading, asking[size()].map((part) => (typeof part === "number" ? pills[part] : part)));
      worth.title = WORTH[size()];
    }
    const pointed = n ? null : model.get("playing")?.pointed; // an answer that a scene speaks of
    pills.forEach((pill, t) => pill.classList.toggle("chosen", t < n || Boolean(pointed)));
    answerButtons.forEach((each) => setDisabled(each, n < size()));
    setDisabled(skipButton, n === 0);
    card.classList.toggle("asking", n === size());
    auto.checked = model.get("options").auto;
    person.show();
    parts.forEach((part, t) => (part.style.width = expected ? `${100 * expected.probabilities[t]}%` : "0"));
    worth.textContent = expected ? `worth ${expected.worth.toFixed(2)} bit` : "";
    const { asserts } = model.get("scene");
    answerButtons.forEach((each, t) => (each.would.textContent = asserts[t]));
    const suggested = isSuggested();
    const more = `Press Enter for the next question, or click ${COUNT[size()]} points.`;
    const next = n === 0 && !pointed && model.get("scene").last ? more : "";
    reason.textContent = suggested ? state.suggestion?.reason ?? "" : next;
    reason.title = suggested ? `Why the program chose this question: ${reason.textContent}` : "";
    put(words, remark || (pointed?.[1] ?? whatToDo(n, size(), expected, model.get("scene").last)));
    words.classList.toggle("said", Boolean(remark || pointed));
    words.classList.toggle("pointed", Boolean(!remark && pointed));
    bar.setAttribute("aria-label", words.textContent);
    showUndo();
    items.showQuestion(expected?.differences);
    describe(n);
  }

  function showUndo() {
    const { undo: undoable, redo: redoable } = model.get("scene");
    setDisabled(undoButton, !undoable);
    setDisabled(redoButton, !redoable);
    undoButton.title = undoable ? `Undo: ${undoable} (Z)` : "Nothing to undo";
    redoButton.title = redoable ? `Redo: ${redoable} (Shift+Z)` : "Nothing to redo";
  }

  // What a screen reader says of the pictures.
  function describe(/** @type {number} */ n) {
    const names = state.picks.map((i, t) => `${LETTERS[t]} is ${called(model.get("data"), i)}`);
    const chosen = n ? `Chosen: ${names.join(", ")}. ` : "";
    stages.forEach((stage, p) => {
      const { name, n: points, scene } = planes[p];
      const what = `${name}${plural(points, "point")} in ${plural(scene?.clusters ?? 0, "cluster")}.`;
      stage.setAttribute("aria-label", `${what} ${chosen}Arrow keys move between points, Space takes one.`);
    });
  }

  /** Say why a key did nothing, until something happens. @param {string} text */
  function say(text) {
    remark = text;
    show();
  }

  function walk(/** @type {"undo" | "redo"} */ way) {
    const nothing = !model.get("scene")[way] && root.dataset.state === "idle";
    if (nothing) say(`Nothing to ${way}.`);
    else request({ do: way });
  }

  function lacking() {
    if (state.picks.length) return `Choose ${size() === 3 ? "all three first: A, B and C" : "both first: A and B"}.`;
    if (root.dataset.state === "gone") return LOST;
    if (model.get("options").auto && root.dataset.state !== "idle") return COMING;
    return `No question yet: press Enter, or click ${COUNT[size()]} points.`;
  }

  function setPicks(/** @type {number[]} */ picks) {
    state.picks = picks;
    remark = "";
    expected = null;
    drawAbove();
    show();
  }

  const isSuggested = () => state.picks.length === size() && String(state.picks) === String(state.suggestion?.triplet);

  function pick(/** @type {number} */ i) {
    if (i < 0) return;
    const { picks } = state;
    if (isSuggested()) setPicks([i]); // a question of one's own begins
    else if (picks.includes(i)) setPicks(picks.filter((other) => other !== i));
    else setPicks(picks.length < size() ? [...picks, i] : [i]);
    preview();
  }

  /** Ask what the model expects; another model expects other answers, and the browser asks again by itself. */
  function preview(passive = false) {
    if (state.picks.length < size()) return;
    request({ do: "preview", triplet: state.picks, ...(passive && { passive }) });
  }

  function answer(/** @type {number} */ value, second = false) {
    if (state.picks.length < size()) return say(lacking());
    if (second && performance.now() - state.suggestedAt < DOUBLE_CLICK) return;
    const triplet = state.picks;
    setPicks([]);
    hoverOver(-1); // the pointer rests where it was: the next A is not chosen yet
    request({ do: "answer", triplet, answer: value, by: person.name() });
  }

  function skip() {
    if (!state.picks.length) return say(lacking());
    const triplet = state.picks;
    setPicks([]);
    if (triplet.length === size()) request({ do: "skip", triplet });
    else if (model.get("options").auto) suggest();
  }

  /** Take what Python says about a question. */
  function take() {
    const sent = model.get("question");
    const question = sent.triplet ? /** @type {import("./types.d.ts").QuestionSent} */ (sent) : null;
    remark = [COMING, LOST].includes(remark) && question?.suggested ? EARLY : "";
    if (state.picks.length > size()) state.picks = [];
    // Also after a change from two points to three: nobody began a question with a pair that was suggested.
    const untouched = String(state.picks) === String(state.suggestion?.triplet);
    if (question?.suggested && (!question.automatic || !state.picks.length || untouched)) {
      state.picks = question.triplet;
      state.suggestedAt = performance.now();
      expected = state.suggestion = question;
      zoom.reveal(question.triplet);
    } else if (!question) {
      if (isSuggested()) state.picks = []; // it is not asked any more
      expected = null;
    } else if (String(question.triplet) === String(state.picks)) expected = question;
    drawAbove();
    show();
  }

  const back = () => (state.picks.length ? setPicks(state.picks.slice(0, -1)) : say("No chosen point to take back."));
  /** The connection is gone: what was promised does not come in a moment. */
  const lose = () => remark === COMING && say(LOST);
  const forget = () => {
    expected = null;
    remark = "";
  };
  return { card, show, take, pick, preview, answer, skip, back, undo, redo, suggest, say, lose, forget };
}

/**
 * @param {number} n points are chosen @param {number} size
 * @param {import("./types.d.ts").QuestionSent | null} expected @param {import("./types.d.ts").Last | null} last
 */
function whatToDo(n, size, expected, last) {
  if (expected) {
    const [yes, no, dnk] = percentages(expected.probabilities);
    const rest = size === 3 ? ` · don't know ${dnk} %` : " %";
    return [h("span", { class: "word" }, "Expected: "), `yes ${yes} · no ${no}${rest}`];
  }
  if (n === size) return " ";
  if (n === 1) return size === 3 ? "A is chosen: now B, then C" : "A is chosen: now B";
  if (n) return "Now click C";
  if (!last) {
    return [`Click ${COUNT[size]} points, or press Enter`, h("span", { class: "extra" }, " for a suggestion")];
  }
  const { answer, surprise } = last;
  const surprised = surprise == null ? "" : `: ${bits(surprise)} of surprise`;
  return `Last answer ${SAID[answer]}${surprised}`;
}
