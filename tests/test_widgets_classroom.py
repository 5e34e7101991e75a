"""A class in the Explorer, without a browser: what leaves Python, and what the lecturer's messages do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dcrc_explore.room.client import Phone
from dcrc_explore.session import Session
from dcrc_explore.widgets import Explorer


@pytest.fixture
def explorer(tmp_path: Path) -> Iterator[Explorer]:
    explorer = Explorer("emoji", autosave=tmp_path)
    room = explorer.open_class(tmp_path / "class.jsonl", port=0)
    yield explorer
    room.leave()


def send(explorer: Explorer, to: str, **more: Any) -> None:
    explorer._messages.receive({"do": "class", "to": to, "request": f"{to} {more}", **more})


def answer(phone: Phone, value: str) -> None:
    phone.answer(phone.steps()[0]["id"], value, 1.0)


def test_a_hidden_vote_and_nicknames_do_not_leave_python(explorer: Explorer) -> None:
    room = explorer.open_class()
    assert (explorer.view, explorer.classroom["open"], explorer.question) == ("lecture", False, {})
    guest = Phone(room.server.address, "Zenobia")
    answer(guest, "yes")
    room.settle()
    send(explorer, "vote", triplet=[3, 40, 90])
    assert explorer.question["triplet"] == [3, 40, 90]
    answer(guest, "no")
    send(explorer, "pause")
    vote = explorer.classroom["vote"]
    assert (vote["voted"], vote["counts"], vote["expected"], vote["would"]) == (1, [], [], [])
    assert explorer.answers == 1
    assert "Zenobia" not in str(explorer.get_state())
    send(explorer, "resume")
    send(explorer, "reveal")
    assert explorer.classroom["vote"]["counts"] == [[0, 1, 0]]
    assert explorer.answers == 2
    send(explorer, "own")
    send(explorer, "names")
    assert [each["name"] for each in explorer.classroom["people"]] == ["Zenobia"]


def test_what_goes_wrong_is_told_and_a_closed_class_leaves_its_page(explorer: Explorer, tmp_path: Path) -> None:
    room = explorer.open_class()
    send(explorer, "reveal")
    assert explorer.notice["text"] == "there is no vote now"
    answer(Phone(room.server.address), "dnk")
    send(explorer, "close")
    assert explorer.classroom == {}
    assert "emoji-class.html" in explorer.notice["text"]
    assert {path.name for path in tmp_path.glob("emoji-class.*")} == {"emoji-class.html", "emoji-class.csv"}
    assert len(explorer.session.log) == 1


def test_a_file_of_a_class_brings_its_session_back(tmp_path: Path) -> None:
    first = Explorer.for_class("emoji", file=tmp_path / "class.jsonl", autosave=tmp_path, port=0)
    room = first.open_class()
    answer(Phone(room.server.address), "no")
    room.settle()
    room.leave()
    again = Explorer.for_class("emoji", file=tmp_path / "class.jsonl", autosave=tmp_path)
    assert (again.answers, again.classroom["code"]) == (1, room.room.code)
    again.open_class().leave()


def test_other_data_are_refused_with_the_two_ways_to_go_on(explorer: Explorer, tmp_path: Path) -> None:
    before, other = explorer.session.dataset, Session("moons", autosave=None).save(tmp_path / "other.json")
    room = explorer.open_class(port=0)
    for change in (
        lambda: explorer.move("data", "moons"),
        lambda: explorer.move("scene", "answers-pay"),
        lambda: explorer.act(lambda _: explorer.loading.load(other, explorer.session)),
    ):
        explorer.notify("")
        change()
        assert "Close the class first" in explorer.notice["text"]
        assert "in a second window" in explorer.notice["text"]
        assert explorer.session.dataset is before
        assert not room.is_closed
        assert explorer.playing == {}
    room.leave()
    explorer.move("data", "moons")
    assert explorer.session.dataset.name == "moons"
