// The tab Clusters: what is in each cluster, and what a person calls it.

import { button, h, put } from "./dom.js";
import { makeGroups } from "./groups.js";
import { focused } from "./host.js";
import { marker } from "./markers.js";
import { makeMembers } from "./members.js";
import { unpacked } from "./numbers.js";
import { called, plural } from "./say.js";

/** @typedef {import("./types.d.ts").ClusterSent} ClusterSent */

const MOST = 200; // selected points that are listed
/** @type {[Exclude<keyof ClusterSent, "size">, string, string][]} */
const KINDS = [
  ["certain", "most certain", "The points of which the model is most certain"],
  ["doubtful", "most doubtful", "The points of this cluster of which the model is least certain"],
  ["mistaken", "mistaken", "Points whose true class is another"],
];

/**
 * @param {import("./shapes.d.ts").ExplorerTool} tool asks `wanted` for a message when nothing else waits
 * @param {import("./plane.js").Plane} plane
 * @param {() => boolean} isOpen whether the tab is on show
 * @param {import("./shapes.d.ts").Selected} selected
 * @param {ReturnType<typeof import("./gestures.js").makeGestures>} gestures
 */
export function makeGallery(tool, plane, isOpen, selected, gestures) {
  const { model, items } = tool;
  let asked = -1;
  /** @type {ReturnType<typeof makeCluster>[]} */
  let clusters = []; // their nodes; a name that is being typed stays
  let large = -1; // the cluster of which all points are shown
  let place = 0; // where the list was before
  const groups = makeGroups(() => tool.request({ do: "decide" }));
  const everything = h("div", { class: "dcrc-gallery-list" });
  const chosen = h("section", { class: "chosen", hidden: true });
  const exporting = button({
    title: "Write the cluster and its name of every point into a .csv file",
    onclick: () => tool.request({ do: "export", kind: "clusters" }),
  }, "Export as CSV");
  const node = h("section", { class: "dcrc-gallery", "aria-label": "Clusters" },
    h("div", { class: "dcrc-more" }, h("span", { class: "dcrc-gap" }, "Look into clusters and name them."),
      exporting), everything);

  /** @returns {import("./types.d.ts").Message | null} */
  function wanted() {
    const { version } = model.get("scene");
    if (!isOpen() || version === asked || version === model.get("gallery").version) return null;
    asked = version;
    return { do: "gallery" };
  }

  function makeCluster(/** @type {number} */ k) {
    const size = h("span", { class: "size" });
    const field = h("input", {
      type: "text", maxlength: 40, spellcheck: "false", placeholder: `cluster ${k + 1}`,
      "aria-label": `Name of cluster ${k + 1}`, title: "Your name for this cluster, such as “nines”",
      onchange: () => tool.request({ do: "name", cluster: k, name: field.value }),
      onkeydown({ key }) {
        if (key === "Escape") field.value = plane.nameOf(k);
        if (key === "Escape" || key === "Enter") tool.focusStage();
      },
    });
    const rows = h("div", {}), perhaps = h("div", { class: "strip perhaps", title: "What could be its name" });
    const whole = h("button", {
      type: "button", class: "dcrc-link whole", onclick: () => enlarge(large === k ? -1 : k),
    });
    const head = h("h4", {}, marker(plane.shape(k), plane.colour(k)), field, size, whole, gestures.ofCluster(k));
    return { size, field, rows, whole, perhaps, node: h("section", { "data-cluster": k }, head, perhaps, rows) };
  }

  /** Suggest names for a cluster that has none. @param {number} k @param {string[]} names */
  function suggest(k, names) {
    const { perhaps } = clusters[k];
    perhaps.hidden = !names.length || Boolean(plane.nameOf(k));
    put(perhaps, h("small", {}, "perhaps"), names.map((name) => h("button", {
      type: "button", class: "dcrc-link", title: "Take this name; you can change it",
      onclick: () => tool.request({ do: "name", cluster: k, name }),
    }, name)));
  }

  /** Show all points of one cluster, large; -1 for all clusters. @param {number} k */
  function enlarge(k) {
    if (large < 0) place = everything.scrollTop;
    large = k;
    members.begin();
    show();
    if (k < 0) everything.scrollTop = place;
  }

  /** Select nothing, or go back to all clusters; false where they are shown already. */
  const back = () => isOpen() && large >= 0
    && (selected.rows().length ? selected.select([]) : enlarge(-1), true);

  /** Show the points that are selected, among all clusters. */
  function list() {
    enlarge(-1);
    everything.scrollTop = 0;
  }

  function showWhole() {
    everything.toggleAttribute("data-large", large >= 0);
    clusters.forEach(({ whole, node, rows, field }, k) => {
      const name = field.value || field.placeholder;
      whole.textContent = large === k ? "← Back" : "Show all";
      whole.title = large === k ? "Back to all clusters (Esc)" : `Show all points of ${name}, large`;
      whole.setAttribute("aria-expanded", String(large === k));
      node.hidden = large >= 0 && large !== k;
      rows.hidden = large === k;
    });
    if (large < 0) return members.node.remove();
    if (members.node.parentNode !== clusters[large].node) clusters[large].node.append(members.node);
    const { order } = model.get("gallery");
    members.show(order ? Array.from(unpacked(order)).filter((i) => plane.labels[i] === large) : []);
  }

  function show() {
    const { clusters: sent, groups: curve, names } = model.get("gallery");
    if (!isOpen() || !sent) return;
    if (clusters.length !== sent.length) {
      clusters = sent.map((_, k) => makeCluster(k));
      large = -1;
      put(everything, tool.controls.group("clusters"), groups.node, chosen, clusters.map((each) => each.node));
    }
    showSelected();
    groups.show(curve);
    clusters.forEach(({ size, field, rows }, k) => {
      if (field !== focused()) field.value = plane.nameOf(k);
      size.textContent = plural(sent[k].size, "point");
      suggest(k, names[k]);
      const key = JSON.stringify([sent[k], KINDS.map(([kind]) => sent[k][kind].map((i) => Boolean(items.get(i))))]);
      if (rows.dataset.key === key && items.kind()) return;
      rows.dataset.key = key;
      put(rows, KINDS.map(([kind, label, title]) => sent[k][kind].length > 0 &&
        h("div", { class: `strip ${kind}`, title }, h("small", {}, label),
          h("div", { class: "things" }, sent[k][kind].map((i) => thing(i))))));
    });
    showWhole();
  }

  function showSelected() {
    const rows = selected.rows();
    const shown = rows.slice(0, MOST);
    const key = JSON.stringify([rows, shown.map((i) => Boolean(items.get(i)))]);
    chosen.hidden = !rows.length;
    if (chosen.dataset.key === key) return;
    chosen.dataset.key = key;
    const more = rows.length > MOST ? `, the first ${MOST} of them here` : "";
    put(chosen, h("h4", {}, h("b", {}, "Selected"), h("span", { class: "size" }, plural(rows.length, "point"), more),
      gestures.ofSelection()),
      h("div", { class: "things" }, shown.map((i) => thing(i))));
  }

  // A point of the plane is its own item: what it is called, and where it is.
  const thing = (/** @type {number} */ i, hint = "") => (items.kind() ? items.card(i, "", hint) : h("button", {
    type: "button", class: "dcrc-chip", "data-row": i,
    onpointerenter: () => tool.hoverOver(i, -1), onpointerleave: () => tool.hoverOver(-1),
  }, called(model.get("data"), i)));
  const selectable = (/** @type {number} */ i) => thing(i, "click to select, double-click to enlarge");
  const members = makeMembers(selectable, (i) => Boolean(items.kind() && items.get(i)), {
    ...selected,
    enlarge: (i) => items.kind() && items.enlarge(i),
  }, [gestures.ofSelection(), h("button", {
    type: "button", class: "dcrc-link", title: "Select nothing (Esc)", onclick: () => selected.select([]),
  }, "×")]);

  items.whenCome(show);
  return { node, show, wanted, back, list };
}
