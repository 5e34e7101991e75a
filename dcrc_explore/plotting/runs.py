"""Results that vary from run to run: the mean, and how sure it is."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike
from scipy import stats

from dcrc_explore.plotting import style


def plot_runs(
    x: ArrayLike,
    runs: Mapping[str, ArrayLike],
    *,
    xlabel: str = "answers",
    ylabel: str = "F",
    title: str = "",
    ax: Axes | None = None,
) -> list[Line2D]:
    """Draw the mean over runs with its 95% interval as a band; the first curve is drawn strongly.

    Parameters
    ----------
    x : array-like of shape (n,)
    runs : mapping of str to array-like of shape (n_runs, n)
        At least two runs per name.
    xlabel, ylabel, title : str
    ax : Axes, optional

    Examples
    --------
    >>> lines = plot_runs([0, 10, 20], {"soft": [[0.6, 0.7, 0.9], [0.6, 0.8, 0.8]]})
    >>> lines[0].get_ydata().round(2)
    array([0.6 , 0.75, 0.85])
    """
    ax = style.axes(ax, (4.6, 3.0))
    lines = []
    for place, (name, values) in enumerate(runs.items()):
        values = np.asarray(values, dtype=float)
        mean, n_runs = values.mean(axis=0), len(values)
        width = stats.t.ppf(0.975, n_runs - 1) * stats.sem(values, axis=0)
        lines += ax.plot(x, mean, label=name, **style.line_style(place))
        ax.fill_between(np.asarray(x), mean - width, mean + width, color=lines[-1].get_color(), alpha=0.15, linewidth=0)
    ax.set(xlabel=xlabel, ylabel=ylabel)
    style.name_lines(ax, lines)
    style.panel(ax, title)
    return lines
