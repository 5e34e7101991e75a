// The tab Why: how a point's q(y) comes about, the model over epsilon, and which answers the model disbelieves.

import { h, put } from "../dom.js";
import { makeSwitch } from "../tabs.js";
import { makeErrors } from "./errors.js";
import { explainPoint } from "./point.js";
import { makeSweep } from "./sweep.js";

const VIEWS = [
  ["point", "Point", "Where the point that was clicked lies, and what its answers say"],
  ["sweep", "ε sweep", "How the fit changes with ε, from hard answers to ignored ones"],
  ["errors", "Errors", "Answers that the model disbelieves; plant wrong ones and see whether they are found"],
];

/**
 * @typedef {"point" | "errors" | "sweep"} View
 * @param {import("../shapes.d.ts").ExplorerTool} tool asks `wanted` for a message when nothing else waits
 * @param {import("../plane.js").Plane} plane
 * @param {() => boolean} isOpen whether the tab is on show
 */
export function makeInspection(tool, plane, isOpen) {
  const { model, state } = tool;
  /** @type {View} */
  let view = "point";
  let asked = "";
  let chosen = -1; // the point to explain

  const body = h("div", { class: "dcrc-why-body" });
  const views = makeSwitch(VIEWS, "What to look into", view, (name) => open(/** @type {View} */ (name)));
  const node = h("section", { class: "dcrc-why", "aria-label": "Why" }, views, body);
  tool.markRows(body);
  const sweep = makeSweep(tool, plane);
  const errors = makeErrors(tool, plane, body);

  function open(/** @type {View} */ name) {
    view = name;
    views.press(name);
    show();
    tool.check();
  }

  const key = (/** @type {number} */ version) => `${version} ${view} ${view === "point" ? chosen : ""}`;

  /** @returns {import("../types.d.ts").Message | null} */
  function wanted() {
    if (!isOpen() || view === "sweep") return null;
    const now = key(model.get("scene").version);
    if (now === asked || now === model.get("why").key) return null;
    asked = now;
    return { do: "why", view, point: chosen, key: now };
  }

  function show() {
    const explained = isOpen() && view === "point" ? chosen : -1;
    if (explained !== state.explained) {
      state.explained = explained;
      tool.drawAbove();
    }
    if (!isOpen()) return;
    const why = model.get("why");
    if (view === "point") put(body, explainPoint(plane, chosen, why.view === "point" ? why : { point: -1 }));
    else {
      const shown = view === "sweep" ? sweep : errors;
      if (shown.node.parentNode !== body) put(body, shown.node);
      if (view === "sweep") sweep.show();
      else if (why.view === "errors") errors.show(why);
    }
  }

  return {
    node,
    show,
    wanted,
    showSweep: () => isOpen() && view === "sweep" && sweep.show(),
    explain(/** @type {number} */ i) {
      chosen = i;
      if (isOpen() && view === "point") open("point");
    },
    /** Whether a click asks why. */
    explaining: () => isOpen() && view === "point",
    /** What a replay asks for beside the picture, when that has the version. */
    inReplay: (/** @type {number} */ version) =>
      ({ key: key(version), ...(isOpen() && view === "point" && chosen >= 0 ? { why: chosen } : {}) }),
  };
}
