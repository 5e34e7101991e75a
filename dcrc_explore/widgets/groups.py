"""Which controls stand where: those above the picture, and those of each tab."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from dcrc_explore.widgets import files
from dcrc_explore.widgets.actions import Actions, Browser, Links
from dcrc_explore.widgets.asking import AskControls, Naming
from dcrc_explore.widgets.classroom import ClassView
from dcrc_explore.widgets.controls import Control, Group, hardness, model_controls, view_controls
from dcrc_explore.widgets.data import ByHand, DataMenu, FeatureMenu, OwnData, data_controls, drawing_controls
from dcrc_explore.widgets.models import Screen
from dcrc_explore.widgets.scenes import Scenes


@dataclass
class Groups:
    """The groups of controls, and what each depends on: nothing that an answer alone would change."""

    browser: Browser
    actions: Actions
    screen: Screen
    links: Links
    scenes: Scenes
    classroom: ClassView
    asking: AskControls
    by_hand: ByHand
    keeping: files.Keeping

    def __post_init__(self) -> None:
        act = self.actions.act
        self._menu, self._own, self._features = DataMenu(), OwnData(act, self.browser.send), FeatureMenu(act)
        self._sorting = files.Sorting(act)
        self._naming = Naming(act, self.asking.answering, lambda fit, names: self.screen.one.suggest(fit, names))

    def __call__(self) -> dict[str, Group]:
        """Return the groups of now, by name."""
        session, two = self.actions.session, self.screen.two
        known, M = self._known(), session.state.n_answers
        top = {
            "top": Group(known, self._top),
            "scenes": Group(known, self._scene_menu),
            "view": Group(known, self._view),
            "ask": Group((*known, self.asking.just_added(session)), lambda: self.asking.controls(session)),
        }
        if two is not None:
            second = two.source.second
            beside = len(second.log), second.settings, second.model.hint
            return top | {
                "first": Group((*known, M), lambda: two.model_controls("first")),
                "second": Group((*known, *beside), lambda: two.model_controls("second")),
            }
        return top | {
            "data": Group(known, self._data_tab),
            "model": Group((*known, M, session.state.repeats), lambda: model_controls(session, self.links.soft)),
            "clusters": Group(known, lambda: [*self._naming.controls(), *self._sorting.controls(session)]),
            "session": Group((*known, M == 0), lambda: self.keeping.controls(session, self.screen.export)),
        }

    def _known(self) -> tuple[Hashable, ...]:
        """Return what every group depends on."""
        session, look = self.actions.session, self.screen.look
        state, file = session.state, session.file
        own = self.actions.touched, look.drawn, *look.options.values(), *self.browser["hidden"], self.browser["draw"]
        saved = file.path, file.error, file.is_active
        return (*own, *saved, state.subject, state.settings, state.names, len(session.log.names), session.model.hint)

    def _shows(self, *groups: str) -> bool:
        """Whether a teacher has left out none of these."""
        return not {*groups} & {*self.browser["hidden"]}

    def _top(self) -> Iterator[Control]:
        session, is_one = self.actions.session, self.screen.two is None
        if not is_one and self._shows("compare"):
            about = "Back to one model; every answer given here is there"
            yield Control("back", "button", "", "← One model", about, do=lambda *_: self.scenes.leave_two())
        if self._shows("data"):
            yield from self._menu.controls(session)
        if is_one and self._shows("model"):  # in a lecture there are no tabs
            yield hardness(session, self.links.soft)

    def _scene_menu(self) -> Iterator[Control]:
        if self._shows("data", "model", "truth"):
            yield self.scenes.control()

    def _view(self) -> Iterator[Control]:
        session, screen, is_one = self.actions.session, self.screen, self.screen.two is None
        shown = {"drawn": screen.look.drawn, "truth": self._shows("truth"), "teach": is_one}
        yield from view_controls(session, screen.look.options, screen.show, **shown)
        if not is_one:
            yield from files.export_buttons(self.screen.export, files.OF_TWO)
            return
        if self._shows("compare", "model"):
            about = "Two models side by side, with these data and answers, for example soft and hard"
            yield Control("compare", "button", "", "Compare", about, do=lambda *_: screen.compare())
        if self._shows("people"):
            yield self.classroom.control()

    def _data_tab(self) -> Iterator[Control]:
        session = self.actions.session
        if not self._own.is_open:
            yield from drawing_controls(session, self.by_hand.go)
        yield from data_controls(session, self._own, self._features)
