"""Files of answers and results: each has one writer, grows by lines or is replaced as a whole, and takes a free name.

A reader of such a file, also after a crash, finds the old content or the new one. A line is on the disk
when :meth:`StoredFile.append` returns. The right to write ends with the process, however that ends.
"""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO, Self

Save = Callable[[BinaryIO], object]  # writes into the file that it is given
Content = bytes | Save
Version = tuple[int, int, int]
_PREFIX, _SUFFIX = ".dcrc-explore-", ".tmp"  # of temporary files
_WINDOWS = sys.platform == "win32"
_LOCKED_BYTE = 2**40  # far behind the end: where a locked byte hinders those who read, it hinders nobody there
_OLD = 3600.0  # seconds after which a temporary file is out of use where there are no locks


# Names -------------------------------------------------------------------------------------------------------------


def safe_name(name: str, default: str = "session") -> str:
    """Return a name for files about something: without folders, of moderate length, the same for the same name.

    Examples
    --------
    >>> safe_name("../../Own data, standardised"), safe_name("???")
    ('own-data-standardised', 'session')
    """
    slug = re.sub(r"\W+", "-", name.lower()).strip("-")
    return slug.encode()[:100].decode(errors="ignore").strip("-") or default


def numbered(path: Path) -> Iterator[Path]:
    """Yield a path and those beside it with a number in their names.

    Examples
    --------
    >>> names = numbered(Path("answers.csv"))
    >>> [next(names).name for _ in range(3)]
    ['answers.csv', 'answers-2.csv', 'answers-3.csv']
    """
    yield path
    yield from (path.with_name(f"{path.stem}-{n}{path.suffix}") for n in count(2))


def version(path: Path) -> Version | None:
    """Return a value that changes whenever a file is written; None when there is no file. Links are not followed.

    Examples
    --------
    >>> version(Path("no such file")) is None
    True
    """
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


# Reading -----------------------------------------------------------------------------------------------------------


def read_text(path: Path, *, largest: int, most: int | None = None, errors: str = "strict") -> str:
    """Return the text of a file, or its first `most` bytes; ValueError when it is not a plain file or is too large.

    With `errors` as "replace", bytes that are no text become U+FFFD.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "text"
    >>> _ = path.write_text("a short text")
    >>> read_text(path, largest=2**20), read_text(path, largest=2**20, most=7)
    ('a short text', 'a short')
    """
    with _opened(path) as descriptor:
        size = os.fstat(descriptor).st_size
        if size > largest and most is None:
            raise ValueError(
                f"{path} cannot be read: it has {size / 2**20:.0f} MB, and at most {largest / 2**20:.0f} MB are read"
            )
        with os.fdopen(os.dup(descriptor), "rb") as file:
            # Not a byte more, should it grow meanwhile.
            return file.read(most or largest).decode("utf-8", "ignore" if most else errors)


def whole_lines(text: str) -> list[str]:
    r"""Return the lines of a text that grows by lines, without an incomplete last line.

    Examples
    --------
    >>> whole_lines('{"answer": 1}\n{"ans')
    ['{"answer": 1}']
    """
    return text.split("\n")[:-1]


def json_lines(path: Path, *, largest: int) -> list[tuple[int, dict[str, Any] | None]]:
    """Return the objects in the lines of a file, with the numbers of the lines; None for a damaged line."""
    lines: list[tuple[int, dict[str, Any] | None]] = []
    for number, line in enumerate(whole_lines(read_text(path, largest=largest, errors="replace")), 1):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        lines.append((number, value if isinstance(value, dict) else None))
    return lines


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    try:
        # Nobody has to write into a pipe for it to be opened; it is refused below.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError(f"{path} cannot be read: it is not a file but a folder, a pipe or a device")
        yield descriptor
    finally:
        os.close(descriptor)


# Writing -----------------------------------------------------------------------------------------------------------


class StoredFile:
    r"""A file that this process writes, alone: it grows by lines or is replaced as a whole.

    It is not touched before :meth:`hold`; :meth:`create` makes a new one.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with StoredFile.create(folder / "ann.jsonl", b'{"name": "Ann"}\n') as file:
    ...     file.append('{"answer": 1}\n')
    >>> with StoredFile.create(folder / "ann.jsonl", b'{"name": "another Ann"}\n') as file:
    ...     file.path.name
    'ann-2.jsonl'
    >>> whole_lines(read_text(folder / "ann.jsonl", largest=2**20))
    ['{"name": "Ann"}', '{"answer": 1}']
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor = -1
        self._version = version(path)

    @classmethod
    def create(cls, path: Path, content: Content, *, private: bool = False) -> Self:
        """Write a new file under a name, or under the next free one with a number, and hold it.

        It comes with all its content or not at all, so a killed process leaves no empty file under the name. A private
        one can be read by this user only.
        """
        with _Temporary(path.parent, content, mode=0o600 if private else 0o666) as temporary:
            free = next(name for name in numbered(path) if temporary.take(name))
        _sync_folder(path.parent)
        file = cls(free)
        file._take(temporary)
        return file

    @property
    def held(self) -> bool:
        """Whether this process has the right to write it."""
        return self._descriptor >= 0

    @property
    def gone(self) -> bool:
        """Whether there is no file any more."""
        return version(self.path) is None

    @property
    def changed(self) -> bool:
        """Whether another program has written, replaced or deleted it."""
        return version(self.path) != self._version

    def hold(self, *, create: bool = False) -> None:
        """Take the right to write; BlockingIOError when another process has it. With `create` an empty file will do."""
        while not self.held:
            flags = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | (os.O_CREAT * create)
            descriptor = os.open(self.path, flags, 0o666)
            try:
                _lock(descriptor)
                same = os.fstat(descriptor).st_ino == self.path.lstat().st_ino
            except BaseException:
                os.close(descriptor)
                raise
            if same:
                self._descriptor = descriptor
                self._version = version(self.path) if create else self._version
            else:
                os.close(descriptor)  # it was replaced in between: ask for the new one

    def append(self, text: str, *, largest: int | None = None) -> None:
        """Put lines at the end, and on the disk; OSError, with the file as it was, when that fails.

        An incomplete line of a killed writer stays as a line of its own. Files of `largest` bytes are not read again.
        """
        if self.changed:
            raise OSError(errno.ESTALE, "another program has changed or deleted it")
        size, rest = os.lseek(self._descriptor, 0, os.SEEK_END), text.encode()
        if largest is not None and size + len(rest) >= largest:  # with the line end that a killed writer left out
            raise OSError(errno.EFBIG, f"{self.path.name} may have at most {largest >> 20} MB")
        if size and os.lseek(self._descriptor, -1, os.SEEK_END) >= 0 and os.read(self._descriptor, 1) != b"\n":
            rest = b"\n" + rest
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            os.fsync(self._descriptor)
        except BaseException:
            os.ftruncate(self._descriptor, size)
            raise
        finally:
            self._version = version(self.path)

    def replace(self, content: Content) -> None:
        """Write it as a whole, and hold it; on an error the old text stays."""
        with _Temporary(self.path.parent, content, like=self.path if self.path.exists() else None) as temporary:
            if _WINDOWS:  # where an open file is not replaced
                temporary.close()
                self.close()
            os.replace(temporary.path, self.path)
        _sync_folder(self.path.parent)
        self._take(temporary)

    def close(self) -> None:
        """Give the right back."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def _take(self, temporary: _Temporary) -> None:
        """Continue with the open file that now has this one's name."""
        self.close()
        self._descriptor, temporary.descriptor = temporary.descriptor, -1
        self._version = version(self.path)
        if _WINDOWS:
            self.hold()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


class _Temporary:
    """A file with content, on the disk, locked, under a name that nobody could foresee; an error removes it.

    Whoever may open it is what new files of this user allow, or what the file allows that is to be replaced.
    """

    def __init__(self, folder: Path, content: Content, like: Path | None = None, mode: int = 0o666) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        while True:
            self.path = folder / f"{_PREFIX}{secrets.token_hex(8)}{_SUFFIX}"
            self.descriptor = os.open(self.path, flags, mode if like is None else 0o600)
            try:
                _lock(self.descriptor)
                if version(self.path) is not None:
                    break
            except BlockingIOError:  # a process that cleans up had it before it was locked
                pass
            self.close()
        try:
            if like is not None:
                os.chmod(self.path, like.stat().st_mode & 0o777)
            with os.fdopen(os.dup(self.descriptor), "wb") as file:
                if isinstance(content, bytes):
                    file.write(content)
                else:
                    content(file)
                file.flush()
                os.fsync(self.descriptor)
        except BaseException:
            self.discard()
            raise

    def take(self, path: Path) -> bool:
        """Become the file of this name; False when the name is taken."""
        try:
            if _WINDOWS:
                self.close()
                os.rename(self.path, path)
                return True
            try:
                os.link(self.path, path)
            except OSError as error:
                if not isinstance(error, FileExistsError) and error.errno in _NO_LINKS:
                    path.open("xb").close()
                    os.replace(self.path, path)
                    return True
                raise
            self.path.unlink()
        except FileExistsError:
            return False
        return True

    def close(self) -> None:
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.discard()

    def discard(self) -> None:
        if _WINDOWS:
            self.close()
        self.path.unlink(missing_ok=True)
        self.close()


# What file systems without a second name for a file say.
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES}


def in_use(path: Path) -> bool:
    """Whether another process has the right to write a file.

    Examples
    --------
    >>> import tempfile
    >>> in_use(StoredFile.create(Path(tempfile.mkdtemp()) / "free.jsonl", b"").path)
    False
    """
    try:
        with StoredFile(path) as file:
            file.hold()
    except BlockingIOError:
        return True
    except OSError:  # it can't be written at all
        pass
    return False


def clean(folder: Path) -> None:
    """Remove the temporary files in a folder that no living process holds, of this user.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "answers.json").write_text("{}")
    >>> clean(folder)
    >>> [path.name for path in folder.iterdir()]
    ['answers.json']
    """
    try:
        entries = [each for each in os.scandir(folder) if each.name.startswith(_PREFIX) and each.name.endswith(_SUFFIX)]
    except OSError:
        return
    for entry in entries:
        with suppress(OSError):  # another process has it, or has removed it
            _remove_unheld(Path(entry.path))


def _remove_unheld(path: Path) -> None:
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode) or (hasattr(os, "getuid") and status.st_uid != os.getuid()):
        return
    if _WINDOWS:  # where an open file is not removed
        path.unlink()
        return
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    try:
        if _lock(descriptor) or status.st_mtime < time.time() - _OLD:
            path.unlink()
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> bool:
    """Take the lock of an open file: BlockingIOError when another process has it, False where there are no locks."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if isinstance(error, BlockingIOError) or (_WINDOWS and error.errno in (errno.EACCES, errno.EDEADLK)):
            raise BlockingIOError(errno.EWOULDBLOCK, "another program writes it") from error
        return False  # a file that another program changed is still noticed
    return True


def _sync_folder(folder: Path) -> None:
    """Let a power cut find the new name, where the system can do that."""
    with suppress(OSError):  # Windows
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


# Copies for a user -------------------------------------------------------------------------------------------------


class Written:
    """Files and folders that were written here; they may be replaced unless another program has changed them.

    Examples
    --------
    >>> import tempfile
    >>> written, folder = Written(), Path(tempfile.mkdtemp())
    >>> written.export(folder / "points.csv", b"1,2").name, Written().export(folder / "points.csv", b"3,4").name
    ('points.csv', 'points-2.csv')
    """

    def __init__(self) -> None:
        self._versions: dict[Path, Version | None] = {}
        self._folders: dict[Path, int] = {}

    def replace(self, path: Path, content: Content) -> None:
        """Write a file; FileExistsError when it holds what another program wrote."""
        before = version(path)
        if before is not None and before != self._versions.get(path):
            raise FileExistsError(path)
        with _Temporary(path.parent, content, like=None if before is None else path) as temporary:
            if before is not None:
                temporary.close()
                os.replace(temporary.path, path)
            elif not temporary.take(path):
                raise FileExistsError(path)
        temporary.close()
        _sync_folder(path.parent)
        self._versions[path] = version(path)

    def export(self, path: Path, content: Content | Mapping[str, Content]) -> Path:
        """Write a file, or a folder of files, under a name or the next free one with a number; return where."""
        for free in numbered(path):
            try:
                if not isinstance(content, Mapping):
                    self.replace(free, content)
                    return free
                self._enter(free)
            except FileExistsError:
                continue
            try:
                for name, part in content.items():
                    self.export(free / name, part)
            except BaseException:
                with suppress(OSError):  # there is something in it
                    free.rmdir()
                raise
            return free
        raise AssertionError("unreachable")

    def _enter(self, folder: Path) -> None:
        with suppress(FileNotFoundError):
            now = folder.lstat()
            # Another folder, or a link, may have got the number of one that was deleted.
            if stat.S_ISDIR(now.st_mode) and self._folders.get(folder) == now.st_ino:
                return
        folder.mkdir()
        self._folders[folder] = folder.lstat().st_ino
