"""Files: plain ones only are read, and none is replaced but by whoever wrote it."""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from dcrc_explore.session.holding import PREFIX, SUFFIX, Save, replace_file
from dcrc_explore.session.settings import SessionError

# Bytes of a session file, and of one that holds a user's own data.
LARGEST, LARGEST_DATA = 128 * 2**20, 512 * 2**20
Version = tuple[int, int, int]
_CLAIM = b"A session of dcrc-explore begins here.\n"  # what a file holds until its first answers do
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


def create(path: Path) -> None:
    """Take a name for a file that is to come; FileExistsError when it is taken."""
    with path.open("xb", buffering=0) as file:
        try:
            file.write(_CLAIM)
        except OSError:
            path.unlink(missing_ok=True)
            raise


def claim(path: Path) -> Path:
    """Create a file under a name, or under the next free one with a number."""
    for free in numbered(path):
        try:
            create(free)
        except FileExistsError:
            continue
        return free
    raise AssertionError("unreachable")


def clean(folder: Path) -> None:
    """Remove what killed processes of this user left in a folder: temporary files, and names that were taken."""
    old = time.time() - _OLD
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        temporary = entry.name.startswith(PREFIX) and entry.name.endswith(SUFFIX)
        if not temporary and not entry.name.endswith(".json"):
            continue
        try:
            status = entry.stat(follow_symlinks=False)
            ours = stat.S_ISREG(status.st_mode) and (not hasattr(os, "getuid") or status.st_uid == os.getuid())
            if ours and status.st_mtime < old and (temporary or _is_claim(entry.path, status.st_size)):
                os.unlink(entry.path)
        except OSError:
            continue


def _is_claim(path: str, size: int) -> bool:
    return size == len(_CLAIM) and Path(path).read_bytes() == _CLAIM


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
            try:
                for name, save in content.items():
                    self.export(free / name, save)
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
