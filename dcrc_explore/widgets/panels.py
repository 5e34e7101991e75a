"""The panels below the picture: the numbers that the browser draws, and their types. `static/panels.js` draws them."""

from __future__ import annotations

from typing import TypedDict

from dcrc_explore.information import random_worth
from dcrc_explore.page.curves import pack_answer_curves, pack_cluster_curves
from dcrc_explore.page.sent import AnswerInformation, ClusterInformation, Curve
from dcrc_explore.session import Exploration, Fit, Session
from dcrc_explore.session.fit import MEASURES


class Information(TypedDict):
    """What answers told, what one is worth over K, and what a random question is worth to the model now."""

    answers: AnswerInformation
    clusters: ClusterInformation
    random: float


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
    objective, quality = session.model.trace.objective, session.model.quality if truth else []
    final = len(objective) - 1
    return {
        "information": pack_information(session, fit),
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
                for name, field in MEASURES.items()
            ],
        },
        "answers": {"counts": fit.answer_table.tolist()} if fit.answer_table.any() else None,
        "balance": {"shares": fit.shares.tolist()},
        "version": version,
    }


def pack_information(session: Exploration, fit: Fit) -> Information:
    """Pack the information curves of a model, as it is now or at an EM iteration."""
    settings = session.model.trace.settings
    return {
        "answers": pack_answer_curves(session.model.answer_curves),
        "clusters": pack_cluster_curves(session.model.cluster_curves(fit)),
        "random": random_worth(fit.proba, settings.epsilon, use_dnk=settings.use_dnk),
    }
