"""The map under the points."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dcrc_explore.model.softmax import Weights
from dcrc_explore.plane import ASPECT, Surface, View, grid_axes, grid_points, plane_extent

coordinates = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))


@given(arrays(float, st.tuples(st.integers(1, 20), st.just(2)), elements=coordinates))
def test_an_extent_holds_all_points_inside_and_has_a_size(points):
    xmin, xmax, ymin, ymax = plane_extent(points)
    assert xmin < points[:, 0].min() <= points[:, 0].max() < xmax
    assert ymin < points[:, 1].min() <= points[:, 1].max() < ymax


@pytest.mark.parametrize("scale", [0.3, 1.0, 3.0])
def test_axes_of_similar_range_have_the_same_scale(scale):
    points = np.random.default_rng(0).uniform(size=(50, 2)) * [1.0, scale]
    xmin, xmax, ymin, ymax = plane_extent(points)
    assert (xmax - xmin) / (ymax - ymin) == pytest.approx(ASPECT)


def test_axes_of_different_units_both_fill_the_picture():
    points = np.random.default_rng(0).uniform(size=(50, 2)) * [1.0, 1e6]
    xmin, xmax, ymin, ymax = plane_extent(points)
    assert xmax - xmin < 1.2
    assert ymax - ymin < 1.2e6


def test_the_grid_runs_by_rows_from_the_bottom_left():
    x, y = grid_axes((0, 3, 10, 16), 3)
    np.testing.assert_allclose((x, y), [(0.5, 1.5, 2.5), (11, 13, 15)])
    np.testing.assert_allclose(grid_points((0, 3, 10, 16), 3)[:4], [(0.5, 11), (1.5, 11), (2.5, 11), (0.5, 13)])


@given(st.sampled_from([2, 3, 12, 256, 300]), st.integers(0, 1000))
def test_bytes_are_the_probabilities_to_half_a_step(K, seed):
    P = np.random.default_rng(seed).dirichlet(np.full(K, 0.3), size=16).T
    surface = Surface.from_proba(P, (0, 1, 0, 1))
    assert np.abs(surface.proba.reshape(K, -1) / 255 - P).max() <= 0.5 / 255 + 1e-12
    np.testing.assert_array_equal(surface.regions.ravel(), P.argmax(axis=0))
    second, first = np.sort(P, axis=0)[-2:]
    assert np.abs(surface.margin.ravel() / 255 - (first - second)).max() <= 0.5 / 255 + 1e-12


def test_entropy_is_white_where_the_model_is_certain_and_full_where_it_knows_nothing():
    P = np.array([[1.0, 1 / 3, 0, 1 / 3], [0, 1 / 3, 0, 1 / 3], [0, 1 / 3, 1.0, 1 / 3]])
    surface = Surface.from_proba(P, (0, 1, 0, 1))
    np.testing.assert_array_equal(surface.entropy, [[0, 255], [0, 255]])


@pytest.mark.parametrize("sharpness", [0.1, 1, 100])
def test_edges_divide_the_way_between_two_cells_as_the_boundary_does(sharpness):
    weights = Weights(sharpness * np.array([[1.0, 0.3], [-1.0, 0.2]]), sharpness * np.array([0.1, -0.2]))
    X = np.random.default_rng(0).normal(size=(30, 2))
    view = View.of(X)
    surface = view.surface(weights, resolution=40)
    x, y = grid_axes(view.extent, 40)
    for row, column in np.argwhere(np.diff(surface.regions, axis=1) != 0).tolist():
        before, after = surface.edge[row, column : column + 2].astype(float)
        crossing = x[column] + before / (before + after) * (x[column + 1] - x[column])
        difference = weights.coef[0] - weights.coef[1]
        expected = -(difference[1] * y[row] + weights.intercept[0] - weights.intercept[1]) / difference[0]
        assert crossing == pytest.approx(expected, abs=0.01 * (x[1] - x[0]))
