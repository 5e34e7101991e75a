"""The Explorer among other widgets: settings, the selection and the number of answers as traits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

import traitlets

from dcrc_explore.constraints import Log
from dcrc_explore.session import Pair, Session
from dcrc_explore.settings import find
from dcrc_explore.widgets.compare import Compare
from dcrc_explore.widgets.tool import Tool

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
    # The widget that compares two models, while it stands in the place of this one.
    second = traitlets.Unicode("").tag(sync=True)

    _compare: Compare | None = None
    _cell: Callable[[], AbstractContextManager[object]]  # lets a widget be made that belongs to this one
    _soft = find("epsilon").default  # the last epsilon that was more than 0
    _following = False

    @traitlets.validate(*_NAMES)
    def _check_setting(self, proposal: Any) -> Any:
        try:
            return find(proposal["trait"].name).checked(proposal["value"])
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from error

    @traitlets.observe(*_NAMES, "soft", "selection")
    def _take(self, change: Any) -> None:
        if self._following:
            return
        name, value = change["name"], change["new"]

        def take(session: Session) -> None:
            if name == "selection":
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
        if self._compare is None:
            with self._cell():
                self._compare = Compare(self, second=second)
            self._compare.add_way_back(self.explore)
            if answers is not None:
                self._compare.attach(self.session, second, answers)
        else:
            self._compare.wake(second, answers)
        if not self.notice.get("buttons"):  # an offer stands until it is taken; news is old by the way back
            self.tell("")
        self._compare.view = self.view
        self.second = self._compare.model_id

    @property
    def pair(self) -> Pair | None:
        """The two models that stand side by side; None while there is one."""
        return self._compare.pair if self._compare is not None and self.second else None

    def explore(self) -> None:
        """Come back from :meth:`compare`."""
        if self.scenes is not None:
            self.scenes.leave_two()
        if self._compare is not None:
            self._compare.rest()
            self.view = self._compare.view
        self.second = ""
