"""The log: every answer about three points or two, in the order in which it was given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.constraints.answers import Answer, AnswerLike, as_answers
from dcrc_explore.constraints.implied import implied_answers
from dcrc_explore.constraints.triplets import Pairs, Triplets, as_questions
from dcrc_explore.values import line
from dcrc_explore.words import count

# More would take minutes to fit and to load.
MOST_ANSWERS = 100_000
LONGEST_NAME = 40  # of a person or a cluster: a longer one would not fit beside a picture
NAME = line(LONGEST_NAME)
LONGEST_SECONDS = 1e9  # of an answer: what is longer was not measured
NO_THIRD = -1  # stands for the third point of a question about two


def now(seconds: float = 0.0) -> str:
    """Time in ISO 8601, UTC, to the millisecond: the present one, or one some seconds from now."""
    return (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")


@dataclass(frozen=True)
class Entry:
    """One answer.

    Examples
    --------
    >>> entry = Log().plus([(0, 1, 2)], ["no"], by="Ann")[0]
    >>> entry.points, entry.answer, entry.by, entry.is_pair
    ((0, 1, 2), <Answer.NO: -1>, 'Ann', False)
    """

    # Three points (i, j, k), "is x_i more similar to x_j than to x_k?", or two, "do x_i and x_j belong together?"
    points: tuple[int, ...]
    answer: Answer
    time: str  # ISO 8601, UTC
    by: str = "user"  # who gave it
    seconds: float | None = None  # how long the person took
    surprise: float | None = None  # surprise of the model before this answer, in bits
    planted: bool = False  # whether it was changed to a wrong one on purpose

    @property
    def is_pair(self) -> bool:
        """Whether it is about two points."""
        return len(self.points) == 2


class Log(Sequence[Entry]):
    """Every answer, oldest first, each an :class:`Entry`.

    It never changes: `plus`, `revised` and `without` return new logs. A log usually shares its rows with those that
    extend it, so a thousand steps of undo need no more memory than the last one.

    Examples
    --------
    >>> log = Log().plus([(0, 1, 2), (3, 4)], ["yes", "no"], by="Ann").plus([(3, 0, 1)], "dnk", by="Bob")
    >>> log
    Log(3 answers, 1 of them about two points)
    >>> log[1].points, log[1].answer, log.by
    ((3, 4), <Answer.NO: -1>, ['Ann', 'Ann', 'Bob'])
    >>> log.triplets, log.triplet_positions
    (Triplets(2 answers: 1 yes, 0 no, 1 dnk), array([0, 2]))
    """

    def __init__(self, columns: _Columns | None = None, n: int = 0) -> None:
        self._columns, self._n = columns or _Columns(), n

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Log:
        """Return a log of these entries.

        Examples
        --------
        >>> log = Log().plus([(0, 1, 2), (3, 4)], ["yes", "no"], by=["Ann", "Bob"], seconds=[1.5, np.nan])
        >>> Log.of(log) == log
        True
        """
        rows = list(entries)
        names = ("time", "by", "seconds", "surprise", "planted")
        columns: dict[str, Any] = {name: [getattr(entry, name) for entry in rows] for name in names}
        for name in ("seconds", "surprise"):
            columns[name] = np.array(columns[name], dtype=float)  # None becomes nan
        return cls().plus([entry.points for entry in rows], [entry.answer for entry in rows], **columns)

    # Columns ---------------------------------------------------------------------------------------------------------

    @property
    def points(self) -> IntArray:
        """The questions, shape (M, 3); -1 is the third point of a question about two."""
        return self._column("points")

    @property
    def answers(self) -> NDArray[np.int8]:
        """The answers as 1, -1 and 0, shape (M,)."""
        return self._column("answers")

    @property
    def seconds(self) -> FloatArray:
        """Seconds that each took, nan where unknown, shape (M,)."""
        return self._column("seconds")

    @property
    def surprise(self) -> FloatArray:
        """Bits of surprise beforehand, nan where unknown, shape (M,)."""
        return self._column("surprise")

    @property
    def planted(self) -> NDArray[np.bool_]:
        """Whether each was changed to a wrong one on purpose, shape (M,)."""
        return self._column("planted")

    @property
    def times(self) -> list[str]:
        """When each was given, in ISO 8601, UTC."""
        return self._column("times").tolist()

    @property
    def by(self) -> list[str]:
        """Who gave each."""
        return self._column("by").tolist()

    @cached_property
    def names(self) -> list[str]:
        """Everybody who gave an answer, by first appearance."""
        return list(dict.fromkeys(self.by))

    @cached_property
    def givers(self) -> IntArray:
        """Position in `names` of the person who gave each answer, shape (M,)."""
        number = {name: place for place, name in enumerate(self.names)}
        return np.array([number[name] for name in self.by], dtype=np.int64)

    @property
    def is_pair(self) -> NDArray[np.bool_]:
        """Whether each is about two points, shape (M,)."""
        return self.points[:, 2] == NO_THIRD

    def _column(self, name: str) -> NDArray[Any]:
        view = self._columns[name][: self._n].view()
        view.flags.writeable = False
        return view

    # As the estimator takes them -------------------------------------------------------------------------------------

    @cached_property
    def triplets(self) -> Triplets:
        """The answers about three points."""
        if len(self.triplet_positions) == self._n:
            return Triplets.trusted(self.points, self.answers)
        return Triplets.trusted(self.points[self.triplet_positions], self.answers[self.triplet_positions])

    @cached_property
    def pairs(self) -> Pairs:
        """The answers about two points."""
        return Pairs.trusted(self.points[self.pair_positions, :2], self.answers[self.pair_positions])

    @cached_property
    def triplet_positions(self) -> IntArray:
        """Which entries are about three points: number t of `triplets` is entry ``triplet_positions[t]``."""
        return np.flatnonzero(~self.is_pair)

    @cached_property
    def pair_positions(self) -> IntArray:
        """Which entries are about two points."""
        return np.flatnonzero(self.is_pair)

    @property
    def annotators(self) -> tuple[str, ...]:
        """Who gave each, triplets first, as :meth:`DCRC.fit` takes it."""
        by = self.by
        return tuple(by[t] for t in (*self.triplet_positions, *self.pair_positions))

    def implied(self, labels: ArrayLike) -> NDArray[np.int8]:
        """Return the answers that a clustering implies, Eq. (1) and (2), shape (M,)."""
        labels = np.asarray(labels)
        first, second = labels[self.pairs.indices].T
        together = np.where(first == second, Answer.YES, Answer.NO).astype(np.int8)
        return self.in_order(implied_answers(labels, self.triplets), together)

    def violated(self, labels: ArrayLike) -> NDArray[np.bool_]:
        """Return which answers a clustering contradicts, shape (M,); don't know about two points never is.

        Examples
        --------
        >>> log = Log().plus([(0, 1, 2), (0, 1), (0, 2), (0, 1)], ["yes", "no", "dnk", "yes"])
        >>> log.violated([0, 0, 1])
        array([False,  True, False, False])
        """
        return (self.implied(labels) != self.answers) & ~(self.is_pair & (self.answers == Answer.DNK))

    def in_order(self, of_triplets: ArrayLike, of_pairs: ArrayLike) -> NDArray[Any]:
        """Merge values of the triplets and of the pairs into the order of the log.

        Examples
        --------
        >>> log = Log().plus([(0, 1), (0, 1, 2), (1, 2)], ["yes", "no", "yes"])
        >>> log.in_order([0.5], [0.1, 0.2])
        array([0.1, 0.5, 0.2])
        """
        of_triplets, of_pairs = np.asarray(of_triplets), np.asarray(of_pairs)
        values = np.empty(self._n, dtype=np.result_type(of_triplets, of_pairs) if len(of_pairs) else of_triplets.dtype)
        values[self.triplet_positions], values[self.pair_positions] = of_triplets, of_pairs
        return values

    # A sequence of entries -------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return self._n

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Entry, ...]: ...
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self[t] for t in range(*index.indices(self._n)))
        row = index + self._n if index < 0 else index
        if not 0 <= row < self._n:
            raise IndexError(f"there are {self._n} answers, got index {index}")
        points, answer, time, by, *numbers, planted = (self._columns[name][row] for name in _NO_ROWS)
        seconds, surprise = (None if np.isnan(each) else float(each) for each in numbers)
        question = tuple(i for i in points.tolist() if i != NO_THIRD)
        return Entry(question, Answer(int(answer)), time, by, seconds, surprise, bool(planted))

    def __iter__(self) -> Iterator[Entry]:
        return (self[t] for t in range(self._n))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Log):
            return self is other or len(self) == len(other) == self.shared(other)
        if isinstance(other, Sequence):
            return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        n_pairs = len(self.pair_positions)
        return f"Log({count(self._n, 'answer')}{f', {n_pairs} of them about two points' if n_pairs else ''})"

    def shared(self, other: Log) -> int:
        """Return how many entries at the beginning are the same in another log."""
        n, same = min(self._n, other._n), np.True_
        if self._columns is other._columns:
            return n
        for name in _NO_ROWS:
            mine, theirs = self._columns[name][:n], other._columns[name][:n]
            equal = mine == theirs
            if mine.dtype.kind == "f":
                equal |= np.isnan(mine) & np.isnan(theirs)
            same = same & (equal.all(axis=1) if equal.ndim == 2 else equal)
        return n if same.all() else int(same.argmin())

    # Others that follow from it --------------------------------------------------------------------------------------

    def plus(
        self,
        points: ArrayLike | Sequence[Sequence[int]],
        answers: AnswerLike,
        *,
        n_samples: int | None = None,
        **columns: Any,
    ) -> Log:
        """Return a log with new answers at the end, about three points or two; a single value holds for all of them.

        The columns are those of :meth:`plus_checked`.
        """
        return self.plus_checked(*checked_answers(points, answers, n_samples), **columns)

    def plus_checked(
        self,
        points: IntArray,
        answers: NDArray[np.int8],
        *,
        time: str | Sequence[str] | None = None,
        by: str | Sequence[str] = "user",
        seconds: ArrayLike | None = None,
        surprise: ArrayLike | None = None,
        planted: ArrayLike = False,
    ) -> Log:
        """Do as :meth:`plus` with what :func:`checked_answers` returned.

        The columns are those of :class:`Entry`, nan for an unknown number; `time` is now by default.
        """
        M = len(points)
        if self._n + M > MOST_ANSWERS:
            raise ValueError(f"a session may have at most {MOST_ANSWERS} answers, got {self._n + M}")
        names = [by] * M if isinstance(by, str) else list(by) if isinstance(by, Sequence) else []
        if len(names) != M:
            raise ValueError(f"by must be one name for all of {M} answers or one for each, got {by!r}")
        for name in set(names):
            NAME.checked(name, "a name")
        if seconds is not None and not np.all(np.isnan(taken := np.asarray(seconds, dtype=float)) | (taken >= 0)):
            raise ValueError(f"seconds must be numbers of at least 0, or nan, got {np.nanmin(taken)}")
        columns = self._columns
        if columns.n != self._n:  # others were given after these, and taken back
            columns = columns.taken(range(self._n))
        times = [time or now()] * M if time is None or isinstance(time, str) else list(time)
        if len([datetime.fromisoformat(each) for each in times]) != M:
            raise ValueError(f"time must be one for all of {M} answers or one for each, got {len(times)}")
        took = np.nan if seconds is None else np.minimum(taken, LONGEST_SECONDS)
        bits = np.nan if surprise is None else surprise
        columns.append(M, points, answers, times, names, took, bits, planted)
        return Log(columns, columns.n)

    def revised(self, changes: Mapping[int, AnswerLike], *, by: str | None) -> Log:
        """Return a log with some answers changed; without `by` these count as planted errors."""
        checked = {self.row(index): as_answers(answer)[0] for index, answer in changes.items()}
        columns = self._columns.taken(range(self._n))
        for row, answer in checked.items():
            new = {"answers": answer, "surprise": np.nan, "seconds": np.nan, "times": now(), "planted": by is None}
            for name, value in (new if by is None else {**new, "by": by}).items():
                columns[name][row] = value
        return Log(columns, self._n)

    def without(self, index: int) -> Log:
        """Return a log without one of the answers."""
        row = self.row(index)
        return self.only([t for t in range(self._n) if t != row])

    def only(self, rows: Sequence[int]) -> Log:
        """Return a log of the answers with these numbers, in this order.

        Examples
        --------
        >>> Log().plus([(0, 1, 2), (3, 4)], ["yes", "no"], by=["Ann", "Bob"]).only([1]).by
        ['Bob']
        """
        columns = self._columns.taken([self.row(t) for t in rows])
        return Log(columns, columns.n)

    def renumbered(self, rows: IntArray) -> Log:
        """Return the answers about points that stay, where point i becomes ``rows[i]``, and -1 is one that goes.

        Examples
        --------
        >>> log = Log().plus([(0, 1, 2), (1, 2)], ["yes", "no"])
        >>> [entry.points for entry in log.renumbered(np.array([-1, 0, 1]))]
        [(0, 1)]
        """
        points = np.append(rows, NO_THIRD)[self.points]  # a point that is not there stays none
        kept = np.flatnonzero(((points != NO_THIRD) | (self.points == NO_THIRD)).all(axis=1))
        log = self.only(kept.tolist())
        log._columns["points"][: len(kept)] = points[kept]
        return log

    def opposite(self, index: int) -> Answer:
        """Return no for yes and yes for no."""
        answer = self[self.row(index)].answer
        if answer is Answer.DNK:
            raise ValueError("don't know has no opposite: say which answer it should become")
        return answer.mirrored

    def row(self, index: int) -> int:
        """Return the number of an entry; ValueError when there is none."""
        if not 0 <= index < self._n:
            raise ValueError(f"there are {self._n} answers, numbered from 0, got index {index}")
        return index


def checked_answers(
    points: ArrayLike | Sequence[Sequence[int]], answers: AnswerLike, n_samples: int | None = None
) -> tuple[IntArray, NDArray[np.int8]]:
    """Check questions and as many answers, and return both as arrays: see :func:`as_questions`.

    Examples
    --------
    >>> checked_answers([(0, 1, 2), (3, 4)], ["yes", "no"])
    (array([[ 0,  1,  2],
           [ 3,  4, -1]]), array([ 1, -1], dtype=int8))
    """
    checked, values = as_questions(points, n_samples), as_answers(answers)
    if len(values) != len(checked):
        raise ValueError(f"each question needs one answer, got {len(checked)} questions and {len(values)} answers")
    return checked, values


def as_log(answered: Log | Triplets | None) -> Log:
    """Return a log: the given one, or a log of the given triplets.

    Examples
    --------
    >>> as_log(Triplets([(0, 1, 2)], ["yes"]))
    Log(1 answer)
    """
    if isinstance(answered, Log):
        return answered
    return Log() if answered is None else Log().plus_checked(answered.indices, answered.answers)


# The columns, in the order of the fields of an entry.
_NO_ROWS: dict[str, NDArray[Any]] = {
    "points": np.empty((0, 3), dtype=np.int64),
    "answers": np.empty(0, dtype=np.int8),
    "times": np.empty(0, dtype=object),
    "by": np.empty(0, dtype=object),
    "seconds": np.empty(0),
    "surprise": np.empty(0),
    "planted": np.empty(0, dtype=bool),
}


class _Columns(dict[str, NDArray[Any]]):
    """Rows are only ever added behind those that a log already shows."""

    def __init__(self, columns: Mapping[str, NDArray[Any]] = _NO_ROWS, n: int = 0) -> None:
        super().__init__(columns)
        self.n = n

    def append(self, n_new: int, *values: Any) -> None:
        n = self.n + n_new
        if n > len(self["answers"]):
            for name, old in self.items():
                self[name] = np.zeros((max(64, 2 * n), *old.shape[1:]), dtype=old.dtype)
                self[name][: self.n] = old[: self.n]
        for column, new in zip(self.values(), values, strict=True):
            column[self.n : n] = new
        self.n = n

    def taken(self, rows: Sequence[int]) -> _Columns:
        """Return a copy of some rows."""
        return _Columns({name: column[np.array(rows, dtype=np.int64)] for name, column in self.items()}, len(rows))
