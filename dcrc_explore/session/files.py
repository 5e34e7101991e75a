"""Files: replaced as a whole, and written by one session at a time."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: a file that somebody else changed is still noticed
    fcntl = None  # type: ignore[assignment]

PREFIX, SUFFIX = ".dcrc-explore-", ".tmp"

Version = tuple[int, int, int]


def version(path: Path) -> Version | None:
    """Return what changes with every writing of a file, or None when there is no file; a link is not followed."""
    try:
        return _version(path.lstat())
    except FileNotFoundError:
        return None


def _version(status: os.stat_result) -> Version:
    return status.st_ino, status.st_mtime_ns, status.st_size


class Hold:
    """The right to write a file, which one session has at a time; it ends with the process, however that ends."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

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

    def close(self) -> None:
        """Give the right back."""
        descriptor, self.descriptor = self.descriptor, -1
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


def replace_file(path: Path, text: str) -> Hold:
    """Replace a file as a whole: whoever reads it, also after a crash, finds the old text or the new one.

    The new text is written under a name that nobody could foresee, into a file that nobody else can open.
    """
    descriptor, name = tempfile.mkstemp(suffix=SUFFIX, prefix=PREFIX, dir=path.parent)
    hold = Hold(descriptor)
    try:
        _lock(descriptor)
        with os.fdopen(os.dup(descriptor), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(descriptor)
        if path.exists():
            os.chmod(name, path.stat().st_mode & 0o777)
        if fcntl is None:
            hold.close()  # Windows does not replace by a file that is open
        os.replace(name, path)
    except BaseException:
        hold.close()
        Path(name).unlink(missing_ok=True)
        raise
    return hold
