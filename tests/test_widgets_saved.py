"""Going on with what is on disk: what is offered, when, and how it is listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from dcrc_explore.session import Session
from dcrc_explore.widgets import Explorer


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two sessions on one set of data and one on another, of 1, 2 and 3 answers."""
    monkeypatch.chdir(tmp_path)
    for n, name in enumerate(("moons", "moons", "far"), start=1):
        session = Session(name)
        for t in range(n):
            session.answer((t, t + 1, 40), "yes")
    return tmp_path


def listed(explorer: Explorer) -> list[str]:
    (kept,) = [control for control in explorer.controls["session"] if control["name"] == "saved_here"]
    return [option["label"].split(",")[0] for option in kept["options"]]


def send(explorer: Explorer, do: str) -> None:
    explorer._messages.receive({"do": do, "request": do})


def test_sessions_on_the_data_are_offered_and_all_are_listed() -> None:
    explorer = Explorer("moons")
    assert "2 answers on “moons”" in explorer.notice["text"]
    assert "The tab Session lists one more." in explorer.notice["text"]
    assert listed(explorer) == ["3 answers on “far”", "2 answers on “moons”", "1 answer on “moons”"]
    send(explorer, "resume")
    assert len(explorer.session.log) == 2
    assert listed(explorer) == ["3 answers on “far”", "1 answer on “moons”"]


def test_choosing_data_that_have_answers_offers_them() -> None:
    explorer = Explorer("rings")
    assert explorer.notice == {}
    explorer.session.answer((0, 1, 40), "no")
    explorer.act(lambda session: session.set_data("far"))
    text = explorer.notice["text"]
    assert "brings back the earlier ones with 1 answer." in text
    assert "Continue where you stopped? 3 answers on “far”" in text
    send(explorer, "resume")
    assert (explorer.session.dataset.name, len(explorer.session.log)) == ("far", 3)


def test_other_points_of_the_same_kind_offer_nothing_again() -> None:
    explorer = Explorer("far")
    explorer.notify("")
    explorer.act(lambda session: session.regenerate(seed=5))
    assert explorer.notice == {}


def test_any_listed_session_can_be_chosen() -> None:
    explorer = Explorer("rings")
    explorer.move("saved_here", 2)
    explorer.move("resume")
    assert (explorer.session.dataset.name, len(explorer.session.log)) == ("moons", 1)
