import assert from "node:assert/strict";
import { test } from "node:test";

import { below, settled } from "./dom.js";
import { makeQuestion } from "../../dcrc_explore/widgets/static/question.js";

const SUGGESTED = {
  triplet: [4, 5, 6], probabilities: [0.5, 0.3, 0.2], worth: 1.2, reason: "They are far apart.", suggested: true,
  automatic: false,
};

function made({ question = {}, scene = {}, options = { auto: false, points: 3 }, names = null } = {}) {
  const traits = {
    question, options, data: { names }, scene: { asserts: ["", "", ""], last: null, undo: null, redo: null, ...scene },
  };
  const sent = [];
  const root = { dataset: { state: "idle" } };
  const state = { picks: [], hover: -1, suggestedAt: -Infinity };
  const drawn = [];
  const stage = document.createElement("div");
  const items = { slots: null, showQuestion: () => drawn.push(String(state.picks)) };
  const ground = {
    model: { get: (name) => traits[name] }, state, planes: [{ name: "", n: 9 }], stages: [stage], root, drawAbove() {},
    hoverOver() {}, request: (message) => sent.push(message),
  };
  const person = { line: null, show() {}, name: () => "Ann" };
  const made = makeQuestion(ground, { items, person, zoom: { reveal() {} }, keysSign: null });
  const node = (cls) => below(made.card).find((each) => each.classList.contains(cls));
  return { ...made, traits, sent, state, node, drawn, root, stage };
}

test("three points make a question, of which the model's expectation is asked once", () => {
  const { pick, sent, state } = made();
  [7, 8, 9].forEach(pick);
  assert.deepEqual(state.picks, [7, 8, 9]);
  assert.deepEqual(sent, [{ do: "preview", triplet: [7, 8, 9] }]);
});

test("a point that is picked again is taken back, and so is the last one by Escape", () => {
  const { pick, back, state } = made();
  [7, 8, 7].forEach(pick);
  assert.deepEqual(state.picks, [8]);
  back();
  assert.deepEqual(state.picks, []);
});

test("an answer is sent with its points, and the next question is free", () => {
  const { pick, answer, sent, state } = made();
  [7, 8, 9].forEach(pick);
  answer(-1);
  assert.deepEqual(sent.at(-1), { do: "answer", triplet: [7, 8, 9], answer: -1, by: "Ann" });
  assert.deepEqual(state.picks, []);
});

test("the points are called by their names, where they have some", async () => {
  const { pick, stage } = made({ names: [..."abcdefgh", "whale.jpg"] });
  pick(8);
  await settled();
  assert.match(stage.getAttribute("aria-label"), /Chosen: A is whale.jpg\. /);
});

test("without three points nothing is answered, and the card says why", async () => {
  const { pick, answer, sent, node } = made();
  pick(7);
  answer(1);
  await settled();
  assert.deepEqual(sent, []);
  assert.match(node("dcrc-told").textContent, /Choose all three first/);
});

test("a key without a connection says that it was not counted, and so does one that waited for a question", async () => {
  const { answer, lose, take, node, traits, root } = made({ options: { auto: true, points: 3 } });
  root.dataset.state = "waiting";
  answer(1);
  await settled();
  assert.match(node("dcrc-told").textContent, /the next question is coming/);
  root.dataset.state = "gone";
  lose();
  await settled();
  assert.match(node("dcrc-told").textContent, /No connection.*not counted/);
  answer(1);
  await settled();
  assert.match(node("dcrc-told").textContent, /No connection.*not counted/);
  root.dataset.state = "idle";
  traits.question = SUGGESTED;
  take();
  await settled();
  assert.match(node("dcrc-told").textContent, /came before this question: it was not counted/);
});

test("the second click of a double click does not answer the question that has just come", () => {
  const { take, answer, sent, state } = made({ question: SUGGESTED });
  take();
  answer(1, true);
  assert.deepEqual(sent, []);
  state.suggestedAt -= 1000; // a second later it is meant
  answer(1, true);
  assert.equal(sent.length, 1);
});

test("a question that comes by itself never replaces one that a person has begun", () => {
  const { take, pick, state, traits } = made();
  pick(1);
  traits.question = { ...SUGGESTED, automatic: true };
  take();
  assert.deepEqual(state.picks, [1]);
  traits.question = SUGGESTED; // this one was asked for
  take();
  assert.deepEqual(state.picks, [4, 5, 6]);
});

test("a change from two points to three replaces the pair that was suggested", async () => {
  const pair = { ...SUGGESTED, triplet: [4, 5], automatic: true };
  const { take, node, state, traits } = made({ question: pair, options: { auto: true, points: 2 } });
  take();
  traits.options = { auto: true, points: 3 };
  traits.question = { ...SUGGESTED, automatic: true };
  take();
  assert.deepEqual(state.picks, SUGGESTED.triplet);

  traits.options = { auto: false, points: 2 }; // nothing is asked by itself, and nothing is expected
  traits.question = {};
  take();
  await Promise.resolve();
  assert.equal(node("dcrc-worth").textContent, "");
});

test("the card says what the model expects, why it asks, and nothing of another question", async () => {
  const { take, pick, node } = made({ question: SUGGESTED });
  take();
  await settled();
  assert.match(node("dcrc-told").textContent, /yes 50 · no 30 · don't know 20 %/);
  assert.equal(node("dcrc-worth").textContent, "worth 1.20 bit");
  assert.equal(node("dcrc-reason").textContent, "They are far apart.");
  assert.match(node("dcrc-reason").title, /They are far apart\.$/); // in full, where the line has no room for it
  pick(1); // a question of one's own begins
  await settled();
  assert.equal(node("dcrc-worth").textContent, "");
  assert.doesNotMatch(node("dcrc-told").textContent, /Expected/);
});

test("undo is asked for where there is something to undo, and the button says what", async () => {
  const nothing = made();
  nothing.undo();
  assert.deepEqual(nothing.sent, []);
  const { undo, show, sent, card } = made({ scene: { undo: "answer 3" } });
  undo();
  assert.deepEqual(sent, [{ do: "undo" }]);
  show();
  await settled();
  const titles = card.all("button").map((each) => each.title);
  assert.ok(titles.includes("Undo: answer 3 (Z)"));
  assert.ok(titles.includes("Nothing to redo"));
});

test("however much changes at once, the question is drawn once", async () => {
  const { pick, take, show, drawn } = made();
  [7, 8, 9].forEach(pick);
  take();
  show();
  await settled();
  assert.deepEqual(drawn, ["7,8,9"]);
});
