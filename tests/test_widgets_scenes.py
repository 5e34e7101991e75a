"""Scenes in the Explorer: opened, led through step by step, taken back and left; what they promise is on the screen."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dcrc_explore.arrays import unpacked
from dcrc_explore.constraints import Answer, implied_answers
from dcrc_explore.datasets import make_dataset
from dcrc_explore.metrics import adjusted_rand
from dcrc_explore.scenes import SceneError, load_scene, play, playable_scenes
from dcrc_explore.session import Session, SessionError
from dcrc_explore.widgets import Explorer


def press(tool, to: str) -> None:
    press.count += 1
    tool._messages.receive({"do": "scene", "to": to, "request": f"scene {press.count}"})


press.count = 0


def models(explorer: Explorer) -> list:
    return [explorer.session] if explorer.pair is None else [explorer.session, explorer.pair.second]


def agreement(explorer: Explorer) -> list[float]:
    return [adjusted_rand(explorer.session.dataset.y, model.fit.labels) for model in models(explorer)]


@pytest.mark.parametrize("name", playable_scenes())
def test_each_scene_of_the_menu_shows_what_it_promises(name: str) -> None:
    explorer = Explorer("close", autosave=None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a scene may leave clusters empty on purpose
        stages = play(load_scene(name))
    explorer.move("scene", name)
    assert explorer.notice.get("kind") != "error"
    shown = [agreement(explorer)]
    while not explorer.playing["last"]:
        press(explorer, "next")
        assert explorer.notice.get("kind") != "error"
        shown.append(agreement(explorer))
    # The same models as in the play over which the promise is measured, and so the same effects.
    for seen, sides in zip(shown, stages, strict=False):
        assert seen == pytest.approx([side.agreement for side in sides])
    scene = load_scene(name)
    for effect in scene.effects:
        better, worse = (shown[moment.step][moment.second] for moment in (effect.better, effect.worse))
        assert better - worse >= effect.by
    while not explorer.playing["first"]:
        press(explorer, "back")
    assert agreement(explorer) == pytest.approx(shown[0])
    assert explorer.session.history.undo_label == f"scene {scene.title}"
    explorer.session.undo()
    assert explorer.session.dataset.name == "close"
    assert explorer.playing == {}


def test_a_tool_opens_with_a_scene() -> None:
    explorer = Explorer(scene="answers-pay", autosave=None)
    assert explorer.session.dataset.name == "elongated"
    assert explorer.session.history.undo_label is None
    assert explorer.options["map"] == "regions"
    assert explorer.options["truth"]
    assert explorer.values["scene"] == "answers-pay"
    assert explorer.playing["title"] == "Answers pay"
    assert (explorer.playing["step"], explorer.playing["steps"], explorer.playing["first"]) == (1, 3, True)
    assert explorer.playing["outcome"] == "Agreement with the truth: 0.33."
    with pytest.raises(ValueError, match="give either a scene or data, got both"):
        Explorer("moons", scene="answers-pay", autosave=None)
    with pytest.raises(SceneError, match=r"must be a .toml file or one of answers-pay"):
        Explorer(scene="nothing", autosave=None)


def test_next_is_one_step_to_undo_and_back_takes_it_back_with_what_came_after() -> None:
    explorer = Explorer(scene="answers-pay", autosave=None)
    session = explorer.session
    session.answer((0, 1, 60), "yes")  # the person's own answer stays
    press(explorer, "next")
    assert len(session.log) == 6
    assert session.history.undo_label == "step 1 of the scene"
    assert explorer.playing["step"] == 2
    session.answer((2, 3, 70), "dnk")
    press(explorer, "back")
    assert [entry.by for entry in session.log] == ["user"]
    assert explorer.playing["step"] == 1
    # Who has taken the step back by Undo already has only the card to turn back.
    press(explorer, "next")
    session.undo()
    press(explorer, "back")
    assert (len(session.log), explorer.playing["step"]) == (1, 1)


def test_the_outcome_is_agreement_with_the_truth_before_and_after() -> None:
    explorer = Explorer(scene="answers-pay", autosave=None)
    press(explorer, "next")
    press(explorer, "next")
    assert explorer.playing["outcome"] == "Agreement with the truth: 0.33 → 1.00."
    assert explorer.playing["last"]
    press(explorer, "next")
    assert "at its end" in explorer.notice["text"]


def test_a_scene_points_at_the_one_wrong_answer_and_nothing_else_is_asked() -> None:
    explorer = Explorer("moons", autosave=None)
    session = explorer.session
    explorer.move("strategy", "guided")
    assert explorer.question["suggested"]
    explorer.move("scene", "one-wrong-answer")
    assert explorer.playing["pointed"] is None
    press(explorer, "next")
    (wrong,) = np.flatnonzero(session.log.planted)
    truth = implied_answers(session.dataset.y, session.log.triplets)[wrong]
    said, true = Answer(-truth).words, Answer(truth).words
    assert explorer.playing["pointed"] == (
        wrong,
        f"This is the wrong answer: “{said}”. The truth is “{true}”.",
    )
    assert (explorer.question, session.state.n_answers) == ({}, 3)
    session.undo()  # it corrects the answer
    assert explorer.playing["pointed"] is None
    session.redo()
    assert explorer.playing["pointed"][0] == wrong
    press(explorer, "leave")
    assert explorer.question["suggested"]


def test_a_scene_is_nobodys_work_until_a_person_answers(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    explorer = Explorer()
    for name in ("draw-your-own", "one-wrong-answer", "answers-pay"):
        explorer.move("scene", name)
        for _ in range(2):
            press(explorer, "next")
        assert explorer.notice == {}
    explorer.session.standardize()
    assert list(tmp_path.iterdir()) == []
    explorer.session.answer((0, 1, 60), "yes")
    (file,) = tmp_path.iterdir()
    assert len(Session.load(file, autosave=False).log) == 21
    # Who comes back is offered their own work, but not in the middle of a scene.
    assert "21 answers" in Explorer().notice["text"]
    explorer.move("scene", "dont-know")
    explorer.move("scene", "answers-pay")
    assert explorer.notice == {}


def test_the_truth_keeps_its_colours_and_clusters_take_them() -> None:
    explorer = Explorer(scene="answers-pay", autosave=None)
    y = explorer.session.dataset.y
    for _ in range(2):
        np.testing.assert_array_equal(unpacked(explorer.scene["truth"]), y)
        press(explorer, "next")
    np.testing.assert_array_equal(explorer.session.fit.labels, y)


def test_two_models_stand_side_by_side_with_the_card() -> None:
    explorer = Explorer(scene="one-wrong-answer", view="lecture", autosave=None)
    compare = explorer
    assert explorer.models == 2
    assert [str(each) for each in explorer.pair.differences] == ["Answers: soft, ε = 0.15 against hard, ε = 0"]
    assert compare.view == "lecture"
    assert compare.options["truth"]
    press(compare, "next")
    assert compare.playing["outcome"].startswith("Agreement with the truth: soft 1.00, hard 0.73")
    # Another scene of two models, and one of a single model, from the same menu.
    compare.move("scene", "balance")
    assert [each.setting for each in explorer.pair.differences] == ["Balance"]
    press(compare, "next")
    assert {each.settings.lam for each in models(explorer)} == {0.0625}
    press(compare, "back")
    assert {each.settings.lam for each in models(explorer)} == {0.00390625}
    compare.move("scene", "dont-know")
    assert explorer.pair is None
    assert explorer.view == "lecture"


def test_leaving_a_scene_leaves_everything_as_it_is() -> None:
    explorer = Explorer(scene="answers-pay", autosave=None)
    press(explorer, "next")
    before = explorer.session.state
    press(explorer, "leave")
    assert explorer.playing == {}
    assert explorer.values["scene"] == ""
    assert explorer.session.state is before


def test_other_data_end_a_scene() -> None:
    explorer = Explorer(scene="answers-pay", autosave=None)
    explorer.move("data", "moons")
    assert explorer.playing == {}


def test_a_hidden_truth_stays_hidden() -> None:
    explorer = Explorer(scene="answers-pay", hide=["truth"], autosave=None)
    assert not explorer.options["truth"]
    assert explorer.playing["outcome"] == ""
    assert "scene" not in explorer.values


def test_the_menu_offers_every_scene_with_its_promise() -> None:
    explorer = Explorer("close", autosave=None)
    (menu,) = explorer.controls["scenes"]
    offered = {option["value"]: option["help"] for option in menu["options"]}
    assert offered.keys() == {"", *playable_scenes()}
    assert offered["answers-pay"] == load_scene("answers-pay").promise


def test_two_models_may_have_answers_of_their_own() -> None:
    explorer = Explorer(scene="two-ways", autosave=None)
    compare, second = explorer, explorer.pair.second
    assert (len(unpacked(compare.scene["own"])), compare.scene["differences"]) == (0, [])
    press(compare, "next")
    assert (len(explorer.session.log), len(second.log)) == (8, 0)
    assert compare.playing["outcome"] == "Agreement with the truth: the first model 1.00, the second -0.01."
    press(compare, "next")
    assert (len(explorer.session.log), len(second.log)) == (8, 8)
    assert len(unpacked(compare.scene["own"])) == 8
    # The person's own answers go to the first model; Undo takes back what was done last, by either model.
    explorer.session.answer((0, 1, 2), "dnk")
    assert (len(explorer.session.log), len(second.log)) == (9, 8)
    explorer.pair.undo()
    explorer.pair.undo()
    assert (len(explorer.session.log), len(second.log)) == (8, 0)
    explorer.pair.redo()
    assert len(second.log) == 8
    assert explorer.pair.comparison.disputes == []
    with pytest.raises(SessionError, match="got models with answers of their own"):
        explorer.pair.to_html()
    # Who goes on with one model leaves the scene.
    compare.move("back")
    assert (explorer.playing, explorer.models) == ({}, 1)
    explorer = Explorer(scene="two-ways", autosave=None)
    compare, second = explorer, explorer.pair.second
    # Other data end that: both models have the same answers again.
    explorer.session.set_data("close")
    explorer.session.answer((0, 1, 60), "yes")
    assert (len(second.log), compare.scene["own"]) == (1, None)


@pytest.mark.parametrize("own", [False, True])
def test_a_session_is_saved_as_a_scene_and_opened_again(own: bool, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    points = make_dataset("unbalanced", seed=3)
    session = Session(points.X + 1, points.y, autosave=None) if own else Session(points, autosave=None)
    session.set(epsilon=0.2, n_clusters=4)
    session.answer_by_oracle(4)
    session.answer((0, 1, 2), "no")
    explorer = Explorer(session=session)
    explorer.show(map="regions", truth=True)
    explorer.export("scene")
    written = Path(explorer.notice["text"].removeprefix("Written to "))
    again = Explorer(scene=written / "scene.toml" if own else written, autosave=None)
    assert np.allclose(again.session.dataset.X, session.dataset.X)
    assert (again.session.dataset.y == session.dataset.y).all()
    assert again.session.settings == replace(session.settings, restart=True)
    assert again.session.log.triplets == session.log.triplets
    assert again.session.log.by == session.log.by
    assert (again.options["map"], again.options["truth"]) == ("regions", True)
    session.answer((0, 1), "no")
    explorer.export("scene")
    assert "must be about three points, got 1 answer about two" in explorer.notice["text"]


def test_a_scene_of_ones_own_is_in_the_menu_while_it_is_played(tmp_path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('title = "Mine"\npromise = "B."\ndata.name = "close"\n[[steps]]\ntext = "A"\nanswers = [{n = 2}]')
    explorer = Explorer(scene=path, autosave=None)
    assert explorer.values["scene"] == "mine"
    assert "mine" in [option["value"] for option in explorer.controls["scenes"][0]["options"]]
    press(explorer, "next")
    # After a last step that did something the card says what was promised.
    assert (explorer.playing["text"], explorer.playing["step"], explorer.playing["last"]) == ("B.", 2, True)


def test_an_address_opens_a_scene_and_one_that_asks_for_nothing_the_first() -> None:
    explorer = Explorer.from_address("scene=dont-know&view=lecture", autosave=None)
    assert (explorer.playing["title"], explorer.view) == ("Five times don't know", "lecture")
    assert Explorer.from_address("token=secret", autosave=None).playing["title"] == "Answers pay"
    assert Explorer.from_address("data=moons", autosave=None).playing == {}
    explorer = Explorer.from_address("scene=nothing", autosave=None)
    assert "scene must be one of answers-pay" in explorer.notice["text"]
    explorer = Explorer.from_address("scene=dont-know&data=moons", autosave=None)
    assert "give either a scene or these" in explorer.notice["text"]
    assert explorer.session.dataset.name == "moons"


def test_data_settings_and_answers_change_in_one_step() -> None:
    session, other = Session("close", autosave=None), Session("moons", autosave=None, epsilon=0.15)
    session.answer((0, 1, 60), "yes")
    other.answer_by_oracle(3)
    seen = []
    session.observe(seen.append)
    session.change("all of it", data=other.dataset, settings=other.settings, log=other.log)
    assert (session.history.undo_label, len(seen), len(session.log)) == ("all of it", 1, 3)
    session.change("nothing", data=other.dataset, settings=other.settings, log=other.log)
    assert len(seen) == 1
    session.undo()
    assert (session.dataset.name, len(session.log), session.settings.epsilon) == ("close", 1, 0.05)


def test_scenes_of_one_model_follow_each_other_after_one_of_two() -> None:
    explorer = Explorer("close", autosave=None)
    for name in ("balance", "three-settings", "boundary-bends"):
        explorer.move("scene", name)
        assert explorer.notice.get("kind") != "error", explorer.notice
    # What they chose is drawn when two models come back.
    assert explorer.options["map"] == "regions"
    explorer.compare()
    assert explorer.options["map"] == "regions"
    assert len(explorer.scene["models"]) == 2
