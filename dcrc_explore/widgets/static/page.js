// An exploration as a page: the film of its answers, the picture of each model, panels, the list, and why.
// Nothing here asks anybody for anything.

import { Answers, triplet } from "./answers.js";
import { h, put } from "./dom.js";
import { decode, gridScore, linearScore, surfaceOf, violatedBits } from "./frames.js";
import { clusterKey, keysClass } from "./markers.js";
import { clamp } from "./numbers.js";
import { makePanels } from "./pagepanels.js";
import { Plane } from "./plane.js";
import { LETTERS, SAID, plural, point as nameOf } from "./say.js";

const RESOLUTION = 150;
const SHOW_EACH = 450; // ms between two frames of the film
const MAPS = [["entropy", "Entropy"], ["regions", "Regions"], ["none", "None"]];

function showPage(record, root) {
  const plane = new Plane({ answers: new Answers() });
  const points = { ...record.points, xy: decode(record.points.xy, Float32Array), note: "" };
  const n = points.xy.length / 2;
  const clusters = record.clusters;
  const triplets = decode(record.triplets, Int32Array);
  const labels = Uint16Array.from(decode(record.labels, Uint8Array));
  const truth = record.truth && Uint16Array.from(decode(record.truth, Uint8Array));
  const weights = decode(record.weights, Float32Array);
  const depths = decode(record.depths, Uint8Array);
  const entropy = decode(record.entropy, Uint8Array);
  const last = record.answers.length - 1;
  const state = { frame: last, map: "entropy", truth: false, hover: -1, marked: -1, explained: -1, playing: 0 };
  const surfaces = new Map();

  // ---- the model of a frame

  const labelsOf = (frame) => labels.subarray(frame * n, (frame + 1) * n);

  function surface(frame) {
    if (!weights && !depths) return null;
    if (!surfaces.has(frame)) {
      if (surfaces.size > 40) surfaces.delete(surfaces.keys().next().value);
      const part = (values) => {
        const each = values.length / (last + 1);
        return values.subarray(frame * each, (frame + 1) * each);
      };
      const score = weights ? linearScore(part(weights))
        : gridScore(part(depths), Math.sqrt(part(depths).length / clusters), record.deepest[frame], points.extent);
      surfaces.set(frame, surfaceOf(score, clusters, points.extent, RESOLUTION));
    }
    return surfaces.get(frame);
  }

  // ---- what stands on the page

  const hint = h("div", { class: "dcrc-hint", "aria-hidden": "true" });
  const stage = h("div", { class: "dcrc-plane", tabindex: "0", role: "application" }, plane.below, plane.above, hint);
  const legend = h("div", { class: "dcrc-legend" });
  const slider = h("input", {
    type: "range", class: "dcrc-film", min: "0", max: last, step: "1", "aria-label": "Answers that the model has heard",
    oninput: () => (pause(), go(Number(slider.value))),
  });
  const toggle = () => (state.playing ? pause() : start());
  const play = h("button", { type: "button", class: "dcrc-button dcrc-play-film", onclick: toggle });
  const counter = h("output", { class: "dcrc-counter" });
  const viewButton = (label, change, attributes = {}) => {
    const onclick = () => (change(), draw());
    return h("button", { type: "button", class: "dcrc-button", onclick, ...attributes }, label);
  };
  const maps = MAPS.map(([map, label]) => viewButton(label, () => (state.map = map), { "data-map": map }));
  const rings = viewButton("True classes", () => (state.truth = !state.truth));
  rings.hidden = !truth;
  const title = h("h3");
  const told = h("p", { class: "dcrc-page-told", "aria-live": "polite" });
  const cards = h("div", { class: "dcrc-items" });
  const answerCard = h("section", { class: "dcrc-card", "aria-label": "Answer" }, title, cards, told);
  const whyText = h("p");
  const whyItem = h("div", { class: "dcrc-items" });
  const whyAttributes = { class: "dcrc-card", "aria-label": "Why", "aria-live": "polite" };
  const whyCard = h("section", whyAttributes, h("h3", {}, "Why"), whyItem, whyText);
  const rows = h("div", { class: "dcrc-rows", role: "list", tabindex: "0" });
  const listHead = h("div", { class: "dcrc-list-head" });
  const list = h("section", { class: "dcrc-card dcrc-film-list", "aria-label": "Answers" }, listHead, rows);

  const panels = makePanels(record, plane);

  // ---- the film

  function go(frame) {
    state.frame = clamp(frame, 0, last);
    slider.value = state.frame;
    draw();
  }
  function start() {
    if (state.frame === last) go(0);
    state.playing = setInterval(() => (state.frame < last ? go(state.frame + 1) : pause()), SHOW_EACH);
    showPlay();
  }
  function pause() {
    clearInterval(state.playing);
    state.playing = 0;
    showPlay();
  }
  function showPlay() {
    play.textContent = state.playing ? "❚❚" : "▶";
    play.title = state.playing ? "Pause" : "Play the answers from the first";
    play.setAttribute("aria-label", play.title);
  }

  // ---- drawing

  function drawAbove() {
    const { marked, explained } = state;
    plane.drawAbove({ picks: [], hover: -1, marked, explained });
  }

  function draw() {
    const { frame, map } = state;
    const grid = surface(frame);
    const counts = Array(clusters).fill(0);
    for (const k of labelsOf(frame)) counts[k]++;
    plane.answers.take({ start: 0, rows: triplets.subarray(0, 4 * record.answers[frame]) });
    plane.setScene({
      clusters, names: [], counts, labels: labelsOf(frame), truth: state.truth ? truth : null, cluster: 0,
      violated: violatedBits(plane.answers, labelsOf(frame)), kept: null,
      halo: entropy && map === "entropy" ? entropy.subarray(frame * n, (frame + 1) * n) : null,
      resolution: RESOLUTION, regions: grid?.regions ?? null, margin: grid?.edge,
      value: map === "entropy" ? grid?.entropy : grid?.margin,
    });
    plane.drawBelow({ map, links: "last + violated" });
    drawAbove();
    showText(counts);
    panels.show(frame, counts, labelsOf(frame));
    root.dataset.frame = frame;
  }

  function showText(counts) {
    const heard = record.answers[state.frame];
    counter.textContent = `${heard} of ${plural(record.answers[last], "answer")}`;
    slider.setAttribute("aria-valuetext", counter.textContent);
    for (const each of maps) each.setAttribute("aria-pressed", String(each.dataset.map === state.map));
    rings.setAttribute("aria-pressed", String(state.truth));
    showLegend(counts);
    showAnswer(heard);
    showWhy();
    showList(heard);
    const sizes = `${plural(n, "point")} in ${plural(clusters, "cluster")} of ${counts.join(", ")} points`;
    const keys = "Arrow keys move between points, Enter says why.";
    stage.setAttribute("aria-label", `${sizes}, ${counter.textContent}. ${keys}`);
  }

  function showLegend(counts) {
    const word = () => (clusters <= 4 ? h("span", { class: "word" }, "cluster ") : null);
    const keys = counts.map((count, k) => h("span", { class: "dcrc-key" }, clusterKey(plane, k, count, word())));
    const scale = state.map === "entropy" &&
      h("span", { class: "scale", title: "Entropy of P(y|x): the darker, the less certain" },
        h("i", {}, "certain"), h("b", { class: "entropy" }), h("i", {}, "uncertain"));
    put(legend, h("span", { class: keysClass(clusters) }, keys), scale);
  }

  function showAnswer(heard) {
    const { i, j, k, answer } = heard ? plane.answers.at(heard - 1) : {};
    title.textContent = heard ? `Answer ${heard}: ${SAID[answer]}` : "Before the first answer";
    title.classList.toggle("violated", heard > 0 && plane.isViolated(heard - 1));
    put(cards, heard ? [i, j, k].map((each, t) => itemOf(each, LETTERS[t])) : []);
    const surprise = heard ? record.surprise[heard - 1] : null;
    const bits = surprise == null ? "" : ` It was a surprise of ${surprise.toFixed?.(2) ?? surprise} bit.`;
    told.textContent = record.told[state.frame] + bits;
  }

  // A point: what a person sees of it, or its number.
  function itemOf(point, letter) {
    const item = record.items?.[point];
    const name = `${letter ? `${letter} ` : ""}${nameOf(point)}`;
    const seen = item?.image
      ? h("img", { src: item.image, alt: item.text, title: item.text })
      : item && h("span", { class: "text" }, item.text);
    return h("figure", {}, seen, h("figcaption", {}, name));
  }

  function showWhy() {
    const point = state.explained;
    put(whyItem, point >= 0 && record.items ? itemOf(point) : null);
    const clusterAt = (frame) => labelsOf(frame)[point] + 1;
    if (point < 0) whyText.textContent = "Click a point to read why it is where it is.";
    else if (state.frame === last) whyText.textContent = `${nameOf(point)}: ${record.why[point]}`;
    else {
      const now = `is in cluster ${clusterAt(state.frame)} now, and in cluster ${clusterAt(last)} at the end.`;
      whyText.textContent = `${nameOf(point)} ${now}`;
    }
  }

  function showList(heard) {
    const total = record.answers[last];
    let violated = 0;
    for (let t = 0; t < heard; t++) {
      const broken = plane.isViolated(t);
      violated += Number(broken);
      rows.children[t].className = `dcrc-row${broken ? " violated" : ""}${t === heard - 1 ? " now" : ""}`;
      rows.children[t].querySelector(".state").textContent = broken ? "✕" : "✓";
    }
    for (let t = heard; t < total; t++) {
      rows.children[t].className = "dcrc-row later";
      rows.children[t].querySelector(".state").textContent = "";
    }
    const kept = `${heard - violated} kept · ${violated} violated by the model`;
    listHead.textContent = heard ? kept : total ? "" : "No answers were given.";
    showRow();
  }

  function showRow() {
    const row = rows.children[record.answers[state.frame] - 1];
    if (row) rows.scrollTop = row.offsetTop - rows.offsetTop - rows.clientHeight / 2;
  }

  function fillList() {
    put(rows, Array.from({ length: record.answers[last] }, (_, t) => {
      const [i, j, k, answer] = triplets.subarray(4 * t, 4 * t + 4);
      const attributes = { type: "button", class: "number", title: "Show the model after this answer" };
      return h("div", { role: "listitem", class: "dcrc-row", "data-t": t }, h("button", attributes, t + 1),
        triplet({ i, j, k }), h("span", {}, SAID[answer]), h("span", { class: "state" }));
    }));
  }

  // ---- pointer and keys

  function hoverOver(i) {
    state.hover = i;
    stage.style.cursor = i < 0 ? "default" : "pointer";
    hint.textContent = i < 0 ? "" : plane.hint(i);
    drawAbove();
  }
  function explain(i) {
    state.explained = i === state.explained ? -1 : i;
    showWhy();
    showRow();
    drawAbove();
  }
  const pointAt = ({ clientX, clientY }) => {
    const box = stage.getBoundingClientRect();
    return plane.nearest(clientX - box.left, clientY - box.top);
  };
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  stage.locate = (i) => ({ x: plane.at[2 * i], y: plane.at[2 * i + 1] }); // where a point is drawn, for tests
  stage.addEventListener("pointermove", (event) => hoverOver(pointAt(event)));
  stage.addEventListener("pointerleave", () => hoverOver(-1));
  stage.addEventListener("click", (event) => explain(pointAt(event)));
  stage.addEventListener("keydown", (event) => {
    if (ARROWS[event.key]) hoverOver(plane.towards(state.hover, ...ARROWS[event.key]));
    else if (event.key === "Enter" || event.key === " ") explain(state.hover);
    else return;
    event.preventDefault();
  });
  rows.addEventListener("click", ({ target }) => {
    const row = target.closest("[data-t]");
    if (!row) return;
    pause();
    go(record.answers.findIndex((heard) => heard > Number(row.dataset.t)));
  });
  rows.addEventListener("pointerover", ({ target }) => {
    state.marked = Number(target.closest("[data-t]")?.dataset.t ?? -1);
    drawAbove();
  });
  rows.addEventListener("pointerleave", () => (state.marked = -1, drawAbove()));

  // ---- everything in its place

  const words = Object.entries(record.settings).map(([name, text]) => h("span", {}, h("b", {}, name), " ", text));
  const recorded = `Recorded with dcrc_explore ${record.version}: the answers, one after another, with these settings.`;
  const choices = h("div", { class: "dcrc-maps", role: "group", "aria-label": "Map" }, maps);
  root.append(
    h("header", {}, h("div", {}, h("h1", {}, record.name), h("p", {}, record.about.join(" "))),
      h("div", { class: "dcrc-views" }, choices, rings)),
    h("div", { class: "dcrc-picture" }, stage, legend, h("div", { class: "dcrc-film-line" }, play, slider, counter)),
    h("aside", {}, answerCard, whyCard, list),
    panels.node,
    h("footer", {}, h("div", { class: "dcrc-words" }, words), h("p", {}, recorded)));
  plane.setPoints(points);
  slider.value = last;
  fillList();
  showPlay();
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const fit = () => {
    document.body.dataset.jpThemeLight = String(!dark.matches);
    plane.resize(stage.clientWidth, stage.clientHeight);
    plane.readTheme(root);
    draw();
  };
  new ResizeObserver(fit).observe(stage);
  new ResizeObserver(fit).observe(panels.node);
  dark.addEventListener("change", fit);
}

const recorded = document.getElementById("recording")?.textContent;
if (recorded) showPage(JSON.parse(recorded), document.querySelector(".dcrc-page"));
