"""What a session is at a moment, the steps between moments, and their observers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.constraints import LONGEST_NAME, Answer, Log
from dcrc_explore.model.softmax import Weights
from dcrc_explore.model.validation import ignores_answers
from dcrc_explore.session.fit import Quality
from dcrc_explore.session.settings import SessionError, Settings
from dcrc_explore.session.subject import Subject
from dcrc_explore.words import count

# A moment ----------------------------------------------------------------------------------------------------------


def cluster_text(name: str) -> str:
    """Return a cluster's name without needless space; SessionError when it can't be one.

    Examples
    --------
    >>> cluster_text("  round   ones ")
    'round ones'
    """
    text = " ".join(name.split())
    if len(text) > LONGEST_NAME:
        raise SessionError(f"the name of a cluster must have at most {LONGEST_NAME} characters, got {len(text)}")
    if not text.isprintable():
        raise SessionError(f"the name of a cluster must have no marks that are not seen, got {text!r}")
    return text


@dataclass(frozen=True, eq=False)
class State:
    """Data, settings and answers.

    Parameters
    ----------
    subject : Subject
    settings : Settings
    log : Log
        Every answer.
    weights : Weights or None
        The model that was on the screen when this state came up, from which its fit goes on; None asks for the
        initialisation. With ``settings.restart`` only the numbers of the clusters are taken from it.
    names : tuple of str
        What a person calls each cluster, "" for those without a name; empty when none has one.
    """

    subject: Subject
    settings: Settings
    log: Log = field(default_factory=Log)
    weights: Weights | None = None
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.names) != self.settings.n_clusters or not any(self.names):
            object.__setattr__(self, "names", ())  # other clusters than those that were named
        N, K = len(self.subject.dataset.X), self.settings.n_clusters
        if N < K:
            raise SessionError(f"{K} clusters need at least {K} points, but the data has {N}: choose a smaller K")

    @property
    def n_answers(self) -> int:
        """How many answers there are."""
        return len(self.log)

    @property
    def annotators(self) -> tuple[str, ...]:
        """Who gave each answer, triplets first, when each person has a noise model of their own; otherwise nothing."""
        soft = self.settings.epsilon > 0 and not ignores_answers(self.settings.epsilon)
        return self.log.annotators if self.settings.per_person and soft and len(self.log.names) > 1 else ()

    def cluster_name(self, k: int) -> str:
        """Return what cluster k is called: the name that a person gave it, or its number from 1 on."""
        return (self.names and self.names[k]) or str(k + 1)

    def renamed(self, k: int, name: str) -> State:
        """Return the same with another name for cluster k; SessionError when that can't be."""
        K, text = self.settings.n_clusters, cluster_text(name)
        if not 0 <= k < K:
            raise SessionError(f"clusters are numbered from 0 to {K - 1} here, got {k}")
        names = list(self.names or [""] * K)
        names[k] = ""
        if text and text in names:
            raise SessionError(f"another cluster is called {text!r} already")
        names[k] = text
        return replace(self, names=tuple(names))


@dataclass
class Document:
    """What a session file holds: a state, the quality that its fits had, and where large data lie."""

    state: State
    quality: list[Quality] = field(default_factory=list)  # of two with as many answers the later one counts
    data_file: str | None = None


# What a step is called ---------------------------------------------------------------------------------------------


def answers_label(before: int, after: int) -> str:
    """Say which answers make the difference between so many and more.

    Examples
    --------
    >>> answers_label(3, 4), answers_label(3, 8)
    ('answer 4', 'answers 4 to 8')
    """
    return f"answer {after}" if after == before + 1 else f"answers {before + 1} to {after}"


def in_words(answer: Answer) -> str:
    """Write an answer as people say it."""
    return {Answer.YES: "yes", Answer.NO: "no", Answer.DNK: "don't know"}[answer]


def change_label(before: NDArray[np.integer], after: NDArray[np.integer]) -> str:
    """Say how answers that were given are changed.

    Examples
    --------
    >>> change_label(np.array([1, 1, 0]), np.array([1, -1, 0]))
    'answer 2: yes → no'
    >>> change_label(np.array([1, 1]), np.array([-1, 0]))
    'change of 2 answers'
    """
    changed = np.flatnonzero(before != after)
    if len(changed) != 1:
        return f"change of {count(len(changed), 'answer')}"
    (t,) = changed
    return f"answer {t + 1}: {in_words(Answer(int(before[t])))} → {in_words(Answer(int(after[t])))}"
