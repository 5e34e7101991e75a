// The panels of a page: what a person sees of a recorded model beside its picture.

import { h } from "./dom.js";
import { implied } from "./frames.js";
import { makePanel, PANEL_NAMES } from "./panels.js";

/**
 * @typedef {import("./types.d.ts").PageSent} PageSent
 * @typedef {import("./shapes.d.ts").PanelName} PanelName
 * @typedef {import("./shapes.d.ts").PanelValues} PanelValues
 * @typedef {PageSent & {film: import("./types.d.ts").FilmSent, plane: import("./plane.js").Plane, frame: number}} Now
 */

/**
 * What each panel shows at a frame.
 * @type {{[Name in PanelName]?: (now: Now) => PanelValues[Name] | null}}
 */
const VALUES = {
  information: ({ steps, films, film, frame }) => film.told && film.worth && {
    answers: until(film.told, steps[frame]),
    clusters: {
      ...film.worth, model: film.worth.model.map(({ name }, c) => ({ name, values: film.worths[frame][c] })),
    },
    most: Math.max(...films.flatMap(({ told }) => told?.curves.map(({ values }) => values[steps[frame]]) ?? [])),
  },
  objective: ({ steps, film, frame }) =>
    ({ terms: film.terms ?? [], iteration: frame, number: steps[frame], iterations: steps[steps.length - 1] }),
  quality: ({ steps, film, frame }) => {
    const curves = (film.quality ?? []).map(({ name, values }) => ({ name, values: values.slice(0, frame + 1) }));
    return { answers: steps.slice(0, frame + 1), curves };
  },
  answers: ({ plane }) => (plane.answers.count ? { counts: tableOf(plane) } : null),
  balance: ({ plane }) => ({ shares: plane.scene.counts.map((count) => count / plane.n) }),
};
/** What was known after so many answers. @param {import("./types.d.ts").AnswerInformation} told @param {number} n */
const until = ({ curves, impossible, left, words }, n) => ({
  words,
  curves: curves.map(({ name, values }) => ({ name, values: values.slice(0, n + 1) })),
  impossible: impossible.filter((t) => t < n),
  left: left.filter(([number]) => number <= n),
});
/** @type {Record<number, number>} */
const PLACE = { 1: 0, "-1": 1, 0: 2 }; // of an answer in the table

/**
 * @param {PageSent} record
 * @param {import("./plane.js").Plane[]} planes of its models
 */
export function makePanels(record, planes) {
  const alone = planes.length === 1;
  const boards = record.films.map((film, p) => {
    const side = alone ? "" : p ? ", right" : ", left";
    /** @type {Record<string, boolean>} */
    const left = { information: !film.told, objective: !film.terms, quality: !film.quality };
    const names = PANEL_NAMES.filter((name) => VALUES[name] && !left[name]);
    return Object.fromEntries(names.map((name) => [name, makePanel(name, (k) => planes[p].colour(k), { side })]));
  });
  // Panels of one kind stand together.
  const all = PANEL_NAMES.flatMap((name) => boards.flatMap((board) => board[name]?.node ?? []));
  const node = h("div", { class: "dcrc-panels" }, all);

  function show(/** @type {number} */ frame) {
    boards.forEach((board, p) => {
      const now = { ...record, film: record.films[p], plane: planes[p], frame };
      for (const [name, panel] of Object.entries(board)) panel.show(VALUES[/** @type {PanelName} */ (name)]?.(now));
    });
  }
  return { node, show };
}

/** How often each answer was given, by the answer that the model implies. @param {import("./plane.js").Plane} plane */
function tableOf({ answers, labels }) {
  const cells = [0, 1, 2].map(() => [0, 0, 0]);
  for (let t = 0; t < answers.count; t++) {
    const { i, j, k, answer } = answers.at(t);
    cells[PLACE[answer]][PLACE[implied(labels[i], labels[j], labels[k])]]++;
  }
  return cells;
}
