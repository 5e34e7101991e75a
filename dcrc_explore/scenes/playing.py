"""What happens in a scene: from the states of its models to those after the opening or a step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.annotators import Oracle, error_matrix, truth
from dcrc_explore.arrays import IntArray
from dcrc_explore.constraints import Answer, Triplets, implied_answers
from dcrc_explore.datasets import Dataset, as_dataset, list_datasets, load_dataset, make_dataset
from dcrc_explore.datasets.drawn import from_text
from dcrc_explore.information import surprise
from dcrc_explore.inspection import plant_errors
from dcrc_explore.metrics import adjusted_rand
from dcrc_explore.questions import ask, batch_size, model_doubt, random_triplets
from dcrc_explore.scenes.reading import WAYS_TO_ERR, SceneError
from dcrc_explore.scenes.scene import Scene, SceneAnswers, SceneStep
from dcrc_explore.session import Fit, Settings
from dcrc_explore.session.fitted import fit_of
from dcrc_explore.session.state import State, Subject
from dcrc_explore.session.trace import Trace

_DOUBT = 0.05


@dataclass(frozen=True, eq=False)
class Side:
    """One of the models of a scene: data, settings and answers, and the fit on the screen, that judges new ones."""

    state: State
    shown: Trace | None = None

    @cached_property
    def fit(self) -> Fit:
        """The model of the answers: that on the screen if it has them, else one from the initialisation."""
        shown, state = self.shown, self.state
        if shown is not None and shown.request.log is state.log and shown.settings == state.settings:
            return shown.fit
        return fit_of(replace(state, weights=None))

    @property
    def agreement(self) -> float:
        """Adjusted Rand index of the model's clusters and the true classes."""
        return adjusted_rand(_truth(self), self.fit.labels)

    def changed(self, changes: Mapping[str, Any]) -> Side:
        """Return the same with other settings."""
        return replace(self, state=replace(self.state, settings=self.state.settings.changed(changes)))

    def plus(self, new: Triplets, by: str, planted: NDArray[np.bool_]) -> Side:
        """Return the same with more answers."""
        bits = None
        if self.shown is not None:
            model, epsilon = self.shown.fit, self.shown.settings.epsilon
            bits = surprise(model.proba, new.indices, new.answers, epsilon=epsilon)
        log = self.state.log.plus(new.indices, new.answers, by=by, planted=planted, surprise=bits)
        return replace(self, state=replace(self.state, log=log))


Sides = tuple[Side, ...]  # the models of a scene at some time, one or two


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
    elif "points" in values:
        data = from_text(values["points"])
    elif values["name"] in list_datasets():
        data = make_dataset(**{"seed": scene.seed, **values})
    else:
        data = load_dataset(values["name"])
    return data.standardized() if standardize else data


def opening_settings(data: Dataset, seed: int) -> Settings:
    """Return the settings of a scene that sets none: the defaults, with as many clusters as there are true classes."""
    return Settings(n_clusters=max(2, data.n_classes or 3), random_state=seed)


def open_scene(scene: Scene, data: Dataset | None = None) -> Sides:
    """Return what a scene opens with: data, by default its own, settings and the answers that are given already.

    Examples
    --------
    >>> scene = Scene("", "", "", {"name": "close"}, answers=(SceneAnswers(n=10, wrong=1),))
    >>> log = open_scene(scene)[0].state.log
    >>> log.triplets, int(log.planted.sum())
    (Triplets(10 answers: 0 yes, 4 no, 6 dnk), 1)
    """
    data = scene_data(scene) if data is None else data
    # Each fit starts from the initialisation, as when the scene was measured.
    settings = replace(opening_settings(data, scene.seed).changed(scene.settings), restart=True)
    side = Side(State(Subject(data), settings))
    sides = (side,) if scene.beside is None else (side, side.changed(scene.beside))
    return _answered(sides, scene.answers, scene.seed)


def perform(step: SceneStep, sides: Sides, seed: int = 0) -> Sides:
    """Return the models of a scene after the Next button of a step; nothing but the arguments decides the result.

    Examples
    --------
    >>> sides = open_scene(Scene("", "", "", {"name": "close"}))
    >>> step = SceneStep("Five times don't know.", answers=(SceneAnswers(n=5, only="dnk"),))
    >>> perform(step, sides)[0].state.log.triplets
    Triplets(5 answers: 0 yes, 0 no, 5 dnk)
    """
    first, *second = sides
    sides = (first.changed(step.set), *(side.changed({**step.set, **step.beside}) for side in second))
    sides = _answered(sides, step.answers, seed)
    return _planted(sides, step, seed) if step.plant else sides


def _answered(sides: Sides, parts: tuple[SceneAnswers, ...], seed: int) -> Sides:
    for part in parts:
        which = {"first": [0], "second": [1]}.get(part.model, range(len(sides)))
        new = _new_answers(sides[which[0]], part, seed)
        sides = tuple(side.plus(*new) if s in which else side for s, side in enumerate(sides))
    return sides


def _new_answers(side: Side, part: SceneAnswers, seed: int) -> tuple[Triplets, str, NDArray[np.bool_]]:
    rng = np.random.default_rng([seed, len(side.state.log.triplets)])
    if part.rows:
        questions = np.array([row[:3] for row in part.rows])
        Triplets(questions, ["dnk"] * len(questions), n_samples=len(side.state.subject.dataset.X))
        true = [row[3] if len(row) == 4 else None for row in part.rows]
        if None in true:
            by_truth = implied_answers(_truth(side), questions).tolist()
            true = [by_truth[t] if answer is None else Answer(answer) for t, answer in enumerate(true)]
        given = Triplets(questions, true)
    else:
        given = _asked(side, part, rng)
    planted = np.zeros(len(given), dtype=bool)
    if part.wrong:
        given, planted = plant_errors(given, part.wrong, rng)
    return given, part.by, planted


def _asked(side: Side, part: SceneAnswers, rng: np.random.Generator) -> Triplets:
    """Ask by a strategy. Guided questions build on the answers before them, as in a session."""
    y, X = _truth(side), side.state.subject.dataset.X
    matrix = WAYS_TO_ERR[part.errs] if isinstance(part.errs, str) else error_matrix(part.errs)
    somebody = Oracle(y, matrix, rng) if part.errs else truth(y)
    if part.questions == "random":
        questions = _random(side, part, rng)
        return Triplets(questions, somebody.answer(questions))
    given, bits, epsilon = Triplets(), np.empty(0), side.state.settings.epsilon
    while len(given) < part.n:
        so_far = replace(side, shown=None).plus(given, part.by, np.zeros(len(given), dtype=bool))
        proba, triplets = so_far.fit.proba, so_far.state.log.triplets
        size = min(batch_size(len(triplets)), part.n - len(given))
        known: dict[str, Any] = {"X": X, "constraints": triplets, "doubt": model_doubt(bits)}
        questions = ask(part.questions, proba, size, **known, epsilon=epsilon, seed=rng)
        answers = somebody.answer(questions)
        bits = np.append(bits, surprise(proba, questions, answers, epsilon=epsilon))
        given += Triplets(questions, answers)
    return given


def _random(side: Side, part: SceneAnswers, rng: np.random.Generator) -> IntArray:
    N, asked = len(side.state.subject.dataset.X), side.state.log.triplets.indices
    if not part.only:
        return random_triplets(N, part.n, asked=asked, seed=rng)
    found = np.empty((0, 3), dtype=np.int64)
    for _ in range(100):
        more = random_triplets(N, part.n, asked=np.vstack([asked, found]), seed=rng)
        is_dnk = implied_answers(_truth(side), more) == Answer.DNK
        found = np.vstack([found, more[is_dnk == (part.only == "dnk")]])[: part.n]
        if len(found) == part.n:
            return found
    raise SceneError(f"{part.n} questions whose true answer is {part.only} were wanted, got {len(found)} of them")


def _planted(sides: Sides, step: SceneStep, seed: int) -> Sides:
    """Change right answers, a yes or a no, to their opposite; both models get the same errors."""
    first, logs = sides[0], [side.state.log for side in sides]
    if any(log.triplets != logs[0].triplets for log in logs):
        raise SceneError("errors are planted where both models have the same answers, got models with different ones")
    questions, answers = logs[0].triplets.indices, logs[0].triplets.answers
    right = answers == implied_answers(_truth(first), questions)
    decided = np.flatnonzero(right & (answers != Answer.DNK))
    if step.plant > len(decided):
        raise SceneError(
            f"there must be {step.plant} right answers that are yes or no to plant errors, got {len(decided)}"
        )
    if step.where == "sure":
        # The least surprising answers; under a hard model all others would be infinitely surprising.
        epsilon = max(first.state.settings.epsilon, _DOUBT)
        bits = surprise(first.fit.proba, questions[decided], answers[decided], epsilon=epsilon)
        places = decided[np.argsort(bits, kind="stable")[: step.plant]]
    else:
        places = np.random.default_rng([seed, len(answers)]).choice(decided, step.plant, replace=False)
    return tuple(_flipped(side, places) for side in sides)


def _flipped(side: Side, places: IntArray) -> Side:
    log = side.state.log
    changes = {int(t): -int(log.answers[t]) for t in log.triplet_positions[places]}
    return replace(side, state=replace(side.state, log=log.revised(changes, by=None)))


def _truth(side: Side) -> NDArray[np.int64]:
    data = side.state.subject.dataset
    if data.y is None:
        raise SceneError(f"simulated answers need the true classes, which are unknown for {data.name!r}")
    return data.y
