"""What a tool reports by itself: progress of fits, what a search has found, and what went wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from dcrc_explore.session import Change, Exploration, Session
from dcrc_explore.words import count


class Fits:
    """The fits of the models on show.

    Parameters
    ----------
    send : callable(dict)
        Sends the progress of a fit to the browser.
    """

    def __init__(self, send: Callable[[dict[str, str]], object]) -> None:
        self._send = send
        self._models: tuple[Exploration, ...] = ()
        self._ends: list[Callable[[], None]] = []

    def watch(self, *models: Exploration) -> None:
        """Follow the fits of these models, and of no others."""
        for end in self._ends:
            end()
        self._models, self._ends = models, [each.model.progress.watch(self._notify) for each in models]

    def stop(self) -> str | None:
        """End the fits that run in the background, and say so."""
        going_on = [each for each in self._models if each.model.busy]
        for each in going_on:
            each.model.progress.stop()
        return "The fit was ended before it had converged. The next answer continues from here." if going_on else None

    def _notify(self, iteration: int) -> None:
        # At once, from whatever thread, also while an action holds the picture back.
        self._send({"fitting": f"Fitting… EM iteration {iteration}" if iteration else "Fitting…"})


class Notify(Protocol):
    """Shows a line over the picture; a button is a label and the message that it sends."""

    def __call__(self, text: str, kind: str = ..., buttons: Sequence[tuple[str, str]] = ...) -> None: ...  # noqa: D102


def report_better(notify: Notify, changed: Change, session: Exploration, whose: str = "") -> None:
    """Report what a search in the background has found."""
    if Change.FIT in changed and session.model.trace.found:
        points = count(len(session.model.moved), "point")
        better = f"Found a better grouping{whose}, by the model's own measure"
        notify(f"{better}: {points} changed cluster. Undo (Z) goes back.")
    if Change.ADVICE in changed and session.search.advice:
        K = session.search.suggested.get("n_clusters")
        follow = [(f"Use {K} groups", "follow"), ("Ask what decides", "decide")] if K else [("Try it", "follow")]
        notify(session.search.advice, buttons=[*follow, ("Not now", "dismiss")])


def report_trouble(notify: Notify, changed: Change, session: Session) -> None:
    """Report what a session notes about its file, and a fit that failed in the background."""
    if Change.SAVED in changed and session.file.note:
        notify(session.file.note)
    if Change.SAVED in changed and session.file.error:
        notify(session.file.error, "error")
    if Change.BUSY in changed and session.model.error:
        notify(session.model.error, "error")


def report_second(notify: Notify, changed: Change, second: Exploration) -> None:
    """Report of a second model what a search has found, and a fit that failed."""
    report_better(notify, changed & ~Change.ADVICE, second, " for the second model")
    if Change.BUSY in changed and second.model.error:
        notify(second.model.error, "error")
