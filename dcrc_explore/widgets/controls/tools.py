"""Which groups of controls a tool has, and where they stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike

import ipywidgets as ipw

from dcrc_explore.session import Pair, Session
from dcrc_explore.widgets.controls.ask import AskControls
from dcrc_explore.widgets.controls.data import DataControls
from dcrc_explore.widgets.controls.keeping import SessionControls
from dcrc_explore.widgets.controls.model import ModelControls
from dcrc_explore.widgets.controls.parts import Act, Group, export_buttons
from dcrc_explore.widgets.controls.planes import PlaneChoice
from dcrc_explore.widgets.controls.top import TopBar


class Controls:
    """The groups of a tool: a bar above the picture, and a side beside it.

    Parameters
    ----------
    act : callable
        Does something with the session.
    show : callable
        Chooses what is drawn.
    choose_strategy : callable
        Gets the name of a strategy when a person chooses it.
    """

    def __init__(self, act: Act, show: Callable[..., object], choose_strategy: Callable[[str], object]) -> None:
        self.top = TopBar(act, show)
        self.ask = AskControls(act, choose_strategy)

    @property
    def side(self) -> Sequence[Group]:
        """The groups beside the picture, from above."""
        raise NotImplementedError

    def beside(self) -> ipw.Box:
        """Make the place for the groups beside the picture."""
        return ipw.Box(self.side, _dom_classes=("dcrc-side",))


class ExplorerControls(Controls):
    """The groups of the Explorer; `hide` names those that a teacher leaves out."""

    def __init__(
        self,
        act: Act,
        show: Callable[..., object],
        choose_strategy: Callable[[str], object],
        *,
        load: Callable[[str | PathLike[str]], object],
        export: Callable[[str], object],
        links: bool,
        compare: Callable[[], object],
        hide: Sequence[str],
    ) -> None:
        super().__init__(act, show, choose_strategy)
        self.planes = PlaneChoice(act, show)
        self.top.prepend(self.planes)
        self.data = DataControls(act)
        self.model = ModelControls(act)
        self.keeping = SessionControls(act, load, export, links=links)
        self.compare = ipw.Button(
            description="Compare", tooltip="Two models side by side, with these data and answers: soft and hard, say"
        )
        self.compare.on_click(lambda _: compare())
        if not {"compare", "model"} & set(hide):
            self.top.append("", self.compare)
        self.top.leave_out(hide)

    @property
    def side(self) -> Sequence[Group]:
        """The groups beside the picture, from above."""
        return self.data, self.model, self.ask, self.keeping

    def enter(self, field: str, text: str) -> None:
        """Do what Enter does in a field."""
        {"file": self.data.own.enter, "answers": self.keeping.enter}[field](text)

    def follow(self, session: Session) -> None:
        """Show the state of the session without changing it."""
        for group in (self.top, self.planes, *self.side):
            group.follow(session)


class CompareControls(Controls):
    """The groups of Compare: the settings of both models."""

    def __init__(
        self,
        act: Act,
        show: Callable[..., object],
        choose_strategy: Callable[[str], object],
        *,
        act_on_second: Act,
        export: Callable[[str], object],
        hide: Sequence[str],
    ) -> None:
        super().__init__(act, show, choose_strategy)
        self.planes = PlaneChoice(act, show)
        self.top.prepend(self.planes)
        self.top.leave_out(hide)
        self.exports = export_buttons(
            export,
            png="The three pictures as a PNG file",
            svg="The three pictures as an SVG file",
            page="Both models after each answer: one file that anybody opens in a browser, without Python",
        )
        self.top.append("Export", *self.exports.values())
        self.top.teach.layout.display = "none"  # what happened is told in the Explorer
        self.first, self.second = ModelControls(act), ModelControls(act_on_second)
        self.first.add_class("dcrc-of-first")
        self.second.add_class("dcrc-of-second")

    def add_way_back(self, leave: Callable[[], object]) -> None:
        """Add a button that leads back to the tool in whose place this one stands."""
        back = ipw.Button(description="← One model", tooltip="Back to one model; every answer given here is there")
        back.on_click(lambda _: leave())
        data = self.top.data_part
        shown = () if data.layout.display == "none" else data.children
        self.top.children = (ipw.Box([back, *shown]), self.top.view_part)

    @property
    def side(self) -> Sequence[Group]:
        """The groups beside the pictures, from above."""
        return self.first, self.second, self.ask

    def follow(self, pair: Pair) -> None:
        """Show the state of both models without changing it."""
        for group in (self.top, self.planes, self.first, self.ask):
            group.follow(pair.first)
        self.second.follow(pair.second)
