"""Sessions as text: versioned JSON, followed by a line for each change since it was written as a whole.

Later versions read these files. A setting that a file does not have takes its default; one that this version does not
know is reported, and stays in the file. Any other change of the fields gets a new `VERSION`, whose reader also reads
the versions before it; `tests/sessions` has a file of each. A file of a newer version is refused, and left untouched.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from math import isfinite, isinf, isnan
from typing import Any

import numpy as np

from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import Answer, Log
from dcrc_explore.constraints.log import now
from dcrc_explore.datasets import columns_to_json, items_to_json
from dcrc_explore.datasets.packed import pack
from dcrc_explore.model.softmax import Weights
from dcrc_explore.session.fit import Quality
from dcrc_explore.session.state import Settings, State, Subject

FORMAT = "dcrc-explore session"
VERSION = 2
# Bytes of a session file, and of one that holds a user's own data.
LARGEST, LARGEST_DATA = 128 * 2**20, 512 * 2**20
# Commas in it: as many values at most are made when it is read, because large arrays are written as one value.
MOST_COMMAS = 10_000_000

_PLANTED = '"planted": true'
_NAMES = {int(answer): answer.name.lower() for answer in Answer}


@dataclass
class Document:
    """What a session file holds: a state, the quality that its fits had, and where large data lie."""

    state: State
    quality: list[Quality] = field(default_factory=list)  # of two with as many answers the later one counts
    data_file: str | None = None
    unknown: dict[str, Any] = field(default_factory=dict)  # settings of another version of the program


def encode(document: Document, data: str) -> str:
    """Return a session as JSON; `data` is the JSON of :func:`encode_data` or :func:`encode_reference`."""
    state = document.state
    fields = {
        "format": FORMAT,
        "version": VERSION,
        "size": state.subject.dataset.X.shape,
        "saved": now(),
        "name": state.subject.dataset.name,
        "settings": {**document.unknown, **asdict(state.settings)},
        "names": state.names,
        "weights": _weights(state.weights),
        "quality": _quality(document.quality),
    }
    head = [f"{_dumps(name)}: {_dumps(value)}" for name, value in fields.items()]
    log = ",\n".join(_entries(state.log, 0))
    parts = [*head, f'"data": {data}', f'"log": [\n{log}\n]']
    return "{\n" + ",\n".join(parts) + "\n}\n"


def encode_change(document: Document, log: Log, settings: Settings, quality: Iterable[Quality]) -> str:
    """Return what a session has become, as a line to append.

    Parameters
    ----------
    document : Document
    log, settings
        As the file has them.
    quality : iterable of Quality
        What the file does not have.
    """
    state = document.state
    shared = state.log.shared(log)
    fields: dict[str, Any] = {
        "saved": now(),
        "shared": shared,
        "names": state.names,
        "weights": _weights(state.weights),
    }
    if state.settings != settings:
        fields["settings"] = {**document.unknown, **asdict(state.settings)}
    if measures := _quality(quality):
        fields["quality"] = measures
    return f'{_dumps(fields)[:-1]}, "log": [{", ".join(_entries(state.log, shared))}]}}\n'


def _dumps(value: Any) -> str:
    return json.dumps(value, allow_nan=False)


def _entries(log: Log, first: int) -> list[str]:
    rows = zip(
        log.points[first:].tolist(),
        log.answers[first:].tolist(),
        log.times[first:],
        log.by[first:],
        log.seconds[first:].tolist(),
        log.surprise[first:].tolist(),
        log.planted[first:].tolist(),
        strict=True,
    )
    return [
        f'{{"points": {points if points[2] >= 0 else points[:2]}, "answer": "{_NAMES[answer]}", '
        f'"time": {_dumps(time)}, "by": {_dumps(by)}, "seconds": {_number(seconds)}, "surprise": {_number(surprise)}'
        f"{', ' + _PLANTED if planted else ''}}}"
        for points, answer, time, by, seconds, surprise, planted in rows
    ]


def _number(value: float) -> str:
    # JSON knows no infinity.
    return "null" if isnan(value) else '"inf"' if isinf(value) else repr(value)


def _weights(weights: Weights | None) -> dict[str, Any] | None:
    if weights is None or not np.isfinite(weights.coef).all() or not np.isfinite(weights.intercept).all():
        return None
    return {"coef": weights.coef.tolist(), "intercept": weights.intercept.tolist()}


def _quality(quality: Iterable[Quality]) -> list[Quality]:
    latest = {measures.n_answers: measures for measures in quality if all(map(isfinite, measures))}
    return sorted(latest.values())


def encode_data(subject: Subject) -> str:
    """Return data as JSON: a generator with its parameters, or the points themselves."""
    data = subject.dataset
    if subject.is_generated:
        parameters = {name: np.asarray(value).item() for name, value in data.parameters.items()}
        return _dumps({"generator": data.name, "parameters": parameters, **_checks(subject)})
    fields: dict[str, Any] = {
        "size": data.X.shape,
        "name": data.name,
        "feature_names": data.feature_names,
        "class_names": data.class_names,
        "y": None if data.y is None else pack(data.y),
        "X": pack(data.X),
        "description": data.description,
        "items": items_to_json(data.items),
        "features": data.features,
    }
    if data.skips_rows:
        fields["rows"] = pack(data.rows)
    if data.other_columns:
        fields["columns"] = columns_to_json(data.other_columns)
    if data.drawing is not None:
        drawing = data.drawing
        fields["drawing"] = {"classes": pack(drawing.classes), "frame": drawing.frame, "is_truth": drawing.is_truth}
    return _dumps(fields)


def encode_reference(subject: Subject, file: str) -> str:
    """Return JSON that refers to data which another file holds."""
    return _dumps({"file": file, **_checks(subject)})


def _checks(subject: Subject) -> dict[str, Any]:
    return {"check": subject.dataset.X[[0, -1]].tolist(), "sums": checksums(subject).tolist()}


def checksums(subject: Subject) -> FloatArray:
    """Return sums over all points, each with a weight of its own: of every feature, and of the classes.

    They tell whether data that is stored elsewhere is still the same. They are not exact, because the same generator
    may differ in the last digit on another machine.
    """
    X, y = subject.dataset.X, subject.dataset.y
    points = X / (np.abs(X).max() or 1.0)
    return np.cos(np.arange(len(X))) @ (points if y is None else np.column_stack([points, y]))
