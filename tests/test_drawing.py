"""Points drawn by hand, as steps of a session and in its files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from dcrc_explore.datasets import Dataset
from dcrc_explore.datasets.drawn import MOST_POINTS, Drawing, as_text, changed_points, from_text
from dcrc_explore.page.film import record
from dcrc_explore.scenes import load_scene, save_scene
from dcrc_explore.scenes.playing import scene_data
from dcrc_explore.scenes.reading import SceneError, read_scene
from dcrc_explore.scenes.saving import session_scene
from dcrc_explore.session import Session, SessionError, find_sessions
from dcrc_explore.widgets import Explorer
from dcrc_explore.widgets.address import read_address, write_address


def drawn(**options: object) -> Session:
    """Return a session with two groups that were drawn on an empty plane, five points each."""
    session = Session("far", autosave=None, **options)
    session.pen.draw([[x, 0] for x in range(-5, 0)], 0, empty=True)
    session.pen.draw([[x, 1] for x in range(1, 6)], 1)
    return session


def test_answers_follow_their_points() -> None:
    rng = np.random.default_rng(0)
    session = Session("moons", autosave=None)
    session.add([(0, 1, 60), (2, 3, 61), (4, 5)], ["yes", "no", "yes"], by=["Ann", "Bob", "Ann"], seconds=[1, 2, 3])
    X = session.dataset.X
    about = [X[list(entry.points)] for entry in session.log]
    session.pen.stroke(erased=[2, 50], added=rng.normal(size=(4, 2)), brushes=1, moved={99: [0.0, 0.0]})
    left = [about[0], about[2]]
    assert [np.array_equal(session.dataset.X[list(e.points)], at) for e, at in zip(session.log, left, strict=True)]
    assert (session.log.by, session.log.seconds.tolist()) == (["Ann", "Ann"], [1.0, 3.0])
    assert len(session.dataset.X) == 102
    session.undo()
    assert (len(session.log), session.dataset.name) == (3, "moons")


def test_who_erases_knows_how_many_answers_go() -> None:
    session = drawn()
    session.add([(0, 1, 7), (2, 3, 8), (0, 9)], ["yes", "yes", "no"])
    for rows in ([0], [4], [0, 8], [7, 9]):
        expected = session.pen.answers_about(rows)
        session.pen.erase(rows)
        assert len(session.log) == 3 - expected
        session.undo()


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
@pytest.mark.parametrize("places", [[[0, 0], [0, 0]], [[0, 0], [1, 1]], [[0, 0], [1, 1], [1, 1]]])
def test_the_smallest_drawings_have_a_model(kernel: str, places: list[list[float]]) -> None:
    session = Session("moons", autosave=None, kernel=kernel)
    session.pen.draw(places, [0] * (len(places) - 1) + [1], empty=True)
    assert np.isfinite(session.fit.proba).all()
    assert session.fit.surface(20) is not None


def test_clusters_have_the_numbers_of_their_brushes() -> None:
    for first, second in ((0, 1), (1, 0)):
        session = Session("far", autosave=None)
        session.pen.draw(np.random.default_rng(1).normal(size=(30, 2)) - [3, 0], first, empty=True)
        session.pen.draw(np.random.default_rng(2).normal(size=(30, 2)) - [-3, 0], second)
        assert (session.fit.labels == session.dataset.drawing.classes).mean() > 0.95


def test_k_follows_the_classes_and_never_exceeds_the_points() -> None:
    session = drawn()
    assert session.settings.n_clusters == 2
    session.pen.draw([[0, 4], [1, 4], [2, 4]], 2)
    assert session.settings.n_clusters == 3
    session.pen.set_truth(False)
    session.set(n_clusters=6)
    session.pen.erase(range(3, 13))
    assert (len(session.dataset.X), session.settings.n_clusters) == (3, 3)


def test_the_classes_are_the_truth_or_there_is_none() -> None:
    session = drawn()
    session.answer((0, 1, 9), "yes")
    session.pen.set_truth(False)
    assert session.dataset.y is None
    session.pen.draw([[0, 3]], 1)
    session.pen.set_truth(True)
    assert session.dataset.y.tolist() == [0] * 5 + [1] * 6
    assert len(session.log) == 1


def test_the_picture_stays_while_points_come_and_go() -> None:
    session = Session("moons", autosave=None)
    before = session.state.subject.extent
    session.pen.erase(range(20))
    assert session.state.subject.extent == before
    session.pen.draw([[50, 0]], 0)  # by code, outside
    left, right, *_ = session.state.subject.extent
    assert left <= before[0] < 50 < right


@pytest.mark.parametrize(
    ("stroke", "expected"),
    [
        ({"erased": [10]}, "rows of drawn points must be whole numbers from 0 to 9"),
        ({"moved": {-1: [0, 0]}}, "rows of drawn points must be whole numbers from 0 to 9"),
        ({"added": [[0, float("nan")]]}, "drawn points must lie between"),
        ({"moved": {0: [0, 1e300]}}, "drawn points must lie between"),
        ({"added": [[0, 0]], "brushes": 8}, "classes of drawn points must be whole numbers from 0 to 7"),
        ({"added": np.zeros((MOST_POINTS, 2))}, "at most 2000 points, got 2010: erase some first"),
        ({"erased": range(9)}, "a model needs at least two points"),
    ],
)
def test_what_cannot_be_drawn_changes_nothing(stroke: dict[str, object], expected: str) -> None:
    session = drawn()
    before = session.state
    with pytest.raises(SessionError, match=expected):
        session.pen.stroke(**stroke)
    assert session.state is before


def test_points_of_many_features_are_not_drawn_on() -> None:
    session = Session("digits", autosave=None)
    with pytest.raises(SessionError, match="these have 64: begin with an empty plane"):
        session.pen.draw([[0, 0]], 0)
    session.pen.draw([[0, 0], [1, 1]], 0, empty=True)
    assert len(session.dataset.X) == 2


def test_a_drawing_is_saved_at_each_stroke_in_one_file(tmp_path: Path) -> None:
    session = Session("moons", autosave=tmp_path)
    session.pen.draw([[0, 0], [1, 1], [2, 2]], 0, empty=True)
    session.pen.draw([[3, 3]], 1)
    session.answer((0, 1, 3), "yes")
    session.pen.move({0: [0.5, 0.5]})
    assert [path.name for path in tmp_path.iterdir()] == ["drawing-answers.json"]
    loaded = Session.load(tmp_path / "drawing-answers.json")
    assert np.array_equal(loaded.dataset.X, session.dataset.X)
    assert np.array_equal(loaded.dataset.drawing.classes, session.dataset.drawing.classes)
    assert loaded.state.subject.extent == session.state.subject.extent
    assert loaded.log == session.log
    loaded.pen.erase([0])
    assert len(loaded.log) == 0
    session.pen.draw([[0, 0], [1, 1]], 0, empty=True)  # another drawing does not take its place
    assert len(find_sessions(tmp_path)) == 2


@pytest.mark.parametrize(
    "drawing",
    [
        {"classes": [0, 1], "frame": [-1, 1, 1, -1], "is_truth": True},
        {"classes": [0, 1], "frame": [0, 1, 0], "is_truth": True},
        {"classes": [0], "frame": [0, 1, 0, 1], "is_truth": True},
        {"classes": [0, 900], "frame": [0, 1, 0, 1], "is_truth": True},
        {"classes": [0, 1], "frame": [0, 1, 0, 1], "is_truth": 1},
        {"classes": [0, 1]},
        [],
    ],
)
def test_a_damaged_drawing_is_refused(tmp_path: Path, drawing: object) -> None:
    session = Session("far", autosave=tmp_path)
    session.pen.draw([[0, 0], [1, 1]], [0, 1], empty=True)
    path = session.file.path
    fields = json.loads(path.read_text())
    fields["data"]["drawing"] = drawing
    path.with_name("damaged.json").write_text(json.dumps(fields))
    with pytest.raises(SessionError, match="it is damaged"):
        Session.load(path.with_name("damaged.json"))


def test_a_link_carries_a_drawing() -> None:
    session = drawn(epsilon=0.1)
    session.answer((0, 1, 9), "yes")
    address = read_address(write_address(session, []))
    assert isinstance(address.data, Dataset)
    assert np.allclose(address.data.X, session.dataset.X, atol=11.2 / 4095)
    assert np.array_equal(address.data.drawing.classes, session.dataset.drawing.classes)
    assert address.answers == (((0, 1, 9), "yes"),)
    session.pen.draw(np.random.default_rng(0).normal(size=(900, 2)), 0)
    with pytest.raises(SessionError, match="too many points for a link"):
        write_address(session, [])


def test_text_of_a_drawing_is_exact_on_its_grid() -> None:
    rng = np.random.default_rng(3)
    frame = (-2.5, 1.25, 0.0, 8.0)
    places = rng.integers(0, 4096, size=(60, 2)) / 4095 * [3.75, 8.0] + [-2.5, 0.0]
    data = Drawing(rng.integers(0, 8, 60), frame, is_truth=False).dataset(places)
    again = from_text(as_text(data))
    assert np.allclose(again.X, data.X, atol=1e-12)
    assert np.array_equal(again.drawing.classes, data.drawing.classes)
    assert (again.drawing.frame, again.drawing.is_truth, again.y) == (frame, False, None)
    for text in ("", "1,2,3,4;t", "2,1,0,1;t;1AAAA", "0,1,0,1;t;9AAAA", "0,1,0,1;t;1AAA", "0,1,0,1;t;1AAAA"):
        with pytest.raises(ValueError, match=r"points must be|at least two points"):
            from_text(text)


def test_a_scene_keeps_a_drawing(tmp_path: Path) -> None:
    session = Session("far", autosave=tmp_path)
    session.pen.draw([[0, 0], [1, 1], [4, 4]], [0, 0, 1], empty=True)
    session.answer((0, 1, 2), "yes")
    folder = save_scene(session)
    scene = load_scene(folder / "scene.toml")
    assert np.array_equal(scene_data(scene).X, session.dataset.X)
    assert scene.answers[0].rows == ((0, 1, 2, "yes"),)


def test_a_scene_of_points_on_the_grid_is_one_text_and_goes_on_with_what_is_drawn() -> None:
    session = Session("far", autosave=None)
    session.change("drawing", data=from_text("-5.6,5.6,-5,5;f;1AAAAgAgA;2____"))
    (text,) = session_scene(session).values()
    scene = read_scene(text.replace("[data]", "[view]\ndraw = true\n\n[data]"))
    assert np.array_equal(scene_data(scene).X, session.dataset.X)
    explorer = Explorer(scene=scene, autosave=None)
    assert (explorer.draw, explorer.playing["title"]) == ("on", "My scene: drawing")
    explorer.session.pen.draw([[0, 3]], 0)
    assert explorer.playing["title"] == "My scene: drawing"
    explorer.session.set_data("moons")  # no drawing
    assert explorer.playing == {}
    with pytest.raises(SceneError, match=r"line 5: data.points must be points of a drawing"):
        read_scene('title = "A"\npromise = "B"\n\n[data]\npoints = "1AAAA"')


def test_a_film_shows_a_drawing_in_its_frame() -> None:
    session = drawn()
    session.answer((0, 1, 9), "yes")
    film = record(session)
    assert (film.extent, len(film.points), film.classes) == (session.state.subject.extent, 10, ["1"] * 5 + ["2"] * 5)


def test_rows_after_a_stroke() -> None:
    points, classes, rows = changed_points(np.arange(8.0).reshape(4, 2), np.arange(4), erased=[1, 1], moved={3: [9, 9]})
    assert points.tolist() == [[0, 1], [4, 5], [9, 9]]
    assert (classes.tolist(), rows.tolist()) == ([0, 2, 3], [0, -1, 1, 2])


def test_data_that_are_standardised_or_opened_again() -> None:
    session = drawn()
    again = Session(session.dataset, autosave=None)
    assert again.state.subject.extent == session.state.subject.extent
    session.standardize()
    assert session.dataset.drawing is None
    session.pen.draw([[0, 0]], 1)
    assert len(session.dataset.X) == 11
