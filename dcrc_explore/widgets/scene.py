"""What the browser needs to draw, taken from a session and packed into a few bytes."""

from __future__ import annotations

from functools import cache
from math import isfinite
from typing import Any

import numpy as np

from dcrc_explore.constraints import implied_answers
from dcrc_explore.information import information_curves
from dcrc_explore.palette import cluster_colour, cluster_marker
from dcrc_explore.session import Exploration, Fit, Session

RESOLUTION = 150
_COLOURS = 144  # after so many clusters colour and marker repeat


def pack_points(session: Session) -> dict[str, Any]:
    """Pack positions, names of the true classes and the palette: what stays as long as the data."""
    dataset = session.dataset
    n_features = dataset.X.shape[1]
    note = f"{n_features} features, shown in two (PCA)" if n_features > 2 else "one feature, drawn from left to right"
    return {
        "xy": session.points.astype(np.float32).tobytes(),
        "extent": list(session.extent),
        "classes": None if dataset.y is None else [dataset.class_names[y] for y in dataset.y],
        "note": note if session.is_projected else "",
        "colours": [cluster_colour(k) for k in range(_COLOURS)],
        "markers": [cluster_marker(k) for k in range(_COLOURS)],
    }


def pack_scene(session: Exploration, fit: Fit, view: dict[str, Any]) -> dict[str, Any]:
    """Pack the picture of one fit: labels, map, answers; `view` says which map and whether the truth is shown."""
    K, triplets = fit.n_clusters, session.triplets
    # While a long fit goes on, answers may be newer than the fit: its labels tell what it implies for them too.
    violated = implied_answers(fit.labels, triplets.indices) != triplets.answers
    last = session.answers[-1] if session.answers else None
    cluster = min(view["cluster"], K - 1)
    scene = {
        "clusters": K,
        "labels": fit.labels.astype(np.uint8).tobytes(),
        "counts": np.bincount(fit.labels, minlength=K).tolist(),
        "halo": None,
        "truth": fit.truth.astype(np.uint8).tobytes() if view["truth"] and fit.truth is not None else None,
        "links": np.column_stack([triplets.indices, triplets.answers, violated]).astype(np.int32).tobytes(),
        "last": None
        if last is None
        else {
            "answer": int(last.answer),
            # An answer that a hard model held impossible is infinitely surprising; JSON has no word for that.
            "surprise": last.surprise if last.surprise is None or isfinite(last.surprise) else "infinite",
        },
        "cluster": cluster,
        "regions": None,
    }
    surface = fit.surface(RESOLUTION)
    if surface is None:
        # Without a plane to map, each point carries its own value around it.
        halo = {"entropy": fit.entropy / np.log2(K), "probability": fit.proba[:, cluster]}.get(view["map"])
        scene["halo"] = None if halo is None else np.rint(255 * np.clip(halo, 0, 1)).astype(np.uint8).tobytes()
    else:
        value = {"entropy": surface.entropy, "probability": surface.proba[cluster]}.get(view["map"], surface.margin)
        scene |= {
            "resolution": RESOLUTION,
            "regions": surface.regions.tobytes(),
            "margin": surface.edge.tobytes(),
            "value": value.tobytes(),
        }
    return scene


def pack_panels(session: Session, fit: Fit, iteration: int | None) -> dict[str, Any]:
    """Pack the numbers of the five panels; `iteration` is the EM iteration on show, None for the last."""
    objective, quality, counts = session.objective, session.quality, fit.answer_table
    final, kept = len(objective) - 1, int(np.trace(counts))
    return {
        "information": _information(max(13, fit.n_clusters)) | {"current": fit.n_clusters},
        "objective": {
            "terms": [{"name": name, "values": values.tolist()} for name, values in objective.terms().items()],
            "iteration": final if iteration is None else iteration,
            "iterations": final,
            "ending": "cycles" if objective.cycling else "" if objective.converged else "not converged",
        },
        "quality": None
        if not quality
        else {
            "answers": [record.n_answers for record in quality],
            "curves": [
                {"name": name, "values": [getattr(record, field) for record in quality]}
                for name, field in (("F", "pairwise_f"), ("ARI", "ari"), ("NMI", "nmi"), ("acc.", "accuracy"))
            ],
        },
        "table": {"counts": counts.tolist(), "kept": kept, "violated": int(counts.sum()) - kept},
        "balance": {"shares": fit.shares.tolist()},
    }


@cache
def _information(highest: int) -> dict[str, Any]:
    clusters = np.arange(2, highest + 1)
    curves = information_curves(clusters).items()
    return {
        "clusters": clusters.tolist(),
        "curves": [{"name": name, "values": values.tolist()} for name, values in curves],
    }
