"""Files of a user's own, read as data only and within limits: they give a table or one clear sentence."""

from __future__ import annotations

import csv
import math
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any, TextIO, cast

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from dcrc_explore.datasets.limits import check_file, check_size
from dcrc_explore.datasets.table import Table, is_number
from dcrc_explore.progress import Watch, unwatched
from dcrc_explore.words import listed

# A line is read as a whole, and so is an array.
_MAX_LINE = 5_000_000
_MAX_ARRAY_BYTES = 1_000_000_000
# Cells that a processor's cache holds: a table is turned from rows to columns in blocks of so many.
_NEAR = 10_000


_WATCHED = 2000  # rows between two calls of a watch


def read_csv(path: Path, watch: Watch = unwatched) -> Table:
    """Read a table of cells; the first row without any number is taken for column names."""
    check_file(path)
    size = path.stat().st_size
    rows: list[list[str]] = []
    numbers: list[int] = []
    n_cells = 0
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            delimiter = _delimiter(file)
            reader = csv.reader(_lines(file, path), delimiter=delimiter)
            end = 0
            for number, row in enumerate(reader, 1):
                end = reader.line_num
                if number % _WATCHED == 0:
                    watch(cast(IO[bytes], file.buffer).tell() // 1000, size // 1000, "kB")
                if not row:
                    continue
                if rows and len(row) != len(rows[0]):
                    raise ValueError(
                        f"all rows of {str(path)!r} must have {len(rows[0])} cells as row {numbers[0]} has, "
                        f"got {len(row)} in row {number}"
                    )
                rows.append(row)
                numbers.append(number)
                n_cells += len(row)
                check_size(len(rows) - 1, n_cells - len(row), repr(str(path)))
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{str(path)!r} must be text in UTF-8, got the byte {error.object[error.start]:#04x} that is not: "
            "save it as UTF-8 (in a spreadsheet: as CSV UTF-8)"
        ) from None
    except csv.Error as error:
        if "field limit" not in str(error):
            raise ValueError(f"{str(path)!r} is not a CSV file: line {end + 1} cannot be read ({error})") from error
        raise ValueError(
            f"a cell of {str(path)!r} may have at most {csv.field_size_limit()} characters, "
            f"got more in line {end + 1}: is a quotation mark left open?"
        ) from None
    if not rows:
        raise ValueError(f"a CSV file must hold at least two rows, {str(path)!r} is empty")
    header = [cell.strip() for cell in rows[0]]
    decimal_comma = delimiter != ","
    if any(is_number(cell.replace(",", ".") if decimal_comma else cell) for cell in header):
        header = [f"x{d + 1}" for d in range(len(header))]
    else:
        # A spreadsheet or a data frame leaves the name of its row numbers empty.
        header = [cell or f"column {d + 1}" for d, cell in enumerate(header)]
        del rows[0], numbers[0]
    if len(set(header)) != len(header):
        raise ValueError(f"column names must differ, got {listed(header)}")
    return Table(_columns(header, rows), np.array(numbers), path.parent, decimal_comma)


def _columns(header: list[str], rows: list[list[str]]) -> dict[str, NDArray[Any]]:
    # Strings of their own lengths: an array of fixed width would be as wide as the longest cell.
    columns = {column: np.empty(len(rows), dtype=object) for column in header}
    at_once = max(1, _NEAR // len(header))
    for begin in range(0, len(rows), at_once):
        block = rows[begin : begin + at_once]
        for column, cells in zip(columns.values(), zip(*block, strict=True), strict=True):
            column[begin : begin + len(block)] = list(map(str.strip, cells))
    return columns


def _delimiter(file: TextIO) -> str:
    first = file.readline(_MAX_LINE).rstrip("\r\n")
    file.seek(0)
    for delimiter in ";\t":
        # In a row of numbers with decimal commas there are more commas than columns.
        cells = first.replace(",", ".").split(delimiter)
        if len(cells) > 1 and all(is_number(cell) for cell in cells):
            return delimiter
    return max(",;\t", key=first.count)


def _lines(file: TextIO, path: Path) -> Iterator[str]:
    while line := file.readline(_MAX_LINE):
        if len(line) == _MAX_LINE:
            raise ValueError(f"a line of {str(path)!r} may have at most {_MAX_LINE} characters, got more")
        yield line


def read_lines(path: Path) -> dict[int, str]:
    """Read a text in each line, by the number of the line from 0; blank lines are left out."""
    check_file(path)
    texts: dict[int, str] = {}
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(_lines(file, path)):
                if line.strip():
                    texts[number] = line.strip()
                    check_size(len(texts), 0, repr(str(path)))
    except UnicodeDecodeError:
        raise ValueError(f"{str(path)!r} must be text in UTF-8: save it as UTF-8") from None
    if len(texts) < 2:
        raise ValueError(f"{str(path)!r} must hold at least two lines, a text in each, got {len(texts)}")
    return texts


def read_npz(path: Path) -> dict[str, NDArray[Any]]:
    """Read the arrays X, y, names and items, as far as the file holds them; X must be there."""
    with _explained(path, "an .npz file of plain arrays"), zipfile.ZipFile(path) as archive:
        held = set(archive.namelist())
        names = [key for key in ("X", "y", "names", "items") if f"{key}.npy" in held]
        arrays = {key: _read_array(partial(archive.open, f"{key}.npy"), key) for key in names}
    if "X" not in arrays:
        raise ValueError(f"{str(path)!r} must hold an array X, got {', '.join(sorted(held)) or 'nothing'}")
    return arrays


def read_npy(path: Path) -> NDArray[Any]:
    """Read one array."""
    with _explained(path, "an .npy file of a plain array"):
        return _read_array(lambda: path.open("rb"), "it")


class _Refused(Exception):
    """What a file holds is readable, and not wanted."""


@contextmanager
def _explained(path: Path, what: str) -> Iterator[None]:
    check_file(path)
    try:
        yield
    except _Refused as error:
        raise ValueError(f"{str(path)!r} is not {what}: {error}") from None
    except Exception as error:
        # Damaged files fail in many ways, in zipfile, zlib, lzma and numpy; none of them is the reader's concern.
        raise ValueError(f"{str(path)!r} is not {what}, or it is damaged ({type(error).__name__})") from error


def _read_array(opened: Callable[[], IO[bytes]], key: str) -> NDArray[Any]:
    """Read one array, after a check of its header: plain, and not too large."""
    with opened() as file:
        read_header = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}[npy.read_magic(file)]
        shape, _, dtype = read_header(file)
    if dtype.hasobject or dtype.kind == "V":
        # Python objects would have to be unpickled, which can run any program.
        raise _Refused(f"{key} holds objects or records")
    size = math.prod(shape) * dtype.itemsize
    if not 0 <= size <= _MAX_ARRAY_BYTES:
        raise _Refused(f"{key} may have at most {_MAX_ARRAY_BYTES / 1e6:g} MB, got shape {shape} of {dtype}")
    if key == "X" and len(shape) == 2:
        try:
            check_size(shape[0], math.prod(shape), key)
        except ValueError as error:
            raise _Refused(str(error)) from None
    with opened() as file:
        return npy.read_array(file, allow_pickle=False)
