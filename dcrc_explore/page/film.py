"""A session as a film: the model after each answer, fitted again from the first, or at each EM iteration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.datasets import list_datasets
from dcrc_explore.metrics import align_clusters
from dcrc_explore.page.document import document
from dcrc_explore.page.recording import Film, Recording
from dcrc_explore.plane import View
from dcrc_explore.session.comparison import Exploration, Pair
from dcrc_explore.session.fit import MEASURES, Fit, Plane
from dcrc_explore.session.inspection import explain_point, why
from dcrc_explore.session.saving import absolute
from dcrc_explore.session.session import Session
from dcrc_explore.session.state import SessionError
from dcrc_explore.session.story import asserts, describe, moves, satisfied
from dcrc_explore.words import count

_MOST_FRAMES = 200
_MOST_LABELS = 1_000_000  # of all points in all frames
_MOST_CELLS = 1_100_000  # of the maps of all frames, for curved boundaries
_EXAMPLES = 12  # points of each cluster
_Progress = Callable[[float], object]  # gets the share that is done


def write_film(
    session: Session, path: str | PathLike[str] | None, film: str, plane: Plane, progress: _Progress, *, live: bool
) -> Path:
    """Write the exploration as a page: see :meth:`Export.to_html`."""
    recorders = {"answers": record, "iterations": record_iterations}
    if film not in recorders:
        raise SessionError(f"film must be 'answers' or 'iterations', got {film!r}")
    pages = _live_pages()
    if live:
        if pages is None:
            raise SessionError("a live page shows the tool: pip install 'dcrc-explore[app]'")
        return _write(session, pages.live_page(session), "live", path)
    name = "page" if film == "answers" else "replay"
    onwards = "" if pages is None else pages.code_after_film(session)
    return _write(session, document(recorders[film](session, plane, progress), live=onwards), name, path)


def write_pair(
    pair: Pair, path: str | PathLike[str] | None, plane: Plane | tuple[View, View], progress: _Progress
) -> Path:
    """Write both models as a page: see :meth:`Pair.to_html`."""
    return _write(pair.first, document(record_pair(pair, plane, progress)), "compare", path)


def _write(session: Session, page: str, name: str, path: str | PathLike[str] | None) -> Path:
    if path is None:
        return session.export.write(f"{name}.html", page.encode())
    return session.export.write_to(absolute(path), page.encode())


def _live_pages() -> Any:
    """Return the module that makes them; None where the tool is not installed.

    A live page has the controls of the tool. That is a layer below, so it is loaded by its name.
    """
    installed = all(find_spec(name) for name in ("anywidget", "ipywidgets"))
    return import_module("dcrc_explore.widgets.livepage") if installed else None


def record(
    session: Session, plane: Plane = None, progress: _Progress = lambda share: None, *, frames: int = _MOST_FRAMES
) -> Recording:
    """Fit the answers again, one after another with the current settings; the last frame is the session's own fit.

    With more answers than `frames`, some are fitted together.
    """
    steps, view = _steps(session, len(session.log), frames=frames), _view(session, plane)
    return _recording(session, "answers", steps, view, _film_of_answers(session, session, steps, view, progress))


def record_pair(
    pair: Pair, plane: Plane | tuple[View, View] = None, progress: _Progress = lambda share: None
) -> Recording:
    """Fit the answers again, one after another, with the settings of both models."""
    session, steps = pair.first, _steps(pair.first, len(pair.first.log), n_films=2)
    first, second = (
        "; ".join(f"{each.setting}: {getattr(each, side)}" for each in pair.differences) or f"The {side}"
        for side in ("first", "second")
    )
    views = (None, None) if plane is None else pair.planes(plane)
    films = (
        _film_of_answers(session, session, steps, views[0], lambda share: progress(share / 2), first),
        _film_of_answers(pair.second, session, steps, views[1], lambda share: progress((1 + share) / 2), second),
    )
    return _recording(session, "answers", steps, views[0], *films)


def record_iterations(session: Session, plane: Plane = None, progress: _Progress = lambda share: None) -> Recording:
    """Record the EM iterations of the latest fit, from the initialisation on."""
    objective = session.model.trace.objective
    steps = _steps(session, len(objective) - 1)
    fits = [session.model.trace.replay(t) for t in steps]
    progress(0.5)
    view = _view(session, plane)
    captions = [_iteration_caption(session, fits, f, t, _where(session, view)) for f, t in enumerate(steps.tolist())]
    terms = {name: values[steps].tolist() for name, values in objective.terms().items()}
    return _recording(session, "iterations", steps, view, _film(session, fits, captions, view, terms=terms))


def _view(session: Session, plane: Plane) -> View | None:
    """Return the plane of a film, None for that of the data."""
    return None if plane is None else session.fit.view(plane, session.fit.view())


def _steps(session: Session, last: int, n_films: int = 1, frames: int = _MOST_FRAMES) -> IntArray:
    """Choose the frames: all, or as many as a page holds."""
    most = min(frames, max(_MOST_LABELS // (n_films * len(session.dataset.X)), 2))
    return np.unique(np.linspace(0, last, most + 1).astype(int))


def _recording(session: Session, frames: str, steps: IntArray, view: View | None, *films: Film) -> Recording:
    dataset, seen = session.dataset, session.fit.view() if view is None else view
    return Recording(
        name=list_datasets()[dataset.name].title if session.state.subject.is_generated else dataset.name,
        about=[*_about(session), *([] if view is None else [view.describe()])],
        points=seen.points,
        extent=seen.extent,
        classes=None if dataset.y is None else [dataset.class_names[y] for y in dataset.y],
        log=session.log,
        frames="answers" if frames == "answers" else "iterations",
        steps=steps,
        items=dataset.items,
        films=films,
        names=dataset.names,
    )


def _film_of_answers(
    shown: Exploration, session: Session, steps: IntArray, view: View | None, progress: _Progress, title: str = ""
) -> Film:
    film = Session(session.dataset, autosave=None, **asdict(shown.settings))
    fits, quality, worth = [film.fit], film.model.quality[-1:], [film.model.cluster_curves()]
    for before, after in pairwise(steps):
        progress(len(fits) / len(steps))
        new = session.log[before:after]
        film.add([entry.points for entry in new], [entry.answer for entry in new], by=[entry.by for entry in new])
        fits.append(film.fit)
        quality += film.model.quality[-1:]
        worth.append(film.model.cluster_curves())
    # Colours are those that the model has at its end, which is shown as it is there.
    order = np.argsort(align_clusters(shown.fit.proba, fits[-1].proba))
    fits[-1] = shown.fit
    orders = [order] * (len(fits) - 1) + [np.arange(shown.settings.n_clusters)]
    labels = [np.argsort(order)[fit.labels] for fit, order in zip(fits, orders, strict=True)]
    captions = [_caption(session, fit, labels, f, steps, _where(session, view)) for f, fit in enumerate(fits)]
    measured = {name: [getattr(each, field) for each in quality] for name, field in MEASURES.items()}
    worth[-1] = shown.model.cluster_curves()
    made = _film(shown, fits, captions, view, orders=orders, title=title, quality=measured if quality else None)
    return replace(made, by_answers=film.model.answer_curves, worth=worth)


def _film(
    shown: Exploration,
    fits: Sequence[Fit],
    captions: Sequence[str],
    view: View | None,
    *,
    orders: Sequence[IntArray] | None = None,
    title: str = "",
    quality: dict[str, list[float]] | None = None,
    terms: dict[str, list[float]] | None = None,
) -> Film:
    K = shown.settings.n_clusters
    # In its own plane every model is linear; the hidden features have their mean.
    plane = not shown.state.subject.is_projected if view is None else view.kind == "model"
    orders = orders or [np.arange(K)] * len(fits)
    linear = plane and (view is not None or shown.settings.kernel == "linear")
    resolution = min(50, int((_MOST_CELLS / len(fits) / K) ** 0.5))
    of_model = partial(_weights, view=view) if linear else partial(_scores, resolution=resolution)
    model = np.array([of_model(fit)[order] for fit, order in zip(fits, orders, strict=True)]) if plane else None
    labels = [int(k) for k in shown.fit.labels]
    return Film(
        title=title,
        settings=describe(shown.settings),
        names=list(shown.state.names) or [""] * K,
        truth=shown.fit.truth,
        labels=np.array([np.argsort(order)[fit.labels] for fit, order in zip(fits, orders, strict=True)]),
        weights=model if linear else None,
        scores=None if linear else model,
        entropy=None if plane else np.array([fit.entropy for fit in fits]) / np.log2(K),
        captions=captions,
        why=[why(explain_point(shown, i), k, shown.state.cluster_name) for i, k in enumerate(labels)],
        examples=[shown.fit.gallery(k, _EXAMPLES).certain for k in range(K)],
        quality=quality,
        terms=terms,
    )


def _weights(fit: Fit, view: View | None) -> FloatArray:
    weights = fit.weights if view is None else view.flatten(fit.weights)
    return np.column_stack([weights.coef, weights.intercept])


def _scores(fit: Fit, resolution: int) -> FloatArray:
    surface = fit.surface(resolution)
    assert surface is not None
    return surface.log_proba.astype(np.float64)


def _about(session: Session) -> list[str]:
    N, M = len(session.dataset.X), session.state.n_answers
    sentences = [f"{N} points in {session.settings.n_clusters} clusters, {count(M, 'answer')}."]
    if session.dataset.description:
        text = session.dataset.description
        sentences.append(f"{text[0].upper()}{text[1:].rstrip('.')}.")
    return sentences


def _where(shown: Exploration, view: View | None) -> FloatArray | None:
    """Return where the points are, if boundaries are drawn between them."""
    if view is None:
        return None if shown.state.subject.is_projected else shown.state.subject.points
    return view.points if view.kind == "model" else None


def _caption(
    session: Session, fit: Fit, labels: Sequence[IntArray], f: int, steps: IntArray, points: FloatArray | None
) -> str:
    if f == 0:
        return "No answers yet: the clusters are where the points are dense."
    before, after = steps[f - 1], steps[f]
    entry = session.log[int(after) - 1]
    claim = f"{entry.answer.words.capitalize()}: {asserts(entry.answer, fit.n_clusters, len(entry.points))}."
    first = claim if after - before == 1 else f"{after - before} more answers."
    moved = moves(labels[f - 1], labels[f], points, session.state.cluster_name)
    return f"{first} {moved} {satisfied(~fit.violated, fit.satisfied_by_q)}"


def _iteration_caption(session: Session, fits: Sequence[Fit], f: int, t: int, points: FloatArray | None) -> str:
    fit, bound = fits[f], session.model.trace.objective.bound[t]
    name = session.state.cluster_name
    first = "Where this fit starts." if f == 0 else moves(fits[f - 1].labels, fit.labels, points, name)
    held = f" {satisfied(~fit.violated, fit.satisfied_by_q)}" if fit.log else ""
    return f"{first}{held} The bound is {bound:.3f}."
