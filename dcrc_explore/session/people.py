"""The people of a session: how much each answered, how each errs, and how far they agree."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dcrc_explore.annotators import Agreement, agreement
from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import Answer, implied_answers
from dcrc_explore.metrics import answer_table
from dcrc_explore.session.answers import Triplet
from dcrc_explore.session.fit import pairs_violated
from dcrc_explore.session.inspection import known_errors
from dcrc_explore.session.session import Session
from dcrc_explore.session.settings import SessionError


class Person(NamedTuple):
    """What is known of one person.

    Attributes
    ----------
    name : str
    n_triplets, n_pairs : int
        How many answers they gave.
    matrix : ndarray of shape (3, 3) or None
        Answers implied (rows: yes, no, dnk) against answers given (columns): counts where the truth is known, else the
        probabilities that the model has learned; None when there is neither.
    source : {"truth", "learned", ""}
        Where the matrix comes from.
    pairs_right : float or None
        Share of the pairs' yes and no that are right, from the same source.
    n_errors : int
        Answers that are known to be wrong: planted ones, and errors of simulated people.
    """

    name: str
    n_triplets: int
    n_pairs: int
    matrix: FloatArray | None
    source: str
    pairs_right: float | None
    n_errors: int


def people(session: Session) -> list[Person]:
    """Return who answered, by first appearance.

    Examples
    --------
    >>> session = Session("close", autosave=None)
    >>> session.person = "Ann"
    >>> _ = session.answer((0, 1, 149), "yes")
    >>> [(person.name, person.n_triplets, person.source) for person in people(session)]
    [('Ann', 1, 'truth')]
    """
    givers, linkers = (np.array(said.givers, dtype=str) for said in session.state.said)
    return [_person(session, name, givers == name, linkers == name) for name in dict.fromkeys(session.state.givers)]


def _person(session: Session, name: str, own: np.ndarray, linked: np.ndarray) -> Person:
    said, pairs, y = session.triplets[own], session.pairs[linked], session.dataset.y
    decided = pairs[pairs.answers != Answer.DNK]
    heard = session.fit.people.get(name)
    matrix, right, source = None, None, ""
    if y is not None:
        source = "truth"
        matrix = answer_table(implied_answers(y, said.indices), said.answers).astype(float)
        right = float(1 - pairs_violated(y, decided).mean()) if len(decided) else None
    elif heard is not None:
        source, matrix, right = "learned", heard.matrix, heard.right if len(decided) else None
    if not len(said):
        matrix = None
    errors = int(known_errors(session)[own].sum())
    return Person(name, len(said), len(pairs), matrix, source, right, errors)


def agreements(session: Session) -> list[Agreement]:
    """Return how far people agree, two by two, where both answered the same question about three or two points."""
    found = [each for said in session.state.said for each in agreement(said.said, said.givers) if each.n_common]
    return sorted(found, key=lambda each: -each.n_common)


def question_of_others(session: Session) -> Triplet:
    """Return a question that somebody else answered and the session's person has not: it tells how far they agree."""
    answers, me = session.answers, session.person
    mine = {_key(given.triplet) for given in answers if given.by == me}
    open_to_me = [given.triplet for given in answers if given.by != me and _key(given.triplet) not in mine]
    if not open_to_me:
        raise SessionError(f"{me} has answered every question that others were asked: there is none to compare")
    return open_to_me[int(session.rng.integers(len(open_to_me)))]


def _key(triplet: Triplet) -> tuple[int, int, int]:
    i, j, k = triplet
    return i, min(j, k), max(j, k)
