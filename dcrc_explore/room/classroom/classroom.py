"""A class: everybody answers on a phone, and the session learns from all of them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any, Self

from dcrc_explore.constraints import Log
from dcrc_explore.constraints.log import now
from dcrc_explore.questions import guided_wave, model_doubt
from dcrc_explore.room.classroom.effects import find_effects
from dcrc_explore.room.classroom.journal import ENDING, GuestAnswer, Journal, find_class, guest, key
from dcrc_explore.room.classroom.roll import Roll
from dcrc_explore.room.classroom.vote import Vote
from dcrc_explore.room.limits import Limits
from dcrc_explore.room.names import new_code
from dcrc_explore.room.room import Room
from dcrc_explore.room.server import LOOPBACK, Server
from dcrc_explore.room.wording import checked_language
from dcrc_explore.session import Session, SessionError
from dcrc_explore.session.state import State
from dcrc_explore.session.steps import allow
from dcrc_explore.storage import safe_name
from dcrc_explore.words import count

_PULSE = 0.25  # seconds between two looks at what has come in
_FEWEST, _WAVE = 20, 1.5  # questions that wait in the pool at least, and for each person
_ANSWERING = 30.0  # seconds since a person's last answer
_MINUTE = 60.0


class Classroom:
    """A class on a session: hands out questions, takes answers, and gives them to the session between two fits.

    An answer is in the class's file before the phone says "Saved". Answers that come while the model is fitted wait,
    and then become one step and one fit. Votes wait until they are revealed. Participants are "guest 1", "guest 2" ...
    in the session; their nicknames are in the class's file only.

    Parameters
    ----------
    session : Session
    file : path, optional
        The class's file. One that exists is continued, with the same code, participants and questions. By default
        the latest open class of this session is continued, or a new file is begun beside the session's.
    host, port, names
        As for :class:`~dcrc_explore.room.Server`; a class that is continued keeps its port if it can.
    limits : Limits, optional
    language : str, default=""
        What phones say: "de", "en", "es", "fr", "it", "ja", "nl", "pt" or "zh". By default each browser decides.

    Attributes
    ----------
    room : Room
    server : Server
    roll : Roll
        Who takes part: `guests`, their numbers; `answers`, everything that was answered, oldest first; `nicknames_of`
        each number; `votes`, and `vote`, the one that is asked now, None while everybody has questions of their own.

    Examples
    --------
    >>> import tempfile
    >>> from dcrc_explore.room.client import Phone
    >>> folder = Path(tempfile.mkdtemp())
    >>> session = Session("emoji", autosave=folder)
    >>> with Classroom(session, folder / "class.jsonl", port=0) as room:
    ...     phone = Phone(room.server.address, "Ann")
    ...     phone.answer(phone.steps()[0]["id"], "dnk", 2.0)["saved"]
    ...     room.settle()
    'new'
    >>> session.log[-1].by
    'guest 1'
    """

    def __init__(
        self,
        session: Session,
        file: Path | None = None,
        *,
        host: str = LOOPBACK,
        port: int | None = None,
        names: tuple[str, ...] = (),
        limits: Limits | None = None,
        language: str = "",
    ) -> None:
        language = checked_language(language)
        if len(session.dataset.X) < 3:
            raise SessionError(f"a class needs three points to ask about, got {len(session.dataset.X)}")
        self._journal = _open_journal(session, file)
        self.roll = Roll(session.dataset, self._journal, language)
        self.session, self.host, self._names = session, host, tuple(names)
        self.problem = ""  # why answers are not in the model yet
        self._observers: list[Callable[[], object]] = []
        self._last_seen: tuple[Any, ...] = ()
        self._wanted: set[str] = set()  # what was handed to the session's thread and has not begun
        self._added: list[tuple[int, str]] = []  # in the session, and the file of the class does not say so yet
        self._ended = Event()
        try:
            self._begin(host, port, limits)
        except BaseException:
            self._journal.close()
            raise
        session.steps.guard = self._guard
        self.room.observe(self._notify)
        self._fill()
        self._thread = Thread(target=self._run, name="class", daemon=True)
        self._thread.start()

    def _begin(self, host: str, port: int | None, limits: Limits | None) -> None:
        """Take over what the file holds, and listen."""
        journal, saved = self._journal, self.session.file.path
        ports = [fact["port"] for _, fact in journal.lines if type(fact.get("port")) is int]
        self.roll.recall(None if saved is None else saved.name)
        there = set(map(key, self.session.log))
        self.roll.settle([given for given in self.roll.pending if key(given.entry) in there])
        secret = bytes.fromhex(journal.head["secret"])
        self.room = Room(self.roll, code=journal.head["code"], secret=secret, limits=limits)
        for number in self.roll.forgotten:
            self.room.forget(number)
        try:
            self.server = self._serve(host, ports[-1] if port is None and ports else port)
        except OSError:
            if port is not None or not ports:
                raise
            self.server = self._serve(host, None)  # another program has the former port

    # Beginning and end -----------------------------------------------------------------------------------------------

    def _guard(self, state: State) -> None:
        """Let no other data come: phones would wait for questions, and votes would be lost."""
        data = self.roll.data
        if state.subject.dataset is not data:
            raise SessionError(
                f"A class answers about {data.name!r}, so these data stay. Close the class first: its page is "
                "written, and the button Class opens one on the new data. Or open the other data in a second window, "
                "and the class goes on."
            )

    def _serve(self, host: str, port: int | None) -> Server:
        server = Server(self.room, host=host, port=port, names=self._names)
        with suppress(OSError):  # a class whose disk or file is full shows its answers on any port
            self.roll.note(port=server.port)
        return server.start()

    def let_in(self, host: str) -> None:
        """Listen on another address, with the same port: phones that were here continue."""
        port = self.server.port
        self.server.stop()
        try:
            self.server, self.host = self._serve(host, port), host
        except OSError:
            self.server = self._serve(self.host, port)
            raise
        self._notify()

    @property
    def path(self) -> Path:
        """The class's file."""
        return self._journal.path

    def close(self) -> None:
        """Take no more answers; all that were taken are in the session, a hidden vote included.

        The class cannot be continued. SessionError, and the class stays open, when the session cannot take them.
        """
        if self._ended.is_set():
            return
        with self.session.lock:
            self._end_vote()
            self._settle_all()
            self.room.close()
            self._settle_all()  # what came meanwhile
        self.roll.note(closed=now())
        self.leave()

    def _settle_all(self) -> None:
        self.settle()
        n_pending = len(self.roll.pending)
        if n_pending and self.problem:
            raise SessionError(f"{count(n_pending, 'answer')} cannot go into the model yet: {self.problem}")
        file = self.session.file
        if file.error:
            if file.path is None:
                raise SessionError(file.error)
            self.session.save(file.path)  # it may be writable by now; SessionError if not

    def leave(self) -> None:
        """Stop the server; the class can be continued with its file."""
        if self._ended.is_set():
            return
        self._ended.set()
        self.session.steps.guard = allow
        self._thread.join(1.0)  # it may wait for a lock that the caller holds; it does nothing more
        self.server.stop()
        self._journal.close()
        self._notify()

    @property
    def is_closed(self) -> bool:
        """Whether the class is closed."""
        return self._ended.is_set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()

    # What the lecturer does -------------------------------------------------------------------------------------------

    def pause(self) -> None:
        """Show no questions for a while."""
        self.room.pause()

    def resume(self) -> None:
        """Resume after a pause."""
        self.room.resume()

    def begin_vote(self, rows: tuple[int, ...] | None = None) -> Vote:
        """Ask everybody the same question: these points, or what the program chooses. The result stays hidden."""
        session = self.session
        with session.lock:
            self._end_vote()
            asked = tuple(session.questions.suggest("guided")) if rows is None else tuple(int(i) for i in rows)
            if len(asked) != 3:
                raise SessionError(f"a vote is about three points, got {len(asked)}")
            yes, no, dnk, _ = session.questions.expected(asked)
            vote = self.roll.begin_vote(asked, (yes, no, dnk))
            session.questions.skip(asked)  # nobody is asked this again as a question of their own
        self.room.changed()
        return vote

    def vote_again(self) -> None:
        """Ask the same question once more, as after a discussion."""
        self.roll.vote_again()
        self.room.changed()

    def reveal(self) -> None:
        """Show the votes and add them to the model; of a person's two votes, the second counts."""
        with self.session.lock:
            vote = self.roll.present_vote
            if not vote.revealed:
                by = [guest(number) for number in list(vote.rounds[-1])]
                find_effects(self.session, vote, by, lambda: self._hand_over("notify", self._notify))
                self._learn(vote)
        self.room.changed()

    def each_their_own(self) -> None:
        """Give everybody questions of their own again."""
        with self.session.lock:
            self._end_vote()
            self.roll.end_vote()
        self.room.changed()

    def forget_guest(self, number: int) -> None:
        """Remove every answer of a guest, as one step to undo, and refuse that guest from now on."""
        with self.session.lock:
            self._forget([self._known(number)], f"forgetting guest {number}")

    def forget_address(self, number: int) -> list[int]:
        """Remove every answer of all who joined from the address of a guest, and let nobody new in from there."""
        with self.session.lock:
            numbers = self.room.from_address_of(self._known(number))
            self.room.refuse_address_of(number)
            self._forget(numbers, f"forgetting {count(len(numbers), 'guest')}")
        return numbers

    def _known(self, number: int) -> int:
        known = self.roll.nicknames_of
        if number not in known:
            raise SessionError(f"there is no guest {number}: guests are numbered from 1 to {len(known)}")
        return number

    def _forget(self, numbers: list[int], label: str) -> None:
        for number in numbers:
            self.room.forget(number)
        names = set(map(guest, numbers))
        self._only([t for t, name in enumerate(self.session.log.by) if name not in names], label)
        self._notify()

    def undo_minute(self) -> int:
        """Remove the phones' answers of the last minute, as one step to undo; return their number."""
        with self.session.lock:
            self.settle()
            log, since, guests = self.session.log, now(-_MINUTE), set(map(guest, list(self.roll.nicknames_of)))
            stamped = zip(log.times, log.by, strict=True)
            left = [t for t, (time, by) in enumerate(stamped) if time < since or by not in guests]
            n_gone = len(log) - len(left)
            self._only(left, "the last minute of the class")
        self._notify()
        return n_gone

    def _only(self, rows: list[int], label: str) -> None:
        if len(rows) < len(self.session.log):
            self.session.change(label, log=self.session.log.only(rows))

    def _end_vote(self) -> None:
        """Add a vote that was never revealed to the model: the answers were given."""
        vote = self.roll.vote
        if vote is not None and not vote.revealed:
            self._learn(vote)

    def _learn(self, vote: Vote) -> None:
        self.roll.reveal(vote)
        self._commit(during_fit=True)

    # Into the session -------------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Give the session all waiting answers, except hidden votes."""
        with self.session.lock:
            self.session.model.wait()
            self._commit()

    def _commit(self, *, during_fit: bool = False) -> None:
        """Make the waiting answers one step of the session; not while a fit is running, unless that is asked for."""
        session = self.session
        with session.lock:
            self._wanted.discard("commit")
            if self._ended.is_set() or (session.model.busy and not during_fit):
                return
            batch = list(self.roll.pending)
            if not batch:
                return
            try:
                self._add(batch)
                self.problem = ""
            except (SessionError, ValueError) as error:
                self.problem = str(error)
                return
            self.roll.settle(batch)
            self._added += [given.id for given in batch]
            self._note_added()

    def _add(self, batch: list[GuestAnswer]) -> None:
        """Give answers to the session; of a person's votes on one question, the last counts."""
        session = self.session
        turns = {(given.person, given.round[0]): given for given in batch if given.round}
        batch = [given for given in batch if not given.round or turns[given.person, given.round[0]] is given]
        new = Log.of(given.entry for given in batch)
        if any(given.round[1] > 1 for given in turns.values() if given.round):
            again = (given for given in self.roll.answers if given.round and (given.person, given.round[0]) in turns)
            old = {key(given.entry) for given in again}
            log = Log.of(entry for entry in session.log if key(entry) not in old)
            votes = " and ".join(map(str, sorted({number for _, number in turns})))
            session.change(f"second vote on question {votes}", log=Log.of([*log, *new]))
        else:
            session.add(new.points, new.answers, by=new.by, seconds=new.seconds, time=new.times)

    def _note_added(self) -> None:
        """Say in the file of the class which answers the session's file has: only these never come again."""
        file = self.session.file
        if file.path is None or file.error:
            return
        try:
            self.roll.note(committed=self._added, session=file.path.name)
            self._added = []
        except OSError as error:
            self.problem = f"{self.path.name} cannot be written: {error.strerror or error}"

    def _run(self) -> None:
        while not self._ended.wait(_PULSE):
            if self.roll.pending and not self.session.model.busy:
                self._hand_over("commit", self._commit)
            if self.roll.n_left < self._n_wave / 2:
                self._fill()
            seen = self._seen()
            if seen != self._last_seen:
                self._last_seen = seen
                self._hand_over("notify", self._notify)

    @property
    def _n_wave(self) -> int:
        """How many questions are chosen at once: no two have the same first point."""
        return min(max(_FEWEST, round(_WAVE * len(self.room.people))), len(self.roll.data.X))

    def _fill(self) -> None:
        """Choose questions for everybody, by what the model knows now."""
        session, fit = self.session, self.session.fit
        log, asked = fit.log, self.roll.asked
        with suppress(ValueError):  # of few points hardly any question is new; the queues find it, or repeat
            wave = guided_wave(
                fit.proba,
                self.roll.data.X,
                log.triplets,
                self._n_wave,
                pairs=log.pairs,
                doubt=model_doubt(log.surprise[log.triplet_positions]),
                epsilon=session.settings.epsilon,
                asked=asked,
                seed=len(asked),
            )
            self.roll.fill(wave.triplets)

    def _hand_over(self, what: str, work: Callable[[], None]) -> None:
        """Let the session's thread do something once, however often it is requested."""
        if what in self._wanted:
            return
        self._wanted.add(what)
        if self.session.background is None:
            work()
        else:
            self.session.background(work)

    # Observers --------------------------------------------------------------------------------------------------------

    def observe(self, callback: Callable[[], object]) -> None:
        """Call a function after changes: people come, answer, a vote is revealed."""
        self._observers.append(callback)

    def _notify(self) -> None:
        self._wanted.discard("notify")
        for callback in tuple(self._observers):
            callback()

    def _seen(self) -> tuple[Any, ...]:
        vote, n_answers = self.roll.vote, len(self.roll.answers)
        voted = len(vote.rounds[-1]) if vote is not None else 0
        return len(self.room.present()), self.n_answering, n_answers, voted, self.problem, self.room.problem

    @property
    def n_answering(self) -> int:
        """How many answered in the last half minute, or have voted."""
        if self.roll.vote is not None:
            return len(self.roll.vote.rounds[-1])
        since = time.monotonic() - _ANSWERING
        return sum(1 for person in self.room.present() if person.answered and person.answered > since)

    def name_of(self, number: int, *, nicknames: bool = False) -> str:
        """Return the name of a guest; the nickname only on request."""
        return (nicknames and self.roll.nicknames_of.get(number)) or guest(number)


def _open_journal(session: Session, file: Path | None) -> Journal:
    path = session.file.path
    folder = path.parent if path is not None else Path.cwd()
    if file is None and path is not None:
        file = find_class(folder, path)
    if file is not None and Path(file).exists():
        return Journal.continued(Path(file), session.dataset)
    where = Path(file) if file is not None else folder / f"{safe_name(session.dataset.name)}{ENDING}"
    return Journal.create(where, session.dataset, code=new_code(), secret=secrets.token_hex(32), at=now())
