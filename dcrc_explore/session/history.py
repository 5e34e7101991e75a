"""Undo and redo."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from dcrc_explore.session.records import Change, SessionError
from dcrc_explore.session.state import State

# Each step holds all answers of its time.
_DEPTH = 1000


@dataclass(frozen=True, eq=False)
class Step:
    """What was done, what it changed, and the state on its other side."""

    label: str
    changed: Change
    state: State
    mergeable: bool = False


class History:
    """The steps that can be taken back, and those that can be done again.

    Attributes
    ----------
    position : int
        Grows by one with each step that is done, and shrinks by one with each that is taken back.
    """

    def __init__(self) -> None:
        self.position = 0
        self._done: deque[Step] = deque(maxlen=_DEPTH)
        self._undone: deque[Step] = deque()

    def record(self, step: Step) -> None:
        """Remember the state before a step. A mergeable step joins the one before it when both have the same label."""
        last = self._done[-1] if self._done else None
        if not (last and step.mergeable and last.mergeable and last.label == step.label):
            self._done.append(step)
            self.position += 1
        self._undone.clear()

    def undo(self, current: State) -> Step:
        """Return the step to take back; `current` will be on its other side."""
        step = self._move(self._done, self._undone, current, "undo")
        self.position -= 1
        return step

    def redo(self, current: State) -> Step:
        """Return the step to do again."""
        step = self._move(self._undone, self._done, current, "redo")
        self.position += 1
        return step

    @staticmethod
    def _move(source: deque[Step], target: deque[Step], current: State, name: str) -> Step:
        if not source:
            raise SessionError(f"there is nothing to {name}")
        step = source.pop()
        target.append(Step(step.label, step.changed, current))
        return step

    @property
    def undo_label(self) -> str | None:
        """Label of the step that :meth:`undo` would return."""
        return self._done[-1].label if self._done else None

    @property
    def redo_label(self) -> str | None:
        """Label of the step that :meth:`redo` would return."""
        return self._undone[-1].label if self._undone else None
