"""Answers in the files of other tools: triplets of cblearn and Salmon, plain tables with names, and lists of pairs.

=============  ========================================================================================================
format         what a file holds
=============  ========================================================================================================
"table"        CSV with a header: ``a, b, c, answer`` (of pairs ``a, b, answer``) and, optionally, ``annotator``. The
               answer is yes, no or don't know; ``a, b, c`` are names of items or row numbers.
"salmon"       CSV of Salmon's responses: ``head, winner, loser`` are row numbers, and ``puid`` is the participant.
"cblearn"      three row numbers in a line, without a header, separated by blanks or commas: the second is nearer to the
               first than the third ("list-order"), unless a fourth number, 1 or -1, says otherwise ("list-count").
"links"        two row numbers and 1 (must-link) or -1 (cannot-link) in a line, without a header. Constrained clustering
               libraries write ML and CL instead of the numbers as well.
=============  ========================================================================================================

Salmon and cblearn have no don't know, and lists of pairs have none either: such answers are not written.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dcrc_explore.constraints.answers import Answer
from dcrc_explore.constraints.given import Pairs, Triplets
from dcrc_explore.storage import StoredFile
from dcrc_explore.tables import as_cell, from_cell

FORMATS = ("table", "salmon", "cblearn", "links")
_ANSWERS = {Answer.YES: "yes", Answer.NO: "no", Answer.DNK: "don't know"}
_LINKS = {"1": Answer.YES, "ml": Answer.YES, "-1": Answer.NO, "cl": Answer.NO}


@dataclass(frozen=True)
class Responses:
    """Answers of a file.

    Attributes
    ----------
    triplets : Triplets
    pairs : Pairs
    annotators : list of str or None
        Who gave each answer, triplets first, as :meth:`DCRC.fit` takes it; None where the file has no names.
    """

    triplets: Triplets
    pairs: Pairs
    annotators: list[str] | None = None


def read_answers(
    path: str | os.PathLike[str],
    *,
    names: Sequence[str] | None = None,
    n_samples: int | None = None,
    file_format: str | None = None,
) -> Responses:
    r"""Read answers from a file of this or another tool.

    Parameters
    ----------
    path : path
    names : sequence of str, optional
        Names of the items, in the order of the rows of X. Without names a file must hold row numbers.
    n_samples : int, optional
        Number of rows of X; when given, row numbers are checked against it.
    file_format : {"table", "salmon", "cblearn", "links"}, optional
        By default recognised from the content. A list of must-links alone, written with numbers, looks like triplets:
        pass "links".

    Returns
    -------
    Responses

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name) / "answers.csv"
    >>> _ = path.write_text("a,b,c,answer\nfox,wolf,hen,yes\nhen,fox,wolf,don't know\n")
    >>> read_answers(path, names=["fox", "hen", "wolf"]).triplets[0]
    ((0, 2, 1), <Answer.YES: 1>)
    """
    text = Path(path).read_text(encoding="utf-8-sig")
    lines = _lines(text)
    if not lines:
        raise ValueError(f"{Path(path).name} must hold answers, got an empty file")
    chosen = _recognised(lines) if file_format is None else file_format
    if chosen not in FORMATS:
        raise ValueError(f"file_format must be one of {', '.join(FORMATS)}, got {file_format!r}")
    where = _Places(Path(path).name, names, n_samples if names is None else len(names))
    return _READERS[chosen](lines, where)


def write_answers(
    path: str | os.PathLike[str],
    answered: Triplets | Pairs,
    *,
    file_format: str = "table",
    names: Sequence[str] | None = None,
    annotators: Sequence[str] | None = None,
    seconds: Sequence[float | None] | None = None,
) -> int:
    r"""Write answers to a file for this or another tool; return how many were written.

    Most formats have no don't know: such answers are left out.

    Parameters
    ----------
    path : path
        Replaced only when everything is written.
    answered : Triplets or Pairs
        "salmon" and "cblearn" take triplets, "links" takes pairs, "table" both.
    file_format : {"table", "salmon", "cblearn", "links"}, default="table"
    names : sequence of str, optional
        Names of the items, for "table".
    annotators : sequence of str, optional
        Who gave each answer, for "table" and "salmon".
    seconds : sequence of float, optional
        How long each took, for "salmon"; None where that is not known.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name) / "triplets.txt"
    >>> write_answers(path, Triplets([(0, 1, 2), (0, 2, 3)], ["no", "dnk"]), file_format="cblearn")
    1
    >>> path.read_text()
    '0 2 1\n'
    """
    if file_format not in FORMATS:
        raise ValueError(f"file_format must be one of {', '.join(FORMATS)}, got {file_format!r}")
    takes_pairs = {"table": None, "links": True}.get(file_format, False)
    if takes_pairs is not None and isinstance(answered, Pairs) != takes_pairs:
        other = "Pairs" if takes_pairs else "Triplets"
        raise ValueError(f"a file of format {file_format!r} holds {other}, got {answered!r}")
    if annotators is not None and (isinstance(annotators, str) or len(annotators) != len(answered)):
        raise ValueError(f"annotators must be one name for each of {len(answered)} answers, got {annotators!r:.60}")
    if names is not None and answered.indices.max(initial=-1) >= len(names):
        raise ValueError(f"names must name every row, got {len(names)} names and row {answered.indices.max()}")
    text, n_written = answers_as_text(answered, file_format, names, annotators, seconds)
    with StoredFile(Path(path)) as file:
        file.replace(text.encode())
    return n_written


def answers_as_text(
    answered: Triplets | Pairs,
    file_format: str,
    names: Sequence[str] | None = None,
    annotators: Sequence[str] | None = None,
    seconds: Sequence[float | None] | None = None,
) -> tuple[str, int]:
    r"""Return the text of a file in one of the `FORMATS`, and how many answers it has: see :func:`write_answers`.

    Examples
    --------
    >>> answers_as_text(Triplets([(0, 1, 2)], ["no"]), "salmon", annotators=["Ann"], seconds=[1.5])
    ('head,winner,loser,left,right,puid,response_time\n0,2,1,1,2,Ann,1.5\n', 1)
    """
    rows = list(_WRITERS[file_format](answered, _About(names, annotators, seconds)))
    stream = StringIO()
    separator = " " if file_format in ("cblearn", "links") else ","
    csv.writer(stream, delimiter=separator, lineterminator="\n").writerows(rows)
    return stream.getvalue(), len(rows) - (file_format in ("table", "salmon"))


Lines = list[tuple[int, list[str]]]  # numbers, counted from 1, and cells of the lines that are not empty


@dataclass(frozen=True)
class _Places:
    """Turns cells into row numbers, and says in which line one cannot be."""

    file: str
    names: Sequence[str] | None
    n_samples: int | None

    def __post_init__(self) -> None:
        known: dict[str, int] = {}
        for row, name in enumerate(self.names or ()):
            if known.setdefault(str(name), row) != row:
                raise ValueError(f"names must differ, got {str(name)!r} in row {known[str(name)]} and in row {row}")
        object.__setattr__(self, "_known", known)

    def of(self, cells: Sequence[str], line: int) -> list[int]:
        rows = [self._row(cell, line) for cell in cells]
        if len(set(rows)) != len(rows):
            raise self.error(line, f"must name {len(rows)} different items, got {', '.join(cells)}")
        return rows

    def _row(self, cell: str, line: int) -> int:
        known: dict[str, int] = self._known  # type: ignore[attr-defined]
        if self.names is not None:
            for name in (cell, cell.removeprefix("'")):
                if name in known:
                    return known[name]
            raise self.error(line, f"names an unknown item, {cell!r}")
        try:
            number = float(cell)
        except ValueError:
            if line == 1:
                wanted = "must hold row numbers or be a header: a,b,c,answer or a,b,answer"
                raise self.error(line, f"{wanted}, got {cell!r}") from None
            raise self.error(line, f"must hold row numbers, got {cell!r}: pass names=") from None
        if not number.is_integer() or number < 0:
            raise self.error(line, f"must hold row numbers, got {cell!r}")
        if self.n_samples is not None and number >= self.n_samples:
            raise self.error(line, f"must hold row numbers up to {self.n_samples - 1}, got {cell}")
        return int(number)

    def error(self, line: int, what: str) -> ValueError:
        return ValueError(f"line {line} of {self.file} {what}")


def _lines(text: str) -> Lines:
    """Split into cells by commas, semicolons or tabs, whichever the first line has, else by blanks."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = next((mark for mark in (",", ";", "\t") if mark in first), None)
    if separator is None:
        return [(number, line.split()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    reader = csv.reader(StringIO(text), delimiter=separator)
    return [(reader.line_num, [cell.strip() for cell in cells]) for cells in reader if any(map(str.strip, cells))]


def _recognised(lines: Lines) -> str:
    header = {cell.lower() for cell in lines[0][1]}
    if {"head", "winner", "loser"} <= header:
        return "salmon"
    if "answer" in header:
        return "table"
    # Three numbers may be a triplet or a must-link: only a cannot-link, or a word, tells.
    last = {cells[-1].lower() for _, cells in lines if len(cells) == 3}
    return "links" if last & {"-1", "ml", "cl"} else "cblearn"


def _columns(lines: Lines, names: Iterable[str], where: _Places) -> list[int]:
    header = [cell.lower() for cell in lines[0][1]]
    for name in names:
        if name not in header:
            raise where.error(lines[0][0], f"must name the columns {', '.join(names)}, got {', '.join(header)}")
    return [header.index(name) for name in names]


def _body(lines: Lines, width: int, where: _Places) -> Iterator[tuple[int, list[str]]]:
    for line, cells in lines:
        if len(cells) < width:
            raise where.error(line, f"must have {width} cells, got {len(cells)}")
        yield line, cells


def _read_table(lines: Lines, where: _Places) -> Responses:
    header = [cell.lower() for cell in lines[0][1]]
    members = ("a", "b", "c") if "c" in header else ("a", "b")
    *places, of_answer = _columns(lines, (*members, "answer"), where)
    of_name = header.index("annotator") if "annotator" in header else None
    rows, answers, people = {2: [], 3: []}, {2: [], 3: []}, {2: [], 3: []}  # type: ignore[var-annotated]
    for line, cells in _body(lines[1:], len(header), where):
        named = [cells[place] for place in places]
        if len(named) == 3 and not named[2]:  # a table of both: a pair has no third item
            named = named[:2]
        rows[len(named)].append(where.of(named, line))
        try:
            answers[len(named)].append(Answer(cells[of_answer]))  # type: ignore[arg-type]
        except ValueError:
            expected = "yes, no or don't know"
            raise where.error(line, f"must have the answer {expected}, got {cells[of_answer]!r}") from None
        people[len(named)].append("" if of_name is None else from_cell(cells[of_name]))
    everybody = None if of_name is None else people[3] + people[2]
    return Responses(Triplets(rows[3], answers[3]), Pairs(rows[2], answers[2]), everybody)


def _read_salmon(lines: Lines, where: _Places) -> Responses:
    header = [cell.lower() for cell in lines[0][1]]
    places = _columns(lines, ("head", "winner", "loser"), where)
    of_person = header.index("puid") if "puid" in header else None
    # Salmon's numbers are places in its list of targets, whatever the items are called.
    numbers = _Places(where.file, None, where.n_samples)
    rows = [
        (numbers.of([cells[place] for place in places], line), "" if of_person is None else cells[of_person])
        for line, cells in _body(lines[1:], len(header), where)
    ]
    people = None if of_person is None else [from_cell(person) for _, person in rows]
    return Responses(Triplets.from_cblearn([row for row, _ in rows]), Pairs(), people)


def _read_cblearn(lines: Lines, where: _Places) -> Responses:
    rows, answers = [], []
    for line, cells in _body(lines, 3, where):
        rows.append(where.of(cells[:3], line))
        said = cells[3].lower() if len(cells) > 3 else "1"
        known = {"1": Answer.YES, "1.0": Answer.YES, "true": Answer.YES, "-1": Answer.NO, "-1.0": Answer.NO}
        known |= {"0": Answer.NO, "false": Answer.NO}
        if said not in known:
            raise where.error(line, f"must have 1 or -1 after the three items, got {cells[3]!r}")
        answers.append(known[said])
    return Responses(Triplets(rows, answers), Pairs())


def _read_links(lines: Lines, where: _Places) -> Responses:
    rows, answers = [], []
    for line, cells in _body(lines, 3, where):
        if cells[2].lower() not in _LINKS:
            raise where.error(line, f"must have 1 or ML, -1 or CL after the two items, got {cells[2]!r}")
        rows.append(where.of(cells[:2], line))
        answers.append(_LINKS[cells[2].lower()])
    return Responses(Triplets(), Pairs(rows, answers))


Rows = Iterator[Sequence[object]]


class _About(NamedTuple):
    """What is known of answers beside themselves: names of the items, who gave each, and how long each took."""

    names: Sequence[str] | None
    annotators: Sequence[str] | None
    seconds: Sequence[float | None] | None


def _write_table(answered: Triplets | Pairs, about: _About) -> Rows:
    names, annotators = about.names, about.annotators
    width = answered.indices.shape[1]
    yield [*"abc"[:width], "answer", *([] if annotators is None else ["annotator"])]
    for t, (row, answer) in enumerate(answered):
        cells = row if names is None else [as_cell(str(names[i])) for i in row]
        yield [*cells, _ANSWERS[answer], *([] if annotators is None else [as_cell(str(annotators[t]))])]


def _write_salmon(answered: Triplets | Pairs, about: _About) -> Rows:
    known = {"puid": about.annotators, "response_time": about.seconds}
    columns = {name: values for name, values in known.items() if values is not None}
    yield ["head", "winner", "loser", "left", "right", *columns]
    decided = np.flatnonzero(answered.answers != Answer.DNK).tolist()
    for t, row in zip(decided, _ordered(answered), strict=True):
        more = ["" if values[t] is None else as_cell(str(values[t])) for values in columns.values()]
        yield [*row.tolist(), *answered.indices[t, 1:].tolist(), *more]


def _write_cblearn(answered: Triplets | Pairs, about: _About) -> Rows:
    yield from _ordered(answered).tolist()


def _write_links(answered: Triplets | Pairs, about: _About) -> Rows:
    for row, answer in answered.without_dnk():
        yield [*row, int(answer)]


def _ordered(answered: Triplets | Pairs) -> np.ndarray:
    assert isinstance(answered, Triplets)
    return answered.to_cblearn()


_READERS: dict[str, Callable[[Lines, _Places], Responses]] = {
    "table": _read_table,
    "salmon": _read_salmon,
    "cblearn": _read_cblearn,
    "links": _read_links,
}
_WRITERS = {"table": _write_table, "salmon": _write_salmon, "cblearn": _write_cblearn, "links": _write_links}
