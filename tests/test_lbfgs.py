"""The optimiser: it climbs, stops at the top, and remembers curvature that is still true."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize, rosen, rosen_der

from dcrc_explore.model.lbfgs import LBFGS


class Counted:
    """A function to climb that counts its evaluations and remembers where it was asked."""

    def __init__(self, value, gradient):
        self.value, self.gradient, self.asked = value, gradient, []

    def __call__(self, x):
        self.asked.append(x.copy())
        return SimpleNamespace(value=float(self.value(x)), gradient=self.gradient(x))


def paraboloid(seed, n=30, condition=1e4):
    """-x'Ax / 2 + b'x with a given condition of A."""
    rng = np.random.default_rng(seed)
    axes, _ = np.linalg.qr(rng.normal(size=(n, n)))
    A = axes * np.geomspace(1, condition, n) @ axes.T
    return A, rng.normal(size=n)


def hill(A, b):
    return Counted(lambda x: b @ x - x @ A @ x / 2, lambda x: b - A @ x)


def test_it_finds_the_bottom_of_rosenbrocks_valley():
    valley = Counted(lambda x: -rosen(x), lambda x: -rosen_der(x))
    x, end = LBFGS().maximise(valley, np.zeros(6), max_iter=200, tol=1e-14)
    np.testing.assert_allclose(x, 1, atol=1e-3)
    reference = minimize(rosen, np.zeros(6), jac=rosen_der, method="L-BFGS-B")
    assert len(valley.asked) < 2 * reference.nfev
    assert end.value == pytest.approx(0, abs=1e-6)


@given(st.integers(0, 2**32 - 1), st.integers(1, 40))
def test_no_iteration_lowers_the_value_and_the_end_was_evaluated(seed, max_iter):
    function = hill(*paraboloid(seed))
    start = np.ones(30)
    x, end = LBFGS().maximise(function, start, max_iter=max_iter, tol=0)
    assert end.value >= function(start).value
    assert end.value == function(x).value
    assert any((x == asked).all() for asked in function.asked[:-2])


def test_a_shape_other_than_a_vector_is_saved():
    function = Counted(lambda W: -(W**2).sum(), lambda W: -2 * W)
    W, _ = LBFGS().maximise(function, np.ones((3, 2)), max_iter=20, tol=1e-12)
    assert W.shape == (3, 2)
    np.testing.assert_allclose(W, 0, atol=1e-6)


def test_curvature_that_is_remembered_saves_evaluations_of_a_function_with_the_same_hessian():
    A, b = paraboloid(0, n=12, condition=1e3)
    optimiser = LBFGS()
    optimiser.maximise(hill(A, b), np.zeros(12), max_iter=100, tol=1e-12)
    other = b + np.random.default_rng(1).normal(size=12)
    again, anew = hill(A, other), hill(A, other)
    optimiser.maximise(again, np.zeros(12), max_iter=100, tol=1e-9)
    LBFGS().maximise(anew, np.zeros(12), max_iter=100, tol=1e-9)
    assert len(again.asked) < len(anew.asked) / 2


def test_a_known_evaluation_is_not_made_again():
    function = hill(*paraboloid(0))
    start = function(np.zeros(30))
    LBFGS().maximise(function, np.zeros(30), start, max_iter=3, tol=0)
    assert not any((asked == 0).all() for asked in function.asked[1:])


def test_at_the_top_it_stays():
    x, _ = LBFGS().maximise(hill(np.eye(3), np.zeros(3)), np.zeros(3), max_iter=10, tol=0)
    np.testing.assert_array_equal(x, 0)


def test_a_cliff_of_nan_or_infinity_is_not_climbed():
    function = Counted(lambda x: np.log(x[0]) - x[0] if x[0] > 0 else np.nan, lambda x: 1 / x - 1)
    x, end = LBFGS().maximise(function, np.array([1e-3]), max_iter=100, tol=1e-12)
    np.testing.assert_allclose(x, 1, atol=1e-3)
    assert np.isfinite(end.value)
