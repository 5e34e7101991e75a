// Answers about two points on a page: their list, and the lines between them in each picture.

import { h, put } from "./dom.js";
import { unpacked } from "./numbers.js";
import { LETTERS, SAID, plural, point as nameOf } from "./say.js";

const BY_BOUNDARY = 2; // as the pictures know it: by the boundary too

/**
 * @param {any} record
 * @param {ReturnType<typeof import("./filmed.js").makeModel>[]} models
 * @param {(t: number) => void} mark the pair under the pointer, or -1
 */
export function makePairList(record, models, mark) {
  const table = unpacked(record.pairs);
  const all = Array.from({ length: table.length / 3 }, (_, t) => {
    const [i, j, answer] = table.subarray(3 * t, 3 * t + 3);
    return { i, j, answer };
  });
  const givenAt = (frame) => all.slice(0, record.pair_steps[frame]);
  // Don't know says nothing about two points.
  const satisfies = (labels, { i, j, answer }) => !answer || (labels[i] === labels[j]) === answer > 0;
  const head = h("div", { class: "dcrc-list-head" });
  const rows = h("div", { class: "dcrc-rows", role: "list", tabindex: "0" });
  const attributes = { class: "dcrc-card dcrc-film-list", "aria-label": "Answers about two points" };
  const node = h("section", attributes, head, rows);
  node.hidden = !all.length;

  function seen(i, letter) {
    const item = record.items?.[i];
    return [h("small", {}, letter), item?.image ? h("img", { src: item.image, alt: item.text, title: item.text })
      : ` ${nameOf(i)} `];
  }

  put(rows, all.map(({ i, j, answer }, t) =>
    h("div", { role: "listitem", class: "dcrc-row", onpointerenter: () => mark(t), onpointerleave: () => mark(-1) },
      h("span", { class: "number" }, record.pair_numbers[t] + 1),
      h("span", { class: "triplet" }, [i, j].map((each, place) => seen(each, LETTERS[place]))),
      h("span", {}, SAID[answer]), models.map(() => h("span", { class: "state" })))));

  return {
    node,
    at: (t) => all[t],
    violates: (frame, p, pair) => !satisfies(models[p].labelsOf(frame), pair),

    /** What a picture draws of them in a frame. */
    drawn(frame, p) {
      const labels = models[p].labelsOf(frame);
      return Int32Array.from(givenAt(frame).flatMap((pair) =>
        [pair.i, pair.j, pair.answer, 0, satisfies(labels, pair) ? BY_BOUNDARY : 0, 0]));
    },

    show(frame) {
      const labels = models.map((model) => model.labelsOf(frame));
      const given = givenAt(frame).length;
      all.forEach((pair, t) => {
        const broken = labels.map((each) => t < given && !satisfies(each, pair));
        const row = rows.children[t];
        row.className = `dcrc-row${broken.some(Boolean) ? " violated" : ""}${t >= given ? " later" : ""}`;
        row.querySelectorAll(".state").forEach((sign, p) =>
          (sign.textContent = t >= given || !pair.answer ? "" : broken[p] ? "✕" : "✓"));
      });
      head.textContent = `${given} of ${plural(all.length, "answer")} about two points`;
    },
  };
}
