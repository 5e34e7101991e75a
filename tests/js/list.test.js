import assert from "node:assert/strict";
import { test } from "node:test";

import { below } from "./dom.js";
import { Answers } from "../../dcrc_explore/widgets/static/answers.js";
import { makeList } from "../../dcrc_explore/widgets/static/list.js";

let resized = () => {};
globalThis.ResizeObserver = class {
  constructor(callback) {
    resized = callback;
  }
  observe() {}
};

test("a list that is drawn again while an answer is being deleted asks for no item of a point that is not there", () => {
  const answers = new Answers();
  answers.table = Int32Array.from([0, 1, 2, 1, 3, 4, 5, -1]);
  answers.who = new Uint16Array(2);
  const seen = [];
  const plane = { answers, pairs: [], isViolated: () => false, isSatisfiedByQ: () => true };
  const items = { thumbnail: (row) => (seen.push(row), String(row)) };
  const tool = { model: { get: () => ({ people: ["user"] }) }, items, markRows() {}, focusStage() {} };
  const { node, show } = makeList(tool, plane);
  const scroller = below(node).find(({ className }) => className === "dcrc-rows");
  Object.assign(scroller, { scrollTop: 0, clientHeight: 60 });
  show();
  answers.table = answers.table.slice(0, 4); // Python has one answer less, and the list hears of it later
  Object.assign(scroller, { scrollTop: -30 * 30, clientHeight: 30 });
  resized();
  assert.deepEqual([...new Set(seen)].filter((row) => !Number.isInteger(row)), []);
});
