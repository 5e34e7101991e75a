"""Sparse metrics by linear programming."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from dcrc_explore.arrays import FloatArray, RandomState
from dcrc_explore.baselines.base import MetricBaseline, candidates


class SparseLP(MetricBaseline):
    r"""A sparse metric from relative comparisons by linear programming, then K-means.

    .. math:: & \min_{A, \xi \ge 0} \sum_t \xi_t + \gamma \sum_{f, g} |A_{fg}| \quad \text{subject to} \\
              & d_A^2(i_t, k_t) - d_A^2(i_t, j_t) \ge 1 - \xi_t, \quad A = A', \quad A_{ff} \ge \sum_{g \ne f} |A_{fg}|

    The diagonally dominant matrices are the sums, with weights that are not negative, of e_f e_f' and of
    (e_f + e_g)(e_f + e_g)' and (e_f - e_g)(e_f - e_g)'. The programme is written in these weights, so dominance needs
    no constraints of its own.

    Parameters
    ----------
    n_clusters : int, default=3
    gamma : float, default=1.0
        Price of the entries of A.
    random_state : int, RandomState instance or None, default=None

    References
    ----------
    Rosales, R., G. Fung, "Learning sparse metrics via linear programming", KDD 2006.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.0, 9.0], [1.0, 0.0], [1.0, 9.0]])
    >>> model = SparseLP(2, gamma=0.1, random_state=0).fit(X, triplets=[(0, 1, 2), (3, 2, 1)], answers=["yes", "yes"])
    >>> model.predict_answers(X, [(1, 0, 3)])
    array([1], dtype=int8)
    """

    grid: ClassVar = {"gamma": candidates(1.0, 15)}

    def __init__(self, n_clusters: int = 3, *, gamma: float = 1.0, random_state: RandomState = None) -> None:
        super().__init__(n_clusters, random_state=random_state)
        self.gamma = gamma

    def _learn(self, X: FloatArray, near: FloatArray, far: FloatArray) -> FloatArray:
        T, d = near.shape
        f, g = np.triu_indices(d, 1)

        def squares(u: FloatArray) -> FloatArray:
            """d_A^2 of each row under each of the matrices of which A is made."""
            return np.hstack([u**2, (u[:, f] + u[:, g]) ** 2, (u[:, f] - u[:, g]) ** 2])

        # The entries of e_f e_f' sum to 1 in absolute value, those of the others to 4.
        cost = np.concatenate([np.full(d, self.gamma), np.full(2 * len(f), 4 * self.gamma), np.ones(T)])
        margins = sparse.hstack([squares(near) - squares(far), -sparse.identity(T)], format="csc")
        result = linprog(cost, A_ub=margins, b_ub=-np.ones(T), method="highs")
        if result.x is None:
            raise RuntimeError(f"the linear programme was not solved: {result.message}")
        diagonal, plus, minus = np.split(result.x[: d + 2 * len(f)], [d, d + len(f)])
        A = np.diag(diagonal)
        np.add.at(A, (np.r_[f, g], np.r_[f, g]), np.tile(plus + minus, 2))
        A[f, g] = A[g, f] = plus - minus
        values, vectors = np.linalg.eigh(A)
        # gamma so large that no answer is worth an entry: nothing is preferred to the metric there was.
        return vectors * np.sqrt(np.maximum(values, 0.0)) if values[-1] > 0 else np.eye(d)
