"""A class: who is asked what, what the session learns and when, votes, and a kernel that dies."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from dcrc_explore.constraints import Answer
from dcrc_explore.room.classroom import Classroom
from dcrc_explore.room.classroom.effects import would_do
from dcrc_explore.room.classroom.handing import SHARED_EVERY, Handing
from dcrc_explore.room.classroom.journal import read_facts
from dcrc_explore.room.client import Phone
from dcrc_explore.session import Session, SessionError

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
    handing = Handing(40)
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
    handing = Handing(3)  # three questions
    for number in (1, 2):
        for _ in range(3):
            handing.answered(number, handing.queue(number, 1)[0].id)
        assert handing.queue(number, 1) == []


def test_a_wave_for_a_room_has_distinct_first_points(session: Session, open_class: Open) -> None:
    room = open_class(session)
    phones = [Phone(room.server.address) for _ in range(12)]
    first = [room.steps(phone.number)[0].rows[0] for phone in phones]
    assert len(set(first)) == 12


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


def test_a_class_waits_while_other_data_are_shown(session: Session, open_class: Open) -> None:
    room = open_class(session)
    phone = Phone(room.server.address)
    answer_one(phone)
    room.settle()
    session.set_data("moons")
    assert phone.steps() == []
    session.undo()
    assert len(phone.steps()) == 2


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
    assert other.vote is not None
    assert other.vote.counts() == vote.counts()
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
