// Points that are selected: a loop drawn with Shift held, or all that is in sight; to ask about, to list, to export.

import { h } from "./dom.js";
import { plural } from "./say.js";
import { onPicture } from "./zoom.js";

const SHORTEST = 12; // pixels of a loop; less is a click

/**
 * @param {import("./shapes.d.ts").ExplorerTool} tool
 * @param {object} calls
 * @param {() => void} calls.list shows the selected points
 * @param {() => void} calls.changed called when others are selected
 * @param {import("./shapes.d.ts").Child} actions what can be said of them
 */
export function makeSelection(tool, { list, changed }, actions) {
  const { listen, planes, request, stages } = tool;
  /** @type {number[]} */
  let rows = [];

  const count = h("b", {});
  const action = (/** @type {string} */ label, /** @type {string} */ title, /** @type {() => void} */ onclick) =>
    h("button", { type: "button", class: "dcrc-link", title, onclick }, label);
  const bar = onPicture("div", { class: "dcrc-selected", role: "status", hidden: true }, count,
    action("Ask", "Let the program ask about these points (Enter)", () => tool.question.suggest()),
    action("List", "Show these points in the tab Clusters", list),
    actions,
    action("Export", "Write these points with their clusters into a .csv file",
      () => request({ do: "export", kind: "selection" })),
    action("×", "Select nothing (Esc)", () => select([])));
  stages[0].append(bar);

  function select(/** @type {number[]} */ chosen) {
    if (!rows.length && !chosen.length) return;
    show(chosen);
    request({ do: "select", rows });
  }

  function show(/** @type {number[]} */ chosen) {
    rows = chosen;
    const mask = new Uint8Array(planes[0].n);
    for (const i of rows) mask[i] = 1;
    for (const plane of planes) plane.selected = rows.length ? mask : null;
    bar.hidden = !rows.length;
    count.textContent = `${plural(rows.length, "point")} selected`;
    tool.redraw();
    changed();
  }

  stages.forEach((stage, p) => {
    const plane = planes[p];
    /** @type {number[][] | null} */
    let loop = null;
    let looped = false; // the click that ends a loop is none
    const place = (/** @type {PointerEvent} */ { clientX, clientY }) => {
      const box = stage.getBoundingClientRect();
      return [clientX - box.left, clientY - box.top];
    };
    listen(stage, "pointerdown", (event) => {
      looped = false;
      loop = event.button === 0 && event.shiftKey ? [place(event)] : null;
      if (loop) stage.setPointerCapture(event.pointerId);
    });
    listen(stage, "pointermove", (event) => {
      if (!loop) return;
      event.stopImmediatePropagation();
      loop.push(place(event));
      tool.hoverOver(-1);
      tool.drawAbove();
      drawLoop(plane, loop);
    }, { capture: true });
    listen(stage, "pointerup", () => {
      const drawn = loop;
      loop = null;
      if (!drawn || length(drawn) < SHORTEST) return;
      looped = true;
      tool.drawAbove();
      select(inside(plane, drawn));
    });
    listen(stage, "click", (event) => {
      if (looped) event.stopImmediatePropagation();
      looped = false;
    }, { capture: true });
    listen(stage, "pointercancel", () => (loop = null));
  });

  return {
    select,
    /** Follow Python, where code may have selected others. */
    take() {
      const chosen = tool.model.get("selection");
      if (!tool.requests.has(({ do: verb }) => verb === "select") && String(chosen) !== String(rows)) show(chosen);
    },
    get rows() {
      return rows;
    },
    /** Select all that is in sight of a picture. */
    selectSeen(/** @type {number} */ p) {
      const { width, height } = planes[p].size;
      select(inside(planes[p], [[0, 0], [width, 0], [width, height], [0, height]]));
    },
  };
}

const length = (/** @type {number[][]} */ loop) =>
  loop.slice(1).reduce((sum, [x, y], t) => sum + Math.hypot(x - loop[t][0], y - loop[t][1]), 0);

/**
 * Row numbers of the points inside a loop: those from which a ray meets it an odd number of times.
 * @param {{n: number, at: ArrayLike<number>}} plane
 * @param {number[][]} loop
 */
export function inside({ n, at }, loop) {
  const rows = [];
  for (let i = 0; i < n; i++) {
    const [x, y] = [at[2 * i], at[2 * i + 1]];
    let odd = false;
    for (let t = 0, last = loop.length - 1; t < loop.length; last = t++) {
      const [[ax, ay], [bx, by]] = [loop[t], loop[last]];
      if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) odd = !odd;
    }
    if (odd) rows.push(i);
  }
  return rows;
}

/** @param {import("./plane.js").Plane} plane @param {number[][]} loop */
function drawLoop(plane, loop) {
  const ctx = /** @type {CanvasRenderingContext2D} */ (plane.above.getContext("2d"));
  ctx.beginPath();
  for (const [x, y] of loop) ctx.lineTo(x, y);
  ctx.closePath();
  ctx.fillStyle = ctx.strokeStyle = plane.ink.accent;
  ctx.globalAlpha = 0.12;
  ctx.fill();
  ctx.globalAlpha = 1;
  ctx.lineWidth = 1.5;
  ctx.setLineDash([5, 4]);
  ctx.stroke();
  ctx.setLineDash([]);
}
