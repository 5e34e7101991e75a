"""Who takes part in a class, what each was asked, and what they answered: on disk before it is confirmed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from threading import RLock
from typing import Any

from dcrc_explore.constraints import Answer
from dcrc_explore.constraints.log import now
from dcrc_explore.datasets import Dataset
from dcrc_explore.room.cards import Cards
from dcrc_explore.room.classroom.handing import Asked, Handing
from dcrc_explore.room.classroom.journal import Given, Journal, as_given
from dcrc_explore.room.classroom.vote import Vote
from dcrc_explore.room.source import Source
from dcrc_explore.room.steps import Question, Step

_AHEAD = 2  # questions that a phone has at once


class Roll(Source):
    """The part of a class that phones meet.

    Parameters
    ----------
    data : Dataset
    journal : Journal
        Its file; what it holds is taken over.

    Attributes
    ----------
    votes : list of Vote
    vote : Vote or None
        The one that is asked now; None while everybody has questions of their own.
    answers : list of Given
        Everything that was answered, oldest first.
    nicknames_of : dict of int to str
    """

    nicknames = True
    title = "Which belong together?"

    def __init__(self, data: Dataset, journal: Journal) -> None:
        self.data, self._journal = data, journal
        self.cards = Cards.of(data)
        self.votes: list[Vote] = []
        self.vote: Vote | None = None
        self.answers: list[Given] = []
        self.nicknames_of: dict[int, str] = {}
        self._handing = Handing(len(data.X))
        self._taken: set[tuple[int, str]] = set()
        self._n_answered: Counter[int] = Counter()
        self._forgotten: set[int] = set()
        self._pending: list[Given] = []  # on disk, and not in the session yet
        self._lock = RLock()  # never held while the session's lock is asked for
        self._recall()

    @property
    def is_shown(self) -> bool:
        """Whether questions can be asked now."""
        return True

    def _recall(self) -> None:
        """Take over what the file holds; answers that the session did not get wait for it."""
        for fact in self._journal.facts[1:]:
            match fact:
                case {"arrive": number, "nickname": name}:
                    self.nicknames_of[int(number)] = str(name)
                case {"asked": [number, step, rows, way]}:
                    self._handing.put(int(number), Asked(step, tuple(rows), way))
                case {"given": fields}:
                    self._enter(as_given(fields))
                case {"committed": _}:
                    self._pending = []
                case {"vote": number, "rows": rows, "expected": expected}:
                    self.vote = Vote(int(number), tuple(rows), tuple(expected))
                    self.votes.append(self.vote)
                case {"again": _} if self.vote is not None:
                    self.vote.rounds.append({})
                    self.vote.revealed = False
                case {"reveal": _} if self.vote is not None:
                    self.vote.revealed = True
                case {"own": _}:
                    self.vote = None
                case {"forget": number}:
                    self._leave_out(int(number))

    # What phones do: called by the room, from its thread --------------------------------------------------------------

    def arrive(self, number: int | None, nickname: str) -> int:
        """Give people numbers, from 1 on."""
        with self._lock:
            if number is None:
                number = max(self.nicknames_of, default=0) + 1
            name = nickname or self.nicknames_of.get(number, "")
            if self.nicknames_of.get(number) != name:
                self._journal.note(arrive=number, nickname=name)
                self.nicknames_of[number] = name
            return number

    @property
    def guests(self) -> list[int]:
        """Who may take part, by number."""
        with self._lock:
            return [number for number in self.nicknames_of if number not in self._forgotten]

    def steps(self, number: int) -> Sequence[Step]:
        """Return the question of the vote, or questions of their own."""
        return self.questions(number)

    def questions(self, number: int) -> list[Question]:
        """Return what a guest is to answer now and next."""
        with self._lock:
            if not self.is_shown:
                return []
            vote = self.vote
            if vote is not None:
                if vote.revealed or number in vote.rounds[-1]:
                    return []
                label = "Vote" if len(vote.rounds) == 1 else "Second vote"
                return [Question(vote.step, vote.rows, label)]
            before = self._handing.waiting(number)
            queue = self._handing.queue(number, _AHEAD)
            for asked in queue[len(before) :]:
                self._journal.note(asked=[number, asked.id, list(asked.rows), asked.way])
            first = self._n_answered[number] + 1
            return [Question(asked.id, asked.rows, f"Question {first + t}") for t, asked in enumerate(queue)]

    def take(self, number: int, step: Step, value: Any, seconds: float) -> None:
        """Put an answer on disk; the session gets it soon, or when the vote is revealed."""
        assert isinstance(step, Question)
        with self._lock:
            asked = self._handing.find(number, step.id)
            way = f"vote {step.id[1:]}" if asked is None else asked.way
            given = Given(number, step.id, step.rows, Answer(value), seconds, now(), way)
            self._journal.take(given)
            self._enter(given)

    def _enter(self, given: Given) -> None:
        self._taken.add((given.person, given.step))
        self._n_answered[given.person] += 1
        self.answers.append(given)
        self._handing.answered(given.person, given.step)
        if given.way.startswith("vote"):
            number, turn = map(int, given.way.removeprefix("vote ").split("."))
            vote = next(vote for vote in self.votes if vote.number == number)
            vote.rounds[turn - 1][given.person] = given.answer
        else:
            self._pending.append(given)

    def has_taken(self, number: int, step_id: str) -> bool:
        """Whether an answer is on disk."""
        with self._lock:
            return (number, step_id) in self._taken

    def forget(self, number: int) -> None:
        """Leave out a guest's answers; lecturers call :meth:`forget_guest`."""
        with self._lock:
            if number not in self._forgotten:
                self._journal.note(forget=number)
            self._leave_out(number)

    def _leave_out(self, number: int) -> None:
        self._forgotten.add(number)
        self._handing.forget(number)
        self._pending = [given for given in self._pending if given.person != number]
        self.answers = [given for given in self.answers if given.person != number]
        for vote in self.votes:
            for said in vote.rounds:
                said.pop(number, None)
