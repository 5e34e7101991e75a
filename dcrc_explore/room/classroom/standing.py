"""How a class stands: agreement, and what is known of each participant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import isnan
from typing import NamedTuple

import numpy as np

from dcrc_explore.annotators import fleiss_kappa
from dcrc_explore.constraints import Answer
from dcrc_explore.room.classroom.classroom import Classroom
from dcrc_explore.room.classroom.journal import GuestAnswer, guest
from dcrc_explore.room.classroom.vote import tally
from dcrc_explore.words import count

_ENOUGH = 5  # answers from which on a guest is judged
_MANY = 10  # questions from which on kappa means something


class ClassAgreement(NamedTuple):
    """How far people agree on questions that at least two of them answered."""

    n_questions: int
    # Share of pairs of people who gave the same answer to a question, averaged over questions; nan without any
    share: float
    kappa: float  # Fleiss' kappa: 1 is full agreement, 0 is what chance gives; nan when it is undefined

    def in_words(self) -> str:
        """Say it in a sentence; nothing when there is nothing to say."""
        if not self.n_questions:
            return ""
        few = isnan(self.kappa) or self.n_questions < _MANY
        kappa = "" if few else f" (Fleiss' kappa {self.kappa:.2f})"
        questions = count(self.n_questions, "shared question")
        return f"Two people agree in {self.share:.0%} of cases{kappa}: {questions}."


def alike(answers: Iterable[GuestAnswer]) -> ClassAgreement:
    """Measure how far participants agree; of a guest's votes on one question, the last counts.

    Examples
    --------
    >>> from dcrc_explore.constraints import Answer, Entry
    >>> said = [GuestAnswer(n, "v1.1", "vote 1.1", Entry((0, 1, 2), Answer.YES, "")) for n in (1, 2)]
    >>> alike(said)[:2]
    (1, 1.0)
    """
    by_question: dict[tuple[int, ...], dict[int, Answer]] = {}
    for given in answers:
        by_question.setdefault(given.entry.points, {})[given.person] = given.entry.answer
    counts = [tally(list(votes.values())) for votes in by_question.values() if len(votes) > 1]
    if not counts:
        return ClassAgreement(0, float("nan"), float("nan"))
    table = np.array(counts, dtype=float)
    n = table.sum(axis=1)
    shares = (table * (table - 1)).sum(axis=1) / (n * (n - 1))
    return ClassAgreement(len(table), float(shares.mean()), fleiss_kappa(table))


class Guest(NamedTuple):
    """What is known of a participant."""

    number: int
    n_answers: int  # in the session
    # Probability of an error that the model has learned, averaged over the three answers; None with few answers
    errors: float | None
    n_violated: int  # answers that the boundary contradicts: these pull at it


def guests(room: Classroom) -> list[Guest]:
    """Return the participants with answers in the model; those whose answers it violates most often come first.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from dcrc_explore.room.classroom import Classroom, rehearse
    >>> from dcrc_explore.session import Session
    >>> with Classroom(Session("emoji", autosave=None), Path(tempfile.mkdtemp()) / "class.jsonl", port=0) as room:
    ...     _ = rehearse(room, people=2)
    ...     room.settle()
    ...     sorted(guest.number for guest in guests(room))
    [1, 2]
    """
    fit = room.session.fit
    by = np.array(fit.log.by, dtype=str)
    n_answers, n_violated = Counter(by.tolist()), Counter(by[fit.violated].tolist())
    known = []
    for number in list(room.roll.nicknames_of):  # somebody may join meanwhile
        name = guest(number)
        if n := n_answers[name]:
            noise = fit.people.get(name) if n >= _ENOUGH else None
            errors = None if noise is None else float(1 - np.diag(noise.matrix).mean())
            known.append(Guest(number, n, errors, n_violated[name]))
    return sorted(known, key=lambda each: (-each.n_violated / each.n_answers, -each.n_answers, each.number))
