"""A class in the Explorer: the button that opens it, what the projector shows, and what the lecturer does."""

from __future__ import annotations

import importlib.util
import time
from base64 import b64encode
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dcrc_explore.session import SessionError
from dcrc_explore.widgets.actions import Actions, Browser
from dcrc_explore.widgets.asking import QuestionCard
from dcrc_explore.widgets.controls import Control
from dcrc_explore.widgets.protocol import Verbs
from dcrc_explore.widgets.protocol.sent import ClassSent, GuestSent, VoteSent
from dcrc_explore.words import count

if TYPE_CHECKING:
    from dcrc_explore.room.classroom import Classroom

_ABOUT = "Let a class answer on phones: a QR code, questions for everybody, votes"
_NEEDED = ("tornado", "segno")
_ANYWHERE = "0.0.0.0"
_SHUT = (
    "Only browsers on this machine can join. To let phones in, open the class to your network. Every device that "
    "reaches this machine can then load its page, unencrypted. Anyone with the code can answer; no one can read "
    "answers or files."
)
_OPEN = "Open to your network, unencrypted: every device that reaches this machine and has the code can answer."
_PEOPLE_EVERY = 1.0  # seconds between two looks at what is known of each participant
_MOST_PEOPLE = 40


class ClassView:
    """The class that is open in a tool, if any."""

    def __init__(self, browser: Browser, actions: Actions, card: QuestionCard) -> None:
        self._browser, self._actions, self._card = browser, actions, card
        self.verbs: Verbs = {"class": lambda _, m: self._go(m)}
        self._nicknames = False
        self._people: tuple[float, Any, list[GuestSent]] = (0.0, None, [])
        self._agreement = ""
        self._asked: tuple[int, ...] | None = ()  # the vote's points on the projector
        self.room: Classroom | None = None

    def control(self) -> Control:
        """Return the button."""
        return Control("class", "button", "", "Class", _ABOUT, do=lambda *_: self.open(), doing="Opening…")

    def open(self, file: str | PathLike[str] | None = None, **options: Any) -> Classroom:
        """Open a class on the tool's session, or return the one that is open."""
        missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
        if missing:
            raise SessionError(f"a class needs {' and '.join(missing)}: pip install 'dcrc-explore[room]'")
        from dcrc_explore.room.classroom import Classroom

        if self.room is None:
            room = Classroom(self._actions.session, None if file is None else Path(file), **options)
            self.room = room
            room.observe(self.show)
            self._browser.put(view="lecture")
            self._asked = None
            self.show()
            if room.roll.damage:
                self._actions.notify(room.roll.damage, "error")
        return self.room

    def _go(self, message: dict[str, Any]) -> str | None:
        """Do what the lecturer asks for, and return the message to show."""
        room, to = self.room, message["to"]
        if room is None:
            return None
        text = None
        match to:
            case "open":
                room.let_in(_ANYWHERE)
            case "shut":
                room.let_in("127.0.0.1")
            case "vote":
                room.begin_vote(tuple(message["triplet"]) if "triplet" in message else None)
            case "reveal":
                room.reveal()
            case "again":
                room.vote_again()
            case "own":
                room.each_their_own()
            case "pause":
                room.pause()
            case "resume":
                room.resume()
            case "minute":
                text = f"{count(room.undo_minute(), 'answer')} of the last minute removed. Undo (Z) brings them back."
            case "forget":
                room.forget_guest(message["number"])
                text = f"All answers of guest {message['number']} are removed. Undo (Z) brings them back."
            case "forget_address":
                numbers = room.forget_address(message["number"])
                text = f"{count(len(numbers), 'guest')} and their answers are removed. Nobody new joins from there."
            case "names":
                self._nicknames = not self._nicknames
                self._people = (0.0, None, [])
            case "page":
                text = self._write()
            case "close":
                room.close()
                text = f"The class is closed. {self._write()}"
                room.leave()
                self.room = None
        self.show()
        return text

    def _write(self) -> str:
        """Write the page and the table of the class, and say where they are."""
        from dcrc_explore.room.classroom.report import write_report

        assert self.room is not None
        if not self.room.roll.answers:
            return "Nobody answered: there is nothing to write."
        page, table = write_report(self.room, nicknames=self._nicknames)
        return f"Written to {page} and {table.name}"

    def show(self) -> None:
        """Let the browser see how the class stands, and on the projector what it votes on."""
        room = self.room
        asked = room.roll.vote.rows if room is not None and room.roll.vote is not None else ()
        if asked != self._asked:
            self._asked = asked
            self._card.project(self._actions.session, asked)
        self._browser.put(classroom={} if room is None else self._pack(room))

    def _pack(self, room: Classroom) -> ClassSent:
        server, vote = room.server, room.roll.vote
        hidden = vote is not None and not vote.revealed
        people = [] if hidden else self._guests(room)
        return {
            "state": room.room.state,
            "address": server.root.removeprefix("http://"),
            "code": room.room.code,
            "qr": _qr(server.address),
            "open": server.is_open,
            "door": _OPEN if server.is_open else _SHUT,
            "here": len(room.room.present()),
            "answering": room.n_answering,
            "answers": len(room.roll.answers) - (len(vote.rounds[-1]) if vote is not None and hidden else 0),
            "vote": self._pack_vote(room),
            "votes": len(room.roll.votes),
            "agreement": "" if hidden else self._agreement,
            "people": people,
            "names": self._nicknames,
            "file": room.path.name,
            "problem": room.problem or room.room.problem,
        }

    def _pack_vote(self, room: Classroom) -> VoteSent | None:
        vote = room.roll.vote
        if vote is None:
            return None
        # What is hidden does not leave Python.
        shown = vote.counts() if vote.revealed else vote.counts()[:-1]
        return {
            "number": vote.number,
            "round": len(vote.rounds),
            "revealed": vote.revealed,
            "voted": len(vote.rounds[-1]),
            "counts": shown,
            "expected": list(vote.expected) if vote.revealed else [],
            "would": list(vote.would) if vote.revealed else [],
        }

    def _guests(self, room: Classroom) -> list[GuestSent]:
        """Return what is known of each participant; not more often than the eye follows."""
        from dcrc_explore.room.classroom.standing import alike, guests

        then, fit, people = self._people
        if room.session.fit is not fit and time.monotonic() - then > _PEOPLE_EVERY:
            people = [
                {
                    "number": each.number,
                    "name": room.name_of(each.number, nicknames=self._nicknames),
                    "answers": each.n_answers,
                    "errors": each.errors,
                    "violated": each.n_violated,
                    "together": len(room.room.from_address_of(each.number)),
                }
                for each in guests(room)[:_MOST_PEOPLE]
            ]
            self._people = time.monotonic(), room.session.fit, people
            self._agreement = alike(room.roll.answers).in_words()
        return people


@lru_cache(maxsize=1)
def _qr(address: str) -> str:
    """Return the QR code as an address that an image takes."""
    from dcrc_explore.room import qr_svg

    return f"data:image/svg+xml;base64,{b64encode(qr_svg(address).encode()).decode()}"


def session_of(file: Path) -> Path | None:
    """Return the session into which the answers of a class went; None when there is none, or no such class."""
    from dcrc_explore.room.classroom.journal import read_facts

    if not file.exists():
        return None
    names = [fact["session"] for fact in read_facts(file) if fact.get("session")]
    known = file.parent / Path(names[-1]).name if names else None
    return known if known is not None and known.exists() else None
