"""Answers from a CSV file, as a session exports them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dcrc_explore.constraints import Answer, Pairs, Triplets, as_answers
from dcrc_explore.session.answers import LONGEST_NAME, MOST_ANSWERS
from dcrc_explore.session.files import absolute, read_text
from dcrc_explore.session.settings import SessionError, clear_errors

if TYPE_CHECKING:
    from dcrc_explore.session.session import Session

_NEEDED = ("i", "j", "k", "answer")


class Line(NamedTuple):
    """An answer in a file: three points, or two for a pair, what was said, who said it if that is told, and where."""

    question: tuple[int, ...]
    answer: Answer
    by: str
    place: str


def read_answers(text: str) -> list[Line]:
    r"""Read answers from CSV with the columns i, j, k, answer and, if people are to be told apart, by.

    A line without a k is about a pair. Other columns are passed over.

    Examples
    --------
    >>> read_answers("i,j,k,answer,by\n4,0,7,no,Ann\n3,5,,yes,Bob\n")[1]
    Line(question=(3, 5), answer=<Answer.YES: 1>, by='Bob', place='line 3')
    """
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    missing = [name for name in _NEEDED if name not in (reader.fieldnames or [])]
    if missing:
        raise SessionError(
            f"a file of answers must have the columns {', '.join(_NEEDED)}, got none called {missing[0]}"
        )
    try:
        return list(_lines(reader))
    except csv.Error as error:
        raise SessionError(f"line {reader.line_num} can't be read as CSV: {error}") from error


def _lines(reader: csv.DictReader[str]) -> Iterator[Line]:
    for row in reader:
        where = f"line {reader.line_num}"
        cells = [(row[name] or "").strip() for name in ("i", "j", "k")]
        cells = cells if cells[2] else cells[:2]
        if not all(cell.isascii() and cell.isdigit() and len(cell) < 19 for cell in cells):
            raise SessionError(f"{where}: i, j and k must be row numbers, got {', '.join(cells)[:80]!r}")
        try:
            answer = Answer(int(as_answers([(row["answer"] or "").strip()])[0]))
        except ValueError:
            raise SessionError(f"{where}: an answer must be yes, no or dnk, got {str(row['answer'])[:80]!r}") from None
        name = " ".join((row.get("by") or "").split())
        if len(name) > LONGEST_NAME:
            raise SessionError(f"{where}: a name must have at most {LONGEST_NAME} characters, got {len(name)}")
        yield Line(tuple(map(int, cells)), answer, name, where)


def add_csv(session: Session, path: str | PathLike[str]) -> int:
    """Add the answers of a CSV file, as :meth:`Session.to_csv` writes it, as one step to undo.

    Answers without a name in the column "by" are those of the session's person.

    Returns
    -------
    int
        How many answers were added.
    """
    lines = read_answers(read_text(absolute(Path(path))))
    triplets, pairs = ([line for line in lines if len(line.question) == width] for width in (3, 2))
    N = len(session.dataset.X)
    for line in lines:
        if max(line.question) >= N or len(set(line.question)) < len(line.question):
            raise SessionError(
                f"{line.place}: an answer must be about different points, numbered 0 to {N - 1}, "
                f"got {', '.join(map(str, line.question))}"
            )
    names = [[line.by or session.person for line in some] for some in (triplets, pairs)]
    with session.lock, clear_errors(), session.one_step():
        # All are checked before the first is added.
        said = Triplets([line.question for line in triplets], [line.answer for line in triplets], n_samples=N)
        linked = Pairs([line.question for line in pairs], [line.answer for line in pairs], n_samples=N)
        if max(len(session.answers) + len(said), len(session.pair_answers) + len(linked)) > MOST_ANSWERS:
            raise SessionError(f"a session may have at most {MOST_ANSWERS} answers, got {len(lines)} more")
        session.add(said.indices, said.answers, by=names[0])
        session.add_pairs(linked.indices, linked.answers, by=names[1])
    return len(lines)
