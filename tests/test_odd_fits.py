"""Allowed but odd input gives a model or one sentence; ``python tests/torture_fits.py`` draws thousands more."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
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
        ({"tau": 1e7}, r"tau must be a number of at least 0 and at most 1e.06, got 1"),
        ({"lam": 1e300}, r"lam must be a number of at least 0 and at most 1e.06, got 1e.300"),
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


def test_every_refusal_is_a_sentence_of_this_package():
    said = {seed: outcome(seed, spoil=True) for seed in range(300)}
    assert not [f"seed {seed}: {what}" for seed, what in said.items() if what.startswith("FAILED")]
    assert sum(what.startswith("refused") for what in said.values()) > 250


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[1, 2], [3, "tall"]], "X must hold numbers, got 'tall' in row 1, column 1"),
        ([[1, 2], [3]], "got 2 values in row 0 and 1 in row 1"),
        ([[1, 2], [3, np.nan]], "X must hold finite numbers, got NaN in row 1, column 1$"),
        ([[1, -np.inf], [3, np.nan]], "X must hold finite numbers, got -inf in row 0, column 1 and 1 more"),
        ([[1, None]], "got NaN in row 0, column 1"),
        ([[1, 2j]], "Complex data not supported: X must hold real numbers"),
        ([[1, {"a": 1}]], "a number, got {'a': 1} in row 0, column 1 of X"),
        (csr_array(np.eye(3)), r"X must be a dense array, got a sparse one of shape \(3, 3\): pass X.toarray\(\)"),
        ([1.0, 2.0], r"X must have shape \(N, n_features\), got shape \(2,\)"),
        (pd.DataFrame({"height": [1.0, 2], "name": ["a", "b"]}), r"got 'a' in row 0, column 1 \('name'\)"),
        (pd.DataFrame({"height": [1.0, 2], 7: [1.0, 2]}), "names that are strings, or none, got 7 beside strings"),
    ],
)
def test_a_table_that_is_none_is_refused_with_the_place(table, message):
    with pytest.raises((TypeError, ValueError), match=message):
        DCRC(2).fit(table)
    with pytest.raises((TypeError, ValueError), match=message):
        DCRC(2).fit(X).predict(table)


@pytest.mark.parametrize("value", [np.inf, 1e300, np.nan])
def test_triplets_hold_row_numbers_and_nothing_larger(value):
    with pytest.raises(ValueError, match=r"row numbers \(integers\), got .* \(triplet number 1\)"):
        DCRC(2).fit(X, triplets=[(0, 1, 2), (0, 1, value)], answers=["yes", "no"])
