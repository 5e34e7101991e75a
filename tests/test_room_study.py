"""Studies: the plan, who sees what, durable data, exports and the report."""

from __future__ import annotations

import csv
import json
import random
import re
import signal
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcrc_explore.annotators import cohen_kappa, fleiss_kappa
from dcrc_explore.cli import main
from dcrc_explore.constraints import Answer, Log, same_question
from dcrc_explore.room import Field, FormPage, Limits, QuestionPage, Refused, Server
from dcrc_explore.room.client import Phone
from dcrc_explore.room.study import PAPER, TEMPLATE, PlanError, Study, parse_plan, read_plan, read_records, schedule
from dcrc_explore.room.study.numbers import canonical, confusion, describe
from dcrc_explore.room.study.report import write_report
from dcrc_explore.room.study.schedule import implied
from dcrc_explore.room.study.simulate import simulate

SMALL = """
title = "Small"
data = "digits-8x8"
seed = 3
[consent]
text = "Please."
[practice]
triplets = 3
pairs = 2
[[block]]
kind = "triplets"
count = 12
repeated = 3
controls = 2
pause_every = 6
[[block]]
kind = "pairs"
count = 8
dnk = false
repeated = 2
controls = 2
[[item]]
id = "age"
text = "Age?"
kind = "number"
[[item]]
id = "hand"
text = "Hand?"
kind = "choice"
options = ["left", "right"]
required = true
"""

FAST = Limits(answers_per_person=(1e6, 1e6))  # nobody reads here


def small(**changes: str) -> str:
    text = SMALL
    for old, new in changes.items():
        text = re.sub(rf"^{old} = .*$", f"{old} = {new}", text, flags=re.MULTILINE)
    return text


# The plan -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [TEMPLATE, PAPER])
def test_shipped_plans_are_right_and_ask_what_the_paper_asked(path: Path) -> None:
    plan = read_plan(path)
    assert [(block.kind, block.count) for block in plan.blocks] == [("triplets", 150), ("pairs", 225)]
    assert plan.order == "balanced"
    assert plan.load_data().items is not None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SMALL.replace("seed = 3", "seed = three"), "plan, line 4: the text must be TOML, got an error: Invalid value"),
        (SMALL.replace("seed = 3", "seed = -3"), "plan, line 4: seed must be a whole number between 0 and .*, got -3"),
        (
            SMALL.replace('kind = "pairs"', 'kind = "pair"'),
            r"plan, line 17: block\[2\].kind must be one of triplets, pairs, got 'pair'",
        ),
        (SMALL.replace("count = 8", "count = 0"), r"plan, line 18: block\[2\].count must be a whole number between 1"),
        (
            SMALL.replace("repeated = 2", "repeated = 5"),
            r"plan, line 20: block\[2\].repeated must be at most half of count, 4, got 5",
        ),
        (SMALL.replace("dnk = false", 'dnk = "no"'), r"plan, line 19: block\[2\].dnk must be true or false, got 'no'"),
        (
            SMALL.replace("dnk = false", "dunno = false"),
            r"line 19: block\[2\].dunno is unknown: block\[2\] may have kind, .*, got 'dunno'",
        ),
        (SMALL.replace('title = "Small"', ""), "plan, line 1: a plan must have title, a text; got data, seed"),
        (SMALL.replace('text = "Age?"', ""), r"plan, line 22: item\[1\] must have text, a text; got id, kind"),
        (
            SMALL.replace('id = "hand"', 'id = "age"'),
            r"plan, line 27: item\[2\].id must be different for each item, got 'age' twice",
        ),
        (SMALL.replace('id = "hand"', 'id = "=1"'), r"plan, line 27: item\[2\].id must be a name of letters"),
        (SMALL.replace('options = ["left", "right"]', ""), r"plan, line 26: item\[2\].options are needed for choice"),
        (SMALL.partition("[[block]]")[0], "at least one \\[\\[block\\]\\]"),
        (SMALL.replace("[practice]", "[practise]"), "plan, line 7: practise is unknown: a plan may have .*practice"),
    ],
)
def test_a_plan_with_an_error_is_refused_with_the_line(text: str, message: str) -> None:
    with pytest.raises(PlanError, match=message):
        parse_plan(text)


def test_data_that_are_not_there_or_have_no_classes_are_noticed_before_anybody_comes(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="line 3: data cannot be loaded: there is no file or folder"):
        parse_plan(small(data='"nothing"')).load_data()
    np.savez(tmp_path / "own.npz", X=np.random.default_rng(0).normal(size=(30, 2)))
    with pytest.raises(PlanError, match="line 7: practice needs true classes"):
        parse_plan(small(data='"own.npz"'), folder=tmp_path).load_data()


# Who sees what --------------------------------------------------------------------------------------------------------

PLAN = parse_plan(SMALL)
DATA = PLAN.load_data()


def asked(slot: int, *roles: str, block: int | None = None, plan=PLAN) -> list[tuple[int, ...]]:
    steps = schedule(plan, DATA, slot)
    return [each.step.rows for each in steps if each.role in roles and block in (None, each.block)]  # type: ignore[union-attr]


def test_blocks_come_in_either_order_as_often() -> None:
    first = [next(each.block for each in schedule(PLAN, DATA, slot) if each.block >= 0) for slot in range(6)]
    assert Counter(first) == {0: 3, 1: 3}


@given(st.integers(0, 40))
def test_two_neighbours_see_the_same_questions_on_opposite_sides(slot: int) -> None:
    slot *= 2
    one, other = (set(asked(each, "main", "control")) for each in (slot, slot + 1))
    assert {same_question(rows)[0] for rows in one} == {same_question(rows)[0] for rows in other}
    assert not one & other


def test_sides_are_mixed_for_each_participant() -> None:
    plan = parse_plan(small(count="100").replace("repeated = 2", "repeated = 0"))
    turned = [same_question(rows)[1] for rows in asked(0, "main", block=0, plan=plan)]
    assert 25 < sum(turned) < 75


def test_different_questions_for_each_when_the_plan_says_so() -> None:
    plan = parse_plan(SMALL.replace("seed = 3", 'seed = 3\nquestions = "different"'))
    one, other = ({same_question(rows)[0] for rows in asked(slot, "main", plan=plan)} for slot in (0, 1))
    assert one != other


def test_a_repeated_question_comes_later_and_on_the_other_side() -> None:
    for slot in range(10):
        steps = schedule(PLAN, DATA, slot)
        places = {each.step.rows: n for n, each in enumerate(steps) if each.role == "main"}  # type: ignore[union-attr]
        for n, each in enumerate(steps):
            if each.role == "repeat":
                rows = each.step.rows  # type: ignore[union-attr]
                turned = (rows[0], rows[2], rows[1]) if len(rows) == 3 else rows[::-1]
                assert places[turned] < n - 1


def test_controls_have_a_clear_answer_and_practice_has_every_answer() -> None:
    assert {implied(DATA.y, rows) for rows in asked(0, "control")} == {Answer.YES, Answer.NO}
    assert {implied(DATA.y, rows) for rows in asked(0, "practice") if len(rows) == 3} == set(Answer)


def test_there_are_breaks_progress_and_a_way_back_but_not_into_practice() -> None:
    steps = [each.step for each in schedule(PLAN, DATA, 0)]
    assert sum(getattr(step, "title", "") == "Time for a break" for step in steps) == 2
    progress = [step.progress for step in steps]  # type: ignore[union-attr]
    assert progress == sorted(progress)
    assert len({step.id for step in steps}) == len(steps)
    questions = [each for each in schedule(PLAN, DATA, 0) if isinstance(each.step, QuestionPage)]
    assert not any(each.step.back for each in questions if each.role == "practice")  # type: ignore[union-attr]
    assert sum(each.step.back for each in questions) > 20  # type: ignore[union-attr]
    assert isinstance(steps[-1], FormPage)


# Taking part ----------------------------------------------------------------------------------------------------------


def value(step: dict) -> object:
    return {"question": "no", "page": "next", "form": {"hand": "left"}}[step["kind"]]


def finish(phone: Phone, most: int = 1000) -> list[dict]:
    """Answer until the end, or so many steps; returns what comes then."""
    steps = phone.steps()
    while steps[0]["kind"] != "end" and most:
        steps = phone.answer(steps[0]["id"], value(steps[0]), 1.5)["steps"]
        most -= 1
    return steps


def test_a_participant_goes_from_consent_to_a_completion_code(tmp_path: Path) -> None:
    with Study(PLAN, tmp_path / "data") as study, Server(study.room(FAST), port=0) as server:
        phone = Phone(server.address)
        assert [step["kind"] for step in phone.steps()] == ["page"], "nothing before consent"
        (end,) = finish(phone)
        assert re.fullmatch("[A-Z2-7]{8}", end["code"])
        (again,) = Phone(server.address, token=phone.token).steps()
        assert again == end
        assert study.n_finished == 1
    records = read_records(tmp_path / "data")
    assert Counter(each.role for each in records.answers) == {"practice": 5, "main": 20, "repeat": 5, "control": 4}
    assert records.items == {"p0001": {"age": "", "hand": "left"}}
    assert records.finished == {"p0001"}


def test_going_back_by_one_step_changes_the_answer_before(tmp_path: Path) -> None:
    with Study(PLAN, tmp_path / "data") as study:
        room = study.room()
        token = room.join(None)["token"]
        steps = room.steps(token)["steps"]
        while not steps[0].get("back"):
            before = steps[0]
            steps = room.answer(token, before["id"], value(before), 1)["steps"]
        left = steps[0]
        changed = room.back(token)["steps"]
        assert changed[0]["items"] == before["items"]
        assert changed[0]["id"] != before["id"]
        assert not changed[0]["back"], "by one step only"
        assert changed[1]["id"] == left["id"]
        assert room.back(token)["steps"] == changed
        after = room.answer(token, changed[0]["id"], "yes", 2)["steps"]
        assert after[0]["id"] == left["id"]
    (last,) = [each for each in read_records(tmp_path / "data").answers if each.place == int(before["id"])]
    assert (last.entry.answer, last.changed) == (Answer.YES, True)


def test_nothing_can_be_answered_before_its_turn(tmp_path: Path) -> None:
    with Study(PLAN, tmp_path / "data") as study:
        room = study.room()
        token = room.join(None)["token"]
        room.answer(token, "consent", "next", 1)
        _, second = room.steps(token)["steps"]
        with pytest.raises(Refused, match="before it first"):
            room.answer(token, second["id"], "yes", 1)


def test_everybody_continues_after_a_restart_and_slots_stay(tmp_path: Path) -> None:
    with Study(PLAN, tmp_path / "data") as study, Server(study.room(FAST), port=0) as server:
        code, phones = server.room.code, [Phone(server.address) for _ in range(3)]
        for phone in (phones[2], phones[0]):
            finish(phone, 9)
        expected = [phone.steps() for phone in phones]
    with Study(PLAN, tmp_path / "data") as study, Server(study.room(FAST), port=0) as server:
        assert server.room.code == code
        back = [Phone(server.address, token=phone.token) for phone in phones]
        assert [phone.steps() for phone in back] == expected
        assert [study.slot(back[n].number) for n in (2, 0)] == [0, 1], "in the order of consent"
        assert Phone(server.address).number == 4


def test_a_study_runs_once_and_with_one_plan(tmp_path: Path) -> None:
    with Study(PLAN, tmp_path / "data"), pytest.raises(BlockingIOError, match="running already"):
        Study(PLAN, tmp_path / "data")
    with pytest.raises(PlanError, match="another plan"):
        Study(parse_plan(small(seed="4")), tmp_path / "data")
    assert (tmp_path / "data" / "room.json").stat().st_mode & 0o077 == 0


def test_half_a_line_after_a_power_cut_is_passed_over(tmp_path: Path) -> None:
    with Study(PLAN, tmp_path / "data") as study, Server(study.room(FAST), port=0) as server:
        phone = Phone(server.address)
        finish(phone, 5)
        expected = phone.steps()
    with (tmp_path / "data" / "p0001.jsonl").open("a") as file:
        file.write('{"at": "2026-01-01", "step": "4", "ans')
    with Study(PLAN, tmp_path / "data") as study, Server(study.room(FAST), port=0) as server:
        back = Phone(server.address, token=phone.token)
        assert back.steps() == expected
        finish(back)
    assert read_records(tmp_path / "data").finished == {"p0001"}


def test_a_number_is_never_given_twice_and_a_withdrawn_phone_answers_for_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "plan.toml").write_text(SMALL)
    plan, data = read_plan(tmp_path / "plan.toml"), tmp_path / "data"
    with Study(plan, data) as study, Server(study.room(FAST), port=0) as server:
        phones = [Phone(server.address) for _ in range(4)]
        for phone in phones:
            finish(phone, 4)
    (data / "p0004.jsonl").unlink()  # by hand
    assert main(["study", "withdraw", str(data), "3"]) == 0
    assert "participant 3 are deleted" in capsys.readouterr().out
    with Study(plan, data) as study, Server(study.room(FAST), port=0) as server:
        newcomer = Phone(server.address)
        assert newcomer.number == 5
        for gone in phones[2:]:
            assert gone.token != newcomer.token
            with pytest.raises(RuntimeError, match=r"410 .*no longer take part"):
                Phone(server.address, token=gone.token)
    records = read_records(data)
    assert (records.participants, records.n_withdrawn) == (["p0001", "p0002"], 1)
    assert main(["study", "withdraw", str(data), "3"]) == 1


def test_damaged_files_of_a_study_are_left_out_and_reported(tmp_path: Path) -> None:
    with Study(PLAN, tmp_path / "data") as study, Server(study.room(FAST), port=0) as server:
        phone = Phone(server.address)
        finish(phone, 9)
        expected = phone.steps()
    file = tmp_path / "data" / "p0001.jsonl"
    lines = file.read_bytes().split(b"\n")
    lines[5] = b'{"at": "2026-01-01", "step": "3\xff'
    file.write_bytes(b"\n".join(lines))
    with Study(PLAN, tmp_path / "data") as study, Server(study.room(FAST), port=0) as server:
        assert study.damaged == ["p0001.jsonl line 6"]
        assert Phone(server.address, token=phone.token).steps() == expected
    records = read_records(tmp_path / "data")
    assert (len(records.answers), records.damaged) == (7, ("p0001.jsonl line 6",))
    whole, rng = {path: path.read_bytes() for path in sorted((tmp_path / "data").iterdir())}, random.Random(0)
    pieces = [b"", b"\0", b"\xff", b"9" * 5000, b"[" * 3000, b"null", b"-1", b"1e999", b"{", b'"', b"\n", b"p"]
    for _ in range(150):
        path = rng.choice(list(whole))
        content = bytearray(whole[path])
        for _ in range(rng.choice((1, 3, 20))):
            place = rng.randrange(len(content))
            content[place : place + rng.choice((0, 1, 9))] = rng.choice(pieces)
        path.write_bytes(content)
        for look in (lambda: Study(PLAN, tmp_path / "data").close(), lambda: read_records(tmp_path / "data")):
            with suppress(ValueError):  # a plan that was changed, or a room without a secret
                look()
        path.write_bytes(whole[path])
    with Study(PLAN, tmp_path / "data") as study:
        assert study.damaged == ["p0001.jsonl line 6"]


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 5000, "seed = " + "9" * 5000, 'title = "A"\norder = []\n[[block]]\nkind = {}']
)
def test_strange_toml_is_refused_in_words(text: str) -> None:
    with pytest.raises(PlanError, match="plan"):
        parse_plan(text)


@pytest.mark.parametrize("seed", range(6))
def test_fuzzed_plans_are_read_or_refused(seed: int) -> None:
    rng = random.Random(seed)
    pieces = [
        "",
        "\0",
        "[",
        "]",
        "{",
        "=",
        '"',
        "9" * 5000,
        "[" * 2000,
        "1e999",
        "nan",
        "[[block]]",
        "2026-01-01",
        "\n",
    ]
    for _ in range(80):
        text = SMALL
        for _ in range(rng.choice((1, 2, 6))):
            place = rng.randrange(len(text))
            text = text[:place] + rng.choice(pieces) + text[place + rng.choice((0, 1, 9)) :]
        with suppress(PlanError):
            parse_plan(text)


def test_an_error_in_a_plan_of_very_many_lines_is_found_without_its_line() -> None:
    with pytest.raises(PlanError, match="plan, unknown is unknown"):  # to find the line would take ten minutes
        parse_plan(SMALL + "#\n" * 30_000 + "[unknown]")


def test_a_plan_in_another_encoding_is_refused_with_the_line(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_bytes(b'title = "A"\ndata = "b\xe9b\xe9"\n')
    with pytest.raises(PlanError, match="line 2: the text must be UTF-8"):
        read_plan(tmp_path / "plan.toml")


def test_a_plan_of_a_rehearsal_accepts_nobody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plan.toml").write_text("simulated = true\n" + SMALL)
    assert main(["study", str(tmp_path / "plan.toml")]) == 1
    assert "people cannot take part in it" in capsys.readouterr().err


@pytest.mark.parametrize("given", ["\ud800", "a\udfff"])
def test_half_a_character_in_a_form_is_refused(given: str) -> None:
    form = FormPage("1", "Title", (Field("remarks", "Remarks"),))
    with pytest.raises(ValueError, match="remarks must be a text"):
        form.check({"remarks": given})


def test_only_the_user_can_read_what_participants_answered(tmp_path: Path) -> None:
    with Study(PLAN, tmp_path / "data") as study:
        study.arrive(None, "")
        readable = {file.name for file in study.folder.iterdir() if file.stat().st_mode & 0o077}
    assert readable == {"plan.toml"}


def test_nothing_personal_is_stored(tmp_path: Path) -> None:
    with Study(PLAN, tmp_path / "data") as study, Server(study.room(FAST), port=0) as server:
        finish(Phone(server.address, "Ada"))
    text = (tmp_path / "data" / "p0001.jsonl").read_text()
    assert "Ada" not in text
    assert "127.0.0.1" not in text
    fields = {key for line in text.splitlines() for key in json.loads(line)}
    assert fields <= {"participant", "plan", "version", "at", "step", "seconds", "slot", "rows", "answer", "role",
                      "block", "items", "finished"}  # fmt: skip


# Exports and report ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated study."""
    folder = tmp_path_factory.mktemp("study") / "data"
    text = (
        SMALL.replace("count = 12", "count = 60")
        .replace("count = 8", "count = 60")
        .replace("controls = 2", "controls = 12")
    )
    assert simulate(parse_plan(text), folder, n_people=5) == 5
    return folder


def test_simulated_people_err_as_they_should(folder: Path) -> None:
    records = read_records(folder)
    people = [describe(records, name) for name in records.participants]
    assert [person.fails for person in people].count(True) == 1, "one of five guesses"
    good = [person for person in people if not person.fails]
    assert min(person.right["pair"] for person in good) > 0.7
    table = confusion(records.of("triplet", "main"))
    assert table.sum() == 5 * 60
    assert np.trace(table) / table.sum() > 0.6
    assert np.isnan(people[0].dnk["pair"]), "not offered there"


@pytest.fixture(scope="module")
def report(folder: Path) -> Path:
    return write_report(folder, folder / "report", resamples=2)


def test_the_report_is_one_page_that_loads_nothing(report: Path) -> None:
    text = report.read_text()
    assert not re.search(r"<script|<link|<img|@import|url\((?!#)", text)
    assert "default-src 'none'" in text
    for heading in ("What DCRC learns", "Answers against the truth", "Participants", "Agreement"):
        assert heading in text


def test_a_rehearsal_does_not_pass_for_a_study(folder: Path, report: Path) -> None:
    plan = read_records(folder).plan
    assert "5 simulated participants" in report.read_text()
    assert "5 simulated participants" in (report.parent / "psych-ds" / "dataset_description.json").read_text()
    people = parse_plan(plan.text.removeprefix("simulated = true\n"))
    assert not people.simulated
    with pytest.raises(PlanError, match="another plan"):
        Study(people, folder)


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_exports_agree_with_the_answers(folder: Path, report: Path) -> None:
    records, out = read_records(folder), report.parent
    rows = table(out / "answers.csv")
    assert len(rows) == len(records.answers)
    assert {row["answer"] for row in rows} == {"yes", "no", "don't know"}
    salmon = table(out / "salmon.csv")
    decided = [each.entry for each in records.of("triplet", "main") if each.entry.answer != Answer.DNK]
    assert len(salmon) == len(decided)
    for row, each in zip(salmon, decided, strict=True):
        winner = each.points[1] if each.answer == Answer.YES else each.points[2]
        assert (int(row["head"]), int(row["winner"])) == (each.points[0], winner)
    assert np.loadtxt(out / "cblearn.txt", dtype=int).shape == (len(decided), 3)
    described = json.loads((out / "psych-ds" / "dataset_description.json").read_text())
    tables = sorted((out / "psych-ds" / "data").iterdir())
    assert len(tables) == 5
    header = list(table(tables[0])[0])
    assert [each["name"] for each in described["variableMeasured"]] == header
    assert all(re.fullmatch(r"study-\w+_subject-p\d+_data\.csv", table.name) for table in tables)


def test_answers_of_a_questionnaire_are_no_formulas(tmp_path: Path) -> None:
    plan = parse_plan(SMALL.replace('kind = "number"', 'kind = "text"'))
    with Study(plan, tmp_path / "data") as study:
        room = study.room(FAST)
        token = room.join(None)["token"]
        steps = room.steps(token)["steps"]
        while steps[0]["kind"] != "end":
            given = {"age": "=HYPERLINK(1)", "hand": "left"} if steps[0]["kind"] == "form" else value(steps[0])
            steps = room.answer(token, steps[0]["id"], given, 1)["steps"]
    out = write_report(tmp_path / "data", tmp_path / "report", resamples=0).parent
    assert "'=HYPERLINK(1)" in (out / "questionnaire.csv").read_text()


def test_intervals_hold_their_means(report: Path) -> None:
    scores = {row["method"]: row for row in table(report.with_name("scores.csv"))}
    assert len(scores) == 7
    for row in scores.values():
        f, low, high = (float(row[name]) for name in ("f", "f_low", "f_high"))
        assert np.isnan(low) or low <= f <= high


def test_canonical_answers_do_not_depend_on_sides() -> None:
    one, other = Log().plus([(5, 2, 9), (5, 9, 2)], ["yes", "no"])
    assert canonical(one) == canonical(other)
    assert canonical(one)[1] == Answer.YES


def test_fleiss_kappa_as_in_its_publication() -> None:
    """Fleiss' own example is widely printed: 10 subjects, 14 raters, 5 categories."""
    table = [[0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1], [7, 7, 0, 0, 0],
             [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]]  # fmt: skip
    assert fleiss_kappa(table) == pytest.approx(0.210, abs=5e-4)
    assert np.isnan(fleiss_kappa([[1, 0], [0, 1]]))
    assert cohen_kappa([[5, 0], [0, 5]]) == fleiss_kappa([[2, 0]] * 5 + [[0, 2]] * 5) == 1


# The command ----------------------------------------------------------------------------------------------------------


def test_the_command_writes_a_plan_and_never_over_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "new", str(tmp_path / "plan.toml"), "--paper"]) == 0
    assert "150 triplets and 225 pairs" in capsys.readouterr().out
    assert main(["study", "new", str(tmp_path / "plan.toml")]) == 0
    assert read_plan(tmp_path / "plan-2.toml").title == read_plan(TEMPLATE).title


def test_the_command_refuses_a_plan_with_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plan.toml").write_text(small(seed="-1"))
    assert main(["study", str(tmp_path / "plan.toml")]) == 1
    assert "plan.toml, line 4: seed must be" in capsys.readouterr().err
    assert main(["study", "report", str(tmp_path)]) == 1
    assert "must be the folder of a study" in capsys.readouterr().err


@pytest.mark.slow
def test_a_killed_server_has_lost_no_acknowledged_answer(tmp_path: Path) -> None:
    """Every answer that was acknowledged is on disk, and phones continue when the server is back on its port."""
    (tmp_path / "plan.toml").write_text(SMALL)
    server, address = started(tmp_path)
    port = re.search(r":(\d+)/", address)[1]  # type: ignore[index]
    phones = [Phone(address) for _ in range(4)]
    acknowledged = set()
    for turn in range(6):
        for phone in phones:
            step = phone.steps()[0]
            phone.answer(step["id"], value(step), 1)
            acknowledged.add((phone.number, step["id"]))
        if turn == 4:
            server.kill()
            server.communicate()
            server, again = started(tmp_path, "--port", port)
            assert again == address
    server.send_signal(signal.SIGINT)
    assert "4 participants, 0 finished." in server.communicate(timeout=60)[0]
    stored = {
        (int(file.stem[1:]), json.loads(line)["step"])
        for file in (tmp_path / "plan-data").glob("p[0-9]*.jsonl")
        for line in file.read_text().splitlines()[1:]
    }
    assert stored == acknowledged


def started(folder: Path, *options: str) -> tuple[subprocess.Popen[str], str]:
    command = [
        sys.executable,
        "-P",
        "-c",
        "import sys; from dcrc_explore.cli import main; sys.exit(main())",
        "study",
        "plan.toml",
    ]
    server = subprocess.Popen([*command, *options], cwd=folder, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    lines = []
    for line in server.stdout:
        lines.append(line)
        if line.startswith("Ctrl+C"):
            break
    return server, re.search(r"http://\S+", "".join(lines))[0]  # type: ignore[index]
