"""What happened, and who is told."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from enum import Flag, auto


class Change(Flag):
    """What an event is about."""

    DATA = auto()
    SETTINGS = auto()
    ANSWERS = auto()
    FIT = auto()  # a new model: labels, surface, panels
    BUSY = auto()  # a fit that takes long began, ended or failed: see Session.busy and Session.fit_error
    ADVICE = auto()  # Session.advice says what to try
    SAVED = auto()  # Session.path or Session.save_error changed; Session.save_note may say why


@dataclass(frozen=True)
class Event:
    """What changed, in one go: ``Change.ANSWERS in event.changed``."""

    changed: Change


class Observers:
    """Whoever wants to be told what changed."""

    def __init__(self) -> None:
        self._callbacks: list[Callable[[Event], object]] = []

    def add(self, callback: Callable[[Event], object]) -> Callable[[], None]:
        """Call `callback` after each change; returns what ends it."""
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback)

    def tell(self, changed: Change) -> None:
        """Call everybody. An error of one becomes a warning; the others go on."""
        for callback in tuple(self._callbacks):
            try:
                callback(Event(changed))
            except Exception as error:
                warnings.warn(f"an observer of the session failed: {error!r}", RuntimeWarning, stacklevel=2)
