"""One writer for each file: it is replaced as a whole or grows by lines, under a lock that ends with the process."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

try:
    import fcntl
except ImportError:
    # Windows: neither does it have these locks, nor does it replace a file that is open. There a file is open only
    # while it is written, always as a whole; one that somebody else has changed is noticed as everywhere.
    fcntl = None  # type: ignore[assignment]

Save = Callable[[BinaryIO], object]
PREFIX, SUFFIX = ".dcrc-explore-", ".tmp"  # of temporary files


def replace_file(path: Path, save: Save) -> Hold:
    """Replace a file as a whole: whoever reads it, also after a crash, finds the old text or the new one.

    The new text is written under a name that nobody could foresee, into a file that nobody else can open.
    """
    descriptor, name = tempfile.mkstemp(suffix=SUFFIX, prefix=PREFIX, dir=path.parent)
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
            hold.close()
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


class Hold:
    """The right to write a file, which one session has at a time; it ends with the process, however that ends."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def on(cls, path: Path) -> Hold:
        """Take the right; BlockingIOError when somebody else has it."""
        if fcntl is None:
            return cls(-1)
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


def in_use(path: Path) -> bool:
    """Whether somebody else has the right to write a file."""
    try:
        Hold.on(path).close()
    except BlockingIOError:
        return True
    except OSError:  # it can't be written at all
        pass
    return False


def _lock(descriptor: int) -> None:
    if fcntl is None:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        pass  # a file system without locks: a file that somebody else changed is still noticed
