"""Sessions on disk: which can be continued, saved and loaded, and the way back from one that was loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import Any

from dcrc_explore.constraints import AmbiguousAnswers
from dcrc_explore.constraints.formats import COUNTS_FROM_1
from dcrc_explore.session import SavedSession, Session, SessionError, find_sessions
from dcrc_explore.session.state import State, standardized_name
from dcrc_explore.widgets.controls import Control, differing, menu, putting, text_field
from dcrc_explore.widgets.hosts import event_loop
from dcrc_explore.words import count

_OTHER_ROWS = {"rows are counted from 1": {"first_row": 1}}


class SessionFolder:
    """A folder with sessions.

    Parameters
    ----------
    place : path or None
        The folder, or a file in it; None when nothing is saved.
    any_data : bool, default=False
        Whether sessions on any data are offered at first, because the user has chosen none.

    Attributes
    ----------
    others : list of SavedSession
        All sessions with answers but the one on the screen, the latest first.
    offered : list of SavedSession
        Those that were offered last.
    """

    def __init__(self, place: str | PathLike[str] | None, *, any_data: bool = False) -> None:
        path = None if place is None else Path(place)
        self._folder = path.parent if path is not None and path.suffix == ".json" else path
        self._any_data, self._about = any_data, ""  # the data for which sessions were offered
        self.others: list[SavedSession] = []
        self.offered: list[SavedSession] = []

    def look(self, session: Session, n_before: int) -> tuple[str, list[tuple[str, str]]]:
        """Look for sessions when the data have changed; return the message to show, with buttons.

        It says how to return to the earlier answers, and offers to continue those that are saved for these data.
        """
        offer = self._offer(session)
        if session.state.n_answers:
            return "", []
        back = (
            f"Other points. Undo (Z) brings back the earlier ones with {count(n_before, 'answer')}." if n_before else ""
        )
        return f"{back} {offer}".strip(), [("Continue", "resume"), ("Start over", "dismiss")] if offer else []

    def _offer(self, session: Session) -> str:
        saved = [] if self._folder is None else find_sessions(self._folder)
        self.others = [each for each in saved if each.path != session.file.path]
        name, before = session.dataset.name, self._about
        self._about = name
        if name == before:  # other points of the same kind
            return ""
        names = (name, standardized_name(name))
        self.offered = [each for each in self.others if each.name in names]
        if self._any_data:
            self.offered = self.offered or self.others
        self._any_data = False
        return _question(self.offered) if self.offered else ""


def saved_in_words(saved: SavedSession) -> str:
    """Say what a session holds, and when it was left.

    Examples
    --------
    >>> moment = datetime(2030, 1, 5, 9, 30).astimezone().isoformat()
    >>> saved_in_words(SavedSession(Path("moons-answers.json"), "moons", 12, moment))
    '12 answers on “moons”, 5 Jan 2030 09:30'
    """
    answers = count(saved.n_answers, "answer")
    try:
        moment = datetime.fromisoformat(saved.saved).astimezone()
    except ValueError:
        return f"{answers} on “{saved.name}”"
    return f"{answers} on “{saved.name}”, {moment.day} {moment:%b %Y %H:%M}"


def _question(saved: Sequence[SavedSession]) -> str:
    """Ask whether to continue the latest of some sessions."""
    rest = len(saved) - 1
    others = f" The tab Session lists {'one more' if rest == 1 else f'{rest} more'}." if rest else ""
    return f"Continue where you stopped? {saved_in_words(saved[0])} ({saved[0].path.name}).{others}"


class Loading:
    """The files that were loaded, and the sessions that they replaced.

    Parameters
    ----------
    attach : callable
        Shows a session instead of the one on show.
    """

    def __init__(self, attach: Callable[[Session], None]) -> None:
        self._attach = attach
        self._earlier: list[tuple[str, Session]] = []

    def load(self, path: str | PathLike[str], earlier: Session) -> str:
        """Show the session in a file instead of an earlier one, and say so."""
        loaded = Session.load(path, background=event_loop())
        earlier.steps.guard(loaded.state)
        file, answers = loaded.file, count(loaded.state.n_answers, "answer")
        assert file.path is not None
        text = f"{file.path.name} is loaded, with {answers} on {loaded.dataset.name!r}."
        if earlier.state.n_answers or earlier.history.undo_label:
            self._earlier.append((file.path.name, earlier))
            answers = f", with {count(earlier.state.n_answers, 'answer')}" if earlier.state.n_answers else ""
            saved = f" saved in {earlier.file.path}" if answers and earlier.file.path else ""
            text += f" Undo (Z) leads back to the session before{answers}{saved}."
        self._attach(loaded)
        return f"{text} {file.note}." if file.note else text

    @property
    def label(self) -> str | None:
        """What :meth:`go_back` takes back; None when no file was loaded."""
        return f"loading of {self._earlier[-1][0]}" if self._earlier else None

    def go_back(self, loaded: Session) -> str:
        """Go back to the session before the last file was loaded, and say so."""
        loaded.steps.guard(self._earlier[-1][1].state)
        file, earlier = self._earlier.pop()
        self._attach(earlier)
        return f"Back in the session before {file} was loaded."


@dataclass
class Keeping:
    """Files of sessions: which can be continued, saved and loaded, and answers that are added from a file."""

    load: Callable[[str | PathLike[str]], object]
    saved: Sequence[SavedSession] = ()  # sessions that one can continue with
    chosen: int = 0
    added: str = ""
    readings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # of numbers that can mean two things
    reading: dict[str, Any] = field(default_factory=dict)  # what was chosen of them
    after: State | None = None  # the session with the answers that were added last
    fields: dict[str, str] = field(default_factory=dict)

    def controls(self, session: Session, exports: Iterator[Control]) -> Iterator[Control]:
        """List the controls, with those of exports among them."""
        options = [(n, saved_in_words(each)) for n, each in enumerate(self.saved)] or [(0, "no other session")]
        off, about = not self.saved, "Sessions with answers in this folder, the latest first"
        chosen = min(self.chosen, len(options) - 1)
        yield menu("saved_here", "Saved here", options, chosen, putting(self, "chosen"), off=off, help=about)
        yield Control("resume", "button", "", "Continue", about, do=self._resume, off=off, doing="Reading…")
        about = "Name of a session file, seen from the notebook's folder"
        yield text_field(self.fields, "path", "File", "answers.json", help=about)
        about = "Write data, settings and answers into this file"
        yield Control("save", "button", "", "Save", about, do=self._save)
        about = "Continue with the session in this file"
        yield Control("load", "button", "", "Load", about, do=self._load, doing="Reading…")
        about = (
            "Add the answers in a file: CSV as Export writes it (columns a, b, c, answer and, if known, by), or one of "
            "Salmon, cblearn, or must-links and cannot-links"
        )
        named = text_field(self.fields, "csv", "Add answers", "answers.csv", help=about, enter="add")
        yield replace(named, do=self._name)
        yield Control("add", "button", "", "Add", about, do=lambda s, _: self._add(s), doing="Reading…")
        yield Control("added", "words", value=self.added)
        for n, (words, reading) in enumerate(self.readings.items()):
            about, do = "Read the file in this way", lambda s, _, more=reading: self._add(s, more)
            yield Control(f"reading.{n}", "button", "It means" if n == 0 else "", words, about, do=do, doing="Reading…")
        yield from exports
        about = "Start from K-means instead of the model on the screen; data, settings and answers stay"
        yield Control("refit", "button", "Model", "Fit again from the start", about, do=_refit)
        about = "Remove all answers and names of clusters, set every setting to its default; Undo brings them back"
        off = not session.state.n_answers and not session.state.names and not differing(session)
        yield Control("reset_all", "button", "Reset", "Everything", about, do=_reset_all, off=off)
        yield Control("saved", "words", value=_where(session))

    def _resume(self, _: object, __: object) -> object:
        return self.load(self.saved[min(self.chosen, len(self.saved) - 1)].path)

    def _save(self, session: Session, _: object) -> str:
        return f"Written to {session.save(self.fields.get('path', ''))}"

    def _load(self, _: object, __: object) -> object:
        return self.load(self.fields.get("path", ""))

    def _name(self, _: object, name: str) -> None:
        self.fields["csv"], self.added, self.readings, self.reading = name.strip(), "", {}, {}

    def _add(self, session: Session, chosen: Mapping[str, Any] | None = None) -> None:
        name, odd = self.fields.get("csv", ""), list[str]()
        self.readings, self.reading = {}, {**self.reading, **chosen} if chosen else {}
        if chosen and session.state is self.after:  # they were added in another reading
            session.undo()
        self.after = None
        try:
            if not name:
                raise SessionError("Give the name of a file, such as answers.csv")
            n_added = session.add_csv(name, remark=odd.append, **self.reading)
            self.added = " ".join([f"{count(n_added, 'answer')} added. Undo (Z) takes them back.", *odd])
            self.after, self.readings = session.state, _OTHER_ROWS if COUNTS_FROM_1 in odd else {}
        except AmbiguousAnswers as error:
            self.added, self.readings = f"{error.question}. Nothing was added yet.", error.readings
        except (SessionError, OSError) as error:
            self.added = f"{error}. Nothing was added."


def _reset_all(session: Session, _: object) -> str:
    session.reset(answers=True)
    return "Without answers, with the default settings. Undo (Z) brings everything back."


def _refit(session: Session, _: object) -> str:
    session.refit()
    return "Fitted again from the start. Answers and settings are as they were."


def _where(session: Session) -> str:
    """Say where the session is saved."""
    if session.file.error:
        return session.file.error
    if not session.file.is_active:
        return "Answers are in memory only (autosave=None); Save writes them into a file."
    if session.file.path is None:
        return "Nothing is saved yet; each answer will be saved as soon as it is given."
    return f"Every answer is saved as soon as it is given: {session.file.path}"
