"""Why the model of a session does what it does: a point explained, errors planted and found."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.constraints import implied_answers
from dcrc_explore.inspection import Explanation, Recovery, disbelief, explain, plant_errors, recovery
from dcrc_explore.session.exploration import Exploration
from dcrc_explore.session.pairing import PLANTED
from dcrc_explore.session.session import Session
from dcrc_explore.session.settings import SessionError

_SIMULATED = ("noisy", "people")  # oracles that err
# Under hard answers every contradiction is infinitely surprising; this epsilon still ranks them.
_DOUBT = 0.05


def explain_point(session: Exploration, point: int, iteration: int | None = None) -> Explanation:
    """Break the membership q(y) of a point down into P(y|x) and its answers.

    Parameters
    ----------
    session : Session, or the second model of a Pair
    point : int
    iteration : int, optional
        Of EM; by default the final model.

    Examples
    --------
    >>> session = Session("close", autosave=None)
    >>> _ = session.answer((0, 1, 2), "yes")
    >>> explain_point(session, 1).contributions[0].place
    2
    """
    fit = session.fit if iteration is None else session.replay(iteration)
    settings = session.fitted_settings
    try:
        return explain(
            point,
            fit.proba,
            fit.posterior,
            fit.triplets,
            epsilon=settings.epsilon,
            use_dnk=settings.use_dnk,
            pairs=fit.pairs,
            heard=fit.heard,
        )
    except ValueError as error:
        raise SessionError(str(error)) from error


def plant(session: Session, n_errors: int, *, seed: int = 0, person: str | None = None) -> None:
    """Change so many answers to wrong ones, as one step to undo. Answers that are known to be wrong are left alone.

    With a `person` they are among the answers of that person.

    Examples
    --------
    >>> session = Session("close", autosave=None)
    >>> _ = session.answer_by_oracle(30)
    >>> plant(session, 3)
    >>> int(known_errors(session).sum()), session.undo_label
    (3, 'change of 3 answers')
    """
    givers = np.array(session.answers.givers, dtype=str)
    of_person = np.ones(len(givers), dtype=bool) if person is None else givers == person
    right = np.flatnonzero(~known_errors(session) & of_person)
    if not 1 <= n_errors <= len(right):
        whose = "" if person is None else f" of {person}"
        raise SessionError(
            f"the number of errors must lie between 1 and the number of right answers{whose}, {len(right)}, "
            f"got {n_errors}"
        )
    wrong, planted = plant_errors(session.triplets[right], n_errors, seed)
    session.revise(
        {int(right[t]): int(wrong.answers[t]) for t in np.flatnonzero(planted)},
        planted=True,
    )


def known_errors(session: Session) -> NDArray[np.bool_]:
    """Tell which answers are known to be wrong: the planted ones, and where the truth is known those of noisy oracles.

    Examples
    --------
    >>> session = Session("far", autosave=None)
    >>> _ = session.answer_by_oracle(200, strategy="random", oracle="noisy", epsilon=0.2)
    >>> 20 < int(known_errors(session).sum()) < 60
    True
    """
    givers = np.array(session.answers.givers, dtype=str)
    errors = session.answers.planted | (givers == PLANTED)
    y = session.dataset.y
    if y is not None and len(givers):
        wrong = implied_answers(y, session.triplets.indices) != session.triplets.answers
        errors |= np.isin(givers, _SIMULATED) & wrong
    return errors


def doubts(session: Session) -> NDArray[np.float64]:
    """How little the model believes each answer, in bits of surprise."""
    epsilon = session.fitted_settings.epsilon or _DOUBT
    return disbelief(session.fit.proba, session.triplets, epsilon=epsilon)


def find_errors(session: Session) -> Recovery:
    """Rank the answers by how little the model believes them, and tell how well that finds the known errors.

    Examples
    --------
    >>> session = Session("far", autosave=None, epsilon=0.15)
    >>> _ = session.answer_by_oracle(100)
    >>> plant(session, 5)
    >>> result = find_errors(session)
    >>> result.n_errors, len(result.order)
    (5, 100)
    """
    return recovery(doubts(session), known_errors(session))
