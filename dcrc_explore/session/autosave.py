"""Keeping answers safe: every change is on disk before the next one can be made."""

from __future__ import annotations

import re
from itertools import count
from os import PathLike
from pathlib import Path
from time import perf_counter
from weakref import WeakValueDictionary

from dcrc_explore.session.files import Hold, Version, replace_file, version
from dcrc_explore.session.state import Document
from dcrc_explore.session.storage import encode, encode_data, encode_reference
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
    note : str or None
        Why the last change is in another file than those before.
    seconds : float
        How long the last writing took.
    """

    def __init__(self, target: str | PathLike[str] | None) -> None:
        self._target = None if target is None else Path(target).expanduser().absolute()
        self._files: dict[Subject, AutosaveFile] = {}
        self._copies: dict[Path, Version | None] = {}
        self.error: str | None = None
        self.note: str | None = None
        self.seconds = 0.0

    @classmethod
    def going_on(cls, path: Path, subject: Subject) -> Keeper:
        """Keep a subject in the file that it was just read from, and others beside it."""
        path = path.resolve()  # a link is followed once, here
        keeper = cls(path.parent)
        keeper._files[subject] = AutosaveFile.existing(path)
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
            self.error = self.note = None
            return
        file = self._files.setdefault(subject, AutosaveFile(self._target, subject.dataset.name))
        begin = perf_counter()
        try:
            file.write(document)
            self.error, self.note = None, file.note
        except OSError as error:
            where = file.path or self._target
            self.error = (
                f"The answers are not saved: {where} can't be written ({error.strerror or error}). They are kept in "
                "memory; save them to another place."
            )
        self.seconds = perf_counter() - begin

    def copy(self, document: Document, path: Path) -> None:
        """Write a session, data included, into one file; FileExistsError when it holds what someone else wrote."""
        before = version(path)
        if before is None:
            path.open("x").close()
        elif before != self._copies.get(path):
            raise FileExistsError(path)
        try:
            replace_file(path, encode(document, encode_data(document.state.subject))).close()
        except OSError:
            if before is None:
                path.unlink(missing_ok=True)
            raise
        self._copies[path] = version(path)


class AutosaveFile:
    """The file that keeps the answers to one data set. It never takes the place of a file that it did not write.

    Parameters
    ----------
    target : Path
        A folder, or the wished name of the file, which ends in .json. A number is added when that name is taken.
    name : str
        Of the data; names the file in a folder.

    Attributes
    ----------
    path : Path or None
        The file, once there is one.
    note : str or None
        Why the last writing went to another file than the one before.
    """

    def __init__(self, target: Path, name: str) -> None:
        self.path: Path | None = None
        self.note: str | None = None
        if target.suffix == ".json":
            self._folder, self._stem = target.parent, target.stem
        else:
            slug = re.sub(r"\W+", "-", name.lower()).strip("-")[:60] or "session"
            self._folder, self._stem = target, f"{slug}-answers"
        self._hold: Hold | None = None
        self._version: Version | None = None
        self._data = ""  # the part of the file that does not change

    @classmethod
    def existing(cls, path: Path) -> AutosaveFile:
        """Go on in a file that was just read; it is not touched before the first writing."""
        file = cls(path, "")
        file.path, file._version = path, version(path)
        return file

    def write(self, document: Document) -> None:
        """Put the session on disk; OSError when that fails."""
        before, trouble = self.path, self._trouble()
        path = self._claim() if before is None or trouble else before
        try:
            if not self._data:
                self._data = _write_data(document.state.subject, path)
            hold = replace_file(path, encode(document, self._data))
        except OSError:
            if path != before:
                path.unlink(missing_ok=True)
            raise
        self.release()
        self.path, self._hold, self._version = path, hold, version(path)
        self.note = f"{trouble}: from now on the answers are in {path}" if trouble else None
        _WRITERS[path] = self

    def release(self) -> None:
        """Let others write the file."""
        if self._hold is not None:
            self._hold.close()
            self._hold = None

    def _trouble(self) -> str:
        """Take the right to write the file; return why there is none, or nothing when all is well."""
        path = self.path
        if path is None:
            return ""
        now = version(path)
        if now is None:  # it was deleted, and comes back
            self.release()
            path.parent.mkdir(parents=True, exist_ok=True)
            path.open("x").close()
        elif now != self._version:
            return f"Somebody else has changed {path}, which was left as it is"
        elif self._hold is None:
            writer = _WRITERS.get(path)
            if writer is not None:  # an earlier session of this process: whoever loaded the file last goes on in it
                writer.release()
            try:
                self._hold = Hold.on(path)
            except BlockingIOError:
                return f"{path} is in use by another program, which goes on there"
        return ""

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


# Who writes which file in this process.
_WRITERS: WeakValueDictionary[Path, AutosaveFile] = WeakValueDictionary()


def _write_data(subject: Subject, path: Path) -> str:
    """Return the data's part of a session file, after writing large data of a user's own into another file."""
    data = encode_data(subject)
    if subject.is_generated or subject.dataset.X.size <= _SMALL:
        return data
    replace_file(_data_file(path), data).close()
    return encode_reference(subject, _data_file(path).name)


def _data_file(path: Path) -> Path:
    return path.with_suffix(".data.json")
