"""Scenes in a tool: the menu that opens one, and the card that leads through its steps."""

from __future__ import annotations

from dataclasses import dataclass

from dcrc_explore.scenes import Performance, playable_scenes
from dcrc_explore.widgets.actions import Actions, Browser
from dcrc_explore.widgets.asking import QuestionCard
from dcrc_explore.widgets.controls import Control
from dcrc_explore.widgets.data import ByHand
from dcrc_explore.widgets.models import Screen
from dcrc_explore.widgets.protocol import Verbs
from dcrc_explore.widgets.protocol.sent import SceneCard

_ABOUT = "Data, settings and answers that show one effect, in at most three steps; Undo leads back"


@dataclass
class Scenes:
    """The scene that is played, if any; its `performance` says when questions come by themselves."""

    browser: Browser
    actions: Actions
    card: QuestionCard
    screen: Screen
    by_hand: ByHand
    performance: Performance | None = None

    def __post_init__(self) -> None:
        self.verbs: Verbs = {"scene": lambda _, m: self.go(m["to"])}

    def control(self) -> Control:
        """Return the menu."""
        performance, scenes = self.performance, playable_scenes()
        name = "" if performance is None else performance.scene.name
        options = [
            ("", "no scene" if name else "Scenes", ""),
            *((each, scene.title, scene.promise) for each, scene in scenes.items()),
        ]
        if name not in scenes and performance is not None:
            options.append((name, performance.scene.title, performance.scene.promise))
        about = _ABOUT if performance is None else performance.scene.about
        return Control("scene", "menu", "", "", about, name, self._choose, options, doing="Opening…")

    def _choose(self, _: object, name: str) -> None:
        if name:
            self.begin(Performance(playable_scenes()[name]))
        else:
            self.go("leave")

    def begin(self, performance: Performance) -> None:
        """Open a scene: data, settings and answers, in the picture of one model or of two."""
        with self.actions.one_message():
            performance.open(self.actions.session)
            self._play(performance)
            if performance.scene.beside is not None:
                self.screen.compare(performance.scene.beside, performance.answers_beside)
            else:
                self.screen.explore()
            self._look(performance)

    def _play(self, performance: Performance | None) -> None:
        self.performance, self.screen.look.silent = performance, performance is not None

    def go(self, to: str) -> None:
        """Go to the "next" step, "back" to the one before, or "leave" everything as it is without the scene."""
        performance, session, pair = self.performance, self.actions.session, self.screen.pair
        if performance is None:
            return
        view = performance.view
        if to == "leave":
            self._play(None)
        elif to == "next":
            performance.next(session, pair)
        else:
            performance.back(session, pair)
        if performance.view != view:
            self._look(performance)
        self.show()

    def leave_two(self) -> None:
        """Show one model again, and end a scene of two."""
        if self.performance is not None and self.performance.scene.beside is not None:
            self.go("leave")
        self.screen.explore()

    def _look(self, performance: Performance) -> None:
        view, hidden = performance.view, self.browser["hidden"]
        if not view.ask:
            self.card.begin()
        self.screen.show(map=view.map, truth=view.truth and "truth" not in hidden)
        if not view.lecture:
            self.browser.put(view="whole")
        mode = "on" if view.draw and "data" not in hidden else ""
        if mode != self.browser["draw"]:
            self.by_hand.go(self.actions.session, mode)

    def show(self) -> None:
        """Let the tool show the card as it is now; a scene whose data are gone is over."""
        performance, session = self.performance, self.actions.session
        if performance is not None and session.dataset is not performance.dataset:
            performance.dataset = session.dataset
            if not performance.view.draw or performance.dataset.drawing is None:
                self._play(None)
        self.browser.put(playing={} if self.performance is None else self._pack(self.performance))

    def _pack(self, performance: Performance) -> SceneCard:
        session, hidden = self.actions.session, "truth" in self.browser["hidden"]
        return {
            "title": performance.scene.title,
            "text": performance.text,
            "outcome": "" if hidden else performance.outcome(session, self.screen.pair),
            "pointed": None if hidden else performance.wrong(session),
            "step": min(performance.at + 1, performance.n_cards),
            "steps": performance.n_cards,
            "tab": performance.view.tab,
            "first": performance.at == 0,
            "last": performance.is_over,
        }
