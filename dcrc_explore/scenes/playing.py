"""What happens in a scene, without any interface: answers, planted errors, settings, fitted models."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dcrc_explore import DCRC, Triplets
from dcrc_explore.annotators import Oracle, error_matrix, truth
from dcrc_explore.arrays import IntArray
from dcrc_explore.constraints import Answer, implied_answers
from dcrc_explore.datasets import Dataset, as_dataset, list_datasets, load_dataset, make_dataset
from dcrc_explore.information import surprise
from dcrc_explore.inspection import plant_errors
from dcrc_explore.metrics import adjusted_rand
from dcrc_explore.questions import ask, batch_size, model_doubt, random_triplets
from dcrc_explore.scenes.reading import WAYS_TO_ERR, SceneError
from dcrc_explore.scenes.scene import Answering, Effect, Moment, Scene, Step, View
from dcrc_explore.session import Settings

_DOUBT = 0.05


@dataclass(frozen=True, eq=False)
class Side:
    """One of the models of a scene: its settings and the answers that it learns from.

    Attributes
    ----------
    dataset : Dataset
    settings : Settings
    triplets : Triplets
    by : tuple of str
        Who gave each answer.
    planted : ndarray of shape (M,)
        Which answers were changed to wrong ones on purpose.
    """

    dataset: Dataset
    settings: Settings
    triplets: Triplets
    by: tuple[str, ...]
    planted: NDArray[np.bool_]

    @cached_property
    def model(self) -> DCRC:
        """The fitted model. Several people have errors of their own, as in a session with `per_person`."""
        model = DCRC(**self.settings.model_parameters())
        apart = self.settings.per_person and 0 < self.settings.epsilon < 0.66 and len(set(self.by)) > 1
        if apart:
            model.set_params(confusion="learned")
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "none of the answers is don't know")  # a scene shows that in pictures
            return model.fit(self.dataset.X, triplets=self.triplets, annotators=self.by if apart else None)

    @cached_property
    def agreement(self) -> float:
        """Adjusted Rand index of the model's clusters and the true classes."""
        return adjusted_rand(_truth(self.dataset), self.model.labels_)

    def plus(self, triplets: Triplets, by: str, planted: NDArray[np.bool_]) -> Side:
        """Return the same with more answers."""
        return replace(
            self,
            triplets=self.triplets + triplets,
            by=(*self.by, *[by] * len(triplets)),
            planted=np.append(self.planted, planted),
        )


@dataclass(frozen=True, eq=False)
class Stage:
    """What is to be seen at some time of a scene.

    Attributes
    ----------
    sides : tuple of one or two Side
        Two are drawn side by side.
    view : View
    seed : int

    Examples
    --------
    >>> stage = open_scene(Scene("", "", "", {"name": "far"}))
    >>> len(stage.sides), stage.sides[0].agreement
    (1, 1.0)
    """

    sides: tuple[Side, ...]
    view: View
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Changes:
    """What leads from one model and its answers to another: all that a session has to do.

    Attributes
    ----------
    settings : dict
        Settings to change.
    revised : dict of int to int
        Answers to change, by number: planted errors.
    new : Triplets
        Answers to add, after that.
    by : tuple of str
        Who gave them.
    planted : ndarray of shape (M,)
        Which of the new ones are wrong on purpose.
    """

    settings: dict[str, Any]
    revised: dict[int, int]
    new: Triplets
    by: tuple[str, ...]
    planted: NDArray[np.bool_]


def changes(before: Side, after: Side) -> Changes:
    """Return what a step changed.

    Examples
    --------
    >>> stage = open_scene(Scene("", "", "", {"name": "close"}, answers=(Answering(n=3),)))
    >>> step = Step("Harder.", set={"epsilon": 0}, answers=(Answering(n=2),))
    >>> change = changes(stage.sides[0], perform(step, stage).sides[0])
    >>> change.settings, change.revised, len(change.new), change.by
    ({'epsilon': 0.0}, {}, 2, ('truth', 'truth'))
    """
    M, names = len(before.triplets), before.settings.names()
    differ = np.flatnonzero(before.triplets.answers != after.triplets.answers[:M])
    return Changes(
        {name: value for name in names if (value := getattr(after.settings, name)) != getattr(before.settings, name)},
        {int(t): int(after.triplets.answers[t]) for t in differ},
        after.triplets[M:],
        after.by[M:],
        after.planted[M:],
    )


def scene_data(scene: Scene) -> Dataset:
    """Return the data of a scene.

    Examples
    --------
    >>> scene_data(Scene("", "", "", {"name": "moons", "n_per_cluster": 20}))
    Dataset('moons', 40 points, 2 features, 2 classes)
    """
    values = dict(scene.data)
    standardize = values.pop("standardize", False)
    if "file" in values:
        data = as_dataset(values["file"], values.get("y"))
    elif values["name"] in list_datasets():
        data = make_dataset(**{"seed": scene.seed, **values})
    else:
        data = load_dataset(values["name"])
    return data.standardized() if standardize else data


def opening_settings(data: Dataset, seed: int) -> Settings:
    """Return the settings of a scene that sets none: the defaults, with as many clusters as there are true classes."""
    return Settings(n_clusters=max(2, data.n_classes or 3), random_state=seed)


def open_scene(scene: Scene, data: Dataset | None = None) -> Stage:
    """Return the first stage of a scene: data, settings and the answers that are given already.

    Parameters
    ----------
    scene : Scene
    data : Dataset, optional
        By default :func:`scene_data`.

    Examples
    --------
    >>> scene = Scene("", "", "", {"name": "close"}, answers=(Answering(n=10, wrong=1),))
    >>> first = open_scene(scene).sides[0]
    >>> first.triplets, int(first.planted.sum())
    (Triplets(10 answers: 0 yes, 4 no, 6 dnk), 1)
    """
    data = scene_data(scene) if data is None else data
    settings = opening_settings(data, scene.seed).changed(scene.settings)
    side = Side(data, settings, Triplets(), (), np.empty(0, dtype=bool))
    sides = (side,) if scene.beside is None else (side, _set(side, scene.beside))
    return _answered(Stage(sides, scene.view, scene.seed), scene.answers)


def perform(step: Step, stage: Stage) -> Stage:
    """Return the stage after the Next button of a step was pressed.

    The stage may hold what a person did meanwhile. The same stage gives the same result.

    Examples
    --------
    >>> stage = open_scene(Scene("", "", "", {"name": "close"}))
    >>> stage = perform(Step("Five times don't know.", answers=(Answering(n=5, only="dnk"),)), stage)
    >>> stage.sides[0].triplets
    Triplets(5 answers: 0 yes, 0 no, 5 dnk)
    """
    first, *second = stage.sides
    sides = (_set(first, step.set), *(_set(side, {**step.set, **step.beside}) for side in second))
    stage = _answered(replace(stage, sides=sides, view=replace(stage.view, **step.view)), step.answers)
    return _planted(stage, step) if step.plant else stage


def play(scene: Scene, data: Dataset | None = None) -> list[Stage]:
    """Return the stages of a scene: its opening, and what comes of each step.

    Examples
    --------
    >>> steps = (Step("Answer."), Step("Harden.", set={"epsilon": 0}))
    >>> [stage.sides[0].settings.epsilon for stage in play(Scene("", "", "", {"name": "close"}, steps=steps))]
    [0.05, 0.05, 0.0]
    """
    stages = [open_scene(scene, data)]
    for step in scene.steps:
        stages.append(perform(step, stages[-1]))
    return stages


def effect_sizes(effect: Effect, stages: list[Stage]) -> tuple[float, float]:
    """Return the adjusted Rand indices of the better and of the worse model of an effect.

    Examples
    --------
    >>> from dcrc_explore.scenes import load_scene
    >>> scene = load_scene("answers-pay")
    >>> better, worse = effect_sizes(scene.effects[0], play(scene))
    >>> better - worse >= scene.effects[0].by
    True
    """

    def agreement(moment: Moment) -> float:
        return stages[moment.step].sides[moment.second].agreement

    return agreement(effect.better), agreement(effect.worse)


def _set(side: Side, changes: Mapping[str, Any]) -> Side:
    return replace(side, settings=side.settings.changed(changes)) if changes else side


def _answered(stage: Stage, parts: tuple[Answering, ...]) -> Stage:
    for part in parts:
        sides = list(stage.sides)
        if part.model == "both":
            new = _new_answers(sides[0], part, stage.seed)
            sides = [side.plus(*new) for side in sides]
        else:
            which = ("first", "second").index(part.model)
            sides[which] = sides[which].plus(*_new_answers(sides[which], part, stage.seed))
        stage = replace(stage, sides=tuple(sides))
    return stage


def _new_answers(side: Side, part: Answering, seed: int) -> tuple[Triplets, str, NDArray[np.bool_]]:
    rng = np.random.default_rng([seed, len(side.triplets)])
    if part.rows:
        questions = np.array([row[:3] for row in part.rows])
        given = Triplets(questions, ["dnk"] * len(questions), n_samples=len(side.dataset.X))
        true = [row[3] if len(row) == 4 else None for row in part.rows]
        if None in true:
            by_truth = implied_answers(_truth(side.dataset), questions).tolist()
            true = [by_truth[t] if answer is None else Answer(answer) for t, answer in enumerate(true)]
        given = Triplets(questions, true)
    else:
        given = _asked(side, part, rng)
    planted = np.zeros(len(given), dtype=bool)
    if part.wrong:
        given, planted = plant_errors(given, part.wrong, rng)
    return given, part.by, planted


def _asked(side: Side, part: Answering, rng: np.random.Generator) -> Triplets:
    """Ask by a strategy. Guided questions build on the answers before them, as in a session."""
    y, X = _truth(side.dataset), side.dataset.X
    matrix = WAYS_TO_ERR[part.errs] if isinstance(part.errs, str) else error_matrix(part.errs)
    somebody = Oracle(y, matrix, rng) if part.errs else truth(y)
    if part.questions == "random":
        questions = _random(side, part, rng)
        return Triplets(questions, somebody.answer(questions))
    given, bits, epsilon = Triplets(), np.empty(0), side.settings.epsilon
    while len(given) < part.n:
        so_far = side.plus(given, part.by, np.zeros(len(given), dtype=bool))
        proba, size = so_far.model.predict_proba(X), min(batch_size(len(so_far.triplets)), part.n - len(given))
        known: dict[str, Any] = {"X": X, "constraints": so_far.triplets, "doubt": model_doubt(bits)}
        questions = ask(part.questions, proba, size, **known, epsilon=epsilon, seed=rng)
        answers = somebody.answer(questions)
        bits = np.append(bits, surprise(proba, questions, answers, epsilon=epsilon))
        given += Triplets(questions, answers)
    return given


def _random(side: Side, part: Answering, rng: np.random.Generator) -> IntArray:
    N, asked = len(side.dataset.X), side.triplets.indices
    if not part.only:
        return random_triplets(N, part.n, asked=asked, seed=rng)
    found = np.empty((0, 3), dtype=np.int64)
    for _ in range(100):
        more = random_triplets(N, part.n, asked=np.vstack([asked, found]), seed=rng)
        is_dnk = implied_answers(_truth(side.dataset), more) == Answer.DNK
        found = np.vstack([found, more[is_dnk == (part.only == "dnk")]])[: part.n]
        if len(found) == part.n:
            return found
    raise SceneError(f"{part.n} questions whose true answer is {part.only} were wanted, got {len(found)} of them")


def _planted(stage: Stage, step: Step) -> Stage:
    """Change right answers, a yes or a no, to their opposite; both models get the same errors."""
    first = stage.sides[0]
    questions, answers = first.triplets.indices, first.triplets.answers
    right = answers == implied_answers(_truth(first.dataset), questions)
    decided = np.flatnonzero(right & (answers != Answer.DNK))
    if step.plant > len(decided):
        raise SceneError(
            f"there must be {step.plant} right answers that are yes or no to plant errors, got {len(decided)}"
        )
    if step.where == "sure":
        # The least surprising answers; under a hard model all others would be infinitely surprising.
        proba, epsilon = first.model.predict_proba(first.dataset.X), max(first.settings.epsilon, _DOUBT)
        bits = surprise(proba, questions[decided], answers[decided], epsilon=epsilon)
        places = decided[np.argsort(bits, kind="stable")[: step.plant]]
    else:
        places = np.random.default_rng([stage.seed, len(answers)]).choice(decided, step.plant, replace=False)
    return replace(stage, sides=tuple(_flipped(side, places, first) for side in stage.sides))


def _flipped(side: Side, places: IntArray, first: Side) -> Side:
    if side.triplets != first.triplets:
        raise SceneError("errors are planted where both models have the same answers, got models with different ones")
    answers, planted = side.triplets.answers.copy(), side.planted.copy()
    answers[places], planted[places] = -answers[places], True
    return replace(side, triplets=Triplets(side.triplets.indices, answers), planted=planted)


def _truth(data: Dataset) -> NDArray[np.int64]:
    if data.y is None:
        raise SceneError(f"simulated answers need the true classes, which are unknown for {data.name!r}")
    return data.y
