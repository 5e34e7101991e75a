"""J and its gradient against their definitions and finite differences."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime

from dcrc_explore.model import mstep
from dcrc_explore.model.lbfgs import LBFGS
from dcrc_explore.model.mstep import Factors, MStepObjective
from dcrc_explore.model.weighting import Divisors

CASES = {
    "both": dict(n_constrained=7, n_answers=4, tau=0.8, balance=True),
    "no balance": dict(n_constrained=7, n_answers=4, tau=0.8, balance=False),
    "no answers": dict(n_constrained=0, n_answers=0, tau=1.3, balance=True),
    "all constrained": dict(n_constrained=20, n_answers=11, tau=0.8, balance=True),
    "no tau": dict(n_constrained=7, n_answers=4, tau=0.0, balance=True),
    "steady, few answers": dict(n_constrained=3, n_answers=1, tau=0.8, balance=True, divisors=(2.5, 17)),
    "steady, many answers": dict(n_constrained=18, n_answers=50, tau=0.8, balance=True, divisors=(6.0, 6.0)),
    "steady, all constrained": dict(n_constrained=20, n_answers=50, tau=0.8, balance=True, divisors=(6.7, 6.0)),
}


def divisors(case, n_samples):
    """The paper's, unless the case has others."""
    return Divisors(*case.get("divisors", (case["n_answers"], n_samples - case["n_constrained"])))


def factors(case):
    return Factors(0.1, case["tau"], case["tau"] if case["balance"] else 0.0)


def problem(case, n_clusters=4, n_features=3, n_samples=20, seed=0):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(n_samples, n_features)), np.ones(n_samples)])
    Q = rng.dirichlet(np.ones(n_clusters), size=case["n_constrained"]).T.reshape(n_clusters, -1)
    W = rng.normal(size=(n_clusters, n_features + 1))
    objective = MStepObjective(X, case["n_constrained"], divisors(case, n_samples), n_clusters)
    return objective, W, Q


def definition(W, Q, X, case, lam=0.1):
    """The four terms, written as in section III-B, with other divisors where the case has them."""
    P = np.exp(X @ W.T)
    P /= P.sum(axis=1, keepdims=True)
    n = case["n_constrained"]
    by = divisors(case, len(X))
    memberships = (Q.T * np.log(P[:n])).sum() / by.answers if case["n_answers"] else 0.0
    separation = case["tau"] * (P[n:] * np.log(P[n:])).sum() / by.separation if n < len(X) else 0.0
    marginal = P.mean(axis=0)
    balance = case["tau"] * -(marginal * np.log(marginal)).sum() if case["balance"] else 0.0
    return memberships, -lam * (W[:, :-1] ** 2).sum(), separation, balance


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_terms_equal_their_definitions(case):
    objective, W, Q = problem(case)
    terms = objective(W, Q, factors(case)).terms
    expected = definition(W, Q, objective.X, case)
    np.testing.assert_allclose(
        (terms.memberships, terms.regulariser, terms.separation, terms.balance), expected, atol=1e-12
    )
    assert terms.total == pytest.approx(sum(expected))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_gradient_equals_finite_differences(case):
    objective, W, Q = problem(case)
    gradient = objective(W, Q, factors(case)).gradient
    numeric = approx_fprime(W.ravel(), lambda w: sum(definition(w.reshape(W.shape), Q, objective.X, case)), 1e-7)
    np.testing.assert_allclose(gradient.ravel(), numeric, atol=1e-6)


def test_blocks_of_any_size_give_the_same_result(monkeypatch):
    case = CASES["both"]
    reference, W, Q = problem(case, n_samples=3000)
    expected = reference(W, Q, factors(case))
    monkeypatch.setattr(mstep, "_BLOCK_VALUES", 4)
    blocked, _, _ = problem(case, n_samples=3000)
    assert len(blocked._blocks) > 10
    evaluation = blocked(W, Q, factors(case))
    assert evaluation.value == pytest.approx(expected.value, abs=1e-12)
    np.testing.assert_allclose(evaluation.gradient, expected.gradient, atol=1e-12)
    np.testing.assert_allclose(evaluation.log_p, expected.log_p, atol=1e-12)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_rows_that_stand_for_several_count_as_that_many(case):
    objective, W, Q = problem(case)
    n = objective.n_constrained
    repeated = np.concatenate([objective.X, objective.X[n:], objective.X[n:]])
    expected = MStepObjective(repeated, n, objective.divisors, len(W))(W, Q, factors(case))
    evaluation = MStepObjective(objective.X, n, objective.divisors, len(W), repeats=3)(W, Q, factors(case))
    assert evaluation.terms.total == pytest.approx(expected.terms.total, abs=1e-12)
    np.testing.assert_allclose(evaluation.gradient, expected.gradient, atol=1e-12)


@pytest.mark.parametrize("scale", [1e3, 1e8])
def test_huge_weights_neither_overflow_nor_give_nan(scale):
    case = CASES["both"]
    objective, W, Q = problem(case)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        evaluation = objective(scale * W, Q, factors(case))
    assert np.isfinite(evaluation.value)
    assert np.isfinite(evaluation.gradient).all()


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_m_step_never_lowers_j_and_ends_where_the_gradient_vanishes(case):
    objective, W, Q = problem(case)
    start, optimiser = objective(W, Q, factors(case)), LBFGS()
    better = objective.maximise(start, factors(case), optimiser, max_iter=3, tol=1e-9)
    assert better.value >= start.value
    best = objective.maximise(better, factors(case), optimiser, max_iter=500, tol=1e-15)
    np.testing.assert_allclose(objective(best.W, Q, factors(case)).gradient, 0, atol=1e-4)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_other_memberships_at_the_same_weights_need_no_evaluation(case):
    objective, W, Q = problem(case)
    other = np.random.default_rng(1).dirichlet(np.ones(4), size=Q.shape[1]).T.reshape(4, -1)
    moved = objective.with_memberships(objective(W, Q, factors(case)), other)
    expected = objective(W, other, factors(case))
    assert moved.value == pytest.approx(expected.value, abs=1e-12)
    np.testing.assert_allclose(moved.gradient, expected.gradient, atol=1e-12)


@pytest.mark.parametrize("N", [7, 200])  # with few rows variances are used, with many the covariance
def test_the_scaling_is_positive_definite_and_knows_the_units(N):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(3, 1e3, N), rng.normal(0, 1e-1, N), np.full(N, 5.0), np.ones(N)])
    scaling = MStepObjective(X, 0, Divisors(0, N), 2).scaling(lam=1e-9)
    matrix = np.array([scaling(np.vstack([row, row]))[0] for row in np.eye(4)])
    assert_allclose(matrix, matrix.T, rtol=1e-9)
    assert np.linalg.eigvalsh(matrix).min() > 0
    assert_allclose(np.diag(matrix)[:2] * X[:, :2].var(axis=0), 1, rtol=0.2)
