import assert from "node:assert/strict";
import { test } from "node:test";

import { below } from "./dom.js";
import { followFits } from "../../dcrc_explore/widgets/static/fitting.js";
import { makePlaying } from "../../dcrc_explore/widgets/static/playing.js";
import { noticeTexts } from "../../dcrc_explore/widgets/static/noticetexts.js";
import { makeViews } from "../../dcrc_explore/widgets/static/views.js";

const kept = new Map();
globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };

/** A tool with these values, and what it was asked for. */
function toolWith(values) {
  const listeners = {};
  const root = document.createElement("div");
  root.scrollIntoView = () => {};
  const model = {
    get: (name) => values[name], save_changes: () => {},
    set(name, value) {
      values[name] = value;
      listeners[`change:${name}`]?.();
    },
  };
  const requested = [];
  return {
    model, root, requested, listeners, request: (message) => requested.push(message),
    watch: (event, listener) => (listeners[event] = listener),
  };
}

test("a kernel that is gone, or a server, is told with the number of answers that wait", () => {
  const requests = { state: "idle", unanswered: [], add: () => {} };
  const link = { lost: "kernel" };
  const model = { get: () => ({}) };
  const left = { count: () => 0, take: () => [] };
  const told = (inApp) => noticeTexts({ model, inApp, requests, link, left })[0]();
  assert.equal(told(true), null);
  requests.state = "gone";
  assert.match(told(true).text, /kernel of this tool is gone\. Reload the page: every answer that was saved is there\.$/);
  assert.deepEqual(told(true).buttons.map(([label]) => label), ["Reload"]);
  assert.match(told(false).text, /Run the cell again and choose Continue/);
  assert.deepEqual(told(false).buttons, []);
  requests.unanswered.push({}, {});
  assert.match(told(false).text, /2 answers given since are saved in this browser tab and offered then\.$/);
  link.lost = "server";
  assert.match(told(true).text, /no connection to the server.* 2 answers given since are saved.* sent when it is back/);
});

test("Python's words can be acted on and put away; answers that are left are added once", () => {
  const added = [];
  const waiting = [{ do: "answer", answer: 1 }];
  const left = { count: () => waiting.length, take: () => waiting.splice(0) };
  const model = { get: () => ({ text: "Saved.", kind: "", buttons: [["Go on", "continue"]] }) };
  const requests = { state: "idle", unanswered: [], add: (message) => added.push(message.do) };
  const [, tellPython, tellLeft] = noticeTexts({ model, inApp: true, requests, link: {}, left });
  tellPython().buttons[0][1]();
  tellPython().dismiss();
  assert.deepEqual(added.splice(0), ["continue", "dismiss"]);
  assert.match(tellLeft().text, /^1 answer did not reach the kernel before it ended\. Add it now\?$/);
  tellLeft().buttons[0][1]();
  assert.deepEqual(added, ["answer"]);
  assert.equal(tellLeft(), null);
});

test("the card of a scene leads on and back, and by keys only while it is there", () => {
  const card = { title: "Answers pay", step: 1, steps: 3, text: "Give one.", outcome: "", first: true, last: false };
  const values = { playing: {} };
  const tool = Object.assign(toolWith(values), { state: {}, drawAbove() {} });
  const playing = makePlaying(tool, { placeScenes: () => false }, () => {});
  playing.show();
  assert.ok(playing.node.hidden);
  assert.deepEqual(playing.keys(), {});
  values.playing = card;
  playing.show();
  assert.match(playing.node.textContent, /Answers pay1 of 3Give one\./);
  playing.keys()[","](); // there is nothing before the first step
  playing.keys()["."]();
  assert.equal(tool.state.pointed, -1);
  values.playing = { ...card, step: 3, first: false, last: true, pointed: [2, "This is the wrong answer."] };
  playing.show();
  assert.equal(tool.state.pointed, 2);
  playing.keys()["."](); // nor after the last
  playing.keys()[","]();
  below(playing.node).find((node) => node.getAttribute("aria-label") === "Leave the scene").click();
  assert.deepEqual(tool.requested.map(({ to }) => to), ["next", "back", "leave"]);
});

test("a fit says how far it is until nothing goes on, and can be stopped where it is a fit alone", () => {
  const tool = toolWith({});
  let shown = 0;
  const fits = followFits(tool, () => shown++);
  tool.listeners["msg:custom"]({ other: 1 });
  tool.listeners["msg:custom"]({ fitting: "EM iteration 3" });
  assert.deepEqual([fits.words, shown], ["EM iteration 3", 1]);
  fits.update(true, true);
  assert.ok(!fits.stop.hidden);
  fits.stop.click();
  assert.deepEqual(tool.requested, [{ do: "stop" }]);
  fits.update(false, false);
  assert.deepEqual([fits.words, fits.stop.hidden], ["", true]);
});

test("formulas are remembered for all tools of this browser, the lecture view by each tool", () => {
  const listen = () => {};
  const tool = Object.assign(toolWith({ view: "whole" }), { listen });
  const [lecture, , formulas] = makeViews(tool, () => {}).nodes;
  makeViews(tool, () => {}).show();
  formulas.click();
  assert.equal(formulas.textContent, "hide the formulas");
  lecture.click();
  assert.equal(tool.root.getAttribute("data-view"), "lecture");
  assert.equal(lecture.textContent, "leave the lecture view");
  const other = Object.assign(toolWith({ view: "whole" }), { listen });
  makeViews(other, () => {}).show();
  assert.equal(other.root.getAttribute("data-formulas"), "");
  assert.equal(other.root.getAttribute("data-view"), "whole");
});
