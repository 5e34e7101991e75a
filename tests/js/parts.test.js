import assert from "node:assert/strict";
import { test } from "node:test";

import { Answers } from "../../dcrc_explore/widgets/static/answers.js";
import { MOST_LINKS, drawLinks } from "../../dcrc_explore/widgets/static/drawing.js";
import { implied, linearScore, surfaceOf, violatedBits } from "../../dcrc_explore/widgets/static/frames.js";
import { fingerprint, makeUnsent } from "../../dcrc_explore/widgets/static/unsent.js";
import { SHAPES } from "../../dcrc_explore/widgets/static/markers.js";
import { bit, mix, packed, rgb, unpacked } from "../../dcrc_explore/widgets/static/numbers.js";
import { apart } from "../../dcrc_explore/widgets/static/plot.js";
import { percentages, plural, point, two } from "../../dcrc_explore/widgets/static/say.js";

test("answers are taken as they come, changed and shortened", () => {
  const answers = new Answers();
  const rows = (...numbers) => Int32Array.from(numbers.flat());
  assert.ok(answers.take({ start: 0, rows: rows([0, 1, 2, 1], [3, 4, 5, -1]) }));
  assert.ok(answers.take({ start: 2, rows: rows([6, 7, 8, 0]) }));
  assert.deepEqual(answers.at(2), { i: 6, j: 7, k: 8, answer: 0 });
  assert.ok(answers.take({ start: 1, rows: rows([3, 4, 5, 1]) }));
  assert.equal(answers.count, 2);
  assert.equal(answers.at(1).answer, 1);
  assert.ok(!answers.take({ start: 3, rows: rows() })); // the third is missing
  assert.equal(answers.count, 2);
});

test("a bit for each answer, the first in the highest place", () => {
  assert.deepEqual([0, 1, 7, 8, 9].map((t) => bit([0b10000001, 0b01000000], t)), [1, 0, 1, 0, 1]);
});

test("an array comes as bytes anywhere in a buffer, or as text, and one that was made here stays", () => {
  const data = new DataView(Uint8Array.from([9, 0, 0, 255, 0, 0, 1, 43, 1]).buffer, 1);
  assert.deepEqual(unpacked({ dtype: "uint16", shape: [4], data }), Uint16Array.from([0, 255, 256, 299]));
  assert.deepEqual(unpacked({ dtype: "uint16", shape: [1], data: btoa("\x2b\x01") }), Uint16Array.from([299]));
  const made = Int32Array.from([1]);
  assert.equal(unpacked(made), made);
});

test("colours", () => {
  assert.deepEqual(rgb("#0072b2"), [0, 114, 178]);
  assert.deepEqual(mix([0, 0, 0], [100, 200, 50], 0.5), [50, 100, 25]);
  assert.equal(packed([1, 2, 3]), 0xff030201);
});

test("names at the ends of curves stay apart and inside", () => {
  const placed = apart([50, 51, 52, 10], 8, 100);
  assert.deepEqual([...placed].sort((a, b) => a - b), [placed[3], placed[0], placed[1], placed[2]]);
  const sorted = [...placed].sort((a, b) => a - b);
  sorted.slice(1).forEach((value, t) => assert.ok(value - sorted[t] >= 11));
  assert.ok(Math.max(...apart([99, 99, 99], 8, 100)) <= 100);
});

test("every marker has corners around the middle", () => {
  assert.equal(Object.keys(SHAPES).length, 12);
  for (const corners of Object.values(SHAPES)) {
    if (corners) assert.ok(corners.every(([x, y]) => Math.hypot(x, y) < 1.6));
  }
  assert.equal(SHAPES.plus.length, 12);
});

test("words", () => {
  assert.deepEqual([plural(1, "answer"), plural(2, "answer")], ["1 answer", "2 answers"]);
  assert.equal(point(36), "x₃₆");
  assert.deepEqual([0, 0.001, 0.5].map(two), ["0.00", "<.01", "0.50"]);
});

test("answers that did not arrive are found by the same tool, or by another on the same points", () => {
  const stored = new Map();
  const storage = new Proxy({}, {
    ownKeys: () => [...stored.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    get: (_, name) => ({
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => stored.set(key, value),
      removeItem: (key) => stored.delete(key),
    })[name],
  });
  Object.defineProperty(globalThis, "sessionStorage", { value: storage });
  const [first, second] = ["a", "b"].map((door) => makeUnsent(door));
  const message = { do: "answer", triplet: [0, 1, 2], answer: 1, request: "x-1" };
  const known = { triplets: 3, pairs: 0 };
  const nowhere = () => false;
  first.put(7, [message], known);
  assert.equal(second.left(8, nowhere), 0); // other points
  assert.equal(second.left(7, nowhere), 1);
  assert.deepEqual(second.inherit(7, nowhere), [message]);
  assert.equal(second.left(7, nowhere), 0);
  first.put(7, [message, { ...message, answer: 0 }], known);
  const asked = [];
  const isThere = (each, before) => (asked.push(before), each.answer === 0); // that one has arrived
  assert.equal(second.left(7, isThere), 1);
  assert.deepEqual(asked, [known, known]);
  assert.deepEqual(second.inherit(7, isThere), [message]);
  first.put(7, [message], known);
  assert.deepEqual(first.own(), [message]);
  assert.deepEqual(first.own(), []);
  const xy = (...values) => new DataView(Float32Array.from(values).buffer);
  assert.notEqual(fingerprint(xy(0, 1)), fingerprint(xy(1, 0)));
});

test("a map has the regions of the largest score", () => {
  const map = surfaceOf(linearScore([1, 0, 0, -1, 0, 0]), 2, [-1, 1, -1, 1], 4);
  assert.deepEqual([...map.regions.slice(0, 4)], [1, 1, 0, 0]);
});

test("what clusters imply, and which answers they violate", () => {
  assert.deepEqual([implied(0, 0, 1), implied(0, 1, 0), implied(0, 0, 0), implied(0, 1, 2)], [1, -1, 0, 0]);
  const answers = new Answers();
  answers.take({ start: 0, rows: Int32Array.from([0, 1, 2, 1, 0, 1, 2, -1]) });
  assert.deepEqual([...violatedBits(answers, [0, 0, 1])], [0b01000000]);
});

test("percentages sum to one hundred", () => {
  assert.deepEqual(percentages([1 / 3, 1 / 3, 1 / 3]), [34, 33, 33]);
  assert.deepEqual(percentages([0.005, 0.005, 0.99]), [1, 0, 99]);
  assert.deepEqual(percentages([1, 0, 0]), [100, 0, 0]);
});

test("of many answers the latest are drawn, each as two lines, the last one on top", () => {
  const plane = {
    answers: { count: 10_000, at: (t) => ({ i: t, j: t, k: t, answer: 1 }) }, broken: 5_000, unit: 1,
    ink: { bad: "red", ink: "black" }, isViolated: (t) => t % 2 === 1, where: (i) => [i, 0],
  };
  const drawn = [];
  const ctx = { beginPath() {}, moveTo: (x) => drawn.push(x), lineTo() {}, stroke() {}, setLineDash() {} };
  drawLinks(plane, /** @type {any} */ (ctx), "all");
  assert.equal(drawn.length, 2 * (2 * MOST_LINKS + 1));
  assert.equal(drawn.at(-1), 9_999);
  assert.ok(Math.min(...drawn) >= 9_999 - 2 * MOST_LINKS);
});
