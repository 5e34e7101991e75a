"""Sessions as text, written and read: versioned JSON, and a line for each change since it was written as a whole.

Later versions read these files. A setting that a file does not have takes its default; one that this version does not
know is reported, and stays in the file. Any other change of the fields gets a new `VERSION`, whose reader also reads
the versions before it; `tests/sessions` has a file of each. A file of a newer version is refused, and left untouched.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from math import inf, isfinite, isinf, isnan, nan
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import MOST_ANSWERS, Answer, Log
from dcrc_explore.constraints.log import now
from dcrc_explore.datasets import (
    Dataset,
    Drawing,
    columns_from_json,
    columns_to_json,
    items_from_json,
    items_to_json,
    list_datasets,
    make_dataset,
)
from dcrc_explore.datasets.limits import check_size
from dcrc_explore.datasets.packed import as_places, as_table, pack
from dcrc_explore.model.softmax import Weights
from dcrc_explore.session.fit import Quality
from dcrc_explore.session.state import SessionError, Settings, State, Subject, clear_errors, cluster_text
from dcrc_explore.settings import MOST_CLUSTERS
from dcrc_explore.storage import read_text, whole_lines
from dcrc_explore.values import FLAG, LIST, TIME, checked_fields, number, shown, text, whole

FORMAT = "dcrc-explore session"
VERSION = 2
# Bytes of a session file, and of one that holds a user's own data.
LARGEST, LARGEST_DATA = 128 * 2**20, 512 * 2**20
# Commas in it: as many values at most are made when it is read, because large arrays are written as one value.
MOST_COMMAS = 10_000_000

# Larger ones would overflow when squared.
_LARGEST_WEIGHT = 1e100
_LARGEST_COUNT = 10**9
# Bytes of the largest file that is looked into without being asked for: more than 100,000 answers take.
_LARGEST_OFFERED = 32 * 2**20
_TEXT, _COUNT, _BITS = text(10_000), whole(0, _LARGEST_COUNT), number(0, 1e9)
_MEASURE = number(-1.000001, 1.000001)
_FIELDS = ("format", "version", "size", "saved", "name", "settings", "names", "weights", "quality", "data", "log")
_CHANGE = ("saved", "shared", "names", "weights", "log")
_ENTRY = {"points", "answer", "time", "by", "seconds", "surprise"}
# How many points and features the data have stands at the beginning of a file, before anything is made of the rest.
_SIZE = re.compile(r'"size": \[(\d{1,18}), (\d{1,18})\]')
_HEAD = 500

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
        "weights": _plain_weights(state.weights),
        "quality": _latest(document.quality),
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
        "weights": _plain_weights(state.weights),
    }
    if state.settings != settings:
        fields["settings"] = {**document.unknown, **asdict(state.settings)}
    if measures := _latest(quality):
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


def _plain_weights(weights: Weights | None) -> dict[str, Any] | None:
    if weights is None or not np.isfinite(weights.coef).all() or not np.isfinite(weights.intercept).all():
        return None
    return {"coef": weights.coef.tolist(), "intercept": weights.intercept.tolist()}


def _latest(quality: Iterable[Quality]) -> list[Quality]:
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


# Reading: every field is checked before anything is made of it -----------------------------------------------------


@dataclass(frozen=True)
class SavedSession:
    """A session file that can be continued; `saved` is a time in ISO 8601, UTC."""

    path: Path
    name: str
    n_answers: int
    saved: str


def load(path: Path) -> Document:
    """Read a session; SessionError, which says what is wrong, when the file cannot be used."""
    try:
        fields = _read(path)
        if fields.get("format") != FORMAT:
            raise _Foreign
        version = fields.get("version")
        if version == 1:
            raise SessionError(
                f"{path} was written by a version of dcrc-explore before the first release, whose files are not read "
                "any more. It was left untouched."
            )
        if type(version) is int and version > VERSION:
            raise SessionError(
                f"{path} was written by a newer version of dcrc-explore (its format is {version}, this version reads "
                f"up to {VERSION}): update dcrc-explore. The file was left untouched."
            )
        try:
            if type(version) is not int or version != VERSION:
                raise SessionError(f"version must be {VERSION}, got {shown(version)}")
            return _document(fields, path)
        except ValueError as error:
            reason = str(error) if len(str(error)) < 500 else f"{str(error)[:500]} ..."
            raise SessionError(f"{path} cannot be used, it is damaged: {reason}. It was left untouched.") from error
    except _Foreign as error:
        raise SessionError(f"{path} is damaged or not a session of dcrc-explore. It was left untouched.") from error


def saved_session(path: Path) -> tuple[bool, SavedSession] | None:
    """Return what a file holds, if it is a session with answers or drawn points, and whether errors are planted.

    Nothing is loaded.
    """
    try:
        _TEXT.checked(path.name, "the name of a file")
        # Other JSON files may be large: only ours begin with the name of the format.
        if FORMAT not in read_text(path, largest=_LARGEST_OFFERED, most=100):
            return None
        fields = _read(path, _LARGEST_OFFERED)
        log = fields["log"]
        name, saved = (_TEXT.checked(fields[what], what) for what in ("name", "saved"))
        planted = any("planted" in row for row in log)
        return (planted, SavedSession(path, name, len(log), saved)) if log or "drawing" in fields["data"] else None
    except (ValueError, _Foreign, KeyError, TypeError):
        return None


# JSON --------------------------------------------------------------------------------------------------------------


class _Foreign(Exception):
    """What was read is not JSON, or not of a session."""


def _read(path: Path, largest: int = LARGEST) -> dict[str, Any]:
    """Return the fields of a file, with all changes that follow them."""
    try:
        with clear_errors():
            text = _text_of(path, largest)
        begin = len(text) - len(text.lstrip())
        fields, end = _DECODER.raw_decode(text, begin)
        if type(fields) is not dict:
            raise _Foreign
        # What a kill or a power cut left of a line was never acknowledged.
        for line in whole_lines(text[end:].removeprefix("\n")):
            _change(fields, _DECODER.decode(line))
    except SessionError:
        raise
    except (ValueError, RecursionError) as error:
        raise _Foreign from error
    except MemoryError as error:
        raise SessionError(f"{path} cannot be read: there is not enough memory for it") from error
    return fields


def _text_of(path: Path, largest: int) -> str:
    """Return the text of a file of which not more is to be expected than a session may have."""
    size = _SIZE.search(read_text(path, largest=largest, most=_HEAD))
    if size is not None:
        check_size(int(size[1]), int(size[1]) * int(size[2]), f"{path} cannot be read: the data of a session")
    try:
        text = read_text(path, largest=largest)
    except UnicodeDecodeError as error:
        raise _Foreign from error
    if text.count(",") > MOST_COMMAS:
        raise SessionError(f"{path} cannot be read: it has more values than a session may have")
    return text


def _change(fields: dict[str, Any], change: Any) -> None:
    """Make of the fields what a change made of them."""
    checked_fields(change, "a change", _CHANGE, ("settings", "quality"))
    log, quality = (LIST.checked(fields.get(name), name) for name in ("log", "quality"))
    del log[whole(0, len(log)).checked(change.pop("shared"), "shared") :]
    log += LIST.checked(change.pop("log"), "log")
    quality += LIST.checked(change.pop("quality", []), "quality")
    fields.update(change)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a name stands twice in an object")
    return fields


def _reject(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_reject)


# The schema --------------------------------------------------------------------------------------------------------


def _document(fields: dict[str, Any], path: Path) -> Document:
    checked_fields(fields, "the session", _FIELDS)
    TIME.checked(fields["saved"], "saved")
    _TEXT.checked(fields["name"], "name")
    settings, unknown = _settings(fields["settings"])
    subject, file = _subject(fields["data"], path)
    _check_shape(fields["size"], subject.dataset.X.shape)
    weights = _weights(fields["weights"])
    quality = _quality(fields["quality"], subject)
    log = _log(fields["log"], len(subject.dataset.X))
    names = tuple(
        cluster_text(_TEXT.checked(name, "a cluster's name")) for name in LIST.checked(fields["names"], "names")
    )
    return Document(State(subject, settings, log, weights, names), quality, file, unknown)


def _check_shape(size: Any, shape: tuple[int, ...]) -> None:
    if size != list(shape):
        raise ValueError(f"size must be that of the data, {list(shape)}, got {shown(size)}")


def _settings(fields: Any) -> tuple[Settings, dict[str, Any]]:
    """Return the settings, those that are missing with their defaults, and what this version does not know."""
    known = Settings.names()
    checked_fields(fields, "settings", (), (*known, *fields) if type(fields) is dict else ())
    for name in fields.keys() & set(known):
        # 0, 1 and false are equal in Python.
        if isinstance(fields[name], bool) is not isinstance(getattr(_DEFAULTS, name), bool):
            raise ValueError(f"the setting {name} must not be {fields[name]!r}")
    settings = Settings(**{name: value for name, value in fields.items() if name in known})
    return settings, {name: value for name, value in fields.items() if name not in known}


_DEFAULTS = Settings()


def _log(rows: Any, n_points: int) -> Log:
    if len(LIST.checked(rows, "log")) > MOST_ANSWERS:
        raise ValueError(f"a session may have at most {MOST_ANSWERS} answers, got {len(rows)}")
    points, answers, times, by, seconds, surprise, planted = [], [], [], [], [], [], []
    place = whole(0, n_points - 1)
    for row in rows:
        if type(row) is not dict or row.keys() != _ENTRY:
            checked_fields(row, "an answer", _ENTRY, ("planted",))
        question = row["points"]
        if type(question) is not list or len(question) not in (2, 3):
            raise ValueError(f"an answer must be about three row numbers or two, got {shown(question)}")
        points.append([place.checked(i, "a row number of a question") for i in question])
        answers.append(_TEXT.checked(row["answer"], "an answer"))
        times.append(TIME.checked(row["time"], "the time of an answer"))
        by.append(_TEXT.checked(row["by"], "the giver of an answer"))
        seconds.append(_bits(row["seconds"], "seconds"))
        surprise.append(_bits(row["surprise"], "surprise"))
        planted.append(FLAG.checked(row.get("planted", False), "planted"))
    options: dict[str, Any] = {"seconds": seconds, "surprise": surprise, "planted": planted, "n_samples": n_points}
    return Log().plus(points, answers, time=times, by=by, **options)


def _bits(value: Any, what: str) -> float:
    return nan if value is None else inf if value == "inf" else _BITS.checked(value, what)


def _quality(rows: Any, subject: Subject) -> list[Quality]:
    known = []
    for row in LIST.checked(rows, "quality"):
        if len(LIST.checked(row, "a quality")) != 5 or subject.dataset.y is None:
            raise ValueError(f"a quality must be a number of answers and four measures, got {shown(row)}")
        n = _COUNT.checked(row[0], "the number of answers of a quality")
        known.append(Quality(n, *(_MEASURE.checked(value, "a measure of quality") for value in row[1:])))
    return known


def _weights(fields: Any) -> Weights | None:
    if fields is None:
        return None
    checked_fields(fields, "weights", ("coef", "intercept"))
    coef, intercept = as_table(fields["coef"], "weights"), as_table([fields["intercept"]], "weights")[0]
    if len(coef) != len(intercept):
        raise ValueError(f"weights must have shapes (K, d) and (K,), got {coef.shape} and {intercept.shape}")
    largest = max(np.abs(coef).max(), np.abs(intercept).max())
    if largest > _LARGEST_WEIGHT:
        raise ValueError(f"weights must be at most {_LARGEST_WEIGHT:g}, got {largest:g}")
    return Weights(coef, intercept)


def _subject(fields: Any, path: Path) -> tuple[Subject, str | None]:
    """Return the data, and the name of the file that holds them, if it is another one."""
    checked_fields(fields, "data", (), ("generator", "parameters", "file", "check", "sums", *_OWN, *_OWN_AT_TIMES))
    file = _TEXT.checked(fields["file"], "the data's file") if "file" in fields else None
    if file is not None:
        checked_fields(fields, "data", ("file", "check", "sums"))
        if Path(file).name != file:
            raise ValueError(f"the data's file must be in the same folder, got {shown(file)}")
        try:
            subject = _own(_read(path.with_name(file), LARGEST_DATA))
        except _Foreign as error:
            raise ValueError(f"{path.with_name(file)}, which holds the data, is damaged") from error
        source = file
    elif "generator" in fields:
        checked_fields(fields, "data", ("generator", "parameters", "check", "sums"))
        source = f"the generator {fields['generator']!r} of this version"
        if type(fields["generator"]) is not str or fields["generator"] not in list_datasets():
            raise ValueError(f"there is no generator {shown(fields['generator'])}")
        parameters = checked_fields(
            fields["parameters"], "parameters", (), list_datasets()[fields["generator"]].defaults()
        )
        subject = Subject(make_dataset(fields["generator"], **parameters))
    else:
        return _own(fields), None
    found = [subject.dataset.X[[0, -1]], checksums(subject)[None]]
    expected = [as_table(fields["check"], "check"), as_table([fields["sums"]], "sums")]
    if not all(a.shape == b.shape and np.allclose(a, b, rtol=1e-6) for a, b in zip(found, expected, strict=True)):
        raise ValueError(f"the answers were given for other points than those of {source}")
    return subject, file


_OWN = ("size", "name", "feature_names", "class_names", "y", "X", "description", "items", "features")
_OWN_AT_TIMES = ("rows", "columns", "drawing")  # of a file with rows or columns left out, and of points drawn by hand


def _own(fields: Any) -> Subject:
    checked_fields(fields, "data", _OWN, _OWN_AT_TIMES)
    X = as_table(fields["X"], "X")
    _check_shape(fields["size"], X.shape)
    check_size(len(X), X.size, "the data")
    if "drawing" in fields:
        return _drawn(X, fields["drawing"])
    features, classes = ([_TEXT.checked(name, key) for name in LIST.checked(fields[key], key)] for key in _OWN[2:4])
    if len(X) < 2 or len(features) != X.shape[1]:
        raise ValueError(f"X must have at least two rows and a name for each column, got shape {X.shape}")
    y = fields["y"]
    if y is not None:
        y = as_places(y, "classes in y", len(classes) - 1)
        if len(y) != len(X):
            raise ValueError(f"y must have one of the classes for each point, got {len(y)} for {len(X)} points")
    name = _TEXT.checked(fields["name"], "the data's name")
    description = _TEXT.checked(fields["description"], "the data's description")
    items, made = items_from_json(fields["items"]), _TEXT.checked(fields["features"], "the features' name")
    rows = as_places(fields["rows"], "rows of the file", _LARGEST_COUNT) if "rows" in fields else None
    others = columns_from_json(fields.get("columns", {}))
    return Subject(Dataset(X, y, name, {}, tuple(features), tuple(classes), description, items, made, rows, others))


def _drawn(X: FloatArray, fields: Any) -> Subject:
    checked_fields(fields, "a drawing", ("classes", "frame", "is_truth"))
    classes = as_places(fields["classes"], "classes of drawn points", MOST_CLUSTERS)
    edge = number(-1e100, 1e100)
    frame = [edge.checked(each, "the frame of a drawing") for each in LIST.checked(fields["frame"], "frame")]
    if len(frame) != 4 or not (frame[0] < frame[1] and frame[2] < frame[3]):
        raise ValueError(f"the frame of a drawing must be left, right, bottom and top, got {frame}")
    if X.shape != (len(classes), 2) or len(X) < 2:
        raise ValueError(f"drawn points must have two coordinates and a class each, got {X.shape} for {len(classes)}")
    is_truth = FLAG.checked(fields["is_truth"], "is_truth")
    return Subject(Drawing(classes, (frame[0], frame[1], frame[2], frame[3]), is_truth).dataset(X))
