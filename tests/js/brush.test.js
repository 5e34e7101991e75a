import assert from "node:assert/strict";
import { test } from "node:test";

import { MOST_CLASSES, Sketch, dab, stroke } from "../../dcrc_explore/widgets/static/brush.js";

const sketch = new Sketch([[0, 0], [1, 0], [2, 0], [3, 0]], [0, 1, 1, 2]);

test("a stroke moves, erases and adds, in this order of rows", () => {
  const after = sketch.after(stroke({ erased: [1], rows: [3], places: [[9, 9]], added: [[5, 5]], brushes: [4] }));
  assert.deepEqual(after.places, [[0, 0], [2, 0], [9, 9], [5, 5]]);
  assert.deepEqual(after.classes, [0, 1, 2, 4]);
  assert.equal(sketch.n, 4); // the one before is as it was
  const fresh = sketch.after(stroke({ empty: true, added: [[7, 7]], brushes: [0] }));
  assert.deepEqual(fresh.places, [[7, 7]]);
});

test("there is always one more class to draw with, up to eight", () => {
  assert.equal(new Sketch().offered, 2);
  assert.equal(sketch.offered, 4);
  assert.equal(new Sketch([[0, 0]], [MOST_CLASSES - 1]).offered, MOST_CLASSES);
});

test("points are found around a place and nearest to it", () => {
  assert.deepEqual(sketch.around([1.2, 0], 1), [1, 2]);
  assert.equal(sketch.nearest([1.9, 0.4]), 2);
  assert.equal(sketch.nearest([50, 50], 3), -1);
});

test("a dab stays inside its brush", () => {
  for (const [x, y] of dab(200, 7)) assert.ok(Math.hypot(x, y) <= 7);
  assert.deepEqual(dab(2, 0).map((place) => place.map(Math.abs)), [[0, 0], [0, 0]]);
});

test("points that are spread out keep a distance and stay in the frame, also those in one place", () => {
  const heap = new Sketch(Array.from({ length: 12 }, () => [1, 1]), Array(12).fill(0));
  const { rows, places } = heap.spread([0, 2, 0, 2], 0.2);
  assert.equal(rows.length, 12);
  const gaps = places.map(([x, y], i) => Math.min(...places.filter((_, j) => j !== i)
    .map(([px, py]) => Math.hypot(px - x, py - y))));
  assert.ok(Math.min(...gaps) > 0.1);
  assert.ok(places.flat().every((value) => value >= 0 && value <= 2));
});
