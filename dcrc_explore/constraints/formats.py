"""Files of answers: the one table that everything here writes and reads, and the files of other tools.

=============  ========================================================================================================
format         what a file holds
=============  ========================================================================================================
"table"        CSV with a header: ``a, b, c, answer`` and, where they are known, ``by``, ``time`` and ``seconds``; other
               columns may follow. ``a, b, c`` are row numbers, counted from 0, or names of items; ``c`` is empty for a
               pair. The answer is yes, no or don't know.
"salmon"       CSV of Salmon's responses: ``head, winner, loser`` are row numbers, and ``puid`` is the participant.
"cblearn"      three row numbers in a line, without a header, separated by blanks or commas: the second is nearer to the
               first than the third ("list-order"), unless a fourth number, 1 or -1, says otherwise ("list-count").
"links"        two row numbers and 1 (must-link) or -1 (cannot-link) in a line, without a header. Constrained clustering
               libraries write ML and CL instead of the numbers as well.
=============  ========================================================================================================

Answers that are written here are words. In the files of others 1 is yes and -1 is no; 0 is don't know where the file
has another way to say no, and otherwise `zero` says what it is. Salmon, cblearn and lists of pairs have no don't
know: such answers are not written.
"""

from __future__ import annotations

import csv
import os
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from dcrc_explore.constraints.answers import Answer
from dcrc_explore.constraints.log import LONGEST_SECONDS, MOST_ANSWERS, NAME, Log, now
from dcrc_explore.constraints.triplets import same_question
from dcrc_explore.storage import read_text
from dcrc_explore.tables import as_cell, from_cell
from dcrc_explore.values import one_of
from dcrc_explore.words import count

FORMAT = one_of(["table", "salmon", "cblearn", "links"])
_LARGEST = 128 * 2**20  # bytes
# What the columns of a table may be called; the first is what is written. Salmon has answers without don't know.
_TABLE = {
    "a": ("a", "i"),
    "b": ("b", "j"),
    "c": ("c", "k"),
    "answer": ("answer",),
    "by": ("by", "annotator", "participant", "guest"),
    "time": ("time", "at"),
    "seconds": ("seconds",),
}
_SALMON = {"a": ("head",), "b": ("winner",), "c": ("loser",), "by": ("puid",), "seconds": ("response_time",)}
_WORDS = {"ml": "yes", "cl": "no", "true": "yes", "false": "no"}
_MOST_DIGITS = 15
_OF_FILE = ("row_a", "row_b", "row_c")
COUNTS_FROM_1 = "Row 1 is named and row 0 is not: perhaps the file counts from 1."


class AmbiguousAnswers(ValueError):
    """A file of answers whose numbers can mean two things.

    Attributes
    ----------
    question : str
        What is not clear.
    readings : dict of str to dict
        The possible readings in words, and what to pass to :func:`read_answers` for each of them.
    """

    def __init__(self, question: str, readings: Mapping[str, Mapping[str, Any]]) -> None:
        choices = [", ".join(f"{k}={v!r}" for k, v in each.items()) for each in readings.values()]
        meanings = (f"{choice} ({words})" for choice, words in zip(choices, readings, strict=True))
        super().__init__(f"{question}: pass {' or '.join(meanings)}")
        self.question, self.readings = question, readings


def read_answers(path: str | os.PathLike[str], **reading: Any) -> Log:
    r"""Read answers from a file of this or another tool; :meth:`DCRC.fit` takes them as ``triplets``.

    Warns of answers that repeat or contradict others of the same person, and of row numbers that look as if they were
    counted from 1.

    Parameters
    ----------
    path : path
    names : sequence of str, optional
        Names of the items, in the order of the rows of X. Without names a file must hold row numbers.
    n_samples : int, optional
        Number of rows of X; when given, row numbers are checked against it.
    file_format : {"table", "salmon", "cblearn", "links"}, optional
        By default recognised from the content.
    zero : {"no", "don't know"}, optional
        What 0 means as an answer, needed where the file does not tell.
    first_row : {0, 1}, default=0
        From where row numbers are counted in the file.
    source_rows : sequence of int, optional
        The row of your data's file that each row of X is, as ``dataset.rows``, where some were left out.
    rows : {"numbers", "names", "file"}, optional
        What the file names items by, needed where numbers are names of items too, or rows of your data's file. A file
        that was exported from data with rows left out has both numbers.
    by : str, default="user"
        Who gave the answers of which the file does not tell.

    Returns
    -------
    Log
        The answers in the order of the file, as `triplets`, `pairs` and `annotators`, or as a sequence.

    Raises
    ------
    AmbiguousAnswers
        When the numbers of the file can mean two things; it says what to pass for each of them.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name) / "answers.csv"
    >>> _ = path.write_text("a,b,c,answer\nfox,wolf,hen,yes\nhen,fox,wolf,don't know\n")
    >>> read_answers(path, names=["fox", "hen", "wolf"]).triplets[0]
    ((0, 2, 1), <Answer.YES: 1>)
    """
    log = parse_answers(path, **reading)
    for remark in remarks(log, reading=reading):
        hint = " Then pass first_row=1." if remark == COUNTS_FROM_1 else ""
        warnings.warn(f"{Path(path).name}: {remark}{hint}", UserWarning, stacklevel=2)
    return log


def parse_answers(
    path: str | os.PathLike[str],
    *,
    names: Sequence[str] | None = None,
    n_samples: int | None = None,
    file_format: str | None = None,
    zero: str | None = None,
    first_row: int = 0,
    source_rows: Sequence[int] | None = None,
    rows: str | None = None,
    by: str = "user",
) -> Log:
    """Do as :func:`read_answers`, without warnings."""
    if file_format is not None:
        FORMAT.checked(file_format, "file_format")
    if zero is not None and (not isinstance(zero, str) or zero not in ("no", "don't know")):
        raise ValueError(f"zero must be 'no' or \"don't know\", got {zero!r}")
    if first_row not in (0, 1):
        raise ValueError(f"first_row must be 0 or 1, got {first_row!r}")
    file = _File(Path(path))
    lines = list(file.answers(file_format))
    columns: Sequence[str] = "abc"
    has_both = any(_OF_FILE[0] in line.cells for line in lines)
    known = ["numbers", *["names"] * (names is not None), *["file"] * (source_rows is not None or has_both)]
    if rows is not None and rows not in known:
        raise ValueError(f"rows must be 'numbers', 'names' with names, or 'file' with source_rows, got {rows!r}")
    if has_both and rows in (None, "file"):
        if source_rows is rows is None:
            readings = {"X has only the rows that were not left out": "numbers", "X has all rows of the file": "file"}
            what = f"Rows were left out of the data of {file.name}: a, b and c name points, row_a to row_c rows"
            raise AmbiguousAnswers(what, {words: {"rows": value} for words, value in readings.items()})
        columns, rows = _OF_FILE, "file"
    if len(lines) > MOST_ANSWERS:
        raise ValueError(f"{file.name} must hold at most {MOST_ANSWERS} answers, got {len(lines)}")
    n_samples = len(names) if names is not None else n_samples
    names_in_file = None if rows in ("numbers", "file") or file.is_numbered else names
    places = None if rows == "numbers" else source_rows
    cells = [line.points(columns) for line in lines]
    points = _points(file, lines, cells, names_in_file, n_samples, first_row, places, rows)
    answers = _answers(file, lines, zero)
    people = [_person(file, line) or by for line in lines]
    times = [_time(line.cells.get("time", "")) for line in lines]
    return Log().plus(points, answers, time=times, by=people, seconds=[_seconds(file, line) for line in lines])


class _Line(NamedTuple):
    """A line of a file: its number, and its cells by the columns of the table that is written here."""

    number: int
    cells: dict[str, str]

    def points(self, columns: Sequence[str] = "abc") -> list[str]:
        """Return the cells of the two or three items."""
        cells = [self.cells[column] for column in columns if column in self.cells]
        return cells[:2] if cells[2:] == [""] else cells


class _File:
    """The lines of a file, by what they say of answers; errors name file and line."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        # Whether items are named by their places, whatever they are called.
        self.is_numbered = False
        try:
            text = read_text(path, largest=_LARGEST).removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            what = f"byte {error.start} is none: save it as CSV in UTF-8"
            raise ValueError(f"{self.name} must be text in UTF-8, but {what}") from None
        try:
            self._lines = list(_lines(text))
        except csv.Error as error:
            raise ValueError(f"{self.name} cannot be read as CSV: {error}") from None
        if not self._lines:
            raise ValueError(f"{self.name} must hold answers, got an empty file")

    def error(self, line: int, what: str) -> ValueError:
        return ValueError(f"line {line} of {self.name} {what}")

    def answers(self, file_format: str | None) -> Iterator[_Line]:
        chosen = file_format or self._recognised()
        if chosen in ("table", "salmon"):
            yield from self._of_table(_TABLE if chosen == "table" else _SALMON)
            return
        columns, n_cells, wanted = {
            "links": (["a", "b", "answer"], (3,), "two items and 1 or -1"),
            "cblearn": (["a", "b", "c", "answer"], (3, 4), "three items and perhaps 1 or -1"),
        }[chosen]
        for number, cells in self._lines:
            if len(cells) not in n_cells:
                raise self.error(number, f"must have {wanted}, got {count(len(cells), 'cell')}")
            yield _Line(number, dict(zip(columns, cells, strict=False)))

    def _recognised(self) -> str:
        number, first = self._lines[0]
        header = {cell.lower() for cell in first}
        if set(_one(_SALMON, "abc")) <= header:
            return "salmon"
        if "answer" in header:
            return "table"
        if _number(first[0]) is None:
            columns = "a, b, c, answer, or with head, winner, loser"
            raise self.error(number, f"must be a header with {columns}, or hold row numbers, got {', '.join(first)}")
        triples = [cells for _, cells in self._lines if len(cells) == 3]
        last = {cells[2].lower() for cells in triples}
        if last & {"-1", "ml", "cl"} or (last <= {"0", "1"} and any(cells[2] in cells[:2] for cells in triples)):
            return "links"
        if len(triples) == len(self._lines) and last <= {"0", "1"}:
            what = f"The lines of {self.name} have three numbers, and the third is always {' or '.join(sorted(last))}"
            readings = {"three items, the second is nearer": "cblearn", "two items and an answer": "links"}
            raise AmbiguousAnswers(what, {words: {"file_format": name} for words, name in readings.items()})
        return "cblearn"

    def _of_table(self, columns: Mapping[str, Sequence[str]]) -> Iterator[_Line]:
        (number, head), *lines = self._lines
        header = [cell.lower() for cell in head]
        self.is_numbered = columns is _SALMON or "surprise_bits" in header  # which only exports of sessions have
        place = {name: header.index(name) for name in _OF_FILE} if set(_OF_FILE) <= set(header) else {}
        for column, names in columns.items():
            name = next((name for name in names if name in header), None)
            if name is not None:
                place[column] = header.index(name)
                if (n := header.count(name)) > 1:
                    raise self.error(number, f"must have one column {name!r}, got {n}")
        needed = [column for column in ("a", "b", "c", "answer") if column in columns]
        # A table of pairs alone may do without a third item.
        if any(column not in place for column in needed if column != "c" or columns is _SALMON):
            raise self.error(number, f"must name the columns {', '.join(_one(columns, needed))}, got {', '.join(head)}")
        for line, cells in lines:
            if len(cells) != len(header):
                raise self.error(line, f"must have {len(header)} cells, got {len(cells)}")
            yield _Line(line, {column: cells[at] for column, at in place.items()})


def _one(columns: Mapping[str, Sequence[str]], which: Iterable[str]) -> list[str]:
    return [columns[column][0] for column in which]


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Split into cells by commas, semicolons or tabs, whichever the first line has, else by blanks; count from 1."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = next((mark for mark in (",", ";", "\t") if mark in first), None)
    if separator is None:
        yield from ((number, line.split()) for number, line in enumerate(text.splitlines(), 1) if line.strip())
        return
    reader, line = csv.reader(StringIO(text, newline=""), delimiter=separator), 1
    for cells in reader:
        if any(map(str.strip, cells)):
            yield line, [cell.strip() for cell in cells]
        line = reader.line_num + 1


def _number(cell: str) -> int | None:
    """Return the row number in a cell, as 7 or 7.0; None for any other text."""
    digits = cell.removesuffix(".0")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS else None


def _points(
    file: _File,
    lines: list[_Line],
    points: list[list[str]],
    names: Sequence[str] | None,
    n_samples: int | None,
    first_row: int,
    source_rows: Sequence[int] | None,
    rows: str | None,
) -> list[tuple[int, ...]]:
    """Return the questions of all lines by row number."""
    known: dict[str, list[int]] = defaultdict(list)  # by cell: as it is written here, and as others may write it
    for place, name in enumerate(names or ()):
        known[as_cell(str(name)).strip()].append(place)
    for place, name in enumerate(names or ()):
        if as_cell(str(name)) != str(name):
            known.setdefault(str(name).strip(), []).append(place)
    cells = {cell for row in points for cell in row}
    numbers = {cell: number - first_row for cell in cells if (number := _number(cell)) is not None}
    named = {cell: known[cell] for cell in cells if cell in known}
    both = rows is None and len(named) == len(numbers) == len(cells)
    if both and any(named[cell] != [numbers[cell]] for cell in cells):
        readings = {"row numbers": {"rows": "numbers"}, "names of items": {"rows": "names"}}
        raise AmbiguousAnswers(f"The numbers in {file.name} are row numbers and names of items alike", readings)
    by_name = bool(names) and (rows == "names" or len(named) >= len(numbers))
    place_of = {row: place for place, row in enumerate(source_rows or ())}
    left_out = any(row != place for row, place in place_of.items())
    if rows is None and not by_name and left_out and any(place_of.get(n) != n for n in numbers.values()):
        readings = {"rows of the file of your data": {"rows": "file"}, "rows without those": {"rows": "numbers"}}
        raise AmbiguousAnswers(f"Rows of your data were left out, which the numbers in {file.name} may count", readings)
    largest = max(numbers.values(), default=-1)
    from_zero = by_name or rows == "file" or first_row or not n_samples
    if not from_zero and largest == n_samples and min(numbers.values()) > 0:
        what = f"Rows are numbered 0 to {n_samples - 1} here, but {min(numbers.values())} to {largest} in {file.name}"
        raise AmbiguousAnswers(what, {"if it counts from 1": {"first_row": 1}})

    def at(line: _Line, cell: str) -> int:
        if by_name:
            found = named.get(cell, [])
            if len(found) > 1:
                raise file.error(line.number, f"names {cell!r}, which is the name of rows {found[0]} and {found[1]}")
            if not found:
                raise file.error(line.number, f"names an unknown item, {cell!r}")
            return found[0]
        number = numbers.get(cell)
        if place_of and number is not None and rows == "file":
            if number not in place_of:
                what = f"names row {cell} of the file of your data, which is not among the points"
                raise file.error(line.number, what)
            return place_of[number]
        if number is None or number < 0 or (n_samples is not None and number >= n_samples):
            last = "" if n_samples is None else f" to {n_samples - 1 + first_row}"
            hint = ": pass names=" if number is None and names is None and cell and not cell.startswith("-") else ""
            raise file.error(line.number, f"must hold row numbers from {first_row}{last}, got {cell!r}{hint}")
        return number

    questions = [tuple(at(line, cell) for cell in row) for line, row in zip(lines, points, strict=True)]
    for line, row, question in zip(lines, points, questions, strict=True):
        if len(set(question)) < len(question):
            raise file.error(line.number, f"must name {len(question)} different items, got {', '.join(row)}")
    return questions


def _answers(file: _File, lines: list[_Line], zero: str | None) -> list[Answer]:
    """Return the answers of all lines; 0 is don't know where no is written in another way."""
    given = [line.cells.get("answer", "yes") for line in lines]
    words = [_WORDS.get(word := answer.lower(), word.removesuffix(".0")) for answer in given]
    if "0" in words and zero is None:
        if not {"-1", "no"} & set(words):
            readings = {f"0 is {word}": {"zero": word} for word in ("no", "don't know")}
            raise AmbiguousAnswers(f"The answers in {file.name} have 0, which can mean two things", readings)
        zero = "don't know"
    known = {"1": "yes", "-1": "no", "0": zero}
    answers = []
    for line, answer, word in zip(lines, given, words, strict=True):
        try:
            answers.append(Answer(known.get(word, word)))  # type: ignore[arg-type]
        except ValueError:
            expected = "yes, no or don't know (or 1, -1, 0)"
            raise file.error(line.number, f"must have the answer {expected}, got {answer[:80]!r}") from None
    return answers


def _person(file: _File, line: _Line) -> str:
    name = " ".join(from_cell(line.cells.get("by", "")).split())
    if name and not NAME.fits(name):
        raise file.error(line.number, f"must have a name that is {NAME.expected}, got {name[:60]!r}")
    return name


def _seconds(file: _File, line: _Line) -> float:
    cell = line.cells.get("seconds", "")
    try:
        seconds = float(cell or "nan")
    except ValueError:
        seconds = -1.0
    if not cell or 0 <= seconds <= LONGEST_SECONDS:
        return seconds
    raise file.error(line.number, f"must have seconds from 0 to {LONGEST_SECONDS:g}, got {cell[:80]!r}")


def _time(cell: str) -> str:
    try:
        return datetime.fromisoformat(cell).isoformat(timespec="milliseconds")
    except ValueError:
        return now()


def remarks(log: Log, before: Log | None = None, *, reading: Mapping[str, Any] | None = None) -> list[str]:
    """Return what is odd about answers that were read so, in sentences; `before` are those that are there already.

    Examples
    --------
    >>> remarks(Log().plus([(1, 2, 3), (1, 3, 2), (1, 2, 3)], ["yes", "no", "no"]))[:2]
    ['1 answer repeats another one of the same person.', '1 answer contradicts another one of the same person.']
    """
    whole = log if before is None else before.plus_checked(log.points, log.answers, by=log.by)
    answered: dict[Any, set[int]] = defaultdict(set)
    repeated = contradicted = 0
    for t, (points, answer, by) in enumerate(zip(whole.points.tolist(), whole.answers.tolist(), whole.by, strict=True)):
        question, is_mirrored = same_question(points[:2] if points[2] < 0 else points)
        key, same = (question, by), -answer if is_mirrored else answer
        if t >= len(whole) - len(log) and answered[key]:
            repeated += same in answered[key]
            contradicted += same not in answered[key]
        answered[key].add(same)
    sentences = [
        f"{count(n, 'answer')} {verb}{'s' if n == 1 else ''} another one of the same person."
        for n, verb in ((repeated, "repeat"), (contradicted, "contradict"))
        if n
    ]
    named = log.points[log.points >= 0]
    chosen = reading or {}
    if not chosen.get("first_row") and chosen.get("rows") != "file" and len(named) and named.min() == 1:
        sentences.append(COUNTS_FROM_1)
    return sentences
