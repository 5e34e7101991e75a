"""What undo and redo go back and forth between, and what a file holds."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dcrc_explore.constraints import Triplets
from dcrc_explore.model.softmax import Weights
from dcrc_explore.session.records import GivenAnswer, Quality, SessionError, Settings
from dcrc_explore.session.subject import Subject


@dataclass(eq=False)
class State:
    """Data, settings and answers.

    Parameters
    ----------
    subject : Subject
    settings : Settings
    answers : tuple of GivenAnswer
    weights : Weights or None
        The model that was on the screen when this state came up, from which its fit goes on; None asks for the
        initialisation. With ``settings.restart`` only the numbers of the clusters are taken from it.
    """

    subject: Subject
    settings: Settings
    answers: tuple[GivenAnswer, ...] = ()
    weights: Weights | None = None

    def __post_init__(self) -> None:
        N, K = len(self.subject.dataset.X), self.settings.n_clusters
        if N < K:
            raise SessionError(f"{K} clusters need at least {K} points, but the data has {N}: choose a smaller K")

    def triplets(self) -> Triplets:
        """Return the answers as arrays."""
        return Triplets(
            np.array([given.triplet for given in self.answers], dtype=np.int64).reshape(-1, 3),
            np.array([given.answer for given in self.answers], dtype=np.int8),
            n_samples=len(self.subject.dataset.X),
        )


@dataclass
class Document:
    """What a session file holds: a state, and the quality that its fits had."""

    state: State
    quality: list[Quality] = field(default_factory=list)
