"""Xing's diagonal metric."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from dcrc_explore.arrays import FloatArray
from dcrc_explore.baselines.base import MetricBaseline


class Xing(MetricBaseline):
    r"""Xing's metric learning from pairs with a diagonal matrix, then K-means.

    .. math:: \min_{w \ge 0} \sum_{\text{must-links}} d_w^2 - \log \sum_{\text{cannot-links}} d_w,
              \quad d_w(x, x')^2 = \sum_f w_f (x_f - x'_f)^2

    Each yes / no answer gives one must-link and one cannot-link. There is nothing to tune: another weight of the
    logarithm only multiplies w, which changes no clustering.

    Parameters
    ----------
    n_clusters : int, default=3
    random_state : int, RandomState instance or None, default=None

    References
    ----------
    Xing, E. P., A. Y. Ng, M. I. Jordan, S. Russell, "Distance metric learning, with application to clustering with
    side-information", NIPS 2002.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.0, 9.0], [1.0, 0.0], [1.0, 9.0]])
    >>> model = Xing(2, random_state=0).fit(X, triplets=[(0, 1, 2), (3, 2, 1)], answers=["yes", "yes"])
    >>> model.predict_answers(X, [(1, 0, 3)])
    array([1], dtype=int8)
    """

    takes_pairs = True

    def _learn(self, X: FloatArray, near: FloatArray, far: FloatArray) -> FloatArray:
        scatter, far2 = np.sum(near**2, axis=0), far**2
        # In units in which all features have the same scatter over must-links. A feature without any would be free of
        # charge and its weight infinite: it counts as having a little.
        unit = np.maximum(scatter, 1e-6 * max(scatter.max(), 1e-12))
        far2 = far2[far2.any(axis=1)] / unit
        if not len(far2):  # only equal points are to be kept apart: every metric fails
            return np.eye(len(unit))
        d = len(unit)
        w = minimize(
            objective,
            np.full(d, 0.5 / d),
            args=(np.ones(d), far2),
            jac=True,
            method="L-BFGS-B",
            bounds=[(0, None)] * d,
            options={"maxiter": 1000, "ftol": 1e-12, "gtol": 1e-8},
        ).x
        return np.diag(np.sqrt(w / unit))


def objective(w: FloatArray, scatter: FloatArray, far2: FloatArray) -> tuple[float, FloatArray]:
    """Return the objective of :class:`Xing` and its gradient; `scatter` is the sum of squares over must-links."""
    distances = np.sqrt(np.maximum(far2 @ w, 1e-300))
    total = distances.sum()
    return float(scatter @ w - np.log(total)), scatter - 0.5 / total * (1 / distances) @ far2
