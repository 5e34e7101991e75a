"""A reconstruction of SSSVaD."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.cluster import KMeans
from sklearn.utils.validation import check_is_fitted

from dcrc_explore.arrays import FloatArray, RandomState
from dcrc_explore.baselines.base import Baseline, candidates, nearer
from dcrc_explore.constraints import Triplets, as_triplets, to_pairs
from dcrc_explore.model.instances import as_instances


class SSSVaD(Baseline):
    r"""Clustering with relative comparisons and feature weights for each cluster: a reconstruction.

    .. math:: & \min_{c, \mu, w} \frac1N \sum_i d_{c_i}(x_i, \mu_{c_i})
              + \frac\lambda T \sum_t [d_{c_i}(x_i, x_j) - d_{c_i}(x_i, x_k)]_+
              + \frac\gamma K \sum_{c, f} w_{cf} \log w_{cf}, \\
              & d_c(x, x') = \sum_f w_{cf} (x_f - x'_f)^2

    where t runs over answers "x_i is more similar to x_j than to x_k", i = i_t and so on, and the weights of a cluster
    sum to 1. Assignments, means and weights are improved in turn; no step raises the objective. The method was
    reconstructed from descriptions, because its original text was not available. So its numbers are those of the
    reconstruction.

    Parameters
    ----------
    n_clusters : int, default=3
    lam : float, default=1.0
        Price of violated comparisons.
    gamma : float, default=1.0
        How strongly weights are pulled to equal values.
    max_iter : int, default=50
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    labels_ : ndarray of shape (N,)
    weights_ : ndarray of shape (K, n_features)
    objectives_ : list of float
        The objective after each iteration.

    References
    ----------
    Kumar, N., K. Kummamuru, "Semisupervised clustering with metric learning using relative comparisons", TKDE 2008.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.0, 9.0], [1.0, 0.0], [1.0, 9.0]])
    >>> model = SSSVaD(2, random_state=0).fit(X, triplets=[(0, 2, 1), (3, 1, 2)], answers=["yes", "yes"])
    >>> bool(model.labels_[0] == model.labels_[2])
    True
    """

    grid: ClassVar = {"lam": candidates(1.0, 5), "gamma": candidates(1.0, 3)}

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        lam: float = 1.0,
        gamma: float = 1.0,
        max_iter: int = 50,
        random_state: RandomState = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.lam = lam
        self.gamma = gamma
        self.max_iter = max_iter
        self.random_state = random_state

    def _cluster(self, X: FloatArray, constraints: Triplets) -> None:
        start = KMeans(self.n_clusters, n_init=10, random_state=self.random_state).fit(X)
        weights = np.full((self.n_clusters, X.shape[1]), 1 / X.shape[1])
        state = _State(start.labels_, start.cluster_centers_, weights)
        self.objectives_: list[float] = []
        if len(constraints):
            problem = _Problem(X, constraints, self.lam, self.gamma)
            for _ in range(self.max_iter):
                state = problem.improve(state)
                self.objectives_.append(problem.objective(state))
                if len(self.objectives_) > 1 and self.objectives_[-2] - self.objectives_[-1] < 1e-6:
                    break
        else:
            self._warn_nothing_to_learn()
        self.labels_, self.weights_ = state.labels, state.weights

    def predict_answers(self, X: ArrayLike, triplets: ArrayLike) -> NDArray[np.int8]:
        """Answer yes (1) where d(i, j) < d(i, k) by the weights of x_i's cluster, else no (-1); X as in the fit."""
        check_is_fitted(self)
        X = as_instances(self, X, reset=False)
        i, j, k = as_triplets(triplets, len(X)).T
        w = self.weights_[self.labels_[i]]
        return nearer(np.sum(w * (X[i] - X[j]) ** 2, axis=1), np.sum(w * (X[i] - X[k]) ** 2, axis=1))


class _State(NamedTuple):
    labels: NDArray[np.integer]
    means: FloatArray
    weights: FloatArray


class _Problem:
    """The objective and the three steps that improve it."""

    def __init__(self, X: FloatArray, constraints: Triplets, lam: float, gamma: float) -> None:
        must_link, cannot_link = to_pairs(constraints)
        self.X, self.first = X, must_link[:, 0]
        # Rows (x_i - x_j)^2 - (x_i - x_k)^2: positive under w where the answer is violated.
        self.violations = (X[self.first] - X[must_link[:, 1]]) ** 2 - (X[self.first] - X[cannot_link[:, 1]]) ** 2
        self.lam, self.gamma = lam / len(constraints), gamma

    def costs(self, means: FloatArray, weights: FloatArray) -> FloatArray:
        """Return the part of the objective that x_i adds when it is in cluster c, shape (N, K)."""
        # sum_f w_cf (x_f - mu_cf)^2, expanded so that no (N, K, d) array is needed
        scatter = self.X**2 @ weights.T - 2 * self.X @ (weights * means).T + np.sum(weights * means**2, axis=1)
        costs = scatter / len(self.X)
        np.add.at(costs, self.first, self.lam * np.maximum(self.violations @ weights.T, 0.0))
        return costs

    def objective(self, state: _State) -> float:
        costs = self.costs(state.means, state.weights)
        return float(costs[np.arange(len(self.X)), state.labels].sum() + self._entropy_cost(state.weights).mean())

    def _entropy_cost(self, weights: FloatArray) -> FloatArray:
        return self.gamma * np.sum(weights * np.log(np.maximum(weights, 1e-300)), axis=1)

    def improve(self, state: _State) -> _State:
        labels = self.costs(state.means, state.weights).argmin(axis=1)
        means, weights = state.means.copy(), state.weights.copy()
        for c in np.unique(labels):  # a cluster that lost all its points keeps its mean and weights
            mine = self.X[labels == c]
            means[c] = mine.mean(axis=0)
            scatter = np.sum((mine - means[c]) ** 2, axis=0) / len(self.X)
            weights[c] = self._better_weights(
                weights[c], scatter, self.violations[labels[self.first] == c], len(weights)
            )
        return _State(labels, means, weights)

    def _better_weights(self, w: FloatArray, scatter: FloatArray, violations: FloatArray, K: int) -> FloatArray:
        """Improve the weights of one cluster: exact for the answers now violated, shortened while that is no gain."""

        def cost(w: FloatArray) -> float:
            return float(
                scatter @ w + self.lam * np.maximum(violations @ w, 0.0).sum() + self._entropy_cost(w[None])[0] / K
            )

        linear = scatter + self.lam * violations[violations @ w > 0].sum(axis=0)
        logits = -linear * K / self.gamma
        target = np.exp(logits - logits.max())
        target /= target.sum()
        before = cost(w)
        for step in 0.5 ** np.arange(10):
            candidate = w + step * (target - w)
            if cost(candidate) < before:
                return candidate
        return w
