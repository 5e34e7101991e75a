"""Files of sessions that are loaded one after another, and the way back from them."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike

from dcrc_explore.session import Session
from dcrc_explore.widgets.hosts import event_loop
from dcrc_explore.words import count


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

    def go_back(self) -> str:
        """Go back to the session before the last file was loaded, and say so."""
        file, earlier = self._earlier.pop()
        self._attach(earlier)
        return f"Back in the session before {file} was loaded."
