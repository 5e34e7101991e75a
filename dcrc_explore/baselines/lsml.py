"""Metric learning from squared residuals of relative comparisons."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from dcrc_explore.arrays import FloatArray, RandomState
from dcrc_explore.baselines.base import MetricBaseline, candidates
from dcrc_explore.baselines.logdet import minimise_logdet


class LSML(MetricBaseline):
    r"""Metric learning from relative comparisons by least squared residuals, then K-means.

    .. math:: \min_A D(A, I) + \frac CT \sum_t [d_A(i_t, j_t) - d_A(i_t, k_t)]_+^2

    D is the LogDet divergence, so the Euclidean metric is the prior; d_A is the distance, not its square.

    Parameters
    ----------
    n_clusters : int, default=3
    C : float, default=100.0
        Weight of the mean squared residual.
    random_state : int, RandomState instance or None, default=None

    References
    ----------
    Liu, E. Y., Z. Guo, X. Zhang, V. Jojic, W. Wang, "Metric learning from relative comparisons by minimizing squared
    residual", ICDM 2012.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.0, 3.0], [1.0, 0.0], [1.0, 3.0]])
    >>> model = LSML(2, C=1000.0, random_state=0).fit(X, triplets=[(0, 1, 2)], answers=["yes"])
    >>> model.transform(X)[1:3].round(2)  # as far from the first point as each other, no longer three times as far
    array([[0.  , 1.34],
           [1.34, 0.  ]])
    """

    grid: ClassVar = {"C": candidates(100.0, 15)}

    def __init__(self, n_clusters: int = 3, *, C: float = 100.0, random_state: RandomState = None) -> None:
        super().__init__(n_clusters, random_state=random_state)
        self.C = C

    def _learn(self, X: FloatArray, near: FloatArray, far: FloatArray) -> FloatArray:
        return minimise_logdet(near, far, self._loss)

    def _loss(self, p: FloatArray, q: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        d_near, d_far = np.sqrt(p), np.sqrt(q)
        residual = np.maximum(d_near - d_far, 0.0)
        weight = self.C / len(p)
        # Equal points have no distance to change: their difference vector is 0, so any finite factor will do.
        by_p, by_q = (residual / np.maximum(d, 1e-12) for d in (d_near, d_far))
        return weight * float(residual @ residual), weight * by_p, -weight * by_q
