"""How a tool begins: with a new session, or with one that is there."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

from numpy.typing import ArrayLike

from dcrc_explore.session import Session
from dcrc_explore.widgets.hosts import event_loop


def new_session(
    data: Any, y: ArrayLike | str | None, items: Any, autosave: str | PathLike[str] | None, settings: Mapping[str, Any]
) -> Session:
    """Begin a session for a view; None is the data that a session has by default."""
    chosen = {} if data is None else {"data": data}
    return Session(**chosen, y=y, items=items, autosave=autosave, background=event_loop(), **settings)


def refuse(given: Mapping[str, Any], by: str = "a session") -> None:
    """Raise when something is given that would be ignored, because a session or a scene has it already."""
    ignored = ", ".join(name for name, value in given.items() if value is not None)
    if ignored:
        raise ValueError(f"{by} has its own data and settings: give either {by} or {ignored}, got both")
