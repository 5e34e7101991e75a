"""Who is asked what, when everybody has questions of their own."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.arrays import IntArray
from dcrc_explore.questions import random_triplets

SHARED_EVERY = 10  # every tenth question is one that another person had
Rows = tuple[int, int, int]


class HandedOut(NamedTuple):
    """A question handed out to a person: its id, its rows, and "own" or "shared"."""

    id: str
    rows: Rows
    way: str


class QuestionQueues:
    """Hands out questions: each person gets different ones, except every tenth, so that agreement can be measured.

    No person gets the same question twice. Questions come from a pool that is filled elsewhere; if it is empty, they
    are drawn at random.

    Examples
    --------
    >>> handing = QuestionQueues(20)
    >>> handing.fill([(0, 1, 2), (3, 4, 5)])
    >>> handing.queue(1, 1), handing.queue(2, 1)
    ([HandedOut(id='q1', rows=(0, 1, 2), way='own')], [HandedOut(id='q2', rows=(3, 4, 5), way='own')])
    """

    def __init__(self, n_samples: int) -> None:
        self._n_samples, self._rng = n_samples, np.random.default_rng(0)
        self._pool: deque[Rows] = deque()
        self._people: dict[Rows, set[int]] = {}  # who was asked each question
        self._queues: dict[int, list[HandedOut]] = {}
        self._had: Counter[int] = Counter()
        self._n_ids = 0

    @property
    def n_left(self) -> int:
        """How many questions wait in the pool."""
        return len(self._pool)

    @property
    def asked(self) -> IntArray:
        """Every question that was handed out, shape (M, 3)."""
        return np.array(list(self._people), dtype=np.int64).reshape(-1, 3)

    def fill(self, questions: ArrayLike) -> None:
        """Take these questions in place of those that wait."""
        rows = np.asarray(questions, dtype=np.int64).reshape(-1, 3).tolist()
        self._pool = deque((a, b, c) for a, b, c in rows)

    def queue(self, number: int, n: int, note: Callable[[HandedOut], object] = lambda asked: None) -> list[HandedOut]:
        """Return up to `n` questions for a person, oldest first; `note` is called before a new one is handed out."""
        queue = self._queues.setdefault(number, [])
        while len(queue) < n:
            asked = self._next(number)
            if asked is None:
                break
            note(asked)
            self.put(number, asked)
        return list(queue)

    def put(self, number: int, asked: HandedOut) -> None:
        """Hand a question out to a person."""
        self._queues.setdefault(number, []).append(asked)
        self._people.setdefault(asked.rows, set()).add(number)
        self._had[number] += 1
        self._n_ids = max(self._n_ids, int(asked.id[1:]))

    def find(self, number: int, step: str) -> HandedOut | None:
        """Return a question that waits for a person's answer."""
        return next((asked for asked in self._queues.get(number, []) if asked.id == step), None)

    def skip(self, n: int) -> None:
        """Leave out some ids, which may have been given before."""
        self._n_ids += n

    def answered(self, number: int, step: str) -> None:
        """Take a question from a person's queue."""
        self._queues[number] = [asked for asked in self._queues.get(number, []) if asked.id != step]

    def forget(self, number: int) -> None:
        """Ask a person nothing more."""
        self._queues.pop(number, None)

    def _next(self, number: int) -> HandedOut | None:
        shared = self._had[number] % SHARED_EVERY == SHARED_EVERY - 1
        rows = (self._of_others(number) if shared else None) or self._new(number) or self._of_others(number)
        if rows is None:
            return None
        return HandedOut(f"q{self._n_ids + 1}", rows, "shared" if self._people.get(rows) else "own")

    def _of_others(self, number: int) -> Rows | None:
        """Return a question that as few others as possible had, and this person had not."""
        had = {rows: len(people) for rows, people in self._people.items() if people and number not in people}
        fewest = min(had.values(), default=0)
        candidates = [rows for rows, n in had.items() if n == fewest]
        return candidates[int(self._rng.integers(len(candidates)))] if candidates else None

    def _new(self, number: int) -> Rows | None:
        while self._pool:
            rows = self._pool.popleft()
            if rows not in self._people:
                return rows
        try:
            a, b, c = random_triplets(self._n_samples, 1, asked=self.asked, seed=self._rng)[0].tolist()
        except ValueError:  # every question was asked
            return None
        return a, b, c
