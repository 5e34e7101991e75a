// The tab Why: how a point's q(y) comes about, the model over epsilon, and which answers the model disbelieves.
//
// Python -> browser: why (the numbers of the view on show), sweep (what is known of the sweep over epsilon)

const WHY_VIEWS = [
  ["point", "Point", "P(y|x), F(y), α^F(y) and q(y) of the point that was clicked last"],
  ["sweep", "ε sweep", "How the fit changes with ε, from hard answers to ignored ones"],
  ["errors", "Errors", "Answers that the model disbelieves; plant wrong ones and see whether they are found"],
];
const PAPER = [0.05, 0.15];
const WHY_HELP = `<section class="dcrc-help-wide"><h4>Why</h4><dl>
  <dt>F(y)</dt><dd>how well cluster y suits the point's answers: the sum over them of the probability that the answer
    holds if the point is in y, Table II</dd>
  <dt>α</dt><dd>2(1 − ε)/ε: how strongly answers count; infinite for hard ones</dd>
  <dt>q(y)</dt><dd>membership after the answers are heard, ∝ α<sup>F(y)</sup> P(y|x), Eq. (13); for hard answers P(y|x)
    among the clusters with the largest F, Eq. (14)</dd>
  <dt>replay</dt><dd>the Objective panel runs through the EM iterations. A hard fit can't cycle here: every iteration
    satisfies more answers, or as many with a better rest of the bound; if one ever went back, the panel would say so.</dd>
  <dt>disbelief</dt><dd>surprise −log₂ P(answer) under P(y|x), in bits</dd></dl></section>`;

const two = (value) => (value > 0 && value < 0.005 ? "<.01" : value.toFixed(2));
const whyTriplet = ({ i, j, k }, own = -1) =>
  [i, j, k].map((point, at) => `<small>${LETTERS[at]}</small> ${point === own ? `<b>x${subscript(point)}</b>` : `x${subscript(point)}`}`).join(" ");

// The curves over epsilon; below them the number of EM iterations.
function sweepPlot({ points, epsilon, hover }, width, height) {
  const frame = axes(width, height, { right: 78, bottom: 58, left: 26 });
  const strip = { top: height - 44, bottom: height - 18 };
  const x = (value) => frame.x(value / (2 / 3));
  const most = Math.max(1, ...points.map(([, , entropy]) => entropy));
  const y = (value) => frame.y(value / most);
  const iterations = Math.max(1, ...points.map((point) => point[4]));
  const z = (n) => strip.bottom - (n / iterations) * (strip.bottom - strip.top);
  const curves = [["satisfied", 1, "share-kept"], ["entropy, bit", 2, "entropy"], ["F", 3, "measure-0"]] // F as in the panel Quality
    .filter(([, at]) => points.length && points[0][at] != null);
  const line = (cls, value) => shape("path", { class: cls, d: `M${x(value)} ${frame.top}V${strip.bottom}` });
  return picture(width, height, "Share of answers satisfied, mean entropy, F and EM iterations over epsilon",
    PAPER.map((value) => line("paper", value)),
    line("chosen", epsilon),
    hover != null ? line("now", hover) : "",
    frame.lines,
    shape("path", { class: "axis", d: `M${frame.left} ${strip.top}V${strip.bottom}H${frame.right}` }),
    label(frame.left - 4, frame.top + 8, most.toFixed(1)), label(frame.left - 4, frame.bottom, 0),
    label(frame.left - 4, strip.top + 8, iterations),
    [[0, "0"], ...PAPER.map((value) => [value, String(value).slice(1)]), [0.3, ".3"], [0.45, ".45"], [2 / 3, "⅔"]].map(([value, text]) =>
      label(x(value), height - 5, text, "tick", "middle")),
    curves.map(([, at, cls]) => curve(cls, points.map((point) => [x(point[0]), y(point[at])]))),
    curves.map(([, at, cls]) => points.map((point) => dot(cls, [x(point[0]), y(point[at])], 1.8))).flat(),
    curve("curve-4", points.map((point) => [x(point[0]), z(point[4])])),
    points.map((point) => dot("curve-4", [x(point[0]), z(point[4])], 1.8)),
    points.length ? keys(frame, curves.map(([text, at, cls]) => ({ text, cls, y: y(points.at(-1)[at]) }))) : "",
    label(frame.right + 5, strip.bottom - 4, "EM iter.", "key curve-4", "start"));
}

// Precision and recall when the first n of the ranking are taken for errors; ticks are the known errors.
function recoveryPlot({ precision, recall, errors, rows }, width, height) {
  const frame = axes(width, height, { right: 62, bottom: 22, left: 20 });
  const n = precision.length;
  const x = (taken) => frame.x(n > 1 ? (taken - 1) / (n - 1) : 0);
  const curves = [["precision", precision], ["recall", recall]];
  return picture(width, height, `${errors} known errors among ${n} answers`,
    frame.lines, label(frame.left - 4, frame.top + 8, 1), label(frame.left - 4, frame.bottom, 0),
    errors ? shape("path", { class: "now", d: `M${x(errors)} ${frame.top}V${frame.bottom}` }) : "",
    rows.flatMap(([, , wrong], t) => (wrong ? shape("path", { class: "wrong", d: `M${x(t + 1)} ${frame.bottom + 2}v6` }) : [])),
    label(frame.left, height - 3, 1, "tick", "middle"), label(frame.right, height - 3, n, "tick", "middle"),
    label((frame.left + frame.right) / 2, height - 3, "most disbelieved answers", "tick", "middle"),
    curves.map(([, values], c) => curve(`measure-${c}`, values.map((value, t) => [x(t + 1), frame.y(value)]))),
    keys(frame, curves.map(([text, values], c) => ({ text, cls: `measure-${c}`, y: frame.y(values.at(-1)) }))));
}

// isOpen() tells whether the tab is on show. The tool asks wanted() for a message when nothing else waits.
function makeWhy(model, tool, plane, isOpen) {
  const { request, listen, state } = tool;
  let view = "point";
  let asked = null;
  let hover = null; // epsilon under the pointer
  let chosen = -1; // the point to explain

  const buttons = WHY_VIEWS.map(([name, text, title]) =>
    h("button", { type: "button", title, "data-view": name, "aria-pressed": String(name === view), onclick: () => open(name) }, text));
  const body = h("div", { class: "dcrc-why-body" });
  const node = h("section", { class: "dcrc-why", "aria-label": "Why" },
    h("div", { class: "dcrc-switch", role: "group", "aria-label": "What to look into" }, ...buttons), body);
  tool.markRows(body);

  function open(name) {
    view = name;
    buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.view === view)));
    show();
    tool.check();
  }

  const key = (version) => `${version} ${view} ${view === "point" ? chosen : ""}`;

  function wanted() {
    if (!isOpen() || view === "sweep") return null;
    const now = key(model.get("scene").version);
    if (now === asked || now === model.get("why").key) return null;
    asked = now;
    return { do: "why", view, point: chosen, key: now };
  }

  // ---- a point

  const answered = () => plane.answers > 0;

  function showPoint({ point, proba, compatibility, factor, q, alpha, epsilon, set, parts, unused }) {
    if (chosen < 0) return `<p class="dcrc-empty">Click a point in the picture to see why it is where it is.</p>`;
    if (point !== chosen) return "";
    const hard = alpha == null;
    const most = Math.max(...compatibility, 1e-9);
    const names = set.map((k) => k + 1).join(", ");
    const formula = hard
      ? `q(y) ∝ P(y|x) for y in {${names}}, where F is largest; 0 elsewhere <i title="Hard answers: the max-compatible set of Eq. (14)">Eq. (14)</i>`
      : `q(y) ∝ α<sup>F(y)</sup> · P(y|x), α = 2(1−ε)/ε = ${alpha < 1000 ? Number(alpha.toPrecision(3)) : alpha.toExponential(1)} <i title="Soft answers: Eq. (13); ε = ${epsilon}">Eq. (13)</i>`;
    const bar = (value, colour, text = two(value)) => `<td><span class="bar"><i style="width:${(100 * value).toFixed(1)}%;background:${colour}"></i></span><b>${text}</b></td>`;
    const part = ({ index, answer, values }, k) => (values[k] / most < 0.002 ? "" :
      `<i data-t="${index}" tabindex="0" class="${SAID[answer] === "don't know" ? "dnk" : SAID[answer]}" style="width:${(100 * values[k] / most).toFixed(1)}%" ` +
      `title="Answer ${index + 1}, ${SAID[answer]}: holds with probability ${two(values[k])} if x${subscript(point)} is in cluster ${k + 1} (Table II)"></i>`);
    const rows = proba.map((p, k) => `<tr><th>${markerSvg(plane.shape(k), plane.colour(k))}${k + 1}</th>${bar(p, plane.colour(k))}` +
      `<td class="wide"><span class="bar stack">${parts.map((each) => part(each, k)).join("")}</span><b>${two(compatibility[k])}</b></td>` +
      `${bar(factor[k], "var(--dcrc-dnk)", hard ? (factor[k] ? "in" : "out") : two(factor[k]))}${bar(q[k], plane.colour(k))}</tr>`);
    const answers = parts.map((each) => `<div role="listitem" class="dcrc-row" data-t="${each.index}" tabindex="0"><span class="number">${each.index + 1}</span>` +
      `<span class="triplet">${whyTriplet(plane.link(each.index), point)}</span><span class="said">${SHORT[each.answer]}</span>` +
      `<span class="values" title="Its part of F(y) for each cluster">${each.values.length <= 5 ? each.values.map(two).join(" ") : `up to ${two(Math.max(...each.values))}`}</span></div>`);
    const ignored = unused ? `${plural(unused, "don't-know answer")} of this point ${unused === 1 ? "is" : "are"} not used by this model.` : "";
    const told = parts.length ? ignored
      : `${answered() ? "This point stands in no answer" : "There are no answers yet"}${unused ? ` that counts: ${ignored}` : "."} So F(y) = 0 everywhere and q(y) = P(y|x).`;
    return `<p class="dcrc-formula"><b>x${subscript(point)}</b> ${formula}</p>
      <table><thead><tr><th></th><th title="The model's probability before answers, Eq. (6)">P(y|x)</th>
      <th title="Compatibility with the answers: the sum of their parts, Table II">F(y), by answer</th>
      <th title="${hard ? "Whether F(y) is the largest: the set of Eq. (14)" : "Weight of the answers, relative to the largest"}">${hard ? "max F" : "α<sup>F</sup>"}</th>
      <th title="Membership after the answers are heard">q(y)</th></tr></thead><tbody>${rows.join("")}</tbody></table>
      ${told ? `<p class="dcrc-empty">${told}</p>` : ""}<div role="list">${answers.join("")}</div>`;
  }

  // ---- epsilon

  const progress = h("progress", { class: "dcrc-progress", "aria-label": "Progress of the sweep" });
  const sweepButton = h("button", { type: "button", class: "dcrc-button", onclick: () => request({ do: model.get("sweep").running ? "cancel" : "sweep" }) });
  const sweepTold = h("span", { class: "dcrc-told" });
  const sweepBody = h("div", { class: "dcrc-plot dcrc-sweep", title: "Click to use that ε" });
  const sweepView = h("div", { class: "dcrc-why-sweep" }, h("div", { class: "dcrc-more" }, sweepButton, progress), sweepBody, sweepTold);

  function nearest(event) {
    const { points } = model.get("sweep");
    const box = sweepBody.getBoundingClientRect();
    const scale = scaleOf(sweepBody);
    const frame = axes(box.width / scale, 100, { right: 78, left: 26 });
    const at = (((event.clientX - box.left) / scale - frame.left) / (frame.right - frame.left)) * (2 / 3);
    return points?.length ? points.reduce((best, point) => (Math.abs(point[0] - at) < Math.abs(best[0] - at) ? point : best)) : null;
  }
  const pointTo = (point) => {
    const value = point?.[0] ?? null;
    if (value === hover) return;
    hover = value;
    showSweep();
  };
  listen(sweepBody, "pointermove", (event) => pointTo(nearest(event)));
  listen(sweepBody, "pointerleave", () => pointTo(null));
  listen(sweepBody, "click", (event) => {
    const point = nearest(event);
    if (point) request({ do: "epsilon", value: point[0] });
  });

  function showSweep() {
    const { points, total, running, current, error } = model.get("sweep");
    if (!points) return;
    const { epsilon } = model.get("scene");
    sweepButton.textContent = running ? "Cancel" : points.length ? "Sweep again" : "Sweep ε";
    sweepButton.title = running ? "Stop; what is computed stays" : `Fit the model with ${total} values of ε, each from the start, in the background`;
    progress.max = total;
    progress.value = points.length;
    progress.hidden = !running;
    const { clientWidth: width, clientHeight: height } = sweepBody;
    const scale = scaleOf(sweepBody);
    if (width > 60 && height > 60) {
      sweepBody.innerHTML = points.length || running ? sweepPlot({ points, epsilon, hover }, width / scale, height / scale)
        : `<p class="dcrc-empty">${answered() ? "" : "There are no answers yet: ε will not matter. "}Fits the model with ${total} values of ε from 0 (hard) to ⅔ (ignored) and shows how many answers it satisfies, how certain it is, how well it agrees with the truth where that is known, and how many EM iterations it takes.</p>`;
    }
    const point = points.find(([value]) => value === hover);
    sweepTold.textContent = error ? `Stopped: ${error}`
      : point ? `ε ${Number(point[0].toFixed(3))}: ${Math.round(100 * point[1])} % satisfied · entropy ${point[2].toFixed(2)} bit${point[3] == null ? "" : ` · F ${point[3].toFixed(2)}`} · ${plural(point[4], "EM iteration")}. Click to use it.`
      : running ? `${points.length} of ${total} fits` : points.length && !current ? "Data, answers or settings have changed since: sweep again."
      : points.length ? `Dashed: the paper's .05 and .15. Blue: ε now, ${Number(epsilon.toFixed(3))}.${points[0][3] == null ? " No true classes, so no F." : ""}` : "";
  }

  // ---- errors

  const howMany = h("input", { type: "number", min: "1", value: "5", "aria-label": "Number of answers to make wrong" });
  const plantButton = h("button", { type: "button", class: "dcrc-button", title: "Change so many answers, chosen at random, to wrong ones; one step to undo",
    onclick: () => request({ do: "plant", errors: Number(howMany.value) }) }, "Plant errors");
  const errorsTold = h("span", { class: "dcrc-told" });
  const errorsBody = h("div");
  const errorsView = h("div", { class: "dcrc-why-errors" }, h("div", { class: "dcrc-more" }, plantButton, howMany, errorsTold), errorsBody);

  function showErrors({ answers, errors, found, precision, recall, rows }) {
    setDisabled(plantButton, !answers);
    errorsTold.title = "Precision and recall are the same when as many answers are taken for errors as there are errors";
    errorsTold.textContent = errors ? `${found} of ${errors} found · precision = recall = ${precision[errors - 1].toFixed(2)}`
      : answers ? "No answer is known to be wrong." : "";
    if (!answers) {
      errorsBody.innerHTML = `<p class="dcrc-empty">No answers yet. Give some, or let the truth or a noisy user answer (tab Ask); then see which ones the model disbelieves.</p>`;
      return;
    }
    const most = Math.max(...rows.map(([, bits]) => bits), 1e-9);
    const list = rows.map(([t, bits, wrong], rank) => `<div role="listitem" class="dcrc-row${wrong ? " wrong" : ""}" data-t="${t}" tabindex="0"><span class="number">${rank + 1}</span>` +
      `<span class="triplet">${whyTriplet(plane.link(t))}</span><span class="said">${SHORT[plane.link(t).answer]}</span>` +
      `<span class="bar"><i style="width:${(100 * bits / most).toFixed(1)}%"></i></span><span class="values" title="Surprise under P(y|x), in bits">${bits.toFixed(2)}</span>` +
      `<span class="state" title="${wrong ? "known to be wrong" : ""}">${wrong ? "✕" : ""}</span></div>`);
    const hint = `<p class="dcrc-empty">Answers from the least to the most believed. To measure precision and recall, plant errors here or let a noisy user answer (tab Ask).</p>`;
    errorsBody.innerHTML = (errors ? `<div class="dcrc-plot dcrc-recovery">${recoveryPlot({ precision, recall, errors, rows }, Math.max(body.clientWidth - 8, 200) / scaleOf(body), 104)}</div>` : hint) +
      `<div role="list">${list.join("")}</div>`;
  }

  // ---- what is on show

  function show() {
    const explained = isOpen() && view === "point" ? chosen : -1;
    if (explained !== state.explained) {
      state.explained = explained;
      tool.drawAbove();
    }
    if (!isOpen()) return;
    const data = model.get("why");
    if (view === "point") body.innerHTML = showPoint(data.view === "point" ? data : { point: -1 });
    else if (view === "sweep") {
      if (sweepView.parentNode !== body) body.replaceChildren(sweepView);
      showSweep();
    } else {
      if (errorsView.parentNode !== body) body.replaceChildren(errorsView);
      if (data.view === "errors") showErrors(data);
    }
  }

  return {
    node, key, show, wanted, showSweep: () => isOpen() && view === "sweep" && showSweep(),
    explain(i) {
      chosen = i;
      if (isOpen()) open("point");
    },
    inReplay: () => (isOpen() && view === "point" && chosen >= 0 ? { why: chosen } : {}),
  };
}
