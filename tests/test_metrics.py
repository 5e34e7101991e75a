"""Measures: their definitions by brute force, their invariances, their size."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dcrc_explore.constraints import Answer
from dcrc_explore.metrics import (
    adjusted_rand,
    align_clusters,
    answer_table,
    matched_accuracy,
    nmi,
    pairwise_f,
    satisfied,
)

two_clusterings = st.integers(2, 25).flatmap(
    lambda n: st.tuples(*[arrays(np.int64, n, elements=st.integers(0, 4)) for _ in range(2)])
)


@given(two_clusterings)
def test_pairwise_f_counts_pairs(clusterings):
    y_true, y_pred = clusterings
    pairs = list(combinations(range(len(y_true)), 2))
    true = {(i, j) for i, j in pairs if y_true[i] == y_true[j]}
    predicted = {(i, j) for i, j in pairs if y_pred[i] == y_pred[j]}
    if not true and not predicted:
        expected = 1.0
    elif not true & predicted:
        expected = 0.0
    else:
        precision, recall = len(true & predicted) / len(predicted), len(true & predicted) / len(true)
        expected = 2 * precision * recall / (precision + recall)
    assert pairwise_f(y_true, y_pred) == pytest.approx(expected)


@pytest.mark.parametrize("measure", [pairwise_f, adjusted_rand, nmi, matched_accuracy])
@given(clusterings=two_clusterings, names=st.permutations(range(5)))
def test_measures_ignore_cluster_numbers(measure, clusterings, names):
    y_true, y_pred = clusterings
    assert measure(y_true, np.array(names)[y_pred]) == pytest.approx(measure(y_true, y_pred))
    assert measure(y_true, np.array(names)[y_true]) == pytest.approx(1.0)


@given(two_clusterings)
def test_matched_accuracy_is_the_best_of_all_matchings(clusterings):
    y_true, y_pred = clusterings
    best = max(np.mean(np.array(names)[y_pred] == y_true) for names in permutations(range(5)))
    assert matched_accuracy(y_true, y_pred) == pytest.approx(best)


def test_a_million_singletons_need_no_square_table():
    # A dense contingency table would hold 10^12 numbers.
    y = np.arange(1_000_000)
    assert pairwise_f(y, y) == 1.0
    assert pairwise_f(np.zeros_like(y), np.zeros_like(y)) == 1.0


@pytest.mark.parametrize(("y_true", "y_pred"), [([0, 1], [0, 1, 2]), ([], []), ([[0, 1]], [[0, 1]])])
def test_clusterings_must_match(y_true, y_pred):
    with pytest.raises(ValueError, match=r"shape \(N,\)"):
        pairwise_f(y_true, y_pred)


answers = st.lists(st.tuples(st.sampled_from(list(Answer)), st.sampled_from(list(Answer))), max_size=40)


@given(answers)
def test_answer_table_counts_given_against_implied(pairs):
    given_answers, implied = [g for g, _ in pairs], [i for _, i in pairs]
    table = answer_table(given_answers, implied)
    for row, g in enumerate(Answer):
        for column, i in enumerate(Answer):
            assert table[row, column] == pairs.count((g, i))
    assert np.trace(table) == satisfied(given_answers, implied).sum()


def test_answers_to_different_questions_are_refused():
    with pytest.raises(ValueError, match="got 2 and 1"):
        satisfied(["yes", "no"], ["yes"])


@given(arrays(np.int64, 30, elements=st.integers(0, 3)), st.permutations(range(4)))
def test_alignment_undoes_a_renaming(labels, names):
    labels = np.concatenate([labels, np.arange(4)])
    renamed = np.array(names)[labels]
    numbers = align_clusters(labels, renamed)
    assert np.array_equal(numbers[renamed], labels)
    assert np.array_equal(align_clusters(np.eye(4)[labels], np.eye(4)[renamed]), numbers)


@given(two_clusterings)
def test_alignment_names_clusters_apart(clusterings):
    reference, labels = clusterings
    K_old, K_new = reference.max() + 1, labels.max() + 1
    numbers = align_clusters(reference, labels)
    assert len(np.unique(numbers)) == K_new
    assert numbers.max() < max(K_old, K_new)


def test_a_split_cluster_keeps_its_number_in_the_larger_part():
    reference = np.repeat([0, 1], [10, 6])
    labels = np.repeat([2, 0, 1], [7, 3, 6])
    assert align_clusters(reference, labels).tolist() == [2, 1, 0]


def test_merged_clusters_keep_the_number_of_the_larger():
    reference = np.repeat([0, 1, 2], [3, 9, 5])
    labels = np.repeat([0, 1], [12, 5])
    assert align_clusters(reference, labels).tolist() == [1, 2]


@pytest.mark.parametrize("labels", [[0.5, 1.0], [-1, 0], [[[0]]]])
def test_alignment_refuses_what_is_no_clustering(labels):
    with pytest.raises(ValueError, match=r"labels 0, 1, ..."):
        align_clusters([0, 1], labels)
    with pytest.raises(ValueError, match="same points"):
        align_clusters([0, 1], [0, 1, 0])
