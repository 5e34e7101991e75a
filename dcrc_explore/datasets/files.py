"""Files of a user's own, read as data only and within limits: they give a table or one clear sentence."""

from __future__ import annotations

import csv
import math
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from dcrc_explore.datasets.dataset import MAX_CELLS, MAX_ROWS
from dcrc_explore.datasets.table import Table, is_number

MAX_FILE_BYTES = 500_000_000
# A line is read as a whole, and so is an array.
_MAX_LINE = 5_000_000
_MAX_ARRAY_BYTES = 1_000_000_000


def check_file(path: Path, *, most: int = MAX_FILE_BYTES) -> None:
    """Refuse what is no regular file (a pipe or a device might never end) and what is too large to read.

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
        raise FileNotFoundError(f"there is no file {str(path.absolute())!r}") from None
    except (OSError, ValueError) as error:
        raise OSError(f"{str(path)!r} can't be read: {getattr(error, 'strerror', None) or error}") from error
    if not stat.S_ISREG(found.st_mode):
        kinds = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
        got = kinds.get(stat.S_IFMT(found.st_mode), "a device")
        raise ValueError(f"{str(path)!r} must be a regular file, got {got}")
    if found.st_size > most:
        raise ValueError(
            f"{str(path)!r} may have at most {most / 1e6:.3g} MB, got {found.st_size / 1e6:.4g} MB: "
            "take fewer rows or fewer columns"
        )


def read_csv(path: Path) -> Table:
    """Read a table of cells; the first row without any number is taken for column names."""
    check_file(path)
    rows: list[list[str]] = []
    lines: list[int] = []
    n_cells = 0
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(_lines(file, path), delimiter=_delimiter(file))
            end = 0
            for row in reader:
                begin, end = end + 1, reader.line_num
                if not row:
                    continue
                if rows and len(row) != len(rows[0]):
                    raise ValueError(
                        f"all rows of {str(path)!r} must have {len(rows[0])} cells as line {lines[0]} has, "
                        f"got {len(row)} in line {begin}"
                    )
                rows.append(row)
                lines.append(begin)
                n_cells += len(row)
                check_size(len(rows) - 1, n_cells - len(row), repr(str(path)))
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{str(path)!r} must be text in UTF-8, got the byte {error.object[error.start]:#04x} that is not: "
            "save it as UTF-8 (in a spreadsheet: as CSV UTF-8)"
        ) from None
    except csv.Error as error:
        if "field limit" not in str(error):
            raise ValueError(f"{str(path)!r} is no CSV file: line {end + 1} can't be read ({error})") from error
        raise ValueError(
            f"a cell of {str(path)!r} may have at most {csv.field_size_limit()} characters, "
            f"got more in line {end + 1}: is a quotation mark left open?"
        ) from None
    if not rows:
        raise ValueError(f"a CSV file must hold at least two rows, {str(path)!r} is empty")
    header = [cell.strip() for cell in rows[0]]
    if any(map(is_number, header)):
        header = [f"x{d + 1}" for d in range(len(header))]
    else:
        # A spreadsheet or a data frame leaves the name of its row numbers empty.
        header = [cell or f"column {d + 1}" for d, cell in enumerate(header)]
        del rows[0], lines[0]
    if len(set(header)) != len(header):
        raise ValueError(f"column names must differ, got {', '.join(header)}")
    columns = {}
    for d, column in enumerate(header):
        # Strings of their own lengths: an array of fixed width would be as wide as the longest cell.
        columns[column] = np.empty(len(rows), dtype=object)
        columns[column][:] = [row[d].strip() for row in rows]
    return Table(columns, lines=np.array(lines), folder=path.parent)


def check_size(n_rows: int, n_cells: int, what: str) -> None:
    """Refuse data that the explorer is not made for.

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


def _delimiter(file: TextIO) -> str:
    first = file.readline(_MAX_LINE)
    file.seek(0)
    return max(",;\t", key=first.count)


def _lines(file: TextIO, path: Path) -> Iterator[str]:
    while line := file.readline(_MAX_LINE):
        if len(line) == _MAX_LINE:
            raise ValueError(f"a line of {str(path)!r} may have at most {_MAX_LINE} characters, got more")
        yield line


def read_npz(path: Path) -> dict[str, NDArray[Any]]:
    """Read the arrays X, y, names and items, as far as the file holds them; X must be there."""
    check_file(path)
    try:
        with zipfile.ZipFile(path) as archive:
            held = set(archive.namelist())
            arrays = {key: _read_array(archive, key) for key in ("X", "y", "names", "items") if f"{key}.npy" in held}
    except _Refused as error:
        raise ValueError(f"{str(path)!r} is not an .npz file of plain arrays: {error}") from None
    except Exception as error:
        # Damaged archives fail in many ways, in zipfile, zlib, lzma and numpy; none of them is the reader's concern.
        raise ValueError(
            f"{str(path)!r} is not an .npz file of plain arrays, or it is damaged ({type(error).__name__})"
        ) from error
    if "X" not in arrays:
        raise ValueError(f"{str(path)!r} must hold an array X, got {', '.join(sorted(held)) or 'nothing'}")
    return arrays


class _Refused(Exception):
    """What an archive holds is readable, and not wanted."""


def _read_array(archive: zipfile.ZipFile, key: str) -> NDArray[Any]:
    """Read one array, after its header has told that it is plain and not too large."""
    with archive.open(f"{key}.npy") as member:
        read_header = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}[npy.read_magic(member)]
        shape, _, dtype = read_header(member)
    if dtype.hasobject or dtype.kind == "V":
        # Python objects would have to be unpickled, which can run any program.
        raise _Refused(f"{key} holds objects or records")
    size = math.prod(shape) * dtype.itemsize
    if not 0 <= size <= _MAX_ARRAY_BYTES:
        raise _Refused(f"{key} may have at most {_MAX_ARRAY_BYTES / 1e6:g} MB, got shape {shape} of {dtype}")
    with archive.open(f"{key}.npy") as member:
        return npy.read_array(member, allow_pickle=False)
