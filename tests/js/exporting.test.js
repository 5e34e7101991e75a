import assert from "node:assert/strict";
import { test } from "node:test";

import { followExports } from "../../dcrc_explore/widgets/static/exporting.js";

/** A tool whose messages come by hand, and whose root hands on what reaches its buttons. */
function bench() {
  const attributes = new Set();
  const root = {
    hasAttribute: (name) => attributes.has(name),
    setAttribute: (name) => attributes.add(name),
    removeAttribute: (name) => attributes.delete(name),
  };
  let [clicked, receive] = [() => {}, () => {}];
  const tool = {
    root, watch: (_, handler) => (receive = handler), listen: (_, __, handler) => (clicked = handler),
  };
  const exporting = followExports(tool, () => {});
  exporting.guard(root);
  /** Click, and say whether that reached the button. */
  const click = (selector) => {
    let stopped = false;
    clicked({ target: { closest: (name) => name === selector }, stopPropagation: () => (stopped = true) });
    return !stopped;
  };
  return { exporting, click, receive };
}

test("an export is begun once, until it is written", () => {
  const { click, receive } = bench();
  assert.deepEqual([click(".dcrc-export"), click(".dcrc-export"), click(".other")], [true, false, true]);
  receive({ items: [] });
  assert.equal(click(".dcrc-export"), false);
  receive({ exported: "png" });
  assert.equal(click(".dcrc-export"), true);
});

test("how far it is is said until it is written", () => {
  const { exporting, receive } = bench();
  receive({ progress: "Writing… 40 %" });
  assert.equal(exporting.words, "Writing… 40 %");
  receive({ exported: "png" });
  assert.equal(exporting.words, "");
});
