"""Oracles: they follow their confusion matrix, and the same seed answers the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dcrc_explore.annotators import (
    EXCHANGING,
    GUESSING,
    PAPER_CONFUSION,
    PAPER_PAIR_CONFUSION,
    Crowd,
    PairOracle,
    agreement,
    as_confusion,
    cohen_kappa,
    confused,
    error_matrix,
    list_oracles,
    make_crowd,
    make_oracle,
    noisy,
    truth,
)
from dcrc_explore.constraints import Answer, Triplets, implied_answers, to_pairs
from dcrc_explore.metrics import answer_table
from dcrc_explore.questions import random_triplets

confusions = arrays(float, (3, 3), elements=st.floats(0, 10)).filter(lambda table: (table.sum(axis=1) > 0.1).all())
M = 20_000


def _assert_within_sampling_error(counts, expected):
    """Each share lies within five standard deviations of its probability."""
    n = counts.sum(axis=1, keepdims=True)
    assert (n > 0).all()
    bound = 5 * np.sqrt(expected * (1 - expected) / n) + 1e-12
    assert (np.abs(counts / n - expected) <= bound).all()


@given(confusions, st.integers(0, 1000))
def test_an_oracle_reproduces_its_confusion_matrix(confusion, seed):
    y = np.arange(60) % 3
    triplets = random_triplets(60, M, seed=seed)
    counts = answer_table(implied_answers(y, triplets), confused(y, confusion, seed=seed).answer(triplets))
    _assert_within_sampling_error(counts, as_confusion(confusion))


@given(st.floats(0, 1))
def test_table_1_splits_the_error_evenly(epsilon):
    matrix = error_matrix(epsilon)
    assert matrix.sum(axis=1) == pytest.approx(1)
    assert np.diag(matrix) == pytest.approx(1 - epsilon)
    assert matrix[~np.eye(3, dtype=bool)] == pytest.approx(epsilon / 2)
    assert np.array_equal(noisy([0, 1, 2], epsilon).confusion, as_confusion(matrix))


def test_table_5_has_its_rows_normalised():
    assert PAPER_CONFUSION[0] == pytest.approx([18.50 / 23.66, 0.33 / 23.66, 4.83 / 23.66])
    assert PAPER_PAIR_CONFUSION[1] == pytest.approx([10.83 / 172.83, 162 / 172.83])
    assert PAPER_CONFUSION.sum(axis=1) == pytest.approx(1)


@given(arrays(np.int64, 12, elements=st.integers(0, 3)), st.integers(0, 99))
def test_the_truth_is_what_the_classes_imply(y, seed):
    triplets = random_triplets(12, 50, seed=seed)
    assert np.array_equal(truth(y).answer(triplets), implied_answers(y, triplets))
    assert np.array_equal(noisy(y, epsilon=0, seed=seed).answer(triplets), implied_answers(y, triplets))


@pytest.mark.parametrize("name", list_oracles())
def test_the_same_seed_answers_the_same(name):
    y, triplets = np.arange(30) % 3, random_triplets(30, 300, seed=0)
    first, second, third = (make_oracle(name, y, epsilon=0.3, seed=seed) for seed in (1, 1, 2))
    answers = first.answer(triplets)
    assert answers.dtype == np.int8
    # In one go or in pieces: the order of the questions matters, not how many come at once.
    assert np.array_equal(answers, np.concatenate([second.answer(part) for part in np.array_split(triplets, 7)]))
    assert (name == "truth") == np.array_equal(answers, third.answer(triplets))
    assert len(first.answer([])) == 0


def test_a_pair_oracle_reproduces_its_confusion_matrix():
    y = np.arange(40) % 4
    pairs = np.random.default_rng(0).integers(0, 40, (M, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    together = y[pairs[:, 0]] == y[pairs[:, 1]]
    given_links = PairOracle(y, seed=3).answer(pairs)
    counts = np.array([[np.sum(given_links[rows]), np.sum(~given_links[rows])] for rows in (together, ~together)])
    _assert_within_sampling_error(counts, PAPER_PAIR_CONFUSION)
    assert np.array_equal(PairOracle(y, np.eye(2)).answer(pairs), together)


def test_pairs_from_true_answers_are_true():
    y, triplets = np.arange(30) % 3, random_triplets(30, 200, seed=0)
    answers = truth(y).answer(triplets)
    must_link, cannot_link = to_pairs(Triplets(triplets, answers))
    assert len(must_link) == len(cannot_link) == np.sum(answers != Answer.DNK)
    exact = PairOracle(y, np.eye(2))
    assert exact.answer(must_link).all()
    assert not exact.answer(cannot_link).any()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: as_confusion(np.eye(2)), r"shape \(3, 3\), got \(2, 2\)"),
        (lambda: as_confusion([[1, 0, 0], [0, 0, 0], [0, 0, 1]]), "no row of zeros"),
        (lambda: as_confusion([[2, -1, 0], [0, 1, 0], [0, 0, 1]]), "no negative numbers"),
        (lambda: error_matrix(1.2), "epsilon must be between 0 and 1, got 1.2"),
        (lambda: truth(None), "an oracle needs the true classes"),
        (lambda: truth([0, 1]).answer([(0, 1, 2)]), "between 0 and 1"),
        (lambda: PairOracle([0, 1]).answer([0, 1]), r"pairs must have shape \(M, 2\), got \(2,\)"),
        (lambda: make_oracle("god", [0, 1]), "one of truth, noisy, people, got 'god'"),
    ],
)
def test_wrong_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_everybody_in_a_crowd_errs_in_their_own_way():
    y, triplets = np.arange(60) % 3, random_triplets(60, M, seed=0)
    crowd = Crowd(y, {"good": 0.05, "guessing": GUESSING, "exchanging": EXCHANGING, "people": PAPER_CONFUSION}, seed=0)
    names = np.array(crowd.deal(M))
    answers = crowd.answer(triplets, names.tolist())
    true = implied_answers(y, triplets)
    for name, confusion in crowd.confusions.items():
        assert np.sum(names == name) == M // 4
        _assert_within_sampling_error(answer_table(true[names == name], answers[names == name]), confusion)
    assert len(make_crowd(y).confusions) == 8


def test_agreement_is_counted_on_common_questions_also_mirrored_ones():
    y, triplets = np.arange(30) % 3, random_triplets(30, 3000, seed=0)
    crowd = make_crowd(y, good=2, guessing=1, exchanging=1, epsilon=0, seed=0)
    mirrored = triplets[:, [0, 2, 1]]
    asked, names = np.vstack([triplets, mirrored, triplets, mirrored]), np.repeat(list(crowd.confusions), 3000)
    pairs = agreement(Triplets(asked, crowd.answer(asked, names.tolist())), names.tolist())
    found = {pair[:2]: pair for pair in pairs}
    assert len(found) == 6
    assert found["good 1", "good 2"][2:] == (3000, 1.0, 1.0)
    assert found["good 1", "guessing 1"].kappa == pytest.approx(0, abs=0.06)
    table = answer_table(implied_answers(y, triplets), implied_answers(y, mirrored))
    assert found["good 1", "exchanging 1"].kappa == pytest.approx(cohen_kappa(table), abs=0.01)


def test_nobody_agrees_about_nothing():
    (pair,) = agreement(Triplets([(0, 1, 2), (0, 1, 3)], ["yes", "yes"]), ["Ann", "Bob"])
    assert pair.n_common == 0
    assert np.isnan(pair.share)
    assert np.isnan(pair.kappa)
    assert np.isnan(cohen_kappa([[0, 0], [0, 5]]))
    # The last of several answers counts.
    said = Triplets([(0, 1, 2), (0, 1, 2), (0, 2, 1)], ["no", "yes", "no"])
    assert agreement(said, ["Ann", "Ann", "Bob"])[0].share == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Crowd([0, 1], {}), "at least one person"),
        (lambda: Crowd([0, 1], {"Ann": [[1, 0], [0, 1]]}), r"shape \(3, 3\), got \(2, 2\)"),
        (lambda: make_crowd([0, 0, 1]).answer([(0, 1, 2)], "good 1"), "one name for each of 1 triplets, got 'good 1'"),
        (lambda: make_crowd([0, 0, 1]).answer([(0, 1, 2)], ["Eve"]), "must be among good 1, .* got 'Eve'"),
        (lambda: agreement(Triplets([(0, 1, 2)], ["yes"]), []), r"one name for each of 1 answers, got \[\]"),
        (lambda: cohen_kappa([[1, 2]]), r"shape \(n, n\)"),
    ],
)
def test_wrong_input_about_people_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
