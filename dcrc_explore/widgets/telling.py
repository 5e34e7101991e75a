"""What a tool reports by itself: what a search in the background has found, and what went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dcrc_explore.session import Change, Exploration, Session
from dcrc_explore.words import count


class Tell(Protocol):
    """Shows a line over the picture; a button is a label and the message that it sends."""

    def __call__(self, text: str, kind: str = ..., buttons: Sequence[tuple[str, str]] = ...) -> None: ...  # noqa: D102


def tell_better(tell: Tell, changed: Change, session: Exploration, whose: str = "") -> None:
    """Report what a search in the background has found."""
    if Change.FIT in changed and session.model.trace.found:
        points = count(len(session.model.moved), "point")
        better = f"Found a better grouping{whose}, by the model's own measure"
        tell(f"{better}: {points} changed cluster. Undo (Z) goes back.")
    if Change.ADVICE in changed and session.search.advice:
        K = session.search.suggested.get("n_clusters")
        label = f"Use {K} groups" if K else "Try it"
        tell(session.search.advice, buttons=[(label, "follow"), ("Not now", "dismiss")])


def tell_trouble(tell: Tell, changed: Change, session: Session) -> None:
    """Report what a session notes about its file, and a fit that failed in the background."""
    if Change.SAVED in changed and session.file.note:
        tell(session.file.note)
    if Change.SAVED in changed and session.file.error:
        tell(session.file.error, "error")
    if Change.BUSY in changed and session.model.error:
        tell(session.model.error, "error")
