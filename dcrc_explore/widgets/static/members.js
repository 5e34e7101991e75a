// All points of one cluster, in portions: however many there are, few of them are on the page at once.

import { h, put, setDisabled } from "./dom.js";
import { clamp } from "./numbers.js";

export const PORTION = 100;

/**
 * @param {(i: number) => import("./shapes.d.ts").Child} thing what is shown of a point
 * @param {(i: number) => boolean} isHere whether that has come
 */
export function makeMembers(thing, isHere) {
  let rows = /** @type {number[]} */ ([]);
  let start = 0;
  let drawn = "";
  const told = h("span", { class: "dcrc-gap", role: "status" });
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
  const node = h("div", { class: "members" }, h("div", { class: "portion" }, told, earlier, further), things);

  function draw() {
    const end = Math.min(start + PORTION, rows.length);
    const shown = rows.slice(start, end);
    const key = JSON.stringify([rows.length, shown, shown.map(isHere)]);
    if (key === drawn) return;
    drawn = key;
    const which = rows.length > PORTION ? `${start + 1} to ${end}, most certain first` : "Most certain first";
    told.textContent = rows.length ? which : "No point is in this cluster.";
    for (const each of [earlier, further]) each.hidden = rows.length <= PORTION;
    setDisabled(earlier, start === 0);
    setDisabled(further, end === rows.length);
    put(things, shown.map(thing));
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
