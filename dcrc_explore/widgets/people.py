"""Who answered, and answers about pairs, packed for the browser."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

import numpy as np

from dcrc_explore.constraints import Answer
from dcrc_explore.session import Exploration, Fit, Session, known_errors, plant
from dcrc_explore.session.fit import pairs_violated
from dcrc_explore.session.people import agreements, people
from dcrc_explore.widgets.protocol.numbers import PeopleSent

_MOST_AGREEMENTS = 20


def names_of(session: Exploration) -> list[str]:
    """Return who answered, by first appearance."""
    return list(dict.fromkeys(session.state.givers))


def who_gave(session: Exploration) -> np.ndarray:
    """Return the number in :func:`names_of` of who gave each answer about three points."""
    return _places(session, session.answers.givers)


def _places(session: Exploration, givers: Sequence[str]) -> np.ndarray:
    places = {name: place for place, name in enumerate(names_of(session))}
    return np.array([places[name] for name in givers], dtype=np.int32)


def pack_pairs(session: Exploration, fit: Fit) -> bytes:
    """Pack the answers about pairs, six int32 each.

    The points A and B, what was said, who said it, whether the boundary and Q keep it (0: neither, 1: Q, 2: both), and
    how many answers about three points came before.
    """
    given, pairs = session.state.pair_answers, session.pairs
    if not given:
        return b""
    by_line, by_q = (pairs_violated(labels, pairs) for labels in (fit.labels, fit.posterior.argmax(axis=1)))
    kept = np.where(~by_line, 2, np.where(~by_q, 1, 0))
    before = np.searchsorted(np.sort(np.array(session.answers.times, dtype=str)), np.array(given.times, dtype=str))
    who = _places(session, given.givers)
    return np.column_stack([pairs.indices, pairs.answers, who, kept, before]).astype(np.int32).tobytes()


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
            }
            for person in people(session)
        ],
        "agreements": [
            {
                "names": [each.first, each.second],
                "common": each.n_common,
                "share": each.share,
                "kappa": None if isnan(each.kappa) else each.kappa,
            }
            for each in agreements(session)[:_MOST_AGREEMENTS]
        ],
        "heard": _heard(session),
        "several": session.settings.per_person,
    }


def _heard(session: Session) -> str:
    """Say how the model hears people."""
    n_people, epsilon = len(names_of(session)), session.settings.epsilon
    if session.fit.people:
        return (
            f"{n_people} people: each is heard by errors of their own, which are learned from the answers, beginning "
            f"with ε = {epsilon:.3g}."
        )
    if n_people < 2:
        then = "; from a second name on, each person by errors of their own" if session.settings.per_person else ""
        return f"Every answer is heard with ε = {epsilon:.3g}{then}."
    return f"{n_people} people are heard alike, with ε = {epsilon:.3g}."


def change_answers(session: Session, message: dict[str, Any]) -> None:
    """Change or delete an answer that was given, plant errors, or hear people apart, as a message asks for."""
    index, pair = message.get("index", -1), message.get("pair", False)
    match message["do"]:
        case "flip" if pair:
            session.revise_pairs({index: message["answer"]})
        case "flip":
            session.flip(index, message["answer"])
        case "delete":
            (session.delete_pair if pair else session.delete)(index)
        case "plant":
            seed = int(known_errors(session).sum())
            plant(session, message["errors"], seed=seed, person=message.get("person"))
        case "apart":
            session.set(per_person=message["on"])


def asserts_of_pair(answer: Answer) -> str:
    """Say what an answer about a pair claims about clusters.

    Examples
    --------
    >>> [asserts_of_pair(answer) for answer in (Answer.YES, Answer.NO, Answer.DNK)]
    ['A and B together', 'A and B apart', 'says nothing']
    """
    return {Answer.YES: "A and B together", Answer.NO: "A and B apart", Answer.DNK: "says nothing"}[answer]
