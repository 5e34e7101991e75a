"""What the browser needs to draw, taken from a session and packed into a few bytes."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import packed
from dcrc_explore.constraints import Answer
from dcrc_explore.palette import cluster_colour, cluster_marker
from dcrc_explore.plane import Surface, View
from dcrc_explore.session import Exploration, Fit, Session
from dcrc_explore.session.story import asserts
from dcrc_explore.widgets.controls import differing
from dcrc_explore.widgets.items import kind_of_items
from dcrc_explore.widgets.people import pack_pairs
from dcrc_explore.widgets.protocol.sent import AnswersSent, MapSent, Options, Picture, Points, Sharp, Status

RESOLUTION = 150
Table = NDArray[np.int32]  # of answers: the points A, B, C, what was said and who said it
Window = Sequence[float]  # of the picture: left, right, bottom, top in shares
_COLOURS = 144  # after so many clusters colour and marker repeat


def pack_points(session: Session) -> Points:
    """Pack positions, names of the true classes and the palette: what stays as long as the data."""
    dataset = session.dataset
    n_features = dataset.X.shape[1]
    note = f"{n_features} features, shown in two (PCA)" if n_features > 2 else "one feature, drawn from left to right"
    return {
        "xy": packed(session.state.subject.points, "float32"),
        "extent": list(session.state.subject.extent),
        "classes": None if dataset.y is None else [dataset.class_names[y] for y in dataset.y],
        "items": kind_of_items(dataset),
        "note": note if session.state.subject.is_projected else "",
        "colours": [cluster_colour(k) for k in range(_COLOURS)],
        "markers": [cluster_marker(k) for k in range(_COLOURS)],
    }


def pack_answers(session: Session, sent: Table) -> tuple[AnswersSent, Table]:
    """Pack the answers that differ from those that were `sent`; return also all of them, five numbers each."""
    log = session.log
    triplets, who = log.triplets, log.givers[log.triplet_positions]
    table = np.column_stack([triplets.indices, triplets.answers, who]).astype(np.int32)
    shared = min(len(table), len(sent))
    differing = np.flatnonzero((table[:shared] != sent[:shared]).any(axis=1))
    start = int(differing[0]) if len(differing) else shared
    return {
        "start": start,
        "rows": packed(table[start:, :4], "int32"),
        "who": packed(table[start:, 4], "uint16"),
    }, table


def pack_picture(session: Exploration, fit: Fit, view: Options, seen: View | None = None) -> Picture:
    """Pack the picture of one fit: labels, map, answers; `view` says which map and whether the truth is shown.

    The points are seen where the data's own plane has them, or in the plane `seen`.
    """
    K, log = fit.n_clusters, session.log
    # During a long fit, answers may be newer than the fit: its labels imply answers to them too.
    violated, by_q = (each[log.triplet_positions] for each in fit.violations(log))
    cluster = min(view["cluster"], K - 1)
    picture: Picture = {
        "clusters": K,
        "names": list(session.state.names) or [""] * K,
        "labels": packed(fit.labels, "uint16"),
        "counts": np.bincount(fit.labels, minlength=K).tolist(),
        "halo": None,
        "truth": packed(fit.truth, "uint16") if view["truth"] and fit.truth is not None else None,
        "violated": packed(violated, "bits"),
        "satisfied_by_q": packed(~by_q, "bits"),
        "pairs": pack_pairs(log, fit),
        "cluster": cluster,
        "regions": None,
    }
    if seen is not None:
        picture["places"] = packed(seen.points, "float32")
        picture["extent"] = list(seen.extent)
        picture["about"] = seen.describe()
    surface = fit.surface(RESOLUTION, seen)
    if surface is None:
        # Without a plane to map, each point carries its own value around it.
        halo = {"entropy": fit.entropy / np.log2(K), "probability": fit.proba[:, cluster]}.get(view["map"])
        picture["halo"] = None if halo is None else packed(np.rint(255 * np.clip(halo, 0, 1)), "uint8")
    else:
        picture = {**picture, **pack_map(surface, view, cluster)}
    return picture


def pack_map(surface: Surface, view: Options, cluster: int) -> MapSent:
    """Pack a map, with the values that `view` asks for."""
    value = {"entropy": surface.entropy, "probability": surface.proba[cluster]}.get(view["map"], surface.margin)
    return {
        "resolution": len(value),
        "regions": packed(surface.regions, "uint16" if surface.regions.itemsize > 1 else "uint8"),
        "margin": packed(surface.edge, "uint8"),
        "value": packed(value, "uint8"),
    }


def pack_sharp(
    fits: Sequence[Fit], view: Options, window: Window | None, planes: Sequence[View | None]
) -> Sharp | None:
    """Pack maps of a part of each picture; None for the whole of it, and where there is no map."""
    if window is None:
        return None
    surfaces = [fit.surface(RESOLUTION, seen, window) for fit, seen in zip(fits, planes, strict=True)]
    if None in surfaces:
        return None
    clusters = [min(view["cluster"], fit.n_clusters - 1) for fit in fits]
    maps = [pack_map(surface, view, k) for surface, k in zip(surfaces, clusters, strict=True) if surface]
    return {"window": list(window), "maps": maps, "apart": None}


def pack_status(session: Session, version: int, milliseconds: dict[str, float], points: int) -> Status:
    """Pack what stands around a picture, where questions are about so many points."""
    last, K = session.log[-1] if session.log else None, session.settings.n_clusters
    return {
        "version": version,
        "asserts": [asserts(answer, K, points) for answer in Answer],
        "last": None if last is None else {"answer": int(last.answer), "surprise": _finite(last.surprise)},
        "person": session.person,
        "people": session.log.names,
        "undo": session.history.undo_label,
        "redo": session.history.redo_label,
        "saved": None if session.file.path is None else session.file.path.name,
        "unsaved": session.file.error,
        "in_memory": not session.file.is_active,
        "milliseconds": milliseconds,
        "changed": differing(session),
    }


def _finite(surprise: float | None) -> float | str | None:
    """Say how surprising an answer was that a hard model held impossible; JSON has no number for that."""
    return surprise if surprise is None or isfinite(surprise) else "infinite"
