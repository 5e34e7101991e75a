"""How a tool begins: with a new session, or with one that is there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from os import PathLike
from typing import Any

from numpy.typing import ArrayLike

from dcrc_explore.session import Session


def new_session(
    data: Any, y: ArrayLike | str | None, items: Any, autosave: str | PathLike[str] | None, settings: Mapping[str, Any]
) -> Session:
    """Begin a session for a view; None is the data that a session has by default."""
    chosen = {} if data is None else {"data": data}
    return Session(**chosen, y=y, items=items, autosave=autosave, background=event_loop(), **settings)


def refuse(given: Mapping[str, Any]) -> None:
    """Raise when something is given that would be ignored, because a session has it already."""
    ignored = ", ".join(name for name, value in given.items() if value is not None)
    if ignored:
        raise ValueError(f"a session has its own data and settings: give either a session or {ignored}, got both")


def event_loop() -> Callable[[Callable[[], None]], object] | None:
    """Where a long fit hands its result over: the kernel's event loop, when there is one."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return None

    def deliver(function: Callable[[], None]) -> None:
        try:
            loop.call_soon_threadsafe(function)
        except RuntimeError:  # it has ended, as that of a page that was closed
            function()

    return deliver
