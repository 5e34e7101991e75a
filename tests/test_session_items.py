"""What people see for each point comes back with their session."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.offsetbox import AnnotationBbox

from dcrc_explore.datasets import as_dataset, make_scenes, write_scenes
from dcrc_explore.metrics import adjusted_rand
from dcrc_explore.palette import cluster_colour
from dcrc_explore.session import Session, SessionError

X = np.random.default_rng(0).normal(size=(12, 3))


def photos(folder):
    write_scenes(folder / "photos", 4)
    (folder / "photos" / "picture-003.png").write_text("no image")
    return as_dataset(folder / "photos")


@pytest.mark.parametrize(
    "make",
    [
        lambda folder: as_dataset(X, items=[f"text {i} <b>" for i in range(12)]),
        lambda folder: make_scenes(4),
        photos,
        lambda folder: as_dataset(100 * X, name="rows").standardized(),
    ],
    ids=["texts", "images", "files", "rows"],
)
def test_items_come_back_with_the_session(tmp_path, make):
    data = make(tmp_path)
    session = Session(data, autosave=tmp_path)
    session.answer((0, 1, 2), "yes")
    again = Session.load(session.file.path).dataset
    assert again.description == data.description
    assert again.cards.kind == data.cards.kind
    for i in range(len(data.X)):
        assert again.cards.text(i) == data.cards.text(i)
        assert again.cards.thumbnail(i) == data.cards.thumbnail(i)


def test_a_session_goes_on_when_its_pictures_are_gone(tmp_path):
    session = Session(photos(tmp_path), autosave=tmp_path)
    session.answer((0, 1, 2), "no")
    for place in (tmp_path / "photos").iterdir():
        place.unlink()
    again = Session.load(session.file.path)
    assert len(again.log) == 1
    assert "there is no file" in again.dataset.cards.thumbnail(0).problem


def test_a_folder_of_images_is_data_by_its_name(tmp_path):
    write_scenes(tmp_path / "photos", 3)
    assert Session(str(tmp_path / "photos"), autosave=None).dataset.cards.kind == "images"
    with pytest.raises(SessionError, match="a folder of images"):
        Session(str(tmp_path / "nowhere"), autosave=None)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_every_plane_is_drawn_and_the_models_agrees_with_its_labels(kernel):
    session = Session(as_dataset(X, np.arange(12) % 3), autosave=None)
    session.set(kernel=kernel)
    fit = session.fit
    view = fit.view("model", last=fit.view())
    assert (view.flatten(fit.weights).proba(view.points).argmax(axis=1) == fit.labels).all()
    assert fit.surface(20, view).regions.shape == (20, 20)
    assert fit.surface() is None
    for plane in ("model", "pca", (0, 2)):
        picture = session.figure(plane=plane)
        shown = picture.axes[0].get_xlabel().replace("\n", " ")
        assert shown == fit.view(plane).describe()
    with pytest.raises(ValueError, match="plane must be 'pca', 'model' or a pair of features, got 'weather'"):
        fit.view("weather")


@pytest.mark.slow
def test_who_sees_the_digits_groups_them_with_forty_answers():
    """A person who knows a three, an eight and a nine when they see them answers what the program asks."""
    session = Session("digits-8x8", autosave=None)
    y = session.dataset.y

    def agreement():
        return adjusted_rand(y, session.fit.labels)

    before = agreement()
    for _ in range(40):
        i, j, k = session.questions.suggest()
        said = {(True, False): "yes", (False, True): "no"}.get((y[i] == y[j], y[i] == y[k]), "dnk")
        session.answer((i, j, k), said)
    assert before < 0.75
    assert agreement() > 0.8


def test_other_features_keep_the_answers_and_can_be_undone(tmp_path):
    session = Session(make_scenes(6), autosave=tmp_path)
    session.answer_by_oracle(6)
    before, told = session.dataset.X, []
    session.set_features("photo", watch=lambda *far: told.append(far))
    assert session.dataset.features == "photo"
    assert session.dataset.X.shape != before.shape or not np.allclose(session.dataset.X, before)
    assert len(session.log) == 6
    assert told[-1][:2] == (17, 18)
    assert Session.load(session.file.path).dataset.features == "photo"
    session.undo()
    assert np.array_equal(session.dataset.X, before)
    session.set_features(as_dataset(session.dataset, features=lambda images: [[image.mean()] for image in images]))
    assert session.dataset.X.shape == (18, 1)
    with pytest.raises(SessionError, match="text features are made of texts, got images"):
        session.set_features("text")
    with pytest.raises(SessionError, match="features of 18 items, got 9"):
        session.set_features(make_scenes(3))
    assert len(session.log) == 6


def test_a_session_begins_with_the_features_that_are_wanted(tmp_path):
    write_scenes(tmp_path / "photos", 2)
    session = Session(str(tmp_path / "photos"), features="pixels", n_clusters=2, autosave=None)
    assert session.dataset.features == "pixels"
    with pytest.raises(SessionError, match="only data of your own take y, items, features"):
        Session("moons", features="pixels")


def test_a_figure_shows_items_where_there_is_room_unless_dots_are_wanted(tmp_path):
    session = Session("scenes", autosave=None)
    frames = [artist for artist in session.figure().axes[0].artists if isinstance(artist, AnnotationBbox)]
    assert 10 < len(frames) < len(session.dataset.X)
    colours = {cluster_colour(k) for k in range(session.settings.n_clusters)}
    assert {to_hex(frame.patch.get_edgecolor()) for frame in frames} <= colours
    session.figure().savefig(tmp_path / "picture.svg")
    assert (tmp_path / "picture.svg").read_text().count("<image") >= len(frames)
    assert not session.figure(items=False).axes[0].artists
