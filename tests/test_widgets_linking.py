"""The Explorer among other widgets: traits that follow the session, and change it."""

from __future__ import annotations

import ipywidgets as ipw
import pytest
import traitlets

from dcrc_explore.session import Settings
from dcrc_explore.settings import SETTINGS
from dcrc_explore.widgets import Explorer

VALUES = {"epsilon": 0.15, "tau": 0.5, "lam": 0.25, "balance": False, "n_clusters": 4}


@pytest.fixture
def explorer() -> Explorer:
    return Explorer("close", autosave=None)


@pytest.mark.parametrize(("name", "value"), VALUES.items())
def test_a_setting_is_a_trait_that_follows_the_session_and_changes_it(explorer, name, value) -> None:
    before = getattr(explorer.session.settings, name)
    setattr(explorer, name, value)
    assert getattr(explorer.session.settings, name) == explorer.values[name] == value
    explorer.session.undo()
    assert getattr(explorer, name) == before
    explorer.move(name, value)
    assert getattr(explorer, name) == value


@pytest.mark.parametrize(("name", "value"), [("epsilon", 0.9), ("n_clusters", 1), ("tau", -1.0)])
def test_a_wrong_value_is_refused_before_anything_changes(explorer, name, value) -> None:
    before = explorer.session.settings
    with pytest.raises(traitlets.TraitError, match=f"{name} must be a (whole )?number"):
        setattr(explorer, name, value)
    assert explorer.session.settings == before
    assert getattr(explorer, name) == getattr(before, name)


def test_what_the_data_do_not_allow_is_told_and_taken_back(explorer) -> None:
    explorer.session.set_data([[0.0, 1.0], [2.0, 3.0], [5.0, 1.0]])
    K = explorer.session.settings.n_clusters
    explorer.n_clusters = 200
    assert explorer.notice["kind"] == "error"
    assert explorer.n_clusters == explorer.session.settings.n_clusters == K


def test_a_slider_of_the_teacher_moves_the_tool_and_follows_it(explorer) -> None:
    slider = ipw.FloatSlider(0.05, max=0.6, step=0.01)
    ipw.link((slider, "value"), (explorer, "epsilon"))
    pictures = []
    explorer.observe(pictures.append, "scene")
    for value in (0.1, 0.2, 0.3):
        slider.value = value
    assert explorer.session.settings.epsilon == 0.3
    assert len(pictures) == 3  # nothing goes back and forth
    explorer.session.undo()  # one step, as with the slider of the tool
    assert slider.value == explorer.epsilon == 0.05


def test_soft_and_hard(explorer) -> None:
    explorer.epsilon = 0.15
    explorer.soft = False
    assert explorer.epsilon == explorer.session.settings.epsilon == 0
    explorer.soft = True
    assert explorer.epsilon == 0.15


def test_answers_are_counted_and_points_are_selected(explorer) -> None:
    counted = []
    explorer.observe(lambda change: counted.append(change["new"]), "answers")
    explorer.session.answer_by_oracle(3, strategy="random")
    explorer.session.undo()
    assert counted == [3, 0]
    with pytest.raises(traitlets.TraitError):
        explorer.answers = 5
    explorer.selection = [4, 60, 120, 121]
    explorer._messages.receive({"do": "suggest", "request": "1"})
    assert set(explorer.question["triplet"]) <= {4, 60, 120, 121}
    explorer._messages.receive({"do": "select", "rows": [1, 2, 3], "request": "2"})
    assert explorer.selection == [1, 2, 3]
    explorer.session.set_data("moons")
    assert explorer.selection == []


def test_a_tool_is_one_widget_and_an_action_one_message(explorer, monkeypatch) -> None:
    assert not [name for name in explorer.trait_names() if isinstance(getattr(explorer, name), ipw.Box)]
    sent = []
    monkeypatch.setattr(type(explorer.comm), "publish_msg", lambda *_, data=None, **__: sent.append(data))
    explorer._messages.receive({"do": "auto", "on": False, "request": "1"})
    for message in ({"do": "set", "name": "tau", "value": 2}, {"do": "set", "name": "map", "value": "none"}):
        sent.clear()
        explorer._messages.receive({**message, "request": str(message)})
        (only,) = sent
        assert {"scene", "values", "done"} <= set(only["state"])


def test_every_setting_has_its_default_and_stands_in_the_reference() -> None:
    defaults = Settings()
    for setting in SETTINGS:
        assert getattr(defaults, setting.name) == setting.default
        assert f"{setting.name} : " in Settings.__doc__


def test_what_a_control_can_not_have_is_told(explorer) -> None:
    for name, value, words in (
        ("kernel", "cubic", "kernel must be one of linear, rbf, poly, got 'cubic'"),
        ("balance", 3, "balance is a switch, got 3"),
        ("gamma", 1.0, "gamma cannot be changed now"),
        ("nothing", 1, "there is no control 'nothing' now"),
    ):
        explorer._messages.receive({"do": "set", "name": name, "value": value, "request": name})
        assert words in explorer.notice["text"]
        assert explorer.session.history.undo_label is None
