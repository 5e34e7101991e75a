"""Why a model does what it does: where two disagree, a point explained, epsilon swept, planted errors found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, Normalize, to_rgb
from matplotlib.container import BarContainer
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from dcrc_explore.inspection import Comparison, Disagreement, Explanation, Recovery, SweepPoint
from dcrc_explore.palette import (
    ACCENT,
    ANSWER_COLOURS,
    FIRST_UNSURE,
    INK,
    LINE,
    MUTED,
    SECOND_UNSURE,
    VIOLATED,
    cluster_colour,
)
from dcrc_explore.plotting import style
from dcrc_explore.plotting.plane import plot_points

_APART = LinearSegmentedColormap.from_list("apart", [FIRST_UNSURE, "#ffffff", SECOND_UNSURE])
# Smaller differences of entropy than this, in bits, do not fill the colour scale.
_SMALLEST_SCALE = 0.05
_PAPER_EPSILONS = (0.05, 0.15)


def plot_disagreement(
    points: ArrayLike,
    comparison: Comparison,
    disagreement: Disagreement | None = None,
    *,
    kind: str = "entropy",
    ax: Axes | None = None,
) -> AxesImage | None:
    """Draw where two models disagree: a map, which is returned, and the points that change their cluster.

    The map shows entropy (purple: the second is less certain, orange: the first) or places that change their cluster.
    Points that do have the marker of the second model in a ring of the first one's colour.

    Examples
    --------
    >>> from dcrc_explore.inspection import compare
    >>> both = compare([[0.9, 0.1], [0.4, 0.6]], [[0.9, 0.1], [0.6, 0.4]])
    >>> plot_disagreement([(0, 0), (1, 1)], both) is None
    True
    """
    if kind not in ("entropy", "changed"):
        raise ValueError(f"kind must be 'entropy' or 'changed', got {kind!r}")
    ax = style.axes(ax, (5.6, 5.0))
    points, (before, after), changed = np.asarray(points, dtype=float), comparison.labels, comparison.changed
    image = None
    if disagreement is not None:
        options: dict[str, Any] = {"extent": disagreement.extent, "origin": "lower", "aspect": "auto", "zorder": 0}
        if kind == "entropy":
            most = max(float(np.abs(disagreement.entropy_difference).max()), _SMALLEST_SCALE)
            image = ax.imshow(
                disagreement.entropy_difference,
                cmap=_APART,
                norm=Normalize(-most, most),
                interpolation="bilinear",
                **options,
            )
        else:
            white, red = np.ones(3), np.array(to_rgb(VIOLATED))
            image = ax.imshow(
                np.where(disagreement.changed[..., None], 0.65 * white + 0.35 * red, white),
                interpolation="nearest",
                **options,
            )
        ax.set(xlim=disagreement.extent[:2], ylim=disagreement.extent[2:])
    x, y = points.T
    ax.scatter(x[~changed], y[~changed], s=14, c=MUTED, edgecolors="white", linewidths=0.5, zorder=3)
    if changed.any():
        rings = [cluster_colour(k) for k in before[changed].tolist()]
        ax.scatter(x[changed], y[changed], s=120, facecolors="white", edgecolors=rings, linewidths=2.0, zorder=3.5)
        for artist in plot_points(points[changed], after[changed], ax=ax):
            artist.set_zorder(4)
    style.plane(ax)
    N = len(points)
    ax.set_title(f"{changed.sum()} of {N} points change cluster", loc="left", fontsize=10, color=INK)
    return image


def plot_explanation(explanation: Explanation, *, name: str = "", ax: Axes | None = None) -> list[BarContainer]:
    """Draw how q(y) of a point comes about: F(y) answer by answer, alpha^F(y), and its product with P(y|x).

    Parameters
    ----------
    explanation : Explanation
    name : str, optional
        What people call the point; by default its number.
    ax : Axes, optional
        Is divided into four.

    Returns
    -------
    list of BarContainer
        Those of P(y|x), of each answer's part of F(y), of alpha^F(y), and of q(y).

    Examples
    --------
    >>> from dcrc_explore import Triplets
    >>> from dcrc_explore.inspection import explain
    >>> P = [[0.5, 0.5], [0.9, 0.1], [0.2, 0.8]]
    >>> bars = plot_explanation(explain(0, P, P, Triplets([(0, 1, 2)], ["yes"]), epsilon=0.05))
    >>> [f"{bar.get_height():.2f}" for bar in bars[-1]]
    ['0.93', '0.07']
    """
    ax = style.axes(ax, (7.6, 2.6))
    ax.set_axis_off()
    K = len(explanation.proba)
    clusters = np.arange(1, K + 1)
    colours = [cluster_colour(k) for k in range(K)]
    hard = explanation.hard
    F, n_answers = explanation.compatibility, len(explanation.contributions)
    third = "F(y) is largest" if hard else "α$^{F(y)}$, largest = 1"
    titles = ["P(y|x)", "F(y), answer by answer", third, "q(y)"]
    places = ((0.54, 0.2), (0, 0.24), (0.29, 0.18), (0.8, 0.2))
    parts = [ax.inset_axes((left, 0.1, width, 0.7)) for left, width in places]
    bars = [parts[0].bar(clusters, explanation.proba, color=colours, width=0.7)]
    below = np.zeros(K)
    for contribution in explanation.contributions:
        colour = ANSWER_COLOURS[contribution.answer.name.lower()]
        bars.append(
            parts[1].bar(
                clusters, contribution.values, bottom=below, color=colour, width=0.7, edgecolor="white", linewidth=0.8
            )
        )
        if n_answers <= 12:
            names = [f"#{contribution.index + 1}" if v > F.max() / 10 else "" for v in contribution.values.tolist()]
            parts[1].bar_label(bars[-1], names, label_type="center", fontsize=6, color="white")
        below = below + contribution.values
    if not n_answers:
        parts[1].text(0.5, 0.5, "no answers", transform=parts[1].transAxes, ha="center", color=MUTED, fontsize=8)
    bars += [parts[2].bar(clusters, explanation.factor, color=LINE, width=0.7, edgecolor=MUTED, linewidth=0.8)]
    bars += [parts[3].bar(clusters, explanation.q, color=colours, width=0.7)]
    values = (explanation.proba, F, explanation.factor, explanation.q)
    for place, (part, title, value) in enumerate(zip(parts, titles, values, strict=True)):
        most = max(1.0, float(value.max()))
        style.panel(part, "")
        part.set_title(title, fontsize=10, color=INK, loc="left")
        part.set(xticks=clusters, ylim=(0, 1.18 * most), xlim=(0.4, K + 0.6), yticks=[])
        part.spines["left"].set_visible(False)
        for k, number in zip(clusters.tolist(), value.tolist(), strict=True):
            text = ("yes" if number else "no") if hard and place == 2 else f"{number:.2f}"
            part.annotate(text, (k, number), (0, 2), textcoords="offset points", ha="center", fontsize=9, color=INK)
    for left, sign in ((0.265, "→"), (0.505, "×"), (0.77, "=")):
        ax.text(left, 0.4, sign, transform=ax.transAxes, ha="center", fontsize=12, color=MUTED)
    formula = (
        "q(y) ∝ P(y|x) where F(y) is largest, 0 elsewhere, Eq. (14)"
        if hard
        else f"q(y) ∝ α$^{{F(y)}}$ P(y|x), α = 2(1 − ε)/ε = {explanation.alpha:.3g}, Eq. (13)"
    )
    called = name.replace("$", r"\$") or f"x$_{{{explanation.point}}}$"
    ax.set_title(f"{called}:  {formula}", loc="left", fontsize=10, color=INK)
    return bars


def plot_sweep(points: Sequence[SweepPoint], *, epsilon: float | None = None, ax: Axes | None = None) -> list[Line2D]:
    """Draw how a fit changes with epsilon: answers satisfied, mean entropy, agreement; below it EM iterations.

    The paper's epsilons 0.05 and 0.15 are marked, and the current one.

    Examples
    --------
    >>> points = [SweepPoint(0.0, 1.0, 0.2, 0.9, 12), SweepPoint(0.05, 0.9, 0.3, 0.95, 8)]
    >>> [line.get_label() for line in plot_sweep(points, epsilon=0.05)]
    ['satisfied', 'entropy, bit', 'agreement', 'EM iterations']
    """
    ax = style.axes(ax, (4.8, 3.6))
    ax.set_axis_off()
    top, bottom = ax.inset_axes((0, 0.36, 1, 0.64)), ax.inset_axes((0, 0, 1, 0.24))
    x = [point.epsilon for point in points]
    curves = {"satisfied": [p.satisfied for p in points], "entropy, bit": [p.entropy for p in points]}
    if points and points[0].agreement is not None:
        curves["agreement"] = [float(p.agreement or 0) for p in points]
    lines = []
    for place, (name, values) in enumerate(curves.items()):
        lines += top.plot(x, values, marker="o", markersize=2.5, label=name, **style.line_style(place))
    highest = max((max(values, default=1.0) for values in curves.values()), default=1.0)
    top.set(ylim=(0, 1.04 * max(1.0, highest)))
    style.panel(top, "ε from hard to ignored")
    style.name_lines(top, lines)
    lines += bottom.plot(
        x, [p.n_iter for p in points], marker="o", markersize=2.5, color=MUTED, linewidth=1.3, label="EM iterations"
    )
    bottom.set(xlabel="ε, the assumed share of wrong answers", ylim=(0, None))
    style.panel(bottom, "")
    bottom.set_ylabel("EM iter.")
    for part in (top, bottom):
        part.set(xlim=(-0.01, 2 / 3 + 0.01))
        part.set_xticks([0, *_PAPER_EPSILONS, 0.3, 0.45, 2 / 3], ["0", ".05", ".15", ".3", ".45", "2/3"])
        for mark in _PAPER_EPSILONS:
            part.axvline(mark, color=LINE, linestyle="--", linewidth=1.0, zorder=0)
        if epsilon is not None:
            part.axvline(epsilon, color=ACCENT, linewidth=1.4, zorder=1)
    top.tick_params(labelbottom=False)
    return lines


def plot_recovery(recovery: Recovery, *, ax: Axes | None = None) -> list[Line2D]:
    """Draw precision and recall when the most surprising answers are taken as errors; ticks mark the planted ones.

    Examples
    --------
    >>> from dcrc_explore.inspection import recovery
    >>> lines = plot_recovery(recovery([0.1, 5.0, 0.3, 4.0], [False, True, False, False]))
    >>> lines[0].get_ydata().round(2), lines[1].get_ydata()
    (array([1.  , 0.5 , 0.33, 0.25]), array([1., 1., 1., 1.]))
    """
    ax = style.axes(ax, (4.6, 3.0))
    taken = np.arange(1, len(recovery.order) + 1)
    marker = "o" if len(taken) == 1 else None
    lines = [
        ax.plot(taken, values, label=name, marker=marker, **style.line_style(place))[0]
        for place, (name, values) in enumerate([("precision", recovery.precision), ("recall", recovery.recall)])
    ]
    style.integers(ax, xlabel="most surprising answers taken as errors", ylim=(-0.08, 1.05))
    found = taken[recovery.planted]
    lines += ax.plot(
        found, np.full(len(found), -0.04), "|", color=VIOLATED, markersize=7, markeredgewidth=1.6, label="planted"
    )
    if recovery.n_errors:
        ax.axvline(recovery.n_errors, color=MUTED, linestyle=":", linewidth=1.0, zorder=0)
    style.name_lines(ax, lines[:2])
    title = (
        f"Planted errors: {recovery.found} of {recovery.n_errors} among the first {recovery.n_errors}"
        if recovery.n_errors
        else "No planted errors"
    )
    style.panel(ax, title)
    return lines
