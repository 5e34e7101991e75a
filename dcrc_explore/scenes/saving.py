"""A session as a scene: what is on the screen becomes a text that a lecturer completes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from dcrc_explore.datasets import Dataset, list_datasets, list_real_datasets
from dcrc_explore.datasets.drawn import as_text
from dcrc_explore.scenes.playing import opening_settings, scene_data
from dcrc_explore.scenes.reading import SceneError
from dcrc_explore.scenes.scene import Scene, SceneAnswers, SceneStep, SceneView
from dcrc_explore.scenes.writing import scene_text
from dcrc_explore.session import Pair, Session
from dcrc_explore.tables import as_csv
from dcrc_explore.words import count

POINTS = "points.csv"
_VIEW = SceneView()
_HEAD = """# A scene: data, settings, answers already given, and at most three steps.
# Write your own title, promise and text. What Next does is written under a step, as
#   answers = [{n = 5}]          five random questions, answered by the truth
#   set = {epsilon = 0}          other settings
#   plant = 1                    one right answer becomes its opposite
# Answers move into a step as answers = [{rows = [...]}].
# Check it with:  dcrc-explore scenes FILE.toml
# Open it with:   Explorer(scene="FILE.toml")

"""


def session_scene(session: Session, *, pair: Pair | None = None, view: SceneView = _VIEW) -> dict[str, str]:
    """Return a session, or a pair, as the text of a scene, by file name; a user's own points are a second file.

    Examples
    --------
    >>> session = Session("moons", autosave=None, kernel="rbf")
    >>> _ = session.answer((0, 1, 60), "yes")
    >>> print(session_scene(session)["scene.toml"].partition("[data]")[2])
    <BLANKLINE>
    name = "moons"
    <BLANKLINE>
    [settings]
    kernel = "rbf"
    <BLANKLINE>
    [[answers]]
    rows = [[0, 1, 60, "yes"]]
    by = "user"
    <BLANKLINE>
    [[steps]]
    text = "Say here what to do and where to look."
    <BLANKLINE>
    """
    log, dataset = session.log, session.dataset
    if n_pairs := len(log) - len(log.triplets):
        raise SceneError(f"answers of a scene must be about three points, got {count(n_pairs, 'answer')} about two")
    if pair is not None and pair.second.has_own_answers:
        raise SceneError("two models must share their answers to become a scene, got models with answers of their own")
    named = _named(dataset)
    usual, settings = opening_settings(dataset, 0), session.settings
    names = [name for name in settings.names() if name != "restart"]  # a scene restarts each fit
    scene = Scene(
        "mine",
        f"My scene: {dataset.name}"[:100],
        "Say here in one sentence what will be seen.",
        named or {"file": POINTS, **({} if dataset.y is None else {"y": _class_column(dataset)})},
        {name: value for name in names if (value := getattr(settings, name)) != getattr(usual, name)},
        None if pair is None else pair.changes,
        view,
        tuple(_answers(session)),
        (SceneStep("Say here what to do and where to look."),),
    )
    files = {"scene.toml": _HEAD + scene_text(scene, check=bool(named))}
    return files if named else files | {POINTS: _points(dataset)}


def save_scene(session: Session, *, pair: Pair | None = None, view: SceneView = _VIEW) -> Path:
    """Write a session as a scene, in a file beside its answers or a folder with its own points; return where.

    Examples
    --------
    >>> import tempfile
    >>> session = Session("moons", autosave=tempfile.mkdtemp())
    >>> _ = session.answer((0, 1, 60), "yes")
    >>> save_scene(session).name
    'moons-scene.toml'
    """
    files = {name: text.encode() for name, text in session_scene(session, pair=pair, view=view).items()}
    return (
        session.export.write("scene.toml", files["scene.toml"])
        if len(files) == 1
        else session.export.write("scene", files)
    )


def _answers(session: Session) -> Iterator[SceneAnswers]:
    entries = [((*entry.points, entry.answer.name.lower()), entry.by) for entry in session.log]
    for by, rows in groupby(entries, key=lambda entry: entry[1]):
        yield SceneAnswers(rows=tuple(row for row, _ in rows), by=by)


def _named(dataset: Dataset) -> dict[str, Any] | None:
    """Return how everyone can make the same points; None for one's own."""
    if dataset.drawing is not None:
        found = {"points": as_text(dataset)}
        return found if _same(found, dataset) else None
    if dataset.parameters:
        usual = {each.name: each.default for each in list_datasets()[dataset.name].parameters}
        found = {"name": dataset.name, **{k: v for k, v in dataset.parameters.items() if usual.get(k) != v}}
        return found if _same(found, dataset) else None
    stored = [name for name, spec in list_real_datasets().items() if spec.bundled and name in dataset.name]
    for name in stored:
        for more in ({}, {"standardize": True}):
            if _same({"name": name, **more}, dataset):
                return {"name": name, **more}
    return None


def _same(data: dict[str, Any], dataset: Dataset) -> bool:
    X = scene_data(Scene("", "", "", data)).X
    return X.shape == dataset.X.shape and bool(np.allclose(X, dataset.X))


def _class_column(dataset: Dataset) -> str:
    name = "class"
    while name in dataset.feature_names:
        name += "_"
    return name


def _points(dataset: Dataset) -> str:
    """Return the points as a table, with their true classes if these are known."""
    head = [*dataset.feature_names, *([] if dataset.y is None else [_class_column(dataset)])]
    classes = [] if dataset.y is None else [[dataset.class_names[k]] for k in dataset.y]
    return as_csv(head, (row + (classes[i] if classes else []) for i, row in enumerate(dataset.X.tolist())))
