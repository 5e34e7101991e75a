"""The people of a session: how much each answered, how each errs, and how far they agree."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dcrc_explore.annotators import Agreement, agreement
from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import Answer, implied_answers
from dcrc_explore.metrics import answer_table
from dcrc_explore.session.inspection import known_errors
from dcrc_explore.session.session import Session


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
    by = np.array(session.log.by, dtype=str)
    return [_person(session, name, by == name) for name in session.log.names]


def _person(session: Session, name: str, own: np.ndarray) -> Person:
    log, y = session.log, session.dataset.y
    own_triplets, own_pairs = own[log.triplet_positions], own[log.pair_positions]
    triplets, decided = log.triplets[own_triplets], own & log.is_pair & (log.answers != Answer.DNK)
    noise = session.fit.people.get(name)
    matrix, right, source = None, None, ""
    if y is not None:
        source = "truth"
        matrix = answer_table(implied_answers(y, triplets), triplets.answers).astype(float)
        right = float(1 - log.violated(y)[decided].mean()) if decided.any() else None
    elif noise is not None:
        source, matrix, right = "learned", noise.matrix, noise.right if decided.any() else None
    if not len(triplets):
        matrix = None
    errors = int(known_errors(session)[own].sum())
    return Person(name, len(triplets), int(own_pairs.sum()), matrix, source, right, errors)


def agreements(session: Session) -> list[Agreement]:
    """Return how far people agree, two by two, where both answered the same question about three or two points."""
    log, by = session.log, np.array(session.log.by, dtype=str)
    kinds = (log.triplets, log.triplet_positions), (log.pairs, log.pair_positions)
    found = [each for answered, at in kinds for each in agreement(answered, by[at].tolist()) if each.n_common]
    return sorted(found, key=lambda each: -each.n_common)
