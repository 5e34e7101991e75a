"""Scenes as text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from dcrc_explore.scenes.reading import read_scene
from dcrc_explore.scenes.scene import Moment, Scene, SceneAnswers, SceneStep, SceneView
from dcrc_explore.words import writable


def scene_text(scene: Scene, *, check: bool = True) -> str:
    """Return the text of a scene, which :func:`~dcrc_explore.scenes.load_scene` reads when it is saved as .toml.

    Unless the file of its data is not there yet, the text is checked by reading it back.

    Examples
    --------
    >>> scene = Scene("mine", "My clusters", "Two answers are enough.", {"name": "moons", "seed": 3},
    ...               settings={"kernel": "rbf"}, answers=(SceneAnswers(rows=((0, 1, 2, "yes"), (4, 8, 6, "dnk"))),))
    >>> print(scene_text(scene))
    title = "My clusters"
    promise = "Two answers are enough."
    <BLANKLINE>
    [data]
    name = "moons"
    seed = 3
    <BLANKLINE>
    [settings]
    kernel = "rbf"
    <BLANKLINE>
    [[answers]]
    rows = [[0, 1, 2, "yes"], [4, 8, 6, "dnk"]]
    <BLANKLINE>
    """
    text = _text(scene)
    if check:
        read_scene(text)
    return text


def _text(scene: Scene) -> str:
    head = {"title": scene.title, "promise": scene.promise} | ({"seed": scene.seed} if scene.seed else {})
    tables = {"data": scene.data, "settings": scene.settings or None, "beside": scene.beside}
    tables["view"] = _changed(scene.view, SceneView()) or None
    lists = {
        "answers": [_changed(part, SceneAnswers()) for part in scene.answers],
        "steps": [_changed(step, SceneStep("")) for step in scene.steps],
        "effects": [{name: value for name, value in vars(each).items() if value is not None} for each in scene.effects],
    }
    parts = [f"[{name}]\n{_lines(values)}" for name, values in tables.items() if values is not None]
    parts += [f"[[{name}]]\n{_lines(values)}" for name, rows in lists.items() for values in rows]
    return "\n".join([_lines(head), *parts])


def _changed(part: Any, usual: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(part).items() if value != getattr(usual, name)}


def _lines(values: Mapping[str, Any]) -> str:
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in values.items())


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, SceneAnswers):
        return _value(_changed(value, SceneAnswers()))
    if isinstance(value, str | Moment):
        value = str(value)
        return json.dumps(writable(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_value(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return repr(value)
