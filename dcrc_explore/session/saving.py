"""Saving answers: every change is on disk before the next one can be made."""

from __future__ import annotations

import reprlib
from dataclasses import replace
from os import PathLike
from pathlib import Path
from time import perf_counter
from typing import Any
from weakref import WeakValueDictionary

from dcrc_explore.session.format import (
    LARGEST,
    LARGEST_DATA,
    MOST_COMMAS,
    Document,
    SavedSession,
    encode,
    encode_change,
    encode_data,
    encode_reference,
    saved_session,
)
from dcrc_explore.session.state import SessionError, Subject
from dcrc_explore.storage import StoredFile, Written, clean, in_use, safe_name

# Own data of more numbers than this lies in a file of its own beside the session, so that an answer does not write it
# again.
_SMALL = 5_000
# Bytes of changes after which a file is written as a whole again, if it is not longer than this itself.
_MANY = 65_536


def session_file(name: str | PathLike[str]) -> Path:
    """Return the path that a user means.

    Examples
    --------
    >>> session_file("answers").name
    'answers.json'
    """
    path = Path(name).expanduser()
    if not path.name or "\0" in str(path):
        raise SessionError("give a file name, such as answers.json")
    return absolute(path if path.suffix else path.with_name(f"{path.name}.json"))


def absolute(path: str | PathLike[str]) -> Path:
    """Return a path from the root, so that a later change of the working folder does not matter."""
    try:
        return Path(path).expanduser().absolute()
    except FileNotFoundError:
        raise SessionError(
            "the working folder does not exist any more: change to another one, or give a path from the root"
        ) from None


# Data (of a drawing its first points), and whether errors are planted among the answers.
_Key = tuple[Subject, bool]


def _key(document: Document) -> _Key:
    return document.state.subject.origin, bool(document.state.log.planted.any())


def find_sessions(folder: str | PathLike[str] = ".") -> list[SavedSession]:
    """Return the sessions with answers or drawn points that a folder holds, the latest first.

    Nothing is loaded or changed. Those in which errors were planted come last.

    Examples
    --------
    >>> import tempfile
    >>> from dcrc_explore.session import Session
    >>> folder = tempfile.mkdtemp()
    >>> _ = Session("far", autosave=folder).answer((0, 1, 149), "yes")
    >>> [(saved.path.name, saved.n_answers) for saved in find_sessions(folder)]
    [('far-answers.json', 1)]
    """
    found = [each for path in absolute(folder).glob("*.json") if (each := saved_session(path)) is not None]
    return [saved for _, saved in sorted(found, key=lambda each: (not each[0], each[1].saved), reverse=True)]


class Saver:
    """The file of a session, written after every change; each data set with its answers has a file of its own.

    Answers with planted errors go to a copy, so that the file with a person's own answers stays as it is.

    Parameters
    ----------
    target : path or None
        A folder or a .json file; None saves nothing.

    Attributes
    ----------
    error : str or None
        Why the last change was not saved, as a message for the user; None if it was.
    note : str or None
        What a user should know about where the last change was saved; usually None.
    seconds : float
        How long the last writing took.
    waits : bool
        Whether a new file waits until somebody answers or draws, because a scene gave all answers so far.

    Examples
    --------
    >>> import tempfile
    >>> from dcrc_explore.session import Session
    >>> session = Session("far", autosave=tempfile.mkdtemp())
    >>> _ = session.answer((0, 1, 149), "yes")
    >>> session.file.is_active, session.file.path.name, session.file.error
    (True, 'far-answers.json', None)
    """

    def __init__(self, target: str | PathLike[str] | None) -> None:
        self._target = None if target is None else absolute(target)
        self._files: dict[_Key, SessionFile] = {}
        self._file: SessionFile | None = None  # that of the data which were written last
        self._written = Written()
        self.error: str | None = None
        self.note: str | None = None
        self.seconds = 0.0
        self.waits = False

    @classmethod
    def going_on(cls, path: Path, document: Document) -> Saver:
        """Continue saving a session in the file that it was just read from, and other data beside it."""
        path = path.resolve()  # a link is followed once, here
        saver = cls(path.parent)
        saver._files[_key(document)] = saver._file = file = SessionFile.existing(path, document)
        saver.note = file.note
        return saver

    @property
    def is_active(self) -> bool:
        """Whether every answer goes to disk as soon as it is given."""
        return self._target is not None

    @property
    def path(self) -> Path | None:
        """The file with the answers to the current data, once there are some."""
        return None if self._file is None else self._file.path

    def write(self, document: Document, *, whole: bool = False) -> bool:
        """Write the session if it has answers, or points that were drawn.

        Failures are noted, not raised: the session continues. With `whole` the file is plain JSON afterwards, without
        a list of changes behind it.

        Returns
        -------
        bool
            Whether path or error have changed, or there is a note.
        """
        before, key = (self.path, self.error), _key(document)
        (origin, planted), dataset = key, document.state.subject.dataset
        self._file, self.note = self._files.get(key), None
        empty = self.waits or (dataset.drawing is None and not document.state.n_answers)
        if self._target is None or (empty and self.path is None):
            self.error = None
            return before != (self.path, None)
        is_copy, own = planted and self._file is None, self._files.get((origin, False))
        new = SessionFile(self._target, dataset.name, "planted-errors" if planted else "answers")
        self._file = self._files.setdefault(key, new)
        begin = perf_counter()
        try:
            self._file.write(document, whole=whole)
            self.error, self.note = None, self._file.note
            if is_copy and own is not None:
                self.note = f"The errors are planted in a copy, {self.path}. Your own answers stay in {own.path}"
        except OSError as error:
            where = self.path or self._target
            self.error = (
                f"The answers are not saved: {where} cannot be written ({error.strerror or error}). They are in memory "
                "only; save them to another place."
            )
        self.seconds = perf_counter() - begin
        return before != (self.path, self.error) or self.note is not None

    def copy(self, document: Document, name: str | PathLike[str]) -> Path:
        """Write a session, data included, into one file that is plain JSON: see :meth:`Session.save`."""
        path = session_file(name)
        if path.suffix != ".json":
            raise SessionError(f"a session file must end in .json, got {path.name!r}")
        if path == self.path:  # no copy: every answer goes there anyway
            self.write(document, whole=True)
            if self.error:
                raise SessionError(self.error)
            return path
        written_before = self._files.get(_key(document))
        document = replace(document, unknown=written_before.unknown if written_before else {})
        try:
            self._written.replace(path, _bytes(encode(document, encode_data(document.state.subject)), LARGEST))
        except FileExistsError as error:
            raise SessionError(
                f"{path} exists and was not written by this session. It was left untouched: give another name"
            ) from error
        except OSError as error:
            raise SessionError(f"{path} cannot be written: {error.strerror or error}") from error
        return path


class SessionFile:
    """The file with the answers to one data set. It never takes the place of a file that it did not write.

    Parameters
    ----------
    target : Path
        A folder, or the wished name of the file, which ends in .json. A number is added when that name is taken.
    name : str
        Of the data; names the file in a folder.
    ending : str, default="answers"
        What it holds.

    Attributes
    ----------
    note : str or None
        What a user should know about where the session was last saved.
    """

    def __init__(self, target: Path, name: str, ending: str = "answers") -> None:
        self.note: str | None = None
        self._wish = target / f"{safe_name(name)}-{ending}.json"
        if target.suffix == ".json":
            self._wish = target if ending == "answers" else target.with_stem(f"{target.stem}-{ending}")
        self._file: StoredFile | None = None
        self._subject: Subject | None = None
        self._data = ""  # the part of the file that does not change as long as these data are explored
        self._data_file: str | None = None
        self.unknown: dict[str, Any] = {}  # settings of another version of the program
        self._known: _Known | None = None

    @classmethod
    def existing(cls, path: Path, document: Document) -> SessionFile:
        """Go on in a file that was just read; it is not touched before the first writing."""
        file = cls(path, "")
        file._file, file._data_file, file.unknown = StoredFile(path), document.data_file, document.unknown
        if file.unknown:
            names = ", ".join(reprlib.repr(name) for name in sorted(file.unknown))
            file.note = f"{path} has settings that this version does not know: {names}. They stay in the file"
        if path not in _WRITERS and in_use(path):
            file.note = f"{path} is in use by another program, which writes it: your answers go to another file"
        return file

    @property
    def path(self) -> Path | None:
        """The file, once there is one."""
        return None if self._file is None else self._file.path

    def write(self, document: Document, *, whole: bool = False) -> None:
        """Put the session on disk; OSError when that fails."""
        document = replace(document, unknown=self.unknown)
        file, trouble, self.note = self._file, self._trouble(), None
        if document.state.subject is not self._subject:  # another stroke of a drawing
            self._subject, self._data, self._known = document.state.subject, "", None
        if file is None or trouble:
            self._data, self._data_file = "", None
            path = self._create(document, self._wish)
            if trouble:
                self.note = f"{trouble}: from now on the answers are in {path}"
        elif file.gone:
            self.note = self._bring_back(document, file.path)
        elif whole or not self._append(document):
            self._known = None
            text = self._text(document, file.path)
            file.replace(_bytes(text, LARGEST))
            self._known = _Known(document, n_whole=len(text))

    def release(self) -> None:
        """Let others write the file."""
        if self._file is not None:
            self._file.close()
        self._known = None

    def _append(self, document: Document) -> bool:
        """Add what has changed at the end of the file, if that is possible and the list of changes not too long."""
        known, self._known = self._known, None
        if known is None or self._file is None or not self._file.held:
            return False
        line = known.change_to(document)
        if known.n_changes + len(line) > max(known.n_whole, _MANY):
            return False
        self._file.append(line)
        self._known = known.after(document, line)
        return True

    def _create(self, document: Document, path: Path) -> Path:
        """Write a new file, under a name that is free."""
        self._known = None
        path.parent.mkdir(parents=True, exist_ok=True)
        clean(path.parent)
        text = self._text(document, path)
        file = StoredFile.create(path, _bytes(text, LARGEST))
        self.release()
        self._file, self._known = file, _Known(document, n_whole=len(text))
        _WRITERS[file.path] = self
        return file.path

    def _bring_back(self, document: Document, path: Path) -> str:
        """Write a file again that was deleted; return a note about it."""
        lost = not path.parent.is_dir()
        path = self._create(document, path)
        if lost:
            return f"The folder {path.parent} was missing. It was created again, with all answers in {path.name}."
        return f"{path} was missing. It was written again, with all answers."

    def _text(self, document: Document, path: Path) -> str:
        """Return the whole file, after writing large data of a user's own into another one."""
        if not self._data or (self._data_file and not path.with_name(self._data_file).exists()):
            subject = document.state.subject
            if subject.is_generated or subject.dataset.X.size <= _SMALL:
                self._data = encode_data(subject)
            else:
                if self._data_file is None or not path.with_name(self._data_file).exists():
                    wish = path.with_name(self._data_file or f"{path.stem}.data.json")
                    with StoredFile.create(wish, _bytes(encode_data(subject), LARGEST_DATA)) as file:
                        self._data_file = file.path.name
                self._data = encode_reference(subject, self._data_file)
        return encode(document, self._data)

    def _trouble(self) -> str:
        """Take the right to write the file; return why there is none, or nothing when all is well."""
        file = self._file
        if file is None or file.gone:
            return ""
        if file.changed:
            return f"Another program has changed {file.path}, which was left as it is"
        if not file.held:
            writer = _WRITERS.get(file.path)
            if writer is not None:  # an earlier session of this process: whoever loaded the file last goes on in it
                writer.release()
            try:
                file.hold()
            except BlockingIOError:
                return f"{file.path} is in use by another program, which writes it"
            _WRITERS[file.path] = self
            clean(file.path.parent)
        return ""


# Who writes which file in this process.
_WRITERS: WeakValueDictionary[Path, SessionFile] = WeakValueDictionary()


class _Known:
    """What a file holds, as far as the next change needs it."""

    def __init__(self, document: Document, *, n_whole: int, n_changes: int = 0) -> None:
        self._log, self._settings = document.state.log, document.state.settings
        self._n_quality = len(document.quality)
        self.n_whole, self.n_changes = n_whole, n_changes

    def change_to(self, document: Document) -> str:
        """Return the line to append."""
        return encode_change(document, self._log, self._settings, document.quality[self._n_quality :])

    def after(self, document: Document, line: str) -> _Known:
        """Return what the file holds with that line."""
        return _Known(document, n_whole=self.n_whole, n_changes=self.n_changes + len(line))


def _bytes(text: str, largest: int) -> bytes:
    content = text.encode()
    if len(content) > largest:
        raise OSError(
            f"{len(content) / 2**20:.0f} MB are more than the {largest / 2**20:.0f} MB that a session may have"
        )
    if text.count(",") > MOST_COMMAS:
        raise OSError("there are more values, or commas in texts, than a session may have")
    return content
