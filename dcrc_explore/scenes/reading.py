"""Scenes from text: TOML that is checked where it comes in; every error names its line."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from dcrc_explore.annotators import EXCHANGING, GUESSING, PAPER_CONFUSION, forced
from dcrc_explore.constraints import Answer
from dcrc_explore.datasets import list_datasets, list_real_datasets
from dcrc_explore.datasets.drawn import from_text
from dcrc_explore.questions import list_strategies
from dcrc_explore.scenes.scene import (
    MAPS,
    MODELS,
    MOST_STEPS,
    PLACES,
    TABS,
    Effect,
    Moment,
    Scene,
    SceneAnswers,
    SceneStep,
    SceneView,
)
from dcrc_explore.session import Settings
from dcrc_explore.toml import Rules, TextError, TomlTable, Wrong, called, read_toml, toml_text
from dcrc_explore.values import FLAG, LIST, Rule, line, number, one_of, shown, whole

WAYS_TO_ERR = MappingProxyType(
    {"guessing": GUESSING, "exchanging": EXCHANGING, "people": PAPER_CONFUSION, "forced": forced(np.eye(3))}
)
_FOLDER = Path(__file__).parent
_LARGEST = 1_000_000  # bytes
_MOST_ANSWERS = 10_000
_SECOND = "needs a second model: the scene must have a table beside"
_LINE = line(300)
_ROW = whole(0, 2**31)
_DATA: Rule[Any] = Rule("a table with the name of a data set", lambda v: isinstance(v, dict), dict)
_ERRS: Rule[float | str] = Rule(
    f"a rate between 0 and 1 or one of {', '.join(WAYS_TO_ERR)}",
    lambda v: number(0, 1).fits(v) or (isinstance(v, str) and v in WAYS_TO_ERR),
    lambda v: v,
)
_MEANS: Rule[tuple[float, float]] = Rule(
    "two numbers between -1 and 1",
    lambda v: isinstance(v, list) and len(v) == 2 and all(map(number(-1, 1).fits, v)),
    lambda v: (float(v[0]), float(v[1])),
)
_STEP: Rules = {"text": _LINE, "plant": whole(1, _MOST_ANSWERS), "where": one_of(PLACES)}
_VIEW: Rules = {
    "map": one_of(MAPS), "truth": FLAG, "lecture": FLAG, "draw": FLAG, "tab": one_of(TABS), "ask": FLAG,
}  # fmt: skip


class SceneError(TextError):
    r"""A scene that cannot be used; the message says where, what was expected and what came.

    Attributes
    ----------
    line : int or None
        Number of the line, from 1 on.

    Examples
    --------
    >>> try:
    ...     read_scene('title = "Moons"\npromise = "It bends."\ndata.name = "moon"')
    ... except SceneError as error:
    ...     print(error.line)
    3
    """


def list_scenes() -> Mapping[str, Path]:
    """Return the files of the scenes that are shipped, by name, in the order of a menu.

    Examples
    --------
    >>> list(list_scenes())[0]
    'answers-pay'
    """
    return MappingProxyType({_name(path): path for path in sorted(_FOLDER.glob("*.toml"))})


def load_scene(name_or_path: str | PathLike[str]) -> Scene:
    """Load a scene that is shipped, by name, or a file of your own that ends in .toml.

    Examples
    --------
    >>> load_scene("answers-pay").title
    'Answers pay'
    """
    path = Path(name_or_path)
    if path.suffix != ".toml":
        scenes = list_scenes()
        if str(name_or_path) not in scenes:
            raise SceneError(f"a scene must be a .toml file or one of {', '.join(scenes)}, got {str(name_or_path)!r}")
        path = scenes[str(name_or_path)]
    text, name = toml_text(path, _LARGEST, SceneError), _name(path)
    return read_toml("a scene", text, lambda table: _scene(table, name, path.parent), SceneError, path.name)


def read_scene(text: str, name: str = "scene") -> Scene:
    r"""Make a scene of its text; a file of data that it names lies in the working folder.

    Examples
    --------
    >>> scene = read_scene('title = "Moons"\npromise = "It bends."\ndata.name = "moons"\nsettings.kernel = "rbf"')
    >>> scene.title, dict(scene.settings)
    ('Moons', {'kernel': 'rbf'})
    >>> read_scene('title = "Moons"\npromise = "It bends."\ndata.name = "moon"')
    Traceback (most recent call last):
    ...
    dcrc_explore.scenes.reading.SceneError: line 3: data.name must be one of close, far, ..., got 'moon'
    """
    return read_toml("a scene", text, lambda table: _scene(table, name, Path()), SceneError)


def _scene(table: TomlTable, name: str, folder: Path) -> Scene:
    title, promise = table.take("title", _LINE), table.take("promise", _LINE)
    seed = table.take("seed", whole(0, 2**32 - 1), 0)
    table.take("data", _DATA)
    data = _data(table.table("data"), folder)
    settings = _settings(table.table("settings"))
    beside = _settings(table.table("beside"), settings) if "beside" in table.values else None
    table.table("beside")
    view = SceneView(**_view(table.table("view")))
    answers = _answers(table, beside is not None)
    steps = table.tables("steps")
    if len(steps) > MOST_STEPS:
        raise steps[MOST_STEPS].wrong((), f"is one too many: a scene has at most {MOST_STEPS} steps, got {len(steps)}")
    made = tuple(_step(step, settings, beside) for step in steps)
    effects = tuple(_effect(effect, len(made), beside is not None) for effect in table.tables("effects"))
    table.done()
    return Scene(name, title, promise, data, settings, beside, view, answers, made, effects, seed)


def _is_drawn(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(from_text(value))
    except ValueError:
        return False


_DRAWN = Rule("points of a drawing as a link has them", _is_drawn, str)


def _data(table: TomlTable, folder: Path) -> dict[str, Any]:
    standardize = table.take("standardize", FLAG, False)
    more: dict[str, Any] = {"standardize": True} if standardize else {}
    if "file" in table.values:
        path = folder / table.take("file", _LINE)
        if not os.path.exists(path):  # which also takes names that are too long
            raise table.wrong(("file",), f"must be a file or a folder that is there, got {table.values['file']!r}")
        if y := table.take("y", _LINE, ""):
            more["y"] = y
        table.done()
        return {"file": str(path), **more}
    if "points" in table.values:
        drawn = table.take("points", _DRAWN)
        table.done()
        return {"points": drawn, **more}
    stored = [name for name, spec in list_real_datasets().items() if spec.bundled]
    name = table.take("name", one_of([*list_datasets(), *stored]))
    spec = list_datasets().get(name)
    parameters: dict[str, Any] = {}
    for parameter in () if spec is None else spec.parameters:
        value = table.take(parameter.name, parameter.rule, parameter.default)
        if parameter.name in table.values:
            parameters[parameter.name] = value
    table.done()
    return {"name": name, **parameters, **more}


def _settings(table: TomlTable, base: Mapping[str, Any] | None = None) -> dict[str, Any]:
    settings = Settings().changed(base or {})
    for key, value in table.values.items():
        try:
            settings = settings.changed({key: value})
        except (ValueError, TypeError, OverflowError) as error:
            raise Wrong((*table.path, key), f"{called(table.path)}: {error}") from error
    return dict(table.values)


def _view(table: TomlTable) -> dict[str, Any]:
    view = {key: table.take(key, rule, getattr(SceneView, key)) for key, rule in _VIEW.items()}
    table.done()
    return {key: value for key, value in view.items() if key in table.values}


def _answers(table: TomlTable, has_second: bool) -> tuple[SceneAnswers, ...]:
    return tuple(_answering(part, has_second) for part in table.tables("answers"))


def _answering(table: TomlTable, has_second: bool) -> SceneAnswers:
    given: list[Any] = table.take("rows", LIST, [])
    rows = tuple(_row(table, t, row) for t, row in enumerate(given))
    n = table.take("n", whole(1, _MOST_ANSWERS), 0)
    if bool(rows) == bool(n):
        raise table.wrong((), f"must have rows or n, got {'both' if n else 'neither'}")
    only = table.take("only", one_of(["dnk", "yes-no"]), "")
    questions = table.take("questions", one_of(list_strategies()), "random")
    if only and questions != "random":
        raise table.wrong(("only",), f"goes with random questions, got {questions} ones")
    wrong = table.take("wrong", whole(0, n or len(rows)), 0)
    errs = table.take("errs", _ERRS, 0.0)
    if errs and wrong:
        raise table.wrong(("errs",), f"and wrong exclude each other, got errs = {errs!r} and wrong = {wrong}")
    model = table.take("model", one_of(MODELS), "both")
    if model == "second" and not has_second:
        raise table.wrong(("model",), f"{_SECOND}, got none")
    made = SceneAnswers(rows, n, questions, only, table.take("by", _LINE, "truth"), errs, wrong, model)
    table.done()
    return made


def _row(table: TomlTable, t: int, row: Any) -> tuple[Any, ...]:
    numbers, answer = (row[:3], row[3:]) if isinstance(row, list) else ([], [])
    right = len(numbers) == 3 and all(map(_ROW.fits, numbers)) and len(set(numbers)) == 3
    words = [member.name.lower() for member in Answer]
    if not right or len(answer) > 1 or not all(isinstance(word, str) and word in words for word in answer):
        raise table.wrong(
            ("rows", t), f"must be three different row numbers and possibly one of {', '.join(words)}, got {shown(row)}"
        )
    return *numbers, *answer


def _step(table: TomlTable, settings: Mapping[str, Any], beside: Mapping[str, Any] | None) -> SceneStep:
    if beside is None and "beside" in table.values:
        raise table.wrong(("beside",), f"{_SECOND}, got none")
    step = table.made(
        SceneStep,
        _STEP,
        set=_settings(table.table("set"), settings),
        beside=_settings(table.table("beside"), {**settings, **(beside or {})}),
        view=_view(table.table("view")),
        answers=_answers(table, beside is not None),
    )
    table.done()
    return step


def _effect(table: TomlTable, n_steps: int, has_second: bool) -> Effect:
    sides = (False, True) if has_second else (False,)
    moments = {str(moment): moment for moment in (Moment(t, side) for side in sides for t in range(n_steps + 1))}
    made = Effect(
        table.take("words", _LINE),
        moments[table.take("better", one_of(moments))],
        moments[table.take("worse", one_of(moments))],
        table.take("by", number(0, 2), Effect.by),
        table.take("means", _MEANS, ()) or None,
    )
    table.done()
    return made


def _name(path: Path) -> str:
    return re.sub(r"^\d+-", "", path.stem)
