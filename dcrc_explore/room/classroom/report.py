"""What remains of a class: a page with the film, the votes and the agreement, and the answers as a table."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from pathlib import Path

from dcrc_explore.constraints import Log
from dcrc_explore.constraints.writing import answers_as_csv
from dcrc_explore.page import document
from dcrc_explore.page.film import record
from dcrc_explore.room.classroom.classroom import Classroom
from dcrc_explore.room.classroom.standing import alike, guests
from dcrc_explore.room.classroom.vote import Vote
from dcrc_explore.words import count

_FRAMES = 40  # of the film: a class has many answers, and waits for the page
_WORDS = ("yes", "no", "don't know")
_STYLE = """
.class { max-width: 62rem; margin: 1.5rem auto 3rem; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; }
.class table { border-collapse: collapse; margin: .3rem 0 1rem; font-variant-numeric: tabular-nums; }
.class th, .class td { padding: .15rem .9rem .15rem 0; text-align: left; vertical-align: middle; }
.class .items { display: flex; gap: .7rem; margin: .3rem 0; }
.class .items span { padding: .3rem .7rem; border: 1px solid #8a939d; border-radius: 8px; max-width: 18rem; }
.class .items img { display: block; max-width: 7rem; max-height: 7rem; }
.class meter { width: 12rem; }
"""


def write_report(room: Classroom, *, nicknames: bool = False) -> tuple[Path, Path]:
    """Write the page and the table beside the session's file; return where they are.

    Parameters
    ----------
    room : Classroom
    nicknames : bool, default=False
        Whether the table has the nicknames too; the page never has.
    """
    session = room.session
    room.settle()
    page = document(record(session, frames=_FRAMES), after=_sections(room))
    return (
        session.export.write("class.html", page.encode()),
        session.export.write("class.csv", as_table(room, nicknames=nicknames).encode()),
    )


def as_table(room: Classroom, *, nicknames: bool = False) -> str:
    """Return every answer as CSV; a vote that is hidden is left out.

    The column "way" is "own", "shared" (another guest had the question too) or "vote 2.1": the first round of the
    second vote. a, b and c are numbers of points; row_a, row_b and row_c are rows of the file where some were left out.

    Examples
    --------
    >>> import tempfile
    >>> from dcrc_explore.room.classroom import rehearse
    >>> from dcrc_explore.session import Session
    >>> with Classroom(Session("emoji", autosave=None), Path(tempfile.mkdtemp()) / "class.jsonl", port=0) as room:
    ...     _ = rehearse(room, people=2)
    ...     len(as_table(room).splitlines())
    3
    """
    hidden = room.roll.vote.way if room.roll.vote is not None and not room.roll.vote.revealed else None
    shown = [given for given in room.roll.answers if given.way != hidden]
    log = Log.of(given.entry for given in shown)
    names = {"nickname": [room.roll.nicknames_of.get(given.person, "") for given in shown]} if nicknames else {}
    return answers_as_csv(log, rows=room.session.dataset.rows, way=[given.way for given in shown], **names)


def _sections(room: Classroom) -> str:
    answers, votes = room.roll.answers, room.roll.votes
    people = len({given.person for given in answers})
    parts = [
        f"<h1>A class with {count(people, 'participant')}</h1>",
        f"<p>{count(len(answers), 'answer')}, {count(len(votes), 'vote')}. If a person voted twice on a "
        "question, the film has the second answer.</p>",
        *(_vote(room, vote) for vote in votes if vote.revealed),
        "<h2>Agreement</h2>",
        f"<p>{escape(alike(answers).in_words()) or 'No question was answered by two people.'}</p>",
        _people(room),
    ]
    return f'<style>{_STYLE}</style><section class="class">{"".join(parts)}</section>'


def _vote(room: Classroom, vote: Vote) -> str:
    letters = zip("ABC", vote.rows, strict=True)
    items = "".join(f"<span><b>{letter}</b> {_item(room, row)}</span>" for letter, row in letters)
    counts = [numbers for numbers in vote.counts() if sum(numbers)]
    head = "".join(f"<th>{name}</th>" for name in ("first vote", "second vote", *("another vote",) * 9)[: len(counts)])
    rows = "".join(
        f"<tr><th>{word}</th>"
        + "".join(
            f'<td><meter max="{sum(numbers)}" value="{numbers[t]}"></meter> {numbers[t]}</td>' for numbers in counts
        )
        + f"<td>{vote.expected[t]:.0%}</td><td>{escape(vote.would[t]) if vote.would else ''}</td></tr>"
        for t, word in enumerate(_WORDS)
    )
    return (
        f"<h2>Vote {vote.number}: is A more similar to B than to C?</h2>"
        f'<div class="items">{items}</div><table>'
        f"<tr><th></th>{head}<th>the model expected</th><th>if all said so</th></tr>{rows}</table>"
    )


def _item(room: Classroom, row: int) -> str:
    """Return an item as HTML: its text, a small picture, its name, or the number of its point."""
    kind, text = room.roll.cards.card(row)
    if kind == "text":
        return escape(text[:200])
    if kind == "image":
        media = room.roll.cards.media(row)
        return f'<img alt="item {row}" src="data:{media.mime};base64,{b64encode(media.data).decode()}">'
    return escape(room.session.dataset.called(row)) or f"point {row}"


def _people(room: Classroom) -> str:
    rows = "".join(
        f"<tr><td>guest {each.number}</td><td>{each.n_answers}</td><td>{each.n_violated}</td>"
        f"<td>{'–' if each.errors is None else f'{each.errors:.0%}'}</td></tr>"
        for each in guests(room)
    )
    head = "<tr><th>who</th><th>answers</th><th>violated by the boundary</th><th>learned error</th></tr>"
    return f"<h2>People</h2><table>{head}{rows}</table>" if rows else ""
