// Epsilon swept from hard answers to ignored ones.

import { button, h, put, scaleOf } from "../dom.js";
import { axes, curve, dot, keys, label, picture, shape } from "../plot.js";
import { plural } from "../say.js";

/**
 * @typedef {import("../types.d.ts").SweepState} SweepState
 * @typedef {SweepState["points"][number]} SweepPoint
 */

const PAPER = [0.05, 0.15];
const LAST = 2 / 3; // the epsilon at which answers carry nothing
const MARGINS = { right: 78, bottom: 58, left: 26 };
/** @type {[number, string][]} */
const TICKS = [[0, "0"], [0.05, ".05"], [0.15, ".15"], [0.3, ".3"], [0.45, ".45"], [LAST, "⅔"]];
// Name, place in a point of the sweep, class; agreement has the colour that it has in the panel Quality.
/** @type {[string, 1 | 2 | 3, string][]} */
const CURVES = [["satisfied", 1, "share-satisfied"], ["entropy, bit", 2, "entropy"], ["agreement", 3, "measure-0"]];

/**
 * The curves over epsilon; below them the number of EM iterations.
 * @param {{points: SweepPoint[], epsilon: number, hover: number | null, share: number}} sweep `share` of the answers
 *   that the model on the screen satisfies @param {number} width
 * @param {number} height
 */
function sweepPlot({ points, epsilon, hover, share }, width, height) {
  const frame = axes(width, height, MARGINS);
  const strip = { top: height - 44, bottom: height - 18 };
  const x = (/** @type {number} */ value) => frame.x(value / LAST);
  const most = Math.max(1, ...points.map((point) => point[2]));
  const y = (/** @type {number | null} */ value) => frame.y((value ?? 0) / most); // known of all or of none
  const iterations = Math.max(1, ...points.map((point) => point[4]));
  const z = (/** @type {number} */ n) => strip.bottom - (n / iterations) * (strip.bottom - strip.top);
  const curves = CURVES.filter(([, at]) => points.length && points[0][at] != null);
  const line = (/** @type {string} */ cls, /** @type {number} */ value) =>
    shape("path", { class: cls, d: `M${x(value)} ${frame.top}V${strip.bottom}` });
  const last = points.at(-1);
  return picture(width, height, "Share of answers satisfied, mean entropy, agreement and EM iterations over epsilon",
    PAPER.map((value) => line("paper", value)),
    line("chosen", epsilon),
    hover == null ? null : line("now", hover),
    frame.lines,
    shape("path", { class: "axis", d: `M${frame.left} ${strip.top}V${strip.bottom}H${frame.right}` }),
    label(frame.left - 4, frame.top + 8, most.toFixed(1)),
    label(frame.left - 4, frame.bottom, 0),
    label(frame.left - 4, strip.top + 8, iterations),
    TICKS.map(([value, text]) => label(x(value), height - 5, text, "tick", "middle")),
    curves.map(([, at, cls]) => curve(cls, points.map((point) => [x(point[0]), y(point[at])]))),
    curves.map(([, at, cls]) => points.map((point) => dot(cls, [x(point[0]), y(point[at])], 1.8))),
    dot("now", [x(epsilon), y(share)], 3.5),
    curve("curve-4", points.map((point) => [x(point[0]), z(point[4])])),
    points.map((point) => dot("curve-4", [x(point[0]), z(point[4])], 1.8)),
    last && keys(frame, curves.map(([text, at, cls]) => ({ text, cls, y: y(last[at]) }))),
    label(frame.right + 5, strip.bottom - 4, "EM iter.", "key curve-4", "start"));
}

/** @param {import("../shapes.d.ts").ExplorerTool} tool @param {import("../plane.js").Plane} plane */
export function makeSweep(tool, plane) {
  const { model, request, listen } = tool;
  /** @type {number | null} */
  let hover = null; // epsilon under the pointer

  const progress = h("progress", { class: "dcrc-progress", "aria-label": "Progress of the sweep" });
  const start = button({ onclick: () => request({ do: model.get("sweep").running ? "cancel" : "sweep" }) }, "");
  const summary = h("span", { class: "dcrc-told" });
  const body = h("div", { class: "dcrc-plot dcrc-sweep", title: "Click to use that ε" });
  const node = h("div", { class: "dcrc-why-sweep" }, h("div", { class: "dcrc-more" }, start, progress), body, summary);

  function nearest(/** @type {PointerEvent | MouseEvent} */ event) {
    const { points } = model.get("sweep");
    if (!points?.length) return null;
    const box = body.getBoundingClientRect();
    const scale = scaleOf(body);
    const frame = axes(box.width / scale, 100, MARGINS);
    const at = (((event.clientX - box.left) / scale - frame.left) / (frame.right - frame.left)) * LAST;
    return points.reduce((best, each) => (Math.abs(each[0] - at) < Math.abs(best[0] - at) ? each : best));
  }
  function pointTo(/** @type {SweepPoint | null} */ point) {
    const value = point?.[0] ?? null;
    if (value === hover) return;
    hover = value;
    show();
  }
  listen(body, "pointermove", (event) => pointTo(nearest(event)));
  listen(body, "pointerleave", () => pointTo(null));
  listen(body, "click", (event) => {
    const point = nearest(event);
    if (point) request({ do: "epsilon", value: point[0] });
  });

  function show() {
    const sweep = model.get("sweep");
    if (!sweep.points) return;
    const { points, total, running } = sweep;
    const { epsilon } = model.get("scene");
    start.textContent = running ? "Cancel" : points.length ? "Sweep again" : "Sweep ε";
    start.title = running
      ? "Stop; what is computed stays"
      : `Fit the model with ${total} values of ε, each from the start, in the background`;
    progress.max = total;
    progress.value = points.length;
    progress.hidden = !running;
    const { clientWidth: width, clientHeight: height } = body;
    const scale = scaleOf(body);
    if (width > 60 && height > 60) {
      const plot = () => sweepPlot({ points, epsilon, hover, share: satisfied() }, width / scale, height / scale);
      put(body, points.length || running ? plot() : invitation(total, plane.answers.count + plane.pairs.length > 0));
    }
    summary.textContent = remark(sweep, epsilon, satisfied(), points.find(([value]) => value === hover));
  }

  /** The share of the answers that the model on the screen satisfies, which may have gone on from earlier fits. */
  function satisfied() {
    const all = [...plane.pairs.map(({ violated }) => violated),
      ...Array.from({ length: plane.answers.count }, (_, t) => plane.isViolated(t))];
    return all.length ? all.filter((violated) => !violated).length / all.length : 1;
  }
  return { node, show };
}

const percent = (/** @type {number} */ share) => `${Math.round(100 * share)} %`;
const invitation = (/** @type {number} */ total, /** @type {boolean} */ answered) =>
  h("p", { class: "dcrc-empty" },
    `${answered ? "" : "There are no answers yet: ε will not matter. "}Fits the model with ${total} values of ε from ` +
    "0 (hard) to ⅔ (ignored) and shows how many answers it satisfies, how certain it is, how well it agrees with the " +
    "truth where that is known, and how many EM iterations it takes.");

/**
 * @param {SweepState} sweep @param {number} epsilon @param {number} share @param {SweepPoint | undefined} point
 */
function remark({ points, total, running, current, error }, epsilon, share, point) {
  if (error) return `Stopped: ${error}`;
  if (point) {
    const [value, satisfied, entropy, known, iterations] = point;
    const agreement = known == null ? "" : ` · agreement ${known.toFixed(2)}`;
    const words = `${percent(satisfied)} satisfied · entropy ${entropy.toFixed(2)} bit${agreement}`;
    return `ε ${Number(value.toFixed(3))}: ${words} · ${plural(iterations, "EM iteration")}. Click to use it.`;
  }
  if (running) return `${points.length} of ${total} fits`;
  if (!points.length) return "";
  if (!current) return "Data, answers or settings have changed since: sweep again.";
  const truth = points[0][3] == null ? " No true classes, so no agreement." : "";
  const now = `Blue: ε now, ${Number(epsilon.toFixed(3))}, where the model on the screen satisfies ${percent(share)}.`;
  return `Dashed: the paper's .05 and .15. ${now} Each fit of the sweep starts over.${truth}`;
}
