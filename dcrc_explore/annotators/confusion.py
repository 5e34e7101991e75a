"""How people err: tables of answers given against answers implied, in the order yes, no, dnk.

Rows are what the true classes imply, columns what was given; a row divided by its sum is P(given | implied).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def as_confusion(confusion: ArrayLike, size: int = 3) -> NDArray[np.float64]:
    """Check a table of true (rows) against given answers (columns), yes, no, dnk, and divide its rows by their sums.

    For pairs, `size` is 2: must-link, cannot-link.

    Examples
    --------
    >>> as_confusion([[3, 0, 1], [0, 1, 0], [0, 0, 5]])
    array([[0.75, 0.  , 0.25],
           [0.  , 1.  , 0.  ],
           [0.  , 0.  , 1.  ]])
    """
    try:
        table = np.array(confusion, dtype=float)
    except (ValueError, TypeError):
        raise ValueError(f"confusion must be a table of shape ({size}, {size}), got {confusion!r:.60}") from None
    if table.shape != (size, size):
        raise ValueError(f"confusion must have shape ({size}, {size}), got {table.shape}")
    if not (np.isfinite(table).all() and (table >= 0).all() and table.any(axis=1).all()):
        raise ValueError(f"confusion must hold no negative numbers and no row of zeros, got {table.tolist()}")
    table /= table.sum(axis=1, keepdims=True)
    table.flags.writeable = False
    return table


def error_matrix(epsilon: float, size: int = 3) -> NDArray[np.float64]:
    """Return the confusion matrix of a user who errs with probability epsilon, Table I; for pairs, `size` is 2.

    Examples
    --------
    >>> error_matrix(0.1)
    array([[0.9 , 0.05, 0.05],
           [0.05, 0.9 , 0.05],
           [0.05, 0.05, 0.9 ]])
    """
    if not 0 <= epsilon <= 1:
        raise ValueError(f"epsilon must be between 0 and 1, got {epsilon}")
    # Table I: all wrong answers are equally likely.
    return np.where(np.eye(size, dtype=bool), 1 - epsilon, epsilon / (size - 1))


def forced(confusion: ArrayLike) -> NDArray[np.float64]:
    """Return the confusion matrix of the same people when they may not say don't know: they then guess yes or no.

    Examples
    --------
    >>> forced(error_matrix(0.1))
    array([[0.925, 0.075, 0.   ],
           [0.075, 0.925, 0.   ],
           [0.5  , 0.5  , 0.   ]])
    """
    return as_confusion(confusion) @ _COIN


def mirrored(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Make a table symmetric in yes and no: exchanging x_j and x_k exchanges these answers.

    Examples
    --------
    >>> mirrored(np.array([[8.0, 1, 1], [0, 6, 2], [1, 2, 7]]))
    array([[7. , 0.5, 1.5],
           [0.5, 7. , 1.5],
           [1.5, 1.5, 7. ]])
    """
    exchanged = [1, 0, 2]
    return (table + table[..., exchanged, :][..., exchanged]) / 2


# A don't know that may not be given comes out as yes or no.
_COIN = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 0.0]])

# Table IV (a): true yes, no, dnk against the people's yes, no, dnk; means over six people with 150 triplets each.
PAPER_TABLE = np.array([[18.50, 0.33, 4.83], [0.33, 16.50, 4.50], [3.50, 3.00, 98.50]])
# Table IV (b): true must-link, cannot-link against the people's; means over six people with 225 pairs each.
PAPER_PAIR_TABLE = np.array([[42.50, 9.67], [10.83, 162.00]])
PAPER_TABLE.setflags(write=False)
PAPER_PAIR_TABLE.setflags(write=False)
PAPER_CONFUSION = as_confusion(PAPER_TABLE)
PAPER_PAIR_CONFUSION = as_confusion(PAPER_PAIR_TABLE, size=2)
# Someone who guesses, and someone who mixes up yes and no.
GUESSING = as_confusion(np.ones((3, 3)))
EXCHANGING = as_confusion(np.eye(3)[[1, 0, 2]])
