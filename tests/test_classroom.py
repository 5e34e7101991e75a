"""A class: who is asked what, what the session learns and when, votes, and a kernel that dies."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from dcrc_explore.constraints import Answer
from dcrc_explore.datasets import as_dataset
from dcrc_explore.room import Limits
from dcrc_explore.room.classroom import Classroom
from dcrc_explore.room.classroom.effects import would_do
from dcrc_explore.room.classroom.journal import read_facts
from dcrc_explore.room.classroom.queues import SHARED_EVERY, QuestionQueues
from dcrc_explore.room.classroom.standing import guests
from dcrc_explore.room.client import Phone
from dcrc_explore.room.room import Refused
from dcrc_explore.session import Session, SessionError
from dcrc_explore.storage import StoredFile

Open = Callable[..., Classroom]


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session("emoji", autosave=tmp_path)


@pytest.fixture
def open_class(tmp_path: Path) -> Iterator[Open]:
    rooms = []

    def make(session: Session, **options: object) -> Classroom:
        rooms.append(Classroom(session, tmp_path / "class.jsonl", **{"port": 0, **options}))  # type: ignore[arg-type]
        return rooms[-1]

    yield make
    for room in rooms:
        room.leave()


def answer_one(phone: Phone, value: str = "dnk") -> str:
    step = phone.steps()[0]["id"]
    assert phone.answer(step, value, 1.0)["saved"] == "new"
    return step


# Who is asked what ----------------------------------------------------------------------------------------------------


def test_everybody_has_other_questions_but_for_every_tenth() -> None:
    handing = QuestionQueues(40)
    given: dict[int, list] = {number: [] for number in range(1, 6)}
    for _ in range(30):
        for number in given:
            (asked,) = handing.queue(number, 1)
            handing.answered(number, asked.id)
            given[number].append(asked)
    times = Counter(asked.rows for questions in given.values() for asked in questions)
    for questions in given.values():
        assert len({asked.rows for asked in questions}) == 30, "nobody is asked the same twice"
        shared = [t for t, asked in enumerate(questions) if asked.way == "shared"]
        assert shared == [SHARED_EVERY - 1, 2 * SHARED_EVERY - 1, 3 * SHARED_EVERY - 1]
    assert sum(n > 1 for n in times.values()) == 15
    assert len({asked.id for questions in given.values() for asked in questions}) == 150


def test_when_all_questions_are_asked_those_of_others_follow_and_then_none() -> None:
    handing = QuestionQueues(3)  # three questions
    for number in (1, 2):
        for _ in range(3):
            handing.answered(number, handing.queue(number, 1)[0].id)
        assert handing.queue(number, 1) == []


def test_a_wave_for_a_room_has_distinct_first_points(session: Session, open_class: Open) -> None:
    room = open_class(session)
    phones = [Phone(room.server.address) for _ in range(5)]  # with more of them the next wave comes
    rows = [step.rows[0] for phone in phones for step in room.roll.steps(phone.number)]
    assert len(set(rows)) == 10


# Into the session -----------------------------------------------------------------------------------------------------


def test_answers_are_on_disk_at_once_and_in_the_session_as_one_step(session: Session, open_class: Open) -> None:
    room = open_class(session)
    phones = [Phone(room.server.address, name) for name in ("Ann", "", "=1+1")]
    with session.lock:  # as while a fit or an export goes on: phones do not wait for it
        for phone in phones:
            for _ in range(3):
                answer_one(phone, "yes")
        assert sum("given" in fact for fact in read_facts(room.path)) == 9
        assert len(session.log) == 0
    room.settle()
    assert len(session.log) == 9
    assert set(session.log.by) == {"guest 1", "guest 2", "guest 3"}, "nicknames stay in the file of the class"
    assert room.name_of(1, nicknames=True) == "Ann"
    while len(session.log):
        session.undo()
    assert session.history.position == 0


def test_answers_that_come_during_a_fit_become_one_fit(tmp_path: Path) -> None:
    async def story() -> tuple[int, int]:
        loop = asyncio.get_running_loop()
        session = Session("emoji", autosave=tmp_path, background=loop.call_soon_threadsafe)
        fits = []
        session.observe(lambda event: fits.append(session.model.trace))
        with Classroom(session, tmp_path / "class.jsonl", port=0) as room:

            def answer() -> None:
                phones = [Phone(room.server.address) for _ in range(10)]
                for _ in range(6):
                    for phone in phones:
                        answer_one(phone, "no")

            await asyncio.to_thread(answer)
            while len(session.log) < 60 or session.model.busy:
                await asyncio.sleep(0.05)
        return len(session.log), len(set(map(id, fits)))

    n_answers, n_fits = asyncio.run(story())
    assert n_answers == 60
    assert n_fits < 30


def test_people_may_join_while_it_is_counted_who_is_there(session: Session, open_class: Open) -> None:
    room = open_class(session)
    for _ in range(300):
        room.roll.arrive(None, "")
    more = threading.Thread(target=lambda: [room.roll.arrive(None, "") for _ in range(300)])
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    more.start()
    try:
        while more.is_alive():
            assert guests(room) == []
    finally:
        sys.setswitchinterval(interval)
        more.join()


def test_answers_reach_the_session_also_when_every_question_was_asked(open_class: Open, tmp_path: Path) -> None:
    session = Session(as_dataset([[0.0, 0], [1, 0], [0, 1], [1, 1]]), autosave=tmp_path, n_clusters=2)
    room = open_class(session, limits=Limits(answers_per_person=(1e6, 1e6)))
    for token in [room.room.join(None)["token"] for _ in range(2)]:
        while steps := room.room.steps(token)["steps"]:
            room.room.answer(token, steps[0]["id"], "dnk", 1.0)
    assert len(room.roll.answers) == 2 * 12
    while len(session.log) < 24 and room._thread.is_alive():
        time.sleep(0.05)
    assert len(session.log) == 24


def test_other_data_are_refused_while_a_class_answers(session: Session, open_class: Open) -> None:
    session.set(epsilon=0.15)
    session.set_data("emoji")
    room, before = open_class(session), session.state
    phone = Phone(room.server.address)
    for change in (lambda: session.set_data("moons"), session.undo, session.standardize):
        with pytest.raises(SessionError, match=r"Close the class first.* Or open the other data in a second window"):
            change()
        assert session.state is before
    answer_one(phone)
    room.settle()
    assert len(session.log) == 1
    room.close()
    session.set_data("moons")
    assert session.dataset.name == "moons"


def test_forgetting_somebody_and_the_last_minute_are_one_step_each(session: Session, open_class: Open) -> None:
    room = open_class(session)
    session.answer((0, 1, 2), "yes", by="Lecturer")
    ann, bob = Phone(room.server.address, "Ann"), Phone(room.server.address)
    for phone in (ann, bob, ann):
        answer_one(phone, "no")
    room.settle()
    room.forget_guest(1)
    assert (session.log.by, session.history.undo_label) == (["Lecturer", "guest 2"], "forgetting guest 1")
    with pytest.raises(RuntimeError, match="410"):
        ann.steps()
    session.undo()
    assert len(session.log) == 4
    answer_one(bob)
    assert room.undo_minute() == 4, "one of them was still waiting"
    assert (session.log.by, session.history.undo_label) == (["Lecturer"], "the last minute of the class")
    session.undo()
    assert len(session.log) == 5
    with pytest.raises(SessionError, match="there is no guest 9"):
        room.forget_guest(9)


# Votes ----------------------------------------------------------------------------------------------------------------


def test_a_vote_is_hidden_until_it_is_revealed_and_the_second_replaces_the_first(
    session: Session, open_class: Open
) -> None:
    room = open_class(session)
    phones = [Phone(room.server.address) for _ in range(3)]
    vote = room.begin_vote((3, 40, 90))
    for phone, value in zip(phones, ("yes", "yes", "dnk"), strict=True):
        (step,) = phone.steps()
        assert phone.answer(step["id"], value, 1.0)["steps"] == []
    room.settle()
    assert len(session.log) == 0, "neither the picture nor the list tells"
    with pytest.raises(SessionError, match="reveal the first vote"):
        room.vote_again()
    room.reveal()
    assert vote.counts() == [[2, 0, 1]]
    assert [int(entry.answer) for entry in session.log] == [1, 1, 0]
    assert sum(vote.expected) == pytest.approx(1)
    room.vote_again()
    for phone, value in zip(phones[:2], ("no", "yes"), strict=True):
        phone.answer(phone.steps()[0]["id"], value, 1.0)
    assert phones[0].steps() == []
    room.reveal()
    assert vote.counts() == [[2, 0, 1], [1, 1, 0]]
    said = {entry.by: int(entry.answer) for entry in session.log}
    assert said == {"guest 1": -1, "guest 2": 1, "guest 3": 0}
    assert session.history.undo_label == "second vote on question 1"
    room.each_their_own()
    assert len(phones[0].steps()) == 2


def test_a_vote_that_nobody_revealed_is_not_lost(session: Session, open_class: Open) -> None:
    room = open_class(session)
    phone = Phone(room.server.address)
    room.begin_vote()
    answer_one(phone, "yes")
    room.begin_vote()
    assert [entry.answer for entry in session.log] == [Answer.YES]


@pytest.mark.parametrize("answer", list(Answer))
def test_what_an_answer_would_do_is_what_it_does(answer: Answer) -> None:
    session = Session("close", autosave=None)
    session.answer_by_oracle(5)
    before = session.fit.labels
    told = would_do(session, (0, 60, 149), answer, ["guest 1"])()
    assert session.fit.labels is before
    session.answer((0, 60, 149), answer, by="guest 1")
    n_moved = int(np.sum(session.fit.labels != before))
    assert told.startswith(f"{n_moved or 'No'} point")


# A kernel that dies ---------------------------------------------------------------------------------------------------


def test_a_class_continues_with_its_file(session: Session, open_class: Open) -> None:
    room = open_class(session)
    phone = Phone(room.server.address, "Ann")
    answered = answer_one(phone, "yes")
    waiting = phone.steps()
    room.settle()
    vote = room.begin_vote((3, 40, 90))
    answer_one(phone, "no")
    room.leave()
    # The file of the session as the killed kernel left it; the vote was never revealed.
    again = Session.load(session.file.path)
    other = open_class(again, port=None)
    assert (other.room.code, other.server.port) == (room.room.code, room.server.port)
    back = Phone(other.server.address, token=phone.token)
    assert back.number == 1
    assert back.answer(answered, "no", 1.0)["saved"] == "before"
    assert other.roll.vote is not None
    assert other.roll.vote.counts() == vote.counts()
    other.each_their_own()
    assert [(entry.by, int(entry.answer)) for entry in again.log] == [("guest 1", 1), ("guest 1", -1)]
    now, then = ([step["items"] for step in steps] for steps in (back.steps(), waiting))
    assert now == then, "what was asked before waits for its answer"


def test_answers_that_the_session_did_not_get_come_after_a_restart(
    session: Session, open_class: Open, tmp_path: Path
) -> None:
    room = open_class(session)
    phone = Phone(room.server.address)
    with session.lock:
        answer_one(phone, "yes")
        answer_one(phone, "no")
        room.leave()
    again = Session("emoji", autosave=tmp_path)
    other = open_class(again)
    other.settle()
    assert [int(entry.answer) for entry in again.log] == [1, -1]


def test_answers_that_come_while_others_are_added_are_not_taken_for_added(
    session: Session, open_class: Open, tmp_path: Path
) -> None:
    room = open_class(session)
    phone = Phone(room.server.address)
    late = []

    def meanwhile(_: object) -> None:  # the session tells of the batch before the class's file says what was added
        if not late:
            late.append(answer_one(phone, "no"))

    session.observe(meanwhile)
    with session.lock:
        answer_one(phone, "yes")
        room.settle()
        killed = (tmp_path / "class.jsonl").read_bytes(), session.file.path.read_bytes()
    room.leave()
    (tmp_path / "killed.jsonl").write_bytes(killed[0])
    session.file.path.write_bytes(killed[1])  # as the killed kernel left both
    again = Session.load(session.file.path, autosave=False)
    with Classroom(again, tmp_path / "killed.jsonl", port=0) as other:
        other.settle()
        assert [int(entry.answer) for entry in again.log] == [1, -1]


def test_a_kill_right_after_reveal_loses_no_vote(session: Session, open_class: Open, tmp_path: Path) -> None:
    room = open_class(session)
    phones = [Phone(room.server.address) for _ in range(3)]
    room.begin_vote((3, 40, 90))
    for phone in phones:
        answer_one(phone, "yes")
    room._journal.note(reveal=1)  # the last line of a kernel that dies here
    room.leave()
    again = Session("emoji", autosave=tmp_path)
    other = open_class(again)
    other.settle()
    assert [entry.by for entry in again.log] == ["guest 1", "guest 2", "guest 3"]
    assert other.roll.vote is not None
    assert other.roll.vote.revealed


def test_a_vote_that_comes_after_reveal_is_refused_and_says_so(session: Session, open_class: Open) -> None:
    room = open_class(session)
    ann, bob = Phone(room.server.address), Phone(room.server.address)
    room.begin_vote((3, 40, 90))
    late = bob.steps()[0]["id"]
    answer_one(ann, "yes")
    room.reveal()
    with pytest.raises(RuntimeError, match=r"409 .*This vote is over"):
        bob.answer(late, "no", 1.0)
    assert room.roll.vote is not None
    assert (room.roll.vote.counts(), len(session.log), len(room.roll.answers)) == ([[1, 0, 0]], 1, 1)


def test_a_class_that_is_closed_with_a_hidden_vote_adds_it(session: Session, open_class: Open) -> None:
    room = open_class(session)
    phones = [Phone(room.server.address) for _ in range(3)]
    room.begin_vote((3, 40, 90))
    for phone in phones:
        answer_one(phone, "no")
    room.close()
    assert [int(entry.answer) for entry in session.log] == [-1, -1, -1]


def test_a_class_does_not_close_while_answers_cannot_go_into_the_model(
    session: Session, open_class: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = open_class(session)
    phone = Phone(room.server.address)
    with monkeypatch.context() as full:
        full.setattr("dcrc_explore.constraints.log.MOST_ANSWERS", 0)
        answer_one(phone, "no")
        with pytest.raises(SessionError, match="1 answer cannot go into the model yet: a session may have at most 0"):
            room.close()
    room.close()
    assert [entry.by for entry in session.log] == ["guest 1"]


@pytest.mark.parametrize("is_full", [False, True])
def test_an_answer_that_comes_while_a_class_closes_is_added_or_the_class_stays_open(
    session: Session, open_class: Open, monkeypatch: pytest.MonkeyPatch, is_full: bool
) -> None:
    room = open_class(session)
    phone = Phone(room.server.address)
    late: list[str] = []
    session.observe(lambda event: late or late.append(answer_one(phone, "yes")))
    with session.lock:
        answer_one(phone, "no")
        with monkeypatch.context() as full:
            if is_full:
                full.setattr("dcrc_explore.constraints.log.MOST_ANSWERS", 1)
                with pytest.raises(SessionError, match="1 answer cannot go into the model yet"):
                    room.close()
                assert not room.is_closed
        room.close()
    assert [int(entry.answer) for entry in session.log] == [-1, 1]


def test_a_class_does_not_close_while_the_session_cannot_be_saved(open_class: Open, tmp_path: Path) -> None:
    session = Session("emoji", autosave=tmp_path / "own")
    room = open_class(session)
    phone = Phone(room.server.address)
    answer_one(phone, "yes")
    room.settle()
    shutil.rmtree(tmp_path / "own")
    (tmp_path / "own").touch()  # where the folder was
    answer_one(phone, "no")
    with pytest.raises(SessionError, match="The answers are not saved"):
        room.close()
    assert not room.is_closed
    (tmp_path / "own").unlink()
    room.close()
    assert [int(entry.answer) for entry in Session.load(session.file.path, autosave=False).log] == [1, -1]


def test_a_question_that_the_disk_did_not_take_is_not_handed_out(
    session: Session, open_class: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = open_class(session)
    phone = Phone(room.server.address)
    with monkeypatch.context() as full:
        full.setattr("dcrc_explore.room.classroom.journal.LARGEST", room.path.stat().st_size)
        with pytest.raises(Refused, match="cannot save answers now"):
            room.room.steps(phone.token)
    asked = [(phone.number, step.id) for step in room.roll.steps(phone.number)]
    assert [tuple(fact["asked"][:2]) for fact in read_facts(room.path) if "asked" in fact] == asked


def test_a_file_that_is_full_can_be_read_again_with_every_answer_in_it(
    session: Session, open_class: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = open_class(session)
    phone = Phone(room.server.address)
    step = answer_one(phone)
    room.leave()
    size = room.path.write_bytes(room.path.read_bytes() + b'{"given": half a line of a killed writer')
    line = len(json.dumps({"port": room.server.port})) + 1
    monkeypatch.setattr("dcrc_explore.room.classroom.journal.LARGEST", size + line)
    for _ in range(2):
        full = open_class(session, port=None)
        assert full.roll.has_taken(phone.number, step)
        full.leave()


def test_a_session_whose_file_is_gone_gets_all_answers_of_the_class(
    session: Session, open_class: Open, tmp_path: Path
) -> None:
    room = open_class(session)
    answer_one(Phone(room.server.address), "yes")
    room.settle()
    room.leave()
    session.file.path.unlink()
    again = Session("emoji", autosave=None)
    open_class(again).settle()
    assert again.log[0].by == "guest 1"


def story(room: Classroom) -> None:
    """Everything that a class's file can hold."""
    phones = [Phone(room.server.address, name) for name in ("Ann", "Bob", "")]
    for phone in phones * 2:
        answer_one(phone, "yes")
    room.settle()
    for _ in range(2):
        room.begin_vote((3, 40, 90))
        for phone in phones:
            answer_one(phone, "no")
        room.reveal()
        room.vote_again()
        answer_one(phones[0], "yes")
        room.reveal()
    room.each_their_own()
    room.forget_guest(2)
    answer_one(phones[0], "dnk")


def test_one_damaged_line_is_left_out_and_reported(session: Session, open_class: Open, tmp_path: Path) -> None:
    room = open_class(session)
    story(room)
    room.leave()
    lines = room.path.read_bytes().split(b"\n")
    n_answers = sum(line.startswith(b'{"given"') for line in lines)
    kinds = {line[:9]: n for n, line in reversed(list(enumerate(lines[1:-1], 1)))}
    assert len(kinds) == 10
    for kind, n in kinds.items():
        file = tmp_path / f"damaged-{n}.jsonl"
        file.write_bytes(b"\n".join([*lines[:n], b'{"given": {"per\xff', *lines[n + 1 :]]))
        fresh = Session("emoji", autosave=None)
        with Classroom(fresh, file, port=0) as other:
            damage = f"1 damaged line of {file.name} is left out ({n + 1}). Everything else is there."
            assert other.roll.damage == damage
            n_kept = n_answers - (kind == b'{"given":') - (0 if kind == b'{"forget"' else 4)
            assert len(other.roll.answers) == n_kept
            assert other.roll.arrive(None, "") > 3, "no number is given twice"
            other.begin_vote((5, 6, 7))
            answer_one(Phone(other.server.address), "no")
            other.reveal()
            assert fresh.log[-1].points == (5, 6, 7)


def test_fuzzed_files_are_continued_or_refused_in_words_and_are_never_left_locked(
    session: Session, open_class: Open, tmp_path: Path
) -> None:
    room = open_class(session)
    story(room)
    room.leave()
    whole, rng, file = room.path.read_bytes(), random.Random(0), tmp_path / "fuzzed.jsonl"
    fresh = Session("emoji", autosave=None)
    refused: list[str] = []
    for _ in range(120):
        content = bytearray(whole)
        for _ in range(rng.choice((1, 3, 20))):
            place = rng.randrange(len(content))
            piece = rng.choice(
                [b"", b"\0", b"\xff", b"9" * 5000, b"[" * 3000, b"null", b"-1", b"1e999", b"{", b'"', b"\n"]
            )
            content[place : place + rng.choice((0, 1, 9))] = piece
        file.write_bytes(content)
        try:
            Classroom(fresh, file, port=0).leave()
        except ValueError as error:
            refused.append(str(error))
        with StoredFile(file) as free:
            free.hold()
    assert all(str(file) in words for words in refused)
    assert len(refused) < 40


def test_a_closed_class_is_not_opened_again_and_its_file_is_private(session: Session, open_class: Open) -> None:
    room = open_class(session)
    assert room.path.stat().st_mode & 0o077 == 0
    room.close()
    with pytest.raises(ValueError, match="is a class that was closed"):
        Classroom(session, room.path, port=0)


def test_a_file_of_other_points_and_one_in_use_are_refused(session: Session, open_class: Open, tmp_path: Path) -> None:
    room = open_class(session)
    with pytest.raises(BlockingIOError):
        Classroom(session, room.path, port=0)
    room.leave()
    with pytest.raises(ValueError, match="must be a class about 'moons', got one about other points"):
        Classroom(Session("moons", autosave=None), room.path, port=0)
    (tmp_path / "other.jsonl").write_text("{}\n")
    with pytest.raises(ValueError, match="must be the file of a class"):
        Classroom(session, tmp_path / "other.jsonl", port=0)


def test_a_closed_class_takes_nothing_more_and_is_not_continued(session: Session, open_class: Open) -> None:
    room = open_class(session)
    phone = Phone(room.server.address)
    answer_one(phone)
    room.close()
    assert len(session.log) == 1
    assert room.is_closed


def test_everybody_from_one_address_is_forgotten_at_once_and_nobody_new_joins_from_there(
    session: Session, open_class: Open
) -> None:
    room = open_class(session)
    elsewhere = room.room.join(None, "", "192.0.2.9")
    phones = [Phone(room.server.address) for _ in range(4)]
    for phone in phones:
        answer_one(phone, "yes")
    room.settle()
    assert room.forget_address(phones[0].number) == [phone.number for phone in phones]
    assert (len(session.log), session.history.undo_label) == (0, "forgetting 4 guests")
    with pytest.raises(RuntimeError, match=r"403 .*Nobody new can join"):
        Phone(room.server.address)
    assert room.room.steps(elsewhere["token"])["state"] == "open"
