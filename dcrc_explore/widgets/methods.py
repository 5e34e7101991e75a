"""What other methods make of the answers, packed for the browser."""

from __future__ import annotations

import numpy as np

from dcrc_explore.arrays import packed
from dcrc_explore.baselines import MethodResult
from dcrc_explore.metrics import align_clusters
from dcrc_explore.session import Gathering
from dcrc_explore.widgets.protocol.numbers import MethodSent, MethodsState


def pack_methods(methods: Gathering[MethodResult], *, truth: bool) -> MethodsState:
    """Pack the results, with clusters numbered like those of the session's model; with `truth` the ARI too."""
    return {
        "results": [_pack(methods.results[0], each, truth=truth) for each in methods.results],
        "total": methods.total,
        "running": methods.running,
        "current": methods.current,
        "error": methods.error,
    }


def _pack(model: MethodResult, found: MethodResult, *, truth: bool) -> MethodSent:
    labels = None
    if found.labels is not None and model.labels is not None:
        numbered = np.unique(found.labels, return_inverse=True)[1]
        labels = packed(align_clusters(model.labels, numbered)[numbered], "uint8")
    ari = found.ari if truth else None
    return {"method": found.method, "labels": labels, "ari": ari, "seconds": found.seconds, "note": found.note}
