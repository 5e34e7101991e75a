"""A session, or two models, as figures."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray
from dcrc_explore.palette import MUTED
from dcrc_explore.plane import Surface, View
from dcrc_explore.plotting.inspection import plot_disagreement
from dcrc_explore.plotting.items import beside_items, find_room, plot_items
from dcrc_explore.plotting.panels import (
    plot_answer_information,
    plot_answer_table,
    plot_balance,
    plot_information,
    plot_objective,
    plot_quality,
)
from dcrc_explore.plotting.plane import plot_boundaries, plot_legend, plot_points, plot_surface, plot_triplets
from dcrc_explore.plotting.style import new_figure, plain
from dcrc_explore.session.fit import MEASURES, Fit, Plane
from dcrc_explore.session.state import SessionError

if TYPE_CHECKING:
    from dcrc_explore.session import Pair, Session


def session_figure(
    session: Session,
    panel: str,
    iteration: int | None,
    surface: str | None,
    cluster: int,
    answers: str,
    truth: bool,
    plane: Plane,
    items: bool,
) -> Figure:
    """Return a figure of the canvas or of a panel: see :meth:`Session.figure`."""
    if panel not in PANELS:
        raise SessionError(f"panel must be one of {', '.join(PANELS)}, got {panel!r}")
    fit = session.fit if iteration is None else session.model.trace.replay(iteration)
    size, draw = PANELS[panel]
    picture, ax = new_figure(size)
    if draw is not None:
        draw(session, fit, iteration, ax)
        return picture
    view = fit.view(plane, last=fit.view())
    grid = fit.surface() if plane is None else fit.surface(view=view)
    links, halo = _under_the_points(fit, view, grid, _shown(fit, answers), surface, ax, cluster)
    dots, cards = view.points, session.dataset.cards
    if items and cards.kind not in ("rows", "texts"):
        rows = find_room(dots, view.extent, size)
        plot_items(dots, fit.labels, rows, cards.tile, ax=ax)
        dots = beside_items(dots, rows, view.extent, size)
    points = plot_points(dots, fit.labels, entropy=halo, truth=fit.truth if truth else None, ax=ax)
    if plane is not None:
        _name_plane(view, ax)
    plot_legend(points, links=links, kind=surface, cluster=cluster, ax=ax)
    return picture


def pair_figure(
    pair: Pair, *, surface: str | None = "entropy", kind: str = "entropy", plane: Plane | tuple[View, View] = None
) -> Figure:
    """Return a figure of two models and of where they disagree: see :meth:`Pair.figure`."""
    picture = Figure(figsize=(14.4, 5.0), layout="constrained")
    axes = picture.subplots(1, 3)
    views = pair.planes(plane)
    points, extent = views[0].points, views[0].extent
    maps: tuple[View | None, View | None] = (None, None) if plane is None else views
    for ax, order, model, view in zip(axes, ("First", "Second"), pair.models, maps, strict=False):
        fit = model.fit
        _, halo = _under_the_points(fit, views[0], fit.surface(view=view), fit.violated, surface, ax)
        plot_points(points, fit.labels, entropy=halo, ax=ax)
        ax.set_title(f"{order}: {fit.violated.sum()} of {len(fit.log)} answers violated", loc="left", fontsize=10)
    plot_disagreement(points, pair.comparison, pair.disagreement(planes=maps), kind=kind, ax=axes[2])
    axes[2].set(xlim=extent[:2], ylim=extent[2:])
    if plane is not None:
        _name_plane(views[0], axes[0])
    picture.suptitle("; ".join(map(str, pair.differences)) or "Same settings", fontsize=11)
    return picture


def _under_the_points(
    fit: Fit, view: View, grid: Surface | None, shown: NDArray[np.bool_], surface: str | None, ax: Any, cluster: int = 0
) -> tuple[Any, FloatArray | None]:
    """Draw map, boundaries and answers; return the answers' artists, and what halos show where there is no map."""
    if grid is not None:
        if surface is not None:
            plot_surface(grid, surface, cluster=cluster, ax=ax)
        plot_boundaries(grid, ax=ax)
    triplets = fit.log.triplet_positions
    links, violated = fit.log.triplets[shown[triplets]], fit.violated[triplets][shown[triplets]]
    drawn = plot_triplets(view.points, links.indices, links.answers, violated=violated, ax=ax)
    ax.set(xlim=view.extent[:2], ylim=view.extent[2:])
    return drawn, fit.entropy / np.log2(fit.n_clusters) if grid is None and surface == "entropy" else None


def _name_plane(view: View, ax: Any) -> None:
    ax.set_xlabel(plain(fill(view.describe(), 110)), fontsize=7, loc="left", color=MUTED)


def _objective(session: Session, fit: Fit, iteration: int | None, ax: Any) -> None:
    objective = session.model.trace.objective
    plot_objective(objective.terms(), iteration=iteration, softened=objective.softened, ax=ax)


def _quality(session: Session, fit: Fit, iteration: int | None, ax: Any) -> None:
    quality = session.model.quality
    curves = {name: [getattr(each, field) for each in quality] for name, field in MEASURES.items()}
    plot_quality([each.n_answers for each in quality], curves, ax=ax)


# Every panel: its size in inches, and what draws it from session, fit, iteration and axes. The canvas has more to
# choose from.
PANELS: dict[str, tuple[tuple[float, float], Callable[..., object] | None]] = {
    "canvas": ((5.6, 5.3), None),
    "information": ((4.6, 3.6), lambda session, _, __, ax: plot_answer_information(session.model.answer_curves, ax=ax)),
    "worth": ((4.6, 3.0), lambda session, fit, _, ax: plot_information(model=session.model.cluster_curves(fit), ax=ax)),
    "objective": ((4.6, 3.0), _objective),
    "quality": ((4.6, 3.0), _quality),
    "answers": ((3.4, 3.0), lambda _, fit, __, ax: plot_answer_table(fit.answer_table, ax=ax)),
    "balance": ((4.6, 3.0), lambda _, fit, __, ax: plot_balance(fit.shares, ax=ax)),
}


def _shown(fit: Fit, answers: str) -> NDArray[np.bool_]:
    last = np.arange(len(fit.log)) == len(fit.log) - 1
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
