"""Some of the points: which they are, and the answers that are about them alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.arrays import IntArray
from dcrc_explore.constraints import Pairs, Triplets
from dcrc_explore.session.settings import SessionError


def as_rows(rows: ArrayLike, n_samples: int) -> IntArray:
    """Check row numbers and return them in order, each once.

    Examples
    --------
    >>> as_rows([5, 2, 5], 10)
    array([2, 5])
    >>> as_rows([5, 10], 10)
    Traceback (most recent call last):
        ...
    dcrc_explore.session.settings.SessionError: rows must be whole numbers from 0 to 9, got 10
    """
    values = np.asarray(rows)
    if not values.size:
        return np.empty(0, dtype=np.int64)
    bad = values if values.dtype.kind not in "iu" else values[(values < 0) | (values >= n_samples)]
    if bad.size:
        raise SessionError(f"rows must be whole numbers from 0 to {n_samples - 1}, got {bad.flat[0]}")
    return np.unique(values)


def about(
    rows: IntArray, n_samples: int, triplets: Triplets, pairs: Pairs, asked: IntArray
) -> tuple[Triplets, Pairs, IntArray]:
    """Return the answers and the questions that are about some points alone, with the points' places in `rows`."""
    place = np.full(n_samples, -1)
    place[rows] = np.arange(len(rows))
    heard, linked, left = place[triplets.indices], place[pairs.indices], place[asked]
    inside, between = (heard >= 0).all(axis=1), (linked >= 0).all(axis=1)
    return (
        Triplets(heard[inside], triplets.answers[inside]),
        Pairs(linked[between], pairs.answers[between]),
        left[(left >= 0).all(axis=1)],
    )
