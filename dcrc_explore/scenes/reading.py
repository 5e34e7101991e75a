"""Scenes from text: TOML that is checked where it comes in; every error names its line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from dcrc_explore.annotators import EXCHANGING, GUESSING, PAPER_CONFUSION, forced
from dcrc_explore.constraints import Answer
from dcrc_explore.datasets import list_datasets, list_real_datasets
from dcrc_explore.questions import list_strategies
from dcrc_explore.scenes.scene import MAPS, MODELS, MOST_STEPS, PLACES, Answering, Effect, Moment, Scene, Step, View
from dcrc_explore.scenes.tables import Table, Wrong, called, is_whole, line_of
from dcrc_explore.session import Settings

WAYS_TO_ERR = MappingProxyType(
    {"guessing": GUESSING, "exchanging": EXCHANGING, "people": PAPER_CONFUSION, "forced": forced(np.eye(3))}
)
_FOLDER = Path(__file__).parent
_LARGEST = 1_000_000  # bytes
_MOST_ANSWERS = 10_000
_SECOND = "needs a second model: the scene must have a table beside"
_MOMENT = re.compile(r"(?:opening|step ([1-9]))( beside)?")


class SceneError(ValueError):
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

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


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
    try:
        if path.stat().st_size > _LARGEST:
            raise SceneError(f"{path.name}: a scene must have at most {_LARGEST:,} bytes, got {path.stat().st_size:,}")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise SceneError(f"{path.name} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise SceneError(f"{path.name}, line {line}: the text must be UTF-8, got another encoding", line) from error
    try:
        return read_scene(text, _name(path), folder=path.parent)
    except SceneError as error:
        raise SceneError(f"{path.name}, {error}", error.line) from error


def read_scene(text: str, name: str = "scene", *, folder: str | PathLike[str] = ".") -> Scene:
    r"""Make a scene of its text.

    Parameters
    ----------
    text : str
    name : str, default="scene"
    folder : path, default="."
        Where a file of data that the text names lies.

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
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r" \(at line (\d+), column \d+\)| \(at end of document\)", str(error))
        line = int(found[1]) if found and found[1] else len(text.splitlines()) or 1
        expected = str(error)[: found.start()] if found else str(error)
        raise SceneError(f"line {line}: the text must be TOML, got an error: {expected}", line) from error
    try:
        return _scene(Table(values), name, Path(folder))
    except Wrong as wrong:
        line = line_of(text, wrong.path)
        raise SceneError(f"line {line}: {wrong}", line) from wrong


def _scene(table: Table, name: str, folder: Path) -> Scene:
    title, promise, seed = table.text("title"), table.text("promise"), table.whole("seed", 0, 2**32 - 1, 0)
    table.take("data", "a table with the name of a data set", lambda v: isinstance(v, dict))
    data = _data(table.table("data"), folder)
    settings = _settings(table.table("settings"))
    beside = _settings(table.table("beside"), settings) if "beside" in table.values else None
    table.table("beside")
    view = View(**_view(table.table("view")))
    answers = _answers(table, beside is not None)
    steps = table.tables("steps")
    if len(steps) > MOST_STEPS:
        raise steps[MOST_STEPS].wrong((), f"is one too many: a scene has at most {MOST_STEPS} steps, got {len(steps)}")
    made = tuple(_step(step, settings, beside) for step in steps)
    effects = tuple(_effect(effect, len(made), beside is not None) for effect in table.tables("effects"))
    table.done()
    return Scene(name, title, promise, data, settings, beside, view, answers, made, effects, seed)


def _data(table: Table, folder: Path) -> dict[str, Any]:
    standardize = table.flag("standardize", False)
    more: dict[str, Any] = {"standardize": True} if standardize else {}
    if "file" in table.values:
        path = folder / table.text("file")
        if not path.exists():
            raise table.wrong(("file",), f"must be a file or a folder that is there, got {table.values['file']!r}")
        if "y" in table.values:
            more["y"] = table.text("y")
        table.take("y", "the column of the classes", lambda v: True, "")
        table.done()
        return {"file": str(path), **more}
    stored = [name for name, spec in list_real_datasets().items() if spec.bundled]
    name = table.one_of("name", (*list_datasets(), *stored))
    spec = list_datasets().get(name)
    parameters: dict[str, Any] = {}
    for parameter in () if spec is None else spec.parameters:
        value = table.take(parameter.name, parameter.description, lambda v: True, parameter.default)
        if parameter.name in table.values:
            try:
                parameters[parameter.name] = parameter.check(value)
            except ValueError as error:
                raise Wrong((*table.path, parameter.name), f"data.{error}") from error
    table.done()
    return {"name": name, **parameters, **more}


def _settings(table: Table, base: Mapping[str, Any] | None = None) -> dict[str, Any]:
    settings = Settings().changed(base or {})
    for key, value in table.values.items():
        try:
            settings = settings.changed({key: value})
        except (ValueError, TypeError) as error:
            raise Wrong((*table.path, key), f"{called(table.path)}: {error}") from error
    return dict(table.values)


def _view(table: Table) -> dict[str, Any]:
    view = {
        "map": table.one_of("map", MAPS, View.map),
        "truth": table.flag("truth", View.truth),
        "lecture": table.flag("lecture", View.lecture),
    }
    table.done()
    return {key: value for key, value in view.items() if key in table.values}


def _answers(table: Table, has_second: bool) -> tuple[Answering, ...]:
    return tuple(_answering(part, has_second) for part in table.tables("answers"))


def _answering(table: Table, has_second: bool) -> Answering:
    rows = tuple(
        _row(table, t, row)
        for t, row in enumerate(table.take("rows", "a list of rows", lambda v: isinstance(v, list), []))
    )
    n = table.whole("n", 1, _MOST_ANSWERS, 0)
    if bool(rows) == bool(n):
        raise table.wrong((), f"must have rows or n, got {'both' if n else 'neither'}")
    only = table.one_of("only", ("dnk", "yes-no"), "")
    questions = table.one_of("questions", list_strategies(), "random")
    if only and questions != "random":
        raise table.wrong(("only",), f"goes with random questions, got {questions} ones")
    wrong = table.whole("wrong", 0, n or len(rows), 0)

    def is_way(value: Any) -> bool:
        is_rate = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
        return is_rate or (isinstance(value, str) and value in WAYS_TO_ERR)

    errs = table.take("errs", f"a rate between 0 and 1 or one of {', '.join(WAYS_TO_ERR)}", is_way, 0.0)
    if errs and wrong:
        raise table.wrong(("errs",), f"and wrong exclude each other, got errs = {errs!r} and wrong = {wrong}")
    model = table.one_of("model", MODELS, "both")
    if model == "second" and not has_second:
        raise table.wrong(("model",), f"{_SECOND}, got none")
    made = Answering(rows, n, questions, only, table.text("by", "truth"), errs, wrong, model)
    table.done()
    return made


def _row(table: Table, t: int, row: Any) -> tuple[Any, ...]:
    numbers, answer = (row[:3], row[3:]) if isinstance(row, list) else ([], [])
    right = len(numbers) == 3 and all(is_whole(i, 0, 2**31) for i in numbers) and len(set(numbers)) == 3
    words = [member.name.lower() for member in Answer]
    if not right or len(answer) > 1 or not all(isinstance(word, str) and word in words for word in answer):
        raise table.wrong(
            ("rows", t), f"must be three different row numbers and possibly one of {', '.join(words)}, got {row!r}"
        )
    return *numbers, *answer


def _step(table: Table, settings: Mapping[str, Any], beside: Mapping[str, Any] | None) -> Step:
    if beside is None and "beside" in table.values:
        raise table.wrong(("beside",), f"{_SECOND}, got none")
    step = Step(
        table.text("text"),
        _settings(table.table("set"), settings),
        _settings(table.table("beside"), {**settings, **(beside or {})}),
        _view(table.table("view")),
        _answers(table, beside is not None),
        table.whole("plant", 1, _MOST_ANSWERS, 0),
        table.one_of("where", PLACES, Step.where),
    )
    table.done()
    return step


def _effect(table: Table, n_steps: int, has_second: bool) -> Effect:
    def is_number(value: Any) -> bool:
        return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 2

    def moment(key: str) -> Moment:
        places = ("opening", *(f"step {t + 1}" for t in range(n_steps)))
        if has_second:
            places += tuple(f"{place} beside" for place in places)
        found = _MOMENT.fullmatch(table.one_of(key, places))
        assert found is not None
        return Moment(int(found[1] or 0), second=bool(found[2]))

    made = Effect(
        table.text("words"),
        moment("better"),
        moment("worse"),
        float(table.take("by", "a number between 0 and 2", is_number, 0.1)),
    )
    table.done()
    return made


def _name(path: Path) -> str:
    return re.sub(r"^\d+-", "", path.stem)
