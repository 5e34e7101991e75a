"""The question on the card: which one comes next, and whether it comes by itself."""

from __future__ import annotations

from collections.abc import Sequence

from dcrc_explore.session import Session, SessionError, taken_back
from dcrc_explore.session.answers import Answers
from dcrc_explore.session.part import as_rows
from dcrc_explore.widgets.controls.ask import AskControls
from dcrc_explore.widgets.items import pack_differences
from dcrc_explore.widgets.stage import BaseStage

_AGAIN = "You took this answer back: answer again, or press Enter for another question."


class Card:
    """Puts questions into ``stage.question``, by the strategy that the controls say.

    Parameters
    ----------
    stage : BaseStage
    ask : AskControls
    """

    def __init__(self, stage: BaseStage, ask: AskControls) -> None:
        self._stage, self._ask = stage, ask
        self._version = 0
        self.selected: list[int] = []  # the points that questions are about; none are all
        self._suggested: list[int] = []  # the triplet that was suggested last

    def clear(self) -> None:
        """Take the question away."""
        self._stage.question = {}

    def begin(self) -> None:
        """Begin with other points, of which none is selected."""
        self.clear()
        self.selected = []

    def put(
        self,
        session: Session,
        triplet: Sequence[int],
        reason: str = "",
        *,
        suggested: bool = False,
        automatic: bool = False,
    ) -> None:
        """Ask about a triplet; a suggested one is chosen in the browser too, an automatic one if nothing is there."""
        expected = session.expected(triplet)
        self._version += 1
        if suggested:
            self._suggested = list(triplet)
        self._stage.question = {
            "triplet": [int(i) for i in triplet],
            "probabilities": [expected.yes, expected.no, expected.dnk],
            "worth": expected.bits,
            "suggested": suggested,
            "automatic": automatic,
            "reason": reason,
            "version": self._version,
            "differences": pack_differences(session.dataset, triplet),
        }

    def select(self, session: Session, rows: Sequence[int]) -> None:
        """Ask about these points from now on; about all, when there are none."""
        self.selected = as_rows(rows, len(session.dataset.X)).tolist()

    def suggest(self, session: Session, *, automatic: bool = False) -> None:
        """Ask what the strategy says; guided questions when they are chosen by hand otherwise."""
        triplet, reason = session.suggest_with_reason(self._ask.strategy.value or "guided", self.selected or None)
        self.put(session, triplet, reason, suggested=True, automatic=automatic)

    def go_on(self, session: Session) -> None:
        """Ask the next question if it comes by itself and there is none, or one that has been answered meanwhile."""
        question = self._stage.question
        if not self._ask.strategy.value or (question and not self._is_answered(session)):
            return
        try:
            self.suggest(session, automatic=True)
        except SessionError:  # none is left
            self.clear()

    def bring_back(self, session: Session, before: Answers) -> None:
        """After undo, ask again the question whose answer was taken back."""
        triplet = taken_back(before, session.answers)
        if triplet is not None:
            self.put(session, triplet, _AGAIN, suggested=True)

    def _is_answered(self, session: Session) -> bool:
        triplet = self._stage.question["triplet"]
        return bool(triplet == self._suggested and (session.triplets.indices == triplet).all(axis=1).any())
