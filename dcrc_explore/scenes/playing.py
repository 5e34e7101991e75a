"""What happens in a scene: its opening and its steps, done by a session, alone or with a second model beside it."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.annotators import Oracle, error_matrix, truth
from dcrc_explore.arrays import IntArray
from dcrc_explore.constraints import Answer, Log, Triplets, as_triplets, implied_answers
from dcrc_explore.datasets import Dataset, as_dataset, list_datasets, load_dataset, make_dataset
from dcrc_explore.datasets.drawn import from_text
from dcrc_explore.information import surprise
from dcrc_explore.inspection import plant_errors
from dcrc_explore.questions import ask, batch_size, model_doubt, random_triplets
from dcrc_explore.scenes.reading import WAYS_TO_ERR, SceneError
from dcrc_explore.scenes.scene import Scene, SceneAnswers, SceneStep
from dcrc_explore.session import Companion, Exploration, Fit, Pair, Session, Settings

_DOUBT = 0.05
Models = tuple[Exploration, ...]  # a session, or the session and the second model of a pair


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


def shares_answers(scene: Scene) -> bool:
    """Whether all models of a scene learn from the same answers; else each has answers of its own."""
    parts = [*scene.answers, *(part for step in scene.steps for part in step.answers)]
    return all(part.model == "both" for part in parts)


def open_scene(scene: Scene, data: Dataset | None = None) -> Models:
    """Return a session, or both models of a pair, as a scene opens; `data` are its own by default.

    Examples
    --------
    >>> scene = Scene("", "", "", {"name": "close"}, answers=(SceneAnswers(n=10, wrong=1),))
    >>> log = open_scene(scene)[0].log
    >>> log.triplets, int(log.planted.sum())
    (Triplets(10 answers: 0 yes, 4 no, 6 dnk), 1)
    """
    data = scene_data(scene) if data is None else data
    # Each fit starts from the initialisation, as when the scene was measured.
    settings = replace(opening_settings(data, scene.seed).changed(scene.settings), restart=True)
    session = Session(data, autosave=None, **asdict(settings))
    pair = None if scene.beside is None else Pair(session, scene.beside, None if shares_answers(scene) else Log())
    models = models_of(session, pair)
    for part in scene.answers:
        _answer(part, models, scene.seed, "opening", judged=False)
    return models


def models_of(session: Session, pair: Pair | None) -> Models:
    """Return the models that a scene has, one or two."""
    return (session,) if pair is None else (session, pair.second)


def perform(step: SceneStep, models: Models, seed: int, label: str) -> None:
    """Do what the Next button of a step does, as one step to undo with this label in each model.

    Examples
    --------
    >>> models = open_scene(Scene("", "", "", {"name": "close"}))
    >>> perform(SceneStep("Five times.", answers=(SceneAnswers(n=5, only="dnk"),)), models, 0, "step 1")
    >>> models[0].log.triplets
    Triplets(5 answers: 0 yes, 0 no, 5 dnk)
    """
    with models[0].lock:
        for model, changes in zip(models, (step.set, {**step.set, **step.beside}), strict=False):
            _do(model, label, settings=model.settings.changed(changes))
        for part in step.answers:
            _answer(part, models, seed, label, judged=True)
        if step.plant:
            _plant(step, models, seed, label)


def _do(model: Exploration, label: str, **fields: Any) -> None:
    model.steps.do(label, merge=True, **fields)


def _fit(model: Exploration) -> Fit:
    """Return the model of all its answers."""
    model.model.wait()
    return model.fit


def _answer(part: SceneAnswers, models: Models, seed: int, label: str, *, judged: bool) -> None:
    """Give answers to one of the models, or the same ones to both, with their surprise when they are judged."""
    models = {"first": models[:1], "second": models[1:]}.get(part.model, models)
    rng = np.random.default_rng([seed, len(models[0].log.triplets)])
    new, planted = _given(part, models[0], rng), np.array(False)
    if part.wrong:
        new, planted = plant_errors(new, part.wrong, rng)
    for model in _learning(models):
        bits = None
        if judged:
            bits = surprise(_fit(model).proba, new.indices, new.answers, epsilon=model.settings.epsilon)
        log = model.log.plus(new.indices, new.answers, by=part.by, planted=planted, surprise=bits)
        _do(model, label, log=log)


def _learning(models: Models) -> Models:
    """Return the models with answers of their own: the second one of a pair may share those of the first."""
    return tuple(model for model in models if not isinstance(model, Companion) or model.has_own_answers)


def _given(part: SceneAnswers, model: Exploration, rng: np.random.Generator) -> Triplets:
    """Return questions with their answers, errors included unless their number is exact."""
    if part.rows:
        rows = [row[:3] for row in part.rows]
        answers = [Answer(row[3]) if len(row) == 4 else None for row in part.rows]
        as_triplets(rows, len(model.dataset.X))
        if None in answers:
            true = implied_answers(truth_of(model.dataset), rows)
            answers = [true[t] if answer is None else answer for t, answer in enumerate(answers)]
        return Triplets(rows, answers)
    matrix = WAYS_TO_ERR[part.errs] if isinstance(part.errs, str) else error_matrix(part.errs)
    annotator = Oracle(truth_of(model.dataset), matrix, rng) if part.errs else truth(truth_of(model.dataset))
    if part.questions == "random":
        questions = _random(part, model, rng)
        return Triplets(questions, annotator.answer(questions))
    return _asked(part, model, annotator, rng)


def _asked(part: SceneAnswers, model: Exploration, annotator: Oracle, rng: np.random.Generator) -> Triplets:
    """Ask by a strategy that builds on the answers before, in a session of its own: one step comes of it."""
    n_before = len(model.log.triplets)
    session = Session(model.dataset, autosave=None, **asdict(model.settings))
    session.change("before", log=model.log)
    while (left := part.n + n_before - len(session.log.triplets)) > 0:
        known = session.log.triplets
        questions = ask(
            part.questions,
            session.fit.proba,
            min(batch_size(len(known)), left),
            X=model.dataset.X,
            constraints=known,
            doubt=model_doubt(session.log.surprise[len(model.log) :]),
            epsilon=session.settings.epsilon,
            seed=rng,
        )
        session.add(questions, annotator.answer(questions), by=part.by)
    return session.log.triplets[n_before:]


def _random(part: SceneAnswers, model: Exploration, rng: np.random.Generator) -> IntArray:
    N, asked = len(model.dataset.X), model.log.triplets.indices
    if not part.only:
        return random_triplets(N, part.n, asked=asked, seed=rng)
    found = np.empty((0, 3), dtype=np.int64)
    for _ in range(100):
        more = random_triplets(N, part.n, asked=np.vstack([asked, found]), seed=rng)
        is_dnk = implied_answers(truth_of(model.dataset), more) == Answer.DNK
        found = np.vstack([found, more[is_dnk == (part.only == "dnk")]])[: part.n]
        if len(found) == part.n:
            return found
    raise SceneError(f"{part.n} questions whose true answer is {part.only} were wanted, got {len(found)} of them")


def _plant(step: SceneStep, models: Models, seed: int, label: str) -> None:
    """Change right answers, a yes or a no, to their opposite; both models get the same errors."""
    first = models[0]
    if any(model.log.triplets != first.log.triplets for model in models):
        raise SceneError("errors are planted where both models have the same answers, got models with different ones")
    questions, answers = first.log.triplets.indices, first.log.triplets.answers
    right = answers == implied_answers(truth_of(first.dataset), questions)
    decided = np.flatnonzero(right & (answers != Answer.DNK))
    if step.plant > len(decided):
        raise SceneError(
            f"there must be {step.plant} right answers that are yes or no to plant errors, got {len(decided)}"
        )
    if step.where == "sure":
        # The least surprising answers; under a hard model all others would be infinitely surprising.
        epsilon = max(first.settings.epsilon, _DOUBT)
        bits = surprise(_fit(first).proba, questions[decided], answers[decided], epsilon=epsilon)
        places = decided[np.argsort(bits, kind="stable")[: step.plant]]
    else:
        places = np.random.default_rng([seed, len(answers)]).choice(decided, step.plant, replace=False)
    for model in _learning(models):
        changes = {int(t): model.log.opposite(int(t)) for t in model.log.triplet_positions[places]}
        _do(model, label, log=model.log.revised(changes, by=None))


def truth_of(data: Dataset) -> NDArray[np.int64]:
    """Return the true classes; SceneError when they are unknown."""
    if data.y is None:
        raise SceneError(f"simulated answers need the true classes, which are unknown for {data.name!r}")
    return data.y
