"""Everything that writes answers is read by everything that reads them, with all three answers."""

from pathlib import Path

import pytest

from dcrc_explore.constraints import read_answers, write_answers
from dcrc_explore.room.classroom import Classroom
from dcrc_explore.room.classroom.report import as_table
from dcrc_explore.room.study.export import answers_csv
from dcrc_explore.room.study.records import Answered
from dcrc_explore.session import Session
from dcrc_explore.widgets import Explorer

ANSWERS = {
    (0, 1, 2): "yes", (3, 4, 5): "no", (6, 7, 8): "dnk", (2, 0, 9): "dnk",
    (9, 10): "yes", (11, 12): "no", (13, 14): "dnk",
}  # fmt: skip


def answered(**given) -> Session:
    session = Session("close", autosave=None, **given)
    session.add(list(ANSWERS), list(ANSWERS.values()), by=["Ann", "Bob", *["Ann"] * 5], seconds=1.5)
    return session


def exported(folder: Path) -> Path:
    (folder / "answers.csv").write_text(answered().export.to_csv())
    return folder / "answers.csv"


def written(folder: Path) -> Path:
    write_answers(folder / "answers.csv", answered().log)
    return folder / "answers.csv"


def of_code(folder: Path) -> Path:
    session, files = answered(), {}
    session.add([(i, i + 1, i + 2) for i in range(20, 60)], ["dnk"] * 40)
    session.export.to_code(files)
    (folder / "answers.csv").write_text("".join(files["answers.csv"].splitlines(keepends=True)[: 1 + len(ANSWERS)]))
    return folder / "answers.csv"


def of_a_study(folder: Path) -> Path:
    answers = [
        Answered(entry, slot=0, place=t, block=0, role="main", changed=False, true=None)
        for t, entry in enumerate(answered().log)
    ]
    (folder / "answers.csv").write_text(answers_csv(answers))
    return folder / "answers.csv"


def by_read_answers(path: Path):
    return read_answers(path, n_samples=150)


def by_a_session(path: Path):
    session = Session("close", autosave=None)
    session.add_csv(path)
    return session.log


def by_the_tool(path: Path):
    explorer = Explorer(autosave=None)
    explorer.move("csv", str(path))
    explorer.move("add")
    return explorer.session.log


@pytest.mark.parametrize("reads", [by_read_answers, by_a_session, by_the_tool])
@pytest.mark.parametrize("writes", [exported, written, of_code, of_a_study])
def test_answers_come_back_as_they_were(tmp_path, writes, reads):
    log = reads(writes(tmp_path))
    assert {entry.points: entry.answer.name.lower() for entry in log} == ANSWERS
    assert log.by == ["Ann", "Bob", *["Ann"] * 5]
    assert log.seconds.tolist() == [1.5] * len(ANSWERS)


def test_the_table_of_a_class_is_read_by_all(tmp_path):
    with Classroom(Session("close", autosave=None), tmp_path / "class.jsonl", port=0) as room:
        person = room.room.join(None)["token"]
        said = {}
        for answer in ("yes", "no", "dnk"):
            asked = room.roll.steps(1)[0]
            room.room.steps(person)
            room.room.answer(person, asked.id, answer, 1.0)
            said[asked.rows] = answer
        (tmp_path / "class.csv").write_text(as_table(room))
    for reads in (by_read_answers, by_a_session, by_the_tool):
        log = reads(tmp_path / "class.csv")
        assert {entry.points: entry.answer.name.lower() for entry in log} == said
        assert set(log.by) == {"guest 1"}
