// An exploration as a page: the film of its answers or of EM, the picture of each model, panels, the list, and why.
// Nothing here asks anybody for anything.

import { Answers } from "./answers.js";
import { h, put } from "./dom.js";
import { makeModel } from "./filmed.js";
import { unpacked } from "./numbers.js";
import { makeClusters } from "./pageclusters.js";
import { isViolated, makeFilmList } from "./pagelist.js";
import { makePanels } from "./pagepanels.js";
import { makePicture } from "./pagepicture.js";
import { makePlayer } from "./player.js";
import { LETTERS, SAID, bits, called, plural } from "./say.js";
import { PlacedItems, wordsCell } from "./placeditems.js";
import { unzip } from "./unzip.js";

const EACH = 450; // ms between two frames
const ONWARDS = "Answer yourself, after the answers that the model knows here";
/** @type {[string, string][]} */
const MAPS = [["entropy", "Entropy"], ["regions", "Regions"], ["none", "None"]];

/** @param {import("./types.d.ts").PageSent} record @param {HTMLElement} root */
function showPage(record, root) {
  const { films, steps } = record;
  const [first] = films;
  const points = { ...record.points, xy: unpacked(record.points.xy), note: "", items: null, brushes: null, blank: [] };
  const triplets = unpacked(record.triplets);
  const pairs = rowsOf(unpacked(record.pairs), 3).map(([i, j, answer]) => ({ i, j, answer }));
  const given = inOrder(record, rowsOf(triplets, 4), pairs);
  const answers = new Answers();
  const last = steps.length - 1;
  const byAnswers = record.frames === "answers";
  const state = { map: "entropy", truth: false, marked: -1, explained: -1, items: true };
  const models = films.map((film) => makeModel(film, last + 1, points.extent));
  const pictures = models.map((model, p) => makePicture(model, points, answers, state, explain, films[p].title));
  const planes = pictures.map((picture) => picture.plane);
  /** @type {Map<number, import("./placeditems.js").Cell | null>} */
  const cells = new Map();
  let soon = 0;
  const kind = () => record.items && (record.items.some((item) => item.image) ? "images" : "texts");
  const want = (/** @type {number[]} */ rows) => rows.forEach((row) => !cells.has(row) && makeCell(row));
  for (const plane of planes) plane.things = new PlacedItems(plane, cells, { kind, want });
  const drawAbove = () => pictures.forEach((picture) => picture.drawAbove());

  // ---- what stands on the page

  const [label, playing] = byAnswers ? ["Answers that the model knows", "Play the answers from the first"]
    : ["EM iteration", "Play the EM iterations from the start of the fit"];
  const film = makePlayer({ label, about: playing, each: EACH, show: (frame) => (draw(), film.shown(frame)) });
  film.follow(last, last);
  const counter = h("output", { class: "dcrc-counter" });
  film.node.append(counter);
  /** @param {string} name @param {() => void} change @param {import("./shapes.d.ts").Attributes} attributes */
  const viewButton = (name, change, attributes = {}) => {
    const onclick = () => (change(), draw());
    return h("button", { type: "button", class: "dcrc-button", onclick, ...attributes }, name);
  };
  const offered = MAPS.filter(([map]) => map !== "regions" || models[0].hasMap);
  const maps = offered.map(([map, name]) => viewButton(name, () => (state.map = map), { "data-map": map }));
  const rings = viewButton("True classes", () => (state.truth = !state.truth));
  rings.hidden = !models[0].hasTruth;
  const about = { title: "Items where there is room, or dots" };
  const things = viewButton("Items", () => (state.items = !state.items), about);
  things.hidden = !record.items;
  const onwards = h("button", { type: "button", class: "dcrc-button", title: ONWARDS, onclick: () => goOn() },
    "Continue from here");
  onwards.hidden = !document.getElementById("zipped");
  const title = h("h3");
  const captions = films.map(() => h("p", { class: "dcrc-page-caption", "aria-live": "polite" }));
  const cards = h("div", { class: "dcrc-items" });
  const answerCard = h("section", { class: "dcrc-card", "aria-label": "Answer" }, title, cards, captions);
  const whyText = films.map(() => h("p"));
  const whyItem = h("div", { class: "dcrc-items" });
  const whyAttributes = { class: "dcrc-card", "aria-label": "Why", "aria-live": "polite" };
  const whyCard = h("section", whyAttributes, h("h3", {}, "Why"), whyItem, whyText);
  const panels = makePanels(record, planes);
  const list = makeFilmList(record, given, planes, {
    chosen: byAnswers ? (number) => (film.pause(), film.go(steps.findIndex((known) => known > number))) : null,
    marked(one) {
      state.marked = one && !one.pair ? one.t : -1;
      for (const plane of planes) plane.markedPair = one?.pair ? one.t : -1;
      drawAbove();
    },
  });

  /** Leave the film, and let the person answer after as many answers as the model knows here. */
  function goOn() {
    film.pause();
    sizes.disconnect();
    dark.removeEventListener("change", fit);
    document.querySelector("style")?.remove();
    const answers = byAnswers ? steps[film.frame] : given.length;
    document.body.replaceChildren(h("main", { class: "dcrc-live", "data-answers": answers }),
      /** @type {Element} */ (document.getElementById("zipped")));
    void unzip();
  }

  // ---- drawing

  function draw() {
    const { frame } = film;
    const known = [record.triplet_steps[frame], record.pair_steps[frame]];
    answers.take({ start: 0, rows: triplets.subarray(0, 4 * known[0]) });
    for (const picture of pictures) picture.draw(frame, pairs.slice(0, known[1]));
    showText(frame);
    panels.show(frame);
  }

  function showText(/** @type {number} */ frame) {
    counter.textContent = byAnswers ? `${steps[frame]} of ${plural(steps[last], "answer")}`
      : `EM iteration ${steps[frame]} of ${steps[last]}`;
    film.describe(counter.textContent);
    for (const each of maps) each.setAttribute("aria-pressed", String(each.dataset.map === state.map));
    rings.setAttribute("aria-pressed", String(state.truth));
    things.setAttribute("aria-pressed", String(state.items));
    showHappening(frame);
    showWhy();
    list.show(byAnswers ? steps[frame] : given.length);
  }

  function showHappening(/** @type {number} */ frame) {
    const number = byAnswers ? steps[frame] : 0;
    const latest = number > 0 ? given[number - 1] : null;
    title.textContent = !byAnswers ? `EM iteration ${steps[frame]}`
      : latest ? `Answer ${number}: ${SAID[latest.answer]}` : "Before the first answer";
    title.classList.toggle("violated", latest !== null && planes.every((plane) => isViolated(plane, latest)));
    put(cards, latest?.points.map((each, t) => itemOf(each, LETTERS[t])));
    const surprise = latest && record.surprise[number - 1];
    const surprised = surprise == null ? "" : ` It was a surprise of ${bits(surprise)}.`;
    captions.forEach((node, p) =>
      put(node, films[p].title && h("b", {}, `${films[p].title}: `), films[p].captions[frame]));
    captions[0].append(films.length > 1 ? "" : surprised);
  }

  // What is drawn of a point in the picture: its image once that is decoded, or a sign; nothing of others.
  function makeCell(/** @type {number} */ row) {
    const { image: src, text = "" } = record.items?.[row] ?? {};
    const take = (/** @type {import("./placeditems.js").Cell} */ cell) => {
      cells.set(row, cell);
      cancelAnimationFrame(soon);
      soon = requestAnimationFrame(draw);
    };
    cells.set(row, null);
    if (kind() === "texts") take(wordsCell(text, window.devicePixelRatio || 1));
    if (!src) return;
    const image = h("img", { src });
    image.decode().then(() => {
      const side = Math.min(image.naturalWidth, image.naturalHeight);
      const [x, y] = [(image.naturalWidth - side) / 2, (image.naturalHeight - side) / 2];
      take({ image, x, y, width: side, height: side });
    });
  }

  /** A point: what a person sees of it, or its number. @param {number} point @param {string} letter */
  function itemOf(point, letter = "") {
    const item = record.items?.[point];
    const name = `${letter ? `${letter} ` : ""}${called(record.points, point)}`;
    const seen = item?.image
      ? h("img", { src: item.image, alt: item.text, title: item.text })
      : item && h("span", { class: "text" }, item.text);
    return h("figure", {}, seen, h("figcaption", {}, name));
  }

  function showWhy() {
    const point = state.explained;
    put(whyItem, point >= 0 && record.items ? itemOf(point) : null);
    whyText.forEach((node, p) => put(node, films[p].title && point >= 0 && h("b", {}, `${films[p].title}: `),
      point >= 0 ? whyOf(point, p) : p === 0 && "Click a point to read why it is where it is."));
  }

  /** @param {number} point @param {number} p */
  function whyOf(point, p) {
    if (film.frame === last) return `${called(record.points, point)}: ${films[p].why[point]}`;
    const cluster = (/** @type {number} */ frame) => {
      const k = models[p].labelsOf(frame)[point];
      return planes[p].nameOf(k) || `cluster ${k + 1}`;
    };
    return `${called(record.points, point)} is in ${cluster(film.frame)} now, and in ${cluster(last)} at the end.`;
  }

  function explain(/** @type {number} */ i) {
    state.explained = i === state.explained ? -1 : i;
    showWhy();
    list.showRow();
    drawAbove();
  }

  // ---- everything in its place

  const same = (/** @type {string[]} */ [name, text]) => films.every((each) => each.settings[name] === text);
  const words = Object.entries(first.settings).filter(same)
    .map(([name, text]) => h("span", {}, h("b", {}, name), " ", text));
  const what = byAnswers ? "the answers, one after another, with these settings"
    : "the EM iterations of one fit, with these settings";
  const recorded = `Recorded with dcrc_explore ${record.version}: ${what}.`;
  const choices = h("div", { class: "dcrc-maps", role: "group", "aria-label": "Map" }, maps);
  root.classList.toggle("two", films.length > 1);
  root.append(
    h("header", {}, h("div", {}, h("h1", {}, record.name), h("p", {}, record.about.join(" "))),
      h("div", { class: "dcrc-views" }, things, choices, rings, onwards)),
    h("div", { class: "dcrc-pictures" }, pictures.map((picture) => picture.node), film.node),
    h("aside", {}, answerCard, whyCard, list.node),
    panels.node,
    makeClusters(record, planes, models),
    h("footer", {}, h("div", { class: "dcrc-words" }, words), h("p", {}, recorded)));
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const fit = () => {
    document.body.dataset.jpThemeLight = String(!dark.matches);
    pictures.forEach((picture) => picture.fit(root));
    draw();
  };
  const sizes = new ResizeObserver(fit);
  [...pictures.map((picture) => picture.stage), panels.node].forEach((node) => sizes.observe(node));
  dark.addEventListener("change", fit);
}

/** @param {import("./types.d.ts").Numbers} table @param {number} width */
const rowsOf = (table, width) =>
  Array.from({ length: table.length / width }, (_, t) => Array.from(table.subarray(width * t, width * (t + 1))));

/**
 * All answers in the order in which they came.
 * @param {import("./types.d.ts").PageSent} record
 * @param {number[][]} triplets
 * @param {import("./frames.js").TwoPoints[]} pairs
 */
function inOrder({ triplet_numbers: threes, pair_numbers: twos }, triplets, pairs) {
  /** @type {import("./pagelist.js").Given[]} */
  const all = [];
  triplets.forEach(([i, j, k, answer], t) => (all[threes[t]] = { points: [i, j, k], answer, t, pair: false }));
  pairs.forEach(({ i, j, answer }, t) => (all[twos[t]] = { points: [i, j], answer, t, pair: true }));
  return all;
}

const recorded = document.getElementById("recording")?.textContent;
const root = document.querySelector(".dcrc-page");
if (recorded && root instanceof HTMLElement) showPage(JSON.parse(recorded), root);
