"""A session as a film: the model after each answer, fitted again from the first, or at each EM iteration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from itertools import pairwise

import numpy as np

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.datasets import list_datasets
from dcrc_explore.metrics import align_clusters
from dcrc_explore.page import Film, Recording
from dcrc_explore.plane import View
from dcrc_explore.session.answers import GivenAnswer
from dcrc_explore.session.describe import describe
from dcrc_explore.session.exploration import Exploration
from dcrc_explore.session.figures import as_planes
from dcrc_explore.session.fit import Fit, Plane
from dcrc_explore.session.inspection import explain_point
from dcrc_explore.session.labels import said
from dcrc_explore.session.pair import Pair
from dcrc_explore.session.reasons import why
from dcrc_explore.session.session import Session
from dcrc_explore.session.story import asserts, kept, moves
from dcrc_explore.words import count

_MOST_FRAMES = 200
_MOST_LABELS = 1_000_000  # of all points in all frames
_MOST_CELLS = 1_200_000  # of the maps of all frames, for curved boundaries
_Progress = Callable[[float], object]  # told which share is done
_MEASURES = {"F": "pairwise_f", "ARI": "ari", "NMI": "nmi", "acc.": "accuracy"}


def record(session: Session, plane: Plane = None, progress: _Progress = lambda share: None) -> Recording:
    """Fit the answers again, one after another with the current settings; the last frame is the session's own fit."""
    steps, view = _steps(session, len(session.answers)), _view(session, plane)
    return _recording(session, "answers", steps, view, _film_of_answers(session, session, steps, view, progress))


def record_pair(
    pair: Pair, plane: Plane | tuple[View, View] = None, progress: _Progress = lambda share: None
) -> Recording:
    """Fit the answers again, one after another, with the settings of both models."""
    session, steps = pair.first, _steps(pair.first, len(pair.first.answers), n_films=2)
    first, second = (
        "; ".join(f"{each.setting}: {getattr(each, side)}" for each in pair.differences) or f"The {side}"
        for side in ("first", "second")
    )
    views = (None, None) if plane is None else as_planes(pair, plane)
    films = (
        _film_of_answers(session, session, steps, views[0], lambda share: progress(share / 2), first),
        _film_of_answers(pair.second, session, steps, views[1], lambda share: progress((1 + share) / 2), second),
    )
    return _recording(session, "answers", steps, views[0], *films)


def record_iterations(session: Session, plane: Plane = None, progress: _Progress = lambda share: None) -> Recording:
    """Record the EM iterations of the latest fit, from the initialisation on."""
    objective = session.objective
    steps = _steps(session, len(objective) - 1)
    fits = [session.replay(t) for t in steps]
    progress(0.5)
    view = _view(session, plane)
    told = [_told_iteration(session, fits, f, t, _where(session, view)) for f, t in enumerate(steps.tolist())]
    terms = {name: values[steps].tolist() for name, values in objective.terms().items()}
    return _recording(session, "iterations", steps, view, _film(session, fits, told, view, terms=terms))


def _view(session: Session, plane: Plane) -> View | None:
    """Return the plane of a film, None for that of the data."""
    return None if plane is None else session.plane(plane, last=session.plane())


def _steps(session: Session, last: int, n_films: int = 1) -> IntArray:
    """Choose the frames: all, or as many as a page holds."""
    most = min(_MOST_FRAMES, max(_MOST_LABELS // (n_films * len(session.dataset.X)), 2))
    return np.unique(np.linspace(0, last, most + 1).astype(int))


def _recording(session: Session, frames: str, steps: IntArray, view: View | None, *films: Film) -> Recording:
    dataset, seen = session.dataset, session.plane() if view is None else view
    heard = steps if frames == "answers" else np.full(len(steps), len(session.answers))
    return Recording(
        name=list_datasets()[dataset.name].title if session.is_generated else dataset.name,
        about=[*_about(session), *([] if view is None else [view.describe()])],
        points=seen.points,
        extent=seen.extent,
        classes=None if dataset.y is None else [dataset.class_names[y] for y in dataset.y],
        triplets=session.triplets,
        surprise=[given.surprise for given in session.answers],
        pairs=session.pairs,
        pair_steps=np.array([_pairs_heard(session, step) for step in heard.tolist()]),
        frames="answers" if frames == "answers" else "iterations",
        steps=steps,
        items=dataset.items,
        films=films,
    )


def _film_of_answers(
    shown: Exploration, session: Session, steps: IntArray, view: View | None, progress: _Progress, title: str = ""
) -> Film:
    film = Session(session.dataset, autosave=None, **asdict(shown.settings))
    if not len(session.answers):  # pairs alone are heard in the one frame that there is
        _hear(film, session, 0, 0)
    fits, quality = [film.fit], film.quality[-1:]
    for before, after in pairwise(steps):
        progress(len(fits) / len(steps))
        _hear(film, session, before, after)
        fits.append(film.fit)
        quality += film.quality[-1:]
    # Colours are those that the model has at its end, which is shown as it is there.
    order = np.argsort(align_clusters(shown.fit.proba, fits[-1].proba))
    fits[-1] = shown.fit
    orders = [order] * (len(fits) - 1) + [np.arange(shown.settings.n_clusters)]
    labels = [np.argsort(order)[fit.labels] for fit, order in zip(fits, orders, strict=True)]
    told = [_told(session, fit, labels, f, steps, _where(session, view)) for f, fit in enumerate(fits)]
    measured = {name: [getattr(each, field) for each in quality] for name, field in _MEASURES.items()}
    return _film(shown, fits, told, view, orders=orders, title=title, quality=measured if quality else None)


def _hear(film: Session, session: Session, before: int, after: int) -> None:
    """Give the answers from one number to another, as their givers, after the pairs that came before them."""
    answers, pairs, heard = session.answers, session.pair_answers, len(film.pair_answers)
    so_far = _pairs_heard(session, after)
    if so_far > heard:
        new = pairs.pairs[heard:so_far]
        film.add_pairs(new.indices, new.answers, by=pairs.givers[heard:so_far])
    said = answers.triplets[before:after]
    film.add(said.indices, said.answers, by=answers.givers[before:after])


def _pairs_heard(session: Session, n_answers: int) -> int:
    """Count the answers about pairs that came before the last of the first so many answers; all of them at the end."""
    answers, pairs = session.answers, session.pair_answers
    if n_answers >= len(answers):
        return len(pairs)
    return sum(time <= answers.times[n_answers - 1] for time in pairs.times) if n_answers else 0


def _film(
    shown: Exploration,
    fits: Sequence[Fit],
    told: Sequence[str],
    view: View | None,
    *,
    orders: Sequence[IntArray] | None = None,
    title: str = "",
    quality: dict[str, list[float]] | None = None,
    terms: dict[str, list[float]] | None = None,
) -> Film:
    K = shown.settings.n_clusters
    # In its own plane every model is linear, seen in the middle of what is not seen.
    plane = not shown.is_projected if view is None else view.kind == "model"
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
        told=told,
        why=[why(explain_point(shown, i), k, shown.cluster_name) for i, k in enumerate(labels)],
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
        return None if shown.is_projected else shown.points
    return view.points if view.kind == "model" else None


def _told(
    session: Session, fit: Fit, labels: Sequence[IntArray], f: int, steps: IntArray, points: FloatArray | None
) -> str:
    if f == 0:
        M = len(fit.pairs)
        heard = f"{count(M, 'answer')} about pairs."
        return heard if M else "No answers yet: the clusters are where the points are dense."
    before, after = steps[f - 1], steps[f]
    given: GivenAnswer = session.answers[after - 1]
    claim = f"{said(given.answer).capitalize()}: {asserts(given.answer, fit.n_clusters)}."
    first = claim if after - before == 1 else f"{after - before} more answers."
    moved = moves(labels[f - 1], labels[f], points, session.cluster_name)
    return f"{first} {moved} {kept(~fit.violated, fit.kept_by_q)}"


def _told_iteration(session: Session, fits: Sequence[Fit], f: int, t: int, points: FloatArray | None) -> str:
    fit, bound = fits[f], session.objective.bound[t]
    first = "Where this fit starts." if f == 0 else moves(fits[f - 1].labels, fit.labels, points, session.cluster_name)
    held = f" {kept(~fit.violated, fit.kept_by_q)}" if len(fit.triplets) else ""
    return f"{first}{held} The bound is {bound:.3f}."
