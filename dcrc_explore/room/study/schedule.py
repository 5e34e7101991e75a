"""Which participant sees which questions, in which order, and on which side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.constraints import Answer, implied_answers
from dcrc_explore.datasets import Dataset
from dcrc_explore.room.steps import End, Form, Page, Question, Step
from dcrc_explore.room.study.plan import Plan

_TOGETHER = {True: "belong together", False: "do not belong together"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in its place: what it is for ("practice", "main", "repeat" or "control") and in which block."""

    step: Step
    role: str = ""
    block: int = -1


def schedule(plan: Plan, data: Dataset, slot: int) -> list[Asked]:
    """Return all steps of a participant between consent and end.

    Everything follows from the plan's seed and the slot, the place of the participant among those who agreed. Two
    neighbouring slots see the blocks in the other order, and B and C (or the two of a pair) on the other side.

    Parameters
    ----------
    plan : Plan
    data : Dataset
    slot : int
        0 for the first participant.

    Examples
    --------
    >>> from dcrc_explore.room.study.plan import TEMPLATE, read_plan
    >>> plan = read_plan(TEMPLATE)
    >>> steps = schedule(plan, plan.load_data(), 0)
    >>> [sum(asked.role == role for asked in steps) for role in ("practice", "main", "repeat", "control")]
    [10, 375, 20, 10]
    """
    steps = list(_practice(plan, data, slot))
    n_blocks = len(plan.blocks)
    turn = slot % n_blocks if plan.order == "balanced" else 0
    for n in range(n_blocks):
        block = (turn + n) % n_blocks
        steps += _block(plan, data, slot, block)
    if plan.items:
        steps.append(Asked(Form("", "Some last questions", plan.items)))
    return [_numbered(plan, asked, place, len(steps), steps) for place, asked in enumerate(steps)]


def _numbered(plan: Plan, asked: Asked, place: int, total: int, steps: Sequence[Asked]) -> Asked:
    """Give a step its id and its share of the whole; a question can be left for the question before it."""
    step = asked.step
    progress = round(place / total, 4)
    if isinstance(step, Question):
        before = steps[place - 1] if place else asked
        back = plan.back and asked.role != "practice" and before.role not in ("", "practice")
        step = replace(step, id=str(place), progress=progress, back=back)
    elif not isinstance(step, End):
        step = replace(step, id=str(place), progress=progress)
    return Asked(step, asked.role, asked.block)


def _practice(plan: Plan, data: Dataset, slot: int) -> Iterator[Asked]:
    practice = plan.practice
    if practice is None or data.y is None:
        return
    rng = np.random.default_rng([plan.seed, 1])
    questions = [
        _with_answer(data.y, width, answer, rng)
        for width, count in ((3, practice.triplets), (2, practice.pairs))
        for answer in _kinds(width, count)
    ]
    if practice.text:
        yield Asked(Page("", "Practice", practice.text, "Start"))
    for n, rows in enumerate(questions):
        right = implied(data.y, rows)
        words = _why(data.y, rows)
        feedback = {answer.name.lower(): words for answer in Answer}
        label = f"Practice {n + 1} of {len(questions)}"
        step = Question("", rows, label, len(rows) == 3, feedback, right.name.lower())
        yield Asked(step, "practice")


def _kinds(width: int, count: int) -> list[Answer]:
    """Return the true answers of practice questions: each kind as often, up to one."""
    cycle = [Answer.YES, Answer.NO, Answer.DNK] if width == 3 else [Answer.YES, Answer.NO]
    return [cycle[n % len(cycle)] for n in range(count)]


def _why(y: NDArray[np.int64], rows: Sequence[int]) -> str:
    classes = [int(y[row]) for row in rows]
    if len(rows) == 2:
        return f"A and B {_TOGETHER[classes[0] == classes[1]]}."
    a, b, c = classes
    if a == b == c:
        return "The answer is don’t know: all three belong together."
    if a in (b, c):
        near, far = ("B", "C") if a == b else ("C", "B")
        return f"The answer is {'yes' if a == b else 'no'}: A and {near} belong together, {far} does not."
    if b == c:
        return "The answer is don’t know: B and C belong together, A does not."
    return "The answer is don’t know: all three are different."


def _block(plan: Plan, data: Dataset, slot: int, number: int) -> Iterator[Asked]:
    block = plan.blocks[number]
    own = [] if plan.questions == "same" else [slot]
    drawn = np.random.default_rng([plan.seed, 2, number, *own])
    shuffled = np.random.default_rng([plan.seed, 3, number, slot])
    main = draw(len(data.X), block.width, block.count, drawn)
    controls = [] if data.y is None else [_control(data, block.width, n, drawn) for n in range(block.controls)]
    # Sides by chance, and the other way round for the next participant.
    sides = drawn.random(len(main) + len(controls)) < 0.5
    order = shuffled.permutation(len(main))
    asked = [("main", _turned(main[t], bool(sides[t]) ^ bool(slot % 2))) for t in order]
    again = shuffled.permutation(len(asked) // 2)[: block.repeated]
    # A question of the first half comes again in the second half, on the other side.
    later = [("repeat", _turned(asked[t][1], True)) for t in again]
    late = [("control", _turned(rows, bool(sides[len(main) + n]) ^ bool(slot % 2))) for n, rows in enumerate(controls)]
    asked = _mixed(asked, later, len(asked) // 2 + len(asked) // 8, shuffled)
    asked = _mixed(asked, late, 1, shuffled)
    title = "Three items" if block.width == 3 else "Two items"
    if block.text:
        yield Asked(Page("", title, block.text, "Start"), block=number)
    for n, (role, rows) in enumerate(asked):
        if block.pause_every and n and n % block.pause_every == 0 and len(asked) - n > block.pause_every // 4:
            text = f"{n} of {len(asked)} questions of this part are done. Continue when you are ready."
            yield Asked(Page("", "Time for a break", text), block=number)
        label = f"Question {n + 1} of {len(asked)}"
        yield Asked(Question("", rows, label, block.dnk), role, number)


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
        rows = tuple(int(row) for row in rng.choice(n_rows, width, replace=False))
        drawn.setdefault(same_question(rows), rows)
    return list(drawn.values())


def same_question(rows: tuple[int, ...]) -> tuple[int, ...]:
    """Return a question as all that ask the same are written.

    Examples
    --------
    >>> same_question((5, 9, 2)), same_question((7, 3))
    ((5, 2, 9), (3, 7))
    """
    return (rows[0], *sorted(rows[1:])) if len(rows) == 3 else tuple(sorted(rows))


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


def _control(data: Dataset, width: int, n: int, rng: np.random.Generator) -> tuple[int, ...]:
    """Draw a question with a clear yes or no about typical items: those nearest to the mean of their class."""
    assert data.y is not None
    typical = np.concatenate([_nearest(data.X, np.flatnonzero(data.y == k)) for k in np.unique(data.y)])
    answer = Answer.YES if n % 2 == 0 else Answer.NO
    return tuple(int(typical[t]) for t in _with_answer(data.y[typical], width, answer, rng))


def _nearest(X: NDArray[np.float64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    distance = np.linalg.norm(X[rows] - X[rows].mean(axis=0), axis=1)
    return rows[np.argsort(distance, kind="stable")[: max(3, len(rows) // 4)]]
