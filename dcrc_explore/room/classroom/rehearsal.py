"""A class without people: simulated phones join and answer, to try everything before the lecture."""

from __future__ import annotations

from dcrc_explore.annotators import make_oracle
from dcrc_explore.constraints import Answer
from dcrc_explore.room.classroom.classroom import Classroom
from dcrc_explore.session import SessionError


def rehearse(room: Classroom, people: int = 30, answers: int = 1, *, oracle: str = "people", seed: int = 0) -> int:
    """Let simulated people join and answer what they are asked; return how many answers they gave.

    They answer by the true classes, with the errors of an oracle. Called again, the same people continue.

    Parameters
    ----------
    room : Classroom
        On data whose classes are known.
    people : int, default=30
    answers : int, default=1
        Of each person; in a vote there is one question.
    oracle : str, default="people"
        Their noise model, one of :func:`~dcrc_explore.annotators.list_oracles`; "people" has the errors of the paper's
        study.
    seed : int, default=0

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from dcrc_explore.session import Session
    >>> with Classroom(Session("emoji", autosave=None), Path(tempfile.mkdtemp()) / "class.jsonl", port=0) as room:
    ...     rehearse(room, people=3, answers=2)
    6
    """
    y = room.roll.data.y
    if y is None:
        raise SessionError("a rehearsal needs the true classes, which are unknown for these data")
    here = [room.room.join(room.room.token(number)) for number in room.roll.guests[:people]]
    here += [room.room.join(None) for _ in range(people - len(here))]
    before = len(room.roll.answers)
    oracles = {person["number"]: make_oracle(oracle, y, epsilon=0.1, seed=seed + person["number"]) for person in here}
    for _ in range(answers):
        for person in here:
            asked = room.roll.steps(person["number"])
            if asked:
                room.room.steps(person["token"])
                answer = Answer(int(oracles[person["number"]].answer([asked[0].rows])[0]))
                room.room.answer(person["token"], asked[0].id, answer.name.lower(), 1.0)
    return len(room.roll.answers) - before
