"""Who takes part in a class, what each was asked, and what they answered: on disk before it is confirmed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from threading import RLock
from typing import Any

from dcrc_explore.arrays import IntArray
from dcrc_explore.constraints import Answer, Entry
from dcrc_explore.constraints.log import now
from dcrc_explore.datasets import Dataset
from dcrc_explore.room.cards import Cards
from dcrc_explore.room.classroom.journal import (
    DAMAGED,
    GuestAnswer,
    Journal,
    as_given,
    as_rows,
    as_share,
    as_text,
    as_whole,
    guest,
)
from dcrc_explore.room.classroom.queues import HandedOut, QuestionQueues
from dcrc_explore.room.classroom.vote import Vote
from dcrc_explore.room.room import Refused
from dcrc_explore.room.source import Source
from dcrc_explore.room.steps import QuestionPage, Step
from dcrc_explore.room.wording import say
from dcrc_explore.session import SessionError
from dcrc_explore.words import count

_AHEAD = 2  # questions that a phone has at once


class Roll(Source):
    """The part of a class that phones meet: the participants, with what each was asked and has answered."""

    nicknames = True
    title = say("which")

    def __init__(self, data: Dataset, journal: Journal, language: str = "") -> None:
        self.data, self._journal, self.language = data, journal, language
        self.cards = Cards.of(data)
        self.votes: list[Vote] = []
        self.vote: Vote | None = None  # the one that is asked now; None while everybody has questions of their own
        self.answers: list[GuestAnswer] = []  # everything that was answered, oldest first
        self.nicknames_of: dict[int, str] = {}
        self.pending: list[GuestAnswer] = []  # those that the session does not have yet, without hidden votes
        self.forgotten: set[int] = set()  # participants whose answers were left out
        self._queues = QuestionQueues(len(data.X))
        self._taken: set[tuple[int, str]] = set()
        self._n_answered: Counter[int] = Counter()
        self._last = self._last_vote = 0  # numbers of the latest participant and vote
        self._lock = RLock()  # never held while the session's lock is asked for

    def recall(self, session: str | None) -> None:
        """Take over what the file holds; answers that are not in this session's file wait for it."""
        journal = self._journal
        named = [fact["session"] for _, fact in journal.lines if fact.get("session")]
        known = named[-1:] == [session]
        for line, fact in journal.lines[1:]:
            try:
                self._follow(fact, known)
            except DAMAGED:
                journal.damaged.append(line)
        journal.damaged.sort()
        journal.lines = []
        # A damaged line may have let somebody in, asked a question or begun a vote: no number is given twice.
        n_damaged = len(journal.damaged)
        self._last = max([self._last, *self.nicknames_of, *self._n_answered]) + n_damaged
        votes = [vote.number for vote in self.votes] + [given.round[0] for given in self.answers if given.round]
        self._last_vote = max(votes, default=0) + n_damaged
        self._queues.skip(n_damaged)

    def _follow(self, fact: dict[str, Any], known: bool) -> None:
        """Follow a line of the file; one of `DAMAGED` when it says nothing."""
        n = len(self.data.X)
        match fact:
            case {"arrive": number, "nickname": name}:
                self.nicknames_of[as_whole(number)] = as_text(name)
            case {"asked": [number, str(step), rows, str(way)]} if step[:1] == "q":
                asked = HandedOut(f"q{as_whole(int(step[1:]))}", as_rows(rows, n), way)
                self._last = max(self._last, as_whole(number))
                self._queues.put(number, asked)
            case {"given": fields}:
                given = as_given(fields, n)
                if given.id not in self._taken:
                    self._enter(given)
            case {"committed": ids}:
                there = {(as_whole(number), as_text(step)) for number, step in ids}
                self.pending = [given for given in self.pending if not known or given.id not in there]
            case {"vote": number, "rows": rows, "expected": [yes, no, dnk]}:
                self.vote = Vote(as_whole(number), as_rows(rows, n), (as_share(yes), as_share(no), as_share(dnk)))
                self.votes.append(self.vote)
            case {"again": number}:
                for vote in self._votes(number):
                    vote.begin_round()
            case {"reveal": number}:
                for vote in self._votes(number):
                    self._uncover(vote)
            case {"own": True}:
                self.vote = None
            case {"forget": number}:
                self._leave_out(as_whole(number))
            case {"port": int()}:
                pass
            case _:
                raise ValueError("a line must be a fact of a class")

    @property
    def damage(self) -> str:
        """Which lines of the file could not be read; empty when all could."""
        lines = self._journal.damaged
        if not lines:
            return ""
        which = ", ".join(map(str, lines[:10])) + (", ..." if len(lines) > 10 else "")
        return (
            f"{count(len(lines), 'damaged line')} of {self._journal.path.name} {'is' if len(lines) == 1 else 'are'} "
            f"left out ({which}). Everything else is there."
        )

    def note(self, **fact: Any) -> None:
        """Put a fact into the file."""
        with self._lock:
            self._journal.note(**fact)

    def _votes(self, number: Any) -> list[Vote]:
        """Return the vote with this number; none, when the line that began it is damaged."""
        return [vote for vote in self.votes if vote.number == as_whole(number)]

    # What phones do: called by the room, from its thread --------------------------------------------------------------

    def arrive(self, number: int | None, nickname: str) -> int:
        """Give people numbers, from 1 on."""
        with self._lock:
            if number is None:
                number = self._last + 1
            name = nickname or self.nicknames_of.get(number, "")
            if self.nicknames_of.get(number) != name:
                self._journal.note(arrive=number, nickname=name)
                self.nicknames_of[number] = name
            self._last = max(self._last, number)
            return number

    @property
    def guests(self) -> list[int]:
        """Who may take part, by number."""
        with self._lock:
            return [number for number in self.nicknames_of if number not in self.forgotten]

    def steps(self, number: int) -> list[QuestionPage]:
        """Return the question of the vote, or questions of their own."""
        with self._lock:
            vote = self.vote
            if vote is not None:
                if vote.revealed or number in vote.rounds[-1]:
                    return []
                label = say("vote" if len(vote.rounds) == 1 else "second_vote")
                return [QuestionPage(vote.step, vote.rows, label)]
            queue = self._queues.queue(
                number, _AHEAD, lambda asked: self._journal.note(asked=[number, asked.id, list(asked.rows), asked.way])
            )
            first = self._n_answered[number] + 1
            return [QuestionPage(asked.id, asked.rows, say("question", n=first + t)) for t, asked in enumerate(queue)]

    def take(self, number: int, step: Step, value: Any, seconds: float) -> None:
        """Put an answer on disk; the session gets it soon, or when the vote is revealed."""
        assert isinstance(step, QuestionPage)
        with self._lock:
            asked, vote = self._queues.find(number, step.id), self.vote
            if asked is None and (vote is None or vote.revealed or vote.step != step.id):
                raise Refused(409, say("vote_over"))
            way = f"vote {step.id[1:]}" if asked is None else asked.way
            given = GuestAnswer(number, step.id, way, Entry(step.rows, Answer(value), now(), guest(number), seconds))
            self._journal.take(given)
            self._enter(given)

    def _enter(self, given: GuestAnswer) -> None:
        number, turn = given.round or (0, 0)
        vote = next((vote for vote in self.votes if vote.number == number), None)
        self._taken.add(given.id)
        self._n_answered[given.person] += 1
        self.answers.append(given)
        self._queues.answered(given.person, given.step)
        if vote is not None:
            while len(vote.rounds) < turn:
                vote.begin_round()
            vote.rounds[turn - 1][given.person] = given.entry.answer
        if vote is None or vote.revealed or turn < len(vote.rounds):
            self.pending.append(given)

    def _uncover(self, vote: Vote) -> None:
        """Let the answers of a vote's last round go to the session."""
        if not vote.revealed:
            vote.revealed = True
            self.pending += [given for given in self.answers if given.step == vote.step]

    # What the lecturer does -------------------------------------------------------------------------------------------

    @property
    def present_vote(self) -> Vote:
        """The vote that is asked now; SessionError when there is none."""
        if self.vote is None:
            raise SessionError("there is no vote now")
        return self.vote

    def begin_vote(self, rows: tuple[int, ...], expected: tuple[float, float, float]) -> Vote:
        """Ask everybody the same question, about which the model expects this."""
        with self._lock:
            vote = Vote(self._last_vote + 1, rows, expected)
            self._journal.note(vote=vote.number, rows=rows, expected=expected)
            self.vote, self._last_vote = vote, vote.number
            self.votes.append(vote)
            return vote

    def vote_again(self) -> None:
        """Ask the question of the vote once more."""
        with self._lock:
            vote = self.present_vote
            if not vote.revealed:
                raise SessionError("reveal the first vote before the second")
            self._journal.note(again=vote.number)
            vote.begin_round()

    def reveal(self, vote: Vote) -> None:
        """Show a vote."""
        with self._lock:
            self._journal.note(reveal=vote.number)
            self._uncover(vote)

    def end_vote(self) -> None:
        """Ask everybody questions of their own again."""
        with self._lock:
            if self.vote is not None:
                self._journal.note(own=True)
                self.vote = None

    def settle(self, batch: Iterable[GuestAnswer]) -> None:
        """Let answers wait no more: the session has them."""
        done = set(batch)
        with self._lock:
            self.pending = [given for given in self.pending if given not in done]

    @property
    def asked(self) -> IntArray:
        """Every question of their own that was handed out, shape (M, 3)."""
        with self._lock:
            return self._queues.asked

    @property
    def n_left(self) -> int:
        """How many questions wait to be handed out."""
        return self._queues.n_left

    def fill(self, questions: IntArray) -> None:
        """Hand out these questions from now on."""
        with self._lock:
            self._queues.fill(questions)

    def has_taken(self, number: int, step_id: str) -> bool:
        """Whether an answer is on disk."""
        with self._lock:
            return (number, step_id) in self._taken

    def forget(self, number: int) -> None:
        """Leave out a guest's answers."""
        with self._lock:
            if number not in self.forgotten:
                self._journal.note(forget=number)
            self._leave_out(number)

    def _leave_out(self, number: int) -> None:
        self.forgotten.add(number)
        self._queues.forget(number)
        self.pending = [given for given in self.pending if given.person != number]
        self.answers = [given for given in self.answers if given.person != number]
        for vote in self.votes:
            for votes in vote.rounds:
                votes.pop(number, None)
