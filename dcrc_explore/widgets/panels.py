"""The panels below the picture: the numbers that the browser draws, and their types. `static/panels.js` draws them."""

from __future__ import annotations

from functools import cache
from typing import TypedDict

import numpy as np

from dcrc_explore.information import information_curves
from dcrc_explore.page.sent import Curve, InformationCurves
from dcrc_explore.session import Fit, Session


class Information(InformationCurves):
    """Bits per answer for numbers of clusters, of which `current` is the model's."""

    current: int


class ObjectiveTerms(TypedDict):
    """The bound and its terms at each EM iteration; `ending` says how EM ended, if not well."""

    terms: list[Curve]
    iteration: int
    iterations: int
    ending: str


class QualityCurves(TypedDict):
    """Agreement with the truth by number of answers."""

    answers: list[int]
    curves: list[Curve]


class AnswerTable(TypedDict):
    """Answers given (rows) and implied by the model (columns), in the order yes, no, don't know."""

    counts: list[list[int]]


class Balance(TypedDict):
    """The share of the points in each cluster."""

    shares: list[float]


class Panels(TypedDict):
    """The panels of the picture with this version; no quality without a truth, no answers before the first."""

    information: Information
    objective: ObjectiveTerms
    quality: QualityCurves | None
    answers: AnswerTable | None
    balance: Balance
    version: int


def pack_panels(session: Session, fit: Fit, iteration: int | None, version: int, *, truth: bool = True) -> Panels:
    """Pack the numbers of the panels; `iteration` is the EM iteration on show, None for the last.

    Without `truth` nothing that is computed from the true classes is among them.
    """
    objective, quality, K = session.model.trace.objective, session.model.quality if truth else [], fit.n_clusters
    final, (clusters, curves) = len(objective) - 1, _information(max(13, K))
    return {
        "information": {"clusters": clusters, "curves": curves, "current": K},
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
        "answers": {"counts": fit.answer_table.tolist()} if fit.answer_table.any() else None,
        "balance": {"shares": fit.shares.tolist()},
        "version": version,
    }


@cache
def _information(highest: int) -> tuple[list[int], list[Curve]]:
    clusters = np.arange(2, highest + 1)
    curves = information_curves(clusters).items()
    return clusters.tolist(), [{"name": name, "values": values.tolist()} for name, values in curves]
