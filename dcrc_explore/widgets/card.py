"""The question on the card: which one comes next, and whether it comes by itself."""

from __future__ import annotations

from collections.abc import Sequence

from dcrc_explore.session import Session, SessionError, taken_back
from dcrc_explore.session.pairing import person_name
from dcrc_explore.session.part import as_rows
from dcrc_explore.session.people import question_of_others
from dcrc_explore.session.state import State
from dcrc_explore.widgets.controls.ask import AskControls
from dcrc_explore.widgets.items import pack_differences
from dcrc_explore.widgets.protocol.sent import Question
from dcrc_explore.widgets.stage import BaseStage

_SHARED = "Others have answered this one: your answer tells how far you agree."
_AGAIN = "Taken back: answer again, or press Enter for another."
# How many points are selected, when that is too few to ask about.
_TOO_FEW = {
    1: "One selected point is too few: this is about all.",
    2: "Two selected points are too few: this is about all.",
}


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
        self._suggested: list[int] = []  # the points that were suggested last
        self._answered = 0  # how often they had been answered then
        self.points = 3  # about how many a suggested question is

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
        """Ask about three points, or two; suggested ones are chosen in the browser too, automatic ones if none are."""
        if len(triplet) == 2:
            pair = session.expected_pair(triplet)
            probabilities, worth = [pair.yes, pair.no, 0.0], pair.bits
        else:
            expected = session.expected(triplet)
            probabilities, worth = [expected.yes, expected.no, expected.dnk], expected.bits
        self._version += 1
        if suggested:
            self._suggested, self._answered = list(triplet), _times_answered(session, triplet)
        question: Question = {
            "triplet": [int(i) for i in triplet],
            "probabilities": probabilities,
            "worth": worth,
            "suggested": suggested,
            "automatic": automatic,
            "reason": reason,
            "version": self._version,
            "differences": pack_differences(session.dataset, triplet),
        }
        self._stage.question = {**question}

    def select(self, session: Session, rows: Sequence[int]) -> None:
        """Ask about these points from now on; about all, when there are none."""
        self.selected = as_rows(rows, len(session.dataset.X)).tolist()

    def suggest(self, session: Session, *, automatic: bool = False) -> None:
        """Ask what the strategy says; guided questions when they are chosen by hand otherwise."""
        strategy = self._ask.strategy.value or "guided"
        suggest = session.suggest_with_reason if self.points == 3 else session.suggest_pair_with_reason
        enough = len(self.selected) >= self.points
        points, reason = suggest(strategy, self.selected if enough else None)
        if self.selected and not enough:
            reason = _TOO_FEW[len(self.selected)]
        self.put(session, points, reason, suggested=True, automatic=automatic)

    def answer(self, session: Session, points: Sequence[int], answer: int, by: str | None) -> None:
        """Take an answer about three points, or two."""
        giver = None if by is None else person_name(by)  # a simulated person's name is not theirs to use
        self.clear()
        (session.answer_pair if len(points) == 2 else session.answer)(points, answer, by=giver)

    def skip(self, session: Session, points: Sequence[int]) -> None:
        """Leave a question, which is not suggested again."""
        self.clear()
        session.skip(points)

    def ask_about(self, session: Session, points: int) -> None:
        """Ask about so many points from now on."""
        self.points = points
        self.clear()
        self.go_on(session)

    def ask_what_others_were_asked(self, session: Session) -> None:
        """Put a question that somebody else answered to the person who answers now."""
        self.put(session, question_of_others(session), _SHARED, suggested=True)

    def go_on(self, session: Session) -> None:
        """Ask the next question if it comes by itself and there is none, or one that has been answered meanwhile."""
        question = self._stage.question
        if not self._ask.strategy.value or (question and not self._is_answered(session)):
            return
        try:
            self.suggest(session, automatic=True)
        except SessionError:  # none is left
            self.clear()

    def bring_back(self, session: Session, before: State) -> None:
        """After undo, ask again the question whose answer was taken back."""
        points = taken_back(before, session.state)
        if points is not None and len(points) == self.points:
            self.put(session, points, _AGAIN, suggested=True)

    def _is_answered(self, session: Session) -> bool:
        triplet = self._stage.question["triplet"]
        return triplet == self._suggested and _times_answered(session, triplet) > self._answered


def _times_answered(session: Session, points: Sequence[int]) -> int:
    asked = session.triplets.indices if len(points) == 3 else session.pairs.indices
    return int((asked == list(points)).all(axis=1).sum())
