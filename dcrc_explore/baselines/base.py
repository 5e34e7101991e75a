"""What every baseline shares: the interface, the checks, and the way back to K-means."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import KMeans
from sklearn.utils.validation import check_is_fitted

from dcrc_explore.arrays import FloatArray, IntArray, RandomState
from dcrc_explore.constraints import AnswerLike, Triplets, as_pairs, as_triplets, check_not_answers, to_pairs
from dcrc_explore.model.instances import as_instances
from dcrc_explore.model.validation import check_number

N_INIT = 50  # the paper runs K-means 50 times and keeps the smallest mean squared error


def candidates(usual: float, number: int) -> tuple[float, ...]:
    """Return values half a decade apart around the usual one, which comes first so that it wins ties.

    Together the parameters of a baseline have 15 candidates, as many as the paper's grid has for DCRC.

    Examples
    --------
    >>> [round(value, 2) for value in candidates(1.0, 5)]
    [1.0, 0.32, 3.16, 0.1, 10.0]
    """
    return tuple(float(usual * 10 ** (step / 2)) for step in sorted(range(-(number // 2), number // 2 + 1), key=abs))


class Baseline(ClusterMixin, BaseEstimator, ABC):
    """A clustering method that learns from yes / no answers; don't-know answers are dropped.

    Attributes
    ----------
    labels_ : ndarray of shape (N,)
        The cluster of each instance.
    """

    # Values of each parameter to choose from by cross-validation; on equal accuracy the first ones win.
    grid: ClassVar[Mapping[str, tuple[float, ...]]] = {}

    def __init__(self, n_clusters: int = 3, *, random_state: RandomState = None) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state

    def fit(
        self,
        X: ArrayLike,
        y: object = None,
        answers: AnswerLike | None = None,
        *,
        triplets: ArrayLike | Triplets | None = None,
    ) -> Self:
        """Learn a clustering from instances and answers.

        Parameters
        ----------
        X : array-like of shape (N, n_features)
        y : Ignored
        triplets : array-like of shape (M, 3) or Triplets, optional
            Row numbers (i, j, k) of the questions asked. A :class:`Triplets` brings its answers along.
        answers : array-like of shape (M,), optional
            :class:`Answer` members, 1 / -1 / 0, or "yes" / "no" / "dnk".
        """
        check_not_answers(y)
        self._cluster(*self._validated(X, triplets, answers))
        return self

    @abstractmethod
    def _cluster(self, X: FloatArray, constraints: Triplets) -> None:
        """Set `labels_`, and what else is learned, for checked instances and yes / no answers."""

    def fit_for_answers(self, X: ArrayLike, *, triplets: Triplets) -> Self:
        """Fit as far as :meth:`predict_answers` needs it, which is all that cross-validation asks for."""
        return self.fit(X, triplets=triplets)

    @abstractmethod
    def predict_answers(self, X: ArrayLike, triplets: ArrayLike) -> NDArray[np.int8]:
        """Return 1 (yes) or -1 (no) for each question; clusterings also answer 0 (don't know)."""

    def _validated(
        self, X: ArrayLike, triplets: ArrayLike | Triplets | None, answers: AnswerLike | None
    ) -> tuple[FloatArray, Triplets]:
        """Check parameters, data and answers before any work; return the yes / no answers."""
        check_number("n_clusters", self.n_clusters, 1, whole=True)
        for name in self.grid:
            check_number(name, getattr(self, name), above=0.0)
        X = as_instances(self, X)
        if len(X) < self.n_clusters:
            raise ValueError(f"n_samples={len(X)} should be >= n_clusters={self.n_clusters}")
        return X, Triplets.of(triplets, answers, len(X)).without_dnk()

    def _warn_nothing_to_learn(self) -> None:
        warnings.warn(
            f"{type(self).__name__} learns from yes / no answers and got none: the result is that of K-means.",
            UserWarning,
            stacklevel=4,
        )


def best_kmeans(X: FloatArray, n_clusters: int, random_state: RandomState) -> NDArray[np.int32]:
    """Return the labels of the best of 50 K-means runs."""
    return KMeans(n_clusters, n_init=N_INIT, random_state=random_state).fit(X).labels_


def nearer(d_near: FloatArray, d_far: FloatArray) -> NDArray[np.int8]:
    """Answer yes where the first distance is smaller than the second, else no."""
    return np.where(d_near < d_far, 1, -1).astype(np.int8)


class MetricBaseline(Baseline):
    """A method that learns a metric d(x, x')^2 = (x - x')' A (x - x'), followed by K-means, best of 50.

    Attributes
    ----------
    components_ : ndarray of shape (n_features, n_features)
        L' with A = L L': the metric is the Euclidean one of ``transform(X) = X @ components_.T``.
    labels_ : ndarray of shape (N,)
        The cluster of each instance.
    """

    # Whether must-links and cannot-links may come in different numbers.
    takes_pairs: ClassVar[bool] = False

    @abstractmethod
    def _learn(self, X: FloatArray, near: FloatArray, far: FloatArray) -> FloatArray:
        """Return L for the instances X that stand in answers; rows of near and far are x_i - x_j and x_i - x_k."""

    def _cluster(self, X: FloatArray, constraints: Triplets) -> None:
        self._fit_metric(X, *to_pairs(constraints))._run_kmeans(X)

    def fit_pairs(self, X: ArrayLike, must_link: ArrayLike, cannot_link: ArrayLike) -> Self:
        """Learn from pairs of row numbers instead of triplets, then cluster."""
        return self.fit_metric(X, must_link, cannot_link)._run_kmeans(np.asarray(X, dtype=float))

    def fit_metric(self, X: ArrayLike, must_link: ArrayLike, cannot_link: ArrayLike) -> Self:
        """Learn the metric from pairs without clustering; see :meth:`fit_pairs`."""
        if not self.takes_pairs:
            raise TypeError(f"{type(self).__name__} learns from triplets only: use fit")
        X, _ = self._validated(X, None, None)
        links = as_pairs(must_link, len(X), "must-link"), as_pairs(cannot_link, len(X), "cannot-link")
        return self._fit_metric(X, *links)

    def fit_for_answers(self, X: ArrayLike, *, triplets: Triplets) -> Self:
        """Learn the metric only."""
        X, constraints = self._validated(X, triplets, None)
        return self._fit_metric(X, *to_pairs(constraints))

    def _fit_metric(self, X: FloatArray, must_link: IntArray, cannot_link: IntArray) -> Self:
        if len(must_link) and len(cannot_link):
            constrained = np.unique(np.vstack([must_link, cannot_link]))
            near, far = (X[pairs[:, 0]] - X[pairs[:, 1]] for pairs in (must_link, cannot_link))
            self.components_ = self._learn(X[constrained], near, far).T
        else:
            self._warn_nothing_to_learn()
            self.components_ = np.eye(X.shape[1])
        return self

    def _run_kmeans(self, X: FloatArray) -> Self:
        self.labels_ = best_kmeans(X @ self.components_.T, self.n_clusters, self.random_state)
        return self

    def transform(self, X: ArrayLike) -> FloatArray:
        """Map X to the space in which the learned metric is Euclidean."""
        check_is_fitted(self, "components_")
        return as_instances(self, X, reset=False) @ self.components_.T

    def predict_answers(self, X: ArrayLike, triplets: ArrayLike) -> NDArray[np.int8]:
        """Answer yes (1) where d(i, j) < d(i, k), else no (-1)."""
        Z = self.transform(X)
        i, j, k = as_triplets(triplets, len(Z)).T
        return nearer(np.sum((Z[i] - Z[j]) ** 2, axis=1), np.sum((Z[i] - Z[k]) ** 2, axis=1))
