"""Where EM starts: K-means, then a logistic regression on its labels (section IV-C); and a start from the answers."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, eigh
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import Triplets, to_pairs
from dcrc_explore.model.mstep import Objective, Taus

# On larger data one run of K-means is made instead of ten.
_MANY_VALUES = 10**6
# Scatter below this share of the mean over the features is none.
_NO_SCATTER = 1e-9


def kmeans_labels(X: FloatArray, n_clusters: int, random_state: np.random.RandomState) -> NDArray[np.int32]:
    """Cluster the rows of X; fewer than K clusters come back where X has fewer than K distinct rows."""
    n_init = 10 if X.size <= _MANY_VALUES else 1
    with warnings.catch_warnings():
        # Fewer distinct rows than clusters: EM goes on with the clusters there are.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return KMeans(n_clusters, n_init=n_init, random_state=random_state).fit(X).labels_


def answer_labels(
    X: FloatArray, decided: Triplets, n_clusters: int, random_state: np.random.RandomState
) -> NDArray[np.int32] | None:
    """Cluster the rows of X by K-means along the K - 1 directions that best tell cannot-links from must-links.

    These maximise v'Dv / v'Sv, where D is the mean scatter of the cannot-links and S that of the must-links which the
    yes / no answers stand for, each together with as much of the scatter of all pairs as d pairs have.

    Returns
    -------
    ndarray of shape (N,) or None
        None where the directions can't be found, as on rows that are all the same.
    """
    d = X.shape[1]
    all_pairs = 2 * d * np.atleast_2d(np.cov(X.T))
    S, D = ((u.T @ u + all_pairs) / (len(u) + d) for u in (X[a] - X[b] for a, b in (p.T for p in to_pairs(decided))))
    # Directions without any scatter come last, whatever the scale of X is.
    S += _NO_SCATTER * np.trace(S) / d * np.eye(d)
    try:
        _, directions = eigh(D, S, subset_by_index=(max(d - n_clusters + 1, 0), d - 1))
    except LinAlgError:
        return None
    return kmeans_labels(X @ directions, n_clusters, random_state)


def logistic_regression(X: FloatArray, labels: NDArray[np.integer], n_clusters: int, lam: float) -> FloatArray:
    """Fit W to labels: maximise the mean log P(label|x; W) - lam R(W).

    This is the M-step with every instance constrained, Q = 1 for the label, and tau = 0.

    Parameters
    ----------
    X : ndarray of shape (N, d + 1)
        Instances with a last column of ones.
    """
    n_samples = len(X)
    objective = Objective(X, n_samples, n_samples, n_clusters, lam=lam)
    Q = np.zeros((n_clusters, n_samples))
    Q[labels, np.arange(n_samples)] = 1.0
    return objective.maximise(np.zeros(objective.shape), Q, Taus(0.0, 0.0), max_iter=100, tol=1e-7)
