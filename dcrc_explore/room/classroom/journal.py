"""The file of a class: every fact in a line of its own, on disk before it is confirmed."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

import numpy as np

from dcrc_explore.constraints import Answer
from dcrc_explore.datasets import Dataset
from dcrc_explore.storage import StoredFile, read_text, whole_lines

LARGEST = 2**27  # bytes
ENDING = "-class.jsonl"
_FORMAT = 1


@dataclass(frozen=True)
class Given:
    """An answer of a participant.

    Attributes
    ----------
    person : int
    step : str
        The question's id; a participant answers it once.
    rows : tuple of int
        A, B and C.
    answer : Answer
    seconds : float
    at : str
        ISO 8601, UTC.
    way : str
        "own", "shared" (another guest had it too), or "vote 2.1": the first round of the second vote.
    """

    person: int
    step: str
    rows: tuple[int, ...]
    answer: Answer
    seconds: float
    at: str
    way: str

    @property
    def name(self) -> str:
        """Under which name the session has it."""
        return guest(self.person)


def guest(number: int) -> str:
    """Return the name of a participant in the session: nicknames stay in the file of the class.

    Examples
    --------
    >>> guest(7)
    'guest 7'
    """
    return f"guest {number}"


class Journal:
    """Facts of a class, one line each, in a file with one writer.

    Parameters
    ----------
    file : StoredFile
    facts : list of dict
        What it holds already; the first is its head.
    """

    def __init__(self, file: StoredFile, facts: list[dict[str, Any]]) -> None:
        self._file, self.facts = file, facts

    @classmethod
    def create(cls, path: Path, data: Dataset, **head: Any) -> Self:
        """Begin a file under a name, or the next free one."""
        fact = {"class": _FORMAT, "data": data.name, "points": fingerprint(data), **head}
        path.parent.mkdir(parents=True, exist_ok=True)
        return cls(StoredFile.create(path, (json.dumps(fact) + "\n").encode()), [fact])

    @classmethod
    def going_on(cls, path: Path, data: Dataset | None = None) -> Self:
        """Continue a file; ValueError when it is about other points, BlockingIOError while another program has it."""
        file = StoredFile(path)
        file.hold()
        try:
            facts = read_facts(path)
            if data is not None and facts[0]["points"] != fingerprint(data):
                raise ValueError(f"{path} must be a class about {data.name!r}, got one about other points")
        except BaseException:
            file.close()
            raise
        return cls(file, facts)

    @property
    def path(self) -> Path:
        """Where it lies."""
        return self._file.path

    def note(self, **fact: Any) -> None:
        """Put a fact on disk; OSError when that fails."""
        self._file.append(json.dumps(fact) + "\n")
        self.facts.append(fact)

    def take(self, given: Given) -> None:
        """Put an answer on disk."""
        fields = asdict(given) | {"answer": given.answer.name.lower(), "rows": list(given.rows)}
        self.note(given=fields)

    def close(self) -> None:
        """Let others write."""
        self._file.close()


def read_facts(path: Path) -> list[dict[str, Any]]:
    """Read the file of a class as data; ValueError when it is none."""
    facts = []
    for line in whole_lines(read_text(path, largest=LARGEST)):
        try:
            fact = json.loads(line)
        except (ValueError, RecursionError):
            continue  # what a killed writer left of a line
        if isinstance(fact, dict):
            facts.append(fact)
    if not facts or facts[0].get("class") != _FORMAT:
        raise ValueError(f"{path} must be the file of a class, got another file")
    return facts


def as_given(fact: dict[str, Any]) -> Given:
    """Return an answer as it was written."""
    rows = tuple(int(row) for row in fact["rows"])
    answer = Answer(fact["answer"])
    person, seconds = int(fact["person"]), float(fact["seconds"])
    return Given(person, str(fact["step"]), rows, answer, seconds, str(fact["at"]), str(fact["way"]))


def fingerprint(data: Dataset) -> str:
    """Return a fingerprint of the points."""
    return sha256(np.ascontiguousarray(data.X).tobytes()).hexdigest()[:16]


def find_class(folder: Path, session: Path) -> Path | None:
    """Return the latest class in a folder whose answers went into a session's file and that was not closed."""
    files = sorted(folder.glob("*-class*.jsonl"), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in files:
        try:
            facts = read_facts(file)
        except (ValueError, OSError):
            continue
        sessions = [fact["session"] for fact in facts if "session" in fact]
        if sessions[-1:] == [session.name] and "closed" not in facts[-1]:
            return file
    return None
