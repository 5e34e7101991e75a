"""A better grouping that is found in the background: taken as a step, kept, and left alone when somebody acts."""

from __future__ import annotations

import json
import re
import threading
from dataclasses import replace
from pathlib import Path
from queue import Queue
from typing import Any

import numpy as np
import pytest

from dcrc_explore.constraints import implied_answers
from dcrc_explore.metrics import adjusted_rand
from dcrc_explore.model.n_clusters import Candidate
from dcrc_explore.session import Change, Session
from dcrc_explore.session.search import curves_advised, is_due, scan_groups
from dcrc_explore.widgets import Compare, Explorer

Deliveries = Queue[Any]
# Four tight groups on the corners of a square; the other features only make the data so large that the initialisation
# is not tried after each answer.
N, D = 1200, 42
y = np.arange(N) % 4
ANSWERS = [(0, 4, 1), (1, 5, 2), (2, 6, 3), (3, 7, 0), (8, 12, 2)]


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session whose model has two groups in one cluster, and one group cut in two."""
    rng = np.random.default_rng(0)
    X = 0.1 * rng.normal(size=(N, D))
    X[:, :2] += np.column_stack([y % 2, y // 2]) * 6 - 3
    session = Session(X, y, autosave=None, tau=1.5, lam=2**-12)
    session.add(ANSWERS, ["yes"] * len(ANSWERS))
    path = session.save(tmp_path_factory.mktemp("search") / "poor.json")
    fields = json.loads(path.read_text())
    coef = np.zeros((4, D))
    # Clusters 0 and 1 share the group at the lower left by a feature that tells nothing; 2 has the two at the right.
    coef[:, 0], coef[:, 1], coef[0, 5], coef[1, 5] = [-3, -3, 5, -3], [-2, -2, 0, 3], 40, -40
    fields["weights"] = {"coef": coef.tolist(), "intercept": [0.0] * 4}
    path.write_text(json.dumps(fields) + "\n")
    return path


@pytest.fixture
def poor(stored: Path, tmp_path: Path) -> tuple[Session, Deliveries]:
    path, deliveries = tmp_path / "poor.json", Deliveries()
    path.write_text(stored.read_text())
    session = Session.load(path, background=deliveries.put)
    session.model.wait()
    take(deliveries)
    assert adjusted_rand(y, session.fit.labels) < 0.9
    return session, deliveries


def take(deliveries: Deliveries) -> None:
    while not deliveries.empty():
        deliveries.get()()


def searches() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "dcrc search"]


def end_of_search() -> None:
    for thread in searches():
        thread.join(timeout=60)


def test_a_better_grouping_becomes_a_step_that_is_saved_and_can_be_undone(poor: tuple[Session, Deliveries]) -> None:
    session, deliveries = poor
    before, bound, events = session.fit.labels, session.model.trace.objective.bound[-1], []
    session.observe(events.append)
    session.search.look()
    deliveries.get(timeout=60)()
    assert adjusted_rand(y, session.fit.labels) == 1
    assert session.model.trace.objective.bound[-1] > bound
    assert session.history.undo_label == "better grouping"
    assert session.model.story.startswith("A better grouping was found.")
    assert [event.changed for event in events] == [Change.FIT]
    found = session.fit.labels
    loaded = Session.load(session.file.path, autosave=False)
    np.testing.assert_array_equal(loaded.fit.labels, found)
    session.undo()
    session.model.wait()
    np.testing.assert_array_equal(session.fit.labels, before)
    session.search.look()  # the person has refused it
    end_of_search()
    take(deliveries)
    assert session.history.redo_label == "better grouping"
    session.redo()
    session.model.wait()
    np.testing.assert_array_equal(session.fit.labels, found)


def test_the_next_answer_ends_the_search(poor: tuple[Session, Deliveries]) -> None:
    session, deliveries = poor
    session.search.look()
    session.answer((10, 14, 3), "yes")
    session.model.wait()
    end_of_search()
    take(deliveries)
    assert session.history.undo_label == "answer 6"
    assert not session.model.trace.found


def test_what_was_found_too_late_is_not_taken(poor: tuple[Session, Deliveries]) -> None:
    session, deliveries = poor
    session.search.look()
    late = deliveries.get(timeout=60)
    session.answer((10, 14, 3), "yes")
    late()
    assert session.history.undo_label == "answer 6"


def test_nothing_is_looked_for_without_a_background_or_when_fits_start_anew(
    stored: Path, poor: tuple[Session, Deliveries]
) -> None:
    alone = Session.load(stored, autosave=False)
    assert adjusted_rand(y, alone.fit.labels) < 0.9  # there is something to find
    alone.search.look()
    assert searches() == []
    assert (alone.history.undo_label, alone.model.trace.found) == (None, False)
    session, deliveries = poor
    session.search.look()
    assert len(searches()) == 1
    session.set(restart=True)
    end_of_search()
    session.search.look()
    assert searches() == []
    take(deliveries)
    assert session.history.undo_label == "restart"


def bent(name: str) -> tuple[Session, Deliveries]:
    """A session with 20 answers whose boundary is a straight line."""
    deliveries = Deliveries()
    session = Session(name, autosave=None, background=deliveries.put)
    session.answer_by_oracle(20)
    session.model.wait()
    take(deliveries)
    return session, deliveries


def test_curves_are_advised_where_straight_lines_break_what_q_keeps() -> None:
    session, deliveries = bent("moons")
    explorer = Explorer(session=session)
    deliveries.get(timeout=60)()
    assert explorer.notice["text"] == session.search.advice
    assert "RBF" in session.search.advice
    (label, action), (_, other) = explorer.notice["buttons"]
    assert (label, other) == ("Try it", "dismiss")
    broken = session.fit.violated.sum()
    content = {"do": action, "request": "follow"}
    explorer._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})
    session.model.wait()
    assert session.settings.kernel == "rbf"
    assert session.settings.gamma == session.search.suggested["gamma"]
    assert session.fit.violated.sum() < broken / 2
    assert session.search.advice == ""
    session.undo()
    session.redo()
    session.answer((0, 1, 2), "dnk")
    end_of_search()


def test_narrow_bends_are_advised_where_wide_ones_do_not_predict_answers() -> None:
    """Two rings in two dimensions: the usual width is as wide as the data."""
    session = Session("rings", autosave=None)
    session.answer_by_oracle(80)
    changes = curves_advised(session.model.trace, session.model.features, lambda: True)
    assert changes is not None
    straight = adjusted_rand(session.dataset.y, session.fit.labels)
    session.set(**changes)
    assert adjusted_rand(session.dataset.y, session.fit.labels) > straight + 0.3
    assert curves_advised(session.model.trace, session.model.features, lambda: True) is None  # it is curved already


@pytest.mark.parametrize("name", ["two-ways", "elongated", "unbalanced"])
def test_curves_are_not_advised_where_lines_are_right(name: str) -> None:
    session, _ = bent(name)
    assert curves_advised(session.model.trace, session.model.features, lambda: True) is None


def test_the_tool_looks_further_and_says_what_it_found(poor: tuple[Session, Deliveries]) -> None:
    session, deliveries = poor
    explorer = Explorer(session=session)
    scene = explorer.scene["version"]
    deliveries.get(timeout=60)()
    assert explorer.scene["version"] > scene
    n = len(session.model.moved)
    told = f"Found a better grouping, by the model's own measure: {n} points changed cluster. Undo (Z) goes back."
    assert explorer.notice["text"] == told
    assert explorer.scene["undo"] == "better grouping"


def test_both_models_of_a_comparison_look_further(poor: tuple[Session, Deliveries]) -> None:
    session, deliveries = poor
    compare = Compare(session, second={"tau": 0.9})
    pair = compare.pair
    while not session.model.trace.found:
        deliveries.get(timeout=60)()
    assert compare.notice["text"].startswith("Found a better grouping")
    assert pair.undo_label == "better grouping"
    second = pair.second.fit.labels
    pair.undo()
    session.model.wait()
    assert adjusted_rand(y, session.fit.labels) < 0.9
    np.testing.assert_array_equal(pair.second.fit.labels, second)
    end_of_search()


# How many groups ---------------------------------------------------------------------------------------------------


def five_groups(**settings: Any) -> tuple[Session, Deliveries, np.ndarray]:
    """Data of five groups of which nobody has said that they are five, and true answers about them."""
    rng, deliveries = np.random.default_rng(3), Deliveries()
    y = np.arange(100) % 5
    X = 6 * np.column_stack([np.cos(2 * np.pi * y / 5), np.sin(2 * np.pi * y / 5)]) + rng.normal(size=(100, 2))
    return Session(X, autosave=None, background=deliveries.put, **settings), deliveries, y


def say(session: Session, y: np.ndarray, n: int, seed: int = 0) -> None:
    rng = np.random.default_rng(seed)
    questions = np.array([rng.choice(100, 3, replace=False) for _ in range(n)])
    session.add(questions, implied_answers(y, questions))
    session.model.wait()


def test_other_numbers_of_groups_are_advised_once_and_taken_back_by_one_undo() -> None:
    session, deliveries, y = five_groups()
    assert session.settings.n_clusters == 3
    assert session.settings.open_k
    say(session, y, 60)
    advise(session, deliveries)
    assert session.search.advice == "Your answers fit 5 groups clearly better than 3."
    scan = session.search.scan
    assert scan is not None
    assert [each.n_clusters for each in scan.found] == list(range(2, 11))
    assert session.settings.n_clusters == 3  # nothing happens by itself
    session.set(**session.search.suggested)
    assert session.history.undo_label == "n_clusters"
    session.model.wait()
    assert (session.settings.n_clusters, session.settings.open_k) == (5, True)
    assert adjusted_rand(y, session.fit.labels) > 0.95
    session.undo()
    say(session, y, 5, seed=1)
    advise(session, deliveries)
    assert session.settings.n_clusters == 3
    assert session.search.advice == ""  # who has read it once knows it


def advise(session: Session, deliveries: Deliveries) -> None:
    """Let the search come to its end; what it finds on the way is taken."""
    for _ in range(3):  # a better grouping, perhaps, and then the advice
        session.search.look()
        end_of_search()
        take(deliveries)
        if session.search.advice:
            return
        session.refit(restart=False)
        session.model.wait()
        take(deliveries)


def test_another_number_is_advised_early_if_it_is_clearly_better_and_a_question_decides() -> None:
    session, deliveries, y = five_groups()
    say(session, y, 15)
    advise(session, deliveries)
    assert session.search.advice == "Your answers fit 5 groups clearly better than 3."
    scan = session.search.scan
    assert scan is not None
    points, reason = scan.question(3, session.log.triplets.indices)
    assert re.fullmatch(r"With 5 groups, .+ \(\d+%\) is expected; with 3, .+ \(\d+%\)\.", reason)
    assert list(points) not in session.log.triplets.indices.tolist()
    # A small lead says nothing before forty answers, and is called small then.
    near = [Candidate(3, -1.0), Candidate(4, -0.9)]
    assert replace(scan, n_answers=39, found=near).advice(3) == ""
    assert replace(scan, n_answers=40, found=near).advice(3) == "Your answers fit 4 groups a little better than 3."
    assert replace(scan, n_answers=40, found=near).words(4) == "fit 4 groups a little better than 3"


def test_what_speaks_for_each_of_two_numbers_of_groups_is_said_when_they_are_close() -> None:
    session, _, y = five_groups()
    say(session, y, 40)
    scan = scan_groups(session.model.trace, lambda: True)
    assert scan is not None
    assert scan.both(3) == ""  # 5 groups are far ahead
    assert scan.satisfied[5] == 40 > scan.satisfied[3] > scan.satisfied[2]
    near = [Candidate(3, 0.0), Candidate(5, -1.9 / scan.divisor), Candidate(4, -9.0)]
    words = (
        f"With 3 groups, {scan.satisfied[3]} of 40 answers are satisfied. "
        "With 5 groups, 40 are satisfied, at the price of 2 more groups."
    )
    assert replace(scan, found=near).both(3) == replace(scan, found=near).both(5) == words
    assert replace(scan, found=[near[0], Candidate(5, -2.1 / scan.divisor)]).both(3) == ""


@pytest.mark.parametrize(("n", "settings"), [(14, {}), (45, {"epsilon": 2 / 3})])
def test_nothing_is_said_of_groups_after_few_answers_or_where_they_are_ignored(n: int, settings: Any) -> None:
    session, _, y = five_groups(**settings)
    say(session, y, n)
    assert not is_due(session.model.trace, None)


def test_nothing_is_said_of_groups_where_the_truth_or_a_person_has_said_how_many() -> None:
    known = Session("far", autosave=None)
    assert not known.settings.open_k
    known.answer_by_oracle(45, strategy="random")
    assert not is_due(known.model.trace, None)
    session, _, y = five_groups(n_clusters=4)
    assert not session.settings.open_k
    say(session, y, 45)
    assert is_due(session.model.trace, None)  # advice costs nothing; questions are not spent on it
    session, _, y = five_groups()
    session.set(n_clusters=4)
    assert not session.settings.open_k
    session.undo()
    assert session.settings.open_k


def test_the_next_answer_ends_a_scan_at_once() -> None:
    session, _, y = five_groups()
    say(session, y, 60)
    asked = iter([True, True])
    assert scan_groups(session.model.trace, lambda: next(asked, False)) is None
