"""Session files, damaged in many ways."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np

from dcrc_explore.datasets import Dataset
from dcrc_explore.session import Session

STRANGE: list[Any] = [
    None,
    True,
    False,
    -1,
    0,
    1,
    2,
    1.5,
    1e300,
    -1e300,
    1e-320,
    2**31,
    2**63,
    2**64,
    10**400,
    "",
    "yes",
    "inf",
    "nan",
    "../../escaped",
    "/etc/passwd",
    "<img src=x onerror=alert(1)>",
    "x" * 20_000,
    "2030-13-45T99:99:99",
    [],
    {},
    [[]],
    [True, False, True],
    [0, 1],
    [1, 1],
    {
        "points": [0, 1],
        "answer": "yes",
        "time": "2030-01-01T12:00:00+00:00",
        "by": "Ann",
        "seconds": 1.5,
        "surprise": None,
    },
    {"file": "nowhere.json", "check": []},
]
RAW = ["1e999", "NaN", "-Infinity", "[" * 2_000, '"\\ud800"', "'", "\0", "null", "9" * 5_000]


def kept_files(folder: Path) -> list[str]:
    """Sessions of several kinds as their files are: generated and own data, with and without a list of changes.

    They hold answers about triplets and pairs by several people, planted errors, and names of clusters.
    """
    own = Dataset(np.random.default_rng(0).normal(size=(9, 2)), np.arange(9) % 3, "own data", class_names=tuple("abc"))
    texts = []
    for number, data in enumerate(["close", own]):
        parameters = {"n_per_cluster": 5} if isinstance(data, str) else None
        session = Session(data, parameters=parameters, autosave=folder / f"{number}.json")
        session.answer((0, 1, 2), "yes")
        assert session.model.quality
        texts.append(session.file.path.read_text())
        session.revise({0: "no"}, planted=True)  # in a copy from here on
        session.answer((3, 4, 5), "no", by="Ann")
        session.set(epsilon=0.0)
        session.answer((6, 7, 8), "yes")  # a hard model may be infinitely surprised
        session.undo()
        session.answer((6, 8, 7), "dnk")
        session.answer((0, 8), "no", by="Ann")
        session.answer((1, 8), "yes", by="Bob")
        session.delete(4)
        session.name_cluster(1, "left")
        texts.append(session.file.path.read_text())
        assert texts[-1].count('"shared"') > 4
        session.save(session.file.path)
        texts.append(session.file.path.read_text())
    return texts


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the way to everything that stands in a document."""
    found = [path] if path else []
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        found += places(child, (*path, key))
    return found


def damage(text: str, rng: random.Random) -> str:
    """Return a damaged copy of a session file: values changed, fields lost or doubled, bytes lost or flipped."""
    head, *lines = _parts(text)
    kind = rng.randrange(8)
    if kind < 4:  # some value becomes another one
        document = json.loads(head)
        path = rng.choice(places(document))
        target = document
        for key in path[:-1]:
            target = target[key]
        if kind == 3:
            mark = "@damaged@"
            target[path[-1]] = mark
            head = json.dumps(document).replace(json.dumps(mark), rng.choice(RAW))
        elif kind == 2 and isinstance(target, dict):
            if rng.random() < 0.5:
                del target[path[-1]]
            else:
                target[str(rng.choice(STRANGE))[:50]] = target[path[-1]]
            head = json.dumps(document)
        else:
            target[path[-1]] = rng.choice(STRANGE)
            head = json.dumps(document)
        return "\n".join([head, *lines]) + "\n"
    if kind == 4:  # a field twice
        document = json.loads(head)
        name = rng.choice(sorted(document))
        return "\n".join([f'{{"{name}": {json.dumps(rng.choice(STRANGE))}, {head.lstrip()[1:]}', *lines]) + "\n"
    if kind == 5:  # an end or a middle is missing
        begin, end = sorted(rng.sample(range(len(text)), 2))
        return text[:begin] if rng.random() < 0.5 else text[:begin] + text[end:]
    if kind == 6 and lines:  # changes that belong to another file, in another order, or not at all
        line = json.loads(lines[-1])
        line[rng.choice(sorted(line))] = rng.choice(STRANGE)
        rng.shuffle(lines)
        return "\n".join([head, *lines, json.dumps(line)]) + "\n"
    letters = list(text)
    for _ in range(rng.randrange(1, 6)):
        letters[rng.randrange(len(letters))] = chr(rng.randrange(1, 256))
    return "".join(letters)


def _parts(text: str) -> list[str]:
    end = json.JSONDecoder().raw_decode(text)[1]
    return [text[:end], *text[end:].strip().splitlines()]
