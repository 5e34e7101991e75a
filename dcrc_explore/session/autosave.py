"""Keeping answers safe: every change is on disk before the next one can be made."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from time import perf_counter
from weakref import WeakValueDictionary

from dcrc_explore.session.files import (
    LARGEST,
    LARGEST_DATA,
    Version,
    Written,
    absolute,
    claim,
    clean,
    create,
    safe_name,
    session_file,
    version,
)
from dcrc_explore.session.format import encode, encode_change, encode_data, encode_reference
from dcrc_explore.session.holding import Hold, Save, in_use, replace_file
from dcrc_explore.session.settings import SessionError
from dcrc_explore.session.state import Document
from dcrc_explore.session.subject import Subject

# Own data of more numbers than this lies in a file of its own beside the session, so that an answer does not write it
# again.
_SMALL = 5_000
# Bytes of changes after which a file is written as a whole again, if it is not longer than this itself.
_MANY = 65_536


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
        What somebody should know about where the last change was written.
    seconds : float
        How long the last writing took.
    """

    def __init__(self, target: str | PathLike[str] | None) -> None:
        self._target = None if target is None else absolute(target)
        self._files: dict[Subject, AutosaveFile] = {}
        self._written = Written()
        self.error: str | None = None
        self.note: str | None = None
        self.seconds = 0.0

    @classmethod
    def going_on(cls, path: Path, document: Document) -> Keeper:
        """Keep a session in the file that it was just read from, and other data beside it."""
        path = path.resolve()  # a link is followed once, here
        keeper = cls(path.parent)
        keeper._files[document.state.subject] = file = AutosaveFile.existing(path, document)
        keeper.note = file.note
        return keeper

    @property
    def is_active(self) -> bool:
        """Whether it keeps anything."""
        return self._target is not None

    def path(self, subject: Subject) -> Path | None:
        """Return the file of a subject once it is written."""
        return self._files[subject].path if subject in self._files else None

    def keep(self, document: Document, *, whole: bool = False) -> None:
        """Write the session unless there is nothing to lose. Failures are noted, not raised: the session goes on.

        With `whole` the file is plain JSON afterwards, without a list of changes behind it.
        """
        subject = document.state.subject
        if self._target is None or (not document.state.n_answers and self.path(subject) is None):
            self.error = self.note = None
            return
        if subject not in self._files:
            self._files[subject] = AutosaveFile(self._target, subject.dataset.name)
        file = self._files[subject]
        begin = perf_counter()
        try:
            file.write(document, whole=whole)
            self.error, self.note = None, file.note
        except OSError as error:
            where = file.path or self._target
            self.error = (
                f"The answers are not saved: {where} can't be written ({error.strerror or error}). They are kept in "
                "memory; save them to another place."
            )
        self.seconds = perf_counter() - begin

    def save(self, document: Document, name: str | PathLike[str]) -> Path:
        """Write a session, data included, into one file that is plain JSON: see :meth:`Session.save`."""
        path = session_file(name)
        if path.suffix != ".json":
            raise SessionError(f"a session file must end in .json, got {path.name!r}")
        if path == self.path(document.state.subject):  # no copy: every answer goes there anyway
            self.keep(document, whole=True)
            if self.error:
                raise SessionError(self.error)
            return path
        try:
            text = encode(document, encode_data(document.state.subject))
            self._written.replace(path, _text(text, LARGEST))
        except FileExistsError as error:
            raise SessionError(
                f"{path} exists and was not written by this session. It was left untouched: give another name"
            ) from error
        except OSError as error:
            raise SessionError(f"{path} can't be written: {error.strerror or error}") from error
        return path


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
        What somebody should know about where the last writing went.
    """

    def __init__(self, target: Path, name: str) -> None:
        self.path: Path | None = None
        self.note: str | None = None
        self._wish = target if target.suffix == ".json" else target / f"{safe_name(name)}-answers.json"
        self._hold: Hold | None = None
        self._version: Version | None = None
        self._data = ""  # the part of the file that does not change
        self._data_file: str | None = None
        self._known: _Known | None = None

    @classmethod
    def existing(cls, path: Path, document: Document) -> AutosaveFile:
        """Go on in a file that was just read; it is not touched before the first writing."""
        file = cls(path, "")
        file.path, file._version, file._data_file = path, version(path), document.data_file
        if path not in _WRITERS and in_use(path):
            file.note = f"{path} is in use by another program, which goes on there: your answers go to another file"
        return file

    def write(self, document: Document, *, whole: bool = False) -> None:
        """Put the session on disk; OSError when that fails."""
        path, trouble, self.note = self.path, self._trouble(), None
        new = path is None or trouble or version(path) is None
        if path is None or trouble:
            path = self._claim()
            self._data, self._data_file, self._known = "", None, None
        elif new:  # it was deleted, and comes back
            if not path.parent.is_dir():
                self.note = f"The folder {path.parent} was gone. It was made again, with all answers in {path.name}."
            path.parent.mkdir(parents=True, exist_ok=True)
            create(path)
        try:
            if whole or new or not self._append(document):
                self._write_whole(document, path)
        except OSError:
            if new:
                path.unlink(missing_ok=True)
            raise
        finally:
            self._version = version(path)
        if trouble:
            self.note = f"{trouble}: from now on the answers are in {path}"
        self.path = path
        _WRITERS[path] = self

    def release(self) -> None:
        """Let others write the file."""
        if self._hold is not None:
            self._hold.close()
        self._hold = self._known = None

    def _append(self, document: Document) -> bool:
        """Add what has changed at the end of the file, if that is possible and the list of changes not too long."""
        known, hold, self._known = self._known, self._hold, None
        if known is None or hold is None or not hold.is_open:
            return False
        line = known.change_to(document)
        if known.n_changes + len(line) > max(known.n_whole, _MANY):
            return False
        hold.append(line)
        self._known = known.after(document, line)
        return True

    def _write_whole(self, document: Document, path: Path) -> None:
        if not self._data or (self._data_file and version(path.with_name(self._data_file)) is None):
            self._data = self._write_data(document.state.subject, path)
        text = encode(document, self._data)
        hold = replace_file(path, _text(text, LARGEST))
        self.release()
        self._hold, self._known = hold, _Known(document, n_whole=len(text))

    def _write_data(self, subject: Subject, path: Path) -> str:
        """Return the data's part of the file, after writing large data of a user's own into another file."""
        if subject.is_generated or subject.dataset.X.size <= _SMALL:
            return encode_data(subject)
        if self._data_file is None or version(path.with_name(self._data_file)) is None:
            data_file = claim(path.with_name(self._data_file or f"{path.stem}.data.json"))
            try:
                replace_file(data_file, _text(encode_data(subject), LARGEST_DATA)).close()
            except OSError:
                data_file.unlink(missing_ok=True)
                raise
            self._data_file = data_file.name
        return encode_reference(subject, self._data_file)

    def _trouble(self) -> str:
        """Take the right to write the file; return why there is none, or nothing when all is well."""
        path = self.path
        if path is None:
            return ""
        now = version(path)
        if now is None:
            self.release()
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
            clean(path.parent)
        return ""

    def _claim(self) -> Path:
        """Create an empty file under a free name."""
        folder = self._wish.parent
        folder.mkdir(parents=True, exist_ok=True)
        clean(folder)
        return claim(self._wish)


# Who writes which file in this process.
_WRITERS: WeakValueDictionary[Path, AutosaveFile] = WeakValueDictionary()


class _Known:
    """What a file holds, as far as the next change needs it."""

    def __init__(self, document: Document, *, n_whole: int, n_changes: int = 0) -> None:
        state = document.state
        self._answers, self._pairs, self._settings = state.answers, state.pair_answers, state.settings
        self._n_quality = len(document.quality)
        self.n_whole, self.n_changes = n_whole, n_changes

    def change_to(self, document: Document) -> str:
        """Return the line to append."""
        new = document.quality[self._n_quality :]
        return encode_change(document, self._answers, self._pairs, self._settings, new)

    def after(self, document: Document, line: str) -> _Known:
        """Return what the file holds with that line."""
        return _Known(document, n_whole=self.n_whole, n_changes=self.n_changes + len(line))


def _text(text: str, largest: int) -> Save:
    content = text.encode()
    if len(content) > largest:
        raise OSError(
            f"{len(content) / 2**20:.0f} MB are more than the {largest / 2**20:.0f} MB that a session may have"
        )
    return lambda file: file.write(content)
