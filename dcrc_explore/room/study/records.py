"""What the participants of a study answered, read from its folder."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dcrc_explore.constraints import Answer, Entry
from dcrc_explore.datasets import Dataset
from dcrc_explore.room.steps import as_seconds
from dcrc_explore.room.study.plan import Plan, read_plan
from dcrc_explore.room.study.schedule import implied
from dcrc_explore.room.study.study import LARGEST, PEOPLE_FILE, PLAN_FILE, ROOM_FILE, participant_files, read_room
from dcrc_explore.storage import json_lines
from dcrc_explore.values import TIME, one_of, whole

_ROLE = one_of(["practice", "main", "repeat", "control"])


@dataclass(frozen=True)
class Answered:
    """One answer, about the rows as the participant saw them, and its place in the study."""

    entry: Entry  # given by the participant
    slot: int
    place: int  # among all steps of the participant
    block: int
    role: str  # one of _ROLE
    changed: bool  # after going back
    true: Answer | None

    @property
    def kind(self) -> str:
        """Whether it is about a triplet or a pair."""
        return "pair" if self.entry.is_pair else "triplet"

    @property
    def is_right(self) -> bool:
        """Whether it is what the true classes answer."""
        return self.entry.answer == self.true


@dataclass(frozen=True)
class Records:
    """A study's plan, data and answers."""

    plan: Plan
    data: Dataset
    answers: tuple[Answered, ...]  # by participant, in the order of their steps; of a changed answer the last
    items: dict[str, dict[str, str]]  # questionnaire answers by participant
    finished: frozenset[str]  # who reached the end
    n_withdrawn: int = 0  # how many withdrew; their answers are deleted
    damaged: tuple[str, ...] = ()  # lines that cannot be read and are left out

    @property
    def participants(self) -> list[str]:
        """Who answered something, in order."""
        return sorted({each.entry.by for each in self.answers})

    def of(self, kind: str, *roles: str, participant: str | None = None) -> list[Answered]:
        """Return the answers of a kind with one of some roles, of all or of one participant."""
        return [
            each
            for each in self.answers
            if each.kind == kind and each.role in roles and participant in (None, each.entry.by)
        ]


def read_records(folder: Path) -> Records:
    """Read a study's folder; ValueError when it is none."""
    if not all((folder / name).is_file() for name in (PLAN_FILE, ROOM_FILE)):
        raise ValueError(f"{str(folder)!r} must be the folder of a study, with {PLAN_FILE} and {ROOM_FILE} in it")
    plan = read_plan(folder / PLAN_FILE)
    plan = replace(plan, folder=_folder_of_data(folder, plan.data))
    data = plan.load_data()
    people = folder / PEOPLE_FILE
    answers: list[Answered] = []
    items: dict[str, dict[str, str]] = {}
    finished: set[str] = set()
    damaged: list[str] = []
    for file in participant_files(folder):
        slot = -1
        last: dict[int, Answered] = {}
        for number, line in json_lines(file, largest=LARGEST):
            try:
                if line is None:
                    raise ValueError("no JSON")
                if "slot" in line:
                    slot = int(line["slot"])
                elif "answer" in line:
                    answered = _answered(line, file.stem, slot, plan, data)
                    last[answered.place] = answered
                elif "items" in line:
                    items[file.stem] = {str(name): str(value) for name, value in line["items"].items()}
                elif "finished" in line:
                    finished.add(file.stem)
            except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
                damaged.append(f"{file.name} line {number}")
        answers += [last[place] for place in sorted(last)]
    withdrawn = {
        line["withdrawn"]
        for _, line in (json_lines(people, largest=LARGEST) if people.exists() else [])
        if line and type(line.get("withdrawn")) is int
    }
    return Records(plan, data, tuple(answers), items, frozenset(finished), len(withdrawn), tuple(damaged))


def _folder_of_data(folder: Path, data: str) -> Path:
    """Return where the plan lay when its data are a file: the folder that it was started from, or one nearby."""
    candidates = [Path(read_room(folder)["plan_folder"]), folder.parent, folder]
    # os.path.exists answers False to a name that no file can have; Path.exists raises.
    return next((candidate for candidate in candidates if os.path.exists(candidate / data)), folder)


def _answered(line: dict[str, Any], participant: str, slot: int, plan: Plan, data: Dataset) -> Answered:
    rows = tuple(whole(0, len(data.X) - 1).checked(row, "a row") for row in line["rows"])
    if len(rows) not in (2, 3):
        raise ValueError(f"an answer must be about two or three rows, got {line['rows']}")
    block, role = whole(-1, len(plan.blocks) - 1).checked(line["block"], "block"), _ROLE.checked(line["role"], "role")
    place, _, attempt = str(line["step"]).partition(".")
    time, seconds = TIME.checked(line["at"], "at"), as_seconds(line["seconds"])
    entry = Entry(rows, Answer(line["answer"]), time, participant, seconds)
    true = None if data.y is None else implied(data.y, rows)
    return Answered(entry, slot, int(place), block, role, bool(attempt), true)
