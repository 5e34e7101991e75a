"""The one door through which triplets and answers come in."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcrc_explore import Answer, Pairs, Triplets
from dcrc_explore.constraints import (
    ANSWER_CLASSES,
    answer_columns,
    answer_proba,
    answers_in_columns,
    as_answers,
    as_triplets,
    count_answers,
    implied_answers,
    other_answers,
    to_pairs,
)


def test_enum_integers_and_strings_mean_the_same():
    expected = [1, -1, 0]
    for answers in (list(Answer), expected, ["yes", "no", "dnk"], np.array(expected), np.array(["yes", "no", "dnk"])):
        assert as_answers(answers).tolist() == expected
    assert (Answer.YES, Answer.NO, Answer.DNK) == (1, -1, 0)


@pytest.mark.parametrize("said", ["don't know", "dont_know", "Don\u2019t know", "dont know", " DNK "])
def test_dont_know_may_be_written_out(said):
    assert Answer(said) is Answer.DNK
    assert as_answers(["yes", said]).tolist() == [1, 0]


def test_columns_of_tables_have_one_order():
    assert ANSWER_CLASSES.tolist() == [1, -1, 0]
    assert answers_in_columns(answer_columns([0, -1, 1])).tolist() == [0, -1, 1]
    table = count_answers(["yes", "no", "dnk", "dnk"], ["yes", "dnk", "no", "no"])
    assert table.tolist() == [[1, 0, 0], [0, 0, 1], [0, 2, 0]]


def test_another_answer_is_each_of_the_two_others_as_often():
    given = np.repeat([1, -1, 0], 2000)
    others = other_answers(given, np.random.default_rng(0))
    table = count_answers(given, others)
    assert table.diagonal().tolist() == [0, 0, 0]
    assert table[~np.eye(3, dtype=bool)].min() > 900


def test_triplets_of_cblearn_are_taken_in_its_three_forms():
    rows = [(0, 1, 2), (3, 1, 0)]
    assert Triplets.from_cblearn(rows) == Triplets(rows, ["yes", "yes"])
    for responses in ([True, False], np.array([True, False]), [1, -1], np.array([1, -1])):
        assert Triplets.from_cblearn(rows, responses) == Triplets(rows, ["yes", "no"])
    given = Triplets([*rows, (1, 2, 3)], ["no", "yes", "dnk"])
    assert given.to_cblearn().tolist() == [[0, 2, 1], [3, 1, 0]]
    back = Triplets.from_cblearn(given.to_cblearn())
    labels = np.array([0, 1, 0, 1])
    assert implied_answers(labels, back.indices).tolist() == (-implied_answers(labels, rows) * [1, -1]).tolist()
    with pytest.raises(ValueError, match="between 0 and 2"):
        Triplets.from_cblearn(rows, n_samples=3)


@pytest.mark.parametrize("unknown", ["maybe", 2, -2, None, 0.5, True, "1"])
def test_an_unknown_answer_is_named_in_the_error(unknown):
    with pytest.raises(ValueError, match=f"'dnk', got {unknown!r} .answer number 1."):
        as_answers(["yes", unknown])


def test_integer_arrays_are_checked_as_well():
    with pytest.raises(ValueError, match=r"got 3 \(answer number 2\)"):
        as_answers(np.array([1, 0, 3]))


@pytest.mark.parametrize(
    ("triplets", "message"),
    [
        ([(0, 1)], r"shape \(M, 3\), got \(1, 2\)"),
        ([0, 1, 2], r"shape \(M, 3\), got \(3,\)"),
        ([(0, 1, 5)], r"between 0 and 4 .X has 5 rows., got \(0, 1, 5\) .triplet number 0."),
        ([(0, 1, 2), (-1, 1, 2)], r"got \(-1, 1, 2\) .triplet number 1."),
        ([(0, 1, 1)], r"three different instances, got \(0, 1, 1\)"),
        ([(2, 1, 2)], "three different instances"),
        ([(0.5, 1, 2)], "integers"),
        ([(np.nan, 1, 2)], "integers"),
        ([("a", "b", "c")], "integers"),
    ],
)
def test_bad_triplets_are_refused_with_what_was_expected_and_what_came(triplets, message):
    with pytest.raises(ValueError, match=message):
        as_triplets(triplets, n_samples=5)


def test_triplets_and_answers_must_come_in_equal_number_and_together():
    with pytest.raises(ValueError, match="got 1 triplets and 2 answers"):
        Triplets([(0, 1, 2)], ["yes", "no"])
    with pytest.raises(ValueError, match="got triplets without answers"):
        Triplets([(0, 1, 2)])
    with pytest.raises(ValueError, match="got answers without triplets"):
        Triplets(None, ["yes"])


def test_repeated_and_contradictory_triplets_are_legal():
    triplets = Triplets([(0, 1, 2), (0, 1, 2), (0, 1, 2)], ["yes", "no", "dnk"], n_samples=3)
    assert [answer for _, answer in triplets] == [Answer.YES, Answer.NO, Answer.DNK]


def test_triplets_cannot_be_changed_behind_a_models_back():
    given_indices = np.array([(0, 1, 2)])
    triplets = Triplets(given_indices, ["yes"])
    given_indices[0] = (2, 1, 0)
    assert triplets[0] == ((0, 1, 2), Answer.YES)
    with pytest.raises(ValueError, match="read-only"):
        triplets.indices[0, 0] = 5


def test_no_triplets_at_all_is_an_empty_collection():
    for empty in (Triplets(), Triplets([], []), Triplets(np.empty((0, 3), int), [])):
        assert len(empty) == 0
        assert empty.constrained().size == 0


@given(st.lists(st.integers(0, 3), min_size=3, max_size=3))
def test_implied_answer_follows_equation_1_and_mirrors_with_its_question(labels):
    a, b, c = labels
    expected = Answer.YES if a == b != c else Answer.NO if a == c != b else Answer.DNK
    assert implied_answers(labels, [(0, 1, 2)])[0] == expected
    assert implied_answers(labels, [(0, 2, 1)])[0] == expected.mirrored


@given(st.integers(2, 4), st.floats(0, 0.99), st.integers(0, 2**32 - 1))
def test_answer_probabilities_equal_enumeration_over_all_memberships(n_clusters, epsilon, seed):
    proba = np.random.default_rng(seed).dirichlet(np.ones(n_clusters), size=3)
    expected = np.zeros(3)
    for labels in np.ndindex(n_clusters, n_clusters, n_clusters):
        weight = np.prod([proba[i, k] for i, k in enumerate(labels)])
        right = {1: 0, -1: 1, 0: 2}[int(implied_answers(labels, [(0, 1, 2)])[0])]
        expected += weight * np.where(np.arange(3) == right, 1 - epsilon, epsilon / 2)
    np.testing.assert_allclose(answer_proba(proba, [(0, 1, 2)], epsilon=epsilon)[0], expected, atol=1e-12)


def test_each_decided_answer_gives_one_must_link_and_one_cannot_link():
    labels = np.random.default_rng(0).integers(3, size=30)
    indices = np.random.default_rng(1).permuted(np.tile(np.arange(30), (200, 1)), axis=1)[:, :3]
    triplets = Triplets(indices, implied_answers(labels, indices))
    must_link, cannot_link = to_pairs(triplets)
    assert len(must_link) == len(cannot_link) == np.count_nonzero(triplets.answers)
    assert (labels[must_link[:, 0]] == labels[must_link[:, 1]]).all()
    assert (labels[cannot_link[:, 0]] != labels[cannot_link[:, 1]]).all()


def test_pairs_are_checked_like_triplets():
    pairs = Pairs([(0, 1), (2, 0), (1, 2)], ["yes", "no", "dnk"], n_samples=3)
    assert pairs[0] == ((0, 1), Answer.YES)
    assert len(pairs.without_dnk()) == 2
    assert pairs.must_link.tolist() == [[0, 1]]
    assert pairs.cannot_link.tolist() == [[2, 0]]
    assert pairs.constrained().tolist() == [0, 1, 2]
    assert pairs + Pairs() == pairs
    assert pairs[1:] != pairs[:2]
    assert Pairs() != Triplets()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Pairs([(0, 0)], ["yes"]), r"a pair must name two different instances, got \(0, 0\) \(pair number 0\)"),
        (lambda: Pairs([(0, 1, 2)], ["yes"]), r"pairs must have shape \(M, 2\), got \(1, 3\)"),
        (lambda: Pairs([(0, 1)], ["yes", "no"]), "each pair needs one answer, got 1 pairs and 2 answers"),
        (lambda: Pairs([(0, 5)], ["yes"], n_samples=5), r"pair indices must be between 0 and 4 .* got \(0, 5\)"),
        (lambda: Pairs([(0, 1)]), "pairs and answers belong together, got pairs without answers"),
        (lambda: Pairs([(0, 1)], [True]), "an answer must be"),
    ],
)
def test_wrong_pairs_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_answers_and_their_columns():
    assert answer_columns([Answer.YES, Answer.NO, Answer.DNK]).tolist() == [0, 1, 2]
    assert answers_in_columns(answer_columns(["dnk", "yes", "no"])).tolist() == [0, 1, -1]
