"""What a fitted model says about instances and questions."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from dcrc_explore.annotators import error_matrix
from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import (
    ANSWER_CLASSES,
    AnswerLike,
    Triplets,
    answer_columns,
    answer_proba,
    answers_in_columns,
    check_not_answers,
)
from dcrc_explore.model.features import FeatureMap
from dcrc_explore.model.instances import as_instances
from dcrc_explore.model.scoring import balanced_accuracy
from dcrc_explore.model.softmax import Weights, entropy

# Has a logarithm.
_SMALLEST = 1e-300


class AnswerModel(ClusterMixin, BaseEstimator):
    """Predictions of clusters and answers from fitted weights: the part that DCRC and DCRCCV share."""

    epsilon: float
    confusion_: FloatArray | None
    coef_: FloatArray
    intercept_: FloatArray
    labels_: NDArray[np.int64]
    feature_map_: FeatureMap
    # With routing, a pipeline's score hands on that it has no weights; it must know that somebody heard of them.
    __metadata_request__score: ClassVar = {"sample_weight": None}

    def _log_proba(self, X: ArrayLike) -> tuple[FloatArray, FloatArray]:
        check_is_fitted(self)
        return self.log_proba_checked(as_instances(self, X, reset=False))

    def log_proba_checked(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return log P(y|x; W) and P(y|x; W), with one row per cluster, of instances that were validated before."""
        return Weights(self.coef_, self.intercept_).log_proba(self.feature_map_.transform(X))

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Return P(y|x; W), Eq. (6), with one column per cluster."""
        return self._log_proba(X)[1].T

    def predict_log_proba(self, X: ArrayLike) -> FloatArray:
        """Return log P(y|x; W), with one column per cluster."""
        return self._log_proba(X)[0].T

    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """Return the most probable cluster of each instance."""
        return self._log_proba(X)[1].argmax(axis=0)

    def entropy(self, X: ArrayLike) -> FloatArray:
        """Return the entropy of P(y|x; W) of each instance in bits: 0 is certain, log2 K is undecided."""
        return entropy(*self._log_proba(X))

    def predict_answer_proba(self, X: ArrayLike, triplets: ArrayLike | Triplets) -> FloatArray:
        """Return the probabilities of the `answer_classes_` yes, no and dnk, errors of people included (Table I).

        Parameters
        ----------
        X : array-like of shape (N, n_features)
        triplets : array-like of shape (M, 3) or Triplets
            Row numbers of X.

        Returns
        -------
        ndarray of shape (M, 3)
        """
        return answer_proba(self.predict_proba(X), triplets) @ self._answer_errors()

    def _answer_errors(self) -> FloatArray:
        """Return P(given | implied)."""
        return error_matrix(self.epsilon) if self.confusion_ is None else self.confusion_

    def predict_answers(self, X: ArrayLike, triplets: ArrayLike | Triplets) -> NDArray[np.int8]:
        """Return the most probable answer to each question: 1 for yes, -1 for no, 0 for dnk."""
        return answers_in_columns(self.predict_answer_proba(X, triplets).argmax(axis=1))

    @property
    def answer_classes_(self) -> NDArray[np.int8]:
        """The answers in the columns of :meth:`predict_answer_proba`: 1 for yes, -1 for no, 0 for dnk."""
        check_is_fitted(self)
        return ANSWER_CLASSES

    def score(
        self,
        X: ArrayLike,
        y: object = None,
        *,
        triplets: ArrayLike | Triplets | None = None,
        answers: AnswerLike | None = None,
    ) -> float:
        """Return how well answers are predicted; without answers, how well the clusters are separated.

        Parameters
        ----------
        X : array-like of shape (N, n_features)
        y : Ignored
        triplets, answers
            As in :meth:`DCRC.fit`, with row numbers of this X.

        Returns
        -------
        float
            With answers the balanced accuracy, from 0 to 1: the mean over yes, no and dnk of the share that is
            predicted right. Without, the mutual information of instances and clusters in bits, from 0 to log2 K:
            the entropy of the mean membership minus the mean entropy, which tau multiplies in Eq. (9).

        Examples
        --------
        >>> from dcrc_explore import DCRC
        >>> X = [[0.0], [0.1], [5.0], [5.1]]
        >>> model = DCRC(2, lam=1e-4, random_state=0).fit(X)
        >>> round(model.score(X), 1), model.score(X, triplets=[(0, 1, 2)], answers=["yes"])
        (1.0, 1.0)
        """
        check_not_answers(y)
        if triplets is None and answers is None:
            log_p, p = self._log_proba(X)
            mean = p.mean(axis=1, keepdims=True)
            return float(entropy(np.log(np.maximum(mean, _SMALLEST)), mean)[0] - entropy(log_p, p).mean())
        given = Triplets.of(triplets, answers, len(self.predict(X)))
        if not len(given):
            raise ValueError("score needs at least one answer to compare with, got none")
        return balanced_accuracy(answer_columns(given.answers), self.predict_answer_proba(X, given))
