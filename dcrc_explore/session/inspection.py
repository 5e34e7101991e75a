"""Why the model does what it does: a point explained, errors found, epsilon swept, and the people who answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.annotators import Agreement, agreement, list_oracles
from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import Answer, Log, implied_answers
from dcrc_explore.information import surprises
from dcrc_explore.inspection import (
    EPSILONS,
    Contribution,
    Explanation,
    Recovery,
    SweepPoint,
    epsilon_sweep,
    explain,
    recovery,
    wrong_answers,
)
from dcrc_explore.metrics import answer_table
from dcrc_explore.model.estimator import DCRC
from dcrc_explore.session.background import Gathering
from dcrc_explore.session.session import Session
from dcrc_explore.session.state import SessionError, Settings, Subject, clear_errors
from dcrc_explore.session.story import Name, cluster_name

if TYPE_CHECKING:
    from dcrc_explore.session.steps import Exploration

# Answers in which this share of the odds against lies are named; the rest would only make the sentence longer.
_NAMED = 0.8
# Odds up to which answers speak for neither of two clusters.
_HARDLY = 1.2
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
    fit = session.fit if iteration is None else session.model.trace.replay(iteration)
    settings, log = session.model.trace.settings, fit.log
    with clear_errors():
        why = explain(
            point,
            fit.proba,
            fit.posterior,
            log.triplets,
            epsilon=settings.epsilon,
            use_dnk=settings.use_dnk,
            pairs=log.pairs,
            answer_weights=fit.answer_weights,
        )
    numbered = [
        replace(part, index=int((log.pair_positions if part.is_pair else log.triplet_positions)[part.index]))
        for part in why.contributions
    ]
    return replace(why, contributions=sorted(numbered, key=lambda part: part.index))


def plant(session: Session, n_errors: int, *, seed: int = 0, person: str | None = None) -> None:
    """Change `n_errors` right answers to wrong ones, as one step to undo. Known errors are left as they are.

    With a `person`, only answers of that person are changed.

    Examples
    --------
    >>> session = Session("close", autosave=None)
    >>> _ = session.answer_by_oracle(30)
    >>> plant(session, 3)
    >>> int(known_errors(session).sum()), session.history.undo_label
    (3, 'change of 3 answers')
    """
    log = session.log
    of_person = np.array([person is None or name == person for name in log.by], dtype=bool)
    # A don't know about two points says nothing, so it can't be wrong.
    silent = log.is_pair & (log.answers == Answer.DNK)
    right = np.flatnonzero(~known_errors(session) & of_person & ~silent)
    if not 1 <= n_errors <= len(right):
        whose = "" if person is None else f" of {person}"
        raise SessionError(
            f"the number of errors must lie between 1 and the number of right answers{whose}, {len(right)}, "
            f"got {n_errors}"
        )
    wrong, planted = wrong_answers(log.answers[right], n_errors, seed, log.is_pair[right])
    session.revise({int(right[t]): int(wrong[t]) for t in np.flatnonzero(planted)}, planted=True)


def known_errors(session: Session) -> NDArray[np.bool_]:
    """Return which answers are known to be wrong: planted ones and, if the truth is known, errors of noisy oracles.

    Examples
    --------
    >>> session = Session("far", autosave=None)
    >>> _ = session.answer_by_oracle(200, strategy="random", oracle="noisy", epsilon=0.2)
    >>> 20 < int(known_errors(session).sum()) < 60
    True
    """
    log, y = session.log, session.dataset.y
    errors = log.planted.copy()
    if y is not None and log:
        err = [name for name in list_oracles() if name != "truth"]
        errors |= np.isin(np.array(log.by, dtype=str), err) & log.violated(y)
    return errors


def doubts(session: Session) -> NDArray[np.float64]:
    """How little the model believes each answer, in bits of surprise; a don't know about two points says nothing."""
    log, epsilon = session.log, session.model.trace.settings.epsilon or _DOUBT
    return np.nan_to_num(surprises(session.fit.proba, log.points, log.answers, epsilon), nan=0.0, posinf=np.inf)


def find_errors(session: Session) -> Recovery:
    """Rank the answers by how little the model believes them, and measure how well this finds the known errors.

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


# In words ---------------------------------------------------------------------------------------------------------


def why(explanation: Explanation, label: int, name: Name = cluster_name) -> str:
    """Say why a point is in its cluster: where it lies, and what its answers say.

    Parameters
    ----------
    explanation : Explanation
    label : int
        The cluster that is drawn: the largest P(y|x).
    name : callable

    Examples
    --------
    >>> from dcrc_explore import Triplets
    >>> from dcrc_explore.inspection import explain
    >>> P = [[0.8, 0.2], [0.1, 0.9], [0.9, 0.1]]
    >>> print(why(explain(0, P, P, Triplets([(0, 1, 2)], ["yes"]), epsilon=0.05), 0))
    It is drawn in cluster 1 because of where it lies (P = 0.80); answer 1 speaks for 2 instead (18 : 1), \
and Q follows it.
    """
    P, K = explanation.proba, len(explanation.proba)
    text = f"It is drawn in cluster {name(label)} because of where it lies (P = {P[label]:.2f})"
    if not explanation.contributions:
        return f"{text}; no answer is about it."
    # Per answer, the evidence in favour of each cluster beside the label, in units of log alpha.
    evidence = np.array([c.values - c.values[label] for c in explanation.contributions])
    rival = int(np.delete(np.arange(K), label)[np.delete(evidence.sum(axis=0), label).argmax()])
    total, against = float(evidence[:, rival].sum()), evidence[:, rival]
    if not explanation.hard and explanation.alpha ** abs(total) < _HARDLY:
        return f"{text}; its answers fit {name(label)} and {name(rival)} alike."
    if total <= 0:
        speaking = [c for c, value in zip(explanation.contributions, against, strict=True) if value < 0]
        return f"{text}; {_answers(speaking)} for it too." if speaking else f"{text}; its answers fit any cluster."
    order = np.argsort(-against)
    named = order[: int(np.searchsorted(np.cumsum(against[order]), _NAMED * total)) + 1]
    speaking = [explanation.contributions[t] for t in sorted(named)]
    odds = "" if explanation.hard else f" ({_odds(explanation.alpha, total)})"
    verdict = "and Q follows" if explanation.q.argmax() == rival else "but Q does not follow"
    it = "it" if len(speaking) == 1 else "them"
    return f"{text}; {_answers(speaking)} for {name(rival)} instead{odds}, {verdict} {it}."


def _answers(speaking: Sequence[Contribution]) -> str:
    """Name answers by their numbers, with a verb."""
    if len(speaking) > 4:
        return f"{len(speaking)} answers speak"
    *most, last = [str(c.index + 1) for c in speaking]
    return f"answers {', '.join(most)} and {last} speak" if most else f"answer {last} speaks"


def _odds(alpha: float, evidence: float) -> str:
    odds = alpha**evidence
    return f"{odds:.0f} : 1" if odds < 1000 else "over 1000 : 1"


def where_they_part(explanations: Sequence[Explanation], labels: Sequence[int], name: Name = cluster_name) -> str:
    """Say whether two models agree on a point and, if not, where they differ: in the boundary, or only in Q.

    Parameters
    ----------
    explanations : (Explanation, Explanation)
    labels : (int, int)
        The clusters that are drawn.
    name : callable

    Examples
    --------
    >>> from dcrc_explore import Triplets
    >>> from dcrc_explore.inspection import explain
    >>> P, other = [[0.8, 0.2], [0.1, 0.9], [0.9, 0.1]], [[0.4, 0.6], [0.1, 0.9], [0.9, 0.1]]
    >>> both = [explain(0, each, each, Triplets([(0, 1, 2)], ["yes"]), epsilon=0.05) for each in (P, other)]
    >>> print(where_they_part(both, (0, 1)))
    They differ: cluster 1 in the first (P = 0.80), 2 in the second (P = 0.60). Its answers speak for 2 in both \
models; only the second's boundary follows.
    """
    P = [explanation.proba[label] for explanation, label in zip(explanations, labels, strict=True)]
    Q = [int(explanation.q.argmax()) for explanation in explanations]
    one, two = labels
    if one == two:
        text = f"Both models draw it in cluster {name(one)} (P = {P[0]:.2f} and {P[1]:.2f})"
        if Q[0] == Q[1]:
            return f"{text}." if Q[0] == one else f"{text}, though its answers speak for {name(Q[0])} in both."
        return (
            f"{text}. They differ in Q: its answers make it {name(Q[0])} in the first and {name(Q[1])} in the second."
        )
    text = f"They differ: cluster {name(one)} in the first (P = {P[0]:.2f}), {name(two)} in the second (P = {P[1]:.2f})"
    if not any(explanation.contributions for explanation in explanations):
        return f"{text}. No answer is about it: only where the boundary runs makes the difference."
    if Q[0] != Q[1]:
        return f"{text}, and Q goes with each: {name(Q[0])} in the first, {name(Q[1])} in the second."
    follows = {one: "only the first's boundary follows", two: "only the second's boundary follows"}
    return (
        f"{text}. Its answers speak for {name(Q[0])} in both models; {follows.get(Q[0], 'neither boundary follows')}."
    )


# Epsilon swept -----------------------------------------------------------------------------------------------------


def sweep_epsilon(
    session: Session, changed: Callable[[], object] = lambda: None, epsilons: Sequence[float] = EPSILONS
) -> Gathering[SweepPoint]:
    """Prepare fits of a session's data and answers with one epsilon after another; `start` begins.

    Each fit starts from the initialisation, so that the values of epsilon can be compared. If the session has a
    background, the fits run in a thread of their own, and each result is handed over at once.

    Parameters
    ----------
    session : Session
    changed : callable(), optional
        Called in the session's thread after each result and at the end.
    epsilons : sequence of float, optional
        By default those of :func:`~dcrc_explore.inspection.epsilon_sweep`.

    Examples
    --------
    >>> sweep = sweep_epsilon(Session("close", autosave=None), epsilons=(0, 0.05))
    >>> sweep.start()
    >>> [point.epsilon for point in sweep.results], sweep.running
    ([0, 0.05], False)
    """

    def work() -> Iterator[SweepPoint]:
        # Linear in the features that the session has computed already; one epsilon for everybody.
        model = DCRC(**session.settings.model_parameters() | {"kernel": "linear"})
        features = session.model.features(session.state.subject, session.settings).rows
        return epsilon_sweep(model, features, session.log, session.dataset.y, epsilons=epsilons)

    def about() -> tuple[Subject, Settings, Log]:
        state = session.state
        # The sweep is over epsilon, and always from the initialisation.
        return state.subject, replace(state.settings, epsilon=0.0, restart=True), state.log

    return Gathering(session, work, about, len(epsilons), changed)


# People ------------------------------------------------------------------------------------------------------------


# Answers from which on a person is judged: by counts against the truth, or by errors that a model learned.
_ENOUGH = {"truth": 10, "learned": 20}
# Mean share of right answers, over the answers implied, up to which somebody seems to guess; chance is 1/3.
_GUESSED = 0.45


class Person(NamedTuple):
    """What is known of one person."""

    name: str
    # How many answers they gave
    n_triplets: int
    n_pairs: int
    # Shape (3, 3): answers implied (rows: yes, no, dnk) against answers given (columns): counts where the truth is
    # known, else the probabilities that the model has learned; None when there is neither
    matrix: FloatArray | None
    source: str  # "truth" or "learned" or "": where the matrix comes from
    pairs_right: float | None  # share of the pairs' yes and no that are right, from the same source
    n_errors: int  # answers that are known to be wrong: planted ones, and errors of simulated people
    # Shape (3, 3): the probabilities that the model has learned, whatever the truth is
    learned: FloatArray | None = None
    dnk_rate: float | None = None  # share of don't know among their answers about three points
    surprise: float | None = None  # mean surprise of their answers to the model before each, in bits
    forced: bool = False  # whether the model treats them as forced to choose, without don't know
    # What their answers look like, in a sentence: guesses, or yes and no exchanged. It also says when there are too few
    # answers to tell; empty when there is nothing to say.
    habit: str = ""


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
    if decided.sum() < _ENOUGH[source or "truth"]:
        right = None
    habit = "" if matrix is None or not len(triplets) else _habit(name, matrix, source, len(triplets))
    if not len(triplets) or (source == "learned" and len(triplets) < _ENOUGH["learned"]):
        matrix = None
    bits = log.surprise[own]
    return Person(
        *(name, len(triplets), int(own_pairs.sum()), matrix, source, right, int(known_errors(session)[own].sum())),
        learned=None if noise is None or len(triplets) < _ENOUGH["learned"] else noise.matrix,
        dnk_rate=float((triplets.answers == Answer.DNK).mean()) if len(triplets) else None,
        surprise=float(bits[np.isfinite(bits)].mean()) if np.isfinite(bits).any() else None,
        forced=name in session.fit.forced,
        habit=habit,
    )


def _habit(name: str, matrix: FloatArray, source: str, n_answers: int) -> str:
    """Say how somebody errs: by guessing, or by exchanging yes and no."""
    if n_answers < _ENOUGH[source]:
        return f"Too few answers to say how {name} errs ({_ENOUGH[source]} are needed)."
    rows = matrix[matrix.sum(axis=1) > 0]
    shares = rows / rows.sum(axis=1, keepdims=True)
    right = shares[range(len(rows)), np.flatnonzero(matrix.sum(axis=1) > 0)]
    if len(rows) < 2 or right.mean() > _GUESSED:
        return ""
    decided = matrix[:2]
    crossed = decided[0, 1] + decided[1, 0]
    if crossed > 2 / 3 * decided.sum():
        return f"{name} mostly exchanges yes and no."
    whose = "the true classes" if source == "truth" else "the clusters"
    return f"{name} seems to guess: the answers hardly depend on {whose}."


def agreements(session: Session) -> list[Agreement]:
    """Return how far people agree, two by two, where both answered the same question about three or two points.

    Those with most common questions come first. Two people without a common question come last, once.
    """
    log, by = session.log, np.array(session.log.by, dtype=str)
    kinds = (log.triplets, log.triplet_positions), (log.pairs, log.pair_positions)
    found = [each for answered, at in kinds for each in agreement(answered, by[at].tolist()) if each.n_common]
    known = {frozenset(each[:2]) for each in found}
    strangers = [two for two in combinations(log.names, 2) if frozenset(two) not in known]
    found += [Agreement(*two, 0, float("nan"), float("nan")) for two in strangers]
    return sorted(found, key=lambda each: -each.n_common)
