"""The SVM-style diagonal metric of Schultz and Joachims."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from scipy.optimize import minimize

from dcrc_explore.arrays import FloatArray, RandomState
from dcrc_explore.baselines.base import MetricBaseline, candidates


class SchultzJoachims(MetricBaseline):
    r"""A diagonal metric with a large margin on relative comparisons, then K-means.

    .. math:: & \min_{w \ge 0, \xi \ge 0} \tfrac12 |w|^2 + C \sum_t \xi_t \quad \text{subject to} \\
              & w \cdot D_t \ge 1 - \xi_t, \quad D_t = (x_i - x_k)^2 - (x_i - x_j)^2 \text{ elementwise}

    Solved in the dual: maximise ``sum_t alpha_t - |[D' alpha]_+|^2 / 2`` over 0 <= alpha <= C; then w = [D' alpha]_+.

    Parameters
    ----------
    n_clusters : int, default=3
    C : float, default=0.1
        Price of a violated comparison.
    random_state : int, RandomState instance or None, default=None

    References
    ----------
    Schultz, M., T. Joachims, "Learning a distance metric from relative comparisons", NIPS 2003.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.0, 9.0], [1.0, 0.0], [1.0, 9.0]])
    >>> model = SchultzJoachims(2, C=10.0, random_state=0)
    >>> model = model.fit(X, triplets=[(0, 1, 2), (3, 2, 1)], answers=["yes", "yes"])
    >>> np.abs(model.components_).round(3)
    array([[1., 0.],
           [0., 0.]])
    """

    grid: ClassVar = {"C": candidates(0.1, 15)}

    def __init__(self, n_clusters: int = 3, *, C: float = 0.1, random_state: RandomState = None) -> None:
        super().__init__(n_clusters, random_state=random_state)
        self.C = C

    def _learn(self, X: FloatArray, near: FloatArray, far: FloatArray) -> FloatArray:
        D = far**2 - near**2

        def negative_dual(beta: FloatArray, C: float) -> tuple[float, FloatArray]:
            w = C * np.maximum(beta @ D, 0.0)  # alpha = C beta
            return float(0.5 / C * w @ w - beta.sum()), D @ w - 1.0

        beta, bounds = np.zeros(len(D)), [(0.0, 1.0)] * len(D)
        # From the easy problem with a small C to the wanted one: directly, L-BFGS can get stuck at the bounds.
        for C in self.C * np.array([0.001, 0.01, 0.1, 1.0]):
            options = {"maxiter": 10_000, "maxfun": 20_000, "ftol": 1e-13, "gtol": 1e-8}
            problem = {"jac": True, "method": "L-BFGS-B", "bounds": bounds, "options": options}
            beta = minimize(negative_dual, beta, args=(C,), **problem).x
        w = self.C * np.maximum(beta @ D, 0.0)
        # No comparison can be satisfied: nothing is preferred to the metric there was.
        return np.diag(np.sqrt(w)) if w.any() else np.eye(len(w))
