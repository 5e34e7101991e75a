"""How well a model predicts answers that it did not see: all candidates of a fold.

Candidates are fitted one after the other, each starting from its neighbour towards the middle of the grid.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from copy import copy
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.constraints import answer_columns, answer_proba
from dcrc_explore.model.estimator import DCRC
from dcrc_explore.model.noise import pair_accuracy
from dcrc_explore.model.scoring import Scoring, accuracy, balanced_accuracy, log_likelihood
from dcrc_explore.model.softmax import Weights
from dcrc_explore.model.validation import AnswersByKind, validated

# The least probability that an answer counts with, where single answers are compared.
_LEAST_PROBABILITY = 0.01


class End(NamedTuple):
    """Where a candidate ended in a fold, and how well it predicts the answers held out."""

    accuracy: float
    balanced_accuracy: float
    log_likelihood: float
    score: float
    weights: Weights | None


def route(taus: list[float], lams: list[float]) -> Iterator[tuple[int, int | None]]:
    """Yield candidates, each after the one it starts from: from the middle along lambda, then to the other taus."""
    by_tau, by_lam = np.argsort(taus, kind="stable"), np.argsort(lams, kind="stable")
    middle = len(taus) // 2, len(lams) // 2

    def number(tau: int, lam: int) -> int:
        return int(by_tau[tau]) * len(lams) + int(by_lam[lam])

    yield number(*middle), None
    for lam, last in _outwards(middle[1], len(lams)):
        yield number(middle[0], lam), number(middle[0], last)
    for tau, last in _outwards(middle[0], len(taus)):
        for lam in range(len(lams)):
            yield number(tau, lam), number(last, lam)


def _outwards(middle: int, n: int) -> Iterator[tuple[int, int]]:
    """Yield each other place of n, and its neighbour towards the middle."""
    yield from ((place, place - 1) for place in range(middle + 1, n))
    yield from ((place, place + 1) for place in range(middle - 1, -1, -1))


def held_out(
    model: DCRC,
    X: FloatArray,
    train: AnswersByKind,
    test: AnswersByKind,
    taus: list[float],
    lams: list[float],
    scoring: Scoring,
) -> list[End]:
    """Fit every candidate to `train` and judge it by its predictions of `test`, in the order of the grid."""
    if not model.use_dnk:
        test = test.without_dnk()
    grid = list(product(taus, lams))
    if not len(test):
        return [End(np.nan, np.nan, np.nan, np.nan, None)] * len(grid)
    columns = answer_columns(np.concatenate([test.triplets.answers, test.pairs.answers]))
    fitted: dict[int | None, DCRC] = {None: clone(model).set_params(warm_start=True)}
    ends: dict[int, End] = {}
    for candidate, last in route(taus, lams):
        tau, lam = grid[candidate]
        with warnings.catch_warnings():
            # A candidate that has not converged is judged by its predictions like any other.
            warnings.simplefilter("ignore", ConvergenceWarning)
            # The last fit, to all answers, says how it takes them.
            warnings.filterwarnings("ignore", "none of the answers is don't know", UserWarning)
            now = copy(fitted[last]).set_params(tau=tau, lam=lam, **({} if last is None else {"n_init": 1}))
            fitted[candidate] = now.fit_checked(X, train)
        proba = predicted(now, X, test)
        ends[candidate] = End(
            accuracy(columns, proba),
            balanced_accuracy(columns, proba),
            log_likelihood(columns, proba),
            scoring(columns, proba),
            Weights(now.coef_, now.intercept_),
        )
    return [ends[candidate] for candidate in range(len(grid))]


def held_out_log_proba(
    model: DCRC, X: FloatArray, arguments: dict[str, Any], train: IntArray, test: IntArray
) -> FloatArray:
    """Return the log-probability of each of some answers under a model that was fitted to others.

    Parameters
    ----------
    model : DCRC
        It is not changed.
    X : ndarray of shape (N, n_features)
    arguments : dict
        Arguments of :meth:`DCRC.fit` besides X.
    train, test : ndarray of int
        Numbers of the answers, triplets first. Answers that a model ignores are left out.

    Examples
    --------
    >>> X = np.array([[0.0], [0.1], [5.0], [5.1]])
    >>> arguments = {"triplets": [(0, 1, 2), (2, 3, 0), (1, 0, 3)], "answers": ["yes", "yes", "no"]}
    >>> held_out_log_proba(DCRC(2, random_state=0), X, arguments, np.array([0, 1]), np.array([2])).round(1)
    array([-3.5])
    """
    model = clone(model)
    X, given = validated(model, X, **{"triplets": None, "answers": None} | arguments)
    fitted, test_given = model.fit_checked(X, given[train]), given[test]
    if not model.use_dnk:
        test_given = test_given.without_dnk()
    columns = answer_columns(np.concatenate([test_given.triplets.answers, test_given.pairs.answers]))
    proba = predicted(fitted, X, test_given)
    # A hard model may be certain and wrong: one answer must not outweigh all others.
    return np.log(np.maximum(proba[np.arange(len(columns)), columns], _LEAST_PROBABILITY))


def predicted(model: DCRC, X: FloatArray, given: AnswersByKind) -> FloatArray:
    """Return the probabilities of yes, no and dnk of each triplet and then of each pair, by whom they were answered.

    Pairs have the error rate that the noise model begins with (see :mod:`dcrc_explore.model.noise`);
    nobody is expected to say dnk about them.
    """
    members, M = model.log_proba_checked(X)[1].T, len(given.triplets)
    proba = np.zeros((len(given), 3))
    if model.confusion_ is None:
        proba[:M] = answer_proba(members, given.triplets, epsilon=model.epsilon)
    else:
        own = np.array([model.annotators_.get(name, model.confusion_) for name in given.names])
        implied = answer_proba(members, given.triplets)
        proba[:M] = np.einsum("mr,mrc->mc", implied, own[given.people[:M]])
    first, second = members[given.pairs.indices.T]
    together = np.einsum("pk,pk->p", first, second)
    right = pair_accuracy(model.epsilon)
    proba[M:, 0] = right * together + (1 - right) * (1 - together)
    proba[M:, 1] = 1 - proba[M:, 0]
    return proba
