// The formulas behind each tab, as the paper writes them; shown after "show the formulas".

import { h } from "./dom.js";

const sub = (/** @type {string} */ text) => h("sub", {}, text);
const sup = (/** @type {string} */ text) => h("sup", {}, text);
const classes = () => ["P(y = k | x; W) = exp(w", sub("k"), sup("T"), "x) / Σ", sub("k′"), " exp(w", sub("k′"),
  sup("T"), "x), Eq. (6)"];
const objective = () => ["max", sub("W"), " Φ(L | X", sub("I"), "; W) − λ R(W) + τ [H(ŷ | X; W) − H(Y", sub("U"),
  " | X", sub("U"), "; W)], Eq. (9); without balance τ H(ŷ | X; W) is left out, Eq. (8)"];
const answer = () => ["l = yes if y", sub("A"), " = y", sub("B"), " ≠ y", sub("C"), "; no if y", sub("A"), " = y",
  sub("C"), " ≠ y", sub("B"), "; don't know otherwise, Eq. (1)"];
const worth = () => ["worth = I(l; y", sub("A"), ", y", sub("B"), ", y", sub("C"), ") = H(l) − H(l | y", sub("A"),
  ", y", sub("B"), ", y", sub("C"), "), in bits, under the current P(y | x; W)"];

/** @type {Record<string, () => import("./shapes.d.ts").Child>} */
const FORMULAS = {
  data: classes,
  model: objective,
  ask: worth,
  answers: answer,
  people: () => ["P(l | y) = 1 − ε for the answer that y implies, ε / 2 for the two others, Table I; learned: 3 × 3 " +
    "probabilities for each person"],
  clusters: () => ["cluster of x = argmax", sub("k"), " P(y = k | x; W), Eq. (6); certainty by its entropy −Σ",
    sub("k"), " p", sub("k"), " log", sub("2"), " p", sub("k")],
  session: () => ["saved: X, L = {(x", sub("A"), ", x", sub("B"), ", x", sub("C"), ", l)}, K, ε, τ, λ and W"],
  disputes: answer,
  first: objective,
  second: objective,
};


/** The formula of a tab; shown with the formulas, while the tab is open. @param {string} tab */
export const formulaOf = (tab) => h("p", { class: "dcrc-formula formal", "data-formula": tab }, FORMULAS[tab]());
