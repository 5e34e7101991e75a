"""Data: the promises of the generators and the shapes of the real sets."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans

from dcrc_explore import DCRC
from dcrc_explore.annotators import truth
from dcrc_explore.datasets import (
    Dataset,
    as_dataset,
    list_datasets,
    list_real_datasets,
    load_dataset,
    make_dataset,
    paper,
)
from dcrc_explore.metrics import matched_accuracy, pairwise_f

names = pytest.mark.parametrize("name", list_datasets())


# Generators


@names
@given(seed=st.integers(0, 10_000))
def test_the_same_seed_gives_the_same_points(name, seed):
    data = make_dataset(name, seed=np.int64(seed), spread=np.float32(0.5))
    again = make_dataset(data.name, **json.loads(json.dumps(data.parameters)))
    assert np.array_equal(data.X, again.X)
    assert np.array_equal(data.y, again.y)
    assert not np.array_equal(data.X, make_dataset(name, seed=seed + 1).X)


@names
@given(st.data())
def test_every_slider_position_gives_a_usable_dataset(name, data):
    spec = list_datasets()[name]
    values = {}
    for parameter in spec.parameters:
        assert parameter.low <= parameter.default <= parameter.high
        whole = parameter.name in ("n_per_cluster", "n_clusters", "seed")
        kind = st.integers if whole else st.floats
        values[parameter.name] = data.draw(kind(parameter.low, parameter.high), label=parameter.name)
    made = make_dataset(name, **values)
    K = values.get("n_clusters", spec.n_clusters)
    assert np.isfinite(made.X).all()
    assert np.array_equal(np.unique(made.y), np.arange(K))
    assert made.n_classes == K
    assert abs(len(made.y) - K * values["n_per_cluster"]) <= K
    sizes = np.bincount(made.y)
    assert sizes.max() <= values["imbalance"] * (sizes.min() + 1) + 1


@names
def test_every_limit_of_a_parameter_gives_finite_points(name):
    for parameter in list_datasets()[name].parameters:
        low, high = parameter.limits
        assert low <= parameter.low <= parameter.high <= high
        for value in (low, high):
            # A hundred thousand points per cluster only take longer.
            value = min(value, 1000) if parameter.name == "n_per_cluster" else value
            assert np.isfinite(make_dataset(name, **{parameter.name: value}).X).all()


@names
def test_spread_zero_distance_and_noise_move_points_as_they_say(name):
    still, noisy = make_dataset(name), make_dataset(name, noise=0.3)
    moved = np.any(still.X != noisy.X, axis=1).mean()
    assert 0.15 < moved < 0.45
    assert np.array_equal(still.y, noisy.y)
    centres = [make_dataset(name, spread=0.0, distance=d).X.std() for d in (1.0, 2.0)]
    assert centres[0] < centres[1]


def test_the_pair_of_the_paper_has_three_clusters_of_fifty():
    for name in ("close", "far"):
        assert np.bincount(make_dataset(name).y).tolist() == [50, 50, 50]


def _kmeans_accuracy(name):
    data = make_dataset(name).standardized()
    labels = KMeans(data.n_classes, n_init=10, random_state=0).fit_predict(data.X)
    return matched_accuracy(data.y, labels)


@pytest.mark.parametrize(("name", "low", "high"), [("far", 1, 1), ("many", 1, 1), ("close", 0.8, 0.97)])
def test_kmeans_finds_what_lies_apart(name, low, high):
    assert low <= _kmeans_accuracy(name) <= high


@pytest.mark.parametrize("name", ["elongated", "two-ways", "rings", "cross"])
def test_kmeans_finds_the_wrong_grouping(name):
    assert _kmeans_accuracy(name) < 0.7


@pytest.mark.parametrize("seed", range(5))
def test_a_handful_of_answers_reveals_the_other_way_to_group(seed):
    data = make_dataset("two-ways", seed=seed).standardized()
    right, top = data.X.T > 0
    # "Are you more like the one beside you or the one below (above) you?", about a point of each clump.
    first = {(r, t): np.flatnonzero((right == r) & (top == t))[0] for r in (True, False) for t in (True, False)}
    triplets = [(i, first[not r, t], first[r, not t]) for (r, t), i in first.items()]
    model = DCRC(2, warm_start=True, random_state=seed).fit(data.X)
    assert pairwise_f(data.y, model.labels_) < 0.6
    model.fit(data.X, triplets=triplets, answers=truth(data.y).answer(triplets))
    assert pairwise_f(data.y, model.labels_) == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (dict(name="spirals"), "one of close, far, .* got 'spirals'"),
        (dict(name="moons", stretch=2), "takes the parameters .* got 'stretch'"),
        (dict(name="far", n_per_cluster=0), "n_per_cluster must be a whole number between 1 and 100000, got 0"),
        (dict(name="far", n_per_cluster=10**9), "between 1 and 100000, got 1000000000"),
        (dict(name="far", n_per_cluster=10**5000), "between 1 and 100000, got a number of very many digits"),
        (dict(name="far", n_per_cluster=True), "n_per_cluster must be a whole number"),
        (dict(name="far", n_per_cluster=100_000, n_clusters=11), "at most 1000000 points, got 11 clusters of 100000"),
        (
            dict(name="far", seed=2**64),
            "seed must be a whole number between 0 and 4294967295, got 184467",
        ),
        (dict(name="far", spread=1e308), r"spread must be a number between 0 and 1000000, got 1e\+308"),
        (dict(name="far", n_per_cluster=2.5), "n_per_cluster must be a whole number"),
        (dict(name="far", noise=1.5), "noise must be a number between 0 and 1, got 1.5"),
        (dict(name="far", spread="wide"), "spread must be a number between 0 and 1000000, got 'wide'"),
        (dict(name="far", distance=float("nan")), "distance must be"),
        (dict(name="far", seed=-1), "seed must be"),
    ],
)
def test_wrong_parameters_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        make_dataset(**call)


# The record


def test_a_record_cannot_be_changed_by_accident():
    X = np.zeros((3, 2))
    data = Dataset(X, np.arange(3), "tiny")
    X[0] = 1
    assert not data.X.any()
    with pytest.raises(ValueError, match="read-only"):
        data.X[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        data.y[0] = 1


def test_standardised_features_have_mean_zero_and_deviation_one():
    assert not load_dataset("wine").is_standardized
    data = load_dataset("wine").standardized()
    assert data.is_standardized
    assert data.X.mean(axis=0) == pytest.approx(0, abs=1e-12)
    assert data.X.std(axis=0) == pytest.approx(1)
    constant = as_dataset([[1.0, 5.0], [2.0, 5.0]]).standardized()
    assert constant.X[:, 1].tolist() == [0, 0]


# Real sets


@pytest.mark.parametrize("name", [name for name, spec in list_real_datasets().items() if spec.bundled])
def test_bundled_sets_need_no_network(name):
    spec, data = list_real_datasets()[name], load_dataset(name)
    assert data.X.shape == (spec.n_samples, spec.n_features)
    assert len(np.unique(data.y)) == spec.n_clusters == len(data.class_names)
    assert len(data.feature_names) == spec.n_features
    assert data.name == name
    assert data.description


def _write(folder, name, file_name=None):
    spec = list_real_datasets()[name]
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(spec.n_samples, spec.n_features)), np.arange(spec.n_samples) % spec.n_clusters
    np.savez(folder / f"{file_name or name}.npz", X=X, y=y)
    return X


@pytest.mark.parametrize(
    ("name", "file_name"),
    [
        ("ionosphere", "ionosphere"),
        ("digits-389", "digits-389"),
        ("digits-389", "digits389"),
        ("letters-ijlt", "letters_ijlt"),
        ("msrcv2", "msrcv2"),
    ],
)
def test_a_local_copy_is_found(tmp_path, monkeypatch, name, file_name):
    X = _write(tmp_path, name, file_name)
    assert np.array_equal(load_dataset(name, data_home=tmp_path).X, X)
    monkeypatch.setenv("DCRC_EXPLORE_DATA", str(tmp_path))
    assert np.array_equal(load_dataset(name).X, X)


def test_a_copy_with_other_counts_is_refused(tmp_path):
    np.savez(tmp_path / "pima.npz", X=np.zeros((700, 8)), y=np.arange(700) % 2)
    with pytest.raises(ValueError, match=r"pima must have \(768, 8, 2\) .* got \(700, 8, 2\)"):
        load_dataset("pima", data_home=tmp_path)
    np.savez(tmp_path / "pima.npz", X=np.zeros((768, 8)))
    with pytest.raises(ValueError, match="must hold an array y"):
        load_dataset("pima", data_home=tmp_path)


def test_openml_gives_the_wanted_classes_only(monkeypatch):
    calls = []

    def fetch(**options):
        calls.append(options)
        y = np.repeat(list("0123456789"), 1055)
        return np.arange(len(y) * 16.0).reshape(-1, 16), y

    monkeypatch.setattr(paper, "fetch_openml", fetch)
    monkeypatch.delenv("DCRC_EXPLORE_DATA", raising=False)
    data = load_dataset("digits-389")
    assert calls[0]["data_id"] == 32
    assert data.class_names == ("3", "8", "9")
    assert data.X[0, 0] == 3 * 1055 * 16


@pytest.mark.filterwarnings("ignore:A network error")
def test_offline_without_a_copy_the_error_says_how_to_get_one(tmp_path, monkeypatch):
    # A proxy that refuses every connection, and an empty cache: what a user without a network has.
    for variable in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "")
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "cache"))
    with pytest.raises(FileNotFoundError, match=r"ionosphere.npz with arrays X \(351, 34\).*DCRC_EXPLORE_DATA"):
        load_dataset("ionosphere", data_home=tmp_path)
    with pytest.raises(FileNotFoundError, match=r"only be read from a folder.*birdsong.npz"):
        load_dataset("birdsong", data_home=tmp_path)


def test_unknown_names_are_answered_with_the_known_ones():
    with pytest.raises(ValueError, match=r"ionosphere, pima, .* got 'mnist'"):
        load_dataset("mnist")
