"""A session as a film: the model after each answer, fitted again from the first."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from itertools import pairwise

import numpy as np

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.datasets import list_datasets
from dcrc_explore.metrics import align_clusters
from dcrc_explore.page import Recording
from dcrc_explore.session.answers import GivenAnswer
from dcrc_explore.session.describe import describe
from dcrc_explore.session.fit import Fit
from dcrc_explore.session.inspection import explain_point
from dcrc_explore.session.reasons import why
from dcrc_explore.session.session import Session
from dcrc_explore.session.story import asserts, kept, moves, said

_MOST_FRAMES = 200
_MOST_LABELS = 1_000_000  # of all points in all frames
_MOST_CELLS = 1_200_000  # of the maps of all frames, for curved boundaries
_MEASURES = {"F": "pairwise_f", "ARI": "ari", "NMI": "nmi", "acc.": "accuracy"}


def record(session: Session) -> Recording:
    """Fit the answers again, one after another with the current settings; the last frame is the session's own fit."""
    dataset, settings = session.dataset, session.settings
    N, K, M = len(dataset.X), settings.n_clusters, len(session.answers)
    frames = np.unique(np.linspace(0, M, min(_MOST_FRAMES, max(_MOST_LABELS // N, 2)) + 1).astype(int))
    film = Session(dataset, autosave=None, **asdict(settings))
    fits, quality = [film.fit], film.quality[-1:]
    for before, after in pairwise(frames):
        _hear(film, session, before, after)
        fits.append(film.fit)
        quality += film.quality[-1:]
    # Colours are those that the session has at its end, which is shown as it is there.
    order = np.argsort(align_clusters(session.fit.proba, fits[-1].proba))
    fits[-1] = session.fit
    orders = [order] * (len(fits) - 1) + [np.arange(K)]
    labels = np.array([np.argsort(order)[fit.labels] for fit, order in zip(fits, orders, strict=True)])
    plane = not session.is_projected
    linear = plane and settings.kernel == "linear"
    resolution = min(50, int((_MOST_CELLS / len(fits) / K) ** 0.5))
    of_model = _weights if linear else partial(_scores, resolution=resolution)
    model = np.array([of_model(fit)[order] for fit, order in zip(fits, orders, strict=True)]) if plane else None
    return Recording(
        name=list_datasets()[dataset.name].title if session.is_generated else dataset.name,
        about=_about(session),
        settings=describe(settings),
        points=session.points,
        extent=session.extent,
        classes=None if dataset.y is None else [dataset.class_names[y] for y in dataset.y],
        truth=session.fit.truth,
        triplets=session.triplets,
        surprise=[given.surprise for given in session.answers],
        n_clusters=K,
        n_answers=frames,
        labels=labels,
        weights=model if linear else None,
        scores=None if linear else model,
        entropy=None if plane else np.array([fit.entropy for fit in fits]) / np.log2(K),
        told=[_told(session, fit, labels, f, frames) for f, fit in enumerate(fits)],
        why=[why(explain_point(session, i), int(session.fit.labels[i])) for i in range(N)],
        quality={name: [getattr(each, field) for each in quality] for name, field in _MEASURES.items()}
        if quality
        else None,
        items=dataset.items,
    )


def _hear(film: Session, session: Session, before: int, after: int) -> None:
    """Give the answers from one number to another, as their givers, after the pairs that came before them."""
    answers, pairs, heard = session.answers, session.pair_answers, len(film.pair_answers)
    so_far = sum(time <= answers.times[after - 1] for time in pairs.times) if after < len(answers) else len(pairs)
    if so_far > heard:
        new = pairs.pairs[heard:so_far]
        film.add_pairs(new.indices, new.answers, by=pairs.givers[heard:so_far])
    said = answers.triplets[before:after]
    film.add(said.indices, said.answers, by=answers.givers[before:after])


def _weights(fit: Fit) -> FloatArray:
    return np.column_stack([fit.weights.coef, fit.weights.intercept])


def _scores(fit: Fit, resolution: int) -> FloatArray:
    surface = fit.surface(resolution)
    assert surface is not None
    return surface.log_proba.astype(np.float64)


def _about(session: Session) -> list[str]:
    N, M = len(session.dataset.X), len(session.answers)
    sentences = [f"{N} points in {session.settings.n_clusters} clusters, {M} answer{'' if M == 1 else 's'}."]
    if session.dataset.description:
        text = session.dataset.description
        sentences.append(f"{text[0].upper()}{text[1:].rstrip('.')}.")
    return sentences


def _told(session: Session, fit: Fit, labels: IntArray, f: int, frames: IntArray) -> str:
    if f == 0:
        return "No answers yet: the clusters are where the points are dense."
    before, after = frames[f - 1], frames[f]
    given: GivenAnswer = session.answers[after - 1]
    claim = f"{said(given.answer).capitalize()}: {asserts(given.answer, fit.n_clusters)}."
    first = claim if after - before == 1 else f"{after - before} more answers."
    return f"{first} {moves(labels[f - 1], labels[f], session.points)} {kept(~fit.violated, fit.kept_by_q)}"
