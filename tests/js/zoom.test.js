import assert from "node:assert/strict";
import { test } from "node:test";

import { Camera, covers, WHOLE } from "../../dcrc_explore/widgets/static/camera.js";
import { inside } from "../../dcrc_explore/widgets/static/selection.js";

const near = (found, expected) =>
  found.forEach((value, t) => assert.ok(Math.abs(value - expected[t]) < 1e-12, `${found} is not ${expected}`));
const seenAt = (camera, x, y) => [camera.left + x / camera.zoom, camera.bottom + y / camera.zoom];

test("what is under the pointer stays there while zooming, and the way back ends where it began", () => {
  const camera = new Camera();
  const before = seenAt(camera, 0.3, 0.8);
  camera.zoomAt(0.3, 0.8, 2);
  near(seenAt(camera, 0.3, 0.8), before);
  near(camera.window, [0.15, 0.65, 0.4, 0.9]);
  camera.zoomAt(0.3, 0.8, 1 / 2);
  assert.ok(camera.isHome);
  near(camera.window, WHOLE);
});

test("the window never leaves the picture", () => {
  const camera = new Camera();
  camera.move(3, -3);
  near(camera.window, WHOLE);
  camera.zoomAt(0.5, 0.5, 4);
  camera.move(30, -30);
  near(camera.window, [0.75, 1, 0, 0.25]);
  camera.zoomAt(1, 0, 0.001);
  near(camera.window, WHOLE);
  camera.zoomAt(0, 0, 1e9);
  assert.ok(camera.zoom <= 200);
});

test("points of a question are brought into sight, and what was in sight stays", () => {
  const camera = new Camera();
  camera.zoomAt(0.2, 0.2, 8);
  const before = camera.window;
  assert.equal(camera.include([[before[0], before[2]]]), false); // in sight already
  assert.equal(camera.include([[0.5, 0.4]]), true);
  assert.ok(covers(camera.window, before));
  assert.ok(covers(camera.window, [0.5, 0.5, 0.4, 0.4]));
  assert.ok(!camera.isHome);
});

test("a loop holds the points inside it, also when it is hollow", () => {
  const plane = { n: 4, at: [5, 5, 15, 5, 2, 9, 9, 9] };
  assert.deepEqual(inside(plane, [[0, 0], [10, 0], [10, 10], [0, 10]]), [0, 2, 3]);
  assert.deepEqual(inside(plane, [[0, 0], [10, 0], [10, 10], [8, 10], [8, 2], [4, 2], [4, 10], [0, 10]]), [2, 3]);
  assert.deepEqual(inside(plane, [[0, 0]]), []);
});
