"""Questions about three or two points, and the answers that were given to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.arrays import IntArray
from dcrc_explore.constraints.answers import Answer, AnswerLike, as_answers
from dcrc_explore.words import count

Question = TypeVar("Question")


def as_triplets(triplets: ArrayLike | Triplets, n_samples: int | None = None) -> IntArray:
    """Check triplet indices and return them as an ``(M, 3)`` integer array.

    Parameters
    ----------
    triplets : array-like of shape (M, 3) or Triplets
        Rows (i, j, k) of three different row numbers of X.
    n_samples : int, optional
        Number of rows of X; when given, indices are checked against it.

    Examples
    --------
    >>> as_triplets([(0, 1, 2)], n_samples=3)
    array([[0, 1, 2]])
    """
    if isinstance(triplets, Triplets):
        return Triplets.of(triplets, None, n_samples).indices
    return _as_questions(triplets, "triplet", 3, n_samples)


def as_pairs(pairs: ArrayLike | Pairs, n_samples: int | None = None) -> IntArray:
    """Check pair indices and return them as an ``(M, 2)`` integer array.

    Parameters
    ----------
    pairs : array-like of shape (M, 2) or Pairs
        Rows (i, j) of two different row numbers of X.
    n_samples : int, optional
        Number of rows of X; when given, indices are checked against it.

    Examples
    --------
    >>> as_pairs([(0, 1), (2, 0)], n_samples=3)
    array([[0, 1],
           [2, 0]])
    """
    if isinstance(pairs, Pairs):
        return Pairs.of(pairs, None, n_samples).indices
    return _as_questions(pairs, "pair", 2, n_samples)


def _as_questions(questions: ArrayLike, what: str, width: int, n_samples: int | None) -> IntArray:
    try:
        array = np.asarray(questions)
    except ValueError:
        raise ValueError(f"{what}s must have shape (M, {width}), got rows of different lengths") from None
    if array.size == 0 and array.ndim <= 2:
        return np.empty((0, width), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != width:
        raise ValueError(f"{what}s must have shape (M, {width}), got {array.shape}")
    if array.dtype.kind not in "iu":
        with np.errstate(invalid="ignore"):
            whole = array.dtype.kind == "f" and bool(np.all(array == np.rint(array)))
        if not whole:
            raise ValueError(f"{what}s must hold row numbers (integers), got dtype {array.dtype}")
    array = array.astype(np.int64)
    if n_samples is not None and (array.min() < 0 or array.max() >= n_samples):
        t = int(np.flatnonzero(((array < 0) | (array >= n_samples)).any(axis=1))[0])
        raise ValueError(
            f"{what} indices must be between 0 and {n_samples - 1} (X has {n_samples} rows), "
            f"got {tuple(array[t].tolist())} ({what} number {t})"
        )
    if n_samples is None and array.min() < 0:
        raise ValueError(f"{what} indices must not be negative, got {array.min()}")
    equal = np.any([array[:, a] == array[:, b] for a, b in combinations(range(width), 2)], axis=0)
    if equal.any():
        t = int(np.argmax(equal))
        raise ValueError(
            f"a {what} must name {'two' if width == 2 else 'three'} different instances, "
            f"got {tuple(array[t].tolist())} ({what} number {t})"
        )
    return array


def check_not_answers(y: Any) -> None:
    """Refuse questions in the place of the classes y, which clusterings ignore.

    Examples
    --------
    >>> check_not_answers([0, 1, 1])
    >>> check_not_answers([(0, 1, 2)])
    Traceback (most recent call last):
    TypeError: answers are passed by name, as fit(X, triplets=..., answers=...), got triplets in the place of y
    """
    if isinstance(y, Triplets) or np.shape(y)[1:] == (3,):
        raise TypeError(
            "answers are passed by name, as fit(X, triplets=..., answers=...), got triplets in the place of y"
        )


@dataclass(frozen=True, eq=False)
class _Answered(Sequence[tuple[Question, Answer]], Generic[Question]):
    """Validated questions, all about the same number of points, with their answers."""

    indices: IntArray
    answers: NDArray[np.int8]
    _what: ClassVar[str]
    _width: ClassVar[int]

    def __init__(
        self, indices: ArrayLike | None = None, answers: AnswerLike | None = None, *, n_samples: int | None = None
    ) -> None:
        what = self._what
        if (indices is None) != (answers is None):
            given, missing = (f"{what}s", "answers") if answers is None else ("answers", f"{what}s")
            raise ValueError(f"{what}s and answers belong together, got {given} without {missing}")
        checked = _as_questions(() if indices is None else indices, what, self._width, n_samples)
        values = as_answers(() if answers is None else answers)
        if len(checked) != len(values):
            raise ValueError(f"each {what} needs one answer, got {len(checked)} {what}s and {len(values)} answers")
        checked.flags.writeable = values.flags.writeable = False
        object.__setattr__(self, "indices", checked)
        object.__setattr__(self, "answers", values)

    @classmethod
    def of(cls, questions: Any, answers: AnswerLike | None, n_samples: int | None) -> Self:
        """Take questions with their answers, of which only `n_samples` is left to be checked, or arrays of both."""
        if not isinstance(questions, cls):
            return cls(questions, answers, n_samples=n_samples)
        if answers is not None:
            other = f"{'' if cls._width == 3 else cls._what + '_'}answers"
            raise ValueError(
                f"{cls._what}s bring their own answers here: pass either {cls.__name__} or {other}, got both"
            )
        if n_samples is not None and questions.indices.max(initial=-1) >= n_samples:
            _as_questions(questions.indices, cls._what, cls._width, n_samples)  # says what is wrong
        return questions

    @classmethod
    def trusted(cls, indices: IntArray, answers: NDArray[np.int8]) -> Self:
        """Take rows that were checked already, without checking or copying them again."""
        answered = cls.__new__(cls)
        for name, column in (("indices", indices), ("answers", answers)):
            view = column.view()
            view.flags.writeable = False
            object.__setattr__(answered, name, view)
        return answered

    def __len__(self) -> int:
        return len(self.answers)

    def __getitem__(self, t: Any) -> Any:
        if isinstance(t, int | np.integer):
            return tuple(self.indices[t].tolist()), Answer(int(self.answers[t]))
        return self.trusted(self.indices[t], self.answers[t])

    def __iter__(self) -> Iterator[tuple[Question, Answer]]:
        return (self[t] for t in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return np.array_equal(self.indices, other.indices) and np.array_equal(self.answers, other.answers)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        yes, no, dnk = (int(np.sum(self.answers == answer)) for answer in Answer)
        counts = f"{count(len(self), 'answer')}: {yes} yes, {no} no, {dnk} dnk"
        return f"{type(self).__name__}({counts})"

    def __add__(self, other: Self) -> Self:
        return type(self)(np.vstack([self.indices, other.indices]), np.concatenate([self.answers, other.answers]))

    def without_dnk(self) -> Self:
        """Return only the yes / no answers: what the paper's DCRC-YN learns from."""
        return self[self.answers != Answer.DNK]

    def constrained(self) -> IntArray:
        """Return the paper's index set I: every instance that stands in some question, in increasing order."""
        return np.unique(self.indices)


class Triplets(_Answered[tuple[int, int, int]]):
    """Validated triplets with their answers.

    Parameters
    ----------
    indices : array-like of shape (M, 3)
        Rows (i, j, k): the question "is x_i more similar to x_j than to x_k?". An instance may stand in many
        triplets, but only once in each; repeated and contradictory triplets are legal.
    answers : array-like of shape (M,)
        :class:`Answer` members, 1 / -1 / 0, or "yes" / "no" / "dnk".
    n_samples : int, optional
        Number of rows of X; when given, indices are checked against it.

    Examples
    --------
    >>> triplets = Triplets([(0, 1, 2), (3, 0, 1)], ["yes", "dnk"], n_samples=4)
    >>> len(triplets), triplets[0]
    (2, ((0, 1, 2), <Answer.YES: 1>))
    >>> triplets.without_dnk()
    Triplets(1 answer: 1 yes, 0 no, 0 dnk)
    """

    _what, _width = "triplet", 3


class Pairs(_Answered[tuple[int, int]]):
    """Validated pairs with their answers.

    Parameters
    ----------
    indices : array-like of shape (M, 2)
        Rows (i, j): the question "do x_i and x_j belong together?".
    answers : array-like of shape (M,)
        As for :class:`Triplets`: yes is a must-link, no a cannot-link, and dnk says nothing.
    n_samples : int, optional
        Number of rows of X; when given, indices are checked against it.

    Examples
    --------
    >>> pairs = Pairs([(0, 1), (0, 2), (1, 3)], ["yes", "no", "dnk"], n_samples=4)
    >>> pairs
    Pairs(3 answers: 1 yes, 1 no, 1 dnk)
    >>> pairs.must_link, pairs.cannot_link
    (array([[0, 1]]), array([[0, 2]]))
    """

    _what, _width = "pair", 2

    @property
    def must_link(self) -> IntArray:
        """Pairs that belong together."""
        return self.indices[self.answers == Answer.YES]

    @property
    def cannot_link(self) -> IntArray:
        """Pairs that do not."""
        return self.indices[self.answers == Answer.NO]
