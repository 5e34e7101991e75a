"""The Python half of Compare: what it sends to the browser, and what the browser's messages do."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dcrc_explore.session import Session
from dcrc_explore.widgets import Compare, Explorer

numbers = count(1)


def tell(compare: Compare, do: str, **details: Any) -> None:
    """Send what the browser would send, as a comm message."""
    content = {"do": do, "request": str(next(numbers)), **details}
    compare.stage._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})
    assert compare.stage.done == content["request"]  # the browser may always go on


@pytest.fixture
def compare() -> Compare:
    return Compare("close", autosave=None)


def labels(compare: Compare, model: int) -> np.ndarray:
    return np.frombuffer(compare.stage.scene["models"][model]["labels"], np.uint16)


def test_pictures_are_those_of_the_two_models(compare: Compare) -> None:
    compare.session.answer_by_oracle(60, oracle="noisy", epsilon=0.3)
    pair, scene = compare.pair, compare.stage.scene
    np.testing.assert_array_equal(labels(compare, 0), pair.first.fit.labels)
    np.testing.assert_array_equal(labels(compare, 1), pair.second.fit.labels)
    assert [row[0] for row in scene["disputes"]] == [dispute.index for dispute in pair.comparison.disputes]
    for _, given, first, second in scene["disputes"]:
        assert (first == given) != (second == given)
    apart = scene["apart"]
    assert apart["changed"] == pair.comparison.changed.sum()
    sent = (np.frombuffer(apart["map"], np.uint8).astype(float) - 128) / 127 * apart["most"]
    np.testing.assert_allclose(sent, pair.disagreement().entropy_difference.ravel(), atol=apart["most"] / 250)


def test_an_answer_is_one_answer_for_both_and_one_picture(compare: Compare) -> None:
    pictures = []
    compare.stage.observe(pictures.append, "scene")
    tell(compare, "answer", triplet=[3, 40, 80], answer=-1)
    assert len(compare.pair.first.answers) == len(compare.pair.second.answers) == 1
    assert len(pictures) == 1


def test_every_difference_is_stated(compare: Compare) -> None:
    assert compare.stage.scene["differences"] == [["Answers", "soft, ε = 0.05", "hard, ε = 0"]]
    compare.controls.second.balance.value = False
    assert ["Balance", "on", "off"] in compare.stage.scene["differences"]
    compare.controls.first.balance.value = False
    assert len(compare.stage.scene["differences"]) == 1
    tell(compare, "undo")
    tell(compare, "undo")
    assert (compare.controls.first.balance.value, compare.controls.second.balance.value) == (True, True)
    tell(compare, "redo")
    assert compare.controls.second.balance.value is False


@pytest.mark.parametrize("wrap", [lambda session: session, lambda session: Explorer(session=session)])
def test_an_exploration_can_be_compared_in(wrap) -> None:
    session = Session("moons", autosave=None)
    compare = Compare(wrap(session), first={"tau": 2.0}, second={"kernel": "rbf"})
    assert compare.session is session
    assert (session.settings.tau, compare.pair.second.settings.tau) == (2.0, 2.0)
    session.answer((0, 1, 2), "yes")
    assert len(compare.pair.second.answers) == 1
    assert compare.stage.scene["undo"] == "answer 1"


def test_settings_of_both_can_be_given() -> None:
    compare = Compare("close", first={"epsilon": 0.15}, second={"epsilon": 0.05}, autosave=None)
    assert (compare.controls.first.epsilon.value, compare.controls.second.epsilon.value) == (0.15, 0.05)


def test_many_features_have_values_around_the_points() -> None:
    compare = Compare(np.random.default_rng(0).normal(size=(40, 5)), autosave=None)
    assert compare.stage.scene["apart"]["map"] is None
    assert len(compare.stage.scene["apart"]["halo"]) == 40


def test_what_can_not_be_done_is_told(compare: Compare) -> None:
    tell(compare, "undo")
    assert compare.stage.notice["kind"] == "error"
    tell(compare, "answer", triplet=[0, 1, 2], answer=1)
    assert compare.stage.notice == {}


def test_other_data(compare: Compare) -> None:
    compare.controls.top.generator.value = "moons"
    assert len(labels(compare, 1)) == 100
    assert len(compare.stage.points["xy"]) == 800


def test_everything_sent_can_be_written_as_strict_json(compare: Compare) -> None:
    tell(compare, "answer", triplet=[0, 1, 2], answer=1)
    tell(compare, "suggest")
    for name in ("points", "scene", "question", "notice", "options"):
        json.dumps(getattr(compare.stage, name), allow_nan=False, default=lambda value: value.hex())


def test_what_would_be_ignored_is_refused() -> None:
    with pytest.raises(ValueError, match="either a session or y, got both"):
        Compare(Session("far", autosave=None), y=[0, 1])
    with pytest.raises(ValueError, match="only data of your own take true classes"):
        Compare(y=[0, 1], autosave=None)


def test_a_polynomial_model_can_be_compared(compare: Compare) -> None:
    compare.controls.second.kernel.value = "poly"
    assert ["Boundary", "linear", "polynomial, γ = auto"] in compare.stage.scene["differences"]
    np.testing.assert_array_equal(labels(compare, 1), compare.pair.second.fit.labels)


@pytest.mark.slow
def test_the_pictures_can_be_exported(compare: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for kind, beginning in (("png", b"\x89PNG"), ("svg", b"<?xml")):
        compare.controls.exports[kind].click()
        written = Path(compare.stage.notice["text"].removeprefix("Written to "))
        assert written.name == f"close-compare.{kind}"
        assert written.read_bytes().startswith(beginning)


def test_figure_and_representation(compare: Compare) -> None:
    assert len(compare.figure().axes) == 3
    assert repr(compare) == "Compare(close, 0 answers; Answers: soft, ε = 0.05 against hard, ε = 0)"
    assert "0x" not in repr(compare.children)
