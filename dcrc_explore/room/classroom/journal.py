"""The file of a class: every fact in a line of its own, on disk before it is confirmed."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

import numpy as np

from dcrc_explore.constraints import Answer, Entry
from dcrc_explore.datasets import Dataset
from dcrc_explore.room.steps import as_seconds
from dcrc_explore.storage import StoredFile, json_lines
from dcrc_explore.values import TIME, number, text, whole

LARGEST = 2**27  # bytes
ENDING = "-class.jsonl"
_FORMAT = 1
_MOST_PEOPLE = 10**7
# What a damaged line makes of its reader.
DAMAGED = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError)


@dataclass(frozen=True)
class GuestAnswer:
    """An answer of a participant, and how the question was asked."""

    person: int
    step: str  # the question's id; a participant answers it once
    way: str  # "own", "shared" (another guest had it too), or "vote 2.1": the first round of the second vote
    entry: Entry  # as the session has it

    @property
    def id(self) -> tuple[int, str]:
        """What names it among the answers of the class."""
        return self.person, self.step

    @property
    def round(self) -> tuple[int, int] | None:
        """The number of the vote and of its round; None for a question of their own."""
        if self.way in ("own", "shared"):
            return None
        number, _, turn = self.way.removeprefix("vote ").partition(".")
        return as_whole(int(number)), as_whole(int(turn), 100)


def key(entry: Entry) -> tuple[str, tuple[int, ...], str]:
    """Return what names an answer in the session: who, about what, when."""
    return entry.by, entry.points, entry.time


def guest(number: int) -> str:
    """Return the name of a participant in the session: nicknames stay in the file of the class.

    Examples
    --------
    >>> guest(7)
    'guest 7'
    """
    return f"guest {number}"


class Journal:
    """Facts of a class, one line each, in a file with one writer."""

    def __init__(self, file: StoredFile, lines: list[tuple[int, dict[str, Any]]], damaged: list[int]) -> None:
        # The facts with the numbers of their lines, of which the first is the head, and the lines that cannot be read.
        self._file, self.lines, self.damaged, self.head = file, lines, damaged, lines[0][1]

    @classmethod
    def create(cls, path: Path, data: Dataset, **head: Any) -> Self:
        """Begin a file under a name, or the next free one; only this user can read it."""
        fact = {"class": _FORMAT, "data": data.name, "points": fingerprint(data), **head}
        path.parent.mkdir(parents=True, exist_ok=True)
        return cls(StoredFile.create(path, (json.dumps(fact) + "\n").encode(), private=True), [(1, fact)], [])

    @classmethod
    def continued(cls, path: Path, data: Dataset) -> Self:
        """Continue a file; ValueError when it is closed or about other points, BlockingIOError while another has it."""
        file = StoredFile(path)
        file.hold()
        try:
            read = _read(path)
            lines = [(n, fact) for n, fact in read if fact is not None]
            head = lines[0][1]
            if not all(isinstance(head.get(name), str) for name in ("points", "code", "secret")) or not (
                head["code"].isascii() and re.fullmatch("([0-9a-f]{2}){16,}", head["secret"])
            ):
                raise ValueError(f"{path} cannot be continued: its first line, with the code, is damaged")
            if head["points"] != fingerprint(data):
                raise ValueError(f"{path} must be a class about {data.name!r}, got one about other points")
            if any("closed" in fact for _, fact in lines):
                raise ValueError(f"{path} is a class that was closed: begin a new one under another name")
            path.chmod(0o600)  # it holds what signs the participants' tokens
        except BaseException:
            file.close()
            raise
        return cls(file, lines, [n for n, fact in read if fact is None])

    @property
    def path(self) -> Path:
        """Where it lies."""
        return self._file.path

    def note(self, **fact: Any) -> None:
        """Put a fact on disk; OSError when that fails, or when the file would be too large to be read again."""
        self._file.append(json.dumps(fact) + "\n", largest=LARGEST)

    def take(self, given: GuestAnswer) -> None:
        """Put an answer on disk."""
        entry = given.entry
        fields = {"person": given.person, "step": given.step, "rows": entry.points, "answer": entry.answer.name.lower()}
        self.note(given={**fields, "seconds": entry.seconds, "at": entry.time, "way": given.way})

    def close(self) -> None:
        """Let others write."""
        self._file.close()


def read_facts(path: Path) -> list[dict[str, Any]]:
    """Read the file of a class as data; ValueError when it is none. Lines that cannot be read are left out."""
    return [fact for _, fact in _read(path) if fact is not None]


def _read(path: Path) -> list[tuple[int, dict[str, Any] | None]]:
    """Return the lines with their numbers; None for a damaged one."""
    read = json_lines(path, largest=LARGEST)
    if not read or (read[0][1] or {}).get("class") != _FORMAT:
        raise ValueError(f"{path} must be the file of a class, got another file")
    return read


def as_given(fact: dict[str, Any], n_samples: int) -> GuestAnswer:
    """Return an answer as it was written; one of `DAMAGED` when it is none."""
    person, at = as_whole(fact["person"]), TIME.checked(fact["at"], "at")
    points, seconds = as_rows(fact["rows"], n_samples), as_seconds(fact["seconds"])
    entry = Entry(points, Answer(fact["answer"]), at, guest(person), seconds)
    given = GuestAnswer(person, as_text(fact["step"]), as_text(fact["way"]), entry)
    _ = given.round
    return given


def as_whole(value: Any, most: int = _MOST_PEOPLE) -> int:
    """Return a number of somebody or something, from 1 on."""
    return whole(1, most - 1).checked(value, "a number")


def as_share(value: Any) -> float:
    """Return a probability."""
    return number(0, 1).checked(value, "a probability")


def as_text(value: Any) -> str:
    """Return a text of a line."""
    return text(200).checked(value, "a text")


def as_rows(value: Any, n_samples: int) -> tuple[int, int, int]:
    """Return three different rows."""
    row = whole(0, n_samples - 1)
    a, b, c = (row.checked(each, "a row") for each in value)
    if len({a, b, c}) < 3:
        raise ValueError("rows must differ")
    return a, b, c


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
        sessions = [fact["session"] for fact in facts if fact.get("session")]
        if sessions[-1:] == [session.name] and not any("closed" in fact for fact in facts):
            return file
    return None
