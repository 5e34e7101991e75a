"""What undo and redo go back and forth between, and what a file holds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dcrc_explore.model.softmax import Weights
from dcrc_explore.model.validation import ignores_answers
from dcrc_explore.session.answers import LONGEST_NAME, Answers, PairAnswers
from dcrc_explore.session.labels import answers_label
from dcrc_explore.session.quality import Quality
from dcrc_explore.session.settings import SessionError, Settings
from dcrc_explore.session.subject import Subject


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


@dataclass(eq=False)
class State:
    """Data, settings and answers.

    Parameters
    ----------
    subject : Subject
    settings : Settings
    answers : Answers
    weights : Weights or None
        The model that was on the screen when this state came up, from which its fit goes on; None asks for the
        initialisation. With ``settings.restart`` only the numbers of the clusters are taken from it.
    names : tuple of str
        What a person calls each cluster, "" for those without a name; empty when none has one.
    pair_answers : PairAnswers
    """

    subject: Subject
    settings: Settings
    answers: Answers = field(default_factory=Answers)
    weights: Weights | None = None
    names: tuple[str, ...] = ()
    pair_answers: PairAnswers = field(default_factory=PairAnswers)

    def __post_init__(self) -> None:
        if len(self.names) != self.settings.n_clusters or not any(self.names):
            self.names = ()  # other clusters than those that were named
        N, K = len(self.subject.dataset.X), self.settings.n_clusters
        if N < K:
            raise SessionError(f"{K} clusters need at least {K} points, but the data has {N}: choose a smaller K")

    @property
    def n_answers(self) -> int:
        """How many answers there are, about triplets and pairs."""
        return len(self.answers) + len(self.pair_answers)

    @property
    def said(self) -> tuple[Answers, PairAnswers]:
        """The answers about triplets and about pairs."""
        return self.answers, self.pair_answers

    def label_since(self, before: State) -> str:
        """Say which answers, of both kinds, were given since another state."""
        answers = answers_label(len(before.answers), len(self.answers))
        pairs = answers_label(len(before.pair_answers), len(self.pair_answers), "pair")
        both = [answers] * (len(self.answers) > len(before.answers))
        return " and ".join(both + [pairs] * (len(self.pair_answers) > len(before.pair_answers)))

    @property
    def givers(self) -> tuple[str, ...]:
        """Who gave each answer, triplets first."""
        return *self.answers.givers, *self.pair_answers.givers

    @property
    def heard_apart(self) -> tuple[str, ...]:
        """Who gave each answer, triplets first, when people are heard by errors of their own; otherwise nothing."""
        soft = self.settings.epsilon > 0 and not ignores_answers(self.settings.epsilon)
        return self.givers if self.settings.per_person and soft and len(set(self.givers)) > 1 else ()

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
