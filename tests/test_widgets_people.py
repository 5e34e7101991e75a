"""People and pairs in the tools: messages of the browser, and what is sent back."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

from dcrc_explore.arrays import unpacked
from dcrc_explore.constraints import implied_answers
from dcrc_explore.questions import random_triplets
from dcrc_explore.session import Session
from dcrc_explore.widgets import Compare, Explorer

_NUMBERS = count()


def send(tool: Explorer | Compare, do: str, **fields: object) -> None:
    tool._messages.receive({"do": do, "request": f"people {next(_NUMBERS)}", **fields})


@pytest.fixture
def explorer() -> Explorer:
    return Explorer("close", autosave=None)


def test_an_answer_has_the_name_that_the_browser_gives_it(explorer: Explorer) -> None:
    send(explorer, "person", name="Ann")
    send(explorer, "answer", triplet=[0, 1, 149], answer=1, by="Ann")
    send(explorer, "answer", triplet=[2, 3, 148], answer=1)
    assert explorer.session.log.by == ["Ann", "Ann"]
    scene = explorer.scene
    assert (scene["person"], scene["people"]) == ("Ann", ["Ann"])


def test_what_is_no_name_is_told_and_changes_nothing(explorer: Explorer) -> None:
    send(explorer, "person", name="truth")
    assert "name of simulated people" in explorer.notice["text"]
    assert explorer.session.person == "user"
    send(explorer, "answer", triplet=[5, 5], answer=1)
    assert "two different instances" in explorer.notice["text"]
    assert not explorer.session.state.n_answers


@pytest.mark.parametrize("kind", [Explorer, Compare])
def test_questions_are_about_two_points_on_request(kind) -> None:
    tool = kind(session=Session("close", autosave=None)) if kind is Explorer else kind(Session("close", autosave=None))
    send(tool, "points", points=2)
    question = tool.question
    assert len(question["triplet"]) == 2
    assert question["probabilities"][2] == 0
    assert "three points are worth up to" in question["reason"]
    status = tool.scene
    assert status["asserts"] == ["A and B together", "A and B apart", "says nothing"]
    send(tool, "answer", triplet=question["triplet"], answer=-1)
    assert tool.session.log.pairs.cannot_link.tolist() == [question["triplet"]]
    assert len(tool.question["triplet"]) == 2  # the next comes by itself
    send(tool, "undo")
    assert tool.question["triplet"] == question["triplet"]  # the question comes back
    send(tool, "skip", triplet=question["triplet"])
    assert tool.session.questions.skipped == [tuple(question["triplet"])]
    send(tool, "points", points=3)
    assert len(tool.question["triplet"]) == 3


def test_pairs_are_sent_with_who_said_them_and_what_keeps_them(explorer: Explorer) -> None:
    session = explorer.session
    session.answer((0, 1, 149), "yes", by="Ann")
    assert unpacked(explorer.given["who"]).tolist() == [0]
    session.add([(0, 149), (3, 4)], ["no", "dnk"], by="Bob")
    rows = unpacked(explorer.scene["pairs"])
    assert rows[:, :4].tolist() == [[0, 149, -1, 1], [3, 4, 0, 1]]
    assert rows[1, 4] == 2  # a don't know is never violated
    assert rows[:, 5].tolist() == [1, 1]
    send(explorer, "flip", index=1, answer=1)  # by its number among all answers
    assert session.log.pairs.answers.tolist() == [1, 0]
    send(explorer, "delete", index=2)
    assert len(session.log.pairs) == 1


def test_the_people_are_counted_and_compared(explorer: Explorer) -> None:
    session = explorer.session
    for name, answers in (("Ann", ["yes", "dnk", "no", "yes"]), ("Bob", ["yes", "no", "no", "yes"])):
        session.add([(0, 1, 149), (2, 3, 4), (5, 6, 140), (7, 8, 100)], answers, by=name)
    session.add([(0, 149)], ["no"], by="Ann")
    send(explorer, "people")
    people = explorer.people
    ann, bob = people["people"]
    assert (ann["name"], ann["n_triplets"], ann["n_pairs"], ann["source"]) == ("Ann", 4, 1, "truth")
    assert np.sum(bob["matrix"]) == 4
    (agreement,) = people["agreements"]
    assert (agreement["names"], agreement["common"], agreement["share"]) == (["Ann", "Bob"], 4, 0.75)
    assert (agreement["kappa"], agreement["few"]) == (None, True)
    assert (ann["dnk_rate"], bob["dnk_rate"]) == (0.25, 0)
    assert people["noise"].startswith("2 people: each has a noise model of their own")
    send(explorer, "plant", errors=2, person="Bob")
    send(explorer, "people")
    assert [person["n_errors"] for person in explorer.people["people"]] == [0, 2]
    send(explorer, "apart", on=False)
    send(explorer, "people")
    assert explorer.people["noise"] == "2 people share one noise model, with ε = 0.05."


def test_questions_of_others_are_put_once_each_until_that_is_switched_off(explorer: Explorer) -> None:
    asked = {(0, 1, 149), (2, 3, 148)}
    for points in asked:
        explorer.session.answer(points, "yes", by="Ann")
    send(explorer, "person", name="Bob")
    send(explorer, "shared", on=True)
    assert explorer.values["strategy"] == "shared"
    for _ in range(2):
        question = explorer.question["triplet"]
        asked.remove(tuple(question))
        send(explorer, "answer", triplet=question, answer=-1)
    assert explorer.question == {}
    send(explorer, "suggest")
    assert "Bob has answered every question" in explorer.notice["text"]
    send(explorer, "shared", on=False)
    assert explorer.values["strategy"] == "guided"
    assert len(explorer.question["triplet"]) == 3


def test_nobody_is_judged_by_few_answers(explorer: Explorer) -> None:
    session, rng = explorer.session, np.random.default_rng(0)
    questions = random_triplets(150, 24, seed=0)
    true = implied_answers(session.dataset.y, questions)
    guessed = rng.integers(-1, 2, len(true))
    for first, last in ((0, 4), (4, 24)):
        for name, given in (("Ann", true), ("Bob", guessed)):
            session.add(questions[first:last], given[first:last].tolist(), by=name)
        send(explorer, "people")
        ann, bob = explorer.people["people"]
        (agreement,) = explorer.people["agreements"]
        assert (agreement["few"], agreement["kappa"] is None) == (last == 4, last == 4)
        if last == 4:
            assert bob["habit"] == "Too few answers to say how Bob errs (10 are needed)."
    assert (ann["habit"], bob["habit"][:20]) == ("", "Bob seems to guess: ")


def test_the_model_tab_says_what_answers_weigh(explorer: Explorer) -> None:
    assert explorer.values["weight"] == "Full weight from 15 answers."
    explorer.session.answer((0, 1, 149), "yes")
    assert explorer.values["weight"] == "1 answer: 7 % of full weight (full from 15 answers)."
    explorer.session.set(weighting="paper")
    assert explorer.values["weight"] == "1 answer: full weight, as in the paper."
