"""How good a clustering is: against the truth, against the answers given, and against another clustering."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_matrix
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix

from dcrc_explore.constraints import AnswerLike, as_answers, count_answers

__all__ = ["adjusted_rand", "align_clusters", "matched_accuracy", "pairwise_f", "satisfied"]


def pairwise_f(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """F-measure over pairs of points: a pair is found when both clusterings put its points together.

    Two clusterings that put no two points together agree, so their F is 1.

    Examples
    --------
    >>> pairwise_f([0, 0, 1, 1], [5, 5, 3, 3])
    1.0
    >>> pairwise_f([0, 0, 1, 1], [0, 0, 0, 0])
    0.5
    """
    table = _contingency(y_true, y_pred)
    N = table.sum()
    # Ordered pairs of different points that are together in both, in the truth, in the prediction.
    counts = table.data, np.asarray(table.sum(axis=1)), np.asarray(table.sum(axis=0))
    both, true, predicted = (int((n**2).sum() - N) for n in counts)
    # Precision = both / predicted and recall = both / true; F is their harmonic mean.
    return 2 * both / (true + predicted) if true + predicted else 1.0


def adjusted_rand(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Compare two clusterings by the adjusted Rand index.

    Examples
    --------
    >>> adjusted_rand([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    return float(adjusted_rand_score(y_true, y_pred))


def nmi(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Mutual information of two clusterings, divided by the mean of their entropies.

    Examples
    --------
    >>> nmi([0, 0, 1, 1], [0, 1, 0, 1])
    0.0
    """
    return float(normalized_mutual_info_score(y_true, y_pred))


def matched_accuracy(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Share of points in the right class after the best one-to-one matching of clusters to classes.

    Examples
    --------
    >>> matched_accuracy([0, 0, 1, 1], [1, 1, 0, 2])
    0.75
    """
    table = _contingency(y_true, y_pred).toarray()
    return float(table[linear_sum_assignment(table, maximize=True)].sum() / table.sum())


def satisfied(given: AnswerLike, implied: AnswerLike) -> NDArray[np.bool_]:
    """Return for each answer whether a clustering satisfies it, Eq. (1).

    Parameters
    ----------
    given, implied : array-like of shape (M,)
        The answers of a user, and those of a clustering to the same questions
        (``implied_answers(labels, triplets)`` or ``model.predict_answers(X, triplets)``).

    Examples
    --------
    >>> satisfied(["yes", "no", "dnk"], ["yes", "dnk", "dnk"])
    array([ True, False,  True])
    """
    given, implied = _same_questions(given, implied)
    return given == implied


def answer_table(given: AnswerLike, implied: AnswerLike) -> NDArray[np.int64]:
    """Count answers given (rows) against answers implied (columns), in the order yes, no, dnk.

    Examples
    --------
    >>> answer_table(["yes", "yes", "no", "dnk"], ["yes", "dnk", "no", "dnk"])
    array([[1, 0, 1],
           [0, 1, 0],
           [0, 0, 1]])
    """
    given, implied = _same_questions(given, implied)
    return count_answers(given, implied)


def align_clusters(reference: ArrayLike, clusters: ArrayLike) -> NDArray[np.int64]:
    """Find numbers for the clusters of one model that agree with another, so that colours stay where they are.

    Parameters
    ----------
    reference, clusters : array-like of shape (N,) or (N, K)
        Labels 0, 1, ... or probabilities of the same N points under two models; K may differ.

    Returns
    -------
    numbers : ndarray of shape (K,)
        Cluster k of ``clusters`` should be called ``numbers[k]``; the matching has the largest overlap. With equal K
        this is a permutation; clusters without a counterpart get the smallest free numbers.

    Examples
    --------
    >>> align_clusters([0, 0, 1, 1], [1, 1, 0, 0])
    array([1, 0])
    >>> align_clusters([0, 0, 1, 1], [2, 2, 0, 1])
    array([1, 2, 0])
    """
    old, new = _memberships(reference), _memberships(clusters)
    if len(old) != len(new):
        raise ValueError(f"both clusterings must be of the same points, got {len(old)} and {len(new)} points")
    rows, columns = linear_sum_assignment(new.T @ old, maximize=True)
    numbers = np.full(new.shape[1], -1, dtype=np.int64)
    numbers[rows] = columns
    free = np.setdiff1d(np.arange(new.shape[1]), columns)
    numbers[numbers < 0] = free[: np.sum(numbers < 0)]
    return numbers


def _contingency(y_true: ArrayLike, y_pred: ArrayLike) -> csr_matrix:
    y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
    if y_true.ndim != 1 or y_true.shape != y_pred.shape or not len(y_true):
        raise ValueError(f"both clusterings must have shape (N,), N > 0, got {y_true.shape} and {y_pred.shape}")
    return contingency_matrix(y_true, y_pred, sparse=True, dtype=np.int64)


def _same_questions(given: AnswerLike, implied: AnswerLike) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    given, implied = as_answers(given), as_answers(implied)
    if len(given) != len(implied):
        raise ValueError(f"given and implied must answer the same questions, got {len(given)} and {len(implied)}")
    return given, implied


def _memberships(clusters: ArrayLike) -> NDArray[np.float64]:
    clusters = np.asarray(clusters)
    if clusters.ndim == 2:
        return clusters.astype(float)
    if clusters.ndim != 1 or clusters.dtype.kind not in "iu" or clusters.min(initial=0) < 0:
        raise ValueError(
            "clusters must be labels 0, 1, ... of shape (N,) or probabilities of shape (N, K), "
            f"got shape {clusters.shape} and dtype {clusters.dtype}"
        )
    return np.eye(clusters.max(initial=0) + 1)[clusters]
