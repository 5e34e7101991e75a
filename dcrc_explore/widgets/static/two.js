// Two models of the same data and answers side by side, and a third picture of where they disagree.

import { Answers, lettered, makeRows } from "./answers.js";
import { DifferencePlane } from "./difference.js";
import { h, put } from "./dom.js";
import { compareHelp } from "./help.js";
import { makeInformed } from "./informed.js";
import { makeBoth } from "./inspection/both.js";
import { legendOf } from "./legend.js";
import { makeMethods } from "./methods.js";
import { atNumber } from "./pairs.js";
import { Plane } from "./plane.js";
import { SAID, SHORT, plural } from "./say.js";
import { makeSwitch, makeTabs } from "./tabs.js";
import { makeTool } from "./tool.js";

/** @type {[string, string][]} */
const TABS = [
  ["disputes", "Disputed answers"], ["why", "Why"], ["first", "First model"], ["second", "Second model"],
  ["information", "Information"], ["methods", "Methods"], ["ask", "Ask"],
];
/** @type {[import("./difference.js").Kind, string, string][]} */
const KINDS = [
  ["entropy", "Entropy", "Entropy, second minus first, in bits: which model is less certain"],
  ["changed", "Assignment", "Places that belong to different clusters"],
];
const SLIGHT = 0.26; // bits: differences of certainty below this are not worth a word
const SAME = "Both models have the same settings. Change one of them in the tabs below.";
const APART = "Both models have the same settings. Each has answers of its own.";
const NO_ANSWERS = "No answers yet. Click three points in any picture and answer; both models learn from it. Answers " +
  "that one model satisfies and the other violates appear here.";

/** @param {import("./shapes.d.ts").Screen<import("./shapes.d.ts").CompareTraits>} screen */
export function render({ model, el, tab, opened, replaced, change }) {
  const answers = new Answers();
  const [first, second, third] = [
    new Plane({ answers, name: "First model: " }),
    new Plane({ answers, name: "Second model: " }),
    new DifferencePlane({ answers, name: "Difference: " }),
  ];
  const models = [first, second];
  let [[kind]] = KINDS;
  const explains = !model.get("hidden").includes("why");
  /** @type {import("./tool.js").Hooks} */
  const hooks = {
    help: compareHelp,
    look: "dcrc-compare",
    groups: ["first", "second", "ask"],
    drawBelow() {
      for (const plane of models) plane.drawBelow(model.get("options"));
      third.drawApart(kind);
    },
    change,
    attached() {
      tabs.open(tabs.shown || tab || "disputes");
      showStatus();
      if (replaced) tool.focusStage(); // it took the place of what had the focus
    },
    explaining: (p) => (p === 2 && explains) || tabs.shown === "why",
    picked(i, p) {
      if (p === 2 && explains) tabs.open("why");
      both.explain(i);
    },
    idle: () => both.wanted() ?? informed.wanted(),
  };
  const tool = makeTool(model, el, [first, second, third], hooks);
  const both = makeBoth(tool, models, () => tabs.shown === "why");
  const methods = makeMethods(tool, first, () => tabs.shown === "methods");
  const informed = makeInformed(tool, models, () => tabs.shown === "information");

  // ---- settings and pictures

  const differences = h("div", { class: "dcrc-differences", "aria-live": "polite" });
  const subtitles = [0, 1, 2].map(() => h("span", { class: "dcrc-subtitle" }));
  const titles = ["First", "Second", "Difference"].map((text, p) => h("h4", {}, text, " ", subtitles[p]));
  const legends = tool.stages.map(() => h("div", { class: "dcrc-legend" }));
  const pictures = tool.stages.map((stage, p) =>
    h("figure", { class: `dcrc-picture dcrc-picture-${p}` }, titles[p], stage, legends[p]));
  const switching = makeSwitch(KINDS, "What the third picture shows", kind, (name) => {
    kind = /** @type {import("./difference.js").Kind} */ (name);
    third.drawApart(kind);
    showLegends();
  });
  const nothing = h("p", { class: "dcrc-nothing", hidden: true });
  tool.stages[2].append(nothing);
  const scale = h("span", { class: "scale" });
  legends[2].append(switching, scale);

  function showDifferences() {
    const { differences: list, remark } = model.get("scene");
    put(differences,
      list.map(([name, one, two]) => h("span", { class: "difference" },
        h("b", {}, name), h("span", { class: "one" }, one), h("i", {}, "against"), h("span", { class: "two" }, two))),
      h("small", {}, list.length ? "all other settings are the same" : isApart() ? APART : SAME),
      remark && h("span", { class: "dcrc-remark" }, remark));
  }

  const nAnswers = (plane = first) => plane.answers.count + plane.pairs.length;
  const isApart = () => model.get("scene").own != null;

  function showLegends() {
    const { apart } = model.get("scene");
    models.forEach((plane, p) => {
      subtitles[p].textContent = nAnswers(plane)
        ? `violates ${plane.broken || "none"} of ${plural(nAnswers(plane), "answer")}` : "no answers yet";
      titles[p].title = `The boundary violates ${plane.broken || "none"}, the memberships ${plane.lost || "none"}`;
      put(legends[p], legendOf(plane),
        h("span", { title: "Mean entropy of P(y|x): how uncertain the model is of a point" },
          h("span", { class: "long" }, "uncertainty "), `${apart.entropy[p].toFixed(2)} bit`));
    });
    const changes = `${apart.changed} of ${first.n} points change`;
    put(subtitles[2], apart.changed ? changes : "no point changes",
      explains && apart.changed > 0 && h("span", { class: "dcrc-where-wide" }, ": click one to see why"));
    titles[2].title = explains && apart.changed ? "Click a point to see why it changes" : "";
    nothing.hidden = apart.changed > 0;
    nothing.textContent = "Every point is in the same cluster in both models." +
      (apart.most < SLIGHT ? " They are also equally certain." : "");
    showScale(apart.most.toFixed(2));
  }

  function showScale(/** @type {string} */ most) {
    const less = "Orange: the first is less certain; purple: the second";
    const long = (/** @type {string} */ text) => h("span", { class: "long" }, text);
    if (kind === "entropy") {
      scale.title = `Entropy, second minus first, up to ${most} bit. ${less}`;
      put(scale, h("i", {}, long("less certain: "), "first"), h("b", { class: "apart" }),
        h("i", {}, "second", long(`, ${most} bit`)));
    } else {
      scale.title = "Places that the two models give to different clusters";
      put(scale, h("b", { class: "changed" }), h("i", {}, "other cluster"));
    }
  }

  // ---- the disputed answers

  const scroller = h("div", { class: "dcrc-rows", role: "list" });
  const head = listHead();
  const list = h("section", { class: "dcrc-list", "aria-label": "Disputed answers" }, head, scroller);
  const rows = makeRows(scroller, (at) => row(model.get("scene").disputes[at]), tool.items.isLong);
  tool.markRows(scroller);
  const tabs = makeTabs(TABS, (name) => {
    opened(name);
    tool.root.setAttribute("data-tab", name);
    showList();
    both.show();
    methods.show();
    informed.show();
    tool.check();
  });

  /** @param {import("./types.d.ts").CompareScene["disputes"][number]} dispute */
  function row([number, given, one, two]) {
    const [{ pairs }] = models;
    const { t, pair } = atNumber(pairs, number);
    const { i, j, k } = pair ? { k: -1, ...pairs[t] } : answers.at(t);
    return h("div", { role: "listitem", class: "dcrc-row", "data-t": pair ? -1 : t, tabindex: "0" },
      h("span", { class: "number" }, number + 1), lettered(pair ? [i, j] : [i, j, k], -1, tool.items.thumbnail),
      h("span", { class: "said", title: SAID[given] }, SHORT[given]),
      verdict(given, one, "The first"), verdict(given, two, "The second"));
  }

  function showList() {
    const { disputes } = model.get("scene");
    const { length } = disputes;
    put(tabs.button("disputes"), "Disputed answers",
      length > 0 && h("span", { class: "dcrc-where-wide" }, ` (${length})`));
    if (tabs.shown !== "disputes") return;
    head.hidden = !length;
    const [all, each] = nAnswers() === 1 ? ["the answer", "it"] : [`all ${nAnswers()} answers`, "each"];
    const agree = `The two models agree on ${all}: ${each} is satisfied by both or violated by both.`;
    if (length) rows.show(length);
    else if (isApart()) rows.empty(h("p", { class: "dcrc-empty" }, ownAnswers()));
    else rows.empty(h("p", { class: "dcrc-empty" }, nAnswers() ? agree : NO_ANSWERS));
  }

  const ownAnswers = () =>
    `The first model has ${plural(nAnswers(), "answer")}, the second ${nAnswers(second)} of its own, so no answer ` +
    "can be disputed. What you answer goes to the first model.";

  // ---- status

  const status = h("span", { class: "dcrc-status-text" });
  function showStatus() {
    const { saved, unsaved, milliseconds } = model.get("scene");
    status.textContent = [
      plural(nAnswers(), "answer"),
      `both fitted in ${Math.max(1, Math.round(milliseconds.fit))} ms`,
      model.get("scene").models[0].about ?? first.points.note,
      unsaved ? "not saved" : saved && `saved to ${saved}`,
    ].filter(Boolean).join(" · ");
    status.classList.toggle("bad", Boolean(unsaved));
  }

  // ---- following Python

  function sharpen() {
    const { maps, window, apart } = model.get("sharp");
    models.forEach((plane, p) => plane.sharpen(maps?.[p], window));
    third.sharpenBoth(maps, window, apart);
  }
  function showScene() {
    const scene = model.get("scene");
    second.answers = scene.own ? new Answers() : answers;
    if (scene.own) second.answers.take({ start: 0, rows: scene.own });
    models.forEach((plane, p) => plane.setScene(scene.models[p]));
    third.setBoth(scene);
    sharpen();
    tool.newScene(() => {
      showStatus();
      showDifferences();
      showLegends();
      requestAnimationFrame(() => setTimeout(showList));
    });
  }
  tool.follow({
    data: () => (both.explain(-1), tool.newPoints()),
    given: (now) => tool.newAnswers() && !now.has("scene") && showScene(),
    scene: showScene,
    sharp: (now) => !now.has("scene") && (sharpen(), tool.redraw()),
    why: both.show,
    methods: methods.show,
    information: informed.show,
  });

  for (const each of tabs.buttons) each.hidden = model.get("hidden").includes(each.dataset.tab ?? "");
  tool.newPoints();
  tool.newAnswers();
  showScene();
  const parts = [tool.card, tabs.node, list, both.node, informed.node, methods.node];
  tool.begin([differences, h("div", { class: "dcrc-pictures" }, pictures), ...parts,
    h("div", { class: "dcrc-status" }, status, tool.links)]);
  return tool.end;
}

const listHead = () =>
  h("div", { class: "dcrc-row dcrc-row-head" }, h("span", { class: "number" }),
    h("span", { class: "triplet" }, "A is more similar to B than to C?"), h("span", { class: "said" }, "said"),
    h("span", { class: "verdict" }, "first"), h("span", { class: "verdict" }, "second"));

/** @param {number} given @param {number} implied @param {string} who */
function verdict(given, implied, who) {
  const holds = given === implied;
  const title = `${who} model ${holds ? "satisfies the answer" : `implies ${SAID[implied]}`}`;
  return h("span", { class: `verdict${holds ? "" : " violated"}`, title }, `${holds ? "✓" : "✕"} ${SHORT[implied]}`);
}
