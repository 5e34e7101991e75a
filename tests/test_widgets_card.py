"""The question on the card: which one comes next, and what undo does with it."""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np
import pytest

from dcrc_explore.widgets import Explorer

numbers = count()


def tell(explorer: Explorer, do: str, **details: Any) -> None:
    """Send what the browser would send, as a comm message."""
    content = {"do": do, "request": f"card-{next(numbers)}", **details}
    explorer._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})


@pytest.fixture
def explorer() -> Explorer:
    return Explorer("close", autosave=None)


def test_the_next_question_comes_by_itself_unless_they_are_chosen_by_hand(explorer: Explorer) -> None:
    stage = explorer
    assert stage.values["strategy"] == "guided"
    first = stage.question
    assert first["suggested"]
    assert first["automatic"]
    tell(explorer, "answer", triplet=first["triplet"], answer=1)
    second = stage.question
    assert second["suggested"]
    assert second["triplet"] != first["triplet"]
    tell(explorer, "preview", triplet=[5, 6, 7])  # the person clicks three points
    explorer.session.set(epsilon=0.1)
    assert stage.question["triplet"] == [5, 6, 7]
    tell(explorer, "answer", triplet=[5, 6, 7], answer=0)
    assert stage.question["suggested"]
    tell(explorer, "auto", on=False)
    assert stage.values["strategy"] == ""
    tell(explorer, "answer", triplet=[8, 9, 10], answer=0)
    assert stage.question == {}
    stage.move("strategy", "random")
    assert stage.question["reason"].startswith("Drawn at random.")
    tell(explorer, "auto", on=False)
    tell(explorer, "auto", on=True)
    assert stage.values["strategy"] == "random"


def test_other_data_bring_a_question_about_them(explorer: Explorer) -> None:
    explorer.session.set_data("moons")
    assert max(explorer.question["triplet"]) < 100


def test_undo_brings_the_question_back_and_redo_goes_on(explorer: Explorer) -> None:
    stage = explorer
    first = stage.question["triplet"]
    tell(explorer, "answer", triplet=first, answer=1)
    tell(explorer, "undo")
    assert stage.question["triplet"] == first
    assert stage.question["suggested"]
    assert not stage.question["automatic"]  # it comes whatever the person has begun
    assert "Taken back" in stage.question["reason"]
    tell(explorer, "preview", triplet=first, passive=True)
    tell(explorer, "redo")
    assert stage.question["triplet"] != first
    explorer.session.answer_by_oracle(1, oracle="truth", strategy="random")
    shown = stage.question["triplet"]
    tell(explorer, "undo")
    assert stage.question["triplet"] == shown  # the question was not the person's


def test_when_no_question_is_left_none_is_asked() -> None:
    explorer = Explorer(np.eye(3), n_clusters=2, autosave=None)
    for _ in range(3):
        tell(explorer, "answer", triplet=explorer.question["triplet"], answer=0)
    assert explorer.question == {}
    assert explorer.notice == {}


def test_too_few_selected_points_leave_a_question_about_all_and_say_so(explorer: Explorer) -> None:
    stage = explorer
    for rows, words in (([4, 60], "Two selected points are too few"), ([4], "One selected point is too few")):
        tell(explorer, "select", rows=rows)
        tell(explorer, "suggest")
        assert len(stage.question["triplet"]) == 3
        assert stage.question["reason"].startswith(words)
    tell(explorer, "select", rows=[4, 60, 120, 121])
    tell(explorer, "suggest")
    assert set(stage.question["triplet"]) <= {4, 60, 120, 121}
    assert "selected" not in stage.question["reason"]


def test_nobody_answers_under_the_name_of_a_simulated_person(explorer: Explorer) -> None:
    question = explorer.question
    for name in ("truth", "noisy", ""):
        tell(explorer, "answer", triplet=question["triplet"], answer=1, by=name)
        assert len(explorer.session.log) == 0
        assert explorer.notice["kind"] == "error"
        assert explorer.question == question  # it can still be answered
