"""The sessions on disk that a person can continue, in words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from os import PathLike
from pathlib import Path

from dcrc_explore.session import SavedSession, Session, find_sessions
from dcrc_explore.session.state import standardized_name
from dcrc_explore.words import count


class Shelf:
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


def in_words(saved: SavedSession) -> str:
    """Say what a session holds, and when it was left.

    Examples
    --------
    >>> moment = datetime(2030, 1, 5, 9, 30).astimezone().isoformat()
    >>> in_words(SavedSession(Path("moons-answers.json"), "moons", 12, moment))
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
    return f"Continue where you stopped? {in_words(saved[0])} ({saved[0].path.name}).{others}"
