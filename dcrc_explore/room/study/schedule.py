"""Which participant sees which questions, in which order, and on which side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.constraints import Answer, implied_answers, same_question
from dcrc_explore.datasets import Dataset
from dcrc_explore.room.steps import FormPage, QuestionPage, Step, TextPage
from dcrc_explore.room.study.plan import Plan
from dcrc_explore.room.wording import say


@dataclass(frozen=True, slots=True)
class ScheduledStep:
    """A step in its place: what a question is for ("practice", "main", "repeat" or "control") and in which block."""

    step: Step
    role: str = ""
    block: int = -1


class _Planned(NamedTuple):
    """What a step is made of; hundreds of participants have hundreds of steps each."""

    role: str = ""
    block: int = -1
    rows: tuple[int, ...] = ()
    label: str = ""
    dnk: bool = True
    page: TextPage | FormPage | None = None


class Schedule(Sequence[ScheduledStep]):
    """All steps of a participant between consent and end; each is made when it is looked at."""

    def __init__(self, plan: Plan, data: Dataset, entries: list[_Planned]) -> None:
        self._plan, self._data, self._entries = plan, data, entries

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[n] for n in range(*place.indices(len(self)))]
        entry, progress = self._entries[place], round(place / len(self), 4)
        if entry.page is not None:
            return ScheduledStep(replace(entry.page, id=str(place), progress=progress), block=entry.block)
        step = QuestionPage(str(place), entry.rows, entry.label, entry.dnk, back=self._back(place), progress=progress)
        if entry.role == "practice":
            assert self._data.y is not None
            words = _why(self._data.y, entry.rows)
            feedback = {answer.name.lower(): words for answer in Answer}
            step = replace(step, feedback=feedback, right=implied(self._data.y, entry.rows).name.lower())
        return ScheduledStep(step, entry.role, entry.block)

    def _back(self, place: int) -> bool:
        """Whether a question can be left for the question before it; practice is over when it is over."""
        roles = {entry.role for entry in self._entries[place - 1 : place + 1]} if place else {""}
        return self._plan.back and not roles & {"", "practice"}


_Drawn = list[tuple[tuple[int, ...], bool]]  # questions, and whether B and C change their sides


class Scheduler:
    """Makes the schedules of a study's participants.

    Everything follows from the plan's seed and the slot, the place of the participant among those who agreed. Two
    neighbouring slots see the blocks in the other order, and B and C (or the two of a pair) on the other side.
    """

    def __init__(self, plan: Plan, data: Dataset) -> None:
        self._plan, self._data = plan, data
        self._practice = list(_practice(plan, data))
        self._drawn: dict[int, _Drawn] = {}  # by block, where all see the same questions

    def schedule(self, slot: int) -> Schedule:
        """Return the steps of the participant in a slot, 0 for the first."""
        plan, n_blocks = self._plan, len(self._plan.blocks)
        turn = slot % n_blocks if plan.order == "balanced" else 0
        entries = list(self._practice)
        for n in range(n_blocks):
            entries += self._block(slot, (turn + n) % n_blocks)
        if plan.items:
            entries.append(_Planned(page=FormPage("", say("last_questions"), plan.items)))
        return Schedule(plan, self._data, entries)

    def _block(self, slot: int, number: int) -> Iterator[_Planned]:
        block = self._plan.blocks[number]
        rng = np.random.default_rng([self._plan.seed, 3, number, slot])
        # Sides by chance, and the other way round for the next participant.
        turned = [_turned(rows, side ^ bool(slot % 2)) for rows, side in self._questions(slot, number)]
        main = [("main", turned[t]) for t in rng.permutation(block.count)]
        # A question of the first half comes again in the second half, on the other side.
        again = [("repeat", _turned(main[t][1], True)) for t in rng.permutation(block.count // 2)[: block.repeated]]
        asked = _mixed(main, again, block.count // 2 + block.count // 8, rng)
        asked = _mixed(asked, [("control", rows) for rows in turned[block.count :]], 1, rng)
        title = say("three_items" if block.width == 3 else "two_items")
        if block.text:
            yield _Planned(block=number, page=TextPage("", title, block.text, say("start")))
        for n, (role, rows) in enumerate(asked):
            if block.pause_every and n and n % block.pause_every == 0 and len(asked) - n > block.pause_every // 4:
                text = say("break_text", n=n, total=len(asked))
                yield _Planned(block=number, page=TextPage("", say("break_title"), text))
            yield _Planned(role, number, rows, say("question_of", n=n + 1, total=len(asked)), block.dnk)

    def _questions(self, slot: int, number: int) -> _Drawn:
        """Draw the questions of a block, main ones first, then controls; once for all who see the same."""
        if self._plan.questions == "different":
            return self._draw(number, [slot])
        if number not in self._drawn:
            self._drawn[number] = self._draw(number, [])
        return self._drawn[number]

    def _draw(self, number: int, own: list[int]) -> _Drawn:
        block = self._plan.blocks[number]
        rng = np.random.default_rng([self._plan.seed, 2, number, *own])
        rows = draw(len(self._data.X), block.width, block.count, rng)
        rows += _controls(self._data, block.width, block.controls, rng)
        return list(zip(rows, (rng.random(len(rows)) < 0.5).tolist(), strict=True))


def schedule(plan: Plan, data: Dataset, slot: int) -> Schedule:
    """Return all steps of a participant between consent and end; see :class:`Scheduler`.

    Examples
    --------
    >>> from dcrc_explore.room.study.plan import TEMPLATE, read_plan
    >>> plan = read_plan(TEMPLATE)
    >>> steps = schedule(plan, plan.load_data(), 0)
    >>> [sum(asked.role == role for asked in steps) for role in ("practice", "main", "repeat", "control")]
    [10, 375, 20, 10]
    """
    return Scheduler(plan, data).schedule(slot)


def _practice(plan: Plan, data: Dataset) -> Iterator[_Planned]:
    practice = plan.practice
    if practice is None or data.y is None:
        return
    rng = np.random.default_rng([plan.seed, 1])
    questions = [
        _with_answer(data.y, width, answer, rng)
        # Each true answer as often, up to one.
        for width, count in ((3, practice.triplets), (2, practice.pairs))
        for answer in islice(cycle(list(Answer)[:width]), count)
    ]
    if practice.text:
        yield _Planned(page=TextPage("", say("practice"), practice.text, say("start")))
    for n, rows in enumerate(questions):
        yield _Planned("practice", -1, rows, say("practice_of", n=n + 1, total=len(questions)), len(rows) == 3)


def _why(y: NDArray[np.int64], rows: Sequence[int]) -> str:
    a, b, *rest = (int(y[row]) for row in rows)
    if not rest:
        return say("why_two_yes" if a == b else "why_two_no")
    (c,) = rest
    if a == b == c:
        return say("why_all")
    return say("why_yes" if a == b else "why_no" if a == c else "why_others" if b == c else "why_none")


def _mixed(
    asked: list[tuple[str, tuple[int, ...]]],
    more: list[tuple[str, tuple[int, ...]]],
    first: int,
    rng: np.random.Generator,
) -> list[tuple[str, tuple[int, ...]]]:
    """Put more questions at places by chance, none of them before `first`."""
    mixed = list(asked)
    for question in more:
        mixed.insert(int(rng.integers(min(first, len(mixed)), len(mixed) + 1)), question)
    return mixed


def _turned(rows: tuple[int, ...], turn: bool) -> tuple[int, ...]:
    """Exchange B and C of a triplet, or the two of a pair."""
    if not turn:
        return rows
    return (rows[0], rows[2], rows[1]) if len(rows) == 3 else (rows[1], rows[0])


def draw(n_rows: int, width: int, count: int, rng: np.random.Generator) -> list[tuple[int, ...]]:
    """Draw different questions at random, as the paper did.

    Examples
    --------
    >>> len(set(draw(10, 3, 50, np.random.default_rng(0))))
    50
    """
    if n_rows < width:
        raise ValueError(f"questions about {width} items need as many rows, got {n_rows}")
    different = n_rows * (n_rows - 1) // 2 * (n_rows - 2 if width == 3 else 1)
    if count > different:
        raise ValueError(f"there are only {different} different questions, got count = {count}")
    drawn: dict[tuple[int, ...], tuple[int, ...]] = {}
    while len(drawn) < count:
        for rows in map(tuple, rng.integers(n_rows, size=(count, width)).tolist()):
            if len(set(rows)) == width and len(drawn) < count:
                drawn.setdefault(same_question(rows)[0], rows)
    return list(drawn.values())


def implied(y: NDArray[np.int64], rows: tuple[int, ...]) -> Answer:
    """Return what the true classes answer, Eq. (1) for triplets and Eq. (2) for pairs.

    Examples
    --------
    >>> implied(np.array([0, 0, 1]), (0, 1, 2)), implied(np.array([0, 0, 1]), (0, 2))
    (<Answer.YES: 1>, <Answer.NO: -1>)
    """
    if len(rows) == 3:
        return Answer(int(implied_answers(y, [rows])[0]))
    return Answer.YES if y[rows[0]] == y[rows[1]] else Answer.NO


def _with_answer(y: NDArray[np.int64], width: int, answer: Answer, rng: np.random.Generator) -> tuple[int, ...]:
    """Draw a question with a true answer, when there is one within reach."""
    rows: tuple[int, ...] = ()
    for _ in range(1000):
        rows = tuple(int(row) for row in rng.choice(len(y), width, replace=False))
        if implied(y, rows) == answer:
            break
    return rows


def _controls(data: Dataset, width: int, count: int, rng: np.random.Generator) -> list[tuple[int, ...]]:
    """Draw questions with a clear yes or no about typical items: those nearest to the mean of their class."""
    if data.y is None or not count:
        return []
    typical = np.concatenate([_nearest(data.X, np.flatnonzero(data.y == k)) for k in np.unique(data.y)])
    answers = islice(cycle([Answer.YES, Answer.NO]), count)
    drawn = [_with_answer(data.y[typical], width, answer, rng) for answer in answers]
    return [tuple(int(typical[t]) for t in rows) for rows in drawn]


def _nearest(X: NDArray[np.float64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    distance = np.linalg.norm(X[rows] - X[rows].mean(axis=0), axis=1)
    return rows[np.argsort(distance, kind="stable")[: max(3, len(rows) // 4)]]
