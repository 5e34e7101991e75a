"""Figures of a study: scores with intervals, and one dot for each participant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from dcrc_explore.palette import ACCENT, LINE, MUTED, VIOLATED
from dcrc_explore.plotting import style


def plot_scores(
    names: Sequence[str],
    means: Sequence[float],
    lows: Sequence[float],
    highs: Sequence[float],
    *,
    title: str,
    ax: Axes | None = None,
) -> Axes:
    """Draw one line for each method: its mean as a dot with its interval.

    Examples
    --------
    >>> ax = plot_scores(["without answers", "triplets"], [0.6, 0.8], [np.nan, 0.7], [np.nan, 0.9], title="F")
    >>> ax.get_title("left")
    'F'
    """
    ax = style.axes(ax, (6.4, 0.7 + 0.36 * len(names)))
    rows = np.arange(len(names))
    ax.hlines(rows, lows, highs, color=ACCENT, linewidth=2, alpha=0.5)
    ax.plot(means, rows, "o", color=ACCENT, markersize=6)
    for row, mean in zip(rows, means, strict=True):
        ax.annotate(
            f"{mean:.2f}", (mean, row), xytext=(0, 7), textcoords="offset points", ha="center", fontsize=8, color=MUTED
        )
    ax.set(yticks=rows, yticklabels=[style.plain(name) for name in names], ylim=(len(names) - 0.5, -0.7))
    ax.grid(axis="x", color=LINE, linewidth=0.6)
    style.panel(ax, title)
    return ax


def plot_people(
    names: Sequence[str],
    values: Mapping[str, Sequence[float]],
    failed: Sequence[bool],
    *,
    title: str,
    xlabel: str,
    ax: Axes | None = None,
) -> Axes:
    """Draw one line for each participant with a marker for each value; those who fail controls are marked by colour.

    Examples
    --------
    >>> plot_people(["p1"], {"triplets": [0.3]}, [False], title="Don't know", xlabel="share").get_xlabel()
    'share'
    """
    ax = style.axes(ax, (3.6, 0.9 + 0.24 * len(names)))
    rows = np.arange(len(names))
    colours = [VIOLATED if fails else ACCENT for fails in failed]
    for (label, numbers), marker in zip(values.items(), "o^sD", strict=False):
        ax.scatter(numbers, rows, marker=marker, color=colours, s=28, label=label, alpha=0.85)
    ax.set(yticks=rows, yticklabels=list(names), ylim=(len(names) - 0.4, -0.6), xlabel=xlabel)
    ax.set_xlim(left=0)
    ax.grid(axis="x", color=LINE, linewidth=0.6)
    if len(values) > 1:
        ax.legend(fontsize=7, frameon=False, loc="lower right", bbox_to_anchor=(1, 1), ncols=2, borderaxespad=0.1)
    style.panel(ax, title)
    return ax
