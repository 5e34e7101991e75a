"""One question to everybody, asked once or, after a discussion, twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dcrc_explore.constraints import Answer


@dataclass
class Vote:
    """A vote: its points, who said what in each round, and whether the last round was revealed.

    Examples
    --------
    >>> vote = Vote(1, (4, 8, 2), (0.5, 0.3, 0.2))
    >>> vote.rounds[-1][7] = Answer.YES
    >>> vote.counts(), vote.step
    ([[1, 0, 0]], 'v1.1')
    """

    number: int  # from 1 on
    rows: tuple[int, ...]
    expected: tuple[float, float, float]  # what the model expected before the vote: yes, no, don't know
    rounds: list[dict[int, Answer]] = field(default_factory=lambda: [{}])  # who said what
    revealed: bool = False
    would: tuple[str, ...] = ()  # what each answer would do to the picture, if all said it; empty until that is known

    @property
    def step(self) -> str:
        """The id of the question in the present round."""
        return f"v{self.number}.{len(self.rounds)}"

    @property
    def way(self) -> str:
        """How the journal names answers of the present round."""
        return f"vote {self.number}.{len(self.rounds)}"

    def begin_round(self) -> None:
        """Ask once more."""
        self.rounds.append({})
        self.revealed = False

    def counts(self) -> list[list[int]]:
        """Return how many said yes, no and don't know in each round."""
        return [tally(list(votes.values())) for votes in self.rounds]


def tally(answers: Sequence[Answer]) -> list[int]:
    """Return how many are yes, no and don't know.

    Examples
    --------
    >>> tally([Answer.YES, Answer.DNK, Answer.YES])
    [2, 0, 1]
    """
    return [sum(answer == each for answer in answers) for each in Answer]
