import assert from "node:assert/strict";
import { test } from "node:test";

import "./dom.js";
import { findRoom } from "../../dcrc_explore/widgets/static/placeditems.js";

const SIZE = { width: 600, height: 500 };
const HALF = 20;

/** Points in a cloud, always the same ones. */
function cloud(n, spread) {
  let seed = 7;
  const next = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  return Float32Array.from({ length: 2 * n }, (_, c) =>
    (c % 2 ? SIZE.height : SIZE.width) * (0.5 + spread * (next() + next() - 1)));
}
const rows = (n) => Array.from({ length: n }, (_, i) => i);
const place = (at) => {
  const all = rows(at.length / 2);
  return findRoom(at, all, all, SIZE, () => [HALF, HALF]);
};

test("items never overlap, stay in the picture and cover few points", () => {
  for (const [n, spread] of [[40, 0.5], [400, 0.5], [3000, 0.4]]) {
    const at = cloud(n, spread);
    const placed = [...place(at)];
    for (const [i, { x, y }] of placed) {
      assert.ok(x >= HALF && x <= SIZE.width - HALF && y >= HALF && y <= SIZE.height - HALF);
      for (const [j, other] of placed) {
        assert.ok(i === j || Math.abs(other.x - x) >= 2 * HALF || Math.abs(other.y - y) >= 2 * HALF);
      }
      // Points are counted in cells of 4 pixels.
      const covered = rows(n).filter((j) => j !== i &&
        Math.abs(at[2 * j] - x) < HALF - 8 && Math.abs(at[2 * j + 1] - y) < HALF - 8);
      assert.ok(covered.length <= 3, `${covered.length} of ${n}`);
    }
  }
});

test("whoever is alone gets an item, the first of two that touch, and nobody in a crowd", () => {
  const at = Float32Array.from([100, 100, 300, 300, 310, 300, ...Array(20).fill([500, 400]).flat()]);
  assert.deepEqual([...place(at).keys()], [0, 1]);
});

test("those who may have none have none", () => {
  const at = Float32Array.from([100, 100, 300, 300]);
  assert.deepEqual([...findRoom(at, [1, 0], [0, 1], SIZE, (i) => (i ? null : [HALF, HALF])).keys()], [0]);
});

test("zooming in makes room for more", () => {
  const at = cloud(1500, 0.5);
  const shares = [1, 2, 4].map((zoom) => {
    const closer = at.map((value, c) => (value - (c % 2 ? SIZE.height : SIZE.width) / 2) * zoom +
      (c % 2 ? SIZE.height : SIZE.width) / 2);
    const seen = rows(1500).filter((i) => closer[2 * i] > 0 && closer[2 * i] < SIZE.width &&
      closer[2 * i + 1] > 0 && closer[2 * i + 1] < SIZE.height);
    return findRoom(closer, seen, seen, SIZE, () => [HALF, HALF]).size / seen.length;
  });
  assert.ok(shares[0] < shares[1] && shares[1] < shares[2], String(shares));
});
