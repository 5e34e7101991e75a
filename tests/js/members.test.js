import assert from "node:assert/strict";
import { test } from "node:test";

import "./dom.js";
import { h } from "../../dcrc_explore/widgets/static/dom.js";
import { PORTION, makeMembers } from "../../dcrc_explore/widgets/static/members.js";

const click = (node) => node.dispatchEvent(new Event("click"));

test("all points of a large cluster come in portions, and no page holds more than one", () => {
  const members = makeMembers((i) => h("span", {}, i), () => true, { rows: () => [], select() {}, enlarge() {} }, []);
  const [portion, things] = members.node.children;
  const [told, , earlier, further] = portion.children;
  const shown = () => things.children.map((each) => Number(each.textContent));
  const rows = Array.from({ length: 2 * PORTION + 7 }, (_, t) => 3 * t);
  members.show(rows);
  const seen = [...shown()];
  assert.match(told.textContent, /^1 to 100,/);
  click(earlier); // there is none
  click(further);
  seen.push(...shown());
  click(further);
  seen.push(...shown());
  click(further); // there is none
  assert.deepEqual(seen, rows);
  assert.equal(further.getAttribute("aria-disabled"), "true");
  // A cluster that lost points shows its last portion; a small one needs no turning.
  members.show(rows.slice(0, PORTION + 1));
  assert.deepEqual(shown(), rows.slice(PORTION, PORTION + 1));
  members.show(rows.slice(0, 5));
  assert.deepEqual(shown(), rows.slice(0, 5));
  assert.ok(earlier.hidden && further.hidden);
});
