// Compare: two models of the same data and answers side by side, and a third picture of where they disagree.

const COMPARE_TABS = [["disputes", "Disputed answers"], ["first", "First model"], ["second", "Second model"], ["ask", "Ask"]];

// Where two models disagree: grey points agree; the others have the marker of the second model in a ring of the first.
class DifferencePlane extends Plane {
  setScene({ models, apart }) {
    super.setScene({ ...models[0], halo: null, truth: null });
    this.apart = apart;
    this.second = bytes(models[1].labels);
    this.surfaces = models.map((scene) => scene.regions && { size: scene.resolution, regions: bytes(scene.regions), margin: bytes(scene.margin) });
    this.difference = apart.map && bytes(apart.map);
    this.pointDifference = apart.halo && bytes(apart.halo);
  }

  readTheme(element) {
    super.readTheme(element);
    const style = getComputedStyle(element);
    for (const name of ["first", "second", "muted"]) this.ink[name] = style.getPropertyValue(`--dcrc-${name}`).trim();
  }

  drawBelow({ kind }) {
    if (!this.apart || !this.at || !this.ink) return;
    const ctx = this.begin(this.below);
    const { surface, first, second, bad, ink } = this.ink;
    const [paper, orange, purple, red] = [surface, first, second, bad].map(rgb);
    const colour = (value) => mix(paper, value < 128 ? orange : purple, (0.9 * Math.abs(value - 128)) / 127);
    const [one, two] = this.surfaces;
    if (one && kind === "entropy") {
      const table = Uint32Array.from({ length: 256 }, (_, value) => packed(colour(value)));
      this.fillMap(ctx, one.size, (cell) => table[this.difference[cell]]);
    } else if (one) {
      const [same, other] = [packed(paper), packed(mix(paper, red, 0.35))];
      this.fillMap(ctx, one.size, (cell) => (one.regions[cell] === two.regions[cell] ? same : other));
    } else if (this.pointDifference && kind === "entropy") {
      for (let i = 0; i < this.n; i++) {
        ctx.fillStyle = `rgb(${colour(this.pointDifference[i]).join(" ")})`;
        ctx.fill(markerPath("circle", this.at[2 * i], this.at[2 * i + 1], this.radius * 2.2));
      }
    }
    if (one) this.drawBoundaries(ctx, one), this.drawBoundaries(ctx, two, this.ink.accent, 2.2);
    for (let i = 0; i < this.n; i++) {
      if (this.labels[i] === this.second[i]) continue;
      for (const [stroke, width] of [[surface, 6], [this.colour(this.labels[i]), 3]]) {
        ctx.strokeStyle = stroke;
        ctx.lineWidth = width;
        ctx.stroke(markerPath("circle", this.at[2 * i], this.at[2 * i + 1], this.radius + 4));
      }
    }
    ctx.globalAlpha = 0.55;
    ctx.fillStyle = ink;
    for (let i = 0; i < this.n; i++) {
      if (this.labels[i] === this.second[i]) ctx.fill(markerPath("circle", this.at[2 * i], this.at[2 * i + 1], this.radius * 0.45));
    }
    ctx.globalAlpha = 1;
    this.drawPoints(ctx, (i) => (this.labels[i] === this.second[i] ? -1 : this.second[i]));
  }

  hint(i) {
    const [a, b] = [this.labels[i] + 1, this.second[i] + 1];
    return `x${subscript(i)} · ${a === b ? `cluster ${a} in both` : `cluster ${a} in the first, ${b} in the second`}`;
  }
}

const COMPARE_HELP = `
<div class="dcrc-help-columns">
  ${KEYS_HELP}
  <section><h4>Three pictures</h4><dl>
    <dt>first, second</dt><dd>two models with the same data and answers; a click or an answer counts for both</dd>
    <dt>purple</dt><dd>the second model is less certain here: its entropy of P(y|x) is higher</dd>
    <dt>orange</dt><dd>the first model is less certain here</dd>
    <dt class="bad">red area</dt><dd>places that the models give to different clusters</dd>
    <dt>ring</dt><dd>a point that changes its cluster: the ring is the first model's, the marker the second's</dd>
    <dt>thin, thick line</dt><dd>boundaries of the first and (thick, blue) of the second model in the third picture</dd></dl></section>
  <section><h4>Soft and hard</h4><dl>
    <dt>soft</dt><dd>an answer may be wrong with probability ε, Eq. (13)</dd>
    <dt>hard</dt><dd>ε = 0: a point goes where most of its answers hold, Eq. (14)</dd>
    <dt>when they differ</dt><dd>with few answers or with wrong ones. A point that stands in many answers without errors is decided as firmly by ε = 0.05 as by 0.</dd>
    <dt>disputed</dt><dd>an answer that one model satisfies and the other violates</dd></dl></section>
</div>`;

function render({ model, el }) {
  const planes = [new Plane(), new Plane(), new DifferencePlane()];
  ["First model: ", "Second model: ", "Difference: "].forEach((name, p) => (planes[p].name = name));
  let kind = "entropy";
  const tool = makeTool(model, el, planes, COMPARE_HELP, {
    drawBelow: () => planes.forEach((plane, p) => plane.drawBelow(p < 2 ? model.get("options") : { kind })),
    attached() {
      tabs.open(tabs.shown ?? "disputes");
      showStatus();
      markEpsilon(tool);
    },
  });
  const { stages } = tool;

  // ---- settings and pictures

  const differences = h("div", { class: "dcrc-differences", "aria-live": "polite" });
  const kinds = [["entropy", "Entropy", "Entropy of P(y|x), second minus first, in bits"], ["changed", "Assignment", "Places that belong to different clusters"]].map(([name, label, title]) =>
    h("button", { type: "button", title, "data-kind": name, "aria-pressed": String(name === kind), onclick: () => {
      kind = name;
      kinds.forEach((button) => button.setAttribute("aria-pressed", button.dataset.kind === kind));
      planes[2].drawBelow({ kind });
      showLegends();
    } }, label));
  const titles = ["First", "Second", "Difference"].map((text) => h("h4", {}, text, " ", h("span", { class: "dcrc-subtitle" })));
  const legends = stages.map(() => h("div", { class: "dcrc-legend" }));
  const pictures = stages.map((stage, p) => h("figure", { class: `dcrc-picture dcrc-picture-${p}` },
    titles[p], stage, legends[p]));
  const switching = h("div", { class: "dcrc-switch", role: "group", "aria-label": "What the third picture shows" }, ...kinds);
  const scale = h("span", { class: "scale" });
  legends[2].append(switching, scale);

  function showDifferences() {
    const list = model.get("scene").differences;
    differences.innerHTML = list.map(([name, first, second]) =>
      `<span class="difference"><b>${escape(name)}</b><span class="one">${escape(first)}</span><i>against</i><span class="two">${escape(second)}</span></span>`).join("") +
      `<small>${list.length ? "all other settings are the same" : "Both models have the same settings. Change one of them in the tabs below."}</small>`;
  }

  function showLegends() {
    const { models, apart } = model.get("scene");
    models.forEach(({ clusters, counts }, p) => {
      const plane = planes[p];
      let violated = 0;
      for (let t = 0; t < plane.answers; t++) violated += plane.link(t).violated;
      titles[p].lastChild.textContent = plane.answers ? `${violated} of ${plural(plane.answers, "answer")} violated` : "no answers yet";
      legends[p].innerHTML = `<span class="${keysClass(clusters)}">${counts.map((count, k) =>
        `<span title="Cluster ${k + 1}: ${plural(count, "point")}">${keySvg(plane, k, count)}</span>`).join("")}</span>` +
        `<span title="Mean entropy of P(y|x) over the points">${apart.entropy[p].toFixed(2)} bit</span>`;
    });
    titles[2].lastChild.textContent = apart.changed ? `${apart.changed} of ${planes[0].n} points change` : "no point changes";
    const most = apart.most.toFixed(2);
    scale.title = kind === "entropy" ? `Entropy of P(y|x), second minus first, up to ${most} bit. Orange: the first is less certain; purple: the second` : "Places that the two models give to different clusters";
    scale.innerHTML = kind === "entropy" ? `<i><span class="long">less certain: </span>first</i><b class="apart"></b><i>second<span class="long">, ${most} bit</span></i>` : `<b class="changed"></b><i>other cluster</i>`;
  }

  // ---- the disputed answers

  const rows = h("div", { class: "dcrc-rows", role: "list" });
  const list = h("section", { class: "dcrc-list", "aria-label": "Disputed answers" }, rows);
  tool.markRows(rows);
  const tabs = tool.makeTabs(COMPARE_TABS, showList);

  function showList() {
    const { disputes } = model.get("scene");
    tabs.button("disputes").textContent = disputes.length ? `Disputed answers (${disputes.length})` : "Disputed answers";
    if (tabs.shown !== "disputes") return;
    const verdict = (given, implied, who) => `<span class="verdict${given === implied ? "" : " violated"}" title="${who} model ${
      given === implied ? "satisfies the answer" : `implies ${SAID[implied]}`}">${given === implied ? "✓" : "✕"} ${SHORT[implied]}</span>`;
    const head = `<div class="dcrc-row dcrc-row-head"><span class="number"></span><span class="triplet">A is more similar to B than to C?</span><span class="said">said</span><span class="verdict">first</span><span class="verdict">second</span></div>`;
    const html = disputes.map(([t, given, first, second]) => {
      const { i, j, k } = planes[0].link(t);
      return `<div role="listitem" class="dcrc-row" data-t="${t}" tabindex="0"><span class="number">${t + 1}</span>` +
        `<span class="triplet">${[i, j, k].map((point, at) => `<small>${LETTERS[at]}</small> x${subscript(point)}`).join(" ")}</span>` +
        `<span class="said">${SHORT[given]}</span>${verdict(given, first, "The first")}${verdict(given, second, "The second")}</div>`;
    });
    const n = planes[0].answers;
    rows.innerHTML = disputes.length ? head + html.join("") : `<p class="dcrc-empty">${n
      ? `The two models agree on ${n === 1 ? "the answer" : `all ${n} answers`}: each is satisfied by both or violated by both.`
      : "No answers yet. Click three points in any picture and answer; both models learn from it. Answers that one model satisfies and the other violates appear here."}</p>`;
  }

  // ---- status

  const status = h("span", { class: "dcrc-status-text" });
  function showStatus() {
    const { version, saved, unsaved, milliseconds } = model.get("scene");
    const { answers } = planes[0];
    status.textContent = [plural(answers, "answer"), `both fitted in ${Math.max(1, Math.round(milliseconds.fit))} ms`, planes[0].points.note,
      unsaved ? "not saved" : saved && `saved to ${saved}`].filter(Boolean).join(" · ");
    status.classList.toggle("bad", Boolean(unsaved));
    tool.root?.setAttribute("data-version", version);
    tool.root?.setAttribute("data-answers", answers);
  }

  // ---- following Python

  function setScenes() {
    const scene = model.get("scene");
    planes.forEach((plane, p) => plane.setScene(p < 2 ? scene.models[p] : scene));
  }
  const showScene = () => tool.newScene(() => (showStatus(), showDifferences(), showLegends(), requestAnimationFrame(() => setTimeout(showList))));
  tool.follow({
    points: tool.newPoints,
    scene: () => (setScenes(), showScene()),
  });

  el.append(differences, h("div", { class: "dcrc-pictures" }, ...pictures, tool.notice), tool.card, tabs.node, list, h("div", { class: "dcrc-status" }, status, tool.helpButton), tool.sheet);
  tool.newPoints();
  setScenes();
  showScene();
  tool.begin();
  return tool.end;
}

export default { render };
