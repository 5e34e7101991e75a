"""Merge, split, one group, belongs there: a few answers that are seen before they count, and one step to undo."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dcrc_explore.constraints import Answer
from dcrc_explore.metrics import adjusted_rand
from dcrc_explore.session import Gestures, Session, SessionError

# Four tight groups on a line; the data of a person, without classes.
y = np.arange(80) % 4
X = 8.0 * np.column_stack([y, y % 2]) + np.random.default_rng(0).normal(size=(80, 2))


@pytest.fixture
def session() -> Session:
    session = Session(X, autosave=None, n_clusters=4)
    session.person = "Ann"
    assert adjusted_rand(y, session.fit.labels) == 1
    return session


def clusters(session: Session, *points: int) -> list[int]:
    return session.fit.labels[list(points)].tolist()


def test_a_merge_is_three_pairs_and_one_cluster_less(session: Session) -> None:
    gestures, (a, b, _, d) = Gestures(session), clusters(session, 0, 1, 2, 3)
    session.name_cluster(a, "left")
    session.name_cluster(d, "right")
    before = session.fit.labels
    gesture = gestures.merge(a, b)
    assert gesture.title == f"Left and cluster {b + 1} belong together."
    assert [[set(y[[i]]) for i in pair] for pair in gesture.points] == [[{0}, {1}]] * 3
    assert len(session.log) == 0  # it is only proposed
    gestures.do(gesture)
    assert (session.settings.n_clusters, session.history.undo_label) == (3, "merge")
    assert [(entry.answer, entry.by) for entry in session.log] == [(Answer.YES, "Ann")] * 3
    assert adjusted_rand(np.where(y == 1, 0, y), session.fit.labels) == 1
    assert [session.state.cluster_name(k) for k in clusters(session, 0, 1, 3)] == ["left", "left", "right"]
    session.undo()
    assert session.settings.n_clusters == 4
    assert len(session.log) == 0
    np.testing.assert_array_equal(session.fit.labels, before)
    assert session.state.cluster_name(d) == "right"


def test_a_split_is_four_triplets_and_one_cluster_more(session: Session) -> None:
    gestures = Gestures(session)
    gestures.do(gestures.merge(*clusters(session, 0, 1)))
    mixed = clusters(session, 0)[0]
    gesture = gestures.split(mixed)
    assert [len(points) for points in gesture.points] == [3] * 4
    assert all(y[i] == y[j] != y[k] for i, j, k in gesture.points)
    gestures.do(gesture)
    assert session.settings.n_clusters == 4
    assert adjusted_rand(y, session.fit.labels) == 1


def test_the_selected_points_of_a_cluster_are_split_off(session: Session) -> None:
    gestures, (k,) = Gestures(session), clusters(session, 0)
    part = [i for i in np.flatnonzero(y == 0) if X[i, 1] > 0.5]
    gesture = gestures.split(k, part)
    assert gesture.labels is not None
    rare = min(set(part), set(np.flatnonzero(y == 0)) - set(part), key=len)
    assert set(np.flatnonzero(gesture.labels == 4)) == rare


def test_a_new_group_may_come_from_several_clusters_and_ignore_some_of_its_answers(session: Session) -> None:
    gestures, rows = Gestures(session), [0, 4, 8, 1, 5]
    gesture = gestures.new_group(rows)
    assert (gesture.title, gesture.n_clusters) == ("These 5 points are a group of their own.", 5)
    assert gesture.labels is not None
    assert set(np.flatnonzero(gesture.labels == 4)) == set(rows)
    for i, j, k in gesture.points:
        assert {i, j} <= set(rows)
        assert k not in rows
        assert y[k] == y[j]  # of the cluster from which it is taken
    gestures.do(gesture, lines=[1, 3])
    assert [entry.points for entry in session.log] == [gesture.points[1], gesture.points[3]]
    assert session.settings.n_clusters == 5
    session.undo()
    gestures.do(gestures.new_group(rows), lines=[])  # K alone
    assert (session.settings.n_clusters, len(session.log)) == (5, 0)


def test_doubtful_members_do_not_speak_for_their_cluster(session: Session) -> None:
    """Neither those of which the model is unsure, nor those that an answer contradicts."""
    gestures, (a, b) = Gestures(session), clusters(session, 0, 1)
    sure = session.fit.proba.max(axis=1)
    members = np.flatnonzero(session.fit.labels == a)
    half = set(members[np.argsort(-sure[members])][: len(members) // 2])
    assert {i for i, _ in gestures.merge(a, b).points} <= half
    wrong = next(iter(half))
    session.answer((wrong, 1, 4), "yes")  # it is as those of another cluster, which one answer does not change
    session.set(tau=2.0)
    if session.fit.labels[wrong] == a:
        assert session.fit.violated.any()
        assert wrong not in {i for i, _ in gestures.merge(a, b).points}
    known = [i for i in members.tolist() if i != wrong][-3:]  # however unsure the model is of them
    session.add([(known[0], known[1], 1), (known[1], known[2], 1)], ["yes", "yes"])
    a, b = clusters(session, known[0], 1)
    assert {i for i, _ in Gestures(session).merge(a, b).points} == set(known)


def test_k_stays_where_the_person_wants_it(session: Session) -> None:
    gestures = Gestures(session)
    gestures.do(gestures.merge(0, 1), change_k=False)
    assert session.settings.n_clusters == 4
    assert len(session.log) == 3


def test_selected_points_are_one_group_by_pairs_with_their_middle(session: Session) -> None:
    gestures, rows = Gestures(session), np.flatnonzero(y < 2)
    gesture = gestures.together(rows)
    assert gesture.title == "These 40 points are one group."
    assert len(gesture.points) == 4
    assert len({i for i, _ in gesture.points}) == 1
    gestures.do(gesture)
    assert session.history.undo_label == "one group"
    assert [entry.points for entry in session.log] == gesture.points
    assert len(gestures.together([0, 4]).points) == 1


def test_a_point_that_belongs_elsewhere_is_compared_with_both_clusters(session: Session) -> None:
    gestures, (home, there) = Gestures(session), clusters(session, 0, 1)
    gesture = gestures.move([0], there)
    assert gesture.title == f"This point belongs to cluster {there + 1}."
    assert [(i, clusters(session, j)[0], clusters(session, k)[0]) for i, j, k in gesture.points] == [
        (0, there, home)
    ] * 2
    gestures.do(gesture)
    assert session.fit.posterior[0].argmax() == there
    assert len(gestures.move(range(0, 80, 4), there).points) == 4


def test_gestures_are_in_every_file_and_export_and_survive_fits(session: Session, tmp_path: Path) -> None:
    gestures = Gestures(session)
    gestures.do(gestures.merge(*clusters(session, 2, 3)))
    path = session.save(tmp_path / "merged.json")
    again = Session.load(path, autosave=False)
    assert [entry.points for entry in again.log] == [entry.points for entry in session.log]
    assert session.export.to_csv().count(",Ann") == 3
    session.answer((2, 3, 0), "yes")
    session.refit()
    assert len(set(session.fit.labels[(y == 2) | (y == 3)])) == 1


def test_gestures_say_what_they_need(session: Session) -> None:
    gestures = Gestures(session)
    for gesture, message in [
        (lambda: gestures.merge(1, 1), "two clusters can be merged, got cluster 2 twice"),
        (lambda: gestures.merge(0, 9), "clusters are numbered from 0 to 3 here, got 9"),
        (lambda: gestures.split(0, []), "cluster 1 cannot be split: all or none of its points are selected"),
        (lambda: gestures.together([3]), "at least two selected points, got 1"),
        (lambda: gestures.new_group([3]), "a new group needs at least two selected points, got 1"),
        (lambda: gestures.move([], 1), "select the points that belong there first, got none"),
        (lambda: gestures.together([3, 99]), "99"),
    ]:
        with pytest.raises(SessionError, match=message):
            gesture()
    two = Gestures(Session("moons", autosave=None))
    with pytest.raises(SessionError, match="only two clusters"):
        two.merge(0, 1)
    old = gestures.merge(0, 1)
    session.set(n_clusters=3)
    with pytest.raises(SessionError, match="make the gesture again"):
        gestures.do(old)
    assert len(session.log) == 0
