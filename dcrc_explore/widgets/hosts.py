"""What is known of the programs that show the tools; ``static/host.js`` has what the browser's half must know.

JupyterLab, Notebook and Voila hand the messages of a widget to a kernel with an event loop. marimo shows one anywidget
in a shadow root, hands messages over in its own thread, and ties the script of a widget to a cell. VS Code and Colab
ask for scripts and styles that come with the widget, for no address of another host and for no message beyond a few
megabytes: ours are one script and one sheet, and a picture has about 70 kB. ipywidgets 7, which Colab has, displays
widgets by a method of its own.
"""

from __future__ import annotations

import asyncio
import io
import os
from base64 import b64encode
from collections.abc import Callable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.session import Exploration, Session
from dcrc_explore.words import count

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure


STYLES = (
    *("theme.css", "parts.css", "controls.css", "panels.css", "inspection.css", "layout.css", "items.css"),
    *("people.css", "playing.css", "gallery.css", "compare.css", "zoom.css", "gestures.css", "lecture.css"),
    *("classroom.css", "columns.css", "draw.css"),
)


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


def open_door(name: str, receive: Callable[[dict[str, Any]], object]) -> None:
    """Take messages that come as a new comm, where the usual way leads to a page that is gone."""
    try:
        from comm import get_comm_manager
    except ImportError:  # kernels before ipykernel 6.18 have no such detours
        return

    def opened(_: object, message: dict[str, Any]) -> None:
        receive(message["content"]["data"])

    get_comm_manager().register_target(name, opened)


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


_COLOURS = 256  # enough for a map and all clusters, at a third of the bytes


def small_png(figure: Figure, dpi: float) -> str:
    """Draw a figure as a PNG of few colours, in base64.

    Examples
    --------
    >>> from dcrc_explore.plotting import new_figure
    >>> small_png(new_figure((4, 3))[0], 100)[:8]
    'iVBORw0K'
    """
    from PIL import Image  # matplotlib, which drew the figure, needs it too

    pixels, written = io.BytesIO(), io.BytesIO()
    figure.savefig(pixels, format="rgba", dpi=dpi)
    size = int(figure.get_figwidth() * dpi), int(figure.get_figheight() * dpi)
    image = Image.frombuffer("RGBA", size, pixels.getvalue()).convert("RGB")
    # Maximum coverage keeps the colours of a few small points; the default gives their place to shades of the map.
    image.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(written, "png")
    return b64encode(written.getvalue()).decode()


def picture_in_words(session: Exploration) -> str:
    """Say what a picture of a session shows, for readers who cannot see it.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> picture_in_words(Session("moons", autosave=None))
    '100 points of the data moons in 2 clusters of ... and ... points, 0 answers'
    """
    fit = session.fit
    *most, last = map(str, np.bincount(fit.labels, minlength=fit.n_clusters))
    sizes = f"{', '.join(most)} and {last}"
    words = (
        f"{len(fit.labels)} points of the data {session.dataset.name} in {fit.n_clusters} clusters of {sizes} points"
    )
    violated, M = int(fit.violated.sum()), len(fit.log)
    words += f", {count(M, 'answer')}"
    return f"{words}, {violated} of them violated by the model" if violated else words
