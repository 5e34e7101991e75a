"""Information-theoretic metric learning."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from scipy.spatial.distance import pdist

from dcrc_explore.arrays import FloatArray, RandomState
from dcrc_explore.baselines.base import MetricBaseline, candidates
from dcrc_explore.baselines.logdet import Loss, minimise_logdet


class ITML(MetricBaseline):
    r"""Information-theoretic metric learning from pairs, then K-means.

    .. math:: & \min_{A, \xi} D(A, I) + \gamma D(\mathrm{diag}\, \xi, \mathrm{diag}\, \xi_0) \quad \text{subject to} \\
              & d_A^2 \le \xi \text{ for must-links}, \quad d_A^2 \ge \xi \text{ for cannot-links}

    D is the LogDet divergence. xi_0 holds the squared distances below which 5% (for must-links) and 95% (for
    cannot-links) of the pairs of constrained instances lie. Each yes / no answer gives one must-link and one
    cannot-link. Instead of projecting on one constraint after the other, the slacks are eliminated and the problem is
    solved in A.

    Parameters
    ----------
    n_clusters : int, default=3
    gamma : float, default=1.0
        Price of missing the bounds.
    random_state : int, RandomState instance or None, default=None

    References
    ----------
    Davis, J. V., B. Kulis, P. Jain, S. Sra, I. S. Dhillon, "Information-theoretic metric learning", ICML 2007.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.0, 9.0], [1.0, 0.0], [1.0, 9.0]])
    >>> model = ITML(2, random_state=0).fit(X, triplets=[(0, 1, 2), (3, 2, 1)], answers=["yes", "yes"])
    >>> bool(model.labels_[0] == model.labels_[1])
    True
    """

    grid: ClassVar = {"gamma": candidates(1.0, 15)}
    takes_pairs: ClassVar[bool] = True

    def __init__(self, n_clusters: int = 3, *, gamma: float = 1.0, random_state: RandomState = None) -> None:
        super().__init__(n_clusters, random_state=random_state)
        self.gamma = gamma

    def _learn(self, X: FloatArray, near: FloatArray, far: FloatArray) -> FloatArray:
        # Equal points say nothing about distances and cannot be pushed apart.
        distances = pdist(X, "sqeuclidean")
        bounds = np.percentile(distances[distances > 0], (5, 95))
        return minimise_logdet(near, far[far.any(axis=1)], self._loss(*bounds))

    def _loss(self, upper: float, lower: float) -> Loss:
        def loss(p: FloatArray, q: FloatArray) -> tuple[float, FloatArray, FloatArray]:
            # The best slack is the distance itself where a bound is missed, else the bound, which costs nothing.
            p, q = np.maximum(p / upper, 1.0), np.minimum(q / lower, 1.0)
            value = np.sum(p - np.log(p) - 1) + np.sum(q - np.log(q) - 1)
            return self.gamma * value, self.gamma / upper * (1 - 1 / p), self.gamma / lower * (1 - 1 / q)

        return loss
