"""How well predicted probabilities of yes, no and dnk agree with the answers given."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dcrc_explore.arrays import FloatArray, IntArray

Scoring = Callable[[IntArray, FloatArray], float]


def accuracy(columns: IntArray, proba: FloatArray) -> float:
    """Return the share of the answers that is predicted right.

    Examples
    --------
    >>> accuracy(np.array([0, 2]), np.array([[0.8, 0.1, 0.1], [0.6, 0.2, 0.2]]))
    0.5
    """
    return float(np.mean(proba.argmax(axis=1) == columns))


def balanced_accuracy(columns: IntArray, proba: FloatArray) -> float:
    """Return the mean, over yes, no and dnk, of the share that is predicted right.

    Examples
    --------
    >>> balanced_accuracy(np.array([0, 0, 2]), np.array([[0.8, 0.1, 0.1], [0.1, 0.2, 0.7], [0.1, 0.2, 0.7]]))
    0.75
    """
    right = proba.argmax(axis=1) == columns
    return float(np.mean([right[columns == column].mean() for column in np.unique(columns)]))


def log_likelihood(columns: IntArray, proba: FloatArray) -> float:
    """Return the mean log-probability of the answers.

    Examples
    --------
    >>> round(log_likelihood(np.array([0]), np.array([[0.5, 0.25, 0.25]])), 3)
    -0.693
    """
    return float(np.log(np.maximum(proba[np.arange(len(columns)), columns], 1e-12)).mean())


_SCORINGS: dict[str, Scoring] = {
    "balanced_accuracy": balanced_accuracy,
    "accuracy": accuracy,
    "log_likelihood": log_likelihood,
}


def as_scoring(scoring: str | Scoring) -> Scoring:
    """Return the score of a name, or the callable itself.

    Examples
    --------
    >>> as_scoring("accuracy")(np.array([0, 2]), np.array([[0.8, 0.1, 0.1], [0.6, 0.2, 0.2]]))
    0.5
    """
    if callable(scoring):
        return scoring
    if scoring not in _SCORINGS:
        raise ValueError(f"scoring must be a callable or one of {', '.join(_SCORINGS)}, got {scoring!r}")
    return _SCORINGS[scoring]
