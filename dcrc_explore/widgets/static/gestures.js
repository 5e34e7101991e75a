// Gestures: two clusters belong together, one is two, points are one group, points belong there. A card lists the
// answers that a gesture stands for; they count when the person agrees.

import { button, h, setDisabled } from "./dom.js";
import { marker } from "./markers.js";
import { plural } from "./say.js";

/**
 * @param {import("./shapes.d.ts").ExplorerTool} tool
 * @param {import("./plane.js").Plane} plane
 * @param {import("./shapes.d.ts").Selected} selected
 */
export function makeGestures(tool, plane, selected) {
  const { items, model, request, sheet } = tool;
  let ofRows = false; // whether the gesture that was proposed last is about selected points
  const nameOf = (/** @type {number} */ k) => plane.nameOf(k) || `cluster ${k + 1}`;
  /** @param {string} label @param {string} title @param {() => void} onclick */
  const link = (label, title, onclick) => h("button", { type: "button", class: "dcrc-link", title, onclick }, label);
  /** @param {Extract<import("./types.d.ts").Wish, {do: "propose"}>["gesture"]} gesture @param {number[]} clusters */
  function propose(gesture, clusters, rows = /** @type {number[]} */ ([])) {
    ofRows = rows.length > 0;
    request({ do: "propose", gesture, clusters, rows });
  }

  /**
   * Let a person choose a cluster.
   * @param {string} title @param {number} left out @param {(k: number) => void} chosen
   */
  function choose(title, left, chosen) {
    const { counts } = model.get("scene");
    const offered = counts.map((_, k) => k).filter((k) => k !== left && counts[k] > 0);
    const choice = (/** @type {number} */ k) => button({ "data-cluster": k, onclick: () => (sheet.close(), chosen(k)) },
      [marker(plane.shape(k), plane.colour(k)), ` ${nameOf(k)} · ${plural(counts[k], "point")}`]);
    sheet.open(title, h("div", { class: "dcrc-choices" }, offered.map(choice)));
    const [first] = sheet.node.querySelectorAll("button[data-cluster]");
    /** @type {HTMLElement | undefined} */ (first)?.focus({ preventScroll: true });
  }

  /** What can be said of a cluster. */
  const ofCluster = (/** @type {number} */ k) => h("span", { class: "dcrc-gestures" },
    link("Merge", "This cluster and another one belong together",
      () => choose(`Which cluster belongs to ${nameOf(k)}?`, k, (other) => propose("merge", [k, other]))),
    link("Split", "This cluster is two groups; selected points, if any, are one of them",
      () => propose("split", [k], selected.rows())));

  /** What can be said of the points that are selected. */
  const ofSelection = () => h("span", { class: "dcrc-gestures" },
    link("One group", "These points are one group", () => propose("together", [], selected.rows())),
    link("Belongs to", "These points belong to a cluster",
      () => choose("Where do these points belong?", -1, (k) => propose("move", [k], selected.rows()))),
    link("New group", "These points are a group of their own, which is not there yet",
      () => propose("group", [], selected.rows())));

  /** @param {import("./types.d.ts").Proposal} proposal */
  function show({ number, title, points, clusters: [before, after] }) {
    const ticked = () => h("input", { type: "checkbox", checked: true, onchange: count });
    const changing = ticked();
    const ticks = points.map(ticked);
    const counted = () => ticks.flatMap((each, t) => (each.checked ? [t] : []));
    const confirm = () => {
      if (!isSomething()) return;
      sheet.close();
      request({ do: "confirm", number, clusters: before !== after && changing.checked, lines: counted() });
      if (ofRows) selected.select([]);
    };
    const isSomething = () => counted().length > 0 || (before !== after && changing.checked);
    const summary = h("p", { role: "status" });
    function count() {
      const n = counted().length;
      summary.textContent = n ? `${plural(n, "answer")} will be added in your name; untick what is wrong:`
        : "No answer will be added:";
      setDisabled(agree, !isSomething());
    }
    const named = (/** @type {number} */ i) =>
      [marker(plane.shape(plane.labels[i]), plane.colour(plane.labels[i])), items.thumbnail(i)];
    /** @param {number[]} about */
    const line = ([a, b, c], /** @type {number} */ t) => h("li", {}, h("label", {}, ticks[t], " ", named(a), " and ",
      named(b), " belong together", c != null && [", ", named(c), " does not"]));
    const agree = button({ class: "dcrc-button agree", onclick: confirm }, "OK");
    const k = before !== after &&
      h("label", {}, changing, ` The number of clusters K becomes ${after}; now it is ${before}.`);
    sheet.open(title, h("div", { class: "dcrc-proposal" },
      summary, h("ol", {}, points.map((about, t) => line(about, t))), k,
      h("div", { class: "dcrc-more" }, agree, button({ onclick: sheet.close }, "Cancel"),
        h("span", {}, "One Undo takes all of it back."))));
    count();
    agree.focus({ preventScroll: true });
  }
  tool.watch("msg:custom", ({ proposal }) => proposal && show(proposal));
  return { ofCluster, ofSelection };
}
