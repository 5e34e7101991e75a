"""Tables as CSV, in which every cell stays text in a spreadsheet and every row one row, and as DataFrames."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

# A spreadsheet runs a cell that begins with one of these as a formula; behind an apostrophe it is a text.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)  # is one in a spreadsheet too


def as_cell(text: str) -> str:
    """Return a text as a cell that no spreadsheet takes for a formula; :func:`from_cell` is the way back.

    Examples
    --------
    >>> as_cell("=1+1"), as_cell("Ann"), from_cell(as_cell(" =1+1")), from_cell(as_cell("'t Hooft"))
    ("'=1+1", 'Ann', ' =1+1', "'t Hooft")
    >>> as_cell("-1.5"), as_cell("-1.5+A1")
    ('-1.5', "'-1.5+A1")
    """
    return f"'{text}" if _is_formula(text) else text


def from_cell(cell: str) -> str:
    """Return the text in a cell."""
    return cell[1:] if cell.startswith("'") and _is_formula(cell[1:]) else cell


def as_csv(head: Iterable[str], rows: Iterable[Sequence[object]]) -> str:
    r"""Write a table; texts in it are cells as :func:`as_cell` makes them.

    Examples
    --------
    >>> as_csv(["who", "n"], [["=Ann", 1], ["Bob", -2]])
    "who,n\n'=Ann,1\nBob,-2\n"
    """
    file = io.StringIO()
    plain = csv.writer(file, lineterminator="\n")
    # A carriage return alone ends a line for many readers, but Python writes it without quotes.
    quoted = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
    plain.writerow(head)
    for row in rows:
        cells = [as_cell(cell) if isinstance(cell, str) else cell for cell in row]
        (quoted if any("\r" in str(cell) for cell in cells) else plain).writerow(cells)
    return file.getvalue()


def _is_formula(text: str) -> bool:
    return text.lstrip(" ").startswith(_FORMULA) and not _NUMBER.fullmatch(text)


def as_frame(columns: Mapping[str, Sequence[Any]]) -> Any:
    """Return a table as a DataFrame or, without pandas, as a structured array of NumPy.

    Examples
    --------
    >>> as_frame({"row": [0, 1], "name": ["a", "b"]})["name"].tolist()
    ['a', 'b']
    """
    try:
        from pandas import DataFrame
    except ImportError:
        arrays = [np.array(values) for values in columns.values()]
        table = np.empty(len(arrays[0]), dtype=[(name, a.dtype) for name, a in zip(columns, arrays, strict=True)])
        for name, values in zip(columns, arrays, strict=True):
            table[name] = values
        return table
    return DataFrame(columns)
