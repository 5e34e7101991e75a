"""Questions about three or two points, and the answers that were given to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from inspect import currentframe
from itertools import combinations
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.arrays import IntArray
from dcrc_explore.constraints.answers import Answer, AnswerLike, as_answers
from dcrc_explore.words import count

Question = TypeVar("Question")


def as_triplets(triplets: ArrayLike | Triplets, n_samples: int | None = None) -> IntArray:
    """Check rows (i, j, k) of three different row numbers, below `n_samples` if given; return an ``(M, 3)`` array.

    Examples
    --------
    >>> as_triplets([(0, 1, 2)], n_samples=3)
    array([[0, 1, 2]])
    """
    if isinstance(triplets, Triplets):
        return Triplets.of(triplets, None, n_samples).indices
    return _as_questions(triplets, "triplet", 3, n_samples)


def as_pairs(pairs: ArrayLike | Pairs, n_samples: int | None = None, what: str = "pair") -> IntArray:
    """Check rows (i, j) of two different row numbers, below `n_samples` if given; return an ``(M, 2)`` array.

    Errors call one of them `what`.

    Examples
    --------
    >>> as_pairs([(0, 1), (2, 0)], n_samples=3)
    array([[0, 1],
           [2, 0]])
    """
    if isinstance(pairs, Pairs):
        return Pairs.of(pairs, None, n_samples).indices
    return _as_questions(pairs, what, 2, n_samples)


def as_questions(questions: Any, n_samples: int | None = None) -> IntArray:
    """Check questions about three points, or two, or both, and return them as an ``(M, 3)`` integer array.

    The third number of a question about two points is -1.

    Examples
    --------
    >>> as_questions([(0, 1, 2), (3, 4)], n_samples=5)
    array([[ 0,  1,  2],
           [ 3,  4, -1]])
    """
    if isinstance(questions, np.ndarray):
        widths = set(questions.shape[1:2])
    else:
        widths = {len(row) for row in questions if hasattr(row, "__len__")} if np.iterable(questions) else set()
    if not widths <= {2, 3}:
        raise ValueError(f"a question must be about three points or two, got one about {max(widths - {2, 3})}")
    if widths == {2}:
        pairs = _as_questions(questions, "pair", 2, n_samples)
        return np.column_stack([pairs, np.full(len(pairs), -1)])
    if widths != {2, 3}:
        return _as_questions(questions, "triplet", 3, n_samples)
    both = np.full((len(questions), 3), -1)
    for width, what in ((3, "triplet"), (2, "pair")):
        rows = [t for t, row in enumerate(questions) if len(row) == width]
        both[rows, :width] = _as_questions([questions[t] for t in rows], what, width, n_samples)
    return both


def _as_questions(questions: ArrayLike, what: str, width: int, n_samples: int | None) -> IntArray:
    try:
        array = np.asarray(questions)
    except (ValueError, TypeError):
        raise ValueError(f"{what}s must have shape (M, {width}), got rows of different lengths") from None
    if array.ndim == 0:
        raise ValueError(f"{what}s must have shape (M, {width}), got a {type(questions).__name__}")
    if array.size == 0 and array.ndim <= 2:
        return np.empty((0, width), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != width:
        raise ValueError(f"{what}s must have shape (M, {width}), got {array.shape}")
    if array.dtype.kind == "f":
        # Beyond 2**53 floats skip integers; NaN compares as False.
        whole = (np.abs(array) <= 2.0**53) & (array == np.rint(array))
        if not whole.all():
            t, place = np.argwhere(~whole)[0].tolist()
            raise ValueError(f"{what}s must hold row numbers (integers), got {array[t, place]} ({what} number {t})")
    elif array.dtype.kind not in "iu":
        raise ValueError(f"{what}s must hold row numbers (integers), got {_kind(array)}")
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


def _kind(array: NDArray[Any]) -> str:
    """Say what an array that holds no row numbers holds instead."""
    first = array.ravel()[0]
    return f"dtype {array.dtype}, as {first.item() if isinstance(first, np.generic) else first!r}"


def same_question(points: Sequence[int]) -> tuple[tuple[int, ...], bool]:
    """Return the one form of a question that may be written in two, and whether yes and no are exchanged in it.

    Examples
    --------
    >>> same_question((4, 7, 2)), same_question((7, 4))
    (((4, 2, 7), True), ((4, 7), False))
    """
    if len(points) == 2:
        return tuple(sorted(points)), False
    i, j, k = points
    return ((i, j, k), False) if j < k else ((i, k, j), True)


def check_not_answers(y: Any) -> None:
    """Refuse questions in the place of the classes y, which clusterings ignore.

    Examples
    --------
    >>> check_not_answers([0, 1, 1])
    >>> check_not_answers([(0, 1, 2)])
    Traceback (most recent call last):
    TypeError: answers are passed by name, as fit(X, triplets=..., answers=...), got triplets in the place of y
    """
    try:
        in_threes = np.shape(y)[1:] == (3,)
    except ValueError:  # rows of different lengths
        in_threes = False
    if isinstance(y, Triplets) or in_threes:
        raise TypeError(
            "answers are passed by name, as fit(X, triplets=..., answers=...), got triplets in the place of y"
        )


def check_rows_are_whole() -> None:
    """Refuse answers inside what scikit-learn fits to some of the rows, which renumbers the rows that answers name.

    A choice that leaves all rows in their order is allowed. The callers are searched for it, because arrays of row
    numbers do not tell which rows they were numbers of.
    """
    frame = currentframe()
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith("sklearn."):
            # Folds are called train, and the samples of bagging indices.
            chosen, X = frame.f_locals.get("train", frame.f_locals.get("indices")), frame.f_locals.get("X")
            if chosen is not None and X is not None and not np.array_equal(chosen, np.arange(np.shape(X)[0])):
                raise ValueError(
                    "answers name rows of the whole X, and GridSearchCV, cross_val_score, bagging and the like fit to "
                    "some of its rows: choose parameters with DCRCCV(...).fit(X, triplets=...), which hides answers "
                    "instead"
                )
        frame = frame.f_back


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
        if n_samples is not None and questions is not None and len(questions):
            check_rows_are_whole()
        if not isinstance(questions, cls):
            return cls._of_arrays(questions, answers, n_samples)
        if answers is not None:
            other = f"{'' if cls._width == 3 else cls._what + '_'}answers"
            raise ValueError(
                f"{cls._what}s bring their own answers here: pass either {cls.__name__} or {other}, got both"
            )
        if n_samples is not None and questions.indices.max(initial=-1) >= n_samples:
            _as_questions(questions.indices, cls._what, cls._width, n_samples)  # says what is wrong
        return questions

    @classmethod
    def _of_arrays(cls, questions: Any, answers: AnswerLike | None, n_samples: int | None) -> Self:
        return cls(questions, answers, n_samples=n_samples)

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
    indices : array-like of shape (M, 3), optional
        Rows (i, j, k): the question "is x_i more similar to x_j than to x_k?". An instance may stand in many
        triplets, but only once in each; repeated and contradictory triplets are legal.
    answers : array-like of shape (M,), optional
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

    @classmethod
    def _of_arrays(cls, questions: Any, answers: AnswerLike | None, n_samples: int | None) -> Self:
        """Take rows without answers as ordered ones: j is nearer to i than k is, as cblearn writes them."""
        if answers is None and questions is not None:
            return cls.from_cblearn(questions, n_samples=n_samples)
        return super()._of_arrays(questions, answers, n_samples)

    @classmethod
    def from_cblearn(
        cls, triplets: ArrayLike, responses: ArrayLike | None = None, *, n_samples: int | None = None
    ) -> Self:
        """Take triplets as cblearn writes them.

        Parameters
        ----------
        triplets : array-like of shape (M, 3)
            Rows (i, j, k). Without responses ("list-order") j is nearer to i than k is: every answer is yes.
        responses : array-like of shape (M,), optional
            True or 1 where j is nearer ("list-boolean", "list-count"), False or -1 where k is.
        n_samples : int, optional
            Number of rows of X; when given, indices are checked against it.

        Examples
        --------
        >>> Triplets.from_cblearn([(0, 1, 2), (3, 1, 0)])
        Triplets(2 answers: 2 yes, 0 no, 0 dnk)
        >>> Triplets.from_cblearn([(0, 1, 2), (3, 1, 0)], [True, False])[1]
        ((3, 1, 0), <Answer.NO: -1>)
        """
        checked = _as_questions(triplets, cls._what, cls._width, n_samples)
        answers: Any = np.full(len(checked), Answer.YES) if responses is None else responses
        if np.result_type(np.asarray(answers)) == np.bool_:
            answers = np.where(answers, Answer.YES, Answer.NO)
        return cls(checked, answers)

    def to_cblearn(self) -> IntArray:
        """Return the yes / no answers as ordered triplets, shape (M', 3): the second is nearer to the first.

        cblearn has no don't know: such answers are left out.

        Examples
        --------
        >>> Triplets([(0, 1, 2), (0, 1, 2), (3, 1, 0)], ["no", "dnk", "yes"]).to_cblearn()
        array([[0, 2, 1],
               [3, 1, 0]])
        """
        decided = self.without_dnk()
        no = decided.answers == Answer.NO
        ordered = decided.indices.copy()
        ordered[no] = ordered[no][:, [0, 2, 1]]
        return ordered


class Pairs(_Answered[tuple[int, int]]):
    """Validated pairs with their answers.

    Parameters
    ----------
    indices : array-like of shape (M, 2), optional
        Rows (i, j): the question "do x_i and x_j belong together?".
    answers : array-like of shape (M,), optional
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
