"""What a clustering says about questions, and what answers say about pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.arrays import IntArray
from dcrc_explore.constraints.answers import Answer
from dcrc_explore.constraints.triplets import Triplets, as_triplets


def implied_answers(labels: ArrayLike, triplets: ArrayLike) -> NDArray[np.int8]:
    """Answers that a clustering implies, Eq. (1).

    Examples
    --------
    >>> implied_answers([0, 0, 1, 2], [(0, 1, 2), (0, 2, 1), (0, 2, 3)])
    array([ 1, -1,  0], dtype=int8)
    """
    labels = np.asarray(labels)
    first, second, third = labels[as_triplets(triplets, len(labels))].T
    # Eq. (1): yes if y_1 = y_2 != y_3, no if y_1 = y_3 != y_2, otherwise dnk.
    return (first == second).astype(np.int8) - (first == third).astype(np.int8)


def answer_proba(proba: ArrayLike, triplets: ArrayLike, *, epsilon: float = 0.0) -> NDArray[np.float64]:
    """Probabilities of yes, no and dnk when the three memberships are independent.

    Parameters
    ----------
    proba : array-like of shape (N, K)
        Membership probabilities of each instance.
    triplets : array-like of shape (M, 3)
    epsilon : float, default=0
        Probability of an error, both wrong answers being equally likely (Table I).

    Returns
    -------
    ndarray of shape (M, 3)
        Columns yes, no, dnk.

    Examples
    --------
    >>> answer_proba([[1, 0], [1, 0], [0.5, 0.5]], [(0, 1, 2)], epsilon=0.1)
    array([[0.475, 0.05 , 0.475]])
    """
    proba = np.asarray(proba, dtype=float)
    p1, p2, p3 = (proba[index] for index in as_triplets(triplets, len(proba)).T)
    both = p2 * p3
    yes = np.einsum("mk,mk->m", p1, p2 - both)
    no = np.einsum("mk,mk->m", p1, p3 - both)
    implied = np.column_stack([yes, no, 1.0 - yes - no])
    # Table I
    return (1 - epsilon) * implied + epsilon / 2 * (1 - implied)


def to_pairs(triplets: Triplets) -> tuple[IntArray, IntArray]:
    """Infer one must-link and one cannot-link pair from each yes / no answer; dnk gives none.

    Examples
    --------
    >>> must_link, cannot_link = to_pairs(Triplets([(0, 1, 2), (3, 4, 5)], ["no", "dnk"]))
    >>> must_link, cannot_link
    (array([[0, 2]]), array([[0, 1]]))
    """
    decided = triplets.without_dnk()
    i, j, k = decided.indices.T
    yes = decided.answers == Answer.YES
    must_link = np.column_stack([i, np.where(yes, j, k)])
    cannot_link = np.column_stack([i, np.where(yes, k, j)])
    return must_link, cannot_link
