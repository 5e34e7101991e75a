"""Who answers, and what a session does with questions about two points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.annotators import list_oracles
from dcrc_explore.constraints import Answer, AnswerLike, Pairs, as_pairs
from dcrc_explore.model.hearing import pair_accuracy
from dcrc_explore.questions import (
    informative_pairs,
    informative_triplets,
    list_strategies,
    pair_information,
    random_pairs,
)
from dcrc_explore.session.answers import (
    LONGEST_NAME,
    GivenAnswer,
    GivenPair,
    PairAnswers,
    now,
)
from dcrc_explore.session.autosave import Keeper
from dcrc_explore.session.events import Change
from dcrc_explore.session.exploration import one_at_a_time
from dcrc_explore.session.kept import Kept
from dcrc_explore.session.labels import answers_label, change_label
from dcrc_explore.session.part import as_rows
from dcrc_explore.session.settings import SessionError, clear_errors
from dcrc_explore.session.state import Document
from dcrc_explore.session.worker import Deliver

ANYBODY = "user"  # who answers as long as nobody has given a name
PLANTED = "planted"  # who, in files of before, gave an answer that was changed on purpose
# Questions about three points among which the best is looked for, to say what a pair is worth beside it.
_CANDIDATES = 1000


def person_name(name: object) -> str:
    """Return a person's name without needless space; SessionError when it can't be one.

    Examples
    --------
    >>> person_name("  Ann   Lee ")
    'Ann Lee'
    >>> person_name("truth")
    Traceback (most recent call last):
        ...
    dcrc_explore.session.settings.SessionError: 'truth' is the name of simulated people: choose another one
    """
    if not isinstance(name, str):
        raise SessionError(f"a person's name must be a text, got {name!r}")
    text = " ".join(name.split())
    if not 0 < len(text) <= LONGEST_NAME:
        raise SessionError(f"a person's name must have 1 to {LONGEST_NAME} characters, got {len(text)}")
    if not text.isprintable():
        raise SessionError(f"a person's name must have no marks that are not seen, got {text!r}")
    if text in (*list_oracles(), PLANTED):
        raise SessionError(f"{text!r} is the name of simulated people: choose another one")
    return text


def last_person(givers: Iterable[str]) -> str:
    """Return who answered last, simulated people left out; "user" when nobody did.

    Examples
    --------
    >>> last_person(["Ann", "Bob", "truth"]), last_person(["truth"])
    ('Bob', 'user')
    """
    people = [name for name in givers if name not in (*list_oracles(), PLANTED)]
    return people[-1] if people else ANYBODY


class PairExpectation(NamedTuple):
    """What the model expects as the answer about a pair, and what the answer is worth in bits."""

    yes: float
    no: float
    bits: float


class Pairing(Kept):
    """The part of a session that asks whether two points belong together, and knows who answers."""

    def _begin(self, document: Document, keeper: Keeper, background: Deliver | None) -> None:
        self._person = last_person(document.state.givers)
        super()._begin(document, keeper, background)

    @property
    def person(self) -> str:
        """Who answers from now on; "user" until somebody gives a name."""
        return self._person

    @person.setter
    def person(self, name: str) -> None:
        with self.lock:
            text = person_name(name)
            if text != self._person:
                self._person = text
                self._observers.tell(Change.SETTINGS)

    @property
    def pair_answers(self) -> PairAnswers:
        """Every answer about two points, oldest first: a sequence of :class:`GivenPair`."""
        return self.state.pair_answers

    @property
    def last_answer(self) -> GivenAnswer | GivenPair | None:
        """What was said last, about three points or two; None before the first answer."""
        last = [said[-1] for said in self.state.said if said]
        return max(last, key=lambda given: given.time, default=None)

    # Questions -------------------------------------------------------------------------------------------------------

    @one_at_a_time
    def suggest_pair_with_reason(
        self, strategy: str = "informative", rows: ArrayLike | None = None
    ) -> tuple[tuple[int, int], str]:
        """Return a pair as `suggest_pair` does, why it was chosen, and what three points are worth beside it."""
        pair = self.suggest_pair(strategy, rows)
        reason = "A random pair" if strategy == "random" else "The pair that tells most"
        if rows is not None:  # three points from elsewhere are no measure for these
            return pair, f"{reason}."
        best = informative_triplets(
            self.fit.proba, 1, epsilon=self.settings.epsilon, n_candidates=_CANDIDATES, seed=self.rng
        )
        three = self.expected(best[0]).bits
        return pair, f"{reason}; three points tell up to {three:.2f} bit."

    @one_at_a_time
    def suggest_pair(self, strategy: str = "informative", rows: ArrayLike | None = None) -> tuple[int, int]:
        """Return two points about which nothing was asked: the pair whose answer tells most, or a "random" one.

        With `rows` they are among these points.
        """
        if strategy not in list_strategies():
            raise SessionError(f"strategy must be one of {', '.join(list_strategies())}, got {strategy!r}")
        N = len(self.dataset.X)
        some = np.arange(N) if rows is None else as_rows(rows, N)
        place = np.full(N, -1)
        place[some] = np.arange(len(some))
        asked = place[np.vstack([self.pairs.indices, as_pairs(self.skipped_pairs)])]
        asked = asked[(asked >= 0).all(axis=1)]
        with clear_errors():
            if strategy == "random":
                drawn = random_pairs(len(some), 1, asked=asked, seed=self.rng)
            else:
                epsilon = self.settings.epsilon
                drawn = informative_pairs(self.fit.proba[some], 1, epsilon=epsilon, asked=asked, seed=self.rng)
        if not len(drawn):
            raise SessionError("every pair of these points was asked about")
        i, j = some[drawn[0]].tolist()
        return i, j

    @one_at_a_time
    def skip(self, question: ArrayLike) -> None:
        """Do not suggest this question about three or two points again; nothing is recorded."""
        if np.shape(question) == (2,):
            self.skipped_pairs.append(self._one_pair(question))
        else:
            self.skipped.append(self._one_triplet(question))

    def expected_pair(self, pair: ArrayLike) -> PairExpectation:
        """Return what the current model expects as an answer about a pair, and what the answer is worth in bits."""
        i, j = self._one_pair(pair)
        belief, right = self.fit.proba, pair_accuracy(self.settings.epsilon)
        together = float(belief[i] @ belief[j])
        errors = [[right, 1 - right], [1 - right, right]]
        bits = float(pair_information(belief, [(i, j)], confusion=errors)[0])
        yes = together * right + (1 - together) * (1 - right)
        return PairExpectation(yes, 1 - yes, bits)

    # Actions: each is one step to undo, one writing and one refit ----------------------------------------------------

    @one_at_a_time
    def answer_pair(self, pair: ArrayLike, answer: AnswerLike, *, by: str | None = None) -> GivenPair:
        """Record whether two points belong together (yes, no, dnk), put it on disk, and refit.

        Returns
        -------
        GivenPair
            The record, with the surprise that the answer was to the model before.
        """
        self.add_pairs(np.array([pair]), [answer], by=by)
        return self.pair_answers[-1]

    @one_at_a_time
    def add_pairs(self, pairs: ArrayLike, answers: AnswerLike, *, by: str | Sequence[str] | None = None) -> None:
        """Record many answers about pairs as one step; `by` is who gave all of them, or each."""
        with clear_errors():
            new = Pairs(pairs, answers, n_samples=len(self.dataset.X))
        if not len(new):
            return
        longer = self.pair_answers.plus(new, time=now(), by=by or self.person, surprise=self._pair_surprise(new))
        label = answers_label(len(self.pair_answers), len(longer), "pair")
        self._change(label, Change.ANSWERS, pair_answers=longer)

    @one_at_a_time
    def revise_pairs(self, changes: Mapping[int, AnswerLike]) -> None:
        """Change the answers about the pairs with these numbers as one step."""
        if changes:
            answers = self.pair_answers.revised(changes, time=now(), by=self.person)
            label = change_label(self.pairs.answers, answers.pairs.answers, "pair")
            self._change(label, Change.ANSWERS, pair_answers=answers)

    @one_at_a_time
    def delete_pair(self, index: int) -> None:
        """Take an answer about a pair out."""
        answers = self.pair_answers.without(index)
        self._change(f"deletion of pair {index + 1}", Change.ANSWERS, pair_answers=answers)

    def _one_pair(self, pair: ArrayLike) -> tuple[int, int]:
        with clear_errors():
            ((i, j),) = as_pairs(np.array([pair]), len(self.dataset.X)).tolist()
        return i, j

    def _pair_surprise(self, pairs: Pairs) -> list[float]:
        """Bits of surprise of answers before they are heard; a don't know says nothing, so none is known."""
        bits = []
        for pair, answer in pairs:
            expected = self.expected_pair(pair)
            chance = expected.yes if answer is Answer.YES else expected.no
            with np.errstate(divide="ignore"):
                bits.append(float("nan") if answer is Answer.DNK else max(0.0, float(-np.log2(chance))))
        return bits
