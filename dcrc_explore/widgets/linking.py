"""The Explorer among other widgets: settings, the selection and the number of answers as traits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import traitlets

from dcrc_explore.constraints import Log
from dcrc_explore.session import Change, Pair, Session
from dcrc_explore.settings import find
from dcrc_explore.widgets.data import MODES, points_of
from dcrc_explore.widgets.tool import Tool
from dcrc_explore.widgets.two import TwoModels

_NAMES = ("epsilon", "tau", "lam", "balance", "n_clusters")


class Linked(Tool):
    """A tool whose traits follow its session, and change it when they are set in Python or in the browser."""

    epsilon = traitlets.Float(find("epsilon").default).tag(sync=True)
    tau = traitlets.Float(find("tau").default).tag(sync=True)
    lam = traitlets.Float(find("lam").default).tag(sync=True)
    balance = traitlets.Bool(find("balance").default).tag(sync=True)
    n_clusters = traitlets.Int(find("n_clusters").default).tag(sync=True)
    soft = traitlets.Bool(True).tag(sync=True)  # whether epsilon is more than 0
    selection: traitlets.List[int] = traitlets.List(traitlets.Int()).tag(sync=True)  # rows; none are all
    answers = traitlets.Int(0, read_only=True).tag(sync=True)  # how many there are
    models = traitlets.Int(1, min=1, max=2).tag(sync=True)  # how many stand side by side
    draw = traitlets.Enum(MODES, "").tag(sync=True)  # whether points are drawn by hand, and whether the plane is empty
    points = traitlets.Any(read_only=True)  # those on the plane

    _two: TwoModels | None = None
    _second: Mapping[str, Any] | None = None  # in what the second model differed when there was one
    _selected_before: Sequence[int] = ()  # what was selected before two models came
    _detach: Callable[[], None] = staticmethod(lambda: None)
    _soft = find("epsilon").default  # the last epsilon that was more than 0
    _following = False
    _was_empty = False  # whether drawing began on an empty plane
    _pointed: tuple[object, bool] | None = None  # what the trait `points` was made of

    @traitlets.default("points")
    def _make_points(self) -> Any:
        self._pointed = self.session.dataset, self._blank
        return points_of(self.session.dataset, blank=self._blank)

    @property
    def _blank(self) -> bool:
        """Whether the plane is empty, whatever points the model knows."""
        return self.draw in ("cleared", "empty")

    def _follow_points(self) -> None:
        if self._pointed is None:
            self._pointed = self.session.dataset, self._blank
        elif self._pointed != (self.session.dataset, self._blank):
            self.set_trait("points", self._make_points())

    @traitlets.validate(*_NAMES)
    def _check_setting(self, proposal: Any) -> Any:
        try:
            return find(proposal["trait"].name).checked(proposal["value"])
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from error

    @traitlets.observe(*_NAMES, "soft", "selection", "models", "draw")
    def _take(self, change: Any) -> None:
        if self._following:
            return
        name, value = change["name"], change["new"]

        def take(session: Session) -> None:
            if name == "models":
                self.compare() if value == 2 else self.explore()
            elif name == "draw":
                self._draw_on(session, value)
            elif name == "selection":
                self._card.select(session, value)
            elif name == "soft":
                session.set(epsilon=self._soft if value else 0.0)
            else:
                session.set(merge=isinstance(value, float), **{name: value})

        self.act(take, "")

    def _show_controls(self) -> None:
        settings = self.session.settings
        self._soft = settings.epsilon or self._soft
        self._following = True
        try:
            for name in _NAMES:
                if getattr(self, name) != getattr(settings, name):
                    setattr(self, name, getattr(settings, name))
            self.soft = settings.epsilon != 0
            self.selection = list(self._card.selected)
            self.set_trait("answers", self.session.state.n_answers)
        finally:
            self._following = False
        super()._show_controls()

    def compare(self, second: Mapping[str, Any] | None = None, answers: Log | None = None) -> None:
        """Show two models side by side, with these data and answers, in the place of one; `explore` comes back.

        `second` are the settings in which the second model differs; by default those that it had before.
        With `answers` it has answers of its own.
        """
        with self._one_message():
            if self._two is None:
                self._put("draw", "")
                self._clear_notice()
                self._selected_before = self._card.selected
                self._card.select(self.session, [])
            self._open_two(self._second if second is None else second, answers)

    def explore(self) -> None:
        """Come back from :meth:`compare`."""
        if self._two is None:
            return
        with self._one_message():
            self.scenes.leave_two()
            self._clear_notice()
            self._second = self._two.pair.changes
            self._two.pair.close()
            self._two = None
            self._follow_one()
            N = len(self.session.dataset.X)
            self._card.select(self.session, [row for row in self._selected_before if row < N])

    def _draw_on(self, session: Session, mode: str) -> None:
        """Let points be drawn by hand, on those that there are or on an empty plane, or end that."""
        if mode == "on":
            began_empty = self._was_empty and session.history.position == 0
            mode = "empty" if began_empty else "on" if session.pen.brushes is not None else "cleared"
        self._put("draw", mode)
        if mode:
            self._card.begin()

    def _clear_notice(self) -> None:
        if not self.notice.get("buttons"):  # an offer stands until it is taken; news is old by the way back
            self.notify("")

    def _open_two(self, second: Mapping[str, Any] | None = None, answers: Log | None = None) -> None:
        session = self.session
        apart = answers is not None or second is None or session.settings.changed(second) != session.settings
        self._detach()
        if self._two is not None:
            self._two.pair.close()
        self._two = TwoModels(
            *(session, self._look, self.set_trait, second if apart else None, answers),
            truth="truth" not in self.hidden,
        )
        self._detach = self._two.pair.observe(self._on_event)
        self._fits.watch(*self._two.pair.models)
        self._begin_screen(2)

    def _follow_one(self) -> None:
        self._detach()
        self._detach = self.session.observe(self._on_event)
        self._fits.watch(self.session)
        self._begin_screen(1)

    def _begin_screen(self, models: int) -> None:
        """Let the browser draw one model or two, with the next picture."""
        self._touched += 1
        self._changed |= ~Change(0) & ~Change.DATA
        self.why = {}
        self._put("models", models)

    def _put(self, name: str, value: object) -> None:
        """Set a trait that a person did not set."""
        self._following = True
        try:
            setattr(self, name, value)
        finally:
            self._following = False

    @property
    def pair(self) -> Pair | None:
        """The two models that stand side by side; None while there is one."""
        return None if self._two is None else self._two.pair
