"""The bound: its definition, that it never falls, and that it never exceeds the exact likelihood."""

import itertools

import numpy as np
import pytest
from brute_force import expected_log_joint_over_q, log_likelihood, random_triplets
from hypothesis import given
from hypothesis import strategies as st

from dcrc_explore import Triplets
from dcrc_explore.model.em import Problem, log_alpha
from dcrc_explore.model.path import Path
from dcrc_explore.model.starts import Start

seeds = st.integers(0, 2**32 - 1)


def tiny(seed, *, epsilon=0.1, n_answers=4, **parameters):
    """Six instances, of which at most five are constrained, so that all assignments can be enumerated."""
    rng = np.random.default_rng(seed)
    triplets = random_triplets(rng, 5, n_answers)
    X = rng.normal(size=(6, 2))
    settings = {"tau": 0.7, "lam": 0.01, "balance": True} | parameters
    return Problem(X, triplets, 3, epsilon=epsilon, **settings), X, triplets


def proba(W, X):
    P = np.exp(X @ W[:, :-1].T + W[:, -1])
    return P / P.sum(axis=1, keepdims=True)


def states(problem, **limits):
    start = problem.weights_for(np.arange(len(problem.X)) % problem.n_clusters)
    return list(problem.climb(start, None, problem.factors, **({"max_iter": 15, "tol": 1e-6} | limits)))


@given(seeds, st.sampled_from([0.05, 0.3, 2 / 3, 0.8]), st.booleans())
def test_the_bound_equals_its_definition_at_every_iteration(seed, epsilon, balance):
    problem, X, triplets = tiny(seed, epsilon=epsilon, balance=balance)
    for state in states(problem, max_iter=2):
        P = proba(state.W, X)
        q = P.copy()
        q[problem.graph.instances] = state.Q.T
        unconstrained = np.setdiff1d(np.arange(6), triplets.constrained())
        marginal = P.mean(axis=0)
        expected = {
            "answers": expected_log_joint_over_q(triplets, P, q, epsilon) / len(triplets),
            "regulariser": -0.01 * (state.W[:, :-1] ** 2).sum(),
            "separation": 0.7 * (P[unconstrained] * np.log(P[unconstrained])).sum(axis=1).mean(),
            "balance": -0.7 * (marginal * np.log(marginal)).sum() if balance else 0.0,
        }
        for term, value in expected.items():
            assert getattr(state.bound, term) == pytest.approx(value, abs=1e-9), term
        assert state.bound.total == pytest.approx(sum(expected.values()), abs=1e-9)


@given(seeds, st.sampled_from([0.01, 0.05, 0.3]))
def test_the_bound_on_the_answers_never_exceeds_their_exact_log_likelihood(seed, epsilon):
    problem, X, triplets = tiny(seed, epsilon=epsilon)
    for state in states(problem, max_iter=3):
        exact = log_likelihood(triplets, proba(state.W, X), epsilon) / len(triplets)
        assert state.bound.answers <= exact + 1e-9


@given(seeds, st.sampled_from([1e-6, 0.05, 0.5]), st.booleans(), st.integers(1, 60))
def test_the_bound_never_falls_over_em(seed, epsilon, balance, n_answers):
    rng = np.random.default_rng(seed)
    problem = Problem(
        rng.normal(size=(40, 3)),
        random_triplets(rng, 40, n_answers),
        3,
        epsilon=epsilon,
        tau=1.0,
        lam=0.01,
        balance=balance,
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


def test_alpha_of_equation_13():
    assert log_alpha(0.05) == pytest.approx(np.log(38))
    assert log_alpha(2 / 3) == 0
    assert log_alpha(0.9) < 0
