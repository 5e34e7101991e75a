"""States, undo and redo."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from dcrc_explore.session.events import Change
from dcrc_explore.session.settings import SessionError
from dcrc_explore.session.state import State

_DEPTH = 1000


@dataclass(frozen=True, eq=False)
class Step:
    """What was done, what it changed, and the state on its other side."""

    label: str
    changed: Change
    state: State
    mergeable: bool = False


class Timeline:
    """The current state, the steps that can be taken back, and those that can be done again.

    Attributes
    ----------
    state : State
        The current one.
    position : int
        Grows by one with each step that is done, and shrinks by one with each that is taken back.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.position = 0
        self._done: deque[Step] = deque(maxlen=_DEPTH)
        self._undone: deque[Step] = deque()

    def do(self, label: str, changed: Change, state: State, *, merge: bool = False) -> None:
        """Go on to a state. With `merge` this joins the step before it when both have the same label."""
        last = self._done[-1] if self._done else None
        if not (last and merge and last.mergeable and last.label == label):
            self._done.append(Step(label, changed, self.state, merge))
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
        """Go back to the state before the last step, or to one that stands for it."""
        step = self._done.pop()
        self._undone.append(Step(step.label, step.changed, self.state))
        self.state, self.position = state, self.position - 1

    def redo(self, state: State) -> None:
        """Go on to the state after the step that was taken back last, or to one that stands for it."""
        step = self._undone.pop()
        self._done.append(Step(step.label, step.changed, self.state))
        self.state, self.position = state, self.position + 1

    @property
    def undo_label(self) -> str | None:
        """Label of the step to undo."""
        return self._done[-1].label if self._done else None

    @property
    def redo_label(self) -> str | None:
        """Label of the step to redo."""
        return self._undone[-1].label if self._undone else None
