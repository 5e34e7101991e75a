// The answers on a page, in the order in which they came: what they are about, and whether each model satisfies them.

import { lettered } from "./answers.js";
import { h, put } from "./dom.js";
import { SAID, called } from "./say.js";

/** @typedef {{points: number[], answer: number, t: number, pair: boolean}} Given `t` counts the answers of its kind */

/**
 * @param {import("./types.d.ts").PageSent} record
 * @param {Given[]} answers all of them
 * @param {import("./plane.js").Plane[]} planes of the models
 * @param {object} hooks
 * @param {((number: number) => void) | null} hooks.chosen null where an answer leads to no frame
 * @param {(given: Given | null) => void} hooks.marked called with the answer under the pointer
 */
export function makeFilmList({ items, points }, answers, planes, { chosen, marked }) {
  const rows = h("div", { class: "dcrc-rows", role: "list", tabindex: "0" });
  const head = h("div", { class: "dcrc-list-head" });
  const node = h("section", { class: "dcrc-card dcrc-film-list", "aria-label": "Answers" }, head, rows);
  let last = 0; // number of the latest answer that is given

  // A small picture, or the name of the point.
  function seen(/** @type {number} */ i) {
    const { image, text } = items?.[i] ?? {};
    return image ? h("img", { src: image, alt: text, title: text }) : called(points, i);
  }

  put(rows, answers.map((given, number) => {
    const attributes = { type: "button", class: "number", title: "Show the model after this answer" };
    const shown = chosen ? h("button", attributes, number + 1) : h("span", { class: "number" }, number + 1);
    return h("div", {
      role: "listitem", class: "dcrc-row", onclick: () => chosen?.(number),
      onpointerenter: () => marked(given), onpointerleave: () => marked(null),
    }, shown, lettered(given.points, -1, seen), h("span", {}, SAID[given.answer]),
      planes.map(() => h("span", { class: "state" })));
  }));

  /** Show the first so many answers as given. */
  function show(/** @type {number} */ given) {
    last = given;
    const violated = planes.map(() => 0);
    answers.forEach((each, number) => {
      const row = rows.children[number];
      const broken = planes.map((plane) => number < given && isViolated(plane, each));
      broken.forEach((yes, p) => (violated[p] += Number(yes)));
      const state = number >= given ? " later" : chosen && number === given - 1 ? " now" : "";
      row.className = `dcrc-row${broken.some(Boolean) ? " violated" : ""}${state}`;
      row.querySelectorAll(".state").forEach((sign, p) =>
        (sign.textContent = number >= given ? "" : broken[p] ? "✕" : "✓"));
    });
    const [left, right] = violated.map((n) => `${given - n} satisfied · ${n} violated`);
    head.textContent = !given ? (answers.length ? "" : "No answers were given.")
      : right ? `left: ${left}; right: ${right}` : `${left} by the model`;
    showRow();
  }

  function showRow() {
    const row = /** @type {HTMLElement | undefined} */ (rows.children[last - 1]);
    if (row) rows.scrollTop = row.offsetTop - rows.offsetTop - rows.clientHeight / 2;
  }

  return { node, show, showRow };
}

/** @param {import("./plane.js").Plane} plane @param {Given} given by the frame that it shows */
export const isViolated = (plane, { t, pair }) => (pair ? plane.pairs[t].violated : plane.isViolated(t));
