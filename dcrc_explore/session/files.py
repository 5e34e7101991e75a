"""Files: plain ones only are read, none is replaced but by whoever wrote it, and one session at a time writes each."""

from __future__ import annotations

import os
import re
import stat
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import BinaryIO

from dcrc_explore.session.settings import SessionError

try:
    import fcntl
except ImportError:  # Windows: a file that somebody else changed is still noticed
    fcntl = None  # type: ignore[assignment]

# Bytes of a session file, and of one that holds a user's own data.
LARGEST, LARGEST_DATA = 128 * 2**20, 512 * 2**20
Version = tuple[int, int, int]
Save = Callable[[BinaryIO], object]

_PREFIX, _SUFFIX = ".dcrc-explore-", ".tmp"
_CLAIMED = re.compile(r".*-answers(-\d+)?\.json")
_OLD = 3600.0  # seconds after which a temporary file can't be in use any more


# Names -------------------------------------------------------------------------------------------------------------


def safe_name(name: str) -> str:
    """Return a name for files about something: without folders, of moderate length, the same for the same name.

    Examples
    --------
    >>> safe_name("../../Own data, standardised"), safe_name("???")
    ('own-data-standardised', 'session')
    """
    slug = re.sub(r"\W+", "-", name.lower()).strip("-")
    return slug.encode()[:100].decode(errors="ignore").strip("-") or "session"


def session_file(name: str | os.PathLike[str]) -> Path:
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


def absolute(path: str | os.PathLike[str]) -> Path:
    """Return a path from the root, so that a later change of the working folder does not matter."""
    try:
        return Path(path).expanduser().absolute()
    except FileNotFoundError:
        raise SessionError(
            "the working folder does not exist any more: change to another one, or give a path from the root"
        ) from None


# Reading -----------------------------------------------------------------------------------------------------------


def read_text(path: Path, *, largest: int = LARGEST, most: int | None = None) -> str:
    """Return the text of a file, or its first `most` bytes; SessionError when it is not a plain file of decent size."""
    with _opened(path) as descriptor:
        size = os.fstat(descriptor).st_size
        if size > largest and most is None:
            raise SessionError(
                f"{path} can't be read: it has {size / 2**20:.0f} MB, and at most {largest / 2**20:.0f} MB are read"
            )
        with os.fdopen(os.dup(descriptor), "rb") as file:
            # Not a byte more, should it grow meanwhile.
            return file.read(most or largest).decode("utf-8", "ignore" if most else "strict")


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    try:
        # Nobody has to write into a pipe for it to be opened; it is refused below.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        raise SessionError(f"{path} can't be read: {getattr(error, 'strerror', None) or error}") from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise SessionError(f"{path} can't be read: it is not a file but a folder, a pipe or a device")
        yield descriptor
    finally:
        os.close(descriptor)


# Writing -----------------------------------------------------------------------------------------------------------


def version(path: Path) -> Version | None:
    """Return what changes with every writing of a file, or None when there is no file; a link is not followed."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


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


def claim(path: Path) -> Path:
    """Create an empty file under a name, or under the next free one with a number."""
    for free in numbered(path):
        try:
            free.open("x").close()
        except FileExistsError:
            continue
        return free
    raise AssertionError("unreachable")


def replace_file(path: Path, save: Save) -> Hold:
    """Replace a file as a whole: whoever reads it, also after a crash, finds the old text or the new one.

    The new text is written under a name that nobody could foresee, into a file that nobody else can open.
    """
    descriptor, name = tempfile.mkstemp(suffix=_SUFFIX, prefix=_PREFIX, dir=path.parent)
    hold = Hold(descriptor)
    try:
        _lock(descriptor)
        with os.fdopen(os.dup(descriptor), "wb") as file:
            save(file)
            file.flush()
            os.fsync(descriptor)
        if path.exists():
            os.chmod(name, path.stat().st_mode & 0o777)
        if fcntl is None:
            hold.close()  # Windows does not replace a file by one that is open
        os.replace(name, path)
        _sync_folder(path.parent)
    except BaseException:
        hold.close()
        Path(name).unlink(missing_ok=True)
        raise
    return hold


def _sync_folder(folder: Path) -> None:
    """Let a power cut find the new name, where the system can do that."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:  # Windows
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)


def clean(folder: Path) -> None:
    """Remove what killed processes of this user left in a folder: temporary files, and names without any text."""
    old = time.time() - _OLD
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        temporary = entry.name.startswith(_PREFIX) and entry.name.endswith(_SUFFIX)
        claimed = _CLAIMED.fullmatch(entry.name) is not None
        if not temporary and not claimed:
            continue
        try:
            status = entry.stat(follow_symlinks=False)
            ours = stat.S_ISREG(status.st_mode) and (not hasattr(os, "getuid") or status.st_uid == os.getuid())
            if ours and status.st_mtime < old and (temporary or status.st_size == 0):
                os.unlink(entry.path)
        except OSError:
            continue


class Written:
    """Files and folders that were written here, and may therefore be replaced unless somebody has changed them."""

    def __init__(self) -> None:
        self._versions: dict[Path, Version | None] = {}
        self._folders: dict[Path, int] = {}

    def replace(self, path: Path, save: Save) -> None:
        """Write a file; FileExistsError when it holds what somebody else wrote."""
        before = version(path)
        if before is None:
            path.open("x").close()
        elif before != self._versions.get(path):
            raise FileExistsError(path)
        try:
            replace_file(path, save).close()
        except BaseException:
            if before is None:
                path.unlink(missing_ok=True)
            raise
        self._versions[path] = version(path)

    def export(self, path: Path, content: Save | Mapping[str, Save]) -> Path:
        """Write a file, or a folder of files, under a name or the next one with a number that is not somebody else's.

        Returns
        -------
        Path
            What was written.
        """
        for free in numbered(path):
            try:
                if not isinstance(content, Mapping):
                    self.replace(free, content)
                    return free
                self._enter(free)
            except FileExistsError:
                continue
            for name, save in content.items():
                self.export(free / name, save)
            return free
        raise AssertionError("unreachable")

    def _enter(self, folder: Path) -> None:
        if folder not in self._folders or not folder.is_dir() or folder.lstat().st_ino != self._folders[folder]:
            folder.mkdir()
            self._folders[folder] = folder.lstat().st_ino


class Hold:
    """The right to write a file, which one session has at a time; it ends with the process, however that ends."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def on(cls, path: Path) -> Hold:
        """Take the right; BlockingIOError when somebody else has it."""
        while True:
            descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
            try:
                _lock(descriptor)
                if os.fstat(descriptor).st_ino == path.lstat().st_ino:
                    return cls(descriptor)
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)  # it was replaced in between: ask for the new one

    @property
    def is_open(self) -> bool:
        """Whether there still is a file to append to."""
        return self._descriptor >= 0

    def append(self, text: str) -> None:
        """Put a text at the end of the file, and on the disk; OSError, with the file as it was, when that fails."""
        size, rest = os.lseek(self._descriptor, 0, os.SEEK_END), text.encode()
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            os.fsync(self._descriptor)
        except BaseException:
            os.ftruncate(self._descriptor, size)
            raise

    def close(self) -> None:
        """Give the right back."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def __del__(self) -> None:
        self.close()


def _lock(descriptor: int) -> None:
    if fcntl is None:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        pass  # a file system without locks: a file that somebody else changed is still noticed
