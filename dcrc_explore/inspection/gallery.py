"""What is in a cluster: its most certain, its most doubtful and its mistaken members."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Shelf(NamedTuple):
    """Members of one cluster worth looking at.

    Attributes
    ----------
    cluster, size : int
        Its number, and how many points it has.
    certain : ndarray of int
        Rows with the highest P(y = cluster | x), the highest first.
    doubtful : ndarray of int
        Other rows, those that are nearest to another cluster first.
    mistaken : ndarray of int
        Rows that are of another class, the most certain first; none when the truth is not known.
    """

    cluster: int
    size: int
    certain: NDArray[np.int64]
    doubtful: NDArray[np.int64]
    mistaken: NDArray[np.int64]


def gallery(proba: ArrayLike, *, truth: ArrayLike | None = None, most: int = 8) -> list[Shelf]:
    """Choose members of each cluster to look at.

    Parameters
    ----------
    proba : array-like of shape (N, K)
        P(y|x), or any other memberships.
    truth : array-like of shape (N,), optional
        True classes by the numbers of the clusters that they match.
    most : int
        Largest number of each kind.

    Examples
    --------
    >>> first, second = gallery([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]], truth=[0, 1, 1])
    >>> first.certain, first.doubtful, first.mistaken, second.size
    (array([0]), array([1]), array([1]), 1)
    """
    P = np.asarray(proba, dtype=float)
    if P.ndim != 2 or P.shape[1] < 2:
        raise ValueError(f"proba must have shape (N, K) with K of at least 2, got {P.shape}")
    labels = P.argmax(axis=1)
    if truth is not None and np.shape(truth) != labels.shape:
        raise ValueError(f"truth must have shape {labels.shape}, got {np.shape(truth)}")
    second, first = np.partition(P, -2, axis=1)[:, -2:].T
    wrong = np.zeros(len(P), dtype=bool) if truth is None else np.asarray(truth) != labels
    shelves = []
    for k in range(P.shape[1]):
        members = np.flatnonzero(labels == k)
        by_certainty = members[np.argsort(-P[members, k], kind="stable")]
        # A small cluster is divided, so that nothing is shown as certain and as doubtful.
        certain = by_certainty[: min(most, (len(members) + 1) // 2)]
        others = by_certainty[len(certain) :]
        doubtful = others[np.argsort((first - second)[others], kind="stable")][:most]
        shelves.append(Shelf(k, len(members), certain, doubtful, by_certainty[wrong[by_certainty]][:most]))
    return shelves
