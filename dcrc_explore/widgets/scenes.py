"""Scenes in a tool: the menu that opens one, and the card that leads through its steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from dcrc_explore.constraints import Log
from dcrc_explore.scenes import Performance, playable_scenes
from dcrc_explore.session import Pair, Session
from dcrc_explore.widgets.controls import Control
from dcrc_explore.widgets.protocol.sent import SceneCard

_ABOUT = "Data, settings and answers that show one effect, in at most three steps; Undo leads back"


class Leading(Protocol):
    """The tool that scenes are opened in: it can stand for one model or for two."""

    session: Session
    playing: Any
    view: Any
    draw: Any
    hidden: Any

    def show(self, **view: Any) -> None:
        """Choose what is drawn."""

    @property
    def pair(self) -> Pair | None:
        """The two models, while they stand side by side."""

    def put_question(self, rows: Sequence[int]) -> None:
        """Show a question; none, without rows."""

    def compare(self, second: Mapping[str, Any] | None = None, answers: Log | None = None) -> None:
        """Show two models."""

    def explore(self) -> None:
        """Show one model."""


class Scenes:
    """The scene that is played, if any, in an Explorer with one model or two.

    Parameters
    ----------
    tool : Explorer

    Attributes
    ----------
    performance : Performance or None
        The scene that leads through the tool; it says when questions come by themselves.
    """

    def __init__(self, tool: Leading) -> None:
        self._tool = tool
        self.performance: Performance | None = None

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
        tool, scene = self._tool, performance.scene
        performance.open(tool.session)
        self.performance = performance
        if scene.beside is not None:
            tool.compare(scene.beside, performance.answers_beside)
        elif tool.pair is not None:
            tool.explore()
        self._look(performance)

    def go(self, to: str) -> None:
        """Go to the "next" step, "back" to the one before, or "leave" everything as it is without the scene."""
        tool, performance = self._tool, self.performance
        if performance is None:
            return
        view = performance.view
        if to == "leave":
            self.performance = None
        elif to == "next":
            performance.next(tool.session, tool.pair)
        else:
            performance.back(tool.session, tool.pair)
        if performance.view != view:
            self._look(performance)
        self.show()

    def leave_two(self) -> None:
        """End a scene of two models, because one of them is left."""
        if self.performance is not None and self.performance.scene.beside is not None:
            self.go("leave")

    def _look(self, performance: Performance) -> None:
        view, tool = performance.view, self._tool
        if not view.ask:
            tool.put_question(())
        tool.show(map=view.map, truth=view.truth and "truth" not in tool.hidden)
        if not view.lecture:
            tool.view = "whole"
        tool.draw = "on" if view.draw and "data" not in tool.hidden else ""

    def show(self) -> None:
        """Let the tool show the card as it is now; a scene whose data are gone is over."""
        tool, performance = self._tool, self.performance
        if performance is not None and tool.session.dataset is not performance.dataset:
            performance.dataset = tool.session.dataset
            if not performance.view.draw or performance.dataset.drawing is None:
                self.performance = None
        card = {} if self.performance is None else {**self._card(self.performance)}
        tool.playing = card

    def _card(self, performance: Performance) -> SceneCard:
        tool = self._tool
        hidden = "truth" in tool.hidden
        return {
            "title": performance.scene.title,
            "text": performance.text,
            "outcome": "" if hidden else performance.outcome(tool.session, tool.pair),
            "pointed": None if hidden else performance.wrong(tool.session),
            "step": min(performance.at + 1, performance.n_cards),
            "steps": performance.n_cards,
            "tab": performance.view.tab,
            "first": performance.at == 0,
            "last": performance.is_over,
        }
