"""The question on the card: a conversation of the session, put where the browser sees it."""

from __future__ import annotations

from collections.abc import Sequence

from dcrc_explore.session import Asking, Session
from dcrc_explore.session import Question as Asked
from dcrc_explore.session.state import State
from dcrc_explore.widgets import groups
from dcrc_explore.widgets.items import pack_differences
from dcrc_explore.widgets.protocol.sent import Question
from dcrc_explore.widgets.stage import BaseStage


class Card:
    """Puts questions into ``stage.question``, by the strategy that the controls say.

    Parameters
    ----------
    stage : BaseStage
    ask : groups.Asking
    """

    def __init__(self, stage: BaseStage, ask: groups.Asking) -> None:
        self._stage, self._ask = stage, ask
        self._version = 0
        self._asking: Asking | None = None

    def _talk(self, session: Session) -> Asking:
        """Return the conversation in a session, with what the controls say."""
        if self._asking is None or self._asking.session is not session:
            n_points = 3 if self._asking is None else self._asking.n_points
            self._asking = Asking(session, n_points=n_points)
        self._asking.strategy = self._ask.strategy
        return self._asking

    @property
    def selected(self) -> list[int]:
        """The points that questions are about; none are all."""
        return [] if self._asking is None else self._asking.selected

    def _show(self, question: Asked | None) -> None:
        """Let the browser see the question, if that is another one."""
        if question is None or self._asking is None:
            self._stage.question = {}
            return
        expected = question.expected
        self._version += 1
        sent: Question = {
            "triplet": list(question.points),
            "probabilities": [expected.yes, expected.no, expected.dnk],
            "worth": expected.bits,
            "suggested": question.suggested,
            "automatic": question.automatic,
            "reason": question.reason,
            "version": self._version,
            "differences": pack_differences(self._asking.session.dataset, question.points),
        }
        self._stage.question = {**sent}

    def _clear(self, asking: Asking) -> None:
        """Take a question away that is not asked any more."""
        if asking.question is None:
            self._show(None)

    def begin(self) -> None:
        """Begin with other points, of which none is selected."""
        if self._asking is not None:
            self._asking.question, self._asking.selected = None, []
        self._show(None)

    def put(self, session: Session, points: Sequence[int], *, suggested: bool = False) -> None:
        """Ask about three points, or two; suggested ones are chosen in the browser too."""
        self._show(self._talk(session).put(points, suggested=suggested))

    def select(self, session: Session, rows: Sequence[int]) -> None:
        """Ask about these points from now on; about all, when there are none."""
        self._talk(session).select(rows)

    def suggest(self, session: Session) -> None:
        """Ask what the strategy says; guided questions when they are chosen by hand otherwise."""
        self._show(self._talk(session).next())

    def answer(self, session: Session, points: Sequence[int], answer: int, by: str | None) -> None:
        """Take an answer about three points, or two."""
        asking = self._talk(session)
        try:
            asking.answer(answer, points, by=by)
        finally:  # it stays when there is no such person
            self._clear(asking)

    def skip(self, session: Session, points: Sequence[int]) -> None:
        """Leave a question, which is not suggested again."""
        asking = self._talk(session)
        try:
            asking.skip(points)
        finally:
            self._clear(asking)

    def ask_about(self, session: Session, points: int) -> None:
        """Ask about so many points from now on."""
        asking = self._talk(session)
        asking.n_points, asking.question = points, None
        self._show(asking.go_on())

    def go_on(self, session: Session) -> None:
        """Ask the next question if it comes by itself and there is none, or one that has been answered meanwhile."""
        asking = self._talk(session)
        before = asking.question
        question = asking.go_on()
        if question is not before:
            self._show(question)

    def bring_back(self, session: Session, before: State) -> None:
        """After undo, ask again the question whose answer was taken back."""
        asking = self._talk(session)
        old = asking.question
        asking.bring_back(before)
        if asking.question is not old:
            self._show(asking.question)
