"""Who answered, and answers about two points, packed for the browser."""

from __future__ import annotations

from math import isnan
from typing import Any

import numpy as np

from dcrc_explore.arrays import PackedArray, packed
from dcrc_explore.constraints import Log
from dcrc_explore.session import Fit, Session, known_errors, plant
from dcrc_explore.session.inspection import agreements, people
from dcrc_explore.session.story import forced_choices
from dcrc_explore.widgets.protocol.numbers import PeopleSent

_MOST_AGREEMENTS = 20
_FEW = 10  # questions in common below which no kappa is shown: its standard error is about 0.3 there


def pack_pairs(log: Log, fit: Fit) -> PackedArray:
    """Pack the answers about two points, six int32 each.

    The points A and B, the answer, who gave it, whether the boundary and Q satisfy it (0: neither, 1: Q, 2: both), and
    how many answers about three points came before.
    """
    at, pairs = log.pair_positions, log.pairs
    by_boundary, by_q = (violated[at] for violated in fit.violations(log))
    satisfied = np.where(~by_boundary, 2, np.where(~by_q, 1, 0))
    others = np.stack([pairs.answers, log.givers[at], satisfied, at - np.arange(len(at))], axis=1)
    return packed(np.hstack([pairs.indices, others]), "int32")


def pack_people(session: Session, version: int) -> PeopleSent:
    """Pack what the tab People shows."""
    return {
        "version": version,
        "people": [
            {
                "name": person.name,
                "triplets": person.n_triplets,
                "pairs": person.n_pairs,
                "matrix": None if person.matrix is None else person.matrix.tolist(),
                "source": person.source,
                "right": person.pairs_right,
                "errors": person.n_errors,
                "learned": None if person.learned is None else person.learned.tolist(),
                "dnk": person.dnk_rate,
                "surprise": person.surprise,
                "forced": person.forced,
                "habit": person.habit,
            }
            for person in people(session)
        ],
        "agreements": [
            {
                "names": [each.first, each.second],
                "common": each.n_common,
                "share": None if isnan(each.share) else each.share,
                "kappa": None if isnan(each.kappa) or each.n_common < _FEW else each.kappa,
                "few": each.n_common < _FEW,
            }
            for each in agreements(session)[:_MOST_AGREEMENTS]
        ],
        "noise": _noise(session),
        "several": session.settings.per_person,
    }


def _noise(session: Session) -> str:
    """Say which noise model there is, and who had to choose."""
    return f"{_noise_model(session)} {forced_choices(session.fit.forced)}".strip()


def _noise_model(session: Session) -> str:
    n_people, epsilon = len(session.log.names), session.settings.epsilon
    if session.fit.people:
        return (
            f"{n_people} people: each has a noise model of their own, which is learned from the answers, beginning "
            f"with ε = {epsilon:.3g}."
        )
    if n_people < 2:
        then = "; from a second name on, each person has one of their own" if session.settings.per_person else ""
        return f"All answers share one noise model, with ε = {epsilon:.3g}{then}."
    return f"{n_people} people share one noise model, with ε = {epsilon:.3g}."


def change_answers(session: Session, message: dict[str, Any]) -> None:
    """Change or delete an answer, plant errors, or give each person a noise model, as a message asks for."""
    match message["do"]:
        case "flip":
            session.flip(message["index"], message["answer"])
        case "delete":
            session.delete(message["index"])
        case "plant":
            seed = int(known_errors(session).sum())
            plant(session, message["errors"], seed=seed, person=message.get("person"))
        case "apart":
            session.set(per_person=message["on"])
