"""Who answers: the truth, a user who errs now and then, or people as the paper measured them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.constraints import answer_columns, answers_in_columns, implied_answers, to_pairs

__all__ = [
    "PAPER_CONFUSION",
    "PAPER_PAIR_CONFUSION",
    "Oracle",
    "PairOracle",
    "as_confusion",
    "confused",
    "error_matrix",
    "list_oracles",
    "make_oracle",
    "noisy",
    "to_pairs",
    "truth",
]


def as_confusion(confusion: ArrayLike, size: int = 3) -> NDArray[np.float64]:
    """Check a table of true against given answers and divide its rows by their sums.

    Parameters
    ----------
    confusion : array-like of shape (size, size)
        Counts or probabilities of the answer given (column) for each true answer (row), in the order yes, no, dnk
        (must-link, cannot-link for pairs).

    Examples
    --------
    >>> as_confusion([[3, 0, 1], [0, 1, 0], [0, 0, 5]])
    array([[0.75, 0.  , 0.25],
           [0.  , 1.  , 0.  ],
           [0.  , 0.  , 1.  ]])
    """
    table = np.array(confusion, dtype=float)
    if table.shape != (size, size):
        raise ValueError(f"confusion must have shape ({size}, {size}), got {table.shape}")
    if not (np.isfinite(table).all() and (table >= 0).all() and table.any(axis=1).all()):
        raise ValueError(f"confusion must hold no negative numbers and no row of zeros, got {table.tolist()}")
    table /= table.sum(axis=1, keepdims=True)
    table.flags.writeable = False
    return table


def error_matrix(epsilon: float) -> NDArray[np.float64]:
    """Return the confusion matrix of a user who errs with probability epsilon, Table I.

    Examples
    --------
    >>> error_matrix(0.1)
    array([[0.9 , 0.05, 0.05],
           [0.05, 0.9 , 0.05],
           [0.05, 0.05, 0.9 ]])
    """
    if not 0 <= epsilon <= 1:
        raise ValueError(f"epsilon must be between 0 and 1, got {epsilon}")
    # Table I: both wrong answers are equally likely.
    return np.where(np.eye(3, dtype=bool), 1 - epsilon, epsilon / 2)


# Table IV (a): true yes, no, dnk against the people's yes, no, dnk; means over six people with 150 triplets each.
PAPER_CONFUSION = as_confusion([[18.50, 0.33, 4.83], [0.33, 16.50, 4.50], [3.50, 3.00, 98.50]])
# Table IV (b): true must-link, cannot-link against the people's; means over six people with 225 pairs each.
PAPER_PAIR_CONFUSION = as_confusion([[42.50, 9.67], [10.83, 162.00]], size=2)


class Oracle:
    """Somebody who knows the classes and answers questions about triplets, with or without errors.

    Parameters
    ----------
    y : array-like of shape (N,)
        True classes.
    confusion : array-like of shape (3, 3)
        See :func:`as_confusion`.
    seed : int or Generator, default=0
        The same seed gives the same answers to the same questions in the same order.

    Examples
    --------
    >>> oracle = Oracle([0, 0, 1, 2], np.eye(3))
    >>> oracle.answer([(0, 1, 2), (0, 2, 1), (0, 2, 3)])
    array([ 1, -1,  0], dtype=int8)
    """

    def __init__(self, y: ArrayLike, confusion: ArrayLike, seed: int | np.random.Generator = 0) -> None:
        self.y = _as_classes(y)
        self.confusion = as_confusion(confusion)
        self._rng = np.random.default_rng(seed)

    def answer(self, triplets: ArrayLike) -> NDArray[np.int8]:
        """Return 1 (yes), -1 (no) or 0 (dnk) for each triplet."""
        true = answer_columns(implied_answers(self.y, triplets))
        return answers_in_columns(_draw(self.confusion, true, self._rng))


class PairOracle:
    """Somebody who knows the classes and tells for pairs whether they belong together, Eq. (2).

    Parameters
    ----------
    y : array-like of shape (N,)
        True classes.
    confusion : array-like of shape (2, 2)
        True must-link, cannot-link against the given ones; by default the people of Table IV (b).
    seed : int or Generator, default=0

    Examples
    --------
    >>> PairOracle([0, 0, 1], confusion=np.eye(2)).answer([(0, 1), (0, 2)])
    array([ True, False])
    """

    def __init__(
        self, y: ArrayLike, confusion: ArrayLike = PAPER_PAIR_CONFUSION, seed: int | np.random.Generator = 0
    ) -> None:
        self.y = _as_classes(y)
        self.confusion = as_confusion(confusion, size=2)
        self._rng = np.random.default_rng(seed)

    def answer(self, pairs: ArrayLike) -> NDArray[np.bool_]:
        """Return True (must-link) or False (cannot-link) for each pair."""
        pairs = np.asarray(pairs)
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise ValueError(f"pairs must have shape (M, 2), got {pairs.shape}")
        first, second = self.y[pairs].T
        return _draw(self.confusion, (first != second).astype(np.int8), self._rng) == 0


def truth(y: ArrayLike) -> Oracle:
    """Answer by the true classes, Eq. (1).

    Examples
    --------
    >>> truth([0, 0, 1]).answer([(0, 1, 2)])
    array([1], dtype=int8)
    """
    return Oracle(y, np.eye(3))


def noisy(y: ArrayLike, epsilon: float = 0.05, seed: int | np.random.Generator = 0) -> Oracle:
    """Err with probability epsilon, both wrong answers being equally likely, Table I.

    Examples
    --------
    >>> oracle = noisy([0, 0, 1], epsilon=0.3, seed=1)
    >>> round(float(np.mean(oracle.answer([(0, 1, 2)] * 1000) == 1)), 1)
    0.7
    """
    return Oracle(y, error_matrix(epsilon), seed)


def confused(y: ArrayLike, confusion: ArrayLike = PAPER_CONFUSION, seed: int | np.random.Generator = 0) -> Oracle:
    """Err as a confusion matrix says, by default the one that the paper measured with people, Table IV (a).

    Examples
    --------
    >>> oracle = confused([0, 0, 1], seed=1)
    >>> round(float(np.mean(oracle.answer([(0, 1, 2)] * 1000) == 0)), 1)  # when in doubt, people say don't know
    0.2
    """
    return Oracle(y, confusion, seed)


def list_oracles() -> Mapping[str, str]:
    """Return the names that :func:`make_oracle` knows, with titles for a menu.

    Examples
    --------
    >>> list(list_oracles())
    ['truth', 'noisy', 'people']
    """
    return MappingProxyType(
        {"truth": "The truth", "noisy": "A user who errs with probability epsilon", "people": "The paper's people"}
    )


def make_oracle(name: str, y: ArrayLike, *, epsilon: float = 0.05, seed: int | np.random.Generator = 0) -> Oracle:
    """Make an oracle by name; epsilon is used by "noisy" only.

    Examples
    --------
    >>> make_oracle("people", [0, 0, 1]).confusion.round(2)
    array([[0.78, 0.01, 0.2 ],
           [0.02, 0.77, 0.21],
           [0.03, 0.03, 0.94]])
    """
    if name == "truth":
        return truth(y)
    if name == "noisy":
        return noisy(y, epsilon, seed)
    if name == "people":
        return confused(y, seed=seed)
    raise ValueError(f"name must be one of {', '.join(list_oracles())}, got {name!r}")


def _as_classes(y: ArrayLike) -> NDArray[np.generic]:
    y = np.asarray(y)
    if y.ndim != 1:
        raise ValueError(f"an oracle needs the true classes y, shape (N,), got shape {y.shape}")
    return y


def _draw(confusion: NDArray[np.float64], true: NDArray[np.integer], rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw one column of ``confusion`` for each true row."""
    # The last sum is 1 up to rounding: what lies above the others is the last column.
    steps = confusion.cumsum(axis=1)[true, :-1]
    return np.sum(rng.random((len(true), 1)) >= steps, axis=1)
