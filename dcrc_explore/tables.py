"""Tables as CSV: every cell stays text in a spreadsheet, and every row stays one row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

# A spreadsheet runs a cell that begins with one of these as a formula; behind an apostrophe it is a text.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")


def as_cell(text: str) -> str:
    """Return a text as a cell that no spreadsheet takes for a formula; :func:`from_cell` is the way back.

    Examples
    --------
    >>> as_cell("=1+1"), as_cell("Ann"), from_cell(as_cell(" =1+1")), from_cell(as_cell("'t Hooft"))
    ("'=1+1", 'Ann', ' =1+1', "'t Hooft")
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
    return text.lstrip(" ").startswith(_FORMULA)
