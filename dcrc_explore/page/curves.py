"""The information curves as numbers that the browser draws."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.information import AnswerCurves, ClusterCurves
from dcrc_explore.page.sent import AnswerInformation, ClusterInformation, Curve


def pack_curves(curves: Mapping[str, ArrayLike]) -> list[Curve]:
    """Pack curves by name, to a thousandth."""
    return [{"name": name, "values": np.asarray(values, float).round(3).tolist()} for name, values in curves.items()]


def pack_answer_curves(curves: AnswerCurves) -> AnswerInformation:
    """Pack the worth of questions, the surprise of answers, and what is left to learn."""
    return {
        "curves": pack_curves(curves.curves()),
        "impossible": curves.impossible.tolist(),
        "left": [[n, round(asked, 3), round(others, 3)] for n, _, asked, others in curves.left],
        "words": curves.words(),
    }


def pack_cluster_curves(curves: ClusterCurves) -> ClusterInformation:
    """Pack what an answer is worth over K."""
    return {
        "clusters": curves.clusters.tolist(),
        "current": curves.n_clusters,
        "ideal": pack_curves(curves.ideal),
        "model": pack_curves(curves.model),
        "words": curves.words(),
    }
