"""Sessions on disk: versioned JSON, written atomically, read as data only."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import lru_cache
from math import inf
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from dcrc_explore.constraints import Answer
from dcrc_explore.datasets import Dataset, make_dataset
from dcrc_explore.model.softmax import Weights
from dcrc_explore.session.files import replace_file
from dcrc_explore.session.records import GivenAnswer, Quality, SessionError, Settings
from dcrc_explore.session.state import Document, State
from dcrc_explore.session.subject import Subject

FORMAT = "dcrc-explore session"
VERSION = 1


@dataclass(frozen=True)
class SavedSession:
    """A session file that one can go on with; `saved` is a time in ISO 8601, UTC."""

    path: Path
    name: str
    n_answers: int
    saved: str


def now() -> str:
    """Time in ISO 8601, UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def session_file(name: str | os.PathLike[str]) -> Path:
    """Return the path that a user means.

    Examples
    --------
    >>> session_file("answers").name
    'answers.json'
    """
    path = Path(name).expanduser()
    if not path.name:
        raise SessionError("give a file name, such as answers.json")
    return path if path.suffix else path.with_name(f"{path.name}.json")


# Writing -----------------------------------------------------------------------------------------------------------


def encode(document: Document, data: str) -> str:
    """Return a session as JSON; `data` is the JSON of :func:`encode_data` or :func:`encode_reference`."""
    state = document.state
    weights = state.weights
    fields = {
        "format": FORMAT,
        "version": VERSION,
        "saved": now(),
        "name": state.subject.dataset.name,
        "settings": asdict(state.settings),
        "weights": weights and {"coef": weights.coef.tolist(), "intercept": weights.intercept.tolist()},
        "quality": document.quality,
    }
    head = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in fields.items()]
    answers = ",\n".join(map(_encode_answer, state.answers))
    return "{\n" + ",\n".join([*head, f'"data": {data}', f'"answers": [\n{answers}\n]']) + "\n}\n"


@lru_cache(maxsize=100_000)
def _encode_answer(given: GivenAnswer) -> str:
    return json.dumps(
        {
            "triplet": given.triplet,
            "answer": given.answer.name.lower(),
            "time": given.time,
            "by": given.by,
            # JSON knows no infinity.
            "surprise": str(given.surprise) if given.surprise == inf else given.surprise,
        }
    )


def encode_data(subject: Subject) -> str:
    """Return data as JSON: a generator with its parameters, or the points themselves."""
    data = subject.dataset
    if subject.is_generated:
        parameters = {name: np.asarray(value).item() for name, value in data.parameters.items()}
        return json.dumps({"generator": data.name, "parameters": parameters, "check": _check(subject)})
    return json.dumps(
        {
            "name": data.name,
            "feature_names": data.feature_names,
            "class_names": data.class_names,
            "y": None if data.y is None else data.y.tolist(),
            "X": data.X.tolist(),
        }
    )


def encode_reference(subject: Subject, file: str) -> str:
    """Return JSON that refers to data which another file holds."""
    return json.dumps({"file": file, "check": _check(subject)})


def _check(subject: Subject) -> list[list[float]]:
    """First and last point: enough to notice that data which is stored elsewhere is not the same any more."""
    return subject.dataset.X[[0, -1]].tolist()


def write_atomically(path: Path, text: str) -> None:
    """Replace a file as a whole: whoever reads it, also after a crash, finds the old text or the new one."""
    replace_file(path, text).close()


# Reading -----------------------------------------------------------------------------------------------------------


def load(path: Path) -> Document:
    """Read a session; SessionError, which says what is wrong, when the file can't be used."""
    document = _read_object(path)
    if document.get("format") != FORMAT:
        raise SessionError(f"{path} is not a session of dcrc-explore. It was left untouched.")
    version = document.get("version")
    if isinstance(version, int) and version > VERSION:
        raise SessionError(
            f"{path} was written by a newer version of dcrc-explore (its format is {version}, this version reads up to "
            f"{VERSION}): update dcrc-explore. The file was left untouched."
        )
    try:
        if version != VERSION:
            raise SessionError(f"version must be {VERSION}, got {version!r}")
        return _decode(document, path)
    except SessionError as error:
        raise SessionError(f"{path} can't be used: {error}. It was left untouched.") from error
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise SessionError(f"{path} is damaged ({type(error).__name__}: {error}). It was left untouched.") from error


def _decode(document: dict[str, Any], path: Path) -> Document:
    data = document["data"]
    subject = _decode_data(_read_object(path.with_name(Path(data["file"]).name)) if "file" in data else data)
    if "check" in data and not np.allclose(_check(subject), data["check"], rtol=1e-6):
        source = data.get("file") or f"the generator {data['generator']!r} of this version"
        raise SessionError(f"the answers were given for other points than those of {source}")
    unknown = set(document["settings"]) - set(Settings.names())
    if unknown:
        raise SessionError(f"it has the unknown setting {sorted(unknown)[0]!r}")
    answers = tuple(
        GivenAnswer(
            triplet=_three(given["triplet"]),
            answer=Answer(given["answer"]),
            time=str(given["time"]),
            by=str(given["by"]),
            surprise=None if given["surprise"] is None else float(given["surprise"]),
        )
        for given in document["answers"]
    )
    state = State(subject, Settings(**document["settings"]), answers, _decode_weights(document["weights"]))
    state.triplets()  # checks the answers against the data
    return Document(state, [Quality(int(n), *map(float, values)) for n, *values in document["quality"]])


def _three(triplet: list[int]) -> tuple[int, int, int]:
    i, j, k = triplet
    if not all(isinstance(row, int) for row in (i, j, k)):
        raise ValueError(f"a triplet must hold three row numbers, got {triplet}")
    return i, j, k


def _decode_data(data: dict[str, Any]) -> Subject:
    if "generator" in data:
        return Subject(make_dataset(data["generator"], **data["parameters"]))
    X, class_names = np.array(data["X"], dtype=float), tuple(data["class_names"])
    if X.ndim != 2 or not np.isfinite(X).all():
        raise ValueError(f"X must be a table of finite numbers, got shape {X.shape}")
    y = None if data["y"] is None else np.array(data["y"])
    if y is not None and (y.shape != X.shape[:1] or not np.isin(y, np.arange(len(class_names))).all()):
        raise ValueError("y must have one of the classes for each point")
    return Subject(Dataset(X, y, data["name"], feature_names=tuple(data["feature_names"]), class_names=class_names))


def _decode_weights(weights: dict[str, Any] | None) -> Weights | None:
    if weights is None:
        return None
    coef, intercept = np.array(weights["coef"], dtype=float), np.array(weights["intercept"], dtype=float)
    if coef.ndim != 2 or intercept.shape != coef.shape[:1]:
        raise ValueError(f"weights must have shapes (K, d) and (K,), got {coef.shape} and {intercept.shape}")
    return Weights(coef, intercept)


def _read_object(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"), parse_constant=_reject)
    except OSError as error:
        raise SessionError(f"{path} can't be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise SessionError(f"{path} is damaged or not a session of dcrc-explore. It was left untouched.") from error
    if not isinstance(value, dict):
        raise SessionError(f"{path} is not a session of dcrc-explore. It was left untouched.")
    return value


def _reject(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


def find_sessions(folder: Path) -> list[SavedSession]:
    """Sessions with answers in a folder, the latest first; other files are passed over."""
    found = []
    for path in folder.glob("*.json"):
        try:
            with path.open(encoding="utf-8") as file:
                # Other JSON files may be large: only ours begin with the name of the format.
                if FORMAT not in file.read(100):
                    continue
            document = _read_object(path)
            answers = document["answers"]
            found.append(SavedSession(path, str(document["name"]), len(answers), str(document["saved"])))
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return sorted((saved for saved in found if saved.n_answers), key=lambda saved: saved.saved, reverse=True)
