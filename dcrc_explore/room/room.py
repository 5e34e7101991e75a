"""A room: who is there, what was handed out to whom, and what is accepted."""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import RLock
from typing import Any, Literal

from dcrc_explore.room.limits import Limits, Rate
from dcrc_explore.room.names import new_code, nickname
from dcrc_explore.room.sent import CardSent, StepSent, StepsSent
from dcrc_explore.room.source import Source
from dcrc_explore.room.steps import QuestionPage, Step, as_seconds
from dcrc_explore.room.wording import say

_LOG = logging.getLogger(__name__)
State = Literal["open", "paused", "closed"]
_REMEMBERED = 64  # questions handed out to a person and not answered yet
_PRESENT = 45.0  # seconds since a person was last seen; phones ask at least every 25


class Refused(Exception):
    """A request that is not accepted: an HTTP status and a sentence for the participant."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


@dataclass
class Participant:
    """A participant in the room."""

    number: int
    nickname: str = ""
    seen: float = 0.0
    answered: float = 0.0
    n_answers: int = 0
    handed: OrderedDict[str, Step] = field(default_factory=OrderedDict)
    items: OrderedDict[str, int] = field(default_factory=OrderedDict)  # names under which items were handed out
    address: str = ""  # never written to a file

    @property
    def name(self) -> str:
        """The nickname, or which guest it is."""
        return self.nickname or say("guest", n=self.number)


class Room:
    """Lets participants in, hands out steps and accepts answers to these steps only, each once.

    Every method may be called from any thread; they happen one after the other. A participant carries a token that the
    room's secret signs: with the same code and secret, everybody continues after a restart.

    Examples
    --------
    >>> import numpy as np
    >>> from dcrc_explore.room import Cards, FixedQuestions
    >>> room = Room(FixedQuestions(Cards.of_points(np.eye(3)[:, :2]), [(0, 1, 2)]))
    >>> token = room.join(None, "Ann")["token"]
    >>> step = room.steps(token)["steps"][0]
    >>> room.answer(token, step["id"], "yes", 2.0)["saved"], room.answer(token, step["id"], "no", 2.0)["saved"]
    ('new', 'before')
    >>> len(room.source.answers)
    1
    """

    def __init__(
        self, source: Source, *, code: str | None = None, secret: bytes | None = None, limits: Limits | None = None
    ) -> None:
        self.source, self.limits = source, limits or Limits()
        self.code = code or new_code()  # a part of the address
        self.state: State = "open"
        self.version = 1
        self.people: dict[int, Participant] = {}
        self._secret = secret or secrets.token_bytes(32)  # signs tokens and the names of items
        self.problem = ""  # why nothing can be saved now
        self._forgotten: set[int] = set()
        self._refused: set[str] = set()  # addresses from which nobody joins any more
        self._pace = Rate(self.limits.answers_per_person)
        self._names = Rate(self.limits.names_per_person)
        self._observers: list[Callable[[], None]] = []
        self._lock = RLock()

    def observe(self, changed: Callable[[], None]) -> None:
        """Call a function when all phones should refresh, from whichever thread changed the room."""
        self._observers.append(changed)

    def changed(self) -> None:
        """Let all phones refresh, as after a new vote."""
        with self._lock:
            self.version += 1
        for changed in self._observers:
            changed()

    def pause(self) -> None:
        """Show no questions for a while; an answer that is on its way is still taken."""
        self._set("paused")

    def resume(self) -> None:
        """Resume after a pause."""
        self._set("open")

    def close(self) -> None:
        """Take no more answers."""
        self._set("closed")

    def _set(self, state: State) -> None:
        with self._lock:  # an answer that is on its way arrives before
            self.state = state
        self.changed()

    def forget(self, number: int) -> None:
        """Leave out all answers of a participant and refuse them from now on."""
        with self._lock:
            self._forgotten.add(number)
            self.people.pop(number, None)
            self.source.forget(number)
        self.changed()

    def present(self) -> list[Participant]:
        """Return who was seen in the last seconds, by number."""
        with self._lock:
            now = time.monotonic()
            return [self.people[number] for number in sorted(self.people) if now - self.people[number].seen < _PRESENT]

    def join(self, token: object, name: object = "", address: str = "") -> dict[str, Any]:
        """Let a participant in, or back in with an earlier token."""
        with self._lock:
            number = self.number(token) if token else None
            if number in self._forgotten:
                raise Refused(410, "This room is closed for you.")
            if number is None:
                self._check_newcomer(address)
            chosen = nickname(name) if self.source.nicknames else ""
            known = self.people.get(number or 0)
            if known is not None and chosen not in ("", known.nickname):
                self._check_pace(self._names, known, "Too many changes of the nickname.")
            number = self._saved(self.source.arrive, number, chosen)
            person = self.people.setdefault(number, Participant(number))
            person.nickname = chosen or person.nickname
            person.seen, person.address = time.monotonic(), address or person.address
            return {"token": self.token(number), "name": person.name, "nickname": person.nickname, "number": number}

    def _check_newcomer(self, address: str) -> None:
        if self.state == "closed":
            raise Refused(410, "This room is closed.")
        if address in self._refused:
            raise Refused(403, "Nobody new can join from this address.")
        # Who has never answered and is not there any more holds no place.
        since = time.monotonic() - _PRESENT
        places = [person.address for person in self.people.values() if person.n_answers or person.seen > since]
        if len(places) >= self.limits.participants:
            raise Refused(503, say("full"))
        if address and places.count(address) >= self.limits.participants_per_address:
            raise Refused(503, say("full_address"))

    def from_address_of(self, number: int) -> list[int]:
        """Return the numbers of all who joined from the address of a participant, that one included."""
        with self._lock:
            address = self.people[number].address if number in self.people else ""
            same = [each.number for each in self.people.values() if address and each.address == address]
            return sorted({number, *same})

    def refuse_address_of(self, number: int) -> None:
        """Let nobody new in from the address of a participant."""
        with self._lock:
            if number in self.people and self.people[number].address:
                self._refused.add(self.people[number].address)

    def _check_pace(self, rate: Rate, person: Participant, why: str) -> None:
        if not rate.allows(str(person.number), time.monotonic()):
            raise Refused(429, why)

    def _saved(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Let the source write; a disk that is full or cannot be written is said, once, and to everybody."""
        try:
            return work(*arguments)
        except OSError as error:
            if not self.problem:
                _LOG.error("Nothing can be saved: %s", error.strerror or error)
            self.problem = f"Nothing can be saved: {error.strerror or error}"
            raise Refused(503, say("cannot_save")) from None

    def steps(self, token: object) -> StepsSent:
        """Hand out what a participant should see now and next."""
        with self._lock:
            return self._reply(self._person(token))

    def answer(self, token: object, step_id: object, value: object, seconds: object) -> StepsSent:
        """Accept an answer to a step that was handed out; the same step again changes nothing."""
        with self._lock:
            person = self._person(token)
            step_id = str(step_id)[:64]
            if self.source.has_taken(person.number, step_id):
                return {**self._reply(person), "saved": "before"}
            if self.state == "closed":
                raise Refused(410, "This room is closed.")
            self._check_pace(self._pace, person, "Too many answers at once.")
            if step_id not in person.handed:
                self._hand_out(person)  # after a restart nothing is remembered, but the same steps come again
            step = person.handed.get(step_id)
            if step is None:
                raise Refused(409, say("not_asked"))
            try:
                checked, time_taken = step.check(value), as_seconds(seconds)
            except ValueError as error:
                raise Refused(400, str(error)) from None
            self._saved(self.source.take, person.number, step, checked, time_taken)
            if self.problem:
                _LOG.warning("Answers are saved again.")
            self.problem = ""
            del person.handed[step_id]
            if isinstance(step, QuestionPage):
                person.n_answers += 1
                person.answered = time.monotonic()
            return {**self._reply(person), "saved": "new"}

    def back(self, token: object) -> StepsSent:
        """Return to the step before, where the source offers it."""
        with self._lock:
            person = self._person(token)
            if self.state == "closed":
                raise Refused(410, "This room is closed.")
            self._check_pace(self._pace, person, "Too many steps back at once.")
            self._saved(self.source.back, person.number)
            return self._reply(person)

    def row(self, number: int, name: str) -> int:
        """Return the row of an item by the name under which it was handed out to a participant."""
        with self._lock:
            person = self.people.get(number)
            if person is None or name not in person.items:
                raise Refused(404, "There is no such item.")
            return person.items[name]

    def _person(self, token: object) -> Participant:
        number = self.number(token)
        if number is None or number in self._forgotten:
            raise Refused(410 if number in self._forgotten else 401, "Please join again.")
        if number not in self.people:
            self.join(token)
        person = self.people[number]
        person.seen = time.monotonic()
        return person

    def _reply(self, person: Participant) -> StepsSent:
        steps = self._hand_out(person) if self.state == "open" else []
        return {"version": self.version, "state": self.state, "steps": steps}

    def _hand_out(self, person: Participant) -> list[StepSent]:
        packed: list[StepSent] = []
        for step in self._saved(self.source.steps, person.number):
            person.handed[step.id] = step
            if isinstance(step, QuestionPage):
                packed.append(step.pack([self._item(person, row) for row in step.rows]))
            else:
                packed.append(step.pack())
        while len(person.handed) > _REMEMBERED:
            person.handed.popitem(last=False)
        while len(person.items) > 3 * _REMEMBERED:
            person.items.popitem(last=False)
        return packed

    def _item(self, person: Participant, row: int) -> CardSent:
        kind, text = self.source.cards.card(row)
        if kind == "text":
            return {"kind": kind, "text": text}
        if kind == "point":
            return {"kind": kind, "at": self.source.cards.place(row)}
        # Numbers of rows may give the classes away; and nobody can name an item that was not handed out to them.
        name = self._sign(f"item {row} of {person.number}")[:20]
        person.items[name] = row
        person.items.move_to_end(name)
        return {"kind": kind, "src": f"item/{person.number}/{name}"}

    def token(self, number: int) -> str:
        """Return what a participant shows to come back."""
        return f"{number}.{self._sign(f'participant {number}')}"

    def number(self, token: object) -> int | None:
        """Return whose token it is; None when the room did not sign it."""
        number, _, _ = str(token)[:80].partition(".")
        if not (number.isascii() and number.isdigit() and len(number) < 8):
            return None
        right = hmac.compare_digest(str(token).encode(errors="replace"), self.token(int(number)).encode())
        return int(number) if right else None

    def _sign(self, text: str) -> str:
        return hmac.new(self._secret, text.encode(), hashlib.sha256).hexdigest()[:40]
