"""What the participants of a study answered, read from its folder."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from dcrc_explore.constraints import Answer, Pairs, Triplets
from dcrc_explore.datasets import Dataset
from dcrc_explore.room.study.plan import Plan, read_plan
from dcrc_explore.room.study.schedule import implied
from dcrc_explore.room.study.study import LARGEST, PLAN_FILE, ROOM_FILE, read_lines
from dcrc_explore.storage import read_text


@dataclass(frozen=True)
class Answered:
    """One answer, about the rows as the participant saw them."""

    participant: str
    slot: int
    place: int  # among all steps of the participant
    block: int
    role: str  # practice, main, repeat or control
    rows: tuple[int, ...]
    answer: Answer
    seconds: float
    at: str
    changed: bool  # after going back
    true: Answer | None

    @property
    def kind(self) -> str:
        """Whether it is about a triplet or a pair."""
        return "triplet" if len(self.rows) == 3 else "pair"


@dataclass(frozen=True)
class Records:
    """A study's plan, data and answers.

    Attributes
    ----------
    answers : tuple of Answered
        By participant, in the order of their steps; of a changed answer the last.
    items : dict of str to dict
        Questionnaire answers by participant.
    finished : frozenset of str
        Who reached the end.
    """

    plan: Plan
    data: Dataset
    answers: tuple[Answered, ...]
    items: dict[str, dict[str, str]]
    finished: frozenset[str]

    @property
    def participants(self) -> list[str]:
        """Who answered something, in order."""
        return sorted({each.participant for each in self.answers})

    def of(self, kind: str, *roles: str, participant: str | None = None) -> list[Answered]:
        """Return the answers of a kind with one of some roles, of all or of one participant."""
        return [
            each
            for each in self.answers
            if each.kind == kind and each.role in roles and participant in (None, each.participant)
        ]


def triplets_of(answers: Iterable[Answered]) -> Triplets:
    """Return answers about triplets as the model takes them."""
    answers = list(answers)
    return Triplets(np.array([each.rows for each in answers]).reshape(-1, 3), [each.answer for each in answers])


def pairs_of(answers: Iterable[Answered]) -> Pairs:
    """Return answers about pairs as the model takes them."""
    answers = list(answers)
    return Pairs(np.array([each.rows for each in answers]).reshape(-1, 2), [each.answer for each in answers])


def read_records(folder: Path) -> Records:
    """Read a study's folder; ValueError when it is none."""
    if not all((folder / name).is_file() for name in (PLAN_FILE, ROOM_FILE)):
        raise ValueError(f"{str(folder)!r} must be the folder of a study, with {PLAN_FILE} and {ROOM_FILE} in it")
    plan = read_plan(folder / PLAN_FILE)
    plan = replace(plan, folder=_folder_of_data(folder, plan.data))
    data = plan.load_data()
    answers: list[Answered] = []
    items: dict[str, dict[str, str]] = {}
    finished: set[str] = set()
    for file in sorted(folder.glob("p[0-9]*.jsonl")):
        lines = read_lines(file)
        slot = next((int(line["slot"]) for line in lines if "slot" in line), -1)
        last: dict[int, Answered] = {}
        for line in lines:
            if "answer" in line:
                answered = _answered(line, file.stem, slot, data)
                last[answered.place] = answered
            elif "items" in line:
                items[file.stem] = {str(name): str(value) for name, value in line["items"].items()}
            elif "finished" in line:
                finished.add(file.stem)
        answers += [last[place] for place in sorted(last)]
    return Records(plan, data, tuple(answers), items, frozenset(finished))


def _folder_of_data(folder: Path, data: str) -> Path:
    """Return where the plan lay when its data are a file: the folder that it was started from, or one nearby."""
    started_from = json.loads(read_text(folder / ROOM_FILE, largest=LARGEST))["plan_folder"]
    candidates = [Path(started_from), folder.parent, folder]
    return next((candidate for candidate in candidates if (candidate / data).exists()), folder)


def _answered(line: dict[str, Any], participant: str, slot: int, data: Dataset) -> Answered:
    rows = tuple(int(row) for row in line["rows"])
    if len(rows) not in (2, 3) or not all(0 <= row < len(data.X) for row in rows):
        raise ValueError(f"{participant}: rows must be two or three of {len(data.X)}, got {line['rows']}")
    place, _, attempt = str(line["step"]).partition(".")
    return Answered(
        participant=participant,
        slot=slot,
        place=int(place),
        block=int(line["block"]),
        role=str(line["role"]),
        rows=rows,
        answer=Answer(line["answer"]),
        seconds=float(line["seconds"]),
        at=str(line["at"]),
        changed=bool(attempt),
        true=None if data.y is None else implied(data.y, rows),
    )
