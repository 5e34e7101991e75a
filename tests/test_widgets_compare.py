"""The Python half of Compare: what it sends to the browser, and what the browser's messages do."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dcrc_explore.arrays import unpacked
from dcrc_explore.baselines import list_methods
from dcrc_explore.session import Session
from dcrc_explore.widgets import Compare, Explorer

numbers = count(1)


def notify(compare: Compare, do: str, **details: Any) -> None:
    """Send what the browser would send, as a comm message."""
    content = {"do": do, "request": str(next(numbers)), **details}
    compare._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})
    assert compare.done == content["request"]  # the browser may always go on


@pytest.fixture
def compare() -> Compare:
    return Compare("close", autosave=None)


def labels(compare: Compare, model: int) -> np.ndarray:
    return unpacked(compare.scene["models"][model]["labels"])


def test_pictures_are_those_of_the_two_models(compare: Compare) -> None:
    compare.session.answer_by_oracle(60, oracle="noisy", epsilon=0.3, strategy="random")
    pair, scene = compare.pair, compare.scene
    np.testing.assert_array_equal(labels(compare, 0), pair.first.fit.labels)
    np.testing.assert_array_equal(labels(compare, 1), pair.second.fit.labels)
    assert [row[0] for row in scene["disputes"]] == [dispute.index for dispute in pair.comparison.disputes]
    for _, given, first, second in scene["disputes"]:
        assert (first == given) != (second == given)
    apart = scene["apart"]
    assert apart["changed"] == pair.comparison.changed.sum()
    sent = (unpacked(apart["map"]).astype(float) - 128) / 127 * apart["most"]
    np.testing.assert_allclose(sent, pair.disagreement().entropy_difference, atol=apart["most"] / 250)


def test_an_answer_is_one_answer_for_both_and_one_picture(compare: Compare) -> None:
    pictures = []
    compare.observe(pictures.append, "scene")
    notify(compare, "answer", triplet=[3, 40, 80], answer=-1)
    assert len(compare.pair.first.log) == len(compare.pair.second.log) == 1
    assert len(pictures) == 1


def test_every_difference_is_stated(compare: Compare) -> None:
    assert compare.scene["differences"] == [["Answers", "soft, ε = 0.05", "hard, ε = 0"]]
    compare.move("second.balance", False)
    assert ["Balance", "on", "off"] in compare.scene["differences"]
    compare.move("balance", False)
    assert len(compare.scene["differences"]) == 1
    notify(compare, "undo")
    notify(compare, "undo")
    assert (compare.values["balance"], compare.values["second.balance"]) == (True, True)
    notify(compare, "redo")
    assert compare.values["second.balance"] is False


@pytest.mark.parametrize("wrap", [lambda session: session, lambda session: Explorer(session=session)])
def test_an_exploration_can_be_compared_in(wrap) -> None:
    session = Session("moons", autosave=None)
    compare = Compare(wrap(session), first={"tau": 2.0}, second={"kernel": "rbf"})
    assert compare.session is session
    assert (session.settings.tau, compare.pair.second.settings.tau) == (2.0, 2.0)
    session.answer((0, 1, 2), "yes")
    assert len(compare.pair.second.log) == 1
    assert compare.scene["undo"] == "answer 1"


def test_a_comparison_goes_with_the_explorer_into_another_session(tmp_path: Path) -> None:
    kept = Session("moons", autosave=tmp_path)
    kept.answer_by_oracle(7, strategy="random")
    explorer = Explorer("far", autosave=tmp_path)
    compare = Compare(explorer, second={"tau": 2.0})
    explorer.session.answer((0, 1, 2), "dnk")
    explorer.act(lambda _: explorer.loading.load(kept.file.path, explorer.session))
    assert compare.session is explorer.session
    assert len(compare.pair.second.log) == 7
    assert compare.scene["differences"] == [["Separation τ", "1", "2"]]
    # Undo here leads back as it does there.
    assert compare.scene["undo"] == f"loading of {kept.file.path.name}"
    notify(compare, "undo")
    assert explorer.session is compare.session
    assert len(compare.pair.second.log) == len(explorer.session.log) == 1
    notify(compare, "answer", triplet=[3, 4, 5], answer=0)
    assert len(explorer.session.log) == 2


def test_a_second_model_that_would_be_the_same_in_another_session_is_hard_or_soft_there(tmp_path: Path) -> None:
    explorer = Explorer("far", autosave=None)
    compare = Compare(explorer)
    kept = Session("far", autosave=tmp_path, epsilon=0)
    kept.answer((0, 1, 2), "dnk")
    explorer.act(lambda _: explorer.loading.load(kept.file.path, explorer.session))
    assert compare.scene["differences"] == [["Answers", "hard, ε = 0", "soft, ε = 0.05"]]


class TestSecondView:
    """The button Compare of the Explorer."""

    @pytest.fixture
    def explorer(self) -> Explorer:
        explorer = Explorer("close", autosave=None)
        explorer.session.answer_by_oracle(5, strategy="random")
        explorer.move("compare")
        return explorer

    def test_it_shows_these_data_and_answers_and_both_stay_together(self, explorer: Explorer) -> None:
        compare = explorer
        assert compare.models == 2
        notify(compare, "answer", triplet=[3, 40, 80], answer=-1)
        assert len(explorer.session.log) == len(compare.pair.second.log) == 6
        explorer.session.undo()
        assert len(compare.pair.second.log) == 5
        notify(compare, "redo")
        assert len(explorer.session.log) == 6

    def test_it_comes_back_with_its_settings(self, explorer: Explorer) -> None:
        compare = explorer
        assert compare.models == 2
        compare.move("second.balance", False)
        compare.move("back")
        assert (explorer.models, explorer.pair) == (1, None)
        explorer.session.answer_by_oracle(3, strategy="random")
        explorer.models = 2
        assert len(compare.pair.second.log) == 8
        assert ["Balance", "on", "off"] in compare.scene["differences"]

    @pytest.mark.parametrize("hidden", ["compare", "model"])
    def test_a_teacher_can_leave_it_out(self, hidden: str) -> None:
        explorer = Explorer("close", autosave=None, hide=[hidden])
        assert "compare" not in explorer.values

    def test_what_the_explorer_hides_is_hidden_here_too(self) -> None:
        explorer = Explorer("close", autosave=None, hide=["data", "truth", "ask"])
        explorer.compare()
        compare = explorer
        assert compare.models == 2
        assert not {"data", "truth"} & set(compare.values)
        assert compare.hidden == ["data", "truth", "ask"]


def test_an_explorer_can_open_with_two_models_and_go_back() -> None:
    explorer = Explorer("close", models=2, second={"balance": False}, autosave=None)
    assert explorer.scene["differences"] == [["Balance", "on", "off"]]
    assert len(explorer.figure().axes) == 3
    explorer.models = 1
    assert "labels" in explorer.scene
    assert "compare" in explorer.values
    with pytest.raises(ValueError, match="models must be 1 or 2, got 3"):
        Explorer("close", models=3, autosave=None)


def test_what_was_selected_is_selected_again_with_one_model() -> None:
    explorer = Explorer("close", autosave=None)
    explorer.selection = [1, 2, 3, 4]
    explorer.compare()
    assert explorer.selection == []  # two pictures show no selection, so questions are about all points
    explorer.explore()
    assert explorer.selection == [1, 2, 3, 4]


@pytest.mark.parametrize("models", [1, 2])
def test_no_two_controls_have_one_name(models: int) -> None:
    explorer = Explorer("close", models=models, annotators={"mine": lambda a, b, c: "yes"}, autosave=None)
    explorer.move("oracle", "mine")
    names = [control["name"] for group in explorer.controls.values() for control in group]
    assert len(names) == len(set(names)) == len(explorer.values)


def test_a_point_is_explained_for_both_models(compare: Compare) -> None:
    compare.session.answer_by_oracle(40, oracle="noisy", epsilon=0.3, strategy="random")
    notify(compare, "why", view="point", point=12, key="1 12")
    why = compare.why
    assert (why["point"], why["key"]) == (12, "1 12")
    for model, each in zip(why["models"], (compare.session, compare.pair.second), strict=True):
        np.testing.assert_allclose(model["proba"], each.fit.proba[12])
    one, two = (int(each.fit.labels[12]) for each in (compare.session, compare.pair.second))
    assert why["sentence"].startswith("Both models draw it" if one == two else "They differ")
    json.dumps(why, allow_nan=False)
    notify(compare, "why", view="point", point=-1, key="1 -1")
    assert compare.why == {"point": -1, "key": "1 -1"}


def test_settings_of_both_can_be_given() -> None:
    compare = Compare("close", first={"epsilon": 0.15}, second={"epsilon": 0.05}, autosave=None)
    assert (compare.values["epsilon"], compare.values["second.epsilon"]) == (0.15, 0.05)


def test_many_features_have_values_around_the_points() -> None:
    compare = Compare(np.random.default_rng(0).normal(size=(40, 5)), autosave=None)
    assert compare.scene["apart"]["map"] is None
    assert compare.scene["apart"]["halo"]["shape"] == [40]


def test_what_can_not_be_done_is_told(compare: Compare) -> None:
    notify(compare, "undo")
    assert compare.notice["kind"] == "error"
    notify(compare, "answer", triplet=[0, 1, 2], answer=1)
    assert compare.notice == {}


def test_other_data(compare: Compare) -> None:
    compare.move("data", "moons")
    assert len(labels(compare, 1)) == 100
    assert compare.data["xy"]["shape"] == [100, 2]


def test_everything_sent_can_be_written_as_strict_json(compare: Compare) -> None:
    notify(compare, "answer", triplet=[0, 1, 2], answer=1)
    notify(compare, "suggest")
    for name in ("data", "scene", "question", "notice", "options"):
        json.dumps(getattr(compare, name), allow_nan=False, default=lambda value: value.hex())


def test_what_would_be_ignored_is_refused() -> None:
    with pytest.raises(ValueError, match="either a session or y, got both"):
        Compare(Session("far", autosave=None), y=[0, 1])
    with pytest.raises(ValueError, match="only data of your own take y, items"):
        Compare(y=[0, 1], autosave=None)


def test_a_polynomial_model_can_be_compared(compare: Compare) -> None:
    compare.move("second.kernel", "poly")
    assert ["Boundary", "linear", "polynomial, γ = auto"] in compare.scene["differences"]
    np.testing.assert_array_equal(labels(compare, 1), compare.pair.second.fit.labels)


@pytest.mark.slow
def test_the_pictures_can_be_exported(compare: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for kind, beginning in (("png", b"\x89PNG"), ("svg", b"<?xml")):
        compare.move(f"export.{kind}")
        written = Path(compare.notice["text"].removeprefix("Written to "))
        assert written.name == f"close-compare.{kind}"
        assert written.read_bytes().startswith(beginning)


def test_a_notice_is_gone_when_one_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    explorer = Explorer("close", autosave=None)
    explorer.export("csv")
    explorer.compare()
    compare = explorer
    compare.export("page")
    assert compare.notice["text"].startswith("Written to ")
    notify(compare, "press", name="back")
    assert explorer.notice == {}
    explorer.compare()
    assert compare.notice == {}
    # An offer waits for the person.
    explorer.explore()
    explorer.notify("There are answers from before.", buttons=[("Continue", "continue")])
    explorer.compare()
    explorer.explore()
    assert explorer.notice["buttons"]


def test_figure_and_representation(compare: Compare) -> None:
    assert len(compare.figure().axes) == 3
    assert repr(compare) == "Compare(close, 0 answers; Answers: soft, ε = 0.05 against hard, ε = 0)"


def test_both_pictures_show_the_plane_that_is_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    compare = Compare("wine", autosave=None)
    assert "places" not in compare.scene["models"][0]
    assert compare.values["plane"] == "pca"
    compare.move("plane", "model")
    models = compare.scene["models"]
    assert models[0]["places"] == models[1]["places"]
    assert models[0]["extent"] == models[1]["extent"]
    assert "plane of both models" in models[0]["about"]
    assert all(model["regions"] for model in models)
    assert compare.scene["apart"]["map"]
    compare._messages.receive({"do": "window", "window": [0.2, 0.6, 0.2, 0.6], "request": "1"})
    assert len(compare.sharp["maps"]) == 2
    # Exports show what is on the screen.
    places = unpacked(models[0]["places"])
    left, right = models[0]["extent"][:2]
    assert compare._screen.shown.picture()[0].axes[0].get_xlim() == pytest.approx((left, right))
    compare.session.answer_by_oracle(3, strategy="random")
    moved = unpacked(compare.scene["models"][0]["places"])
    anew = compare.pair.planes("model")[0].points
    assert ((moved - places) ** 2).sum() <= ((anew - places) ** 2).sum() + 1e-3
    compare.move("plane", "features")
    assert compare.scene["apart"]["map"] is None
    compare.move("data", "moons")
    assert "plane" not in compare.values
    assert "places" not in compare.scene["models"][0]


def test_both_models_show_what_the_answers_told_them() -> None:
    compare = Compare(Session("far", autosave=None, parameters={"n_per_cluster": 10}), second={"epsilon": 0.2})
    compare.session.answer((0, 1, 29), "yes")
    notify(compare, "panels")
    for sent, model in zip(compare.information["models"], compare.pair.models, strict=True):
        values = {curve["name"]: curve["values"] for curve in sent["answers"]["curves"]}
        np.testing.assert_allclose(values["worth"], model.model.answer_curves.worth, atol=6e-4)
    assert "20 % errors" in compare.information["models"][1]["clusters"]["words"][0]


def test_other_methods_get_the_same_answers() -> None:
    compare = Compare(Session("far", autosave=None, parameters={"n_per_cluster": 10}))
    compare.session.answer_by_oracle(8)
    assert not compare.methods["results"]
    notify(compare, "methods")
    sent = compare.methods
    assert (sent["running"], sent["current"], sent["total"]) == (False, True, len(list_methods()))
    assert [each["method"] for each in sent["results"]] == list(list_methods())
    first, *others = sent["results"]
    np.testing.assert_array_equal(unpacked(first["labels"]), compare.session.fit.labels)
    best = [each for each in others if each["ari"] == 1]
    assert best
    np.testing.assert_array_equal(unpacked(best[0]["labels"]), compare.session.fit.labels)  # the same colours
    compare.session.answer((0, 1, 29), "yes")
    assert not compare.methods["current"]
    hidden = Compare(Explorer(session=compare.session, hide=["truth"]))
    notify(hidden, "methods")
    assert {each["ari"] for each in hidden.methods["results"]} == {None}
