"""What all figures have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from sklearn.isotonic import IsotonicRegression

from dcrc_explore.palette import INK, LINE, MUTED, cluster_colour

_DASHES: Sequence[Any] = ("--", (0, (1, 1)), "-.", (0, (5, 1, 1, 1, 1, 1)))
# Smallest distance between two names at the ends of lines, as a share of the axes' height.
_NAME_HEIGHT = 0.1


def axes(ax: Axes | None, size: tuple[float, float]) -> Axes:
    """Return `ax`, or that of a new figure of this size in inches."""
    return plt.subplots(figsize=size, layout="constrained")[1] if ax is None else ax


def new_figure(size: tuple[float, float]) -> tuple[Figure, Axes]:
    """Return a figure with one axes, of this size in inches, that pyplot neither shows nor keeps.

    Examples
    --------
    >>> figure, ax = new_figure((4, 3))
    >>> ax.figure is figure
    True
    """
    figure = Figure(figsize=size, layout="constrained")
    return figure, figure.add_subplot()


def plain(text: str) -> str:
    r"""Return a text so that it is drawn literally: between dollars matplotlib expects formulas.

    Examples
    --------
    >>> plain("price in $")
    'price in \\$'
    """
    return text.replace("$", r"\$")


def plane(ax: Axes) -> None:
    """Take the numbers off the axes of the plane: positions matter there, units do not."""
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_color(LINE)


def panel(ax: Axes, title: str) -> None:
    """Give a curve's axes a title, and quiet lines."""
    ax.set_title(title, loc="left", fontsize=10, fontweight="bold", color=INK)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(MUTED)
    ax.tick_params(colors=MUTED, labelsize=9, length=3)
    for axis in (ax.xaxis, ax.yaxis):
        axis.label.set(color=MUTED, fontsize=10)


def integers(ax: Axes, **properties: Any) -> None:
    """Set an axes' properties, and count along x."""
    ax.set(**properties)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def line_style(place: int) -> dict[str, Any]:
    """Look of the main line (place 0) and of the lines beside it, which differ in colour and in dashes."""
    if place == 0:
        return {"color": INK, "linewidth": 2.0, "zorder": 3}
    return {"color": cluster_colour(place - 1), "linewidth": 1.3, "linestyle": _DASHES[(place - 1) % len(_DASHES)]}


def name(ax: Axes, text: str, x: float, y: float, *, coordinates: Any, offset: tuple[float, float], color: Any) -> None:
    """Write a small name beside a place."""
    ax.annotate(
        text,
        (x, y),
        xycoords=coordinates,
        xytext=offset,
        textcoords="offset points",
        va="center",
        fontsize=9,
        color=color,
        annotation_clip=False,
    )


def name_lines(ax: Axes, lines: Sequence[Line2D]) -> None:
    """Name each line at the right edge, at the height where it ends, without letting the names overlap."""
    ends = [float(np.asarray(line.get_ydata(), dtype=float)[-1:].sum()) for line in lines]
    drawn = sorted(((end, n) for n, end in enumerate(ends) if np.isfinite(end)))
    if not drawn:
        return
    low, high = ax.get_ylim()
    heights, order = (np.array(values) for values in zip(*drawn, strict=True))
    # The nearest heights that keep their distance: an isotonic regression after the distances are taken away.
    offsets = _NAME_HEIGHT * (high - low) * np.arange(len(heights))
    heights = IsotonicRegression().fit_transform(offsets, heights - offsets) + offsets
    for height, n in zip(heights, order, strict=True):
        text, color = str(lines[n].get_label()), lines[n].get_color()
        name(ax, text, 1, height, coordinates=("axes fraction", "data"), offset=(4, 0), color=color)
