"""Keeping answers safe: every change is on disk before the next one can be made."""

from __future__ import annotations

import re
from itertools import count
from os import PathLike
from pathlib import Path
from time import perf_counter

from dcrc_explore.session.state import Document
from dcrc_explore.session.storage import encode, encode_data, encode_reference, write_atomically
from dcrc_explore.session.subject import Subject

# Own data of more numbers than this lies in a file of its own beside the session, so that an answer does not write it
# again.
_SMALL = 5_000


class Keeper:
    """Writes a session after every change, each data set with its answers into a file of its own.

    Parameters
    ----------
    target : path or None
        A folder or a .json file; None keeps nothing.

    Attributes
    ----------
    error : str or None
        Why the last change is not on disk.
    seconds : float
        How long the last writing took.
    """

    def __init__(self, target: str | PathLike[str] | None) -> None:
        self._target = None if target is None else Path(target).expanduser().absolute()
        self._files: dict[Subject, AutosaveFile] = {}
        self._copies: dict[Path, tuple[int, int] | None] = {}
        self.error: str | None = None
        self.seconds = 0.0

    @classmethod
    def going_on(cls, path: Path, subject: Subject) -> Keeper:
        """Keep a subject in the file that it was just read from, and others beside it."""
        keeper = cls(path.absolute().parent)
        keeper._files[subject] = AutosaveFile.existing(path.absolute())
        return keeper

    @property
    def is_active(self) -> bool:
        """Whether it keeps anything."""
        return self._target is not None

    def path(self, subject: Subject) -> Path | None:
        """Return the file of a subject once it is written."""
        return self._files[subject].path if subject in self._files else None

    def keep(self, document: Document) -> None:
        """Write the session unless there is nothing to lose. Failures are noted, not raised: the session goes on."""
        subject = document.state.subject
        if self._target is None or (not document.state.answers and self.path(subject) is None):
            self.error = None
            return
        file = self._files.setdefault(subject, AutosaveFile(self._target, subject.dataset.name))
        begin = perf_counter()
        try:
            file.write(document)
            self.error = None
        except OSError as error:
            where = file.path or self._target
            self.error = (
                f"The answers are not saved: {where} can't be written ({error.strerror or error}). They are kept in "
                "memory; save them to another place."
            )
        self.seconds = perf_counter() - begin

    def copy(self, document: Document, path: Path) -> None:
        """Write a session, data included, into one file; FileExistsError when it holds what someone else wrote."""
        version = _version(path)
        if version is None:
            path.open("x").close()
        elif version != self._copies.get(path):
            raise FileExistsError(path)
        try:
            write_atomically(path, encode(document, encode_data(document.state.subject)))
        except OSError:
            if version is None:
                path.unlink(missing_ok=True)
            raise
        self._copies[path] = _version(path)


class AutosaveFile:
    """The file that keeps the answers to one data set. It never takes the place of a file that it did not write.

    Parameters
    ----------
    target : Path
        A folder, or the wished name of the file, which ends in .json. A number is added when that name is taken.
    name : str
        Of the data; names the file in a folder.
    """

    def __init__(self, target: Path, name: str) -> None:
        self.path: Path | None = None
        if target.suffix == ".json":
            self._folder, self._stem = target.parent, target.stem
        else:
            slug = re.sub(r"\W+", "-", name.lower()).strip("-")[:60] or "session"
            self._folder, self._stem = target, f"{slug}-answers"
        self._version: tuple[int, int] | None = None
        self._data = ""  # the part of the file that does not change

    @classmethod
    def existing(cls, path: Path) -> AutosaveFile:
        """Go on in a file that was just read."""
        file = cls(path, "")
        file.path, file._version = path, _version(path)
        return file

    def write(self, document: Document) -> None:
        """Put the session on disk; OSError when that fails."""
        if self.path is not None and _version(self.path) not in (self._version, None):
            # Someone else went on in this file: their answers stay, ours go on in another.
            self.path = None
        path = self.path or self._claim()
        try:
            if not self._data:
                self._data = _write_data(document.state.subject, path)
            write_atomically(path, encode(document, self._data))
        except OSError:
            if self.path is None:
                path.unlink(missing_ok=True)
            raise
        self.path, self._version = path, _version(path)

    def _claim(self) -> Path:
        """Create an empty file under a free name."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._data = ""
        for n in count(1):
            path = self._folder / f"{self._stem}{'' if n == 1 else f'-{n}'}.json"
            if not _data_file(path).exists():
                try:
                    path.open("x").close()
                except FileExistsError:
                    continue
                return path
        raise AssertionError("unreachable")


def _write_data(subject: Subject, path: Path) -> str:
    """Return the data's part of a session file, after writing large data of a user's own into another file."""
    data = encode_data(subject)
    if subject.is_generated or subject.dataset.X.size <= _SMALL:
        return data
    write_atomically(_data_file(path), data)
    return encode_reference(subject, _data_file(path).name)


def _data_file(path: Path) -> Path:
    return path.with_suffix(".data.json")


def _version(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns
