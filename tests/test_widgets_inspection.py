"""The Python half of the tab Why and of the replay."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

import numpy as np
import pytest

from dcrc_explore.session import explain_point, find_errors, known_errors
from dcrc_explore.widgets import Explorer

numbers = count(1)


def tell(explorer: Explorer, do: str, **details: Any) -> None:
    """Send what the browser would send, as a comm message."""
    content = {"do": do, "request": str(next(numbers)), **details}
    explorer._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})
    assert explorer.done == content["request"]  # the browser may always go on


@pytest.fixture
def explorer() -> Explorer:
    explorer = Explorer("close", autosave=None)
    explorer.session.answer_by_oracle(40, strategy="random")
    return explorer


@pytest.mark.parametrize("epsilon", [0.05, 0])
def test_a_point_is_explained_by_the_numbers_of_the_session(explorer: Explorer, epsilon: float) -> None:
    explorer.session.set(epsilon=epsilon)
    point = int(explorer.session.log.triplets.indices[0, 1])
    tell(explorer, "why", view="point", point=point, key="1")
    sent, why = explorer.why, explain_point(explorer.session, point)
    assert (sent["key"], sent["view"], sent["point"]) == ("1", "point", point)
    np.testing.assert_allclose(sent["q"], why.q)
    np.testing.assert_allclose(np.sum([part["values"] for part in sent["parts"]], axis=0), sent["compatibility"])
    assert sent["alpha"] == (None if epsilon == 0 else pytest.approx(38))
    assert sent["set"] == why.max_compatible.tolist()
    json.dumps(sent, allow_nan=False)


def test_no_point_and_unused_answers(explorer: Explorer) -> None:
    tell(explorer, "why", view="point", point=-1, key="1")
    assert explorer.why["point"] == -1
    explorer.session.set(use_dnk=False)
    dnk = explorer.session.log.triplets.indices[explorer.session.log.triplets.answers == 0]
    tell(explorer, "why", view="point", point=int(dnk[0, 0]), key="2")
    assert explorer.why["unused"] >= 1


def test_the_replay_brings_the_explained_point_along(explorer: Explorer) -> None:
    tell(explorer, "replay", iteration=0, key="7", why=3)
    np.testing.assert_allclose(explorer.why["proba"], explorer.session.model.trace.replay(0).proba[3])
    objective = explorer.session.model.trace.objective
    assert explorer.scene["satisfied"] == objective.satisfied[0]
    tell(explorer, "replay", iteration=len(objective) - 1, key="8", why=3)
    assert explorer.scene["satisfied"] is None
    np.testing.assert_allclose(explorer.why["q"], explorer.session.fit.posterior[3], atol=1e-4)


def test_errors_are_planted_ranked_and_taken_back(explorer: Explorer) -> None:
    tell(explorer, "why", view="errors", key="1")
    assert explorer.why["errors"] == 0
    tell(explorer, "plant", errors=4)
    tell(explorer, "why", view="errors", key="2")
    sent, found = explorer.why, find_errors(explorer.session)
    assert (sent["errors"], sent["found"]) == (4, found.found)
    assert [row[0] for row in sent["rows"]] == found.order.tolist()
    assert [row[0] for row in sent["rows"] if row[2]] == found.order[found.planted].tolist()
    assert (np.diff([row[1] for row in sent["rows"]]) <= 0).all()
    tell(explorer, "undo")
    assert not known_errors(explorer.session).any()
    tell(explorer, "plant", errors=41)
    assert "right answers, 40, got 41" in explorer.notice["text"]


def test_the_sweep_is_sent_and_sets_epsilon(explorer: Explorer) -> None:
    assert explorer.sweep["points"] == []
    tell(explorer, "sweep")  # without an event loop it is done at once
    sent = explorer.sweep
    assert (len(sent["points"]), sent["running"], sent["current"]) == (sent["total"], False, True)
    tell(explorer, "epsilon", value=0.15)
    assert explorer.values["epsilon"] == explorer.scene["epsilon"] == 0.15
    assert explorer.sweep["current"]
    explorer.session.answer((0, 1, 2), "yes")
    assert not explorer.sweep["current"]
    tell(explorer, "cancel")
    json.dumps(explorer.sweep, allow_nan=False)


def test_no_answers(explorer: Explorer) -> None:
    fresh = Explorer(np.random.default_rng(0).normal(size=(20, 2)), autosave=None)
    tell(fresh, "why", view="errors", key="1")
    assert fresh.why["answers"] == 0
    tell(fresh, "why", view="point", point=0, key="2")
    assert fresh.why["parts"] == []
    tell(fresh, "sweep")
    assert fresh.sweep["points"][0][3] is None
    tell(fresh, "plant", errors=1)
    assert fresh.notice["kind"] == "error"


@pytest.mark.slow
def test_its_pictures_are_exported_with_the_others(explorer: Explorer, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    tell(explorer, "why", view="point", point=7, key="1")
    tell(explorer, "sweep")
    explorer.export("svg")
    assert {path.stem for path in (tmp_path / "close-svg").iterdir()} >= {"canvas", "why", "sweep", "errors"}
