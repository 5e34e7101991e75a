"""The plane: points, the map under them, boundaries, and answered questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_hex, to_rgb, to_rgba
from matplotlib.contour import QuadContourSet
from matplotlib.image import AxesImage
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from dcrc_explore.constraints import Answer, AnswerLike, as_answers, as_triplets
from dcrc_explore.palette import INK, LINE, MUTED, VIOLATED, cluster_colour, cluster_marker
from dcrc_explore.plane import Surface, grid_axes
from dcrc_explore.plotting import style

_MARKERS = {
    "circle": "o", "triangle": "^", "square": "s", "diamond": "D", "triangle-down": "v", "pentagon": "p", "plus": "P",
    "star": "*", "cross": "X", "hexagon": "h", "triangle-left": "<", "triangle-right": ">",
}  # fmt: skip
# Markers of the same nominal size do not look equally large.
_MARKER_AREA = {"o": 1.0, "s": 0.85, "D": 0.75, "*": 1.6, "P": 1.2, "X": 1.2}
_FIGURE_SIZE = (5.6, 5.0)
# Share of a region's colour in its tint, and of ink where a model knows nothing.
_TINT = 0.13
_SHADE = 0.78
# So many answers are drawn strongly, more of them more faintly.
_INK_OF_LINKS = 10
# More points than this overlap: a sample of them is drawn, always the same, and the picture says so.
_MOST_POINTS = 20_000
# Width of a key of the legend in inches.
_KEY_WIDTH = 1.3


def plot_points(
    points: ArrayLike,
    labels: ArrayLike,
    *,
    truth: ArrayLike | None = None,
    entropy: ArrayLike | None = None,
    size: float = 40.0,
    ax: Axes | None = None,
) -> list[PathCollection]:
    """Draw points by cluster, each with its own colour and marker; of more than 20,000 a sample, with a note.

    Parameters
    ----------
    points : array-like of shape (N, 2)
    labels : array-like of shape (N,)
        Clusters 0, 1, ...
    truth : array-like of shape (N,), optional
        True classes, drawn as rings in the colour of the class.
    entropy : array-like of shape (N,), optional
        Shares of the largest possible entropy, drawn as a dark halo: what the map cannot show when there are more than
        two features.
    size : float, default=40.0
        Area of a marker in square points.
    ax : Axes, optional

    Returns
    -------
    list of PathCollection
        One per cluster that has points, then the rings.

    Examples
    --------
    >>> [artist.get_label() for artist in plot_points([(0, 0), (1, 1), (2, 0)], [0, 1, 1])]
    ['cluster 1 · 1', 'cluster 2 · 2']
    """
    ax = style.axes(ax, _FIGURE_SIZE)
    points, labels = np.asarray(points, dtype=float), np.asarray(labels)
    clusters, counts = np.unique(labels, return_counts=True)
    if len(points) > _MOST_POINTS:
        note = f"{_MOST_POINTS:,} of {len(points):,} points are drawn"
        ax.text(0.99, 0.01, note, transform=ax.transAxes, ha="right", fontsize=7, color=MUTED, zorder=4)
        sample = np.sort(np.random.default_rng(0).choice(len(points), _MOST_POINTS, replace=False))
        points, labels = points[sample], labels[sample]
        truth, entropy = (None if each is None else np.asarray(each)[sample] for each in (truth, entropy))
    if entropy is not None:
        halo = np.zeros((len(points), 4))
        halo[:, :3] = to_rgb(INK)
        halo[:, 3] = _SHADE * np.asarray(entropy)
        ax.scatter(points[:, 0], points[:, 1], s=4.5 * size, c=halo, linewidths=0, zorder=2.5)
    artists = []
    for cluster, count in zip(clusters.tolist(), counts.tolist(), strict=True):
        members = points[labels == cluster]
        marker = _MARKERS[cluster_marker(cluster)]
        artists.append(
            ax.scatter(
                members[:, 0],
                members[:, 1],
                s=size * _MARKER_AREA.get(marker, 1.1),
                marker=marker,
                c=cluster_colour(cluster),
                edgecolors="white",
                linewidths=0.7,
                zorder=3,
                label=f"cluster {cluster + 1} · {count}",
            )
        )
    if truth is not None:
        rings = [cluster_colour(c) for c in np.asarray(truth).tolist()]
        x, y = points.T
        artists.append(ax.scatter(x, y, s=3 * size, facecolors="none", edgecolors=rings, linewidths=1.2, zorder=2.8))
    style.plane(ax)
    return artists


def plot_surface(surface: Surface, kind: str = "entropy", *, cluster: int = 0, ax: Axes | None = None) -> AxesImage:
    """Draw the map under the points: "regions", with "entropy" darker where it is less certain, or P(y = cluster | x).

    Examples
    --------
    >>> surface = Surface.of(lambda X: np.full((len(X), 2), 0.5), (0, 1, 0, 1), resolution=4)
    >>> plot_surface(surface, "regions").get_array().shape
    (4, 4, 3)
    """
    ax = style.axes(ax, _FIGURE_SIZE)
    colours = np.array([to_rgb(cluster_colour(k)) for k in range(len(surface.proba))])
    tints = 1 - _TINT * (1 - colours)
    if kind == "regions":
        image = 1 - 2.2 * _TINT * (1 - colours[surface.regions])
    elif kind == "entropy":
        shade = _SHADE * surface.entropy[..., None] / 255
        image = (1 - shade) * tints[surface.regions] + shade * np.array(to_rgb(INK))
    elif kind == "probability":
        image = 1 - surface.proba[cluster][..., None] / 255 * (1 - colours[cluster])
    else:
        raise ValueError(f"kind must be 'entropy', 'regions' or 'probability', got {kind!r}")
    artist = ax.imshow(image, extent=surface.extent, origin="lower", aspect="auto", interpolation="bilinear", zorder=0)
    style.plane(ax)
    return artist


def plot_boundaries(surface: Surface, *, ax: Axes | None = None) -> list[QuadContourSet]:
    """Draw the decision boundaries as thin lines.

    Examples
    --------
    >>> surface = Surface.of(lambda X: np.eye(2)[(X[:, 0] > 0.5).astype(int)], (0, 1, 0, 1), resolution=8)
    >>> len(plot_boundaries(surface))
    1
    """
    ax = style.axes(ax, _FIGURE_SIZE)
    x, y = grid_axes(surface.extent, len(surface.regions))
    # Logits hardly bend from one cell to the next, where probabilities may jump from 0 to 1: no steps in the lines.
    log_P = surface.log_proba.astype(float)
    artists = []
    # The last cluster borders on the others only, so their boundaries are all.
    for k in range(len(log_P) - 1):
        lead = log_P[k] - np.delete(log_P, k, axis=0).max(axis=0)  # positive where cluster k wins
        if lead.min() < 0 < lead.max():
            artists.append(ax.contour(x, y, lead, levels=[0.0], colors=[INK], linewidths=0.9, zorder=1))
    ax.set(xlim=surface.extent[:2], ylim=surface.extent[2:])
    return artists


def plot_clustering(
    points: ArrayLike,
    labels: ArrayLike,
    surface: Surface | None,
    *,
    kind: str = "entropy",
    title: str = "",
    ax: Axes | None = None,
) -> list[PathCollection]:
    """Draw a clustering of the plane: the map, the boundaries, and the points on top.

    Parameters
    ----------
    points, labels
        As for :func:`plot_points`, whose artists are returned.
    surface, kind
        As for :func:`plot_surface`; None for a plane without a map. For data of many features take points and surface
        of a :class:`~dcrc_explore.plane.View`.
    title : str, default=""
    ax : Axes, optional

    Examples
    --------
    >>> surface = Surface.of(lambda X: np.eye(2)[(X[:, 0] > 0.5).astype(int)], (0, 1, 0, 1), resolution=8)
    >>> len(plot_clustering([(0.1, 0.5), (0.9, 0.5)], [0, 1], surface))
    2
    """
    ax = style.axes(ax, _FIGURE_SIZE)
    if surface is not None:
        plot_surface(surface, kind, ax=ax)
        plot_boundaries(surface, ax=ax)
    ax.set_title(title, fontsize=10, color=INK)
    return plot_points(points, labels, ax=ax)


def plot_legend(
    points: Sequence[PathCollection],
    *,
    links: Mapping[str, LineCollection] | None = None,
    kind: str | None = None,
    cluster: int = 0,
    ax: Axes,
) -> Legend:
    """Explain a picture in its figure: below it the clusters and links that are drawn, above it the scale of its map.

    Examples
    --------
    >>> figure, ax = style.new_figure((4, 4))
    >>> [text.get_text() for text in plot_legend(plot_points([(0, 0), (1, 1)], [0, 1], ax=ax), ax=ax).get_texts()]
    ['cluster 1 · 1', 'cluster 2 · 1']
    """
    clusters: list[Artist] = [artist for artist in points if not str(artist.get_label()).startswith("_")]
    names: list[tuple[Any, str]] = [("solid", "more similar"), ("dashed", "than to"), ("dotted", "don't know")]
    found = {dashes: lines for dashes, lines in (links or {}).items() if len(lines.get_segments())}
    keys: list[Artist] = [
        Line2D([], [], color=INK, linestyle=dashes, linewidth=1, label=name)
        for dashes, name in names
        if dashes in found
    ]
    if any(to_hex(colour) == VIOLATED for lines in found.values() for colour in np.asarray(lines.get_colors())):
        keys.append(Line2D([], [], color=VIOLATED, linewidth=1, label="violated"))
    if kind in ("entropy", "probability"):
        full = to_rgb(INK if kind == "entropy" else cluster_colour(cluster))
        shares = np.linspace(0, _SHADE if kind == "entropy" else 1, 64)[None, :, None]
        scale = ax.inset_axes((0.62, 1.02, 0.22, 0.018))
        scale.imshow((1 - shares) + shares * np.array(full), aspect="auto")
        scale.set(xticks=[], yticks=[])
        scale.spines[:].set_color(LINE)
        low, high = ("certain", "uncertain") if kind == "entropy" else ("0", f"P(y = {cluster + 1})")
        for text, place, side in ((low, -0.03, "right"), (high, 1.03, "left")):
            scale.text(place, 0.4, text, transform=scale.transAxes, ha=side, va="center", fontsize=7, color=MUTED)
    figure = ax.get_figure(root=True)
    assert figure is not None
    most = max(1, int(figure.get_size_inches()[0] / _KEY_WIDTH))
    rows = [part[start : start + most] for part in (clusters, keys) for start in range(0, len(part), most)]
    width = max((len(row) for row in rows), default=1)
    # A legend is filled column by column.
    empty = Line2D([], [], linestyle="none", label=" ")
    handles = [row[column] if column < len(row) else empty for column in range(width) for row in rows]
    return figure.legend(
        handles=handles,
        loc="outside lower left",
        frameon=False,
        fontsize=8,
        ncols=width,
        columnspacing=1,
        handlelength=1.6,
    )


def plot_triplets(
    points: ArrayLike,
    triplets: ArrayLike,
    answers: AnswerLike,
    *,
    violated: ArrayLike | None = None,
    ax: Axes | None = None,
) -> dict[str, LineCollection]:
    """Draw answers as links from x_i: solid to the more similar point, dashed to the other, dotted for don't know.

    Parameters
    ----------
    points : array-like of shape (N, 2)
    triplets : array-like of shape (M, 3)
    answers : array-like of shape (M,)
    violated : array-like of bool, shape (M,), optional
        Answers that the model contradicts; they stand out.
    ax : Axes, optional

    Returns
    -------
    dict of str to LineCollection
        "solid", "dashed" and "dotted".

    Examples
    --------
    >>> links = plot_triplets([(0, 0), (1, 0), (0, 1)], [(0, 1, 2)], ["no"])
    >>> links["solid"].get_segments()[0].tolist()
    [[0.0, 0.0], [0.0, 1.0]]
    """
    ax = style.axes(ax, _FIGURE_SIZE)
    points = np.asarray(points, dtype=float)
    triplets, answers = as_triplets(triplets, len(points)), as_answers(answers)
    alarm = np.zeros(len(triplets), dtype=bool) if violated is None else np.asarray(violated, dtype=bool)
    i, j, k = points[triplets].transpose(1, 0, 2)
    yes, no, dnk = (answers == answer for answer in Answer)
    # An answer of no is an answer of yes with x_j and x_k exchanged.
    near, far = np.where(no[:, None], k, j), np.where(no[:, None], j, k)
    decided = yes | no
    links = {
        "solid": (np.stack([i, near], axis=1)[decided], alarm[decided]),
        "dashed": (np.stack([i, far], axis=1)[decided], alarm[decided]),
        "dotted": (
            np.concatenate([np.stack([i, j], axis=1)[dnk], np.stack([i, k], axis=1)[dnk]]),
            np.tile(alarm[dnk], 2),
        ),
    }
    # However many there are, they take about the same amount of ink.
    counts = (~alarm).sum(), alarm.sum()
    of_satisfied, of_violated = (float(np.clip(_INK_OF_LINKS / max(n, 1), 0.12, 0.8)) for n in counts)
    artists = {}
    for dashes, (segments, alarming) in links.items():
        artists[dashes] = LineCollection(
            list(segments),
            colors=[to_rgba(VIOLATED, of_violated) if a else to_rgba(INK, of_satisfied) for a in alarming],
            linewidths=[0.6 + 0.6 * of_violated if a else 0.4 + 0.6 * of_satisfied for a in alarming],
            linestyles=dashes,
            zorder=2,
        )
        ax.add_collection(artists[dashes])
    style.plane(ax)
    return artists
