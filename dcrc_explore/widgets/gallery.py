"""What is in each cluster, packed for the tab Clusters."""

from __future__ import annotations

import numpy as np

from dcrc_explore.arrays import PackedArray, packed
from dcrc_explore.session import Fit
from dcrc_explore.widgets.protocol.numbers import ClusterSent

_SIZE = 8  # items of each kind


def pack_gallery(fit: Fit, *, truth: bool) -> list[ClusterSent]:
    """Pack the most certain, the most doubtful and, where the truth is shown, the mistaken points of each cluster.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> first, *_ = pack_gallery(Session("moons", autosave=None).fit, truth=False)
    >>> len(first["certain"]), first["mistaken"]
    (8, [])
    """
    galleries = [fit.gallery(k, _SIZE) for k in range(fit.n_clusters)]
    return [
        {
            "size": each.size,
            "certain": each.certain,
            "doubtful": each.doubtful,
            "mistaken": each.mistaken if truth else [],
        }
        for each in galleries
    ]


def pack_order(fit: Fit) -> PackedArray:
    """Pack the numbers of all points, those first of whose cluster the model is most certain.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> pack_order(Session("moons", autosave=None).fit)["shape"]
    [100]
    """
    certainty = fit.proba[np.arange(len(fit.labels)), fit.labels]
    return packed(np.argsort(-certainty, kind="stable"), "int32")
