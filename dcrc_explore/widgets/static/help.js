// What the sheet of keys and symbols says.

import { h } from "./dom.js";
import { AGREEMENT } from "./say.js";

/**
 * @typedef {import("./shapes.d.ts").Child} Child
 * @typedef {[Child, Child, string?]} Entry  a term, what it means, and a class of the term; parts in a list are joined
 */

const keys = (/** @type {string[]} */ ...names) => names.flatMap((name, at) => [at ? " " : null, h("kbd", {}, name)]);

/** @param {string} title @param {Entry[]} entries @param {...Child} rest */
export const section = (title, entries, ...rest) =>
  h("section", {}, h("h4", {}, title),
    h("dl", {}, entries.map(([term, meaning, cls]) => [h("dt", { class: cls }, term), h("dd", {}, meaning)])), rest);

export const columns = (/** @type {Node[]} */ ...sections) => h("div", { class: "dcrc-help-columns" }, sections);

/** @param {Entry[]} [more] */
const keysHelp = (more = []) =>
  section("Keys", [
    [keys("Y", "N", "D"), "answer yes, no, don't know"],
    [keys("S"), "skip: leave the question, record nothing"],
    [keys("Z", "⇧ Z"), "undo, redo"],
    [keys("Enter"), "suggest the next question"],
    [keys("A", "B", "C"), "play a sound of the question, where points are sounds; again to stop it"],
    [keys(",", "."), "in a scene: back, next step"],
    [keys("Esc"), "take back the last chosen point"],
    [keys("←", "↑", "→", "↓"), ["move between points; ", keys("Space"), " takes one"]],
    [keys("+", "-", "0"), ["zoom in, out, show everything; ", keys("Ctrl"), " and the wheel zoom too"]],
    [keys("⇧ ←", "⇧ →"), "move the zoomed picture; so does dragging it"],
    [keys("L", "F"), "lecture view, for a projector; the same on the full screen; again to leave it"],
    ...more,
  ], h("p", {}, "They work here while the question says “keys: on”: move the pointer over the tool, or click it."));

export const explorerHelp = () =>
  columns(
    keysHelp([
      [keys("B", "E", "M"), ["while points are drawn by hand: draw, erase, move; ", keys("1"), " to ", keys("8"),
        " a class, ", keys("[", "]"), " the size, arrows and ", keys("Space"), " instead of the pointer"]],
    ]),
    section("Picture", [
      ["colour and shape", "the cluster of a point; it stays from fit to fit"],
      ["dark map", "entropy: the model is unsure here"],
      ["line", "decision boundary"],
      ["solid, dashed", "an answer: A to the more similar point, and to the other"],
      ["dotted", "an answer “don't know”"],
      ["red", "the model implies another answer (violated); of many, the latest 150 are drawn", "bad"],
      ["ring", "the true class; it keeps its colour. Where ring and point have one colour, the point is right"],
      ["blue line, blue ring", "where the boundary was before the last change, and points that it moved"],
      [keys("⇧", "drag"), ["selects the points in a loop, ", keys("V"), " all in sight"]],
    ]),
    section("Words", [
      ["fits the memberships", "memberships (Q in the paper) say in which cluster each point is, given the answers; " +
        "an answer fits when they imply it"],
      ["satisfied by the boundary", "the clusters that the map shows imply the answer; a straight boundary " +
        "cannot always follow the memberships"],
      ["ε, τ, λ", "settings of the model: how often an answer is wrong, how far clusters stand apart, how small its " +
        "weights are kept"],
      ["worth 0.9 bit", "information of the answer about the three clusters; at most 1.58 bit"],
      ["agreement", AGREEMENT],
      ["F, NMI, accuracy", "other measures, in the panel Quality; 1 is perfect: F of pairs, what the clusters tell " +
        "about the classes (NMI), points in the cluster of their class (accuracy)"],
    ]),
    formal("Symbols of the paper", [
      [["i", "j", "k"].map((at, t) => [t ? " " : null, "x", h("sub", {}, at)]), "the points A, B, C of a triplet"],
      ["l", "the answer, Eq. (1); yes: A and B share a cluster and C does not; no: A and C do and B does not; " +
        "don't know: anything else"],
      ["ε", "probability that an answer is wrong, Table I; 0 makes answers hard, 2/3 ignores them"],
      ["τ, λ", "weight of cluster separation, and of small weights W, Eqs. (8), (9)"],
      ["K, M", "number of clusters, number of answers"],
      ["bit", "worth: mutual information of the answer and the three memberships; surprise: −log₂ of the answer's " +
        "probability"],
      ["panels", "Information by K: Eqs. (3), (4), (5), pale, and the same for this model; Objective: the bound of " +
        "Eq. (10); Balance: Eq. (9), without it Eq. (8)"],
    ]),
    whyHelp(),
    plain(),
  );

/** A section that is shown with the formulas. @param {string} title @param {Entry[]} entries */
function formal(title, entries) {
  const node = section(title, entries);
  node.classList.add("formal");
  return node;
}

const plain = () => h("p", { class: "plain dcrc-help-wide" },
  "The symbols of the paper and its equation numbers appear here, in every tab and on the panels, after “show the " +
  "formulas” at the foot of the tool.");

function whyHelp() {
  const node = formal("Why", [
    ["F(y)", "how well cluster y suits the point's answers: the sum over them of the probability that the answer " +
      "holds if the point is in y, Table II"],
    ["α", "2(1 − ε)/ε: how strongly answers count; infinite for hard ones"],
    ["q(y)", ["membership with the answers, ∝ α", h("sup", {}, "F(y)"), " P(y|x), Eq. (13); for hard " +
      "answers P(y|x) among the clusters with the largest F, Eq. (14)"]],
    ["replay", "the Objective panel runs through the EM iterations. A hard fit cannot cycle: every iteration " +
      "satisfies more answers, or as many with a better rest of the bound. Otherwise the panel would say so."],
    ["disbelief", "surprise −log₂ P(answer) under P(y|x), in bits"],
  ]);
  node.classList.add("dcrc-help-wide");
  return node;
}

export const compareHelp = () =>
  columns(
    keysHelp(),
    section("Three pictures", [
      ["first, second", "two models with the same data and answers; a click or an answer counts for both"],
      ["purple", "the second model is less certain here: its entropy is higher"],
      ["orange", "the first model is less certain here"],
      ["red area", "places that the models give to different clusters", "bad"],
      ["ring", "a point that changes its cluster: the ring is the first model's, the marker the second's"],
      ["thin, thick line", "boundaries of the first and (thick, blue) of the second model in the third picture"],
    ]),
    section("Soft and hard", [
      ["soft", "an answer may be wrong with probability ε"],
      ["hard", "ε = 0: Q puts a point where most of its answers hold; the boundary follows as far as it can"],
      ["when they differ", "with few answers or with wrong ones. A point that stands in many answers without errors " +
        "is decided as firmly by ε = 0.05 as by 0."],
      ["disputed", "an answer that one model satisfies and the other violates"],
    ]),
  );
