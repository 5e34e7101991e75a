"""Annotators of a notebook in the tab Ask: listed, asked when a person wants it, followed and stopped."""

from __future__ import annotations

import asyncio
import threading

import numpy as np
import pytest

from dcrc_explore.annotators import CallFailed, list_oracles
from dcrc_explore.annotators.language_model import LanguageModel
from dcrc_explore.questions import list_strategies
from dcrc_explore.session import Session
from dcrc_explore.widgets import Compare, Explorer


def nearer(a, b, c) -> str:
    return "yes" if np.linalg.norm(a - b) < np.linalg.norm(a - c) else "no"


def options(tool: Explorer, name: str) -> list[tuple[str, str]]:
    (control,) = (each for each in tool.controls["ask"] if each["name"] == name)
    return [(each["value"], each["label"]) for each in control["options"]]


def test_menus_show_what_the_registries_know() -> None:
    explorer = Explorer("close", autosave=None, annotators={"my model": nearer})
    assert options(explorer, "strategy") == [*list_strategies().items(), ("", "chosen by hand")]
    assert options(explorer, "oracle") == [("", "me"), *list_oracles().items(), ("my model", "my model")]


def test_nothing_is_called_before_a_person_asks() -> None:
    calls = []
    explorer = Explorer(np.random.default_rng(0).normal(size=(30, 2)), autosave=None)
    explorer.register("my model", lambda a, b, c: calls.append(1) or nearer(a, b, c))
    assert options(explorer, "oracle") == [("", "me"), ("my model", "my model")]
    explorer.move("oracle", "my model")
    assert "its code decides what leaves this machine" in explorer.values["sends"]
    assert not calls
    explorer.move("ask.10")
    assert len(calls) == len(explorer.session.log) == 10
    assert explorer.values["told"] == "my model: 10 answers added."
    assert explorer.values["asked"] == 1
    explorer.session.undo()
    assert not explorer.session.log


def test_what_a_language_model_is_sent_is_said_before() -> None:
    explorer = Explorer("close", autosave=None)
    explorer.register("small", LanguageModel("http://localhost:11434/v1", "small", key="secret"))
    explorer.move("oracle", "small")
    assert explorer.values["sends"].endswith("are sent to localhost:11434.")
    assert "secret" not in str(explorer.get_state())


def test_what_fails_is_told_and_the_budget_holds_over_presses() -> None:
    def wrong_key(a, b, c):
        raise CallFailed("the service answered 401", retry=False)

    explorer = Explorer("close", autosave=None, annotators={"closed": wrong_key})
    explorer.move("oracle", "closed")
    explorer.move("ask.10")
    assert explorer.values["told"] == "closed: 0 answers added, 1 failed (the service answered 401)."
    explorer.register("short", nearer, max_questions=12)
    explorer.move("oracle", "short")
    assert explorer.values["told"] == ""
    explorer.move("ask.10")
    explorer.move("ask.10")
    assert len(explorer.session.log) == 12
    assert explorer.values["told"] == "No other question was left, or the budget is spent. short: 2 answers added."


def test_what_others_were_asked_can_be_asked_again() -> None:
    explorer = Explorer("close", autosave=None, annotators={"my model": nearer})
    explorer.session.answer_by_oracle(5)
    explorer.move("oracle", "my model")
    explorer.move("ask.about", True)
    explorer.move("ask.10")
    np.testing.assert_array_equal(explorer.session.log.points[:5], explorer.session.log.points[5:])


def test_a_run_in_the_background_is_followed_and_stopped() -> None:
    async def story() -> None:
        loop, go_on = asyncio.get_running_loop(), threading.Semaphore(3)
        calls: list[int] = []

        def slow(a, b, c):
            calls.append(len(calls))
            if not go_on.acquire(timeout=60):
                raise TimeoutError
            return nearer(a, b, c)

        session = Session("close", autosave=None, background=loop.call_soon_threadsafe)
        explorer = Explorer(session=session, annotators={"slow": slow})

        async def until(condition) -> None:
            while not condition():
                await asyncio.sleep(0.01)

        explorer.move("oracle", "slow")
        explorer.move("ask.500")
        await until(lambda: len(session.log) == 3 and len(calls) == 4)
        await until(lambda: 0 < explorer.values["asked"] < 1)  # what is seen follows a moment later
        assert "of 500 questions" in explorer.values["told"]
        session.answer((0, 1, 149), "yes", by="Ann")  # the tool can be used meanwhile
        explorer.move("ask.1")
        assert "cannot be changed now" in explorer.notice["text"]
        explorer.move("ask.stop")
        go_on.release()  # the call that was on its way
        await until(lambda: not explorer.answering.is_running)
        assert explorer.values["told"] == "Stopped. slow: 4 answers added."
        assert session.log.by == ["slow"] * 3 + ["Ann", "slow"]

    asyncio.run(asyncio.wait_for(story(), 120))


def test_compare_offers_those_of_the_explorer() -> None:
    explorer = Explorer("close", autosave=None, annotators={"my model": nearer})
    compare = Compare(explorer)
    compare.move("oracle", "my model")
    compare.move("ask.1")
    assert explorer.session.log.by == ["my model"]


@pytest.mark.parametrize(
    ("name", "function", "error"),
    [
        ("truth", nearer, "name of simulated people"),
        ("model", 3, "must be callable"),
        ("", nearer, "1 to 40 characters"),
    ],
)
def test_who_can_not_answer_is_refused(name: str, function: object, error: str) -> None:
    with pytest.raises((ValueError, TypeError), match=error):
        Explorer("close", autosave=None, annotators={name: function})


class Namer(LanguageModel):
    """A model at an address where nobody is, with a reply of its own."""

    said, n_asked = "1: small ones\n2: large ones", 0

    def _post(self, body: bytes) -> str:
        self.n_asked += 1
        return self.said


def test_a_registered_language_model_suggests_names_when_its_button_is_pressed() -> None:
    explorer = Explorer("close", n_clusters=2, autosave=None)
    assert not explorer.controls["clusters"]
    model = Namer("http://localhost:1/v1", "small", key="secret")
    explorer.register("small", model)
    (button, _) = explorer.controls["clusters"]
    assert button["words"] == "Names by small"
    assert button["help"].endswith("Six items of each are sent to http://localhost:1/v1")
    explorer._messages.receive({"do": "gallery", "request": "1"})
    assert (model.n_asked, explorer.gallery["names"]) == (0, [[], []]), "nobody is asked by itself"
    explorer.move("names.small")
    assert explorer.gallery["names"] == [["small ones"], ["large ones"]]
    assert explorer.values["names.answer"] == "2 names suggested."
    assert explorer.session.state.names == ()
    labels = explorer.session.fit.labels
    triplet = (0, int(np.flatnonzero(labels != labels[0])[0]), int(np.flatnonzero(labels == labels[0])[1]))
    explorer.session.set(epsilon=0.0)
    explorer.session.answer(triplet, "yes")
    explorer._messages.receive({"do": "gallery", "request": "2"})
    assert explorer.gallery["names"] == [[], []], "the names were about other clusters"
    model.said = "no idea"
    explorer.move("names.small")
    assert explorer.values["names.answer"] == "The reply held no names."


def test_a_language_model_that_cannot_be_asked_for_names_says_why() -> None:
    explorer = Explorer("close", autosave=None)
    explorer.register("small", LanguageModel("http://localhost:1/v1", "small"))
    explorer.move("names.small")
    assert explorer.notice["kind"] == "error"
    assert "cannot be reached" in explorer.notice["text"]
    assert explorer.values["names.answer"] == ""
