"""A picture of a tool for where no kernel runs: saved notebooks, nbconvert's pages, code hosts."""

from __future__ import annotations

import io
from base64 import b64encode
from typing import TYPE_CHECKING

import numpy as np

from dcrc_explore.session import Exploration
from dcrc_explore.words import count

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure

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


def in_words(session: Exploration) -> str:
    """Say what a picture of a session shows, for readers who cannot see it.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> in_words(Session("moons", autosave=None))
    '100 points of the data moons in 2 clusters of ... and ... points, 0 answers'
    """
    fit = session.fit
    *most, last = map(str, np.bincount(fit.labels, minlength=fit.n_clusters))
    sizes = f"{', '.join(most)} and {last}"
    told = f"{len(fit.labels)} points of the data {session.dataset.name} in {fit.n_clusters} clusters of {sizes} points"
    violated, M = int(fit.violated.sum()), len(fit.log)
    told += f", {count(M, 'answer')}"
    return f"{told}, {violated} of them violated by the model" if violated else told
