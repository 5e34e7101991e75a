// The Explorer: the picture with its question, tabs with the list of answers, five panels, and the status line.
// It stands on plane.js, tool.js and panels.js, which are sent with it as one module.
//
// Python -> browser, beside what every tool gets: panels (the numbers that follow the picture), hidden (groups left out)

const TABS = [["data", "Data"], ["model", "Model"], ["ask", "Ask"], ["answers", "Answers"], ["why", "Why"], ["session", "Session"]];
const FRAME = 60; // ms between two pictures of a replay
const TRASH = `<svg viewBox="0 0 16 16" width="13" height="13" fill="none" stroke="currentColor" stroke-width="1.4"
  stroke-linecap="round" aria-hidden="true"><path d="M2.5 4.5h11M6 4V2.5h4V4M4 4.5l.7 9h6.6l.7-9M6.7 7v4M9.3 7v4"/></svg>`;
const NO_ANSWERS = `<p class="dcrc-empty">No answers yet. Click three points and say whether A is more similar to B than to C;
  each answer appears here and can be changed.</p>`;
const HELP = `<div class="dcrc-help-columns">${KEYS_HELP}
  <section><h4>Picture</h4><dl>
    <dt>colour and shape</dt><dd>the cluster of a point; it stays from fit to fit</dd>
    <dt>dark map</dt><dd>entropy of P(y|x): the model is unsure here</dd>
    <dt>line</dt><dd>decision boundary</dd>
    <dt>solid, dashed</dt><dd>an answer: A to the more similar point, and to the other</dd>
    <dt>dotted</dt><dd>an answer “don't know”</dd>
    <dt class="bad">red</dt><dd>the model implies another answer (violated)</dd>
    <dt>ring</dt><dd>the true class, in the colour of the cluster that fits it best</dd></dl></section>
  <section><h4>Symbols of the paper</h4><dl>
    <dt>x<sub>i</sub> x<sub>j</sub> x<sub>k</sub></dt><dd>the points A, B, C of a triplet</dd>
    <dt>l</dt><dd>the answer, Eq. (1); yes: A and B share a cluster and C does not; no: A and C do and B does not;
      don't know: anything else</dd>
    <dt>ε</dt><dd>probability that an answer is wrong, Table I; 0 makes answers hard, 2/3 ignores them</dd>
    <dt>τ, λ</dt><dd>weight of cluster separation, and of small weights W, Eqs. (8), (9)</dd>
    <dt>K, M</dt><dd>number of clusters, number of answers</dd>
    <dt>bit</dt><dd>worth: mutual information of the answer and the three memberships; surprise: −log₂ of the
      answer's probability</dd></dl></section>
  ${WHY_HELP}
</div>`;

function render({ model, el }) {
  const plane = new Plane();
  let panelsAsked = null; // version of the picture for which panels were requested
  let playing = 0; // when the last picture of a replay that plays was asked for; 0 otherwise
  const tool = makeTool(model, el, [plane], HELP, {
    drawBelow: () => plane.drawBelow(model.get("options")),
    resized: () => (showPanels(), why.show()),
    picked: (i) => why.explain(i),
    attached() {
      tabs.open(tabs.shown);
      showStatus();
      markEpsilon(tool);
    },
    idle() {
      // Panels follow the picture as soon as nothing more urgent waits.
      const { version } = model.get("scene");
      if (playing || version === model.get("panels").version || version === panelsAsked) return why.wanted();
      panelsAsked = version;
      return { do: "panels" };
    },
  });
  const { request, listen } = tool;
  const [stage] = tool.stages;
  const badge = h("div", { class: "dcrc-badge" });
  const legend = h("div", { class: "dcrc-legend" });
  stage.append(badge);

  // ---- the list of answers

  const rows = h("div", { class: "dcrc-rows", role: "list" });
  const listHead = h("div", { class: "dcrc-list-head" });
  const list = h("section", { class: "dcrc-list", "aria-label": "Answers" }, listHead, rows);
  const tabs = tool.makeTabs(TABS, () => (showList(), why.show(), tool.check()));
  const why = makeWhy(model, tool, plane, () => tabs.shown === "why");
  tool.markRows(rows);

  function showList() {
    const n = plane.answers;
    tabs.button("answers").textContent = n ? `Answers (${n})` : "Answers";
    if (tabs.shown !== "answers") return;
    const focused = rows.contains(document.activeElement);
    const links = Array.from({ length: n }, (_, t) => plane.link(t));
    const violated = links.filter((link) => link.violated).length;
    listHead.textContent = n ? `${n - violated} kept · ${violated} violated by the model` : "";
    rows.innerHTML = links.map(row).reverse().join("") || NO_ANSWERS;
    if (focused) tool.focusStage();
  }

  function row({ i, j, k, answer, violated }, t) {
    const flip = (value, name) => {
      const title = value === answer ? "the answer given" : `change the answer to ${SAID[value]}`;
      return `<button type="button" data-flip="${value}" aria-pressed="${value === answer}" title="${title}">${name}</button>`;
    };
    const triplet = [i, j, k].map((point, at) => `<small>${LETTERS[at]}</small> x${subscript(point)}`).join(" ");
    const state = violated ? "violated: the model implies another answer" : "kept: the model implies the same answer";
    return `<div role="listitem" class="dcrc-row${violated ? " violated" : ""}" data-t="${t}">
      <span class="number">${t + 1}</span><span class="triplet">${triplet}</span>
      <span class="flip" role="group" aria-label="Answer ${t + 1}">${flip(1, "yes")}${flip(-1, "no")}${flip(0, "dnk")}</span>
      <span class="state" title="${state}">${violated ? "✕" : "✓"}</span>
      <button type="button" class="delete" data-delete title="Delete answer ${t + 1}" aria-label="Delete answer ${t + 1}">
      ${TRASH}</button></div>`;
  }

  listen(rows, "click", ({ target }) => {
    const index = Number(target.closest("[data-t]")?.dataset.t);
    const button = target.closest("button");
    if (!button) return;
    if ("delete" in button.dataset) request({ do: "delete", index });
    else if (button.getAttribute("aria-pressed") !== "true") {
      request({ do: "flip", index, answer: Number(button.dataset.flip) });
    }
  });

  // ---- panels

  function panel(name, title, explanation) {
    const subtitle = h("span", { class: "dcrc-subtitle" });
    const body = h("div", { class: "dcrc-plot" });
    const attributes = { class: `dcrc-panel dcrc-panel-${name}`, title: explanation };
    const node = h("section", attributes, h("h4", {}, title, " ", subtitle), body);
    return {
      node,
      show(about, plot, values) {
        subtitle.textContent = about;
        const { clientWidth: width, clientHeight: height } = body;
        const scale = scaleOf(body);
        if (width > 40 && height > 30) body.innerHTML = plot(values, width / scale, height / scale);
      },
    };
  }
  const empty = (text) => () => `<p class="dcrc-empty">${text}</p>`;
  const information = panel("information", "Information",
    "What one answer tells about the memberships, Eqs. (3), (4), (5), over the number of clusters K");
  const objective = panel("objective", "Objective",
    "The bound of Eq. (10) and its terms by EM iteration; move the slider to see the model at that iteration");
  const quality = panel("quality", "Quality", "Agreement with the true classes against the number of answers");
  const table = panel("table", "Answers",
    "Rows: the answer given. Columns: the answer that the model implies, Eq. (1)");
  const balance = panel("balance", "Balance", "Share of the points in each cluster, against 1/K");
  const replay = h("input", {
    type: "range", class: "dcrc-replay", min: "0", max: "0", step: "1", "aria-label": "EM iteration shown",
    title: "Replay the fit: the picture shows the model at this EM iteration",
    oninput: () => (pause(), replayAt(Number(replay.value))),
  });
  const play = h("button", { type: "button", class: "dcrc-play", onclick: () => (playing ? pause() : start()) });
  objective.node.append(h("div", { class: "dcrc-replay-line" }, play, replay));

  // While the replay plays, each picture asks for the next one; everything but the picture, the bound and the
  // explained point waits until it ends.
  function replayAt(iteration) {
    replay.value = iteration;
    const { version } = model.get("scene");
    request({ do: "replay", iteration, key: why.key(version + 1), ...why.inReplay() });
  }
  function start() {
    const from = model.get("scene").iteration ?? Number(replay.max); // no iteration is the end
    playing = performance.now();
    showPlay();
    replayAt(from < Number(replay.max) ? from + 1 : 0);
  }
  function pause() {
    playing = 0;
    showPlay();
  }
  function nextFrame() {
    if (!playing) return;
    const { iteration } = model.get("scene");
    if (iteration == null || iteration !== Number(replay.value)) return void (pause(), tool.check()); // at the end, or something else was done
    const wait = Math.max(0, playing + FRAME - performance.now());
    setTimeout(() => {
      if (!playing || tool.stopped()) return;
      playing = performance.now();
      replayAt(iteration + 1);
    }, wait);
  }
  function showPlay() {
    play.textContent = playing ? "❚❚" : "▶";
    play.title = playing ? "Pause" : "Play the EM iterations of this fit, from the initialisation on";
    play.setAttribute("aria-label", play.title);
  }
  showPlay();
  const panels = h("div", { class: "dcrc-panels" },
    ...[information, objective, quality, table, balance].map(({ node }) => node));

  function showPanels() {
    const data = model.get("panels");
    if (!data.information) return;
    information.show("bits by K", informationPanel, data.information);
    const { iteration, iterations } = data.objective;
    if (document.activeElement !== replay || Number(replay.max) !== iterations) {
      replay.max = iterations;
      replay.value = iteration;
    }
    showObjective(data.objective, model.get("scene").iteration ?? iterations);
    if (data.quality) quality.show("by answers", qualityPanel, data.quality);
    else quality.show("", empty("These data have no true classes to compare with."));
    const { kept, violated } = data.table;
    if (kept + violated) table.show(`${kept}/${kept + violated} kept`, tablePanel, data.table);
    else table.show("", empty("Your answers against those that the model implies."));
    const { shares } = data.balance;
    balance.show("shares", balancePanel, { shares, colours: shares.map((_, k) => plane.colour(k)) });
  }

  function showObjective(values, iteration) {
    const { iterations, ending } = values;
    objective.show(`EM ${iteration} of ${iterations}${ending ? `, ${ending}` : ""}`, objectivePanel, { ...values, iteration });
  }

  // ---- status and legend

  const status = h("span", { class: "dcrc-status-text" });

  function showStatus() {
    const { version, iteration, satisfied, saved, unsaved, milliseconds } = model.get("scene");
    const F = model.get("panels").quality?.curves[0].values.at(-1);
    status.textContent = [
      plural(plane.answers, "answer"),
      `fitted in ${Math.max(1, Math.round(milliseconds.fit))} ms`,
      F != null && `F ${F.toFixed(2)}`,
      unsaved ? "not saved" : saved && `saved to ${saved}`,
    ].filter(Boolean).join(" · ");
    status.classList.toggle("bad", Boolean(unsaved));
    badge.textContent = iteration == null ? plane.points.note
      : `replay: EM iteration ${iteration}${plane.answers ? ` · Q satisfies ${Number(satisfied.toFixed(1))} answers` : ""}`;
    badge.hidden = !badge.textContent;
    tool.root?.setAttribute("data-version", version);
    tool.root?.setAttribute("data-answers", plane.answers);
  }

  function showLegend() {
    const { clusters, counts, cluster } = model.get("scene");
    const { map } = model.get("options");
    const keys = counts.map((count, k) => {
      const title = `Cluster ${k + 1}: ${plural(count, "point")}. Click to map its probability, P(y = ${k + 1} | x)`;
      const word = clusters <= 4 ? `<span class="word">cluster </span>` : "";
      return `<button type="button" data-cluster="${k}" title="${title}">${keySvg(plane, k, count, word)}</button>`;
    });
    const full = `color-mix(in srgb, ${plane.colour(cluster)} 60%, var(--dcrc-plane))`;
    const scales = {
      entropy: `<span class="scale" title="Entropy of P(y|x): the darker, the less certain"><i>certain</i><b class="entropy"></b><i>uncertain</i></span>`,
      probability: `<span class="scale" title="P(y = ${cluster + 1} | x), from 0 to 1"><i>0</i><b style="--to:${full}"></b><i>P(y = ${cluster + 1})</i></span>`,
    };
    legend.innerHTML = `<span class="${keysClass(clusters)}">${keys.join("")}</span>${scales[map] ?? ""}`;
  }
  listen(legend, "click", ({ target }) => {
    const key = target.closest("[data-cluster]");
    if (key) request({ do: "cluster", cluster: Number(key.dataset.cluster) });
  });

  // ---- a text to copy

  function showText({ title, text, query }) {
    const copied = h("span", { role: "status" });
    const area = h("textarea", { readonly: true, rows: "14", spellcheck: "false", "aria-label": title });
    area.value = query == null ? text : `${location.origin}${location.pathname}?${query}`;
    const copy = () => {
      area.select();
      document.execCommand("copy"); // works on a plain http page too, where navigator.clipboard does not
      copied.textContent = "copied";
    };
    const button = h("button", { type: "button", class: "dcrc-button", onclick: copy }, h("span", {}, "Copy"));
    tool.openSheet(title, h("div", { class: "dcrc-text" }, area, h("div", { class: "dcrc-more" }, button, copied)));
  }
  const onMessage = (content) => content.show && showText(content.show);
  model.on("msg:custom", onMessage);
  tool.cleanups.push(() => model.off("msg:custom", onMessage));

  // ---- following Python

  function showScene() {
    plane.setScene(model.get("scene"));
    tool.newScene(() => {
      showStatus();
      showLegend();
      if (playing) {
        const values = model.get("panels").objective;
        const { iteration } = model.get("scene");
        showObjective(values, iteration ?? values.iterations);
      } else requestAnimationFrame(() => setTimeout(showList)); // hundreds of rows may follow the picture
      why.showSweep();
      nextFrame();
    });
  }

  function showHidden() {
    const hidden = model.get("hidden");
    tabs.buttons.forEach((button) => (button.hidden = hidden.includes(button.dataset.tab)));
    tabs.node.hidden = tabs.buttons.every((button) => button.hidden);
    panels.hidden = hidden.includes("panels");
    const order = ["model", ...TABS.map(([name]) => name)];
    if (!tabs.shown || hidden.includes(tabs.shown)) tabs.open(order.find((name) => !hidden.includes(name)));
  }

  tool.follow({
    points: () => (why.explain(-1), tool.newPoints()),
    scene: showScene,
    panels: () => (showPanels(), showStatus()),
    why: why.show,
    sweep: why.showSweep,
    hidden: showHidden,
  });

  const picture = h("div", { class: "dcrc-picture" }, stage, h("div", { class: "dcrc-foot" }, legend, tool.notice));
  const footer = h("div", { class: "dcrc-status" }, status, tool.helpButton);
  el.append(picture, tool.card, tabs.node, list, why.node, panels, footer, tool.sheet);
  tool.newPoints();
  showHidden();
  showScene();
  tool.begin(panels);
  return tool.end;
}

export default { render };
