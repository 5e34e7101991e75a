"""A scene in a session, with or without a window: how it opens, what Next and Back do, and the result in words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np

from dcrc_explore.constraints import Answer, implied_answers
from dcrc_explore.datasets import Dataset
from dcrc_explore.metrics import adjusted_rand
from dcrc_explore.scenes.playing import models_of, open_scene, perform, shares_answers, truth_of
from dcrc_explore.scenes.reading import SceneError, list_scenes, load_scene
from dcrc_explore.scenes.scene import Effect, Scene, SceneView
from dcrc_explore.session import Fit, Pair, Session
from dcrc_explore.session.state import State


@cache
def playable_scenes() -> dict[str, Scene]:
    """Return the shipped scenes, by name, in the order of a menu.

    Examples
    --------
    >>> next(iter(playable_scenes().items()))[1].title
    'Answers pay'
    """
    return {name: load_scene(path) for name, path in list_scenes().items()}


@dataclass(frozen=True)
class _Mark:
    """Where Back leads: steps of both models, how the scene was shown, and agreement with the truth if Next acted."""

    first: int
    second: int
    view: SceneView
    agreement: float | None


class Performance:
    """A scene that is shown in a session, alone or with a second model beside it.

    Each fit starts from the initialisation, as when the scene was measured: the setting `restart` is on.

    Examples
    --------
    >>> performance = Performance(load_scene("answers-pay"))
    >>> session = Session(performance.dataset, autosave=None)
    >>> performance.open(session)
    >>> performance.next(session)
    >>> len(session.log), performance.at, performance.outcome(session)
    (5, 1, 'Agreement with the truth: 0.33 → 0.37.')
    >>> performance.back(session)
    >>> len(session.log), performance.at
    (0, 0)
    """

    def __init__(self, scene: Scene) -> None:
        self.scene, self.at, self.view = scene, 0, scene.view  # `at` steps are done; the view is that of now
        models = open_scene(scene)
        self._opening = models[0].state
        # What the second model begins with where each of the two has answers of its own.
        self.answers_beside = None if shares_answers(scene) else models[1].log
        self.dataset, self.settings = self._opening.subject.dataset, self._opening.settings
        self._marks: list[_Mark] = []

    @property
    def n_cards(self) -> int:
        """How many cards there are: one for each step, and another one after a last step that does something."""
        steps = self.scene.steps
        return len(steps) + (steps[-1].acts if steps else 0)

    @property
    def is_over(self) -> bool:
        """Whether no further card is left."""
        return self.at >= max(self.n_cards - 1, 0)

    @property
    def text(self) -> str:
        """What to do and where to look now; after the last step, what the scene promised."""
        steps = self.scene.steps
        return steps[self.at].text if self.at < len(steps) else self.scene.promise

    @property
    def asks(self) -> bool:
        """Whether questions come by themselves now."""
        return self.view.ask or not self.scene.steps

    def wrong(self, session: Session) -> tuple[int, str] | None:
        """Return which answer is the wrong one, counted among the triplets, and say so; None unless it is only one."""
        log, y = session.log, session.dataset.y
        planted = np.flatnonzero(log.planted[log.triplet_positions])
        if len(planted) != 1 or y is None:
            return None
        t = int(planted[0])
        given, true = (Answer(int(each)) for each in (log.triplets.answers[t], implied_answers(y, log.triplets)[t]))
        return t, f"This is the wrong answer: “{given.words}”. The truth is “{true.words}”."

    def open(self, session: Session) -> None:
        """Begin: data, settings and the answers already given, as one step to undo; only a person's are saved."""
        state, session.file.waits = self._opening, True
        label, data = f"scene {self.scene.title}", state.subject.dataset
        session.change(label, data=data, settings=state.settings, log=state.log or None)
        self.dataset = session.dataset

    def next(self, session: Session, pair: Pair | None = None) -> None:
        """Do what the Next button does; what happens to the session is one step to undo."""
        if self.is_over:
            raise SceneError("the scene is at its end")
        step, models = self.scene.steps[self.at], models_of(session, pair)
        mark = _Mark(session.history.position, models[-1].history.position, self.view, None)
        if step.acts:
            session.model.wait()
            mark = replace(mark, agreement=_agreement(session))
            try:
                perform(step, models, self.scene.seed, f"step {self.at + 1} of the scene")
            except ValueError:
                _undo_to(mark, session, pair)
                raise
            self.view = replace(self.view, **step.view)
        self._marks.append(mark)
        self.at += 1

    def back(self, session: Session, pair: Pair | None = None) -> None:
        """Return to the step before; everything done since is taken back, and Redo brings it again."""
        if not self._marks:
            raise SceneError("the scene is at its beginning")
        mark = self._marks.pop()
        _undo_to(mark, session, pair)
        self.at, self.view = self.at - 1, mark.view

    def outcome(self, session: Session, pair: Pair | None = None) -> str:
        """Say how far the models agree with the truth, at first and now; "" while they are fitted."""
        models, y = models_of(session, pair), session.dataset.y
        if y is None or any(each.model.busy for each in models):
            return ""
        if pair is not None:
            return str(pair.verdict())
        before = next((mark.agreement for mark in self._marks if mark.agreement is not None), None)
        change = "" if before is None else f"{before:.2f} → "
        return f"Agreement with the truth: {change}{_agreement(session):.2f}."


def _undo_to(mark: _Mark, session: Session, pair: Pair | None) -> None:
    undo = session.undo if pair is None else pair.undo
    while session.history.position > mark.first or (pair is not None and pair.second.history.position > mark.second):
        undo()


def _agreement(session: Session) -> float | None:
    y = session.dataset.y
    return None if y is None else adjusted_rand(y, session.fit.labels)


class Side(NamedTuple):
    """One of the models of a scene at some time."""

    state: State
    fit: Fit

    @property
    def agreement(self) -> float:
        """Adjusted Rand index of the model's clusters and the true classes."""
        return adjusted_rand(truth_of(self.state.subject.dataset), self.fit.labels)


def play(scene: Scene, data: Dataset | None = None) -> list[tuple[Side, ...]]:
    """Return the models of a scene, one or two, at its opening and after each step.

    Examples
    --------
    >>> from dcrc_explore.scenes import SceneStep
    >>> steps = (SceneStep("Answer."), SceneStep("Harden.", set={"epsilon": 0}))
    >>> [sides[0].state.settings.epsilon for sides in play(Scene("", "", "", {"name": "close"}, steps=steps))]
    [0.05, 0.05, 0.0]
    """
    models = open_scene(scene, data)
    stages = [tuple(Side(each.state, each.fit) for each in models)]
    for t, step in enumerate(scene.steps):
        perform(step, models, scene.seed, f"step {t + 1}")
        stages.append(tuple(Side(each.state, each.fit) for each in models))
    return stages


def effect_sizes(effect: Effect, stages: list[tuple[Side, ...]]) -> tuple[float, float]:
    """Return the adjusted Rand indices of the better and of the worse model of an effect.

    Examples
    --------
    >>> scene = load_scene("answers-pay")
    >>> better, worse = effect_sizes(scene.effects[0], play(scene))
    >>> better - worse >= scene.effects[0].by
    True
    """
    better, worse = (stages[moment.step][moment.second] for moment in (effect.better, effect.worse))
    return better.agreement, worse.agreement
