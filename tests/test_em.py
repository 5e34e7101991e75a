"""The bound: its definition, that it never falls, and that it never exceeds the exact likelihood."""

import itertools

import numpy as np
import pytest
from brute_force import expected_log_joint_over_q, log_likelihood, random_triplets
from hypothesis import given
from hypothesis import strategies as st

from dcrc_explore import Triplets
from dcrc_explore.constraints import Pairs
from dcrc_explore.model.em import Problem, log_alpha
from dcrc_explore.model.path import Path
from dcrc_explore.model.starts import Start

seeds = st.integers(0, 2**32 - 1)
weightings = st.sampled_from(["steady", "paper"])


def tiny(seed, *, epsilon=0.1, n_answers=4, **parameters):
    """Six instances, of which at most five are constrained, so that all assignments can be enumerated."""
    rng = np.random.default_rng(seed)
    triplets = random_triplets(rng, 5, n_answers)
    X = rng.normal(size=(6, 2))
    settings = {"tau": 0.7, "lam": 0.01, "balance": True} | parameters
    return Problem(X, triplets, 3, epsilon=epsilon, **settings), X, triplets


def divisors(weighting, triplets, n_samples=6):
    """What the answers' log-likelihood and the entropy of the others are divided by, for triplets alone."""
    n_asked = len(triplets.constrained())
    if weighting == "paper":
        return len(triplets), n_samples - n_asked
    return max(n_asked / 3, 0.1 * n_samples), max(n_samples - n_asked, 0.3 * n_samples)


def proba(W, X):
    P = np.exp(X @ W[:, :-1].T + W[:, -1])
    return P / P.sum(axis=1, keepdims=True)


def states(problem, **limits):
    start = problem.weights_for(np.arange(len(problem.X)) % problem.n_clusters)
    return list(problem.climb(start, None, problem.factors, **({"max_iter": 15, "tol": 1e-6} | limits)))


@given(seeds, st.sampled_from([0.05, 0.3, 2 / 3, 0.8]), st.booleans(), weightings, st.sampled_from([1, 4, 30]))
def test_the_bound_equals_its_definition_at_every_iteration(seed, epsilon, balance, weighting, n_answers):
    problem, X, triplets = tiny(seed, epsilon=epsilon, balance=balance, weighting=weighting, n_answers=n_answers)
    divisor, separated = divisors(weighting, triplets)
    for state in states(problem, max_iter=2):
        P = proba(state.W, X)
        q = P.copy()
        q[problem.graph.instances] = state.Q.T
        unconstrained = np.setdiff1d(np.arange(6), triplets.constrained())
        marginal = P.mean(axis=0)
        expected = {
            "answers": expected_log_joint_over_q(triplets, P, q, epsilon) / divisor,
            "regulariser": -0.01 * (state.W[:, :-1] ** 2).sum(),
            "separation": 0.7 * (P[unconstrained] * np.log(P[unconstrained])).sum() / separated,
            "balance": -0.7 * (marginal * np.log(marginal)).sum() if balance else 0.0,
        }
        for term, value in expected.items():
            assert getattr(state.bound, term) == pytest.approx(value, abs=1e-9), term
        assert state.bound.total == pytest.approx(sum(expected.values()), abs=1e-9)


@given(seeds, st.sampled_from([0.01, 0.05, 0.3]), weightings, st.sampled_from([1, 4, 12]))
def test_the_bound_on_the_answers_never_exceeds_their_exact_log_likelihood(seed, epsilon, weighting, n_answers):
    problem, X, triplets = tiny(seed, epsilon=epsilon, weighting=weighting, n_answers=n_answers)
    divisor, _ = divisors(weighting, triplets)
    for state in states(problem, max_iter=3):
        exact = log_likelihood(triplets, proba(state.W, X), epsilon) / divisor
        assert state.bound.answers <= exact + 1e-9


@given(seeds, st.sampled_from([1e-6, 0.05, 0.5]), st.booleans(), st.integers(1, 60), weightings)
def test_the_bound_never_falls_over_em(seed, epsilon, balance, n_answers, weighting):
    rng = np.random.default_rng(seed)
    problem = Problem(
        rng.normal(size=(40, 3)),
        random_triplets(rng, 40, n_answers),
        3,
        epsilon=epsilon,
        tau=1.0,
        lam=0.01,
        balance=balance,
        weighting=weighting,
    )
    bounds = [state.bound.total for state in states(problem, max_iter=25)]
    assert np.diff(bounds).min() > -1e-9


@given(seeds, st.integers(1, 60))
def test_a_hard_fit_never_loses_a_satisfied_answer_and_never_cycles(seed, n_answers):
    rng = np.random.default_rng(seed)
    problem = Problem(
        rng.normal(size=(40, 3)), random_triplets(rng, 40, n_answers), 3, epsilon=0, tau=1.0, lam=0.01, balance=True
    )
    trace = states(problem, max_iter=40)
    ranks = [state.bound.rank for state in trace]
    assert all(later[0] >= earlier[0] - 1e-6 for earlier, later in itertools.pairwise(ranks))
    assert all(later[1] >= earlier[1] - 1e-6 for earlier, later in itertools.pairwise(ranks) if later[0] == earlier[0])
    assert np.isfinite(trace[-1].bound.total)


@pytest.mark.parametrize("balance", [True, False])
def test_a_softened_step_gives_the_bound_of_the_full_objective(balance):
    rng = np.random.default_rng(0)
    problem = Problem(
        rng.normal(size=(40, 3)), random_triplets(rng, 40, 20), 3, epsilon=0.05, tau=0.9, lam=0.01, balance=balance
    )
    start = Start(problem.weights_for(np.arange(40) % 3), soft=True)
    steps = list(Path(problem, start, 40, 1e-4, make_model=lambda step: None).steps())
    assert steps[0].softened
    assert not steps[-1].softened
    for step in steps:
        full = problem.bound(step.state.W, step.state.Q, problem.factors)
        for term in ("answers", "regulariser", "separation", "balance", "total", "satisfied"):
            assert getattr(step.bound, term) == pytest.approx(getattr(full, term), abs=1e-9), term
    assert steps[-1].lower_bounds == [step.bound.total for step in steps if not step.softened]


def test_an_asked_instance_weighs_the_same_however_often_it_is_mentioned():
    rng = np.random.default_rng(0)
    X, once, pairs = rng.normal(size=(40, 2)), random_triplets(rng, 40, 8), Pairs([(0, 1), (2, 3)], [1, -1])
    settings = dict(epsilon=0.05, tau=1, lam=0.1, balance=True)
    found = {
        weighting: [
            Problem(
                X,
                Triplets(np.tile(once.indices, (times, 1)), np.tile(once.answers, times)),
                2,
                pairs=Pairs(np.tile(pairs.indices, (times, 1)), np.tile(pairs.answers, times)),
                weighting=weighting,
                **settings,
            ).objective.divisors.answers
            for times in (1, 5)
        ]
        for weighting in ("steady", "paper")
    }
    assert found["steady"][1] == pytest.approx(found["steady"][0])
    assert found["paper"][1] == 5 * found["paper"][0]


@given(seeds)
def test_the_fit_without_answers_is_at_a_top_of_the_objective_without_them(seed):
    problem, X, _ = tiny(seed, lam=0.05)
    unanswered = Problem(X, Triplets(), 3, epsilon=0.1, tau=0.7, lam=0.05, balance=True)

    def value(W):
        return unanswered.bound(W, np.empty((3, 0)), unanswered.factors).total

    def steepness(W):
        steps = 1e-5 * np.eye(W.size).reshape(-1, *W.shape)
        return max(abs(value(W + step) - value(W - step)) / 2e-5 for step in steps)

    start = np.random.default_rng(seed).normal(size=(3, 3))
    end = problem.without_answers(start)
    assert value(end) > value(start)
    assert steepness(end) < 0.01


def test_without_answers_the_likelihood_term_is_absent():
    problem = Problem(
        np.random.default_rng(0).normal(size=(9, 2)), Triplets(), 2, epsilon=0.05, tau=1, lam=0.1, balance=True
    )
    for state in states(problem):
        assert state.bound.answers == 0
        assert np.isfinite(state.bound.total)


def test_with_every_instance_constrained_the_separation_term_is_absent():
    rng = np.random.default_rng(0)
    triplets = Triplets([(0, 1, 2), (3, 4, 5)], ["yes", "dnk"])
    problem = Problem(rng.normal(size=(6, 2)), triplets, 2, epsilon=0.05, tau=1, lam=0.1, balance=False)
    assert {state.bound.separation for state in states(problem)} == {0.0}


def test_many_instances_end_where_all_of_them_stand_still():
    rng = np.random.default_rng(0)
    y = rng.choice(3, size=90_000, p=[0.6, 0.39, 0.01])
    X = rng.normal(size=(3, 4))[y] * 3 + rng.normal(size=(90_000, 4))
    order = np.argsort(y, kind="stable")
    triplets = random_triplets(rng, len(X), 30)
    problem = Problem(X[order], triplets, 3, epsilon=0.05, tau=1, lam=0.01, balance=False)
    assert sorted(problem.order) == list(range(len(X)))
    start = problem.weights_for(y[order])
    found = list(problem.run(start, None, soft_start=True, max_iter=100, tol=1e-4))
    climbed = [state.bound.total for state in found if state.factors == problem.factors]
    assert np.diff(climbed).min(initial=0) > -1e-9
    *_, further = problem.climb(found[-1].W, found[-1].Q, problem.factors, max_iter=100, tol=1e-7)
    *_, in_full = problem.climb(start, None, problem.factors, max_iter=100, tol=1e-4)
    assert found[-1].bound.total == pytest.approx(further.bound.total, abs=1e-3)
    assert found[-1].bound.total > in_full.bound.total - 1e-3
    np.testing.assert_allclose(proba(further.W, X).sum(axis=0), proba(found[-1].W, X).sum(axis=0), atol=90)


def test_alpha_of_equation_13():
    assert log_alpha(0.05) == pytest.approx(np.log(38))
    assert log_alpha(2 / 3) == 0
    assert log_alpha(0.9) < 0
