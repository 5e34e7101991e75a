"""An exploration as figures."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.palette import MUTED
from dcrc_explore.plane import View
from dcrc_explore.session.fit import MEASURES, Fit, Plane
from dcrc_explore.session.state import SessionError

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure
    from dcrc_explore.session.comparison import Pair
    from dcrc_explore.session.session import Session


def figure(
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
    """Return a matplotlib figure of the canvas or of a panel: see :meth:`Session.figure`."""
    from dcrc_explore import plotting  # needs matplotlib, which a session without figures does not

    if panel not in PANELS:
        raise SessionError(f"panel must be one of {', '.join(PANELS)}, got {panel!r}")
    fit = session.fit if iteration is None else session.model.trace.replay(iteration)
    size, draw = PANELS[panel]
    picture, ax = plotting.new_figure(size)
    if draw is not None:
        draw(plotting, session, fit, iteration, ax)
        return picture
    view = fit.view(plane, last=fit.view())
    grid = fit.surface() if plane is None else fit.surface(view=view)
    if grid is not None:
        if surface is not None:
            plotting.plot_surface(grid, surface, cluster=cluster, ax=ax)
        plotting.plot_boundaries(grid, ax=ax)
    shown, triplets = _shown(fit, answers), fit.log.triplet_positions
    links, violated = fit.log.triplets[shown[triplets]], fit.violated[triplets][shown[triplets]]
    drawn = plotting.plot_triplets(view.points, links.indices, links.answers, violated=violated, ax=ax)
    halo = fit.entropy / np.log2(fit.n_clusters) if grid is None and surface == "entropy" else None
    rings = fit.truth if truth else None
    dots, cards = view.points, session.dataset.cards
    if items and cards.kind not in ("rows", "texts"):
        rows = plotting.find_room(dots, view.extent, size)
        plotting.plot_items(dots, fit.labels, rows, cards.tile, ax=ax)
        dots = plotting.beside_items(dots, rows, view.extent, size)
    points = plotting.plot_points(dots, fit.labels, entropy=halo, truth=rings, ax=ax)
    ax.set(xlim=view.extent[:2], ylim=view.extent[2:])
    if plane is not None:
        ax.set_xlabel(plotting.plain(fill(view.describe(), 110)), fontsize=7, loc="left", color=MUTED)
    plotting.plot_legend(points, links=drawn, kind=surface, cluster=cluster, ax=ax)
    return picture


def _information(plotting: Any, session: Session, fit: Fit, iteration: int | None, ax: Any) -> None:
    plotting.plot_answer_information(session.model.answer_curves, ax=ax)


def _worth(plotting: Any, session: Session, fit: Fit, iteration: int | None, ax: Any) -> None:
    plotting.plot_information(model=session.model.cluster_curves(fit), ax=ax)


def _objective(plotting: Any, session: Session, fit: Fit, iteration: int | None, ax: Any) -> None:
    objective = session.model.trace.objective
    plotting.plot_objective(objective.terms(), iteration=iteration, softened=objective.softened, ax=ax)


def _quality(plotting: Any, session: Session, fit: Fit, iteration: int | None, ax: Any) -> None:
    quality = session.model.quality
    curves = {name: [getattr(each, field) for each in quality] for name, field in MEASURES.items()}
    plotting.plot_quality([each.n_answers for each in quality], curves, ax=ax)


# Every panel: its size in inches, and what draws it from the plotting module, session, fit, iteration and axes. The
# canvas has more to choose from.
PANELS: dict[str, tuple[tuple[float, float], Callable[..., object] | None]] = {
    "canvas": ((5.6, 5.3), None),
    "information": ((4.6, 3.6), _information),
    "worth": ((4.6, 3.0), _worth),
    "objective": ((4.6, 3.0), _objective),
    "quality": ((4.6, 3.0), _quality),
    "answers": ((3.4, 3.0), lambda plotting, _, fit, __, ax: plotting.plot_answer_table(fit.answer_table, ax=ax)),
    "balance": ((4.6, 3.0), lambda plotting, _, fit, __, ax: plotting.plot_balance(fit.shares, ax=ax)),
}


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
        broken = fit.log.triplets[fit.violated[fit.log.triplet_positions]]
        violated = np.ones(len(broken), dtype=bool)
        plotting.plot_triplets(points, broken.indices, broken.answers, violated=violated, ax=ax)
        halo = fit.entropy / np.log2(fit.n_clusters) if grid is None and surface == "entropy" else None
        plotting.plot_points(points, fit.labels, entropy=halo, ax=ax)
        ax.set(xlim=extent[:2], ylim=extent[2:])
        ax.set_title(f"{order}: {fit.violated.sum()} of {len(fit.log)} answers violated", loc="left", fontsize=10)
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
