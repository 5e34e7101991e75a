import assert from "node:assert/strict";
import { test } from "node:test";

import "./dom.js";
import { followExports } from "../../dcrc_explore/widgets/static/exporting.js";

test("how far it is is said until it is written", () => {
  let hear = () => {};
  let shown = 0;
  const exporting = followExports({ watch: (_, handler) => (hear = handler) }, () => shown++);
  hear({ progress: "Writing… 20 %" });
  assert.deepEqual([exporting.words, shown], ["Writing… 20 %", 1]);
  hear({ items: [] }); // another message
  assert.equal(shown, 1);
  exporting.end();
  assert.equal(exporting.words, "");
});
