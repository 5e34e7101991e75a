"""Moves from one optimum of EM to a better one: a cluster is split, and what splits off is put elsewhere.

K-means gives nearly the same start each time, and EM from it ends where it ends. With few answers better optima are a
large step away, as when two groups lie in one cluster and one group is cut in two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice, takewhile

import numpy as np
from sklearn.utils import check_random_state

from dcrc_explore.arrays import FloatArray, IntArray, RandomState
from dcrc_explore.model.em import Bound
from dcrc_explore.model.path import EMStep
from dcrc_explore.model.starts import Start, kmeans_labels

# A move is followed for so many EM iterations, and to the end when its bound has come so near to the best one.
_TRIAL = 5
_NEAR = 0.05
# No cluster with fewer points is split.
_SMALLEST = 4


def moved(
    steps: list[EMStep], n_moves: int, random_state: RandomState, go_on: Callable[[], bool] = lambda: True
) -> list[EMStep]:
    """Try moves from the end of a fit and return the steps of the best one, which may be those given.

    `go_on` is asked after each EM iteration; when it says no, what was found until then is returned.
    """
    path = steps[-1].path
    if not n_moves or not path.max_iter:
        return steps
    X, order, rng = path.problem.X[:, :-1], path.problem.order, check_random_state(random_state)
    for _ in range(n_moves):
        best = steps[-1]
        labels = best.posterior.argmax(axis=1)
        changed = proposal(X, labels[order], path.problem.n_clusters, rng)
        if changed is None:
            break
        labels[order] = changed
        moving = replace(path, start=Start(path.problem.weights_for(labels), labels=labels))
        trial = takewhile(lambda _: go_on(), moving.steps())
        followed = list(islice(trial, _TRIAL + 1))
        if not go_on():
            break
        if _near(followed[-1].bound, best.bound):
            followed += trial
            if go_on() and followed[-1].bound.exceeds(best.bound):
                steps = followed
    return steps


def _near(bound: Bound, best: Bound) -> bool:
    satisfied, value = np.subtract(bound.rank, best.rank)
    return bool(satisfied >= 0 and value > -_NEAR)


def proposal(X: FloatArray, labels: IntArray, n_clusters: int, random_state: np.random.RandomState) -> IntArray | None:
    """Split a cluster, drawn by its size, in two, and give one half to another, or to a number that a merge sets free.

    Half of the time only half of the features decide how it is split: what the answers are about need not be what
    varies most.

    Returns
    -------
    ndarray of shape (N,) or None
        None where no cluster can be split.

    Examples
    --------
    >>> X = np.array([[0.0], [0.1], [5.0], [5.1], [9.0]])
    >>> proposal(X, np.array([0, 0, 0, 0, 1]), 2, np.random.RandomState(0))
    array([1, 1, 0, 0, 1])
    """
    counts = np.bincount(labels, minlength=n_clusters)
    large = np.where(counts >= _SMALLEST, counts, 0)
    if n_clusters < 2 or not large.any():
        return None
    split = int(random_state.choice(n_clusters, p=large / large.sum()))
    members = np.flatnonzero(labels == split)
    features = np.arange(X.shape[1])
    if len(features) > 1 and random_state.rand() < 0.5:
        features = random_state.choice(features, len(features) // 2, replace=False)
    halves = kmeans_labels(X[np.ix_(members, features)], 2, random_state)
    half = members[halves == random_state.randint(2)]
    others = np.delete(np.arange(n_clusters), split)
    new = labels.copy()
    target = int(random_state.choice(others))
    if len(others) > 1 and random_state.rand() < 0.5:
        # Two others become one, and the half gets the number that is free.
        kept = int(random_state.choice(others[others != target]))
        new[labels == target] = kept
    new[half] = target
    return new
