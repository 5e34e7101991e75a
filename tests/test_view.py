"""Planes for any number of features: the model's plane tells the truth, and it turns no more than it must."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcrc_explore import DCRC
from dcrc_explore.datasets import load_dataset
from dcrc_explore.model.features import KERNELS, LinearMap, make_features
from dcrc_explore.model.softmax import Weights
from dcrc_explore.plane import View, grid_points


def points(seed, N=40, D=6):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(N, D)) @ rng.normal(size=(D, D)) + rng.normal(0, 5, D)


def weights(seed, K, D=6, scale=1.0):
    rng = np.random.default_rng(seed + 1000)
    return Weights(scale * rng.normal(size=(K, D)), rng.normal(size=K))


seeds = st.integers(0, 10_000)


@given(seeds, st.sampled_from([2, 3]), st.integers(2, 9), st.sampled_from([1e-3, 1.0, 30.0]))
def test_in_the_models_plane_of_two_or_three_clusters_the_place_tells_all(seed, K, D, scale):
    X, W = points(seed, D=D), weights(seed, K, D, scale)
    view = View.model(X, W)
    assert view.is_exact
    assert view.share == 1
    np.testing.assert_allclose(W.proba(view.lift(view.points)), W.proba(X), atol=1e-9)
    np.testing.assert_allclose(view.flatten(W).proba(view.points), W.proba(X), atol=1e-9)
    np.testing.assert_allclose(view.basis.T @ view.basis, np.eye(2), atol=1e-9)


@given(seeds, st.integers(2, 6), st.integers(2, 8), st.sampled_from(["pca", "model", "features"]))
def test_what_is_lifted_is_seen_where_it_came_from(seed, K, D, kind):
    X = points(seed, D=D)
    view = {"pca": View.pca, "model": lambda X: View.model(X, weights(seed, K, D))}.get(
        kind, lambda X: View.features(X, (0, D - 1))
    )(X)
    places = np.random.default_rng(seed).normal(size=(20, 2))
    lifted = view.lift(places)
    np.testing.assert_allclose((lifted - view.centre) @ view.basis, places, atol=1e-8)
    np.testing.assert_allclose((X - view.centre) @ view.basis, view.points, atol=1e-8)
    W = weights(seed, K, D)
    np.testing.assert_allclose(view.flatten(W).proba(places), W.proba(lifted), atol=1e-9)


def manhattan(a, b):
    return np.exp(-np.abs(a - b).sum())


@pytest.mark.parametrize("kernel", [*sorted(KERNELS.keys() - {"precomputed"}), manhattan])
def test_each_kernel_is_drawn_as_itself(kernel):
    features = make_features(points(0, N=12, D=2), kernel, gamma=0.3)
    coef, x, y = weights(0, 3, features.rows.shape[1]).coef, np.linspace(-2, 3, 5), np.linspace(-1, 4, 4)
    at_each = np.array([[features.map.transform(np.array([[a, b]]))[0] @ coef.T for a in x] for b in y])
    np.testing.assert_allclose(features.map.scores_on_grid(coef, x, y), at_each.transpose(2, 0, 1), rtol=1e-8)


@given(seeds, st.sampled_from([2, 3, 5]))
def test_kernels_have_a_plane_too(seed, K):
    features = make_features(points(seed, D=3), "rbf")
    W = weights(seed, K, features.rows.shape[1])
    view = View.model(features.rows, W)
    if K <= 3:
        np.testing.assert_allclose(view.flatten(W).proba(view.points), W.proba(features.rows), atol=1e-9)
    surface = view.surface(W, features.map, resolution=20)
    flat = view.flatten(W).proba(grid_points(view.extent, 20))
    assert np.array_equal(surface.regions.ravel(), flat.argmax(axis=1))


@pytest.mark.parametrize("K", [4, 6, 9])
def test_for_more_clusters_no_plane_shows_more_of_the_logits(K):
    X, W = points(K, N=200, D=8), weights(K, K, 8)
    view = View.model(X, W)
    assert not view.is_exact
    logits = (X - X.mean(axis=0)) @ (W.coef - W.coef.mean(axis=0)).T
    sizes = np.linalg.svd(logits, compute_uv=False) ** 2
    assert view.share >= sizes[:2].sum() / sizes.sum() - 1e-9
    assert f"{view.share:.0%}" in view.describe()
    rng = np.random.default_rng(0)
    for _ in range(50):
        other = (X - X.mean(axis=0)) @ np.linalg.qr(rng.normal(size=(8, 2)))[0]
        seen = other @ np.linalg.lstsq(other, logits, rcond=None)[0]
        assert (seen**2).sum() / (logits**2).sum() <= view.share


def _degenerate():
    D, rng = 5, np.random.default_rng(0)
    row = rng.normal(size=D)
    yield "zeros", np.zeros((3, D))
    yield "duplicates", np.tile(row, (3, 1))
    yield "two equal", np.stack([row, row, -row])
    yield "rank one", np.outer([1.0, 2.0, 5.0], row)
    yield "rank one of four", np.outer([1.0, 2.0, 5.0, 7.0], row)
    yield "tiny", 1e-200 * rng.normal(size=(3, D))


@pytest.mark.parametrize("coef", dict(_degenerate()).values(), ids=dict(_degenerate()))
def test_weights_of_lower_rank_get_a_whole_plane(coef):
    X, W = points(1, D=5), Weights(coef, np.zeros(len(coef)))
    view = View.model(X, W)
    np.testing.assert_allclose(view.basis.T @ view.basis, np.eye(2), atol=1e-9)
    np.testing.assert_allclose(W.proba(view.lift(view.points)), W.proba(X), atol=1e-9)
    assert np.isfinite(view.extent).all()
    # What W does not use goes to the principal components.
    assert view.points.std(axis=0).min() > 0.1


@pytest.mark.parametrize("X", [np.ones((5, 4)), np.outer(np.arange(5.0), np.ones(4)), np.arange(4.0)[:, None]])
def test_points_in_one_place_or_on_a_line_get_a_plane(X):
    D = X.shape[1]
    for view in (View.of(X), View.pca(X), View.model(X, weights(0, 3, D)), View.model(X, weights(0, 2, D))):
        assert view.points.shape == (len(X), 2)
        assert np.isfinite(view.points).all()
        assert np.isfinite(view.lift(np.zeros((1, 2)))).all()


@given(seeds, st.sampled_from([2, 3, 5]))
def test_after_a_refit_the_plane_turns_no_more_than_it_must(seed, K):
    X = points(seed)
    before, after = View.model(X, weights(seed, K)), View.model(X, weights(seed + 1, K))
    aligned = after.aligned(before)

    def away(places):
        return np.linalg.norm(places - before.points)

    for angle in np.linspace(0, 2 * np.pi, 60):
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        for mirror in (np.eye(2), np.diag([1, -1])):
            assert away(aligned.points) <= away(after.points @ turn @ mirror) + 1e-9
    np.testing.assert_allclose(before.aligned(before).points, before.points, atol=1e-9)
    # Turned or not, it is the same plane.
    W = weights(seed + 1, K)
    np.testing.assert_allclose(
        aligned.flatten(W).proba(aligned.points), after.flatten(W).proba(after.points), atol=1e-9
    )
    assert View.of(X[:, :2]).aligned(before).points is not None


def test_data_of_two_features_are_seen_as_they_are():
    X = points(0, D=2)
    view = View.of(X, ("width", "height"))
    assert np.array_equal(view.points, X)
    assert view.aligned(View.pca(X)) is view
    assert view.describe() == "width across, height up."
    W = weights(0, 3, 2)
    surface = view.surface(W, LinearMap(), resolution=15)
    assert np.array_equal(surface.regions.ravel(), W.proba(grid_points(view.extent, 15)).argmax(axis=1))
    features = make_features(X, "rbf")
    W = weights(0, 3, features.rows.shape[1])
    expected = W.proba(features.map.transform(grid_points(view.extent, 15))).argmax(axis=1)
    assert np.array_equal(view.surface(W, features.map, resolution=15).regions.ravel(), expected)


def test_two_of_many_features_keep_their_values():
    X = points(0, D=4)
    view = View.features(X, (3, 1), ["a", "b", "c", "d"])
    assert view.points == pytest.approx(X[:, [3, 1]])
    assert view.describe() == "d across, b up. The other 2 features are hidden."
    assert view.surface(weights(0, 3, 4)) is None
    assert View.pca(X).surface(weights(0, 3, 4)) is None
    with pytest.raises(ValueError, match=r"two different features between 0 and 3, got \(1, 1\)"):
        View.features(X, (1, 1))


def test_a_fitted_models_map_agrees_with_its_labels_at_every_point():
    data = load_dataset("wine").standardized()
    model = DCRC(3, random_state=0).fit(data.X)
    view = View.model(data.X, Weights(model.coef_, model.intercept_))
    labels = view.flatten(Weights(model.coef_, model.intercept_)).proba(view.points).argmax(axis=1)
    assert np.array_equal(labels, model.labels_)
    assert "exact" in view.describe()


@pytest.mark.parametrize("K", [2, 3])
def test_two_models_have_a_plane_in_common(K):
    X = points(0, D=5)
    features = make_features(X, "rbf")
    spaces = [X, features.rows]
    for second in (0, 1):  # in the same space, and in another
        models = [(X, weights(1, K, 5)), (spaces[second], weights(2, K, spaces[second].shape[1]))]
        view = View.both(*models)
        parts = [view.part(0, 5), view.part(5, models[1][0].shape[1])]
        assert view.is_exact == (K == 2)
        assert "of both models" in view.describe()
        for part, (Z, W) in zip(parts, models, strict=True):
            np.testing.assert_allclose(part.points, view.points)
            # A map says at a place what the model says of the middle of all that is seen there.
            np.testing.assert_allclose(part.flatten(W).proba(view.points), W.proba(part.lift(view.points)), atol=1e-9)
            if view.is_exact:
                np.testing.assert_allclose(part.flatten(W).proba(view.points), W.proba(Z), atol=1e-9)
