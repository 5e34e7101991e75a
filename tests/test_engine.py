"""The engine of the browser computes what the Python model does: the same formulas, on random problems."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from js import constants
from test_browser_half import STATIC, node

from dcrc_explore import DCRC, information, metrics, questions
from dcrc_explore.constraints import Pairs, Triplets, implied_answers
from dcrc_explore.datasets import make_dataset
from dcrc_explore.information import curves, expectation, formulas
from dcrc_explore.model import em, estep, features, mstep, weighting
from dcrc_explore.model.path import Path as Fit
from dcrc_explore.model.softmax import log_proba
from dcrc_explore.model.starts import Start
from dcrc_explore.questions import belief, drawing, informative

N_PROBLEMS = 320
MAX_ITER, TOL = DCRC().max_iter, DCRC().tol
LONG = 25  # iterations
HARNESS = Path(__file__).parent / "js" / "engine.mjs"


def beside(python: Any, file: str, word: str) -> str:
    """Say where both halves have a formula, so that who changes one finds the other."""
    _, line = inspect.getsourcelines(python)
    text = (STATIC / "engine" / file).read_text(encoding="utf-8").splitlines()
    there = next(n for n, each in enumerate(text, 1) if word in each)
    return f"{inspect.getsourcefile(python)}:{line} and {STATIC / 'engine' / file}:{there} differ"


def problem(seed: int) -> dict[str, Any]:
    """Draw data, answers, settings and a start."""
    rng = np.random.default_rng(seed)
    N, d, K = int(rng.integers(8, 61)), int(rng.integers(1, 6)), int(rng.integers(2, 6))
    X = rng.normal(size=(N, d)) + rng.integers(0, 3, size=(N, 1))
    M, P = int(rng.integers(0, 25)), int(rng.integers(0, 6))
    triplets = [[*rng.choice(N, 3, replace=False).tolist(), int(rng.integers(-1, 2))] for _ in range(M)]
    pairs = [[*rng.choice(N, 2, replace=False).tolist(), int(rng.choice([-1, 1]))] for _ in range(P)]
    if rng.random() < 0.2:
        pairs = []
    settings = {
        "n_clusters": K,
        "epsilon": float(rng.choice([0.0, 0.05, 0.15, 0.4])),
        "tau": float(rng.choice([0.0, 0.5, 1.0])),
        "lam": float(rng.choice([2.0**-10, 2.0**-6, 0.5])),
        "balance": bool(rng.integers(2)),
        "weighting": str(rng.choice(list(weighting.WEIGHTINGS))),
    }
    instances = {i for each in triplets for i in each[:3]} | {i for each in pairs for i in each[:2]}
    Q = rng.dirichlet(np.ones(K), size=len(instances))
    y, labels = (rng.integers(K, size=N) for _ in range(2))
    y[:K] = labels[:K] = np.arange(K)
    return {
        "X": X.tolist(),
        "triplets": triplets,
        "pairs": pairs,
        "settings": settings,
        "W": rng.normal(size=(K, d + 1)).tolist(),
        "Q": Q.tolist(),
        "questions": [rng.choice(N, 3, replace=False).tolist() for _ in range(12)],
        "past": triplets[:3],
        "labels": labels.tolist(),
        "y": y.tolist(),
        "shares": rng.dirichlet(np.ones(K)).tolist(),
        "soft": bool(seed % 2),
        "doubts": rng.exponential(size=M).tolist(),
    }


@cache
def both() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return the problems and what the browser's engine makes of them."""
    asked = [problem(seed) for seed in range(N_PROBLEMS)]
    return list(zip(asked, solved(problems=asked)["problems"], strict=True))


def solved(**cases: list[dict[str, Any]]) -> dict[str, Any]:
    run = node(str(HARNESS), text=json.dumps(cases))
    assert run.returncode == 0, run.stderr
    return dict(json.loads(run.stdout))


def given(case: dict[str, Any]) -> tuple[Triplets, Pairs]:
    triplets = np.array(case["triplets"], dtype=int).reshape(-1, 4)
    pairs = np.array(case["pairs"], dtype=int).reshape(-1, 3)
    return Triplets(triplets[:, :3], triplets[:, 3]), Pairs(pairs[:, :2], pairs[:, 2])


def reference(case: dict[str, Any]) -> em.Problem:
    settings = dict(case["settings"])
    triplets, pairs = given(case)
    return em.Problem(np.array(case["X"]), triplets, settings.pop("n_clusters"), pairs=pairs, **settings)


def believed(case: dict[str, Any]) -> np.ndarray:
    there = reference(case)
    return there.in_order_of_rows(log_proba(np.array(case["W"]), there.X)[1])


@cache
def swept(seed: int) -> tuple[em.Problem, np.ndarray, mstep.Evaluation]:
    """Return Python's problem, its memberships after one sweep, and J there."""
    case, _ = both()[seed]
    there, W = reference(case), np.array(case["W"])
    log_p, _ = log_proba(W, there.X[: there.objective.n_constrained])
    Q = np.ascontiguousarray(np.reshape(case["Q"], (-1, there.n_clusters)).T)
    there.graph.sweep(Q, log_p, em.log_alpha(there.epsilon))
    return there, Q, there.objective(W, Q, there.factors)


def test_the_constants_are_those_of_python() -> None:
    assert constants.PATH.read_text(encoding="utf-8") == constants.written(), "run: python tests/js/constants.py"


def test_the_e_step_is_the_same() -> None:
    for seed, (_, here) in enumerate(both()):
        there, Q, _ = swept(seed)
        assert here["order"] == there.graph.instances.tolist(), beside(estep._colour, "estep.js", "function inGroups")
        found = np.reshape(here["Q"], (-1, there.n_clusters)).T
        np.testing.assert_allclose(
            found, Q, atol=1e-9, err_msg=beside(estep.AnswerGraph.sweep, "estep.js", "  sweep(Q")
        )


def test_the_objective_and_its_gradient_are_the_same() -> None:
    where = beside(mstep.MStepObjective.__call__, "mstep.js", "  evaluate(W")
    for seed, (_, here) in enumerate(both()):
        _, _, at = swept(seed)
        assert here["J"] == pytest.approx(at.value, abs=1e-9), where
        np.testing.assert_allclose(
            np.reshape(here["gradient"], at.gradient.shape), at.gradient, atol=1e-9, err_msg=where
        )


def test_the_terms_of_the_bound_are_the_same() -> None:
    for seed, (_, here) in enumerate(both()):
        there, Q, at = swept(seed)
        bound = there.bound(at.W, Q, there.factors)
        expected = [bound.answers, bound.regulariser, bound.separation, bound.balance, bound.total, bound.satisfied]
        where = beside(em.Problem._bound, "em.js", "  bound({ terms }")
        np.testing.assert_allclose(here["terms"], expected, atol=1e-9, err_msg=where)


def test_a_start_from_labels_is_the_same() -> None:
    where = beside(mstep.logistic_regression, "mstep.js", "function logisticRegression")
    for case, here in both()[:60]:
        W = reference(case).weights_for(np.array(case["labels"]))
        np.testing.assert_allclose(np.reshape(here["regression"], W.shape), W, atol=1e-4, err_msg=where)


def test_the_fit_without_answers_is_the_same() -> None:
    where = beside(em.Problem.without_answers, "em.js", "  withoutAnswers(W)")
    for case, here in both()[:60]:
        there = reference(case)
        W, X = there.without_answers(np.array(case["W"])), there.X
        objective = mstep.MStepObjective(X, 0, weighting.Divisors(0, len(X)), len(W))
        factors, none = mstep.Factors(there.factors.lam, *[there.factors.separation] * 2), np.empty((len(W), 0))
        ends = [objective(weights, none, factors).value for weights in (W, np.reshape(here["unanswered"], W.shape))]
        assert ends[1] == pytest.approx(ends[0], abs=1e-4), where


def test_fits_from_the_same_start_go_the_same_way() -> None:
    """Rounding grows with each iteration: fits that take many end alike as far as EM is followed to its end."""
    where = beside(em.Problem.climb, "em.js", "  *climb(W")
    for case, here in both():
        path = Fit(reference(case), Start(np.array(case["W"]), soft=case["soft"]), MAX_ITER, TOL, lambda step: DCRC())
        steps = {step.iteration: step for step in path.steps()}  # where tau changes, the later look counts
        there = [step.bound.total for step in steps.values()]
        assert here["bounds"][:8] == pytest.approx(there[:8], abs=1e-9), where
        exact = 1e-5 if len(there) <= LONG else 10 * TOL
        assert here["bounds"][-1] == pytest.approx(there[-1], abs=exact), (where, len(there))


def test_what_answers_are_worth_is_the_same() -> None:
    where = beside(expectation.expected_answers, "information.js", "function expectedAnswer")
    for case, here in both():
        P, epsilon = believed(case), case["settings"]["epsilon"]
        rows = np.array(case["questions"])
        past = (
            np.array([each[:3] for each in case["past"]]).reshape(-1, 3),
            np.array([each[3] for each in case["past"]], dtype=np.int8),
        )
        expected = expectation.expected_answers(P, rows, epsilon, past=past)
        np.testing.assert_allclose(here["worth"], expected, atol=1e-12, err_msg=where)
        two = np.column_stack([rows[:, :2], np.full(len(rows), -1)])
        np.testing.assert_allclose(
            here["pairWorth"], expectation.expected_answers(P, two, epsilon), atol=1e-12, err_msg=where
        )


def test_information_over_the_number_of_clusters_is_the_same() -> None:
    where = beside(formulas.information_curves, "information.js", "function informationCurves")
    for case, here in both():
        model = curves.ClusterCurves(case["shares"], case["settings"]["epsilon"], max_clusters=7).model
        expected = [values[[0, 1, 5]] for values in model.values()]
        np.testing.assert_allclose(here["curves"], expected, atol=1e-12, err_msg=where)


def test_questions_rank_alike() -> None:
    for case, here in both():
        P, asked = believed(case), np.array(case["questions"])
        worth = questions.question_information(P, asked, epsilon=case["settings"]["epsilon"])
        ranked = asked[np.argsort(-worth.round(9), kind="stable")]
        assert here["ranked"] == ranked.tolist(), beside(
            informative.informative_triplets, "guided.js", "function mostInformative"
        )
        second, first = np.partition(P, -2, axis=1)[:, -2:].T
        near = np.argsort((first - second).round(9), kind="stable")
        assert here["boundary"] == near.tolist(), beside(drawing.boundary_triplets, "drawing.js", "function byBoundary")


def test_what_guided_questions_build_on_is_the_same() -> None:
    for case, here in both():
        triplets, pairs = given(case)
        there = belief.Belief(believed(case), triplets, 0.2, pairs)
        assert here["groups"] == [members.tolist() for members in there.groups], beside(
            questions.Closure, "closure.js", "class Closure"
        )
        where = beside(belief.Belief, "belief.js", "function makeBelief")
        found = np.reshape(here["memberships"], there.memberships.shape)
        np.testing.assert_allclose(found, there.memberships, atol=1e-9, err_msg=where)
        assert here["doubt"] == pytest.approx(belief.model_doubt(case["doubts"]), abs=1e-12)


def test_quality_and_cluster_numbers_are_the_same() -> None:
    measures: list[Callable[..., float]] = [
        *(metrics.pairwise_f, metrics.adjusted_rand, metrics.nmi, metrics.matched_accuracy)
    ]
    for case, here in both():
        y, labels = np.array(case["y"]), np.array(case["labels"])
        expected = [measure(y, labels) for measure in measures]
        assert here["quality"] == pytest.approx(expected, abs=1e-9), beside(
            metrics.pairwise_f, "quality.js", "function quality"
        )
        P = believed(case)
        assert here["aligned"] == metrics.align_clusters(y, P).tolist(), beside(
            metrics.align_clusters, "quality.js", "function alignClusters"
        )
        np.testing.assert_allclose(here["entropy"], information.entropy(P), atol=1e-9)


def test_the_gaussian_kernel_is_the_same() -> None:
    rng = np.random.default_rng(0)
    cases = [{"X": rng.normal(size=(n, 2)).tolist(), "gamma": gamma} for n in (5, 40) for gamma in (0.3, 2.0, "scale")]
    for case, found in zip(cases, solved(kernels=cases)["kernels"], strict=True):
        made = features.make_features(np.array(case["X"]), "rbf", gamma=case["gamma"])  # type: ignore[arg-type]
        where = beside(features.make_features, "features.js", "function makeFeatures")
        np.testing.assert_allclose(found, made.rows @ made.rows.T, atol=1e-8, err_msg=where)


def test_fits_of_the_shipped_data_are_as_good_as_those_of_python() -> None:
    """K-means draws other numbers in the browser, and yet finds the same optima."""
    cases, expected = [], []
    for name, kernel in (("close", "linear"), ("elongated", "linear"), ("unbalanced", "linear"), ("moons", "rbf")):
        data = make_dataset(name)
        assert data.y is not None
        for M in (0, 20):
            asked = questions.random_triplets(len(data.X), M, seed=1)
            said = implied_answers(data.y, asked).tolist()
            settings: dict[str, Any] = {
                **{"n_clusters": data.n_classes, "epsilon": 0.05, "tau": 1.0, "lam": 2**-6, "balance": True},
                **{"weighting": "steady", "kernel": kernel, "gamma": "scale", "random_state": 0},
            }
            model = DCRC(**settings).fit(data.X, triplets=Triplets(asked, said))
            rows = [[*points, int(answer)] for points, answer in zip(asked.tolist(), said, strict=True)]
            more = {"use_dnk": True, "restart": False}
            cases.append({"X": data.X.tolist(), "triplets": rows, "pairs": [], "settings": settings | more})
            expected.append(model.lower_bound_)
    found = [each["bound"] for each in solved(fits=cases)["fits"]]
    assert (np.array(found) > np.array(expected) - 0.02).all(), (found, expected)


def test_no_module_of_the_engine_needs_a_page() -> None:
    for path in (STATIC / "engine").glob("*.js"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\b(document|window|navigator|localStorage)\b", text), path
