"""Where a room's questions come from, and where its answers go."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from dcrc_explore.constraints import Answer
from dcrc_explore.room.cards import Cards
from dcrc_explore.room.steps import QuestionPage, Step
from dcrc_explore.room.wording import say


class Source(ABC):
    """Decides what each participant sees next, and stores what they answer.

    A room calls it from one thread at a time and names participants by numbers. When `take` returns, the answer must
    survive a crash, because the phone then shows that it is saved.
    """

    title: str  # shown on the phone's first page
    cards: Cards  # the items
    nicknames: bool = True  # whether participants are asked for a nickname
    language: str = ""  # what participants read, such as "de"; "" for the language of each browser

    @abstractmethod
    def arrive(self, number: int | None, nickname: str) -> int:
        """Return the number of a new participant (None), or take one back who was here, maybe before a restart."""

    @abstractmethod
    def steps(self, number: int) -> Sequence[Step]:
        """Return what the participant should see now, then what comes next; nothing while they have to wait.

        Called often. The same situation gives the same steps with the same ids.
        """

    @abstractmethod
    def take(self, number: int, step: Step, value: Any, seconds: float) -> None:
        """Store a checked answer to a step that was handed out to the participant; called once for each id."""

    def has_taken(self, number: int, step_id: str) -> bool:
        """Whether an answer was stored, maybe before a restart."""
        return False

    def back(self, number: int) -> None:  # noqa: B027 - few sources go back
        """Return to the step before, where the current step offers it."""

    def forget(self, number: int) -> None:  # noqa: B027 - a study never forgets
        """Leave out everything that a participant has answered."""


class FixedQuestions(Source):
    """The same list of questions for everybody, in memory.

    Examples
    --------
    >>> import numpy as np
    >>> source = FixedQuestions(Cards.of_points(np.eye(3)[:, :2]), [(0, 1, 2)])
    >>> ann = source.arrive(None, "Ann")
    >>> question, = source.steps(ann)
    >>> source.take(ann, question, "dnk", 1.5)
    >>> source.answers
    [(1, (0, 1, 2), <Answer.DNK: 0>, 1.5)]
    """

    def __init__(self, cards: Cards, questions: Sequence[tuple[int, ...]], *, title: str = "Questions") -> None:
        self.title, self.cards = title, cards
        self.questions = [tuple(map(int, rows)) for rows in questions]
        # Number of the participant, the rows, the answer and the seconds, in order of arrival.
        self.answers: list[tuple[int, tuple[int, ...], Answer, float]] = []
        self.names: dict[int, str] = {}
        self._done: dict[int, set[str]] = {}

    def arrive(self, number: int | None, nickname: str) -> int:
        """Give people numbers, from 1 on."""
        if number is None:
            number = max(self.names, default=0) + 1
        self.names[number] = nickname or self.names.get(number, "")
        self._done.setdefault(number, set())
        return number

    def steps(self, number: int) -> list[Step]:
        """Return the first questions that are left."""
        left = [t for t in range(len(self.questions)) if str(t) not in self._done[number]]
        return [
            QuestionPage(str(t), self.questions[t], say("question_of", n=t + 1, total=len(self.questions)))
            for t in left[:2]  # now and next
        ]

    def take(self, number: int, step: Step, value: Any, seconds: float) -> None:
        """Remember an answer."""
        assert isinstance(step, QuestionPage)
        self._done[number].add(step.id)
        self.answers.append((number, step.rows, Answer(value), seconds))

    def has_taken(self, number: int, step_id: str) -> bool:
        """Whether an answer is there."""
        return step_id in self._done[number]

    def forget(self, number: int) -> None:
        """Leave out what a participant has answered."""
        self.answers = [answer for answer in self.answers if answer[0] != number]
