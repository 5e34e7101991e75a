"""Points drawn by hand, by messages of the browser, and as a trait of the Explorer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dcrc_explore.arrays import unpacked
from dcrc_explore.widgets import Explorer
from dcrc_explore.widgets.data import points_of

NOTHING: dict[str, Any] = {"empty": False, "erased": [], "rows": [], "places": [], "added": [], "brushes": []}


def send(explorer: Explorer, do: str, **message: Any) -> str:
    content = {"do": do, "request": f"{do} {np.random.default_rng().integers(1 << 60)}", **message}
    explorer._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})
    return explorer.notice.get("text", "")


def stroke(explorer: Explorer, n: int, **parts: Any) -> str:
    return send(explorer, "draw", **NOTHING | {"n": n} | parts)


def test_a_stroke_is_one_step_and_one_message() -> None:
    explorer = Explorer("moons", autosave=None)
    send(explorer, "drawing", to="on")
    scenes: list[object] = []
    explorer.observe(scenes.append, "scene")
    stroke(explorer, 100, added=[[0, 0], [0.1, 0.1]], brushes=[2, 2])
    assert len(scenes) == 1
    assert explorer.data["xy"]["shape"] == [102, 2]
    assert unpacked(explorer.data["brushes"])[-2:].tolist() == [2, 2]
    assert explorer.session.history.undo_label == "drawing 2 points"
    send(explorer, "undo")
    assert (explorer.data["xy"]["shape"], explorer.draw) == ([100, 2], "on")


def test_no_question_comes_while_points_are_drawn() -> None:
    explorer = Explorer("moons", autosave=None)
    assert explorer.question
    send(explorer, "drawing", to="on")
    stroke(explorer, 100, added=[[0, 0]], brushes=[0])
    assert not explorer.question
    send(explorer, "drawing", to="")
    assert explorer.question


def test_an_empty_plane_has_no_points_and_undo_brings_them_back() -> None:
    explorer = Explorer("moons", autosave=None)
    explorer.session.answer((0, 1, 60), "yes")
    send(explorer, "drawing", to="on")
    send(explorer, "drawing", to="cleared")
    assert len(explorer.points) == 0
    send(explorer, "undo")
    assert (len(explorer.points), explorer.draw, len(explorer.session.log)) == (100, "on", 1)
    send(explorer, "drawing", to="cleared")
    told = stroke(explorer, 0, empty=True, added=[[0, 0], [1, 1]], brushes=[0, 1])
    assert told == "1 answer went with the points. Undo (Z) brings it back."
    assert (len(explorer.points), explorer.draw) == (2, "on")
    send(explorer, "undo")
    assert (len(explorer.points), len(explorer.session.log)) == (100, 1)


def test_an_explorer_that_begins_with_an_empty_plane() -> None:
    explorer = Explorer(draw=True, autosave=None)
    assert (explorer.draw, len(explorer.points)) == ("empty", 0)
    stroke(explorer, 0, empty=True, added=[[0, 0], [1, 1], [2, 2]], brushes=[0, 0, 1])
    assert (explorer.draw, len(explorer.points), explorer.session.settings.n_clusters) == ("on", 3, 2)
    send(explorer, "undo")
    assert (explorer.draw, len(explorer.points)) == ("empty", 0)
    send(explorer, "redo")
    assert (explorer.draw, len(explorer.points)) == ("on", 3)
    assert Explorer("moons", draw=True, autosave=None).draw == "on"
    assert Explorer("digits", draw=True, autosave=None).draw == "cleared"  # of 64 features


def test_the_points_are_a_trait_that_can_be_observed() -> None:
    explorer, seen = Explorer("far", autosave=None), list[int]()
    explorer.observe(lambda change: seen.append(len(change["new"])), "points")
    explorer.session.pen.draw([[0, 0]], 0)
    explorer.session.answer((0, 1, 2), "yes")  # the same points
    explorer.session.pen.erase([0, 1])
    explorer.session.set_data("moons")
    assert seen == [151, 149, 100]
    frame = explorer.points
    assert list(frame.columns) == ["x1", "x2", "class"]
    assert set(frame["class"]) == set(explorer.session.dataset.class_names)


def test_without_pandas_the_points_are_an_array(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dcrc_explore.widgets.data.find_spec", lambda name: None)
    explorer = Explorer("far", autosave=None)
    assert points_of(explorer.session.dataset, blank=False) is explorer.session.dataset.X
    assert points_of(explorer.session.dataset, blank=True).shape == (0, 2)


def test_a_stroke_on_other_points_is_left_out() -> None:
    explorer = Explorer("moons", autosave=None)
    send(explorer, "drawing", to="on")
    explorer.session.set_data("far")
    assert "this stroke was left out" in stroke(explorer, 100, erased=[3])
    assert len(explorer.session.dataset.X) == 150


def test_the_tab_data_draws_too() -> None:
    explorer = Explorer("moons", autosave=None)
    explorer.move("draw.on")
    assert explorer.draw == "on"
    explorer.move("draw.empty")
    assert explorer.draw == "cleared"
    stroke(explorer, 0, empty=True, added=[[0, 0], [1, 1]], brushes=[0, 1])
    explorer.move("draw.truth", False)
    assert explorer.session.dataset.y is None
    explorer.session.set_data("digits")  # not to be drawn on
    with pytest.raises(KeyError):
        explorer.move("draw.truth", True)
    explorer.move("draw.on")
    assert "cannot be changed now" in explorer.notice["text"]


def test_code_may_begin_and_end_it() -> None:
    explorer = Explorer("moons", autosave=None)
    explorer.draw = "on"
    assert not explorer.question
    explorer.draw = ""
    assert explorer.question
    explorer.draw = "on"
    explorer.compare()
    assert explorer.draw == ""
