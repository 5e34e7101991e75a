"""The answers of a session, as columns that grow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from math import inf, log2
from operator import eq
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.constraints import Answer, AnswerLike, Pairs, Triplets, as_answers
from dcrc_explore.session.settings import SessionError

Triplet = tuple[int, int, int]
Questions = TypeVar("Questions", Triplets, Pairs)
Given = TypeVar("Given", "GivenAnswer", "GivenPair")
# More would take minutes to fit and to load.
MOST_ANSWERS = 100_000
LONGEST_NAME = 40  # of a person or a cluster: a longer one would not fit beside a picture


def now() -> str:
    """Time in ISO 8601, UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True)
class GivenAnswer:
    """One answer: the question, what was said, when (ISO 8601, UTC), by whom, and its surprise in bits beforehand.

    One that is `planted` was changed to a wrong one on purpose.
    """

    triplet: Triplet
    answer: Answer
    time: str
    by: str = "user"
    surprise: float | None = None
    planted: bool = False


@dataclass(frozen=True)
class GivenPair:
    """One answer to "do the two belong together?", with what a :class:`GivenAnswer` has."""

    pair: tuple[int, int]
    answer: Answer
    time: str
    by: str = "user"
    surprise: float | None = None
    planted: bool = False


class Expectation(NamedTuple):
    """What the model expects as the answer to a question, and what the answer is worth in bits.

    Examples
    --------
    >>> Expectation(yes=0.25, no=0.5, dnk=0.25, bits=0.9).surprise("yes")
    2.0
    """

    yes: float
    no: float
    dnk: float
    bits: float

    def surprise(self, answer: AnswerLike) -> float:
        """Bits of surprise, -log2 P(answer); infinite for what a hard model holds impossible."""
        probability = getattr(self, Answer(answer).name.lower())
        return -log2(probability) if probability > 0 else inf


class _AnswerList(Sequence[Given], Generic[Given, Questions]):
    """Every answer, oldest first.

    It never changes; `plus`, `revised` and `without` return others. As a rule those that grow out of each other are
    the first rows of the same columns, so that a thousand steps of undo cost no more than the last of them.
    """

    _kind: ClassVar[type[Any]]
    _record: ClassVar[type[Any]]
    _width: ClassVar[int]

    def __init__(self, columns: _Columns | None = None, n: int = 0) -> None:
        self._columns, self._n = columns or _Columns(self._width), n

    # Reading ---------------------------------------------------------------------------------------------------------

    @cached_property
    def said(self) -> Questions:
        """Questions and answers as the estimator takes them."""
        return self._kind.trusted(self._columns.indices[: self._n], self._columns.answers[: self._n])

    @property
    def surprise(self) -> NDArray[np.float64]:
        """Bits of surprise beforehand, nan where unknown, shape (M,)."""
        return self._columns.surprise[: self._n]

    @property
    def times(self) -> list[str]:
        """When each was given, in ISO 8601, UTC."""
        return self._columns.times[: self._n]

    @property
    def givers(self) -> list[str]:
        """Who gave each."""
        return self._columns.givers[: self._n]

    @property
    def planted(self) -> NDArray[np.bool_]:
        """Whether each was changed to a wrong one on purpose, shape (M,)."""
        return self._columns.planted[: self._n]

    def __len__(self) -> int:
        return self._n

    @overload
    def __getitem__(self, index: int) -> Given: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Given, ...]: ...
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self[t] for t in range(*index.indices(self._n)))
        row = index + self._n if index < 0 else index
        if not 0 <= row < self._n:
            raise IndexError(f"there are {self._n} answers, got index {index}")
        columns = self._columns
        surprise = float(columns.surprise[row])
        answer = Answer(int(columns.answers[row]))
        known = None if np.isnan(surprise) else surprise
        question, who = tuple(columns.indices[row].tolist()), columns.givers[row]
        return self._record(question, answer, columns.times[row], who, known, bool(columns.planted[row]))

    def __iter__(self) -> Iterator[Given]:
        return (self[t] for t in range(self._n))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, Sequence):
            return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.said!r})"

    def shared(self, other: Self) -> int:
        """Return how many of the first answers are the first ones of the other too."""
        n, mine, theirs = min(self._n, other._n), self._columns, other._columns
        if mine is theirs:
            return n
        same = (mine.indices[:n] == theirs.indices[:n]).all(axis=1)
        for name in ("answers", "planted"):
            same &= getattr(mine, name)[:n] == getattr(theirs, name)[:n]
        same &= np.isclose(mine.surprise[:n], theirs.surprise[:n], rtol=0, atol=0, equal_nan=True)
        for name in ("times", "givers"):
            same &= np.fromiter(map(eq, getattr(mine, name)[:n], getattr(theirs, name)[:n]), bool, n)
        return n if same.all() else int(same.argmin())

    # Others that follow from it --------------------------------------------------------------------------------------

    def plus(
        self,
        new: Questions,
        *,
        time: str | Sequence[str],
        by: str | Sequence[str],
        surprise: Sequence[float] | NDArray[np.float64] | None = None,
        planted: Sequence[bool] | None = None,
    ) -> Self:
        """Return these and the new ones after them; `time` and `by` are of all of them or of each."""
        if self._n + len(new) > MOST_ANSWERS:
            raise SessionError(f"a session may have at most {MOST_ANSWERS} answers, got {self._n + len(new)}")
        columns = self._columns
        if columns.n != self._n:  # others were given after these, and taken back
            columns = columns.first(self._n)
        M = len(new)
        names = [by] * M if isinstance(by, str) else list(by) if isinstance(by, Sequence) else []
        if len(names) != M or not all(isinstance(name, str) and name.strip() for name in names):
            raise SessionError(f"by must be one name for all of {M} answers or one for each, got {by!r}")
        for name in names:  # so that it can be shown, written and read again
            if len(name) > LONGEST_NAME or not name.isprintable():
                raise SessionError(f"a name must be a line of at most {LONGEST_NAME} characters, got {name[:60]!r}")
        columns.append(
            new,
            [time] * M if isinstance(time, str) else time,
            names,
            np.full(M, np.nan) if surprise is None else surprise,
            np.zeros(M, dtype=bool) if planted is None else planted,
        )
        return type(self)(columns, columns.n)

    def revised(self, changes: Mapping[int, AnswerLike], *, time: str, by: str | None) -> Self:
        """Return the same questions with some other answers; without `by` they are errors, planted in what was said."""
        values = {self._row(index): answer for index, answer in changes.items()}
        try:
            checked = {row: as_answers(answer)[0] for row, answer in values.items()}
        except ValueError as error:
            raise SessionError(str(error)) from error
        columns = self._columns.first(self._n)
        for row, answer in checked.items():
            columns.answers[row], columns.surprise[row] = answer, np.nan
            columns.times[row], columns.planted[row] = time, by is None
            columns.givers[row] = columns.givers[row] if by is None else by
        return type(self)(columns, self._n)

    def without(self, index: int) -> Self:
        """Return all but one."""
        row = self._row(index)
        columns = self._columns.first(self._n)
        columns.remove(row)
        return type(self)(columns, columns.n)

    def opposite(self, index: int) -> Answer:
        """Return no for yes and yes for no."""
        answer = self[self._row(index)].answer
        if answer is Answer.DNK:
            raise SessionError("don't know has no opposite: say which answer it should become")
        return answer.mirrored

    def _row(self, index: int) -> int:
        if not 0 <= index < self._n:
            raise SessionError(f"there are {self._n} answers, numbered from 0, got index {index}")
        return index


class Answers(_AnswerList[GivenAnswer, Triplets]):
    """Every answer about three points, oldest first, each a :class:`GivenAnswer`; it never changes.

    Examples
    --------
    >>> one = Answers().plus(Triplets([(0, 1, 2)], ["yes"]), time="2030-01-01T12:00:00.000+00:00", by="user")
    >>> two = one.plus(Triplets([(3, 0, 1)], ["dnk"]), time="2030-01-01T12:00:01.000+00:00", by="user")
    >>> len(one), len(two), two[-1].answer, two.shared(one)
    (1, 2, <Answer.DNK: 0>, 1)
    """

    _kind, _record, _width = Triplets, GivenAnswer, 3

    @property
    def triplets(self) -> Triplets:
        """Questions and answers as the estimator takes them."""
        return self.said


class PairAnswers(_AnswerList[GivenPair, Pairs]):
    """Every answer about two points, oldest first, each a :class:`GivenPair`; it never changes.

    Examples
    --------
    >>> one = PairAnswers().plus(Pairs([(0, 1)], ["no"]), time="2030-01-01T12:00:00.000+00:00", by="Ann")
    >>> one[0].pair, one[0].by, one.pairs
    ((0, 1), 'Ann', Pairs(1 answer: 0 yes, 1 no, 0 dnk))
    """

    _kind, _record, _width = Pairs, GivenPair, 2

    @property
    def pairs(self) -> Pairs:
        """Questions and answers as the estimator takes them."""
        return self.said


class _Columns:
    """Rows are only ever added behind those that somebody has seen."""

    def __init__(self, width: int) -> None:
        self.n = 0
        self.indices = np.empty((0, width), dtype=np.int64)
        self.answers = np.empty(0, dtype=np.int8)
        self.surprise = np.empty(0)
        self.planted = np.empty(0, dtype=bool)
        self.times: list[str] = []
        self.givers: list[str] = []

    def append(
        self,
        new: Triplets | Pairs,
        times: Sequence[str],
        givers: Sequence[str],
        surprise: Sequence[float] | NDArray[np.float64],
        planted: Sequence[bool] | NDArray[np.bool_],
    ) -> None:
        n = self.n + len(new)
        if n > len(self.answers):
            self._resize(max(64, 2 * n))
        self.indices[self.n : n], self.answers[self.n : n] = new.indices, new.answers
        self.surprise[self.n : n], self.planted[self.n : n] = surprise, planted
        self.times += times
        self.givers += givers
        self.n = n

    def first(self, n: int) -> _Columns:
        """Return a copy of the first rows."""
        columns = _Columns(self.indices.shape[1])
        columns.indices, columns.answers = self.indices[:n].copy(), self.answers[:n].copy()
        columns.surprise, columns.planted = self.surprise[:n].copy(), self.planted[:n].copy()
        columns.times, columns.givers, columns.n = self.times[:n], self.givers[:n], n
        return columns

    def remove(self, row: int) -> None:
        self.indices, self.answers = np.delete(self.indices, row, axis=0), np.delete(self.answers, row)
        self.surprise, self.planted = np.delete(self.surprise, row), np.delete(self.planted, row)
        del self.times[row], self.givers[row]
        self.n -= 1

    def _resize(self, size: int) -> None:
        for name in ("indices", "answers", "surprise", "planted"):
            old = getattr(self, name)
            new = np.zeros((size, *old.shape[1:]), dtype=old.dtype)
            new[: self.n] = old[: self.n]
            setattr(self, name, new)
