import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { below } from "./dom.js";
import { Answers } from "../../dcrc_explore/widgets/static/answers.js";
import { makeList } from "../../dcrc_explore/widgets/static/list.js";
import { makePlayer } from "../../dcrc_explore/widgets/static/player.js";
import { marker } from "../../dcrc_explore/widgets/static/markers.js";
import { copyable, makeNotices, makeSheet } from "../../dcrc_explore/widgets/static/notices.js";
import { PANELS } from "../../dcrc_explore/widgets/static/panels.js";
import { Plane } from "../../dcrc_explore/widgets/static/plane.js";
import { makeSwitch, makeTabs } from "../../dcrc_explore/widgets/static/tabs.js";

const bytes = (...values) => Uint8Array.from(values);

test("of several notices the first source is heard, and a screen reader hears each once", () => {
  const said = [null, { text: "low" }];
  const notices = makeNotices([() => said[0], () => said[1]]);
  notices.show();
  assert.equal(notices.node.textContent, "low");
  const [before] = notices.node.childNodes;
  notices.show();
  assert.equal(notices.node.childNodes[0], before); // not said again
  let given = 0;
  said[0] = { text: "high", kind: "error", buttons: [["Give", () => given++]] };
  notices.show();
  assert.match(notices.node.textContent, /^high/);
  assert.ok(notices.node.classList.contains("error"));
  notices.node.all("button")[0].click();
  assert.equal(given, 1);
  said[0] = said[1] = null;
  notices.show();
  assert.ok(notices.node.hidden);
});

test("a sheet takes the focus, and says when it goes", () => {
  let closed = 0;
  const sheet = makeSheet(() => closed++);
  assert.ok(sheet.node.hidden);
  sheet.open("Title", "text");
  assert.ok(!sheet.node.hidden);
  assert.equal(document.activeElement, sheet.node.all("button")[0]);
  sheet.close();
  assert.ok(sheet.node.hidden);
  assert.equal(closed, 1);
});

test("a text to copy is a text, whatever stands in it", () => {
  const [area] = copyable("Code", "<b>&amp;</b>").all("textarea");
  assert.equal(area.value, "<b>&amp;</b>");
});

test("one tab is open; arrows go around and leave out hidden ones", () => {
  const opened = [];
  const tabs = makeTabs([["a", "A"], ["b", "B"], ["c", "C"]], (name) => opened.push(name));
  tabs.open("a");
  tabs.buttons[1].hidden = true;
  const press = (key, target) => {
    const event = Object.assign(new Event("keydown"), { key });
    Object.defineProperty(event, "target", { value: target });
    tabs.node.dispatchEvent(event);
  };
  press("ArrowRight", tabs.button("a"));
  press("ArrowRight", tabs.button("c"));
  press("ArrowLeft", tabs.button("a"));
  assert.deepEqual(opened, ["a", "c", "a", "c"]);
  assert.deepEqual(tabs.buttons.map((each) => each.getAttribute("aria-selected")), ["false", "false", "true"]);
  assert.deepEqual(tabs.buttons.map((each) => each.tabIndex), [-1, -1, 0]);
});

test("of a switch one choice is pressed", () => {
  const chosen = [];
  const node = makeSwitch([["x", "X", ""], ["y", "Y", ""]], "What", "x", (name) => chosen.push(name));
  node.all("button")[1].click();
  assert.deepEqual(node.all("button").map((each) => each.getAttribute("aria-pressed")), ["false", "true"]);
  assert.deepEqual(chosen, ["y"]);
});

test("each marker is a picture in its colour", () => {
  const [circle, star] = ["circle", "star"].map((shape) => marker(shape, "red"));
  assert.equal(circle.getAttribute("fill"), "red");
  assert.equal(circle.all("circle").length, 1);
  assert.equal(star.all("polygon")[0].getAttribute("points").split(" ").length, 10);
});

const films = (late = false) => {
  const [asked, ended] = [[], []];
  const film = makePlayer({
    label: "Answers", about: "Play", each: 50, ended: () => ended.push(asked.length),
    show(frame) {
      asked.push(frame);
      if (!late) film.shown(frame);
    },
  });
  film.follow(3, 3);
  return { film, asked, ended, play: film.node.all("button")[0] };
};
const wait = (times = 10) => {
  for (let n = 0; n < times; n++) mock.timers.tick(50);
};

test("a film plays to its end, once, and stops", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { film, asked, ended, play } = films();
  play.click(); // at the end it begins anew
  assert.equal(play.getAttribute("aria-label"), "Pause");
  wait();
  assert.deepEqual(asked, [0, 1, 2, 3]);
  assert.deepEqual(ended, [4]);
  assert.equal(play.getAttribute("aria-label"), "Play");
  play.click();
  play.click(); // pause
  wait();
  assert.equal(film.frame, 0);
  film.go(99);
  assert.equal(film.frame, 3);
  mock.timers.reset();
});

test("a film waits for its pictures, and ends when another is shown than was asked for", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { film, asked, ended, play } = films(true);
  play.click();
  wait();
  assert.deepEqual(asked, [0]);
  film.shown(0);
  film.shown(0); // drawn twice, it is one frame
  wait();
  assert.deepEqual(asked, [0, 1]);
  film.shown(3);
  wait();
  assert.deepEqual([asked.length, ended, film.playing], [2, [2], false]);
  mock.timers.reset();
});

const plot = (name, values, view, width = 200) => PANELS[name].plot(values, width, 100, () => "red", view);
const curves = (...values) => [{ name: "one", values }, { name: "two", values }];

test("panels draw numbers at the edges of what can be, and say what they show", () => {
  const drawn = [
    plot("information", { clusters: { clusters: [2, 3], ideal: curves(1.5, 1.2), model: curves(1, 0.9), current: 3 } },
      "clusters"),
    plot("objective", { terms: curves(0), iteration: 0 }), // one iteration, no range
    plot("objective", { terms: curves(-1, 2), iteration: 1 }),
    plot("quality", { answers: [0], curves: curves(-0.001) }), // before the first answer
    plot("answers", { counts: [[0, 0, 0], [0, 0, 0], [0, 0, 2]] }),
    plot("balance", { shares: [1, 0] }), // an empty cluster
    plot("balance", { shares: Array(30).fill(1 / 30) }),
  ];
  for (const picture of drawn) {
    assert.ok(picture.getAttribute("aria-label").length > 5);
    for (const part of below(picture)) {
      for (const value of Object.values(part.attributes)) assert.doesNotMatch(value, /NaN|undefined|Infinity/);
    }
  }
  assert.match(drawn[4].getAttribute("aria-label"), /given don't know, model don't know: 2/);
});

const TOLD = { answers: { curves: [...curves(0, 5.3, 6), ...curves(0, 1.2, 2)].slice(0, 3), impossible: [1],
  left: [[0, 0, 40], [2, 4, 30]], words: [] } };
const QUESTION = { triplet: [0, 1, 2], worth: 0.9, probabilities: [0.5, 0.5, 0], surprises: [1, 1, null], words: [] };

test("information is drawn before the first answer, with a question open, and for what cannot be", () => {
  const none = { answers: { curves: curves(0).concat(curves(0)[0]), impossible: [], left: [[0, 0, 40]], words: [] } };
  const drawn = [
    plot("information", none, "answers"), plot("information", { ...TOLD, question: QUESTION }, "answers"),
    plot("information", TOLD, "answers", 600), plot("information", { question: QUESTION, random: 0.4 }, "question"),
  ];
  for (const picture of drawn) {
    for (const part of below(picture)) {
      for (const value of Object.values(part.attributes)) assert.doesNotMatch(value, /NaN|undefined|Infinity/);
    }
  }
  assert.match(drawn[1].getAttribute("aria-label"), /After 2 answers: .*uncertainty left 34.0 bit/);
  assert.match(drawn[3].getAttribute("aria-label"), /Worth 0.90 bit; .*don't know: cannot be/);
});

function planeOf(...places) {
  const plane = new Plane({ answers: new Answers() });
  const points = { xy: Float32Array.from(places.flat()), extent: [0, 10, 0, 10], colours: ["red"], markers: ["circle"] };
  plane.setPoints({ classes: null, items: null, note: "", ...points });
  plane.resize(100, 100);
  return plane;
}

test("the nearest point is taken, but not from far away", () => {
  const plane = planeOf([1, 1], [9, 9]);
  assert.equal(plane.nearest(12, 88), 0); // the picture's y goes down
  assert.equal(plane.nearest(88, 12), 1);
  assert.equal(plane.nearest(50, 50), -1);
});

test("arrow keys reach a point in their direction, and begin in the middle", () => {
  const plane = planeOf([5, 5], [9, 5], [5, 9], [1, 5]);
  assert.equal(plane.towards(-1, 1, 0), 0);
  assert.equal(plane.towards(0, 1, 0), 1);
  assert.equal(plane.towards(0, 0, -1), 2);
  assert.equal(plane.towards(0, -1, 0), 3);
  assert.equal(plane.towards(1, 1, 0), 1); // nothing there: it stays
});

test("an answer that the boundary violates may still be satisfied by Q, and counts of both say so", () => {
  const plane = planeOf([1, 1], [2, 2], [3, 3]);
  plane.answers.take({ start: 0, rows: Int32Array.from([0, 1, 2, 1, 0, 2, 1, -1]) });
  const scene = {
    clusters: 2, names: ["nines", ""], labels: Uint16Array.from([0, 1, 0]), counts: [2, 1], truth: null, cluster: 0,
    halo: null, regions: null, violated: bytes(0b11000000), satisfied_by_q: bytes(0b10000000),
  };
  plane.setScene(scene);
  assert.deepEqual([plane.broken, plane.lost], [2, 1]);
  assert.equal(plane.hint(0), "x₀ · nines");
  assert.equal(plane.hint(1), "x₁ · cluster 2");
  plane.setScene({ ...scene, satisfied_by_q: null }); // nothing is known of Q
  assert.equal(plane.lost, 2);
});

test("before the first answer the list says so, and counts nothing", () => {
  /** @type {() => void} */
  let resized = () => {};
  globalThis.ResizeObserver = class {
    constructor(/** @type {() => void} */ callback) {
      resized = callback;
    }
    observe() {}
  };
  const model = { get: () => ({ people: [] }) };
  const list = makeList({ model, items: {}, markRows() {} }, planeOf([1, 1], [2, 2], [3, 3]));
  list.show();
  assert.deepEqual(list.node.all("span").map((each) => each.textContent), [""]); // how many fit
  assert.match(list.node.textContent, /No answers yet\./);
  resized();
  assert.match(list.node.textContent, /No answers yet\./);
});
