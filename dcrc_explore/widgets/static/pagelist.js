// The answers on a page: small pictures of what they are about, and whether each model keeps them.

import { triplet } from "./answers.js";
import { h, put } from "./dom.js";
import { LETTERS, SAID } from "./say.js";

/**
 * @param {any} record
 * @param {Int32Array} triplets four numbers for each answer
 * @param {import("./plane.js").Plane[]} planes of the models
 * @param {{chosen: ((t: number) => void) | null, marked: (t: number) => void}} hooks `chosen` is null where an answer
 *   leads to no frame
 */
export function makeFilmList(record, triplets, planes, { chosen, marked }) {
  const total = triplets.length / 4;
  const rows = h("div", { class: "dcrc-rows", role: "list", tabindex: "0" });
  const head = h("div", { class: "dcrc-list-head" });
  const node = h("section", { class: "dcrc-card dcrc-film-list", "aria-label": "Answers" }, head, rows);
  let last = 0; // number of the latest answer that is given

  // Three small pictures, or the names of the points.
  function seen(points) {
    const items = points.map((i) => record.items?.[i]);
    if (!items.every((item) => item?.image)) return triplet({ i: points[0], j: points[1], k: points[2] });
    return h("span", { class: "triplet" }, items.map(({ image, text }, t) => [
      h("small", {}, LETTERS[t]), h("img", { src: image, alt: text, title: text }),
    ]));
  }

  put(rows, Array.from({ length: total }, (_, t) => {
    const [i, j, k, answer] = triplets.subarray(4 * t, 4 * t + 4);
    const attributes = { type: "button", class: "number", title: "Show the model after this answer" };
    const number = record.triplet_numbers[t] + 1;
    const shown = chosen ? h("button", attributes, number) : h("span", { class: "number" }, number);
    return h("div", { role: "listitem", class: "dcrc-row", "data-t": t }, shown, seen([i, j, k]),
      h("span", {}, SAID[answer]), planes.map(() => h("span", { class: "state" })));
  }));

  /** Show the first so many answers as given. */
  function show(given) {
    last = given;
    const violated = planes.map(() => 0);
    for (let t = 0; t < total; t++) {
      const row = rows.children[t];
      const broken = planes.map((plane) => t < given && plane.isViolated(t));
      broken.forEach((each, p) => (violated[p] += Number(each)));
      const state = t >= given ? " later" : chosen && t === given - 1 ? " now" : "";
      row.className = `dcrc-row${broken.some(Boolean) ? " violated" : ""}${state}`;
      row.querySelectorAll(".state").forEach((sign, p) =>
        (sign.textContent = t >= given ? "" : broken[p] ? "✕" : "✓"));
    }
    const [left, right] = violated.map((n) => `${given - n} satisfied · ${n} violated`);
    head.textContent = !given ? (total ? "" : "No answers were given.")
      : right ? `left: ${left}; right: ${right}` : `${left} by the model`;
    showRow();
  }

  function showRow() {
    const row = /** @type {HTMLElement | undefined} */ (rows.children[last - 1]);
    if (row) rows.scrollTop = row.offsetTop - rows.offsetTop - rows.clientHeight / 2;
  }

  const numberOf = ({ target }) => Number(target.closest("[data-t]")?.dataset.t ?? -1);
  rows.addEventListener("click", (event) => numberOf(event) >= 0 && chosen?.(numberOf(event)));
  rows.addEventListener("pointerover", (event) => marked(numberOf(event)));
  rows.addEventListener("pointerleave", () => marked(-1));
  return { node, show, showRow };
}
