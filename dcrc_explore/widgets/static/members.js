// All points of one cluster, in portions: however many there are, few of them are on the page at once. Some can be
// selected, to say where they belong.

import { h, put, setDisabled } from "./dom.js";
import { clamp } from "./numbers.js";
import { makePicking } from "./picking.js";

export const PORTION = 100;

/**
 * @param {(i: number) => import("./shapes.d.ts").Child} thing what is shown of a point
 * @param {(i: number) => boolean} isHere whether that has come
 * @param {Parameters<typeof makePicking>[1]} to
 * @param {import("./shapes.d.ts").Child} actions what can be said of those that are selected
 */
export function makeMembers(thing, isHere, to, actions) {
  let rows = /** @type {number[]} */ ([]);
  let start = 0;
  let drawn = "";
  const status = h("span", { class: "dcrc-gap", role: "status" });
  const turn = (/** @type {string} */ label, /** @type {number} */ step) => h("button", {
    type: "button", class: "dcrc-link", title: `${step < 0 ? "Earlier" : "Further"} points of this cluster`,
    onclick() {
      const to = start + step * PORTION;
      if (to < 0 || to >= rows.length) return;
      start = to;
      draw();
      things.scrollTop = 0;
    },
  }, label);
  const [earlier, further] = [turn("‹ Previous", -1), turn("Next ›", 1)];
  const things = h("div", { class: "things" });
  const picking = makePicking(things, to);
  const count = h("b", {});
  const chosen = h("span", { class: "picked" }, count, actions);
  const node = h("div", { class: "members" }, h("div", { class: "portion" }, status, chosen, earlier, further), things);

  function mark() {
    const n = to.rows().length;
    count.textContent = `${n} selected`;
    chosen.hidden = !n;
    status.hidden = n > 0;
    picking.mark();
  }

  function draw() {
    const end = Math.min(start + PORTION, rows.length);
    const shown = rows.slice(start, end);
    const key = JSON.stringify([rows.length, shown, shown.map(isHere)]);
    if (key === drawn) return mark();
    drawn = key;
    const which = rows.length > PORTION ? `${start + 1} to ${end}, most certain first` : "Most certain first";
    status.textContent = rows.length ? `${which}. Click or drag to select.` : "No point is in this cluster.";
    for (const each of [earlier, further]) each.hidden = rows.length <= PORTION;
    setDisabled(earlier, start === 0);
    setDisabled(further, end === rows.length);
    put(things, shown.map(thing));
    mark();
  }

  return {
    node,
    /** Begin with the first portion. */
    begin: () => ([start, drawn] = [0, ""]),
    /** @param {number[]} members */
    show(members) {
      rows = members;
      start = clamp(start, 0, PORTION * Math.max(0, Math.ceil(rows.length / PORTION) - 1));
      draw();
    },
  };
}
