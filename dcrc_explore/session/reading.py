"""Session files as data: every field is checked before anything is made of it."""

from __future__ import annotations

import json
import re
import reprlib
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from math import inf, nan
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.constraints import MOST_ANSWERS, Log
from dcrc_explore.datasets import Dataset, items_from_json, list_datasets, make_dataset
from dcrc_explore.datasets.limits import check_size
from dcrc_explore.datasets.packed import is_packed, unpack
from dcrc_explore.model.softmax import Weights
from dcrc_explore.session.fit import Quality
from dcrc_explore.session.format import FORMAT, LARGEST, LARGEST_DATA, MOST_COMMAS, VERSION, Document, checksums
from dcrc_explore.session.saving import absolute
from dcrc_explore.session.state import SessionError, Settings, State, Subject, clear_errors, cluster_text
from dcrc_explore.storage import read_text, whole_lines
from dcrc_explore.words import writable

# Larger ones would overflow when squared.
_LARGEST_WEIGHT = 1e100
_LARGEST_COUNT = 10**9
# Bytes of the largest file that is looked into without being asked for: more than 100,000 answers take.
_LARGEST_OFFERED = 32 * 2**20
_FIELDS = ("format", "version", "size", "saved", "name", "settings", "names", "weights", "quality", "data", "log")
_CHANGE = ("saved", "shared", "names", "weights", "log")
_ENTRY = {"points", "answer", "time", "by", "seconds", "surprise"}
# How many points and features the data have stands at the beginning of a file, before anything is made of the rest.
_SIZE = re.compile(r'"size": \[(\d{1,18}), (\d{1,18})\]')
_HEAD = 500


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
                raise SessionError(f"version must be {VERSION}, got {reprlib.repr(version)}")
            return _document(fields, path)
        except ValueError as error:
            reason = str(error) if len(str(error)) < 500 else f"{str(error)[:500]} ..."
            raise SessionError(f"{path} cannot be used, it is damaged: {reason}. It was left untouched.") from error
    except _Foreign as error:
        raise SessionError(f"{path} is damaged or not a session of dcrc-explore. It was left untouched.") from error


def find_sessions(folder: str | PathLike[str] = ".") -> list[SavedSession]:
    """Return the sessions with answers that a folder holds, the latest first. Nothing is loaded or changed.

    Examples
    --------
    >>> import tempfile
    >>> from dcrc_explore.session import Session
    >>> folder = tempfile.mkdtemp()
    >>> _ = Session("far", autosave=folder).answer((0, 1, 149), "yes")
    >>> [(saved.path.name, saved.n_answers) for saved in find_sessions(folder)]
    [('far-answers.json', 1)]
    """
    found = []
    for path in absolute(folder).glob("*.json"):
        try:
            # Other JSON files may be large: only ours begin with the name of the format.
            _text(path.name, "the name of a file")
            if FORMAT in read_text(path, largest=_LARGEST_OFFERED, most=100):
                fields = _read(path, _LARGEST_OFFERED)
                n_answers = len(fields["log"])
                name, saved = (_text(fields[what], what) for what in ("name", "saved"))
                found.append(SavedSession(path, name, n_answers, saved))
        except (ValueError, _Foreign, KeyError, TypeError):
            continue
    return sorted((saved for saved in found if saved.n_answers), key=lambda saved: saved.saved, reverse=True)


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
    _keys(change, "a change", _CHANGE, ("settings", "quality"))
    log, quality = (_list(fields.get(name), name) for name in ("log", "quality"))
    del log[_whole(change.pop("shared"), "shared", 0, len(log)) :]
    log += _list(change.pop("log"), "log")
    quality += _list(change.pop("quality", []), "quality")
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
    _keys(fields, "the session", _FIELDS)
    _time(fields["saved"], "saved")
    _text(fields["name"], "name")
    settings = _settings(fields["settings"])
    subject, file = _subject(fields["data"], path)
    _check_shape(fields["size"], subject.dataset.X.shape)
    weights = _weights(fields["weights"])
    quality = _quality(fields["quality"], subject)
    log = _log(fields["log"], len(subject.dataset.X))
    names = tuple(cluster_text(_text(name, "a cluster's name")) for name in _list(fields["names"], "names"))
    return Document(State(subject, settings, log, weights, names), quality, file)


def _check_shape(size: Any, shape: tuple[int, ...]) -> None:
    if size != list(shape):
        raise ValueError(f"size must be that of the data, {list(shape)}, got {reprlib.repr(size)}")


def _settings(fields: Any) -> Settings:
    _keys(fields, "settings", Settings.names())
    for name, value in fields.items():
        # 0, 1 and false are equal in Python.
        if isinstance(value, bool) is not isinstance(getattr(_DEFAULTS, name), bool):
            raise ValueError(f"the setting {name} must not be {value!r}")
    return Settings(**fields)


_DEFAULTS = Settings()


def _log(rows: Any, n_points: int) -> Log:
    if len(_list(rows, "log")) > MOST_ANSWERS:
        raise ValueError(f"a session may have at most {MOST_ANSWERS} answers, got {len(rows)}")
    points, answers, times, by, seconds, surprise, planted = [], [], [], [], [], [], []
    for row in rows:
        if type(row) is not dict or row.keys() != _ENTRY:
            _keys(row, "an answer", _ENTRY, ("planted",))
        question = row["points"]
        if type(question) is not list or len(question) not in (2, 3):
            raise ValueError(f"an answer must be about three row numbers or two, got {reprlib.repr(question)}")
        points.append([_whole(i, "row numbers of a question", 0, n_points - 1) for i in question])
        answers.append(_text(row["answer"], "an answer"))
        times.append(_time(row["time"], "the time of an answer"))
        by.append(_text(row["by"], "the giver of an answer"))
        seconds.append(_bits(row["seconds"], "seconds"))
        surprise.append(_bits(row["surprise"], "surprise"))
        planted.append(_flag(row.get("planted", False), "planted"))
    options: dict[str, Any] = {"seconds": seconds, "surprise": surprise, "planted": planted, "n_samples": n_points}
    return Log().plus(points, answers, time=times, by=by, **options)


def _bits(value: Any, what: str) -> float:
    return nan if value is None else inf if value == "inf" else _number(value, what, 0, 1e9)


def _quality(rows: Any, subject: Subject) -> list[Quality]:
    known = []
    for row in _list(rows, "quality"):
        if len(_list(row, "a quality")) != 5 or subject.dataset.y is None:
            raise ValueError(f"a quality must be a number of answers and four measures, got {reprlib.repr(row)}")
        n = _whole(row[0], "the number of answers of a quality", 0, _LARGEST_COUNT)
        known.append(Quality(n, *(_number(value, "a measure of quality", -1.000001, 1.000001) for value in row[1:])))
    return known


def _weights(fields: Any) -> Weights | None:
    if fields is None:
        return None
    _keys(fields, "weights", ("coef", "intercept"))
    coef, intercept = _table(fields["coef"], "weights"), _table([fields["intercept"]], "weights")[0]
    if len(coef) != len(intercept):
        raise ValueError(f"weights must have shapes (K, d) and (K,), got {coef.shape} and {intercept.shape}")
    largest = max(np.abs(coef).max(), np.abs(intercept).max())
    if largest > _LARGEST_WEIGHT:
        raise ValueError(f"weights must be at most {_LARGEST_WEIGHT:g}, got {largest:g}")
    return Weights(coef, intercept)


def _subject(fields: Any, path: Path) -> tuple[Subject, str | None]:
    """Return the data, and the name of the file that holds them, if it is another one."""
    _keys(fields, "data", (), ("generator", "parameters", "file", "check", "sums", *_OWN))
    file = _text(fields["file"], "the data's file") if "file" in fields else None
    if file is not None:
        _keys(fields, "data", ("file", "check", "sums"))
        if Path(file).name != file:
            raise ValueError(f"the data's file must be in the same folder, got {reprlib.repr(file)}")
        try:
            subject = _own(_read(path.with_name(file), LARGEST_DATA))
        except _Foreign as error:
            raise ValueError(f"{path.with_name(file)}, which holds the data, is damaged") from error
        source = file
    elif "generator" in fields:
        _keys(fields, "data", ("generator", "parameters", "check", "sums"))
        source = f"the generator {fields['generator']!r} of this version"
        if type(fields["generator"]) is not str or fields["generator"] not in list_datasets():
            raise ValueError(f"there is no generator {reprlib.repr(fields['generator'])}")
        parameters = _keys(fields["parameters"], "parameters", (), list_datasets()[fields["generator"]].defaults())
        subject = Subject(make_dataset(fields["generator"], **parameters))
    else:
        return _own(fields), None
    found = [subject.dataset.X[[0, -1]], checksums(subject)[None]]
    expected = [_table(fields["check"], "check"), _table([fields["sums"]], "sums")]
    if not all(a.shape == b.shape and np.allclose(a, b, rtol=1e-6) for a, b in zip(found, expected, strict=True)):
        raise ValueError(f"the answers were given for other points than those of {source}")
    return subject, file


_OWN = ("size", "name", "feature_names", "class_names", "y", "X", "description", "items", "features")


def _own(fields: Any) -> Subject:
    _keys(fields, "data", _OWN)
    X = _table(fields["X"], "X")
    _check_shape(fields["size"], X.shape)
    check_size(len(X), X.size, "the data")
    features, classes = ([_text(name, key) for name in _list(fields[key], key)] for key in _OWN[2:4])
    if len(X) < 2 or len(features) != X.shape[1]:
        raise ValueError(f"X must have at least two rows and a name for each column, got shape {X.shape}")
    y = fields["y"]
    if y is not None:
        y = _classes(y, len(classes) - 1)
        if len(y) != len(X):
            raise ValueError(f"y must have one of the classes for each point, got {len(y)} for {len(X)} points")
    name = _text(fields["name"], "the data's name")
    description = _text(fields["description"], "the data's description")
    items, made = items_from_json(fields["items"]), _text(fields["features"], "the features' name")
    return Subject(Dataset(X, y, name, {}, tuple(features), tuple(classes), description, items, made))


def _classes(values: Any, last: int) -> NDArray[np.int64]:
    if not is_packed(values):
        return np.array([_whole(value, "classes in y", 0, last) for value in _list(values, "y")], dtype=np.int64)
    y = unpack(values, "int64", 1)
    _whole(int(y.min()), "classes in y", 0, last)
    _whole(int(y.max()), "classes in y", 0, last)
    return y


# What a value may be -----------------------------------------------------------------------------------------------


def _keys(value: Any, what: str, needed: Iterable[str], possible: Iterable[str] = ()) -> dict[str, Any]:
    if type(value) is not dict:
        raise ValueError(f"{what} must be an object, got {reprlib.repr(value)}")
    missing, unknown = set(needed) - set(value), set(value) - set(needed) - set(possible)
    if missing:
        raise ValueError(f"{what} must have {sorted(missing)[0]!r}")
    if unknown:
        raise ValueError(f"{what} has the unknown field {reprlib.repr(sorted(unknown)[0])}")
    return value


def _list(value: Any, what: str) -> list[Any]:
    if type(value) is not list:
        raise ValueError(f"{what} must be a list, got {reprlib.repr(value)}")
    return value


def _text(value: Any, what: str) -> str:
    if type(value) is not str or len(value) > 10_000:
        raise ValueError(f"{what} must be a text of moderate length, got {reprlib.repr(value)}")
    if writable(value) != value:
        raise ValueError(f"{what} must be whole characters, got {ascii(value)[:80]}")
    return value


def _time(value: Any, what: str) -> str:
    try:
        datetime.fromisoformat(_text(value, what))
    except ValueError:
        raise ValueError(f"{what} must be a time in ISO 8601, got {reprlib.repr(value)}") from None
    return value


def _whole(value: Any, what: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{what} must be between {low} and {high}, whole numbers, got {reprlib.repr(value)}")
    return value


def _flag(value: Any, what: str) -> bool:
    if type(value) is not bool:
        raise ValueError(f"{what} must be true or false, got {reprlib.repr(value)}")
    return value


def _number(value: Any, what: str, low: float, high: float) -> float:
    if type(value) not in (int, float) or not low <= value <= high:
        raise ValueError(f"{what} must be a number between {low:g} and {high:g}, got {reprlib.repr(value)}")
    return float(value)


def _table(rows: Any, what: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Turn a list of equally long, non-empty lists of finite numbers, or their bytes, into an array."""
    if is_packed(rows):
        return unpack(rows, "float64", 2)
    limit = sys.float_info.max
    table = [[_number(value, what, -limit, limit) for value in _list(row, what)] for row in _list(rows, what)]
    if not table or not table[0] or len({len(row) for row in table}) > 1:
        raise ValueError(f"{what} must be a table of numbers, got {reprlib.repr(rows)}")
    return np.array(table)
