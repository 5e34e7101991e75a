"""The small records that a session is made of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Flag, auto
from typing import NamedTuple

from dcrc_explore.constraints import Answer

Triplet = tuple[int, int, int]


class SessionError(ValueError):
    """Something the user asked for can't be done; the message says what to do, the session is unchanged."""


@dataclass(frozen=True)
class Settings:
    """Everything that, beside data and answers, decides the fit: the one list that saving, restoring and undo follow.

    Parameters
    ----------
    n_clusters : int
        K.
    epsilon : float
        Probability of a wrong answer, 0 (hard) to 2/3 (answers ignored).
    tau : float
        Weight of separation and balance.
    lam : float
        Weight of the regulariser.
    balance : bool
        Eq. (9) instead of Eq. (8).
    use_dnk : bool
        False learns from yes and no only (DCRC-YN).
    kernel : {"linear", "rbf", "poly"}
    gamma : float or "scale"
        Width of the kernel; without effect for "linear".
    restart : bool
        True: each fit starts from the initialisation. False: it goes on from the model on the screen.
    random_state : int
        Seed of the initialisation.
    """

    n_clusters: int = 3
    epsilon: float = 0.05
    tau: float = 1.0
    lam: float = 2.0**-6
    balance: bool = True
    use_dnk: bool = True
    kernel: str = "linear"
    gamma: float | str = "scale"
    restart: bool = False
    random_state: int = 0


@dataclass(frozen=True)
class GivenAnswer:
    """One answer: the question, what was said, when (ISO 8601, UTC), by whom, and its surprise in bits beforehand."""

    triplet: Triplet
    answer: Answer
    time: str
    by: str = "user"
    surprise: float | None = None


class Expectation(NamedTuple):
    """What the model expects as the answer to a question, and what the answer is worth."""

    yes: float
    no: float
    dnk: float
    bits: float

    def surprise(self, answer: Answer) -> float:
        """Bits of surprise, -log2 P(answer); infinite for what a hard model holds impossible."""
        raise NotImplementedError


class Change(Flag):
    """What an event is about."""

    DATA = auto()
    SETTINGS = auto()
    ANSWERS = auto()
    FIT = auto()  # a new model: labels, surface, panels
    BUSY = auto()  # a fit that takes long began or ended: see Session.busy
    SAVED = auto()  # Session.path or Session.save_error changed


@dataclass(frozen=True)
class Event:
    """What changed, in one go: ``Change.ANSWERS in event.changed``."""

    changed: Change
