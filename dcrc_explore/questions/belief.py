"""What answers and model say together about each point, and how far to trust the model."""

from __future__ import annotations

from copy import copy

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment

from dcrc_explore.arrays import FloatArray, IntArray, argbest
from dcrc_explore.constraints import Pairs, Triplets
from dcrc_explore.questions.closure import Closure
from dcrc_explore.questions.drawing import as_proba

# Shares of the answers that the model may have had no idea of.
_DOUBTS = np.array([0.05, 0.1, 0.2, 0.4, 0.8])
# Weight of an answer against the one after it: a model that has learnt is judged by what it knows now.
_MEMORY = 0.97


# Where no more than this share of the points is expected to change, more answers are hardly worth the effort.
# tests/benchmarks/questions.py: in 170 such cases 0.1% of the points were wrong on average, at most 4%.
ENOUGH = 0.05


class Belief:
    """Memberships in groups: known where the answers settle them, otherwise those of the model, with a doubt.

    Parameters
    ----------
    proba : array-like of shape (N, K)
        What the model believes about each point.
    constraints : Triplets
        The answers so far.
    doubt : float, default=0.2
        How far the model's probabilities are mixed with the uniform distribution: see :func:`model_doubt`.
    pairs : Pairs, optional
        Answers about pairs.
    open_ended : bool, default=False
        Whether there may be more groups than the model's K: then one more than known, or than K, is always possible.

    Attributes
    ----------
    n_clusters : int
        The model's K.
    groups : list of ndarray
        The points of each group known so far, by :class:`Closure`.
    group : ndarray of shape (N,)
        The group of each point, -1 where it is not known.
    possible : ndarray of shape (N, K)
        Which groups the answers leave open to each point; those not known yet come last.
    clusters : ndarray of shape (K,)
        The model's cluster that stands for each group: the matching with the largest overlap.
    memberships : ndarray of shape (N, K)
        Probabilities of the groups; what the answers exclude is 0.

    Examples
    --------
    >>> belief = Belief([[0.1, 0.9], [0.2, 0.8], [0.7, 0.3], [0.5, 0.5]], Triplets([(0, 1, 2)], ["yes"]))
    >>> belief.memberships, belief.clusters
    (array([[1. , 0. ],
           [1. , 0. ],
           [0. , 1. ],
           [0.5, 0.5]]), array([1, 0]))
    """

    def __init__(
        self,
        proba: ArrayLike,
        constraints: Triplets,
        doubt: float = 0.2,
        pairs: Pairs | None = None,
        *,
        open_ended: bool = False,
    ) -> None:
        proba = as_proba(proba)
        N, K = proba.shape
        self.n_clusters, self.open_ended = K, open_ended
        closure = Closure(constraints, None if open_ended else K, pairs)
        if open_ended:
            K = max(K, len(closure.groups)) + 1
            proba = np.hstack([proba, np.zeros((N, K - self.n_clusters))])
        self.groups: list[IntArray] = [np.array(members) for members in closure.groups]
        self.members = np.concatenate([*self.groups, np.empty(0, dtype=np.int64)])  # of all groups, one after another
        self.possible, self.group = closure.possible(N, K)
        self.clusters = _matching_clusters(proba, self.groups)
        self.memberships: FloatArray = ((1 - doubt) * proba[:, self.clusters] + doubt / K) * self.possible
        self.memberships /= self.memberships.sum(axis=1, keepdims=True)

    @property
    def expected_change(self) -> float:
        """Expected number of points that further answers move to another cluster: see :func:`expected_change`."""
        return float((1 - self.memberships.max(axis=1)).sum())

    @property
    def n_missing(self) -> int:
        """How many of the K groups no answer has shown yet."""
        return max(self.n_clusters - len(self.groups), 0)

    def provisional(self, X: FloatArray) -> Belief:
        """Return the belief as if the middle of each cluster without a known group were known to be a group.

        It serves to choose many questions before any answer can show the missing groups; the answers still decide.

        Examples
        --------
        >>> X = np.array([[0.0], [1.0], [2.0], [8.0], [9.0]])
        >>> belief = Belief([[0.9, 0.1]] * 3 + [[0.1, 0.9]] * 2, Triplets())
        >>> belief.n_missing, belief.provisional(X).groups
        (2, [array([1]), array([3])])
        """
        believed = copy(self)
        believed.groups, believed.group = list(self.groups), self.group.copy()
        believed.memberships = self.memberships.copy()
        likeliest = self.memberships.argmax(axis=1)
        for g in range(len(self.groups), self.memberships.shape[1]):
            unknown = np.flatnonzero(believed.group < 0)
            if not len(unknown):
                return self
            members = unknown[likeliest[unknown] == g]
            if not len(members):  # a cluster without points: the likeliest one
                members = unknown[[argbest(self.memberships[unknown, g])]]
            away = X[members] - X[members].mean(axis=0)
            medoid = members[argbest(-np.einsum("ij,ij->i", away, away))]
            believed.groups.append(np.array([medoid]))
            believed.group[medoid] = g
            believed.memberships[medoid] = np.arange(self.memberships.shape[1]) == g
        believed.members = np.concatenate([*believed.groups, np.empty(0, dtype=np.int64)])
        return believed


def _matching_clusters(proba: FloatArray, groups: list[IntArray]) -> IntArray:
    if not groups:
        return np.arange(proba.shape[1])
    overlap = np.array([proba[members].mean(axis=0) for members in groups])
    clusters = linear_sum_assignment(overlap.round(9), maximize=True)[1]
    return np.concatenate([clusters, np.setdiff1d(np.arange(proba.shape[1]), clusters)])


def model_doubt(surprises: ArrayLike = ()) -> float:
    """Estimate from surprises in bits, those of the oldest answers first, how far a model should be doubted.

    With doubt d, an answer was expected with the probability (1 - d) p + d / 3, where p is the model's own probability.
    Doubts from 0.05 to 0.8 are averaged by how well they expected the answers, recent ones counting most.

    Examples
    --------
    >>> round(model_doubt(), 2), round(model_doubt([0.1] * 20), 2), round(model_doubt([5.0, 0.1] * 10), 2)
    (0.31, 0.09, 0.69)
    """
    bits = np.asarray(surprises, dtype=float)
    bits = bits[~np.isnan(bits)]
    expected = (1 - _DOUBTS) * np.exp2(-bits)[:, np.newaxis] + _DOUBTS / 3
    score = _MEMORY ** np.arange(len(bits))[::-1] @ np.log(expected)
    weights = np.exp(score - score.max())
    return float(weights @ _DOUBTS / weights.sum())


def expected_change(proba: ArrayLike, constraints: Triplets, doubt: float = 0.2, pairs: Pairs | None = None) -> float:
    """Return the expected number of points that further answers move to another cluster, under the :class:`Belief`.

    Usually fewer points move, because the doubt also covers points that the model has right.

    Examples
    --------
    >>> proba = [[0.9, 0.1], [0.9, 0.1], [0.1, 0.9], [0.5, 0.5]]
    >>> round(expected_change(proba, Triplets(), doubt=0), 2)
    0.8
    >>> round(expected_change(proba, Triplets([(0, 1, 2)], ["yes"]), doubt=0), 2)
    0.5
    """
    return Belief(proba, constraints, doubt, pairs).expected_change
