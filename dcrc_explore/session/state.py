"""What undo and redo go back and forth between, and what a file holds."""

from __future__ import annotations

from dataclasses import dataclass, field

from dcrc_explore.model.softmax import Weights
from dcrc_explore.session.answers import Answers
from dcrc_explore.session.quality import Quality
from dcrc_explore.session.settings import SessionError, Settings
from dcrc_explore.session.subject import Subject


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
    """

    subject: Subject
    settings: Settings
    answers: Answers = field(default_factory=Answers)
    weights: Weights | None = None

    def __post_init__(self) -> None:
        N, K = len(self.subject.dataset.X), self.settings.n_clusters
        if N < K:
            raise SessionError(f"{K} clusters need at least {K} points, but the data has {N}: choose a smaller K")


@dataclass
class Document:
    """What a session file holds: a state, the quality that its fits had, and where large data lie."""

    state: State
    quality: list[Quality] = field(default_factory=list)  # of two with as many answers the later one counts
    data_file: str | None = None
