"""Which question of a session comes next, and simulated people who answer it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.annotators import Oracle, list_oracles, make_oracle
from dcrc_explore.constraints import as_triplets
from dcrc_explore.questions import ENOUGH, Belief, Questions, batch_size, check_left, choose, model_doubt
from dcrc_explore.session.answers import Answers, PairAnswers, Triplet
from dcrc_explore.session.part import about, as_rows
from dcrc_explore.session.settings import SessionError, clear_errors
from dcrc_explore.session.state import State

if TYPE_CHECKING:
    from dcrc_explore.session.session import Session

Progress = Callable[[int, int], bool | None]

# Bits below which the model is sure of the answer: guided questions look where it may be sure and wrong.
_SURE = 0.1
# Answers that an oracle gives between two reports of progress.
_PORTION = 10


def suggest(session: Session, strategy: str = "guided", among: ArrayLike | None = None) -> Triplet:
    """Return a question that was neither answered nor skipped.

    Parameters
    ----------
    session : Session
    strategy : {"random", "boundary", "informative", "guided"}
    among : array-like of row numbers, optional
        Ask about these points only, three at least.
    """
    return suggest_with_reason(session, strategy, among)[0]


def suggest_with_reason(
    session: Session, strategy: str = "guided", among: ArrayLike | None = None
) -> tuple[Triplet, str]:
    """Return a question as `suggest` does, why it was chosen, and whether more answers are still worth the effort."""
    # With a generator of their own, so that looking at questions does not change what an oracle is asked.
    belief = _belief(session)
    questions = session.ask(strategy, 1, among, rng=session.suggestions, belief=belief)
    i, j, k = questions.triplets[0].tolist()
    reason, expected, N = questions.reasons[0], belief.expected_change, len(session.dataset.X)
    if session.expected((i, j, k)).bits < _SURE:
        reason += " The model is sure of the answer; it may be wrong."
    if expected < ENOUGH * N:
        reason += f" More answers will hardly change anything: {expected:.0f} of {N} points or fewer."
    return (i, j, k), reason


def ask(
    session: Session,
    strategy: str,
    n: int,
    among: ArrayLike | None = None,
    *,
    rng: np.random.Generator | None = None,
    belief: Belief | None = None,
) -> Questions:
    """Return `n` new questions, about all points or some, each with the reason why it was chosen."""
    N, triplets, pairs = len(session.dataset.X), session.triplets, session.pairs
    skipped = as_triplets(session.skipped)
    rows, proba, X = np.arange(N) if among is None else as_rows(among, N), session.fit.proba, session.dataset.X
    if len(rows) < 3:
        raise SessionError(f"a question needs three points, got {len(rows)}")
    if among is not None:
        triplets, pairs, skipped = about(rows, N, triplets, pairs, skipped)
        proba, X = proba[rows], X[rows]
    with clear_errors():
        questions = choose(
            strategy,
            proba,
            n,
            X=X,
            constraints=triplets,
            pairs=pairs,
            doubt=model_doubt(session.answers.surprise),
            epsilon=session.settings.epsilon,
            asked=skipped,
            seed=session.rng if rng is None else rng,
            belief=belief if among is None else None,
        )
    return questions._replace(triplets=rows[questions.triplets])


def expected_changes(session: Session) -> float:
    """How many points more answers can still be expected to put into another cluster."""
    return _belief(session).expected_change


def _belief(session: Session) -> Belief:
    return Belief(session.fit.proba, session.triplets, model_doubt(session.answers.surprise), session.pairs)


def taken_back(before: State, after: State) -> tuple[int, ...] | None:
    """Return the question whose answer a person took back on the way from one state to another; None if none."""
    if before.n_answers != after.n_answers + 1 or before.subject is not after.subject:
        return None
    old: Answers | PairAnswers = before.answers
    n_same = before.answers.shared(after.answers)
    if len(before.answers) == len(after.answers):
        old, n_same = before.pair_answers, before.pair_answers.shared(after.pair_answers)
    if n_same != len(old) - 1 or old.givers[-1] in list_oracles():
        return None
    return tuple(old.said.indices[-1].tolist())


def answer_by_oracle(
    session: Session,
    n: int = 1,
    *,
    strategy: str = "guided",
    oracle: str = "truth",
    epsilon: float | None = None,
    progress: Progress | None = None,
) -> int:
    """Let an oracle answer `n` new questions as one step to undo.

    Parameters
    ----------
    session : Session
    n : int
    strategy : {"random", "boundary", "informative", "guided"}
        What is asked. Guided questions build on the answers before them, so the model is fitted again after each
        of the first ten answers and then after each batch (:func:`dcrc_explore.questions.batch_size`); all others
        are asked at once, and followed by one fit.
    oracle : {"truth", "noisy", "people"}
        Who answers: see :func:`dcrc_explore.annotators.list_oracles`.
    epsilon : float, optional
        Error rate of the noisy oracle; by default that of the settings.
    progress : callable(done, n), optional
        Called before the first and after each portion of answers. When it returns False the oracle stops; what it
        answered until then is kept.

    Returns
    -------
    int
        Number of answers given.
    """
    y = session.dataset.y
    if y is None:
        raise SessionError("an oracle needs the true classes, which are unknown for these data: answer yourself")
    with clear_errors():
        check_left(len(y), n, np.vstack([session.triplets.indices, as_triplets(session.skipped)]))
        rate = session.settings.epsilon if epsilon is None else epsilon
        somebody = make_oracle(oracle, y, epsilon=rate, seed=session.rng)
    with session.lock, session.one_step():
        converse = _step_by_step if strategy == "guided" else _at_once
        done = converse(session, n, strategy, somebody, oracle, progress or (lambda done, n: None))
    if progress is not None and done == n:
        progress(n, n)
    return done


def _at_once(session: Session, n: int, strategy: str, somebody: Oracle, by: str, progress: Progress) -> int:
    questions = session.ask(strategy, n).triplets
    answers = np.empty(0, dtype=np.int8)
    while len(answers) < n and progress(len(answers), n) is not False:
        portion = questions[len(answers) : len(answers) + _PORTION]
        answers = np.concatenate([answers, somebody.answer(portion)])
    session.add(questions[: len(answers)], answers, by=by)
    return len(answers)


def _step_by_step(session: Session, n: int, strategy: str, somebody: Oracle, by: str, progress: Progress) -> int:
    """Ask each batch after a fit to the answers before it."""
    done = 0
    while done < n and progress(done, n) is not False:
        session.wait()
        questions = session.ask(strategy, min(batch_size(len(session.answers)), n - done)).triplets
        session.add(questions, somebody.answer(questions), by=by)
        done += len(questions)
    return done
