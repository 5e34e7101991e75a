"""Simulated annotators: the truth, a noisy annotator, people as the paper measured them, and crowds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.annotators.confusion import (
    EXCHANGING,
    GUESSING,
    PAPER_CONFUSION,
    PAPER_PAIR_CONFUSION,
    as_confusion,
    error_matrix,
)
from dcrc_explore.constraints import answer_columns, answers_in_columns, as_pairs, as_triplets, implied_answers
from dcrc_explore.values import one_of


class Oracle:
    """A simulated annotator who knows the classes and answers questions about triplets, with or without errors.

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
        return answers_in_columns(_draw(self.confusion[true], self._rng))


class PairOracle:
    """An annotator who knows the classes and says for pairs whether they belong together, Eq. (2).

    Parameters
    ----------
    y : array-like of shape (N,)
        True classes.
    confusion : array-like of shape (2, 2), optional
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
        first, second = self.y[as_pairs(pairs, len(self.y))].T
        return _draw(self.confusion[(first != second).astype(np.int8)], self._rng) == 0


class Crowd:
    """Several annotators, each of whom errs in their own way.

    Parameters
    ----------
    y : array-like of shape (N,)
        True classes.
    people : mapping of str to float or array-like of shape (3, 3)
        By name: an error rate, or a matrix (see :func:`as_confusion`).
    seed : int or Generator, default=0

    Attributes
    ----------
    confusions : dict of str to ndarray of shape (3, 3)

    Examples
    --------
    >>> crowd = Crowd([0, 0, 1, 1], {"Ann": 0.0, "Bob": EXCHANGING})
    >>> crowd.answer([(0, 1, 2), (0, 1, 2)], ["Ann", "Bob"])
    array([ 1, -1], dtype=int8)
    """

    def __init__(
        self, y: ArrayLike, people: Mapping[str, float | ArrayLike], seed: int | np.random.Generator = 0
    ) -> None:
        if not people:
            raise ValueError("a crowd must have at least one person, got none")
        self.y = _as_classes(y)
        self.confusions = {
            name: error_matrix(float(errs)) if np.ndim(errs) == 0 else as_confusion(errs)  # type: ignore[arg-type]
            for name, errs in people.items()
        }
        self._rng = np.random.default_rng(seed)

    def deal(self, n_questions: int) -> list[str]:
        """Assign each question to a person at random; the numbers of questions differ by at most one.

        Examples
        --------
        >>> sorted(Crowd([0, 1, 1], {"Ann": 0.1, "Bob": 0.2}).deal(4))
        ['Ann', 'Ann', 'Bob', 'Bob']
        """
        names = list(self.confusions)
        return [names[a] for a in self._rng.permutation(np.arange(n_questions) % len(names))]

    def answer(self, triplets: ArrayLike, annotators: Sequence[str]) -> NDArray[np.int8]:
        """Return 1 (yes), -1 (no) or 0 (dnk) for each triplet, answered by the person named for it."""
        triplets = as_triplets(triplets, len(self.y))
        if isinstance(annotators, str) or len(annotators) != len(triplets):
            raise ValueError(f"annotators must be one name for each of {len(triplets)} triplets, got {annotators!r}")
        unknown = set(annotators) - set(self.confusions)
        if unknown:
            raise ValueError(f"annotators must be among {', '.join(self.confusions)}, got {min(unknown)!r}")
        true = answer_columns(implied_answers(self.y, triplets))
        channels = np.array([self.confusions[name] for name in annotators]).reshape(-1, 3, 3)
        return answers_in_columns(_draw(channels[np.arange(len(true)), true], self._rng))


def make_crowd(
    y: ArrayLike,
    *,
    good: int = 5,
    guessing: int = 2,
    exchanging: int = 1,
    epsilon: float = 0.05,
    seed: int | np.random.Generator = 0,
) -> Crowd:
    """Make a crowd of people who err with probability epsilon, who guess, and who exchange yes and no.

    Examples
    --------
    >>> list(make_crowd([0, 0, 1], good=2, guessing=1).confusions)
    ['good 1', 'good 2', 'guessing 1', 'exchanging 1']
    """
    kinds: dict[str, tuple[int, float | NDArray[np.float64]]]
    kinds = {"good": (good, epsilon), "guessing": (guessing, GUESSING), "exchanging": (exchanging, EXCHANGING)}
    people = {f"{kind} {a + 1}": errs for kind, (n, errs) in kinds.items() for a in range(n)}
    return Crowd(y, people, seed)


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
    """Err as a confusion matrix says; by default that of the paper's user study, Table IV (a).

    Examples
    --------
    >>> oracle = confused([0, 0, 1], seed=1)
    >>> round(float(np.mean(oracle.answer([(0, 1, 2)] * 1000) == 0)), 1)  # when in doubt, people say don't know
    0.2
    """
    return Oracle(y, confusion, seed)


class _Simulated(NamedTuple):
    """An oracle that can be made by name: its title, how to make it, and whether it has an error rate to choose."""

    title: str
    make: Callable[[ArrayLike, float, int | np.random.Generator], Oracle]
    has_rate: bool = False


_ORACLES = {
    "truth": _Simulated("the truth", lambda y, epsilon, seed: truth(y)),
    "noisy": _Simulated("a noisy user", noisy, has_rate=True),
    "people": _Simulated("people of the paper's study", lambda y, epsilon, seed: confused(y, seed=seed)),
}


def list_oracles(*, with_rate: bool = False) -> Mapping[str, str]:
    """Return the names that :func:`make_oracle` knows, with titles for a menu; all, or those with an error rate.

    Examples
    --------
    >>> list(list_oracles()), list(list_oracles(with_rate=True))
    (['truth', 'noisy', 'people'], ['noisy'])
    """
    return MappingProxyType({name: each.title for name, each in _ORACLES.items() if each.has_rate or not with_rate})


def make_oracle(name: str, y: ArrayLike, *, epsilon: float = 0.05, seed: int | np.random.Generator = 0) -> Oracle:
    """Make an oracle by name; epsilon is used by those with an error rate only.

    Examples
    --------
    >>> make_oracle("people", [0, 0, 1]).confusion.round(2)
    array([[0.78, 0.01, 0.2 ],
           [0.02, 0.77, 0.21],
           [0.03, 0.03, 0.94]])
    """
    return _ORACLES[one_of(_ORACLES).checked(name, "name")].make(y, epsilon, seed)


def _as_classes(y: ArrayLike) -> NDArray[np.generic]:
    y = np.asarray(y)
    if y.ndim != 1:
        raise ValueError(f"an oracle needs the true classes y, shape (N,), got shape {y.shape}")
    return y


def _draw(rows: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw one column from each row of probabilities."""
    # The last sum is 1 up to rounding: what lies above the others is the last column.
    steps = rows.cumsum(axis=1)[:, :-1]
    return np.sum(rng.random((len(rows), 1)) >= steps, axis=1)
