// An exploration as a page: the film of its answers, the picture of each model, panels, the list, and why.
// It stands on plane.js, panels.js and frames.js. Nothing here asks anybody for anything.

const RESOLUTION = 150;
const SHOW_EACH = 450; // ms between two frames of the film
const MAPS = [["entropy", "Entropy"], ["regions", "Regions"], ["none", "None"]];

function showPage(record, root) {
  const plane = new Plane();
  const points = { ...record.points, xy: decode(record.points.xy, Float32Array), note: "" };
  const n = points.xy.length / 2;
  const clusters = record.clusters;
  const triplets = decode(record.triplets, Int32Array);
  const labels = decode(record.labels, Uint8Array);
  const truth = decode(record.truth, Uint8Array);
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
      const part = (values) => values.subarray((frame * values.length) / (last + 1), ((frame + 1) * values.length) / (last + 1));
      const score = weights ? linearScore(part(weights))
        : gridScore(part(depths), Math.sqrt(part(depths).length / clusters), record.deepest[frame], points.extent);
      surfaces.set(frame, surfaceOf(score, clusters, points.extent, RESOLUTION));
    }
    return surfaces.get(frame);
  }

  function linksOf(frame) {
    const now = labelsOf(frame);
    const links = new Int32Array(5 * record.answers[frame]);
    for (let t = 0; t < record.answers[frame]; t++) {
      const [i, j, k, answer] = triplets.subarray(4 * t, 4 * t + 4);
      links.set([i, j, k, answer, implied(now[i], now[j], now[k]) !== answer], 5 * t);
    }
    return links;
  }

  // ---- what stands on the page

  const hint = h("div", { class: "dcrc-hint", "aria-hidden": "true" });
  const stage = h("div", { class: "dcrc-plane", tabindex: "0", role: "application" }, plane.below, plane.above, hint);
  const legend = h("div", { class: "dcrc-legend" });
  const slider = h("input", { type: "range", class: "dcrc-film", min: "0", max: String(last), step: "1", "aria-label": "Answers that the model has heard",
    oninput: () => (pause(), go(Number(slider.value))) });
  const play = h("button", { type: "button", class: "dcrc-button dcrc-play-film", onclick: () => (state.playing ? pause() : start()) });
  const counter = h("output", { class: "dcrc-counter" });
  const maps = MAPS.map(([map, label]) => h("button", { type: "button", class: "dcrc-button", "data-map": map, onclick: () => (state.map = map, draw()) }, label));
  const rings = h("button", { type: "button", class: "dcrc-button", onclick: () => (state.truth = !state.truth, draw()) }, "True classes");
  rings.hidden = !truth;
  const title = h("h3");
  const told = h("p", { class: "dcrc-page-told", "aria-live": "polite" });
  const cards = h("div", { class: "dcrc-items" });
  const answerCard = h("section", { class: "dcrc-card", "aria-label": "Answer" }, title, cards, told);
  const whyText = h("p");
  const whyItem = h("div", { class: "dcrc-items" });
  const whyCard = h("section", { class: "dcrc-card", "aria-label": "Why", "aria-live": "polite" }, h("h3", {}, "Why"), whyItem, whyText);
  const rows = h("div", { class: "dcrc-rows", role: "list", tabindex: "0" });
  const listHead = h("div", { class: "dcrc-list-head" });
  const list = h("section", { class: "dcrc-card dcrc-film-list", "aria-label": "Answers" }, listHead, rows);

  function panel(name, label, explanation) {
    const subtitle = h("span", { class: "dcrc-subtitle" });
    const body = h("div", { class: "dcrc-plot" });
    return {
      node: h("section", { class: `dcrc-panel dcrc-panel-${name}`, title: explanation }, h("h4", {}, label, " ", subtitle), body),
      show(about, plot, values) {
        subtitle.textContent = about;
        const { clientWidth: width, clientHeight: height } = body;
        if (width > 40 && height > 30) body.innerHTML = plot(values, width, height);
      },
    };
  }
  const information = panel("information", "Information", "What one answer tells about the memberships, Eqs. (3), (4), (5), over the number of clusters K");
  const quality = panel("quality", "Quality", "Agreement with the true classes against the number of answers");
  const table = panel("table", "Answers", "Rows: the answer given. Columns: the answer that the model implies, Eq. (1)");
  const balance = panel("balance", "Balance", "Share of the points in each cluster, against 1/K");
  quality.node.hidden = !record.quality;
  const panels = h("div", { class: "dcrc-panels" }, ...[information, quality, table, balance].map(({ node }) => node));

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

  const drawAbove = () => plane.drawAbove({ picks: [], hover: state.hover, marked: state.marked, explained: state.explained, answerable: false });

  function draw() {
    const { frame, map } = state;
    const grid = surface(frame);
    const counts = Array(clusters).fill(0);
    for (const k of labelsOf(frame)) counts[k]++;
    plane.setScene({
      clusters, labels: labelsOf(frame), truth: state.truth ? truth : null, links: linksOf(frame), cluster: 0,
      halo: entropy && map === "entropy" ? entropy.subarray(frame * n, (frame + 1) * n) : null,
      resolution: RESOLUTION, regions: grid?.regions, margin: grid?.edge, value: map === "entropy" ? grid?.entropy : grid?.margin,
    });
    plane.drawBelow({ map, links: "last + violated" });
    drawAbove();
    showText(counts);
    showPanels(counts);
    root.dataset.frame = frame;
  }

  function showText(counts) {
    const heard = record.answers[state.frame];
    counter.textContent = `${heard} of ${plural(record.answers[last], "answer")}`;
    slider.setAttribute("aria-valuetext", counter.textContent);
    maps.forEach((button) => button.setAttribute("aria-pressed", button.dataset.map === state.map));
    rings.setAttribute("aria-pressed", state.truth);
    const scale = state.map === "entropy" ? `<span class="scale" title="Entropy of P(y|x): the darker, the less certain"><i>certain</i><b class="entropy"></b><i>uncertain</i></span>` : "";
    legend.innerHTML = `<span class="${keysClass(clusters)}">${counts.map((count, k) =>
      `<span class="dcrc-key">${keySvg(plane, k, count, clusters <= 4 ? `<span class="word">cluster </span>` : "")}</span>`).join("")}</span>${scale}`;
    const { i, j, k, answer, violated } = heard ? plane.link(heard - 1) : {};
    title.textContent = heard ? `Answer ${heard}: ${SAID[answer]}` : "Before the first answer";
    title.classList.toggle("violated", Boolean(violated));
    cards.replaceChildren(...(heard ? [i, j, k].map((point, t) => itemOf(point, LETTERS[t])) : []));
    const surprise = heard ? record.surprise[heard - 1] : null;
    told.textContent = record.told[state.frame] + (surprise == null ? "" : ` It was a surprise of ${surprise.toFixed?.(2) ?? surprise} bit.`);
    showWhy();
    showList(heard);
    stage.setAttribute("aria-label", `${plural(n, "point")} in ${plural(clusters, "cluster")} of ${counts.join(", ")} points, ${counter.textContent}. Arrow keys move between points, Enter says why.`);
  }

  // A point: what a person sees of it, or its number.
  function itemOf(point, letter) {
    const item = record.items?.[point];
    const name = `${letter ? `${letter} ` : ""}x${subscript(point)}`;
    const seen = item?.image ? h("img", { src: item.image, alt: item.text, title: item.text }) : item && h("span", { class: "text" }, item.text);
    return h("figure", {}, seen, h("figcaption", {}, name));
  }

  function showWhy() {
    const point = state.explained;
    whyItem.replaceChildren(...(point >= 0 && record.items ? [itemOf(point)] : []));
    if (point < 0) whyText.textContent = "Click a point to read why it is where it is.";
    else whyText.textContent = state.frame === last ? `x${subscript(point)}: ${record.why[point]}`
      : `x${subscript(point)} is in cluster ${labelsOf(state.frame)[point] + 1} now, and in cluster ${labelsOf(last)[point] + 1} at the end.`;
  }

  function showList(heard) {
    const total = record.answers[last];
    let violated = 0;
    for (let t = 0; t < heard; t++) {
      const broken = plane.link(t).violated;
      violated += broken;
      rows.children[t].className = `dcrc-row${broken ? " violated" : ""}${t === heard - 1 ? " now" : ""}`;
      rows.children[t].querySelector(".state").textContent = broken ? "✕" : "✓";
    }
    for (let t = heard; t < total; t++) {
      rows.children[t].className = "dcrc-row later";
      rows.children[t].querySelector(".state").textContent = "";
    }
    listHead.textContent = heard ? `${heard - violated} kept · ${violated} violated by the model` : total ? "" : "No answers were given.";
    showRow();
  }

  function showRow() {
    const row = rows.children[record.answers[state.frame] - 1];
    if (row) rows.scrollTop = row.offsetTop - rows.offsetTop - rows.clientHeight / 2;
  }

  function fillList() {
    rows.innerHTML = Array.from({ length: record.answers[last] }, (_, t) => {
      const [i, j, k, answer] = triplets.subarray(4 * t, 4 * t + 4);
      const triplet = [i, j, k].map((point, at) => `<small>${LETTERS[at]}</small> x${subscript(point)}`).join(" ");
      return `<div role="listitem" class="dcrc-row" data-t="${t}"><button type="button" class="number" title="Show the model after this answer">${t + 1}</button>
        <span class="triplet">${triplet}</span><span>${SAID[answer]}</span><span class="state"></span></div>`;
    }).join("");
  }

  function showPanels(counts) {
    const heard = record.answers[state.frame];
    information.show("bits by K", informationPanel, record.information);
    if (record.quality) {
      quality.show("by answers", qualityPanel, { answers: record.answers.slice(0, state.frame + 1),
        curves: record.quality.map(({ name, values }) => ({ name, values: values.slice(0, state.frame + 1) })) });
    }
    const place = { 1: 0, "-1": 1, 0: 2 };
    const cells = [0, 1, 2].map(() => [0, 0, 0]);
    const now = labelsOf(state.frame);
    for (let t = 0; t < heard; t++) {
      const { i, j, k, answer } = plane.link(t);
      cells[place[answer]][place[implied(now[i], now[j], now[k])]]++;
    }
    const kept = cells[0][0] + cells[1][1] + cells[2][2];
    if (heard) table.show(`${kept}/${heard} kept`, tablePanel, { counts: cells });
    else table.show("", () => `<p class="dcrc-empty">The answers against those that the model implies.</p>`);
    balance.show("shares", balancePanel, { shares: counts.map((count) => count / n), colours: counts.map((_, k) => plane.colour(k)) });
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
    if (row) pause(), go(record.answers.findIndex((heard) => heard > Number(row.dataset.t)));
  });
  rows.addEventListener("pointerover", ({ target }) => {
    state.marked = Number(target.closest("[data-t]")?.dataset.t ?? -1);
    drawAbove();
  });
  rows.addEventListener("pointerleave", () => (state.marked = -1, drawAbove()));

  // ---- everything in its place

  const words = Object.entries(record.settings).map(([name, text]) => h("span", {}, h("b", {}, name), " ", text));
  root.append(
    h("header", {}, h("div", {}, h("h1", {}, record.name), h("p", {}, record.about.join(" "))),
      h("div", { class: "dcrc-views" }, h("div", { class: "dcrc-maps", role: "group", "aria-label": "Map" }, ...maps), rings)),
    h("div", { class: "dcrc-picture" }, stage, legend, h("div", { class: "dcrc-film-line" }, play, slider, counter)),
    h("aside", {}, answerCard, whyCard, list), panels,
    h("footer", {}, h("div", { class: "dcrc-words" }, ...words), h("p", {}, `Recorded with dcrc_explore ${record.version}: the answers, one after another, with these settings.`)));
  plane.setPoints(points);
  slider.value = last;
  fillList();
  showPlay();
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const fit = () => {
    document.body.dataset.jpThemeLight = !dark.matches;
    plane.resize(stage.clientWidth, stage.clientHeight);
    plane.readTheme(root);
    draw();
  };
  new ResizeObserver(fit).observe(stage);
  new ResizeObserver(fit).observe(panels);
  dark.addEventListener("change", fit);
}

showPage(JSON.parse(document.getElementById("recording").textContent), document.querySelector(".dcrc-page"));
