"""Some of the points: asked about alone, written alone; and a part of the picture, mapped alone."""

import csv
import io

import numpy as np
import pytest

from dcrc_explore.plane import grid_points, part_of
from dcrc_explore.session import Session, SessionError


@pytest.fixture
def session():
    session = Session("close", autosave=None)
    session.answer_by_oracle(30, strategy="random")
    return session


@pytest.mark.parametrize("strategy", ["random", "boundary", "informative", "guided"])
def test_questions_among_some_points_are_about_them_alone_and_new(session, strategy):
    rows = [3, 40, 41, 42, 90, 91, 149]
    asked = set()
    for _ in range(6):
        i, j, k = session.questions.suggest(strategy, rows)
        assert {i, j, k} <= set(rows)
        assert (i, frozenset((j, k))) not in asked
        asked.add((i, frozenset((j, k))))
        session.answer((i, j, k), "dnk")
    session.questions.skip((3, 40, 41))
    assert session.questions.suggest(strategy, rows) != (3, 40, 41)


def test_three_points_are_asked_about_until_nothing_is_left(session):
    for _ in range(3):
        session.answer(session.questions.suggest("random", [0, 70, 140]), "dnk")
    with pytest.raises(SessionError):
        session.questions.suggest("random", [0, 70, 140])


@pytest.mark.parametrize("rows", [[], [1, 2], [2, 2, 1]])
def test_fewer_than_three_points_can_not_be_asked_about(session, rows):
    with pytest.raises(SessionError, match="three points"):
        session.questions.suggest("guided", rows)


@pytest.mark.parametrize("rows", [[1, 2, 150], [-1, 2, 3], [0.5, 1, 2], ["a"]])
def test_rows_that_are_none_are_refused(session, rows):
    with pytest.raises(SessionError, match="rows must be whole numbers from 0 to 149"):
        session.questions.suggest("guided", rows)
    with pytest.raises(SessionError, match="rows must be whole numbers from 0 to 149"):
        session.export.to_csv("clusters", rows)


def test_selected_points_are_written_as_in_the_table_of_all(session):
    session.name_cluster(0, "left, or so")
    table, part = (
        list(csv.DictReader(io.StringIO(session.export.to_csv("clusters", rows)))) for rows in (None, [7, 2, 100])
    )
    assert part == [table[2], table[7], table[100]]


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_a_window_is_mapped_as_the_model_says_there(kernel):
    session = Session("moons", autosave=None, kernel=kernel)
    session.answer_by_oracle(20, strategy="random")
    window = (0.25, 0.5, 0.125, 0.375)
    surface = session.fit.surface(30, window=window)
    assert surface.extent == part_of(session.state.subject.extent, window)
    whole = session.fit.surface(120)  # four times as many cells: the same cells where the window is
    np.testing.assert_array_equal(surface.regions, whole.regions[15:45, 30:60])
    np.testing.assert_allclose(surface.entropy, whole.entropy[15:45, 30:60], atol=1)
    assert len(grid_points(surface.extent, 30)) == surface.regions.size


@pytest.mark.parametrize("window", [(0, 1, 0), (0.5, 0.5, 0, 1), (-0.1, 1, 0, 1), (0, 1, 0.6, 0.4)])
def test_a_window_that_is_none_is_refused(session, window):
    with pytest.raises(ValueError, match="window must be"):
        session.fit.surface(window=window)
