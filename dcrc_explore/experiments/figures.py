"""Figures from files of records."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from dcrc_explore.arrays import FloatArray
from dcrc_explore.experiments.records import MEASURES, Record, Summary
from dcrc_explore.experiments.tables import different, ordered, summaries_of, title
from dcrc_explore.palette import INK, LINE, MUTED, VIOLATED, cluster_colour
from dcrc_explore.plotting.style import panel, plain

_MARKERS = "osD^v<>pP*X"
# Between which values a measure lies, and so its intervals.
LIMITS = {"ari": (-0.5, 1.0), "f": (0.0, 1.0), "nmi": (0.0, 1.0), "accuracy": (0.0, 1.0)}


def plot(records: Sequence[Record], measure: str = "ari") -> Figure:
    """Draw the mean of a measure with its 95% confidence interval, one panel per data set.

    Curves over the number of answers where there are several, otherwise one line per method.

    Examples
    --------
    >>> iris = {"experiment": "comparison", "dataset": "iris", "method": "ITML"}
    >>> figure = plot([{**iris, "size": size, "run": 0, "ari": 0.5 + size} for size in (0.1, 0.2)])
    >>> figure.axes[0].get_title(loc="left")
    'Iris'
    """
    summaries = summaries_of(records, measure)
    datasets, methods = ordered(summaries, "dataset"), ordered(summaries, "method")
    curves = len({summary.size for summary in summaries if summary.size}) > 1
    columns = min(len(datasets), 3)
    rows = -(-len(datasets) // columns)
    height = 3.0 if curves else 1.0 + 0.25 * len(methods)
    figure = Figure(figsize=(4.2 * columns, height * rows + 0.8), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, sharey=not curves).ravel()
    limits = LIMITS.get(measure, (0.0, np.inf))
    for ax, dataset in zip(axes, datasets, strict=False):
        mine = [summary for summary in summaries if summary.dataset == dataset]
        (_curves if curves else _dots)(ax, mine, methods, limits)
        panel(ax, plain(title(dataset)))
        (ax.set_ylabel if curves else ax.set_xlabel)(MEASURES[measure])
    for ax in axes[len(datasets) :]:
        ax.remove()
    if curves:
        figure.legend(
            *axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=5, frameon=False, fontsize=9
        )
    words = f"Means of {runs_of(summaries)} with 95% confidence intervals"
    figure.suptitle(words, fontsize=9, color=INK, x=0.01, ha="left")
    return figure


def runs_of(summaries: Iterable[Summary]) -> str:
    """Say how many runs stand behind some means.

    Examples
    --------
    >>> gain = Summary("iris", "ITML", 0.1, runs=10, mean=0.2, half_width=0.07, std=0.1)
    >>> runs_of([gain, gain._replace(runs=5)])
    '5 to 10 runs'
    """
    runs = sorted({s.runs for s in summaries})
    return f"{runs[0]} to {runs[-1]} runs" if len(runs) > 1 else "one run" if runs == [1] else f"{runs[0]} runs"


def numbers_of_runs(summaries: Iterable[Summary]) -> str:
    """Return the number of runs, or the numbers in the order of the sizes.

    Examples
    --------
    >>> gain = Summary("iris", "ITML", 0.1, runs=10, mean=0.2, half_width=0.07, std=0.1)
    >>> numbers_of_runs([gain, gain._replace(size=0.3, runs=5)])
    '10, 5'
    """
    return ", ".join(dict.fromkeys(str(s.runs) for s in sorted(summaries, key=lambda s: s.size)))


def forest(
    summaries: Sequence[Summary], xlabel: str = "difference", *, rows: str = "method", panels: str = "dataset"
) -> Figure:
    """Draw mean differences with their 95% intervals: one panel for each data set, one row for each method.

    The title of a panel has its number of runs in brackets, one for each number of answers if they differ. A filled
    mark differs from zero (p < 0.05 after Holm's correction over the whole figure), a hollow one does not.
    Where a row has several numbers of answers, each has a mark of its own.

    Parameters
    ----------
    summaries : sequence of Summary
        Of differences, as ``summarise(differences(records, "DCRC", "ari"), "ari")`` gives them.
    xlabel : str, default="difference"
    rows : {"method", "dataset"}, default="method"
    panels : {"method", "dataset"}, default="dataset"

    Examples
    --------
    >>> gain = Summary("iris", "ITML", 0.1, runs=10, mean=0.2, half_width=0.07, std=0.1)
    >>> figure = forest([gain, gain._replace(method="LSML", mean=0.05)], "DCRC minus")
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['ITML', 'LSML']
    """
    sure = different(summaries)
    names, columns = ordered(summaries, rows), ordered(summaries, panels)
    sizes = sorted({s.size for s in summaries})
    height = 1.3 + len(names) * max(0.26, 0.13 * len(sizes))
    figure = Figure(figsize=(min(12.0, 1.6 + 2.2 * len(columns)), height), layout="constrained", dpi=150)
    axes = figure.subplots(1, len(columns), squeeze=False, sharex=True, sharey=True)[0]
    for ax, column in zip(axes, columns, strict=True):
        shown = [s for s in summaries if getattr(s, panels) == column]
        draw_forest(ax, shown, names, sizes, sure, rows=rows)
        panel(ax, f"{plain(title(column))} ({numbers_of_runs(shown)})")
        ax.locator_params(axis="x", nbins=4)  # numbers of neighbours must not touch
    figure.supxlabel(f"{xlabel} (runs in brackets)", fontsize=9)
    if len(sizes) > 1:
        marks = [Line2D([], [], color=INK, marker=m, linestyle="") for m, _ in zip(_MARKERS, sizes, strict=False)]
        words = [f"{size:g}{' N' if size <= 1 else ''} answers" for size in sizes]
        figure.legend(marks, words, loc="outside upper right", ncols=len(sizes), frameon=False, fontsize=9)
    return figure


def draw_forest(
    ax: Axes,
    summaries: Iterable[Summary],
    names: Sequence[str],
    sizes: Sequence[float],
    sure: Collection[Summary],
    *,
    rows: str = "method",
) -> None:
    """Draw one panel of :func:`forest`: a row for each name, in it a mark for each of the sizes; `sure` are filled.

    Examples
    --------
    >>> gain = Summary("iris", "ITML", 0.1, runs=10, mean=0.2, half_width=0.07, std=0.1)
    >>> ax = Figure().add_subplot()
    >>> draw_forest(ax, [gain], ["ITML"], [0.1], {gain})
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['ITML']
    """
    spread = np.linspace(-0.27, 0.27, len(sizes)) if len(sizes) > 1 else np.zeros(1)
    ax.axvline(0, color=INK, linewidth=0.8)
    for s in summaries:
        colour = MUTED if s not in sure else cluster_colour(0) if s.mean > 0 else VIOLATED
        ax.errorbar(
            s.mean,
            names.index(getattr(s, rows)) + spread[sizes.index(s.size)],
            xerr=np.nan_to_num(s.half_width),
            marker=_MARKERS[sizes.index(s.size)],
            markersize=4.5,
            markerfacecolor=colour if s in sure else "white",
            color=colour,
            capsize=2,
            linewidth=1.2,
        )
    ax.grid(axis="x", color=LINE, linewidth=0.5)
    ax.set_yticks(range(len(names)), [plain(title(name)) for name in names])
    ax.set_ylim(len(names) - 0.5, -0.5)


def _reach(mean: ArrayLike, half_width: ArrayLike, limits: tuple[float, float]) -> FloatArray:
    """Return how far an interval goes below and above its mean, within what is possible."""
    mean, half_width = np.asarray(mean), np.nan_to_num(half_width)
    low, high = np.clip([mean - half_width, mean + half_width], *limits)
    return np.stack([mean - low, high - mean])


def _curves(ax: Axes, summaries: list[Summary], methods: Sequence[str], limits: tuple[float, float]) -> None:
    for place, method in enumerate(methods):
        points = sorted((s for s in summaries if s.method == method), key=lambda s: s.size)
        if not points:
            continue
        main = method == "DCRC"
        colour, width = (INK, 2.0) if main else (cluster_colour(place), 1.2)
        style: dict[str, Any] = {
            "color": colour,
            "label": plain(method),
            "linewidth": width,
            "zorder": 3 if main else 2,
        }
        if len(points) == 1 and not points[0].size:  # uses no answers: the same everywhere
            ax.axhline(points[0].mean, linestyle=":", **style)
            continue
        mean, half_width = np.array([(s.mean, s.half_width) for s in points]).T
        style |= {"marker": _MARKERS[place % len(_MARKERS)], "markersize": 4, "capsize": 2}
        ax.errorbar([s.size for s in points], mean, yerr=_reach(mean, half_width, limits), **style)
    ax.set_xlabel("answers / N" if max(s.size for s in summaries) <= 1 else "answers")


def _dots(ax: Axes, summaries: list[Summary], methods: Sequence[str], limits: tuple[float, float]) -> None:
    for s in summaries:
        place = methods.index(s.method)
        reach = _reach([s.mean], [s.half_width], limits)
        ax.errorbar(s.mean, place, xerr=reach, color=cluster_colour(place), marker="o", capsize=2)
    ax.set_yticks(range(len(methods)), list(map(plain, methods)))
    ax.set_ylim(len(methods) - 0.5, -0.5)
