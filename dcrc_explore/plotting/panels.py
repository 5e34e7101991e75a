"""The panels: information, objective, quality, answers and balance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.container import BarContainer
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.ticker import PercentFormatter
from numpy.typing import ArrayLike

from dcrc_explore.information import AnswerCurves, ClusterCurves, Expectation, information_curves
from dcrc_explore.palette import ACCENT, ANSWER_COLOURS, INK, LINE, MUTED, cluster_colour
from dcrc_explore.plotting import style

_PANEL_SIZE = (4.6, 3.0)
_SAID = {"yes": "yes", "no": "no", "dnk": "don't know"}


def plot_information(
    n_clusters: int | None = None,
    *,
    model: ClusterCurves | None = None,
    max_clusters: int = 13,
    base: float = 2,
    ax: Axes | None = None,
) -> list[Line2D]:
    """Draw the information of an answer about the clusters over K: the paper's Figure 2, from Eqs. (3), (4) and (5).

    Parameters
    ----------
    n_clusters : int, optional
        The current K, marked; by default that of the model.
    model : ClusterCurves, optional
        The same for a model with its clusters and its noise, as ``session.model.cluster_curves()``, in bits. It is
        drawn strongly, and the paper's curves pale.
    max_clusters : int, default=13
        Largest K drawn.
    base : float, default=2
        Of the logarithm: 2 for bits.
    ax : Axes, optional

    Returns
    -------
    list of Line2D
        Those of :func:`~dcrc_explore.information.information_curves`, then those of the model, then the mark.

    Examples
    --------
    >>> lines = plot_information(n_clusters=3)
    >>> [line.get_label() for line in lines]
    ['2 triplets', '3 pairs', '1 triplet', '1 pair', 'yes/no only', 'K = 3']
    """
    ax = style.axes(ax, _PANEL_SIZE)
    n_clusters = model.n_clusters if n_clusters is None and model is not None else n_clusters
    K = np.arange(2, max(max_clusters, n_clusters or 2) + 1) if model is None else model.clusters
    blue, orange = cluster_colour(0), cluster_colour(1)
    looks = [(blue, "-", 2.0), (orange, "--", 2.0), (blue, "-", 1.1), (orange, "--", 1.1), (MUTED, ":", 1.4)]

    def draw(curves: Mapping[str, ArrayLike], **look: Any) -> list[Line2D]:
        return [
            ax.plot(K, values, color=colour, linestyle=dashes, linewidth=width, label=name, **look)[0]
            for (name, values), (colour, dashes, width) in zip(curves.items(), looks, strict=True)
        ]

    lines = named = draw(information_curves(K, base=base), alpha=1.0 if model is None else 0.3)
    if model is not None:
        named = draw(model.model)
        lines = lines + named
    style.integers(ax, xlabel="number of clusters K", ylabel="bits" if base == 2 else "information", ylim=(0, None))
    style.name_lines(ax, named)
    if n_clusters is not None:
        label = f"K = {n_clusters}"
        lines = [*lines, ax.axvline(n_clusters, color=INK, linestyle=":", linewidth=1.0, label=label)]
        style.name(ax, label, n_clusters, 1, coordinates=("data", "axes fraction"), offset=(4, -5), color=INK)
    style.panel(ax, "Information" if model is None else "Information of an answer, by K")
    return lines


def plot_answer_information(curves: AnswerCurves, *, ax: Axes | None = None) -> list[Line2D]:
    """Draw what questions were worth and how far answers surprised, by answers, and the uncertainty that is left.

    Parameters
    ----------
    curves : AnswerCurves
        As ``session.model.answer_curves``.
    ax : Axes, optional
        The uncertainty, which has a scale of its own, is drawn below its curves, in green.

    Returns
    -------
    list of Line2D
        Surprise, worth and random questions.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> session = Session("close", autosave=None)
    >>> _ = session.answer_by_oracle(5)
    >>> [line.get_label().split()[0] for line in plot_answer_information(session.model.answer_curves)]
    ['surprise', 'worth', 'random']
    """
    ax = style.axes(ax, _PANEL_SIZE)
    looks = [(cluster_colour(2), "--", 1.3), (cluster_colour(0), "-", 2.0), (MUTED, ":", 1.4)]
    n = np.arange(len(curves) + 1)
    lines = [
        ax.plot(n, values, color=colour, linestyle=dashes, linewidth=width, label=f"{name} {values[-1]:.1f}")[0]
        for (name, values), (colour, dashes, width) in zip(curves.curves().items(), looks, strict=True)
    ]
    for t in curves.impossible:
        ax.text(t + 1, 1, "∞", transform=ax.get_xaxis_transform(), ha="center", va="top", color=looks[0][0])
    # The uncertainty has a strip of its own below zero.
    top = max(1.0, 1.05 * max(values[-1] for values in curves.curves().values()))
    style.integers(ax, xlabel="answers", ylabel="bits", ylim=(-0.45 * top, top))
    ax.set_yticks([tick for tick in ax.get_yticks() if 0 <= tick <= top])
    ax.axhline(0, color=LINE, linewidth=1.0)
    style.name_lines(ax, lines)
    left, green = curves.left, ANSWER_COLOURS["yes"]
    strip = ax.inset_axes((0, 0, 1, 0.26), sharex=ax)
    answers = [each.n_answers for each in left]
    strip.fill_between(answers, [each.total for each in left], color=green, alpha=0.3, linewidth=0)
    strip.fill_between(answers, [each.asked for each in left], color=green, alpha=0.7, linewidth=0)
    strip.set_ylim(0, 1.05 * max(each.total for each in left) or 1.0)
    strip.axis("off")
    text = f"left {left[-1].total:.1f}"
    style.name(strip, text, 1, 0.5, coordinates="axes fraction", offset=(4, 0), color=green)
    style.panel(ax, "Information, by answers")
    return lines


def plot_question(expected: Expectation, *, random: float | None = None, ax: Axes | None = None) -> BarContainer:
    """Draw what each answer to a question would tell, what the question is worth, and a random one.

    Parameters
    ----------
    expected : Expectation
        As ``session.questions.expected(points)``.
    random : float, optional
        What a random question is worth: see :func:`~dcrc_explore.information.random_worth`.
    ax : Axes, optional

    Examples
    --------
    >>> from dcrc_explore.information import Expectation
    >>> len(plot_question(Expectation(0.5, 0.25, 0.25, 1.1), random=0.4))
    3
    """
    ax = style.axes(ax, _PANEL_SIZE)
    names = [(answer, name) for answer, name in _SAID.items() if getattr(expected, answer) > 0]
    bits = [expected.surprise(answer) for answer, _ in names]
    bars = ax.barh(
        [name for _, name in names], bits, color=[ANSWER_COLOURS[answer] for answer, _ in names], height=0.55
    )
    labels = [f"{bit:.2f} bit, {getattr(expected, answer):.0%}" for (answer, _), bit in zip(names, bits, strict=True)]
    ax.bar_label(bars, labels, fontsize=8, color=INK, padding=3)
    ax.invert_yaxis()
    ax.axvline(expected.bits, color=cluster_colour(0), linestyle="--", linewidth=1.3)
    if random is not None:
        ax.axvline(random, color=MUTED, linestyle=":", linewidth=1.3)
    ax.set(xlabel="bits", xlim=(0, 1.35 * max(1.2, *bits)))
    style.panel(ax, f"This question: worth {expected.bits:.2f} bit")
    return bars


def plot_objective(
    terms: Mapping[str, ArrayLike], *, iteration: int | None = None, softened: int = 0, ax: Axes | None = None
) -> list[Line2D]:
    """Draw the bound of Eq. (10) by EM iteration, with its terms.

    Parameters
    ----------
    terms : mapping of str to array-like of shape (n_iter + 1,)
        "bound", drawn strongly, and its terms by name; each begins with the initialisation. Infinite values are left
        out, as for hard answers.
    iteration : int, optional
        An iteration to mark on the bound.
    softened : int, default=0
        Number of first entries that belong to a start with a smaller tau; they are shaded.
    ax : Axes, optional

    Examples
    --------
    >>> lines = plot_objective({"bound": [-3, -2, -1.5], "answers": [-2, -1.2, -0.9]}, iteration=1)
    >>> [line.get_label() for line in lines]
    ['bound', 'answers', 'EM 1 of 2']
    """
    ax = style.axes(ax, _PANEL_SIZE)
    others = [term for term in terms if term != "bound"]
    lines = []
    for place, term in enumerate(["bound", *others]):
        values = np.asarray(terms[term], dtype=float)
        lines += ax.plot(np.where(np.isfinite(values), values, np.nan), label=term, **style.line_style(place))
    if softened:
        ax.margins(y=0.15)  # room for the name above the curves
        ax.axvspan(0, softened - 0.5, color=LINE, alpha=0.35, linewidth=0, zorder=0)
        style.name(ax, "smaller τ", 0, 1, coordinates=("data", "axes fraction"), offset=(4, -6), color=MUTED)
    style.integers(ax, xlabel="EM iteration", ylabel="bound and its terms")
    style.name_lines(ax, lines)
    if iteration is not None:
        bound = np.asarray(terms["bound"], dtype=float)
        label = f"EM {iteration} of {len(bound) - 1}"
        lines += ax.plot([iteration], bound[[iteration]], "o", color=ACCENT, markersize=6, zorder=4, label=label)
    style.panel(ax, "Objective")
    return lines


def plot_quality(n_answers: ArrayLike, measures: Mapping[str, ArrayLike], *, ax: Axes | None = None) -> list[Line2D]:
    """Draw agreement with the truth by number of answers; the first measure is drawn strongly.

    Examples
    --------
    >>> lines = plot_quality([0, 10, 20], {"F": [0.6, 0.7, 0.83], "ARI": [0.4, 0.5, 0.7]})
    >>> [line.get_label() for line in lines]
    ['F 0.83', 'ARI 0.70']
    """
    ax = style.axes(ax, _PANEL_SIZE)
    marker = "o" if np.size(n_answers) == 1 else None  # one measurement makes no line
    lines = []
    for place, (measure, values) in enumerate(measures.items()):
        values = np.asarray(values, dtype=float)
        label = f"{measure} {values[-1]:.2f}" if len(values) else measure
        lines += ax.plot(n_answers, values, marker=marker, markersize=4, label=label, **style.line_style(place))
    lowest = min((np.min(values, initial=0.0) for values in measures.values()), default=0.0)
    style.integers(ax, xlabel="answers", ylim=(1.05 * lowest, 1.04))
    style.name_lines(ax, lines)
    style.panel(ax, "Quality")
    return lines


def plot_answer_table(table: ArrayLike, *, ax: Axes | None = None) -> AxesImage:
    """Draw answers given (rows) against answers implied by the model (columns), in the order yes, no, don't know.

    Examples
    --------
    >>> plot_answer_table([[9, 0, 1], [0, 6, 1], [1, 0, 6]]).get_array().shape
    (3, 3, 3)
    """
    ax = style.axes(ax, (3.4, 3.0))
    table = np.asarray(table)
    if table.shape != (3, 3):
        raise ValueError(f"table must have shape (3, 3), got {table.shape}")
    satisfied, violated = (np.array(to_rgb(ANSWER_COLOURS[answer])) for answer in ("yes", "no"))
    colours = np.where(np.eye(3, dtype=bool)[..., None], satisfied, violated)
    # The root keeps a single violated answer visible beside hundreds that are satisfied.
    strength = np.sqrt(table / max(table.max(), 1))[..., None]
    image = 1 - strength * (1 - colours) * 0.9
    image[table == 0] = to_rgb("#f6f8fa")
    artist = ax.imshow(image, aspect="auto")
    for given, implied in np.argwhere(table > 0).tolist():
        ax.text(implied, given, f"{table[given, implied]}", ha="center", va="center", color=INK, fontsize=10)
    names = ["yes", "no", "don't know"]
    ax.set_xticks(range(3), names)
    ax.set_yticks(range(3), names)
    ax.set_xticks([0.5, 1.5], minor=True)
    ax.set_yticks([0.5, 1.5], minor=True)
    ax.grid(which="minor", color="white", linewidth=3)
    ax.set(xlabel="implied by the model", ylabel="given")
    n_satisfied = int(np.trace(table))
    style.panel(ax, f"Answers: {n_satisfied} satisfied, {int(table.sum()) - n_satisfied} violated")
    ax.spines[:].set_visible(False)
    ax.tick_params(which="both", length=0)
    return artist


def plot_balance(shares: ArrayLike, *, ax: Axes | None = None) -> BarContainer:
    """Draw the share of each cluster against 1/K.

    Examples
    --------
    >>> len(plot_balance([0.5, 0.3, 0.2]))
    3
    """
    ax = style.axes(ax, _PANEL_SIZE)
    shares = np.asarray(shares, dtype=float)
    K = len(shares)
    bars = ax.bar(np.arange(1, K + 1), shares, color=[cluster_colour(k) for k in range(K)], width=0.7)
    ax.axhline(1 / K, color=INK, linestyle=":", linewidth=1.0)
    halo = [withStroke(linewidth=3, foreground="white")]  # keeps the line from crossing the number
    ax.bar_label(bars, [f"{share:.0%}" for share in shares], fontsize=8, color=INK, padding=2, path_effects=halo)
    style.name(ax, "1/K", 1, 1 / K, coordinates=("axes fraction", "data"), offset=(3, 0), color=INK)
    style.integers(ax, xlabel="cluster", ylim=(0, max(1.15 * float(shares.max()), 1.5 / K)))
    ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    style.panel(ax, "Balance")
    return bars
