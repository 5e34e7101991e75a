"""Settings that suited one data set do not follow to the next, and everything can be set back."""

from __future__ import annotations

from dcrc_explore.session import Session, Settings
from dcrc_explore.widgets import Explorer


def test_other_data_begin_with_the_defaults_and_undo_brings_the_settings_back() -> None:
    session = Session("unbalanced", autosave=None, epsilon=0.3, balance=False, n_clusters=5)
    session.regenerate(seed=1)  # the same kind of points
    assert (session.settings.epsilon, session.settings.n_clusters) == (0.3, 5)
    session.set_data("two-ways")
    assert session.settings == Settings(n_clusters=2)
    session.undo()
    assert (session.settings.epsilon, session.settings.balance) == (0.3, False)


def test_settings_alone_or_everything_is_reset_in_one_step() -> None:
    session = Session("close", autosave=None, epsilon=0.3)
    session.answer_by_oracle(3)
    session.name_cluster(0, "left")
    session.reset()
    assert (session.settings, len(session.log), session.state.names) == (Settings(), 3, ("left", "", ""))
    session.set(balance=False)
    session.reset(answers=True)
    assert (session.settings, len(session.log), session.state.names) == (Settings(), 0, ())
    session.undo()
    assert (session.settings.balance, len(session.log), session.state.names) == (False, 3, ("left", "", ""))


def test_the_tool_says_what_is_not_the_default_and_what_other_data_changed() -> None:
    explorer = Explorer("close", autosave=None)
    assert (explorer.scene["changed"], explorer.values["changed"]) == ("", "")
    explorer.move("balance", False)
    explorer.move("soft", False)
    assert explorer.scene["changed"] == "Answers: hard, ε = 0; Balance: off"
    explorer.move("reset")
    assert explorer.scene["changed"] == ""
    explorer.move("n_clusters", 4)
    explorer.move("data", "moons")
    assert "before: Clusters K: 4" in explorer.notice["text"]
    assert explorer.scene["changed"] == ""
