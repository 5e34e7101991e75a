// Solves problems that Python wrote, with the browser's engine: JSON comes in by the standard input, and goes out.

import { readFileSync } from "node:fs";

import engine from "../../dcrc_explore/widgets/static/engine/engine.js";

const { belief, drawing, em, features, fitting, guided, information, quality } = engine;
const numbers = (values) => Float64Array.from(values.flat());

function solved({ X, triplets, pairs, settings, W, Q, questions, past, labels, y, shares, doubts, soft }) {
  const [d, K] = [X[0].length, settings.n_clusters];
  const problem = new em.Problem(numbers(X), d, triplets, pairs, settings);
  const start = { W: numbers(W), Q: null, soft: false, labels: null };
  const memberships = numbers(Q);
  const { logP } = engine.softmax.logProba(start.W, problem.XI, K, d + 1);
  problem.graph.sweep(memberships, logP, em.logAlpha(settings.epsilon), K, 0);
  const at = problem.objective.evaluate(start.W, memberships, problem.factors);
  const P = problem.inOrderOfRows(engine.softmax.logProba(start.W, problem.X, K, d + 1).P);
  const useDnk = true;
  const { steps } = fitting.follow(problem, { ...start, soft }, false);
  const known = belief.makeBelief(P, K, triplets, pairs, 0.2);
  return {
    order: [...problem.graph.instances],
    Q: [...memberships],
    J: at.value, gradient: [...at.gradient],
    terms: Object.values(problem.bound(at, problem.memberships(memberships))).slice(0, 6),
    regression: at.value && [...problem.weightsFor(labels)],
    unanswered: [...problem.withoutAnswers(start.W)],
    bounds: steps.map(({ bound }) => bound.total),
    worth: questions.map((points) => information.expectedAnswer(P, K, points, settings.epsilon, { past, useDnk })),
    pairWorth: questions.map(([i, j]) => information.expectedAnswer(P, K, [i, j], settings.epsilon)),
    ranked: guided.mostInformative(P, K, questions, settings.epsilon),
    boundary: drawing.byBoundary(P, K),
    curves: information.informationCurves([2, 3, 7], shares, settings.epsilon, useDnk).map(({ values }) => values),
    quality: Object.values(quality.quality(y, labels)),
    aligned: quality.alignClusters(quality.asMemberships(y, K), K, P, K),
    doubt: belief.modelDoubt(doubts),
    groups: known.groups,
    memberships: [...known.memberships],
    entropy: [...engine.softmax.entropy(P, K)],
  };
}

/** The kernel's matrix, which the features of all rows give again. */
function kernel({ X, gamma }) {
  const { rows, d } = features.makeFeatures(numbers(X), X[0].length, "rbf", gamma, 0);
  const row = (n) => rows.subarray(n * d, (n + 1) * d);
  return X.map((_, a) => X.map((__, b) => row(a).reduce((sum, value, e) => sum + value * row(b)[e], 0)));
}

/** A fit as a person sees it, from K-means and from the answers. */
function fitted({ X, triplets, pairs, settings }) {
  const made = features.makeFeatures(numbers(X), X[0].length, settings.kernel, settings.gamma, settings.random_state);
  const { bounds, P } = fitting.fit(made, triplets, pairs, settings, null, null);
  return { bound: bounds[bounds.length - 1].total, satisfied: bounds[bounds.length - 1].satisfied, P: [...P] };
}

const asked = JSON.parse(readFileSync(0, "utf8"));
const answers = { problems: solved, kernels: kernel, fits: fitted };
process.stdout.write(JSON.stringify(
  Object.fromEntries(Object.entries(asked).map(([name, cases]) => [name, cases.map(answers[name])]))));
