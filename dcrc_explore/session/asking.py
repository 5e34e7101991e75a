"""The flow of questions: which one comes next, who is asked, what was skipped, and the reason for each."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping, Sequence
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar, cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.annotators import list_oracles
from dcrc_explore.arrays import IntArray
from dcrc_explore.constraints import (
    LONGEST_NAME,
    Answer,
    AnswerLike,
    Entry,
    Log,
    Pairs,
    Triplets,
    as_questions,
    checked_answers,
    same_question,
)
from dcrc_explore.information import Expectation, expected_answer, surprises
from dcrc_explore.questions import (
    ENOUGH,
    Belief,
    Questions,
    choose,
    informative_pairs,
    informative_triplets,
    list_strategies,
    model_doubt,
    random_pairs,
)
from dcrc_explore.questions.repeats import due_repeat
from dcrc_explore.session.fitted import FittedModel
from dcrc_explore.session.state import ANYBODY, SessionError, State, Subject, as_rows, clear_errors
from dcrc_explore.session.steps import one_at_a_time

if TYPE_CHECKING:
    from dcrc_explore.session.session import Session

Points = tuple[int, ...]
Replies = MutableMapping[tuple[str, Points], Answer | None]
Answered = TypeVar("Answered", Triplets, Pairs)

# Bits below which the model is sure of the answer: guided questions look where it may be sure and wrong.
_SURE = 0.1
# Questions about three points among which the best is looked for, to say what a pair is worth beside it.
_CANDIDATES = 1000
_WHY_SHARED = "Others have answered this one: your answer shows how far you agree."
SHARED = "shared"  # instead of a strategy: what others were asked
_WHY_REPEATED = "Chosen to learn how often answers are wrong."  # it does not say that it is asked again
_AGAIN = "Taken back: answer again, or press Enter for another."
_TOO_FEW = {
    1: "One selected point is too few: this question is about all points.",
    2: "Two selected points are too few: this question is about all points.",
}


# Who answers -------------------------------------------------------------------------------------------------------


def person_name(name: object) -> str:
    """Return a person's name without extra spaces; SessionError when it is not allowed.

    Examples
    --------
    >>> person_name("  Ann   Lee ")
    'Ann Lee'
    >>> person_name("truth")
    Traceback (most recent call last):
        ...
    dcrc_explore.session.state.SessionError: 'truth' is the name of simulated people: choose another one
    """
    if not isinstance(name, str):
        raise SessionError(f"a person's name must be a text, got {name!r}")
    text = " ".join(name.split())
    if not 0 < len(text) <= LONGEST_NAME:
        raise SessionError(f"a person's name must have 1 to {LONGEST_NAME} characters, got {len(text)}")
    if not text.isprintable():
        raise SessionError(f"a person's name must have no invisible characters, got {text!r}")
    if text in list_oracles():
        raise SessionError(f"{text!r} is the name of simulated people: choose another one")
    return text


def last_person(names: Iterable[str]) -> str:
    """Return who answered last, without simulated people; "user" when there is no one.

    Examples
    --------
    >>> last_person(["Ann", "Bob", "truth"]), last_person(["truth"])
    ('Bob', 'user')
    """
    people = [name for name in names if name not in list_oracles()]
    return people[-1] if people else ANYBODY


# An answer is recorded --------------------------------------------------------------------------------------------


def logged(
    session: Session,
    points: ArrayLike | Sequence[Sequence[int]],
    answers: AnswerLike,
    by: str | Sequence[str] | None = None,
    seconds: ArrayLike | None = None,
    time: str | Sequence[str] | None = None,
) -> Log:
    """Return the log of a session with more answers, each with its surprise under the model."""
    state, names = session.state, session.person if by is None else by
    log, epsilon = state.log, state.fit_settings.epsilon
    with clear_errors():
        asked, values = checked_answers(points, answers, len(state.subject.dataset.X))
        bits = surprises(session.model.fit.proba, asked, values, epsilon, past=(log.points, log.answers))
        return log.plus_checked(asked, values, time=time, by=names, seconds=seconds, surprise=bits)


# What to ask -------------------------------------------------------------------------------------------------------


class Questioner:
    """Chooses the questions of a session: what to ask next, and what its answer is worth.

    Parameters
    ----------
    model : FittedModel
    lock : RLock
    """

    def __init__(self, model: FittedModel, lock: RLock) -> None:
        self._model, self.lock = model, lock
        self._expected: tuple[Any, ...] = ()  # the last question, about which model and answers, and what is expected
        seed = self._state.settings.random_state
        # With generators of their own, so that looking at questions does not change what an oracle is asked.
        self.rng, self._suggestions = np.random.default_rng(seed), np.random.default_rng(seed)
        self._skipped: WeakKeyDictionary[Subject, list[Points]] = WeakKeyDictionary()
        self._replies: WeakKeyDictionary[Subject, Replies] = WeakKeyDictionary()

    @property
    def _state(self) -> State:
        return self._model.current()

    @property
    def skipped(self) -> list[Points]:
        """Skipped questions about these data, which are not asked again."""
        return self._skipped.setdefault(self._state.subject, [])

    @property
    def replies(self) -> Replies:
        """What functions answered about these data, by their name and the question."""
        return self._replies.setdefault(self._state.subject, {})

    @property
    def expected_change(self) -> float:
        """Expected number of points that further answers move to another cluster."""
        return self._belief().expected_change

    def expected(self, points: ArrayLike) -> Expectation:
        """Return what the current model expects as an answer about three points or two, and its worth in bits."""
        asked = self._checked(points), self._model.fit, self._state
        if self._expected[:3] != asked:
            points, fit, state = asked
            past, settings = (state.log.points, state.log.answers), state.fit_settings
            found = expected_answer(fit.proba, points, settings.epsilon, past=past, use_dnk=settings.use_dnk)
            self._expected = *asked, found
        return cast(Expectation, self._expected[3])

    @one_at_a_time
    def skip(self, points: ArrayLike) -> None:
        """Do not suggest this question about three points or two again; nothing is recorded."""
        self.skipped.append(self._checked(points))

    def suggest(
        self, strategy: str = "guided", among: ArrayLike | None = None, *, n_points: int = 3
    ) -> tuple[int, ...]:
        """Return a question that was neither answered nor skipped.

        Parameters
        ----------
        strategy : str, default="guided"
            One of :func:`~dcrc_explore.questions.list_strategies`. About two points, "random" or the most informative.
        among : array-like of row numbers, optional
            Ask about these points only.
        n_points : {3, 2}, default=3
            Number of points in the question.

        Examples
        --------
        >>> from dcrc_explore.session import Session
        >>> len(Session("close", autosave=None).questions.suggest(n_points=2))
        2
        """
        return self.suggest_with_reason(strategy, among, n_points=n_points)[0]

    @one_at_a_time
    def suggest_with_reason(
        self, strategy: str = "guided", among: ArrayLike | None = None, *, n_points: int = 3
    ) -> tuple[Points, str]:
        """Return a question as `suggest` does, why it was chosen, and what more answers are worth."""
        if n_points not in (2, 3):
            raise SessionError(f"a question is about 3 points or 2, got n_points={n_points!r}")
        return (self._triplet if n_points == 3 else self._pair)(strategy, among)

    @one_at_a_time
    def choose(
        self,
        strategy: str,
        n: int,
        among: ArrayLike | None = None,
        *,
        rng: np.random.Generator | None = None,
        belief: Belief | None = None,
        avoid: Sequence[Points] = (),
    ) -> Questions:
        """Return `n` new questions about three points, each with the reason why it was chosen.

        Parameters
        ----------
        strategy : str
        n : int
        among : array-like of row numbers, optional
            Ask about these points only.
        rng : Generator, optional
            By default that of the session.
        belief : Belief, optional
            What answers and model say about the points, if that was computed before.
        avoid : sequence of tuple, default=()
            Questions that are not asked, besides those that were answered or skipped.
        """
        state, proba = self._state, self._model.fit.proba
        X, log, N = state.subject.dataset.X, state.log, len(state.subject.dataset.X)
        rows = np.arange(N) if among is None else as_rows(among, N)
        if len(rows) < 3:
            raise SessionError(f"a question needs three points, got {len(rows)}")
        triplets, pairs, skipped = log.triplets, log.pairs, self.skipped_about(3, avoid)
        if among is not None:
            place = _places(rows, N)
            triplets, pairs = _inside(place, triplets), _inside(place, pairs)
            skipped = place[skipped][(place[skipped] >= 0).all(axis=1)]
        with clear_errors():
            questions = choose(
                strategy,
                proba if among is None else proba[rows],
                n,
                X=X if among is None else X[rows],
                constraints=triplets,
                pairs=pairs,
                doubt=model_doubt(log.surprise[log.triplet_positions]),
                epsilon=state.fit_settings.epsilon,
                asked=skipped,
                seed=self.rng if rng is None else rng,
                belief=belief if among is None else None,
                open_ended=state.settings.open_k,
            )
        return questions._replace(triplets=rows[questions.triplets])

    def skipped_about(self, width: int, others: Sequence[Points] = ()) -> IntArray:
        """Return the skipped questions about `width` points, and `others`, shape (n, width)."""
        skipped = [points for points in (*self.skipped, *others) if len(points) == width]
        return np.array(skipped, dtype=np.int64).reshape(-1, width)

    def of_others(self, name: str, n_points: int = 3) -> list[Points]:
        """Return the questions that others answered and this person did not, each once, by first appearance."""
        asked = [entry for entry in self._state.log if len(entry.points) == n_points]
        own = {same_question(entry.points)[0] for entry in asked if entry.by == name}
        return list(
            {key: e.points for e in reversed(asked) if (key := same_question(e.points)[0]) not in own}.values()
        )[::-1]

    def _triplet(self, strategy: str, among: ArrayLike | None) -> tuple[Points, str]:
        """Return three points, why these, and whether more answers are still worth the effort."""
        belief = self._belief()
        questions = self.choose(strategy, 1, among, rng=self._suggestions, belief=belief)
        points = tuple(questions.triplets[0].tolist())
        reason, expected, N = questions.reasons[0], belief.expected_change, len(self._state.subject.dataset.X)
        if self.expected(points).bits < _SURE:
            reason += " The model is sure of the answer; it may be wrong."
        if expected < ENOUGH * N:
            reason += f" More answers will hardly change the clusters: at most {expected:.0f} of {N} points."
        return points, reason

    def _pair(self, strategy: str, among: ArrayLike | None) -> tuple[Points, str]:
        """Return two points about which nothing was asked: the pair whose answer is worth most, or a "random" one."""
        state, rng = self._state, self.rng
        if strategy not in list_strategies():
            raise SessionError(f"strategy must be one of {', '.join(list_strategies())}, got {strategy!r}")
        N, proba, epsilon = len(state.subject.dataset.X), self._model.fit.proba, state.fit_settings.epsilon
        rows = np.arange(N) if among is None else as_rows(among, N)
        asked = _places(rows, N)[np.vstack([state.log.pairs.indices, self.skipped_about(2)])]
        asked = asked[(asked >= 0).all(axis=1)]
        with clear_errors():
            if strategy == "random":
                drawn = random_pairs(len(rows), 1, asked=asked, seed=rng)
            else:
                drawn = informative_pairs(proba[rows], 1, epsilon=epsilon, asked=asked, seed=rng)
        if not len(drawn):
            raise SessionError("every pair of these points was asked about")
        reason = "A random pair" if strategy == "random" else "The most informative pair"
        if among is None:  # else three points from elsewhere are no measure for these
            best = informative_triplets(proba, 1, epsilon=epsilon, n_candidates=_CANDIDATES, seed=rng)
            reason += f"; three points are worth up to {self.expected(best[0]).bits:.2f} bit"
        return tuple(rows[drawn[0]].tolist()), f"{reason}."

    def _belief(self) -> Belief:
        """Return what is known about the points, as questions are chosen by it."""
        state, log = self._state, self._state.log
        doubt = model_doubt(log.surprise[log.triplet_positions])
        return Belief(self._model.fit.proba, log.triplets, doubt, log.pairs, open_ended=state.settings.open_k)

    def _checked(self, points: ArrayLike) -> Points:
        with clear_errors():
            row = as_questions(np.array([points]), len(self._state.subject.dataset.X))[0].tolist()
        return tuple(i for i in row if i >= 0)


def _places(rows: IntArray, n_samples: int) -> IntArray:
    """Return where each point stands in `rows`, -1 for those that do not."""
    place = np.full(n_samples, -1)
    place[rows] = np.arange(len(rows))
    return place


def _inside(place: IntArray, answered: Answered) -> Answered:
    """Return the answers that are about some points alone, with the points' places."""
    inside = ((at := place[answered.indices]) >= 0).all(axis=1)
    return type(answered)(at[inside], answered.answers[inside])


# The conversation --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Question:
    """A question to a person."""

    # Three, "is the first more similar to the second than to the third?", or two, "do they belong together?"
    points: Points
    expected: Expectation
    reason: str = ""  # why this one; empty when a person chose it
    suggested: bool = False  # whether the program chose it
    automatic: bool = False  # whether it was asked automatically, after the last answer


class Asking:
    """A conversation with one person about the points of a session: ask for a question, give an answer.

    A session can have several conversations at once, as for people with phones; what one skips is not asked of the
    others.

    Parameters
    ----------
    session : Session
    by : str, optional
        Who is asked; by default the session's `person`.
    strategy : str, default="guided"
        How questions are chosen, one of :func:`~dcrc_explore.questions.list_strategies`; "" is by hand.
    n_points : {3, 2}, default=3
        Number of points in a question.

    Attributes
    ----------
    question : Question or None
        The one that waits for an answer.
    selected : list of int
        The points that questions are about; an empty list stands for all.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> asking = Asking(Session("close", autosave=None), by="Ann")
    >>> question = asking.next()
    >>> len(question.points), question.suggested
    (3, True)
    >>> asking.answer("dnk").by
    'Ann'
    >>> asking.question is None
    True
    """

    def __init__(self, session: Session, by: str | None = None, *, strategy: str = "guided", n_points: int = 3) -> None:
        self.session, self.by = session, None if by is None else person_name(by)
        self.strategy, self.n_points = strategy, n_points
        self.question: Question | None = None
        self.selected: list[int] = []
        self._suggested: Points = ()  # the points that were suggested last
        self._answered = 0  # how often they had been answered then
        self._repeated: Points = ()  # the earlier question that was asked again last

    def put(
        self, points: Sequence[int], reason: str = "", *, suggested: bool = False, automatic: bool = False
    ) -> Question:
        """Ask about these points."""
        at = tuple(int(i) for i in points)
        self.question = Question(at, self.session.questions.expected(at), reason, suggested, automatic)
        if suggested:
            self._suggested, self._answered = at, _times_answered(self.session.log, at)
        return self.question

    def next(self, *, automatic: bool = False) -> Question:
        """Ask the next question of the strategy, guided if that is by hand; every tenth repeats an earlier one."""
        if self.strategy == SHARED:
            return self.next_shared(automatic=automatic)
        state = self.session.state
        may_repeat = state.settings.estimates_epsilon and self.n_points == 3 and not self.selected
        again = due_repeat(state.log, self.by or self.session.person) if may_repeat else None
        if again is not None and again != self._repeated:
            self._repeated = again  # once: a person may skip it
            return self.put(again, _WHY_REPEATED, suggested=True, automatic=automatic)
        enough = len(self.selected) >= self.n_points
        points, reason = self.session.questions.suggest_with_reason(
            self.strategy or "guided", self.selected if enough else None, n_points=self.n_points
        )
        if self.selected and not enough:
            reason = _TOO_FEW[len(self.selected)]
        return self.put(points, reason, suggested=True, automatic=automatic)

    def go_on(self) -> Question | None:
        """Ask the next question if that is automatic and no question waits for an answer.

        Returns
        -------
        Question or None
            None when no question is left.
        """
        if not self.strategy or (self.question is not None and not self._is_answered()):
            return self.question
        try:
            return self.next(automatic=True)
        except SessionError:  # none is left
            self.question = None
            return None

    def answer(
        self,
        answer: AnswerLike,
        points: Sequence[int] | None = None,
        *,
        by: str | None = None,
        seconds: float | None = None,
    ) -> Entry:
        """Answer the question, or one about other points; `by` must not be the name of a simulated person."""
        if points is None:
            if self.question is None:
                raise SessionError("there is no question to answer: ask for one first")
            points = self.question.points
        giver = self.by if by is None else person_name(by)
        self.question = None
        return self.session.answer(points, answer, by=giver, seconds=seconds)

    def skip(self, points: Sequence[int] | None = None) -> None:
        """Skip the question, or one about other points; it is not suggested again."""
        if points is None and self.question is not None:
            points = self.question.points
        self.question = None
        if points is not None:
            self.session.questions.skip(points)

    def select(self, rows: ArrayLike) -> None:
        """Ask about these points from now on; about all points if the list is empty."""
        self.selected = as_rows(rows, len(self.session.dataset.X)).tolist()

    def next_shared(self, *, automatic: bool = False) -> Question:
        """Ask a question that someone else has answered and this person has not: it shows how far they agree."""
        me = self.by or self.session.person
        others = self.session.questions.of_others(me, self.n_points)
        if not others:
            raise SessionError(f"{me} has answered every question that others were asked: there is none to compare")
        points = others[int(self.session.questions.rng.integers(len(others)))]
        return self.put(points, _WHY_SHARED, suggested=True, automatic=automatic)

    def bring_back(self, before: State) -> None:
        """After undo, ask again the question whose answer was taken back since a state."""
        points = taken_back(before, self.session.state)
        if points is not None and len(points) == self.n_points:
            self.put(points, _AGAIN, suggested=True)

    def _is_answered(self) -> bool:
        points = None if self.question is None else self.question.points
        return points == self._suggested and _times_answered(self.session.log, self._suggested) > self._answered


def _times_answered(log: Log, points: Points) -> int:
    return int((log.points == (*points, -1)[:3]).all(axis=1).sum())


def taken_back(before: State, after: State) -> Points | None:
    """Return the question whose answer a person took back between two states; None if there is none."""
    old = before.log
    if len(old) != len(after.log) + 1 or before.subject is not after.subject:
        return None
    if old.shared(after.log) != len(after.log) or old[-1].by in list_oracles():
        return None
    return old[-1].points
