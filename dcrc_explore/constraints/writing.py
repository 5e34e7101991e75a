"""Answers as text: the table that everything here reads, and the files of other tools."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.constraints.answers import Answer
from dcrc_explore.constraints.formats import FORMAT
from dcrc_explore.constraints.log import Log
from dcrc_explore.constraints.triplets import Pairs, Triplets
from dcrc_explore.storage import StoredFile
from dcrc_explore.tables import as_csv


def answers_as_csv(
    log: Log, *, names: Sequence[str] | None = None, rows: IntArray | None = None, **more: Sequence[Any]
) -> str:
    """Return answers as the table that everything here reads, a line for each, oldest first; `more` columns follow.

    `rows` is the row of the file that each point is. Where rows were left out, row_a, row_b and row_c name these.

    Examples
    --------
    >>> log = Log().plus([(4, 0, 7), (3, 5)], ["no", "dnk"], time="2030-01-01T12:00:00.000+00:00", seconds=1.5)
    >>> print(answers_as_csv(log), end="")
    a,b,c,answer,by,time,seconds
    4,0,7,no,user,2030-01-01T12:00:00.000+00:00,1.5
    3,5,,don't know,user,2030-01-01T12:00:00.000+00:00,1.5
    """
    if rows is not None and not np.array_equal(rows, np.arange(len(rows))):
        for t, letter in enumerate("abc"):
            more[f"row_{letter}"] = [None if i < 0 else rows[i].item() for i in log.points[:, t].tolist()]
    return _table(log, {"by": log.by, "time": log.times, "seconds": _numbers(log.seconds), **more}, names)


def _numbers(values: FloatArray) -> list[float | None]:
    return [None if np.isnan(value) else value for value in values.tolist()]


def _table(log: Log, columns: Mapping[str, Sequence[Any]], names: Sequence[str] | None) -> str:
    def shown(row: int) -> object:
        return None if row < 0 else row if names is None else str(names[row])

    points = zip(*([shown(row) for row in column] for column in log.points.T.tolist()), strict=True)
    words = (Answer(answer).words for answer in log.answers.tolist())
    rows = zip(points, words, zip(*columns.values(), strict=True) if columns else [()] * len(log), strict=True)
    return as_csv(["a", "b", "c", "answer", *columns], ([*who, word, *rest] for who, word, rest in rows))


def write_answers(
    path: str | os.PathLike[str],
    answered: Triplets | Pairs | Log,
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
    answered : Triplets, Pairs or Log
        "salmon" and "cblearn" take triplets, "links" takes pairs, "table" both. Of a log they take what they hold.
    file_format : {"table", "salmon", "cblearn", "links"}, default="table"
    names : sequence of str, optional
        Names of the items, for "table".
    annotators : sequence of str, optional
        Who gave each answer, for "table" and "salmon"; a log has its own.
    seconds : sequence of float, optional
        How long each took, for "table" and "salmon"; None where that is not known. A log has its own.

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
    text, n_written = answers_as_text(answered, file_format, names, annotators, seconds)
    with StoredFile(Path(path)) as file:
        file.replace(text.encode())
    return n_written


def answers_as_text(
    answered: Triplets | Pairs | Log,
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
    FORMAT.checked(file_format, "file_format")
    takes_pairs = {"table": None, "links": True}.get(file_format, False)
    if isinstance(answered, Log):
        if annotators is not None or seconds is not None:
            raise ValueError("a log has its own annotators and seconds: pass either a Log or these, got both")
        if takes_pairs is not None:
            answered = answered.only((answered.pair_positions if takes_pairs else answered.triplet_positions).tolist())
        log = answered
        known: dict[str, Sequence[Any] | None] = {"by": log.by, "seconds": _numbers(log.seconds)}
    else:
        if takes_pairs is not None and isinstance(answered, Pairs) != takes_pairs:
            other = "Pairs" if takes_pairs else "Triplets"
            raise ValueError(f"a file of format {file_format!r} holds {other}, got {answered!r}")
        if annotators is not None and (isinstance(annotators, str) or len(annotators) != len(answered)):
            raise ValueError(f"annotators must be one name for each of {len(answered)} answers, got {annotators!r:.60}")
        log = Log().plus(answered.indices, answered.answers)
        known = {"by": annotators, "seconds": seconds}
    columns = {name: values for name, values in known.items() if values is not None}
    if names is not None and log.points.max(initial=-1) >= len(names):
        raise ValueError(f"names must name every row, got {len(names)} names and row {log.points.max()}")
    if file_format == "table":
        text = answers_as_csv(log, names=names) if isinstance(answered, Log) else _table(log, columns, names)
        return text, len(log)
    decided = log.answers != Answer.DNK
    if file_format == "links":
        lines = np.column_stack([log.points[:, :2], log.answers])[decided].tolist()
    else:
        lines = log.triplets.to_cblearn().tolist()
    if file_format != "salmon":
        return "".join(f"{' '.join(map(str, line))}\n" for line in lines), len(lines)
    columns = {{"by": "puid", "seconds": "response_time"}[name]: values for name, values in columns.items()}
    asked = log.points[decided, 1:].tolist()
    more = [[values[t] for values in columns.values()] for t in np.flatnonzero(decided).tolist()]
    rows = ([*line, *sides, *rest] for line, sides, rest in zip(lines, asked, more, strict=True))
    return as_csv(["head", "winner", "loser", "left", "right", *columns], rows), len(lines)
