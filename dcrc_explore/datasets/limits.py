"""Limits of the data in the explorer. DCRC itself takes arrays of any size."""

from __future__ import annotations

import stat
from pathlib import Path

MAX_ROWS = 1_000_000
MAX_CELLS = 20_000_000
MAX_FILE_BYTES = 500_000_000


def check_size(n_rows: int, n_cells: int, what: str) -> None:
    """Raise ValueError for data beyond the limits of the explorer.

    Examples
    --------
    >>> check_size(3_000_000, 9_000_000, "X")
    Traceback (most recent call last):
    ...
    ValueError: X may have at most 1000000 rows and 20000000 cells, got 3000000 rows or more: take a sample of the rows
    """
    limits = f"{what} may have at most {MAX_ROWS} rows and {MAX_CELLS} cells"
    if n_rows > MAX_ROWS:
        raise ValueError(f"{limits}, got {n_rows} rows or more: take a sample of the rows")
    if n_cells > MAX_CELLS:
        raise ValueError(f"{limits}, got {n_cells} cells or more: take fewer rows or columns")


def _from_the_root(path: Path) -> str:
    try:
        return str(path.absolute())
    except FileNotFoundError:  # the working folder was deleted
        return str(path)


def check_file(path: Path, *, most: int = MAX_FILE_BYTES) -> None:
    """Refuse a missing file, one that is not regular (a pipe or device might never end), and one that is too large.

    Examples
    --------
    >>> check_file(Path("/dev/null"))
    Traceback (most recent call last):
    ...
    ValueError: '/dev/null' must be a regular file, got a device
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        raise FileNotFoundError(f"there is no file {_from_the_root(path)!r}") from None
    except (OSError, ValueError) as error:
        raise OSError(f"{str(path)!r} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if not stat.S_ISREG(found.st_mode):
        kinds = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
        got = kinds.get(stat.S_IFMT(found.st_mode), "a device")
        raise ValueError(f"{str(path)!r} must be a regular file, got {got}")
    if found.st_size > most:
        raise ValueError(
            f"{str(path)!r} may have at most {most / 1e6:.3g} MB, got {found.st_size / 1e6:.4g} MB: "
            "take fewer rows or fewer columns"
        )
