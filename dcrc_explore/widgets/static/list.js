// The list of answers on its tab: each can be changed and deleted, and those of one person looked at alone.

import { lettered, makeRows } from "./answers.js";
import { deleteButton, flipButtons } from "./changing.js";
import { h, put } from "./dom.js";
import { numberOf } from "./pairs.js";
import { focused as whatHasFocus } from "./host.js";

const NONE = "No answers yet. Click three points and say whether A is more similar to B than to C; each answer " +
  "appears here and can be changed.";
const EVERYBODY = "";

/**
 * @typedef {{t: number, pair: boolean}} Which number t of the answers about three points, or of those about pairs
 * @typedef {{index: number, points: number[], answer: number, who: number, violated: boolean, lost: boolean}} Shown
 * @typedef {Which & Shown} Listed
 * @param {import("./shapes.d.ts").Tool} tool
 * @param {import("./plane.js").Plane} plane
 */
export function makeList(tool, plane) {
  const { answers } = plane;
  const names = () => tool.model.get("scene").people;
  /** @type {Listed[]} the latest first; all that a row shows, which is drawn again while newer answers arrive */
  let listed = [];
  const scroller = h("div", { class: "dcrc-rows", role: "list" });
  const counts = h("span", {});
  const whose = h("select", { "aria-label": "Whose answers are listed", onchange: () => show() });
  const head = h("div", { class: "dcrc-list-head" }, whose, counts);
  const node = h("section", { class: "dcrc-list", "aria-label": "Answers" }, head, scroller);
  const rows = makeRows(scroller, (at) => row(listed[at]), tool.items.isLong);
  tool.markRows(scroller);

  function row(/** @type {Listed} */ { t, pair, index, points, answer, who, violated, lost }) {
    const about = { index };
    const state = !violated ? "satisfied: the boundary implies the same answer"
      : lost ? "violated: neither the boundary nor the memberships imply this answer"
      : "fits the memberships, violated by the boundary, which cannot follow them";
    const marks = pair && { "data-pair": t, onpointerenter: () => mark(t), onpointerleave: () => mark(-1) };
    const attributes = { role: "listitem", class: `dcrc-row${violated ? " violated" : ""}`, ...marks };
    return h("div", { ...attributes, "data-t": pair ? -1 : t },
      h("span", { class: "number" }, about.index + 1), lettered(points, -1, tool.items.thumbnail),
      names().length > 1 && h("span", { class: "who", title: `answered by ${names()[who]}` }, names()[who]),
      flipButtons(tool, about, answer),
      h("span", { class: `state${violated && !lost ? " half" : ""}`, title: state },
        !violated ? "✓" : lost ? "✕" : "◐"),
      deleteButton(tool, about));
  }

  function tripletAt(/** @type {number} */ t) {
    const { i, j, k, answer } = answers.at(t);
    const who = answers.who[t];
    return { points: [i, j, k], answer, who, violated: plane.isViolated(t), lost: !plane.isSatisfiedByQ(t) };
  }

  function pairAt(/** @type {number} */ t) {
    const { i, j, ...rest } = plane.pairs[t];
    return { points: [i, j], ...rest };
  }

  function mark(/** @type {number} */ t) {
    plane.markedPair = t;
    tool.drawAbove();
  }

  /** All answers in the order in which they came, as far as they are of the person who was chosen. */
  function choose() {
    /** @type {Which[]} */
    const all = [];
    const chosen = whose.value === EVERYBODY ? -1 : names().indexOf(whose.value);
    let next = 0;
    for (let t = 0; t <= answers.count; t++) {
      for (; next < plane.pairs.length && (t === answers.count || plane.pairs[next].before <= t); next++) {
        if (chosen < 0 || plane.pairs[next].who === chosen) all.push({ t: next, pair: true });
      }
      if (t < answers.count && (chosen < 0 || answers.who[t] === chosen)) all.push({ t, pair: false });
    }
    return all.reverse().map((which) => (
      { ...which, index: numberOf(plane.pairs, which), ...(which.pair ? pairAt(which.t) : tripletAt(which.t)) }));
  }

  function offer() {
    const people = names();
    whose.hidden = people.length < 2;
    if (whose.dataset.people === String(people)) return;
    whose.dataset.people = String(people);
    const before = people.includes(whose.value) ? whose.value : EVERYBODY;
    const option = (/** @type {string} */ value, label = value) => h("option", { value }, label);
    put(whose, option(EVERYBODY, "everybody"), people.map((name) => option(name)));
    whose.value = before;
  }

  function show() {
    offer();
    listed = choose();
    const n = listed.length;
    const fit = listed.filter(({ lost }) => !lost).length;
    const broken = listed.filter(({ violated }) => violated).length;
    counts.textContent = n ? `${fit} of ${n} fit the memberships; the boundary violates ${broken || "none"}` : "";
    const focused = scroller.contains(whatHasFocus());
    if (n) rows.show(n);
    else rows.empty(h("p", { class: "dcrc-empty" }, NONE));
    if (focused && !scroller.contains(whatHasFocus())) tool.focusStage();
  }
  return { node, show };
}
