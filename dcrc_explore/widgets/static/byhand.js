// Drawing by hand in a tool: strokes are messages to Python, and points come back as data.

import { makeDraw } from "./draw.js";
import { unpacked } from "./numbers.js";
import { onPicture } from "./zoom.js";

const ABOUT = "Draw points by hand: a brush for each class, an eraser, points that move";

/** @typedef {import("./brush.js").Place} Place */

/** @param {import("./shapes.d.ts").ExplorerTool} tool */
export function drawByHand(tool) {
  const { model, listen, request, requests } = tool;
  const [plane] = tool.planes;
  const waits = (/** @type {(message: import("./types.d.ts").Message) => boolean} */ is) =>
    requests.has((message) => message.request !== model.get("done") && is(message));
  const go = (/** @type {"" | "on" | "cleared"} */ to) => request({ do: "drawing", to });
  const draw = makeDraw({
    plane, listen, stage: tool.stages[0], drawAbove: tool.drawAbove, redraw: tool.redraw,
    blank: model.get("data").blank,
    send: (stroke, n) => request({ do: "draw", ...stroke, n }),
    clear: () => go("cleared"),
    leave: () => go(""),
    undo: () => (model.get("draw") === "cleared" ? request({ do: "undo" }) : tool.question.undo()),
    redo: () => tool.question.redo(),
    answersAbout(rows) {
      const among = new Set(rows);
      let n = plane.pairs.filter(({ i, j }) => among.has(i) || among.has(j)).length;
      for (let t = 0; t < plane.answers.count; t++) {
        const { i, j, k } = plane.answers.at(t);
        if (among.has(i) || among.has(j) || among.has(k)) n += 1;
      }
      return n;
    },
  });
  const begin = onPicture("button", { type: "button", class: "dcrc-pen", title: ABOUT }, "✎ Draw");
  begin.addEventListener("click", () => go("on"));
  tool.stages[0].append(begin);

  /** Follow Python: the points that there are, and whether they are drawn on. */
  function take() {
    const mode = model.get("draw");
    const { brushes, xy } = model.get("data");
    tool.root.toggleAttribute("data-draw", Boolean(mode));
    begin.hidden = Boolean(mode) || model.get("hidden").some((part) => part === "data" || part === "draw");
    if (mode) tool.state.picks = []; // no question is open
    if (!waits(({ do: verb }) => verb === "drawing")) draw.open(Boolean(mode), mode === "cleared" || mode === "empty");
    if (!mode || !brushes) return;
    const places = unpacked(xy);
    const classes = Array.from(unpacked(brushes));
    draw.take(classes.map((_, i) => /** @type {Place} */ ([places[2 * i], places[2 * i + 1]])), classes,
      (stroke) => waits((message) => message.do === "draw" && message.added === stroke.added));
  }
  tool.watch("change:done", () => setTimeout(take)); // a stroke may have been refused
  return { node: draw.node, key: draw.key, take };
}
