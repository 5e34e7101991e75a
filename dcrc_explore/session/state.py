"""What a session is at a moment, the steps between moments, and their observers."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Flag, auto

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.constraints import LONGEST_NAME, Answer, Log
from dcrc_explore.model.softmax import Weights
from dcrc_explore.model.validation import ignores_answers
from dcrc_explore.session.fit import Quality
from dcrc_explore.session.settings import SessionError, Settings
from dcrc_explore.session.subject import Subject
from dcrc_explore.words import count

_DEPTH = 1000


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


# What happened, and who is told ------------------------------------------------------------------------------------


class Change(Flag):
    """What an event is about."""

    DATA = auto()
    SETTINGS = auto()
    ANSWERS = auto()
    FIT = auto()  # a new model: labels, surface, panels
    BUSY = auto()  # a fit that takes long began, ended or failed: see Session.busy and Session.fit_error
    ADVICE = auto()  # Session.advice says what to try
    SAVED = auto()  # Session.path or Session.save_error changed; Session.save_note may say why


@dataclass(frozen=True)
class Event:
    """What changed, in one go: ``Change.ANSWERS in event.changed``."""

    changed: Change


class Observers:
    """An observer: called with every change."""

    def __init__(self) -> None:
        self._callbacks: list[Callable[[Event], object]] = []

    def add(self, callback: Callable[[Event], object]) -> Callable[[], None]:
        """Call `callback` after each change; returns what ends it."""
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback)

    def tell(self, changed: Change) -> None:
        """Call everybody. An error of one becomes a warning; the others go on."""
        for callback in tuple(self._callbacks):
            try:
                callback(Event(changed))
            except Exception as error:
                warnings.warn(f"an observer of the session failed: {error!r}", RuntimeWarning, stacklevel=2)


# Steps -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Step:
    """What was done, what it changed, and the state on its other side."""

    label: str
    changed: Change
    state: State
    mergeable: bool = False


class Timeline:
    """The current state, the steps that can be taken back, and those that can be done again.

    Attributes
    ----------
    state : State
        The current one.
    position : int
        Grows by one with each step that is done, and shrinks by one with each that is taken back.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.position = 0
        self._done: deque[Step] = deque(maxlen=_DEPTH)
        self._undone: deque[Step] = deque()

    def do(self, label: str, changed: Change, state: State, *, merge: bool = False) -> None:
        """Go on to a state. With `merge` this joins the step before it when both have the same label."""
        last = self._done[-1] if self._done else None
        if not (last and merge and last.mergeable and last.label == label):
            self._done.append(Step(label, changed, self.state, merge))
            self.position += 1
        self._undone.clear()
        self.state = state

    @property
    def to_undo(self) -> Step:
        """The step that :meth:`undo` takes back; SessionError when there is none."""
        if not self._done:
            raise SessionError("there is nothing to undo")
        return self._done[-1]

    @property
    def to_redo(self) -> Step:
        """The step that :meth:`redo` does again; SessionError when there is none."""
        if not self._undone:
            raise SessionError("there is nothing to redo")
        return self._undone[-1]

    def undo(self, state: State) -> None:
        """Go back to the state before the last step, or to one that stands for it."""
        step = self._done.pop()
        self._undone.append(Step(step.label, step.changed, self.state))
        self.state, self.position = state, self.position - 1

    def redo(self, state: State) -> None:
        """Go on to the state after the step that was taken back last, or to one that stands for it."""
        step = self._undone.pop()
        self._done.append(Step(step.label, step.changed, self.state))
        self.state, self.position = state, self.position + 1

    @property
    def undo_label(self) -> str | None:
        """Label of the step to undo."""
        return self._done[-1].label if self._done else None

    @property
    def redo_label(self) -> str | None:
        """Label of the step to redo."""
        return self._undone[-1].label if self._undone else None
