"""Why a point is where it is: P(y|x), the compatibility F(y) answer by answer, and the resulting q(y)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.constraints import Answer, Pairs, Triplets
from dcrc_explore.model.em import log_alpha
from dcrc_explore.model.estep import AnswerGraph, compatible


@dataclass(frozen=True, eq=False)
class Contribution:
    """What one answer adds to the compatibility of a point."""

    index: int  # number of the answer among those about triplets, or among those about pairs
    question: tuple[int, ...]  # the three points of a triplet, or the two of a pair
    answer: Answer
    place: int  # the point's place in the question: 1, 2 or 3
    # Shape (K,): probability that the answer is consistent if the point belongs to cluster k, Table II. If people have
    # their own noise models: what the answer adds to log q(k), in units of log alpha, above its smallest value.
    values: FloatArray

    @property
    def is_pair(self) -> bool:
        """Whether the question was about two points."""
        return len(self.question) == 2


@dataclass(frozen=True, eq=False)
class Explanation:
    """The numbers behind q(y) of one point.

    Examples
    --------
    >>> P = [[0.5, 0.5], [0.9, 0.1], [0.2, 0.8]]
    >>> why = explain(0, P, P, Triplets([(0, 1, 2)], ["yes"]), epsilon=0.05)
    >>> why.compatibility, why.max_compatible
    (array([0.72, 0.02]), array([0]))
    """

    point: int
    proba: FloatArray  # shape (K,): P(y|x; W), Eq. (6)
    contributions: list[Contribution]  # one for each answer that the point stands in, triplets first
    epsilon: float

    @cached_property
    def compatibility(self) -> FloatArray:
        """F(y): the sum of the contributions."""
        return np.sum([c.values for c in self.contributions], axis=0, initial=0.0) + np.zeros_like(self.proba)

    @property
    def hard(self) -> bool:
        """Whether answers are hard (epsilon = 0)."""
        return self.epsilon == 0

    @property
    def alpha(self) -> float:
        """2 (1 - epsilon) / epsilon of Eq. (13); infinite for hard answers."""
        return float(np.exp(log_alpha(self.epsilon)))

    @cached_property
    def factor(self) -> FloatArray:
        """alpha^F(y), up to a factor: the largest is 1. For hard answers 1 in the max-compatible set and 0 outside."""
        if self.hard:
            return compatible(self.compatibility).astype(float)
        return np.exp(log_alpha(self.epsilon) * (self.compatibility - self.compatibility.max()))

    @property
    def max_compatible(self) -> NDArray[np.int64]:
        """The clusters of largest compatibility: the set Y_i of Eq. (14)."""
        return np.flatnonzero(compatible(self.compatibility))

    @cached_property
    def q(self) -> FloatArray:
        """q(y) by Eq. (13), or by Eq. (14) for hard answers."""
        weights = self.factor * self.proba
        return weights / weights.sum()


def explain(
    point: int,
    proba: ArrayLike,
    posterior: ArrayLike,
    triplets: Triplets,
    *,
    epsilon: float,
    use_dnk: bool = True,
    pairs: Pairs | None = None,
    answer_weights: tuple[FloatArray, FloatArray] | None = None,
) -> Explanation:
    """Break q(y) of a point down into P(y|x) and its answers.

    Parameters
    ----------
    point : int
        Row number.
    proba : array-like of shape (N, K)
        P(y|x), as from ``predict_proba(X)``.
    posterior : array-like of shape (N, K)
        The memberships q of the other points, as in ``posterior_``.
    triplets : Triplets
    epsilon : float
    use_dnk : bool, default=True
        Whether the model learned from don't-know answers.
    pairs : Pairs, optional
        Answers about pairs; a don't know says nothing.
    answer_weights : (ndarray of shape (M', 2), ndarray of shape (P',)), optional
        Weights of each answer that is used, :meth:`NoiseModel.weights`; by default all share one noise model, Table I.

    Examples
    --------
    >>> P = [[0.5, 0.5], [0.9, 0.1], [0.2, 0.8]]
    >>> why = explain(0, P, P, Triplets([(0, 1, 2)], ["yes"]), epsilon=0.05)
    >>> why.contributions[0].values, why.q.round(2)
    (array([0.72, 0.02]), array([0.93, 0.07]))
    """
    proba, posterior = np.asarray(proba, dtype=float), np.asarray(posterior, dtype=float)
    if not 0 <= point < len(proba):
        raise ValueError(f"point must be a row number between 0 and {len(proba) - 1}, got {point}")
    counts = triplets.answers != Answer.DNK if not use_dnk else np.ones(len(triplets), dtype=bool)
    of_point = np.flatnonzero((triplets.indices == point).any(axis=1) & counts)
    contributions = []
    if len(of_point):
        weights = None if answer_weights is None else answer_weights[0][(np.cumsum(counts) - 1)[of_point]]
        contributions += _of_triplets(point, posterior, triplets, of_point, epsilon, weights)
    if pairs:
        contributions += _of_pairs(point, posterior, pairs, epsilon, answer_weights)
    return Explanation(point, proba[point], contributions, epsilon)


def _of_triplets(
    point: int,
    posterior: FloatArray,
    triplets: Triplets,
    of_point: IntArray,
    epsilon: float,
    weights: FloatArray | None,
) -> list[Contribution]:
    own = triplets[of_point]
    graph = AnswerGraph(own)
    if weights is None:
        table = graph.compatibilities(posterior[graph.instances].T)
    else:
        graph.weigh(weights, np.empty(0))
        table = _beside_the_least(graph.evidence(posterior[graph.instances].T) / log_alpha(epsilon))
    contributions = []
    for t, index in enumerate(of_point.tolist()):
        # The graph may have exchanged the second and third member; the column is found by the instance.
        column = graph.instances[graph.members[t]].tolist().index(point)
        triplet, answer = own[t]
        contributions.append(Contribution(index, triplet, answer, triplet.index(point) + 1, table[:, t, column]))
    return contributions


def _of_pairs(
    point: int, posterior: FloatArray, pairs: Pairs, epsilon: float, weights: tuple[FloatArray, FloatArray] | None
) -> list[Contribution]:
    decided = pairs.answers != Answer.DNK
    contributions = []
    for index in np.flatnonzero((pairs.indices == point).any(axis=1) & decided).tolist():
        pair, answer = pairs[index]
        place = pair.index(point)
        together = posterior[pair[1 - place]]
        if weights is None:
            values = together if answer is Answer.YES else 1.0 - together
        else:
            weight = weights[1][int(decided[:index].sum())]
            values = _beside_the_least(weight * together / log_alpha(epsilon))
        contributions.append(Contribution(index, pair, answer, place + 1, values))
    return contributions


def _beside_the_least(evidence: FloatArray) -> FloatArray:
    return evidence - evidence.min(axis=0)
