"""A scene in a session: what it opens with, what Next and Back do, and the result in words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.constraints import Log, Triplets
from dcrc_explore.datasets import Dataset
from dcrc_explore.information import surprise
from dcrc_explore.metrics import adjusted_rand
from dcrc_explore.scenes.playing import Side, Stage, changes, open_scene, perform
from dcrc_explore.scenes.reading import SceneError, list_scenes, load_scene
from dcrc_explore.scenes.scene import Scene, View
from dcrc_explore.session import Exploration, Pair, Session


def shares_answers(scene: Scene) -> bool:
    """Whether all models of a scene learn from the same answers; else each has answers of its own.

    Examples
    --------
    >>> shares_answers(load_scene("one-wrong-answer")), shares_answers(load_scene("two-ways"))
    (True, False)
    """
    parts = [*scene.answers, *(part for step in scene.steps for part in step.answers)]
    return all(part.model == "both" for part in parts)


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
    view: View
    agreement: float | None


class Performance:
    """A scene that is shown in a session, alone or with a second model beside it.

    Each fit starts from the initialisation, as when the scene was measured: the setting `restart` is on.

    Parameters
    ----------
    scene : Scene
    data : Dataset, optional
        By default those of the scene.

    Attributes
    ----------
    scene : Scene
    at : int
        How many steps are done.
    dataset : Dataset
    settings : Settings
        What the session begins with.
    view : View
        How it is to be shown now.
    answers_beside : Log or None
        What the second model begins with where each of the two has answers of its own.

    Examples
    --------
    >>> performance = Performance(load_scene("answers-pay"))
    >>> session = Session(performance.dataset, autosave=None)
    >>> performance.open(session)
    >>> performance.next(session)
    >>> len(session.log), performance.at, performance.outcome(session)
    (5, 1, 'Agreement with the truth: 0.29 → 0.46.')
    >>> performance.back(session)
    >>> len(session.log), performance.at
    (0, 0)
    """

    def __init__(self, scene: Scene, data: Dataset | None = None) -> None:
        self.scene, self.at, self.view = scene, 0, scene.view
        sides = open_scene(scene, data).sides
        self._opening = sides[0]
        self.answers_beside = None if shares_answers(scene) else _answers(sides[1])
        self.dataset = self._opening.dataset
        self.settings = replace(self._opening.settings, restart=True)
        self._marks: list[_Mark] = []

    @property
    def is_over(self) -> bool:
        """Whether no further step is left; after a last step that does nothing, the scene is over."""
        steps = self.scene.steps
        return self.at >= len(steps) - (not steps[-1].acts if steps else 0)

    @property
    def text(self) -> str:
        """What to do and where to look now; after the last step, what the scene promised."""
        steps = self.scene.steps
        return steps[self.at].text if self.at < len(steps) else self.scene.promise

    def open(self, session: Session) -> None:
        """Begin: data, settings and the answers already given, as one step to undo."""
        side = self._opening
        log = _answers(side)
        session.change(f"scene {self.scene.title}", data=side.dataset, settings=self.settings, log=log or None)
        self.dataset = session.dataset

    def next(self, session: Session, pair: Pair | None = None) -> None:
        """Do what the Next button does; what happens to the session is one step to undo."""
        if self.is_over:
            raise SceneError("the scene is at its end")
        step, models = self.scene.steps[self.at], _models(session, pair)
        mark = _Mark(session.history.position, models[-1].history.position, self.view, None)
        if step.acts:
            for each in models:
                each.model.wait()
            before = Stage(tuple(map(_side, models)), self.view, self.scene.seed)
            after = perform(step, before)

            def sides(which: int) -> tuple[Side, Side]:
                return before.sides[which], after.sides[which]

            mark = replace(mark, agreement=_agreement(session))
            label = f"step {self.at + 1} of the scene"
            session.change(label, settings=after.sides[0].settings, log=_answered(session, *sides(0)))
            if pair is not None:
                pair.second.change(label, after.sides[1].settings, _answered(pair.second, *sides(1)))
            self.view = after.view
        self._marks.append(mark)
        self.at += 1

    def back(self, session: Session, pair: Pair | None = None) -> None:
        """Return to the step before; everything done since is taken back, and Redo brings it again."""
        if not self._marks:
            raise SceneError("the scene is at its beginning")
        mark = self._marks.pop()
        undo = session.undo if pair is None else pair.undo
        while session.history.position > mark.first or (
            pair is not None and pair.second.history.position > mark.second
        ):
            undo()
        self.at, self.view = self.at - 1, mark.view

    def outcome(self, session: Session, pair: Pair | None = None) -> str:
        """Say how far the models agree with the truth, and before the last step; "" while they are fitted."""
        models, y = _models(session, pair), session.dataset.y
        if y is None or any(each.model.busy for each in models):
            return ""
        if pair is not None:
            return str(pair.verdict())
        before = next((mark.agreement for mark in reversed(self._marks) if mark.agreement is not None), None)
        change = "" if before is None else f"{before:.2f} → "
        return f"Agreement with the truth: {change}{_agreement(session):.2f}."


def _models(session: Session, pair: Pair | None) -> tuple[Exploration, ...]:
    return (session,) if pair is None else (session, pair.second)


def _side(model: Exploration) -> Side:
    log = model.log
    places = log.triplet_positions
    by = tuple(log.by[t] for t in places)
    return Side(model.dataset, model.settings, log.triplets, by, log.planted[places])


def _answers(side: Side) -> Log:
    return _plus(Log(), side.triplets, side.by, side.planted) if len(side.triplets) else Log()


def _answered(model: Exploration, before: Side, after: Side) -> Log:
    """Return the answers of a model after a step, which changed some or added some."""
    change, log = changes(before, after), model.log
    if change.revised:
        places = log.triplet_positions
        log = log.revised({int(places[t]): answer for t, answer in change.revised.items()}, by=None)
    if len(change.new):
        bits = surprise(model.fit.proba, change.new.indices, change.new.answers, epsilon=before.settings.epsilon)
        log = _plus(log, change.new, change.by, change.planted, bits)
    return log


def _agreement(session: Session) -> float | None:
    y = session.dataset.y
    return None if y is None else adjusted_rand(y, session.fit.labels)


def _plus(
    log: Log, new: Triplets, by: tuple[str, ...], planted: NDArray[np.bool_], bits: NDArray[np.float64] | None = None
) -> Log:
    return log.plus(new.indices, new.answers, by=by, planted=planted, surprise=bits)
