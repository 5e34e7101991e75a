"""K-means without answers, K-means along the directions that answers separate, and all points in one cluster."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state

from dcrc_explore.arrays import FloatArray
from dcrc_explore.baselines.base import Baseline, best_kmeans
from dcrc_explore.constraints import Triplets, implied_answers, to_pairs
from dcrc_explore.model.starts import answer_labels


class _Clustering(Baseline):
    """A baseline that has labels and nothing else."""

    def predict_answers(self, X: ArrayLike, triplets: ArrayLike) -> NDArray[np.int8]:
        """Return what the clustering implies by Eq. (1); X must be that of the fit."""
        return implied_answers(self.labels_, triplets)


class BestKMeans(_Clustering):
    r"""K-means, best of 50; answers are checked and ignored.

    .. math:: \min_{c, \mu} \sum_i |x_i - \mu_{c_i}|^2

    Parameters
    ----------
    n_clusters : int, default=3
    random_state : int, RandomState instance or None, default=None

    Examples
    --------
    >>> labels = BestKMeans(2, random_state=0).fit([[0.0], [0.1], [5.0], [5.1]]).labels_
    >>> bool(labels[0] == labels[1] != labels[2] == labels[3])
    True
    """

    def _cluster(self, X: FloatArray, constraints: Triplets) -> None:
        self.labels_ = best_kmeans(X, self.n_clusters, self.random_state)


class AnswersKMeans(_Clustering):
    """DCRC's start from the answers, without EM: K-means along directions in which yes / no answers separate instances.

    Parameters
    ----------
    n_clusters : int, default=3
    random_state : int, RandomState instance or None, default=None

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.0, 9.0], [1.0, 0.0], [1.0, 9.0]])
    >>> model = AnswersKMeans(2, random_state=0).fit(X, triplets=[(0, 1, 2), (3, 2, 1)], answers=["yes", "yes"])
    >>> bool(model.labels_[0] == model.labels_[1] != model.labels_[2])
    True
    """

    def _cluster(self, X: FloatArray, constraints: Triplets) -> None:
        labels = None
        if len(constraints):
            labels = answer_labels(X, *to_pairs(constraints), self.n_clusters, check_random_state(self.random_state))
        else:
            self._warn_nothing_to_learn()
        self.labels_ = best_kmeans(X, self.n_clusters, self.random_state) if labels is None else labels


class OneCluster(_Clustering):
    """All instances in one cluster: the score that needs no clustering.

    Parameters
    ----------
    n_clusters : int, default=3
        Not used.
    random_state : int, RandomState instance or None, default=None
        Not used.

    Examples
    --------
    >>> OneCluster().fit([[0.0], [0.1], [5.0]]).labels_
    array([0, 0, 0], dtype=int32)
    """

    def _cluster(self, X: FloatArray, constraints: Triplets) -> None:
        self.labels_ = np.zeros(len(X), dtype=np.int32)
