import assert from "node:assert/strict";
import { test } from "node:test";

import "./dom.js";
import { h } from "../../dcrc_explore/widgets/static/dom.js";
import { Camera } from "../../dcrc_explore/widgets/static/camera.js";
import { inSight } from "../../dcrc_explore/widgets/static/points.js";
import { makeSelection } from "../../dcrc_explore/widgets/static/selection.js";
import { makeZoom } from "../../dcrc_explore/widgets/static/zoom.js";

globalThis.requestAnimationFrame = (draw) => draw();
globalThis.cancelAnimationFrame = () => {};

/** Two planes of 100 by 100 pixels with points on a diagonal, and what the tool around them was asked for. */
function bench() {
  const asked = [];
  const at = [10, 10, 30, 30, 50, 50, 90, 90];
  const planes = [0, 1].map(() => ({
    n: 4, at, xy: at, camera: new Camera(), size: { width: 100, height: 100 }, selected: null, place() {},
    share: (i) => [at[2 * i] / 100, 1 - at[2 * i + 1] / 100], ink: {},
    above: { getContext: () => new Proxy({}, { get: () => () => {}, set: () => true }) },
  }));
  const stages = planes.map(() => Object.assign(h("div", {}), {
    getBoundingClientRect: () => ({ left: 0, top: 0, width: 100, height: 100 }), setPointerCapture() {},
  }));
  const traits = { sharp: {}, scene: { version: 7 }, selection: [] };
  const tool = {
    planes, stages, root: h("div", {}), state: { hover: -1 }, model: { get: (name) => traits[name] },
    listen: (target, type, handler, options) => target.addEventListener(type, handler, options),
    request: (message) => asked.push(message), requests: { has: () => false }, check() {}, redraw() {}, drawAbove() {},
    hoverOver() {}, question: { suggest: () => asked.push("suggest") },
  };
  const point = (type, x, y, more = {}) => {
    const event = new Event(type, { cancelable: true });
    stages[0].dispatchEvent(Object.assign(event, { clientX: x, clientY: y, button: 0, ...more }));
    return event;
  };
  return { asked, planes, point, stages, tool, traits };
}

test("the wheel zooms with Ctrl held, at the pointer and in all pictures, and is the page's without", () => {
  const { planes, point, tool } = bench();
  makeZoom(tool);
  assert.ok(!point("wheel", 20, 20, { deltaY: -200, deltaMode: 0 }).defaultPrevented);
  assert.ok(planes[1].camera.isHome);
  assert.ok(point("wheel", 0, 100, { deltaY: -200, deltaMode: 0, ctrlKey: true }).defaultPrevented);
  assert.equal(planes[1].camera, planes[0].camera);
  const [left, , bottom] = planes[0].camera.window;
  assert.deepEqual([left, bottom], [0, 0]); // the lower left corner stays where the pointer is
  assert.ok(planes[0].camera.zoom > 1);
  assert.equal(tool.root.getAttribute("data-zoomed"), "");
  point("dblclick", 50, 50);
  assert.ok(planes[0].camera.isHome);
  assert.equal(tool.root.getAttribute("data-zoomed"), null);
});

test("a drag moves what is zoomed and is no click; a click that slips a little is one", () => {
  const { planes, point, stages, tool } = bench();
  const clicks = [];
  const { keys } = makeZoom(tool);
  stages[0].addEventListener("click", () => clicks.push("click"));
  const drag = (to) => {
    point("pointerdown", 50, 50);
    point("pointermove", to, 50);
    point("pointerup", to, 50);
    point("click", to, 50);
  };
  drag(80);
  assert.deepEqual([clicks.length, planes[0].camera.isHome], [1, true]); // the whole picture has nowhere to go
  keys["+"]();
  const [before] = planes[0].camera.window;
  drag(52);
  assert.deepEqual([clicks.length, planes[0].camera.window[0]], [2, before]);
  drag(60);
  assert.equal(clicks.length, 2);
  assert.ok(planes[0].camera.window[0] < before); // the picture follows the hand
});

test("a window that rests gets a map of its own, asked for once", () => {
  const { tool, traits } = bench();
  const zoom = makeZoom(tool);
  assert.equal(zoom.wanted(), null); // there is a map of everything
  zoom.keys["="]();
  zoom.move(-9, 9);
  const message = zoom.wanted();
  assert.equal(message.do, "window");
  assert.equal(message.window[0], 0);
  assert.equal(message.window[2], 0);
  assert.equal(zoom.wanted(), null);
  traits.sharp = { window: message.window };
  assert.equal(zoom.wanted(), null);
  zoom.reveal([0, 3]);
  assert.equal(zoom.wanted().do, "window"); // points of a question were out of sight
  zoom.keys[0]();
  assert.deepEqual(zoom.wanted(), { do: "window", window: [0, 1, 0, 1] });
});

test("a loop with Shift held selects what is inside, and its last click chooses no point", () => {
  const { asked, planes, point, stages, tool } = bench();
  const clicks = [];
  const selection = makeSelection(tool, { list: () => asked.push("list"), changed() {} });
  stages[0].addEventListener("click", () => clicks.push("click"));
  const loop = (corners, more) => {
    point("pointerdown", ...corners[0], more);
    for (const corner of corners.slice(1)) point("pointermove", ...corner);
    point("pointerup", ...corners.at(-1));
    point("click", ...corners.at(-1));
  };
  loop([[0, 0], [60, 0], [60, 60], [0, 60]], { shiftKey: false });
  assert.deepEqual([asked, clicks.length], [[], 1]);
  loop([[50, 50], [52, 52]], { shiftKey: true }); // too short for a loop
  assert.deepEqual([asked, clicks.length], [[], 2]);
  loop([[0, 0], [40, 0], [40, 40], [0, 40]], { shiftKey: true });
  assert.deepEqual([asked, clicks.length], [[{ do: "select", rows: [0, 1] }], 2]);
  assert.deepEqual([...planes[1].selected], [1, 1, 0, 0]); // in every picture
  const [, bar] = stages[0].children.length > 1 ? stages[0].children : [null, stages[0].lastChild];
  assert.ok(bar.textContent.startsWith("2 points selected"));
  selection.selectSeen(0);
  assert.deepEqual(selection.rows, [0, 1, 2, 3]);
  bar.all("button").at(-1).click();
  assert.deepEqual(asked.at(-1), { do: "select", rows: [] });
  assert.ok(bar.hidden);
  assert.equal(planes[0].selected, null);
});

test("code may select, unless a person has just done so", () => {
  const { asked, tool, traits } = bench();
  const selection = makeSelection(tool, { list() {}, changed() {} });
  traits.selection = [2];
  tool.requests.has = () => true;
  selection.take();
  assert.deepEqual(selection.rows, []);
  tool.requests.has = () => false;
  selection.take();
  assert.deepEqual([selection.rows, asked], [[2], []]); // Python knows already
});

test("points in the window, and a little around it, are in sight", () => {
  const plane = { n: 4, at: [5, 5, -50, 5, 95, 95, 105, 105], size: { width: 100, height: 100 } };
  assert.deepEqual([...inSight(plane, 8)], [0, 2, 3]);
  assert.deepEqual([...inSight(plane, 0)], [0, 2]);
});
