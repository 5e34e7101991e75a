"""What a fitted model says about instances and questions."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import Answer, Triplets, answer_proba
from dcrc_explore.model.features import FeatureMap
from dcrc_explore.model.softmax import Weights, entropy


class AnswerModel(ClusterMixin, BaseEstimator):
    """Predictions of clusters and answers from fitted weights: the part that DCRC and DCRCCV share."""

    epsilon: float
    confusion_: FloatArray | None
    coef_: FloatArray
    intercept_: FloatArray
    labels_: NDArray[np.int64]
    feature_map_: FeatureMap

    def _log_proba(self, X: ArrayLike) -> tuple[FloatArray, FloatArray]:
        check_is_fitted(self)
        X = np.asarray(validate_data(self, X, dtype=np.float64, reset=False))
        return Weights(self.coef_, self.intercept_).log_proba(self.feature_map_.transform(X))

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Return P(y|x; W), Eq. (6), with one column per cluster."""
        return self._log_proba(X)[1].T

    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """Return the most probable cluster of each instance."""
        return self._log_proba(X)[1].argmax(axis=0)

    def entropy(self, X: ArrayLike) -> FloatArray:
        """Return the entropy of P(y|x; W) of each instance in bits: 0 is certain, log2 K is undecided."""
        return entropy(*self._log_proba(X))

    def predict_answer_proba(self, X: ArrayLike, triplets: ArrayLike | Triplets) -> FloatArray:
        """Return the probabilities of yes, no and dnk, errors of the answering person included (Table I).

        Parameters
        ----------
        X : array-like of shape (N, n_features)
        triplets : array-like of shape (M, 3) or Triplets
            Row numbers of X.

        Returns
        -------
        ndarray of shape (M, 3)
        """
        proba = self.predict_proba(X)
        if self.confusion_ is None:
            return answer_proba(proba, triplets, epsilon=self.epsilon)
        return answer_proba(proba, triplets) @ self.confusion_

    def predict_answers(self, X: ArrayLike, triplets: ArrayLike | Triplets) -> NDArray[np.int8]:
        """Return the most probable answer to each question: 1 for yes, -1 for no, 0 for dnk."""
        order = np.array([Answer.YES, Answer.NO, Answer.DNK], dtype=np.int8)
        return order[self.predict_answer_proba(X, triplets).argmax(axis=1)]
