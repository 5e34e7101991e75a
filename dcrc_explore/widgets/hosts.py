"""What is known of the programs that show the tools; ``static/host.js`` has what the browser's half must know.

JupyterLab, Notebook and Voila hand the messages of a widget to a kernel with an event loop. marimo shows one anywidget
in a shadow root, hands messages over in its own thread, and ties the script of a widget to a cell. VS Code and Colab
ask for scripts and styles that come with the widget, for no address of another host and for no message beyond a few
megabytes: ours are one script and one sheet, and a picture has about 70 kB. ipywidgets 7, which Colab has, displays
widgets by a method of its own.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from typing import Any


def is_page() -> bool:
    """Whether the tool is served alone, as a page without code."""
    return os.environ.get("SERVER_SOFTWARE", "").startswith("voila")


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


def this_cell() -> Callable[[], AbstractContextManager[object]]:
    """Return what lets widgets be made later: marimo ties the script of each to a cell, here the one that runs now."""
    if "marimo" in sys.modules:
        from marimo._runtime.context import ContextNotInitializedError, get_context  # it has no public name

        with suppress(ContextNotInitializedError):
            context = get_context()
            if context.cell_id is not None:
                return partial(context.with_cell_id, context.cell_id)
    return nullcontext


def open_door(name: str, receive: Callable[[dict[str, Any]], object]) -> None:
    """Take messages that come as a new comm, where the usual way leads to a page that is gone."""
    try:
        from comm import get_comm_manager
    except ImportError:  # kernels before ipykernel 6.18 have no such detours
        return

    def opened(_: object, message: dict[str, Any]) -> None:
        receive(message["content"]["data"])

    get_comm_manager().register_target(name, opened)
