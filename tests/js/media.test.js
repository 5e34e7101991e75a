import assert from "node:assert/strict";
import { test } from "node:test";

import { settled } from "./dom.js";
import { makeModel } from "../../dcrc_explore/widgets/static/filmed.js";
import { makeSounds } from "../../dcrc_explore/widgets/static/sounds.js";
import { makeTrail } from "../../dcrc_explore/widgets/static/trail.js";

const EXTENT = [0, 1, 0, 1];

test("of a recorded model each frame has its own labels, counts and map", () => {
  const film = {
    labels: Uint16Array.from([0, 0, 1, 1, 1, 1]), truth: Uint16Array.from([0, 1, 1]), names: ["", "right"],
    // The second cluster has the half on the right in the first frame, and everything in the second.
    weights: Float32Array.from([0, 0, 0, 1, 0, -0.5, 0, 0, 0, 0, 0, 1]), entropy: null, depths: null,
  };
  const model = makeModel(film, 2, EXTENT);
  const answers = { count: 0, at: () => null };
  const [first, second] = [0, 1].map((frame) => model.scene(frame, answers, [], { map: "margin", truth: true }));
  assert.deepEqual([...first.labels, ...second.labels], [0, 0, 1, 1, 1, 1]);
  assert.deepEqual([first.counts, second.counts], [[2, 1], [0, 3]]);
  assert.deepEqual([first.regions[0], first.regions[first.resolution - 1]], [0, 1]);
  assert.ok(second.regions.every((k) => k === 1));
  assert.deepEqual([...first.truth], [0, 1, 1]);
  assert.equal(model.scene(0, answers, [], { map: "margin", truth: false }).truth, null);
  assert.ok(model.hasTruth && model.hasMap);
});

test("a trail is drawn after a change that moved points, and not after a replay", () => {
  globalThis.requestAnimationFrame = () => 0;
  globalThis.cancelAnimationFrame = () => {};
  globalThis.Path2D = class {
    arc = () => {};
  };
  const drawn = [];
  const ctx = new Proxy({}, { get: (_, name) => () => drawn.push(name), set: () => true });
  const plane = { ink: { accent: "#000", surface: "#fff" }, where: () => [1, 2], radius: 3 };
  const trail = makeTrail(plane, () => {});
  trail.draw(ctx);
  assert.deepEqual(drawn, []);
  trail.take({ iteration: 3, moved: Int32Array.from([1]) });
  trail.draw(ctx);
  assert.deepEqual(drawn, []);
  trail.take({ iteration: null, moved: Int32Array.from([1]) });
  trail.draw(ctx);
  assert.ok(drawn.includes("stroke"));
  drawn.length = 0;
  trail.forget();
  trail.draw(ctx);
  assert.deepEqual(drawn, []);
});

test("one sound is heard at a time, the same key stops it, and what nobody waits for stays silent", async () => {
  const [asked, marked, playing] = [[], [], []];
  globalThis.Audio = class extends EventTarget {
    constructor(url) {
      super();
      Object.assign(this, { src: url, on: false });
      playing.push(this);
    }
    play = async () => void (this.on = true);
    pause = () => (this.on = false);
  };
  const sounds = makeSounds((row) => asked.push(row), (row) => marked.push(row));
  const item = (url) => ({ mime: "audio/wav", url });
  sounds.play(3);
  sounds.play(5); // before the first one has come
  assert.deepEqual(asked, [3, 5]);
  assert.ok(!sounds.take(3, item("blob:3")));
  assert.ok(!sounds.take(5, { mime: "image/png", url: "blob:5" }));
  assert.ok(sounds.take(5, item("blob:5")));
  await settled();
  assert.equal(marked.at(-1), 5);
  sounds.keepTo([5, 6]);
  assert.ok(playing[0].on);
  sounds.play(5);
  assert.deepEqual([playing[0].on, marked.at(-1), asked.length], [false, -1, 2]);
  sounds.play(6);
  assert.ok(sounds.take(6, item("blob:6")));
  sounds.keepTo([1, 2, 3]);
  assert.ok(!playing[1].on);
});
