// The panels of a page: what a person sees of a recorded model beside its picture.

import { h } from "./dom.js";
import { implied } from "./frames.js";
import { makePanel, PANELS } from "./panels.js";

/** What each panel shows at a frame. */
const VALUES = {
  information: ({ information, plane }) => ({ ...information, current: plane.scene.clusters }),
  objective: ({ steps, film, frame }) =>
    ({ terms: film.terms, iteration: frame, number: steps[frame], iterations: steps.at(-1) }),
  quality: ({ steps, film, frame }) => {
    const curves = film.quality.map(({ name, values }) => ({ name, values: values.slice(0, frame + 1) }));
    return { answers: steps.slice(0, frame + 1), curves };
  },
  answers: ({ plane }) => (plane.answers.count ? { counts: tableOf(plane) } : null),
  balance: ({ plane }) => ({ shares: plane.scene.counts.map((count) => count / plane.n) }),
};
const PLACE = { 1: 0, "-1": 1, 0: 2 }; // of an answer in the table

/**
 * @param {any} record
 * @param {import("./plane.js").Plane[]} planes of its models
 */
export function makePanels(record, planes) {
  const alone = planes.length === 1;
  const boards = record.films.map((film, p) => {
    const side = alone ? "" : p ? ", right" : ", left";
    const left = { information: !alone || film.terms, objective: !film.terms, quality: !film.quality };
    const names = Object.keys(PANELS).filter((name) => VALUES[name] && !left[name]);
    return Object.fromEntries(names.map((name) => [name, makePanel(name, (k) => planes[p].colour(k), { side })]));
  });
  // Panels of one kind stand together.
  const all = Object.keys(PANELS).flatMap((name) => boards.flatMap((board) => board[name]?.node ?? []));
  const node = h("div", { class: "dcrc-panels" }, all);

  function show(frame) {
    boards.forEach((board, p) => {
      const now = { ...record, film: record.films[p], plane: planes[p], frame };
      for (const [name, panel] of Object.entries(board)) panel.show(VALUES[name](now));
    });
  }
  return { node, show };
}

/** How often each answer was given, by the answer that the model implies. */
function tableOf({ answers, labels }) {
  const cells = [0, 1, 2].map(() => [0, 0, 0]);
  for (let t = 0; t < answers.count; t++) {
    const { i, j, k, answer } = answers.at(t);
    cells[PLACE[answer]][PLACE[implied(labels[i], labels[j], labels[k])]]++;
  }
  return cells;
}
