"""The steps that led to the current state, undo and redo, and the observers of each change."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Flag, auto

from dcrc_explore.session.state import SessionError, State

_DEPTH = 1000


# What changed ------------------------------------------------------------------------------------------------------


class Change(Flag):
    """What an event is about."""

    DATA = auto()
    SETTINGS = auto()
    ANSWERS = auto()
    FIT = auto()  # a new model: labels, surface, panels
    BUSY = auto()  # a fit that takes long began, ended or failed: see busy and error of Session.model
    ADVICE = auto()  # Session.search.advice says what to try
    SAVED = auto()  # path or error of Session.file changed; its note may say why


def difference(before: State, after: State) -> Change:
    """Return in what two states differ; names of clusters count as settings."""
    changed = Change.DATA if after.subject is not before.subject else Change(0)
    if after.settings != before.settings or after.names != before.names:
        changed |= Change.SETTINGS
    return changed | Change.ANSWERS if after.log is not before.log else changed


@dataclass(frozen=True)
class Event:
    """What changed, in one go: ``Change.ANSWERS in event.changed``.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> session, events = Session("far", autosave=None), []
    >>> stop = session.observe(events.append)
    >>> session.set(tau=0.5)
    >>> Change.SETTINGS in events[0].changed, Change.ANSWERS in events[0].changed
    (True, False)
    """

    changed: Change


class Observers:
    """Callbacks that get every change."""

    def __init__(self) -> None:
        self._callbacks: list[Callable[[Event], object]] = []

    def add(self, callback: Callable[[Event], object]) -> Callable[[], None]:
        """Call `callback` after each change; returns a function that ends this."""
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback)

    def notify(self, changed: Change) -> None:
        """Call all observers. An error of one becomes a warning, and the others are still called."""
        for callback in tuple(self._callbacks):
            try:
                callback(Event(changed))
            except Exception as error:
                warnings.warn(f"an observer of the session failed: {error!r}", RuntimeWarning, stacklevel=2)


# Steps -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Step:
    """What was done, and the state on its other side."""

    label: str
    state: State
    mergeable: bool = False


class History:
    """The current state, the steps that can be taken back, and those that can be done again.

    Parameters
    ----------
    state : State
        The first one.

    Attributes
    ----------
    state : State
        The current data, settings and answers as one object, which is replaced with each change.
    position : int
        Number of steps that are done and not taken back.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> session = Session("far", autosave=None)
    >>> session.set(tau=0.5)
    >>> session.history.undo_label, session.history.position
    ('tau', 1)
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.position = 0
        self._done: deque[Step] = deque(maxlen=_DEPTH)
        self._undone: deque[Step] = deque()

    def do(self, label: str, state: State, *, merge: bool = False) -> None:
        """Take a step to a state. With `merge` it joins the step before if both have the same label."""
        last = self._done[-1] if self._done else None
        if not (last and merge and last.mergeable and last.label == label):
            self._done.append(Step(label, self.state, merge))
            self.position += 1
        self._undone.clear()
        self.state = state

    @property
    def to_undo(self) -> Step:
        """The step that :meth:`undo` takes back; SessionError when there is none."""
        if not self._done:
            raise SessionError("there is nothing to undo")
        return self._done[-1]

    @property
    def to_redo(self) -> Step:
        """The step that :meth:`redo` does again; SessionError when there is none."""
        if not self._undone:
            raise SessionError("there is nothing to redo")
        return self._undone[-1]

    def undo(self, state: State) -> None:
        """Return to the state before the last step, or to the given one in its place."""
        self._move(self._done, self._undone, state)
        self.position -= 1

    def redo(self, state: State) -> None:
        """Return to the state after the step that was taken back last, or to the given one in its place."""
        self._move(self._undone, self._done, state)
        self.position += 1

    def _move(self, source: deque[Step], target: deque[Step], state: State) -> None:
        step = source.pop()
        target.append(Step(step.label, self.state))
        self.state = state

    @property
    def undo_label(self) -> str | None:
        """What undo would take back, as "answer 24" or "epsilon"; None when there is nothing."""
        return self._done[-1].label if self._done else None

    @property
    def redo_label(self) -> str | None:
        """What redo would bring back; None when there is nothing."""
        return self._undone[-1].label if self._undone else None
