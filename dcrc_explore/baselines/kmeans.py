"""K-means, which hears no answers."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.arrays import RandomState
from dcrc_explore.baselines.base import Baseline, best_kmeans
from dcrc_explore.constraints import AnswerLike, Triplets, check_not_answers, implied_answers


class BestKMeans(Baseline):
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

    def __init__(self, n_clusters: int = 3, *, random_state: RandomState = None) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state

    def fit(
        self,
        X: ArrayLike,
        y: object = None,
        *,
        triplets: ArrayLike | Triplets | None = None,
        answers: AnswerLike | None = None,
    ) -> Self:
        """Cluster X; see :class:`Baseline`."""
        check_not_answers(y)
        X, _ = self._validated(X, triplets, answers)
        self.labels_ = best_kmeans(X, self.n_clusters, self.random_state)
        return self

    def predict_answers(self, X: ArrayLike, triplets: ArrayLike) -> NDArray[np.int8]:
        """Return what the clustering implies by Eq. (1); X must be that of the fit."""
        return implied_answers(self.labels_, triplets)
