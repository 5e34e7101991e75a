// One model: the picture with its question, tabs with the list of answers, five panels, and the status line.

import { Answers } from "./answers.js";
import { makeBoard } from "./board.js";
import { followListings } from "./browse.js";
import { drawByHand } from "./byhand.js";
import { makeClassroom } from "./classroom.js";
import { h, put } from "./dom.js";
import { formulaOf } from "./formulas.js";
import { makeGallery } from "./gallery.js";
import { makeGestures } from "./gestures.js";
import { explorerHelp } from "./help.js";
import { isLocal } from "./host.js";
import { makeInspection } from "./inspection/inspection.js";
import { legendOf } from "./legend.js";
import { makeList } from "./list.js";
import { makePeople } from "./people.js";
import { copyable } from "./notices.js";
import { Plane } from "./plane.js";
import { makeReplay } from "./replay.js";
import { AGREEMENT, plural } from "./say.js";
import { makeSelection } from "./selection.js";
import { makeTabs } from "./tabs.js";
import { makeTool } from "./tool.js";
import { makeTrail } from "./trail.js";

// Who can open a link.
const ALONE = "Only this computer opens this address, while the tool runs here. For others there is Film of the " +
  "answers: one file that any browser opens.";
const SHARED = "Whoever reaches this server, and has the token that it asks for, can open this address.";

/** @type {[string, string][]} */
const TABS = [
  ["data", "Data"], ["model", "Model"], ["ask", "Ask"], ["answers", "Answers"], ["people", "People"],
  ["clusters", "Clusters"], ["why", "Why"], ["session", "Session"],
];

/** @param {import("./shapes.d.ts").Screen<import("./shapes.d.ts").ExplorerTraits>} screen */
export function render({ model, el, tab, opened, replaced, change }) {
  const plane = new Plane({ answers: new Answers() });
  let panelsAsked = -1; // version of the picture for which panels were requested
  let shownVersion = -1;
  /** @type {import("./tool.js").Hooks} */
  const hooks = {
    help: explorerHelp,
    look: "",
    groups: ["data", "model", "ask", "session", "clusters"],
    drawBelow: () => plane.drawBelow(model.get("options")),
    resized: () => (board.show(), inspection.show()),
    picked: (i) => inspection.explain(i),
    explaining: () => inspection.explaining(),
    change,
    keys: {
      drawing: (event) => byHand.key(event),
      back: () => gallery.back(),
      unselect: () => selection.select([]),
      selectSeen: (p) => selection.selectSeen(p),
    },
    attached() {
      tabs.open(tabs.shown);
      showStatus();
      if (replaced) tool.focusStage(); // it took the place of what had the focus
    },
    idle() {
      // Panels follow the picture as soon as nothing more urgent waits.
      const { version } = model.get("scene");
      const known = version === model.get("panels").version || version === panelsAsked;
      const next = () => inspection.wanted() ?? gallery.wanted() ?? people.wanted();
      if (replay.playing || known || board.node.hidden) return next();
      panelsAsked = version;
      return { do: "panels" };
    },
  };
  const tool = makeTool(model, el, [plane], hooks);
  const [stage] = tool.stages;
  followListings(tool);
  plane.redraw = tool.redraw;
  const trail = (plane.trail = makeTrail(plane, tool.drawAbove));
  const badge = h("span", { class: "dcrc-badge" });
  const words = h("span");
  const story = h("p", { class: "dcrc-story", role: "status" }, badge, words);
  const replay = makeReplay(tool, (iteration) =>
    ({ do: "replay", iteration, ...inspection.inReplay(model.get("scene").version + 1) }));
  const board = makeBoard(tool, plane, replay);
  const list = makeList(tool, plane);
  const tabs = makeTabs(TABS, (name) => {
    opened(name);
    tool.root.setAttribute("data-tab", name);
    showList();
    inspection.show();
    gallery.show();
    people.show();
    tool.check();
  });
  const inspection = makeInspection(tool, plane, () => tabs.shown === "why");
  /** @type {import("./shapes.d.ts").Selected} */
  const selected = { rows: () => selection.rows, select: (rows) => selection.select(rows) };
  const gestures = makeGestures(tool, plane, selected);
  const gallery = makeGallery(tool, plane, () => tabs.shown === "clusters", selected, gestures);
  const listing = { list: () => (tabs.open("clusters"), gallery.list()), changed: gallery.show };
  const selection = makeSelection(tool, listing, gestures.ofSelection());
  const people = makePeople(tool, () => tabs.shown === "people");
  const classroom = makeClassroom(tool);
  const byHand = drawByHand(tool);
  /** In the lecture view the story and a class stand beside the picture. */
  function showClass() {
    const lecture = model.get("view") === "lecture";
    (lecture ? tool.card : picture).append(story); // beside the picture, which is as high as the screen
    const place = lecture ? tool.card.parentNode : tool.root;
    if (place && classroom.node.parentNode !== place) {
      if (lecture) tool.card.after(classroom.node);
      else tool.root.prepend(classroom.node);
    }
    classroom.show();
  }
  const nAnswers = () => plane.answers.count + plane.pairs.length;

  function showList() {
    const count = nAnswers();
    tabs.button("answers").textContent = count ? `Answers (${count})` : "Answers";
    if (tabs.shown === "answers") list.show();
  }

  // ---- status and legend

  const status = h("span", { class: "dcrc-status-text" });
  const legend = h("div", { class: "dcrc-legend" });

  function showStatus() {
    const { iteration, satisfied, saved, unsaved, in_memory: inMemory, milliseconds, changed } = model.get("scene");
    const count = nAnswers();
    const agreement = model.get("panels").quality?.curves[0].values.at(-1);
    status.textContent = [
      plural(count, "answer"),
      `fitted in ${Math.max(1, Math.round(milliseconds.fit))} ms`,
      agreement != null && `agreement ${agreement.toFixed(2)}`,
      unsaved ? "not saved" : inMemory ? "not saved: in memory only" : saved && `saved to ${saved}`,
      changed && !model.get("playing").title && `not the default: ${changed}`,
    ].filter(Boolean).join(" · ");
    status.title = agreement == null ? "" : AGREEMENT;
    status.classList.toggle("bad", Boolean(unsaved));
    if (tool.inApp && saved) comeBackTo(saved);
    const held = count && satisfied != null ? ` · memberships satisfy ${Number(satisfied.toFixed(1))} answers` : "";
    const seen = model.get("scene").about ?? plane.points.note;
    badge.textContent = iteration == null ? seen : `replay: EM iteration ${iteration}${held}`;
    badge.hidden = !badge.textContent;
    words.textContent = iteration == null ? model.get("scene").story : "";
    story.title = `${badge.textContent} ${words.textContent}`.trim();
  }

  const showLegend = () => put(legend, legendOf(plane, {
    map: model.get("options").map, choose: (cluster) => tool.request({ do: "cluster", cluster }),
  }));

  // ---- following Python

  function sharpen() {
    const { maps, window } = model.get("sharp");
    plane.sharpen(maps?.[0], window);
  }
  function showScene() {
    const scene = model.get("scene");
    if (scene.version !== shownVersion && scene.iteration == null) trail.leave(plane.surface);
    shownVersion = scene.version;
    plane.setScene(scene);
    sharpen();
    trail.take(scene);
    tool.newScene(() => {
      showStatus();
      showLegend();
      if (replay.playing) board.showObjective();
      else requestAnimationFrame(() => setTimeout(showList)); // may follow the picture
      inspection.showSweep();
      replay.shown(scene.iteration ?? replay.last);
    });
  }

  function showHidden() {
    const hidden = model.get("hidden");
    for (const each of tabs.buttons) each.hidden = hidden.includes(each.dataset.tab ?? "");
    tabs.node.hidden = tabs.buttons.every((each) => each.hidden);
    board.node.hidden = hidden.includes("panels");
    const order = [tab, "model", ...TABS.map(([name]) => name)];
    const open = order.find((name) => name && !hidden.includes(name)) ?? "";
    if (!tabs.shown || hidden.includes(tabs.shown)) tabs.open(open);
  }

  tool.follow({
    data: () => (inspection.explain(-1), trail.forget(), tool.newPoints(), selection.select([]), byHand.take()),
    draw: byHand.take,
    given: (now) => tool.newAnswers() && !now.has("scene") && showScene(),
    scene: showScene,
    sharp: (now) => !now.has("scene") && (sharpen(), tool.redraw()),
    panels: () => (board.show(), showStatus()),
    why: inspection.show,
    gallery: gallery.show,
    people: people.show,
    sweep: inspection.showSweep,
    hidden: showHidden,
    selection: () => selection.take(),
    classroom: showClass,
    view: showClass,
  });
  let cardTab = "";
  function followCard() { // of a scene, which may speak of a tab
    const { tab: wanted = "" } = model.get("playing");
    if (wanted && wanted !== cardTab && !model.get("hidden").includes(wanted)) tabs.open(wanted);
    cardTab = wanted;
  }
  tool.watch("change:playing", followCard);
  tool.watch("msg:custom", ({ show }) => {
    if (!show) return;
    const { title, text, query } = show;
    if (query == null) return tool.sheet.open(title, copyable(title, text ?? ""));
    const address = `${location.origin}${location.pathname}?${query}`;
    tool.sheet.open(title, [h("p", {}, isLocal() ? ALONE : SHARED), copyable(title, address)]);
  });

  for (const [name, { node }] of Object.entries({ answers: list, people, clusters: gallery })) {
    node.prepend(formulaOf(name));
  }
  const picture = h("div", { class: "dcrc-picture" }, stage, legend, byHand.node, story);
  const footer = h("div", { class: "dcrc-status" }, status, tool.links);
  tool.newPoints();
  tool.newAnswers();
  plane.setScene(model.get("scene"));
  showHidden();
  showScene();
  const parts = [tabs, list, gallery, people, inspection, board].map((part) => part.node);
  tool.begin([picture, tool.card, ...parts, footer], board.node);
  selection.take();
  showClass();
  byHand.take();
  followCard();
  return tool.end;
}

// A page that is loaded again goes on with the session that it had.
function comeBackTo(/** @type {string} */ file) {
  const address = new URL(location.href);
  if (address.searchParams.get("session") === file) return;
  address.searchParams.set("session", file);
  history.replaceState(history.state, "", address);
}
