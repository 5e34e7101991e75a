"""An exploration as figures."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.palette import MUTED
from dcrc_explore.plane import View
from dcrc_explore.session.exploration import clear_errors
from dcrc_explore.session.fit import Fit, Plane
from dcrc_explore.session.settings import SessionError

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure
    from dcrc_explore.session.pair import Pair
    from dcrc_explore.session.session import Session


def figure(
    session: Session,
    panel: str = "canvas",
    *,
    iteration: int | None = None,
    surface: str | None = "entropy",
    cluster: int = 0,
    answers: str = "all",
    truth: bool = False,
    plane: Plane = None,
) -> Figure:
    """Return a matplotlib figure of the canvas or of a panel.

    Parameters
    ----------
    session : Session
    panel : {"canvas", "information", "objective", "quality", "answers", "balance"}
    iteration : int, optional
        Show the model at this EM iteration; by default the final one.
    surface : {"entropy", "regions", "probability"} or None
        The map under the points of the canvas.
    cluster : int
        The cluster of the "probability" map.
    answers : {"all", "last", "violated", "last + violated", "none"}
        Which answers are drawn as links.
    truth : bool
        Whether true classes are drawn as rings.
    plane : {"pca", "model"}, pair of features, View or None
        The plane of the canvas, as for :meth:`Session.plane`.
    """
    from dcrc_explore import plotting  # needs matplotlib, which a session without figures does not

    if panel not in _PANELS:
        raise SessionError(f"panel must be one of {', '.join(_PANELS)}, got {panel!r}")
    fit = session.fit if iteration is None else session.replay(iteration)
    picture, ax = plotting.new_figure(_PANELS[panel])
    if panel == "information":
        plotting.plot_information(fit.n_clusters, ax=ax)
    elif panel == "objective":
        objective = session.objective
        plotting.plot_objective(objective.terms(), iteration=iteration, softened=objective.softened, ax=ax)
    elif panel == "quality":
        values = session.quality
        columns = [[quality[column] for quality in values] for column in range(5)]
        plotting.plot_quality(columns[0], dict(zip(("F", "ARI", "NMI", "accuracy"), columns[1:], strict=True)), ax=ax)
    elif panel == "answers":
        plotting.plot_answer_table(fit.answer_table, ax=ax)
    elif panel == "balance":
        plotting.plot_balance(fit.shares, ax=ax)
    else:
        view = fit.view(plane, last=fit.view())
        grid = fit.surface() if plane is None else fit.surface(view=view)
        if grid is not None:
            if surface is not None:
                plotting.plot_surface(grid, surface, cluster=cluster, ax=ax)
            plotting.plot_boundaries(grid, ax=ax)
        shown = _shown(fit, answers)
        links = fit.triplets[shown]
        drawn = plotting.plot_triplets(view.points, links.indices, links.answers, violated=fit.violated[shown], ax=ax)
        halo = fit.entropy / np.log2(fit.n_clusters) if grid is None and surface == "entropy" else None
        rings = fit.truth if truth else None
        points = plotting.plot_points(view.points, fit.labels, entropy=halo, truth=rings, ax=ax)
        ax.set(xlim=view.extent[:2], ylim=view.extent[2:])
        if plane is not None:
            ax.set_xlabel(plotting.plain(fill(view.describe(), 110)), fontsize=7, loc="left", color=MUTED)
        plotting.plot_legend(points, links=drawn, kind=surface, cluster=cluster, ax=ax)
    return picture


def plane(session: Session, plane: Plane = None, *, last: View | None = None) -> View:
    """Return a plane in which the points are seen, whatever the number of features.

    Parameters
    ----------
    session : Session
    plane : {"pca", "model"}, pair of features or None
        "pca": the first two principal components. "model": where the current model tells the clusters apart, with
        boundaries and maps that are exact for up to three clusters. Two features, by number or by name. None: what a
        session draws by itself, the data of two features, or else the principal components.
    last : View, optional
        A plane from before: the new one is turned so that the points stay near to where they were.

    Returns
    -------
    View
        Its `points` are where the points lie, ``session.fit.surface(view=...)`` is the map under them, and
        ``session.figure(plane=...)`` draws both.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> session = Session("iris", autosave=None)
    >>> view = session.plane("model")
    >>> view.points.shape, view.is_exact
    ((150, 2), True)
    >>> session.plane((0, 2)).axes == session.plane(tuple(session.dataset.feature_names[d] for d in (0, 2))).axes
    True
    """
    with clear_errors():
        return session.fit.view(plane, last)


def pair_figure(
    pair: Pair, *, surface: str | None = "entropy", kind: str = "entropy", plane: Plane | tuple[View, View] = None
) -> Figure:
    """Return a figure of two models and of where they disagree; see :meth:`Pair.figure`."""
    from dcrc_explore import plotting

    picture = plotting.Figure(figsize=(14.4, 5.0), layout="constrained")
    axes = picture.subplots(1, 3)
    views = as_planes(pair, plane)
    points, extent = views[0].points, views[0].extent
    maps: tuple[View | None, View | None] = (None, None) if plane is None else views
    for p, order in enumerate(("First", "Second")):
        ax, fit = axes[p], (pair.first, pair.second)[p].fit
        grid = fit.surface(view=maps[p])
        if grid is not None:
            if surface is not None:
                plotting.plot_surface(grid, surface, ax=ax)
            plotting.plot_boundaries(grid, ax=ax)
        broken = fit.triplets[fit.violated]
        violated = np.ones(len(broken), dtype=bool)
        plotting.plot_triplets(points, broken.indices, broken.answers, violated=violated, ax=ax)
        halo = fit.entropy / np.log2(fit.n_clusters) if grid is None and surface == "entropy" else None
        plotting.plot_points(points, fit.labels, entropy=halo, ax=ax)
        ax.set(xlim=extent[:2], ylim=extent[2:])
        ax.set_title(f"{order}: {fit.violated.sum()} of {len(fit.triplets)} answers violated", loc="left", fontsize=10)
    apart = pair.disagreement(planes=maps)
    plotting.plot_disagreement(points, pair.comparison, apart, kind=kind, ax=axes[2])
    axes[2].set(xlim=extent[:2], ylim=extent[2:])
    if plane is not None:
        axes[0].set_xlabel(plotting.plain(fill(views[0].describe(), 110)), fontsize=7, loc="left", color=MUTED)
    picture.suptitle("; ".join(map(str, pair.differences)) or "Same settings", fontsize=11)
    return picture


def as_planes(pair: Pair, plane: Plane | tuple[View, View]) -> tuple[View, View]:
    """Return the planes of two models, which may be given already."""
    if isinstance(plane, tuple) and isinstance(plane[0], View) and isinstance(plane[1], View):
        return plane[0], plane[1]
    return pair.planes(plane)


# Panels with their sizes in inches.
_PANELS = {
    "canvas": (5.6, 5.3),
    "information": (4.6, 3.0),
    "objective": (4.6, 3.0),
    "quality": (4.6, 3.0),
    "answers": (3.4, 3.0),
    "balance": (4.6, 3.0),
}


def _shown(fit: Fit, answers: str) -> NDArray[np.bool_]:
    last = np.arange(len(fit.triplets)) == len(fit.triplets) - 1
    choices = {
        "all": np.ones(len(last), dtype=bool),
        "last": last,
        "violated": fit.violated,
        "last + violated": last | fit.violated,
        "none": np.zeros(len(last), dtype=bool),
    }
    if answers not in choices:
        raise SessionError(f"answers must be one of {', '.join(choices)}, got {answers!r}")
    return choices[answers]
