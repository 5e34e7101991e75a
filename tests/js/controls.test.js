import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { below } from "./dom.js";
import { makeControls } from "../../dcrc_explore/widgets/static/controls.js";
import { keysLook } from "../../dcrc_explore/widgets/static/legend.js";
import { h } from "../../dcrc_explore/widgets/static/dom.js";
import { makeRequests } from "../../dcrc_explore/widgets/static/requests.js";

mock.method(globalThis, "setTimeout", () => 0); // nothing is sent again
const EPSILON = { name: "epsilon", kind: "slider", label: "Error ε", help: "how often", limits: [0, 2 / 3, 0.01] };

/** A tool with these controls, and what it has sent. */
function bench(controls, values) {
  const state = { controls: { top: [], view: [], model: controls }, values };
  const sent = [];
  const requests = makeRequests((message) => sent.push(message), () => {});
  const model = { get: (name) => state[name] };
  const tool = { model, requests, request: requests.add, watch() {}, root: h("div") };
  const made = makeControls(tool, ["model"]);
  made.arrange();
  const find = (name) => below(made.side).find((node) => node.dataset.name === name);
  const done = (changes) => {
    Object.assign(values, changes);
    requests.finish(sent.at(-1).request);
    made.show();
  };
  return { sent, state, made, find, done };
}
const input = (node, value, type = "input") => {
  node.value = value;
  node.dispatchEvent(new Event(type));
};

test("a slider reaches its ends exactly, and shows a value between its places", () => {
  const { find, sent, done } = bench([EPSILON], { epsilon: 0.05 });
  const [track, number] = find("epsilon").all("input");
  assert.deepEqual([track.value, number.value, track.getAttribute("aria-valuetext")], ["5", "0.05", "0.05"]);
  input(track, "67");
  assert.deepEqual([sent[0].do, sent[0].name, sent[0].value], ["set", "epsilon", 2 / 3]);
  done({ epsilon: 0.123 });
  assert.equal(number.value, "0.123");
  input(track, String(Number(track.value) + 1));
  assert.equal(sent[1].value, 0.13);
});

test("what a slider passes while Python is at work is left out, and nothing of another control", () => {
  const soft = { name: "balance", kind: "switch", words: "clusters of similar size" };
  const { find, sent, done } = bench([EPSILON, soft], { epsilon: 0.05, balance: true });
  const [track] = find("epsilon").all("input");
  for (const place of ["6", "7", "8"]) input(track, place);
  const [box] = find("balance").all("input");
  box.checked = false;
  box.dispatchEvent(new Event("change"));
  done({ epsilon: 0.06 });
  assert.equal(track.value, "8"); // the person's hand is ahead
  done({ epsilon: 0.08 });
  done({ balance: false });
  assert.deepEqual(sent.map(({ name, value }) => [name, value]),
    [["epsilon", 0.06], ["epsilon", 0.08], ["balance", false]]);
});

test("a control goes back to what is the case when Python refuses", () => {
  const menu = { name: "n_clusters", kind: "menu", label: "K", options: [2, 8].map((k) => ({ value: k, label: `${k}` })) };
  const { find, sent, done } = bench([menu], { n_clusters: 2 });
  input(find("n_clusters"), "8", "change");
  assert.equal(sent[0].value, 8);
  done({});
  assert.equal(find("n_clusters").value, "2");
});

test("what takes long is begun once", () => {
  const button = { name: "export.page", kind: "button", words: "Page", doing: "Writing…" };
  const { find, sent, made, done } = bench([button], { "export.page": null });
  find("export.page").click();
  find("export.page").click();
  assert.equal(made.doing({ do: "press", name: "export.page" }), "Writing…");
  done({});
  assert.equal(sent.length, 1);
  find("export.page").click();
  assert.equal(sent.length, 2);
});

test("each control is named and described, and one that is the same stays where it is", () => {
  const { find, state, made } = bench([EPSILON], { epsilon: 0.05 });
  const slider = find("epsilon");
  assert.equal(slider.getAttribute("data-help"), "how often");
  assert.equal(slider.getAttribute("aria-description"), "how often");
  assert.equal(slider.all("input")[0].getAttribute("aria-label"), "Error ε");
  state.controls = { ...state.controls, model: [{ ...EPSILON, off: true }] };
  made.arrange();
  assert.equal(find("epsilon"), slider);
  assert.ok(slider.all("input")[0].disabled);
});

test("a legend says that its clusters are many and have names", () => {
  const { class: look } = keysLook({ nameOf: (k) => `name ${k}` }, 6);
  assert.equal(look, "keys four many named");
});

test("columns chosen one after the other stay chosen, however late Python replies", () => {
  const options = ["rings", "kind"].map((name) => ({ value: name, label: name, help: "" }));
  const { find, sent, done } = bench([{ name: "columns", kind: "columns", options }], { columns: ["class", "ignore"] });
  const [rings, kind] = find("columns").all("select");
  input(kind, "class", "change");
  assert.deepEqual([rings.value, kind.value], ["ignore", "class"]); // one column at most is the class
  input(rings, "feature", "change");
  done({ columns: ["ignore", "class"] });
  assert.deepEqual(sent.map(({ value }) => value), [["ignore", "class"], ["feature", "class"]]);
  done({ columns: ["feature", "class"] });
  assert.deepEqual([rings.value, kind.value], ["feature", "class"]);
});
