"""Allowed but odd input gives a model or one sentence; ``python tests/torture_fits.py`` draws thousands more."""

import numpy as np
import pytest
from torture_fits import outcome

from dcrc_explore import DCRC
from dcrc_explore.model.features import make_features
from dcrc_explore.model.validation import LARGEST_FACTOR, LARGEST_VALUE

X = np.random.default_rng(0).normal(size=(30, 2))
QUESTIONS = {"triplets": [(0, 1, 2), (3, 4, 5), (0, 5, 1)], "answers": ["yes", "dnk", "no"]}


@pytest.mark.slow
def test_no_odd_input_gives_a_raw_error_or_a_falling_bound():
    said = [outcome(seed) for seed in range(150)]
    assert not [f"seed {seed}: {what}" for seed, what in enumerate(said) if what.startswith("FAILED")]
    assert said.count("fitted") > 75


@pytest.mark.parametrize("epsilon", [5e-324, 1e-300, 1e-17, 1 - 1e-16])
@pytest.mark.filterwarnings("ignore:epsilon=", "ignore:.* clusters? (is|are) empty")
def test_the_bound_is_a_number_for_every_epsilon(epsilon):
    model = DCRC(3, epsilon=epsilon, random_state=0).fit(X, **QUESTIONS)
    assert np.isfinite(model.lower_bound_)
    assert np.isfinite(model.posterior_).all()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"kernel": "poly", "gamma": 1e300}, "the kernel must have values up to 1e.100 in size"),
        ({"kernel": "poly", "degree": 5000, "gamma": 1e3}, "the kernel must have values up to 1e.100 in size"),
        ({"kernel": "poly", "coef0": 1e200}, "the kernel must have values up to 1e.100 in size"),
        ({"tau": 1e7}, r"tau must be at most 1e.06, got 1e.07"),
        ({"lam": 1e300}, r"lam must be at most 1e.06, got 1e.300"),
    ],
)
def test_extreme_parameters_are_refused_with_their_limits(parameters, message):
    with pytest.raises(ValueError, match=message):
        DCRC(3, random_state=0, **parameters).fit(X, **QUESTIONS)
    DCRC(3, tau=LARGEST_FACTOR, lam=LARGEST_FACTOR, max_iter=0).fit(X, **QUESTIONS)


def test_values_beyond_the_limit_are_refused():
    with pytest.raises(ValueError, match=r"X must hold values up to 1e.50 in size, got .*: change its unit"):
        DCRC(3).fit(X / np.abs(X).max() * 2 * LARGEST_VALUE)


@pytest.mark.filterwarnings("ignore:.* clusters? (is|are) empty")
def test_half_precision_is_taken_as_it_is():
    half = DCRC(3, random_state=0).fit(X.astype(np.float16), **QUESTIONS)
    double = DCRC(3, random_state=0).fit(X.astype(np.float16).astype(float), **QUESTIONS)
    np.testing.assert_array_equal(half.posterior_, double.posterior_)


def test_nystroem_with_every_row_is_exact():
    exact, drawn = (
        make_features(X, "rbf", gamma=0.5, n_components=n, random_state=0).rows for n in (len(X), len(X) - 1)
    )
    np.testing.assert_allclose(exact @ exact.T, drawn @ drawn.T, atol=0.05)
