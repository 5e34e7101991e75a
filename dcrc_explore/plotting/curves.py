"""Curves side by side; for results that vary from run to run, the mean with its interval."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike
from scipy import stats

from dcrc_explore.plotting import style


def plot_curves(
    x: ArrayLike,
    curves: Mapping[str, ArrayLike],
    *,
    xlabel: str = "answers",
    ylabel: str = "F",
    title: str = "",
    limits: tuple[float, float] = (-np.inf, np.inf),
    ax: Axes | None = None,
) -> list[Line2D]:
    """Draw curves, named at their ends; of several runs the mean, with its 95% interval as a band.

    Parameters
    ----------
    x : array-like of shape (n,)
    curves : mapping of str to array-like of shape (n,) or (n_runs, n)
        With two runs or more. The first curve is drawn strongly.
    xlabel, ylabel, title : str, optional
        By default "answers", "F" and no title.
    limits : tuple of float, optional
        Smallest and largest possible value, where bands end; by default there are none.
    ax : Axes, optional

    Examples
    --------
    >>> lines = plot_curves([0, 10, 20], {"soft": [[0.6, 0.7, 0.9], [0.6, 0.8, 0.8]]})
    >>> lines[0].get_ydata().round(2)
    array([0.6 , 0.75, 0.85])
    """
    ax = style.axes(ax, (4.6, 3.0))
    lines = []
    for place, (name, values) in enumerate(curves.items()):
        values = np.atleast_2d(np.asarray(values, dtype=float))
        mean, n_runs = values.mean(axis=0), len(values)
        lines += ax.plot(x, mean, label=name, **style.line_style(place))
        if n_runs > 1:
            width = stats.t.ppf(0.975, n_runs - 1) * stats.sem(values, axis=0)
            colour = lines[-1].get_color()
            low, high = np.clip([mean - width, mean + width], *limits)
            ax.fill_between(np.asarray(x), low, high, color=colour, alpha=0.15, linewidth=0)
    ax.set(xlabel=xlabel, ylabel=ylabel)
    style.name_lines(ax, lines)
    style.panel(ax, title)
    return lines
