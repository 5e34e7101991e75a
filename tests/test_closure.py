"""What follows from answers, against every clustering that agrees with them."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcrc_explore.constraints import Pairs, Triplets, implied_answers
from dcrc_explore.questions import Closure, random_pairs, random_triplets


def _truthful(N, K, M, seed):
    rng = np.random.default_rng(seed)
    y, questions, pairs = rng.integers(K, size=N), random_triplets(N, M, seed=rng), random_pairs(N, seed % 3, seed=rng)
    said = np.where(y[pairs[:, 0]] == y[pairs[:, 1]], 1, -1) * rng.integers(2, size=len(pairs))
    return Triplets(questions, implied_answers(y, questions)), Pairs(pairs, said)


@given(N=st.integers(3, 6), K=st.integers(2, 4), share=st.floats(0, 1), seed=st.integers(0, 10**6))
def test_every_link_holds_in_every_clustering_that_agrees_with_the_answers(N, K, share, seed):
    constraints, pairs = _truthful(N, K, int(share * N * (N - 1) * (N - 2) / 2), seed)
    closure = Closure(constraints, K, pairs)
    clusterings = np.array(list(product(range(K), repeat=N)))
    agree = [
        np.array_equal(implied_answers(y, constraints.indices), constraints.answers)
        and all((y[a] == y[b]) == (answer == 1) for (a, b), answer in pairs if answer)
        for y in clusterings
    ]
    for a, b in combinations(range(N), 2):
        together = clusterings[agree][:, a] == clusterings[agree][:, b]
        assert together.all() or not closure.together(a, b)
        assert not together.any() or not closure.apart(a, b)
        assert closure.together(a, b) == closure.together(b, a)
        assert closure.apart(a, b) == closure.apart(b, a)


@pytest.mark.parametrize("K", [2, 3, 4])
def test_all_answers_together_leave_no_pair_open(K):
    # Points 0 and 1 of cluster 0, 2 and 3 of cluster 1, and so on.
    y = np.repeat(np.arange(K), 2)
    questions = random_triplets(2 * K, K * (2 * K - 1) * (2 * K - 2), seed=0)
    closure = Closure(Triplets(questions, implied_answers(y, questions)), K)
    assert sorted(closure.groups) == [[2 * k, 2 * k + 1] for k in range(K)]


@given(N=st.integers(3, 12), K=st.integers(2, 5), M=st.integers(0, 60), seed=st.integers(0, 10**6))
def test_whatever_is_answered_the_closure_is_consistent(N, K, M, seed):
    rng = np.random.default_rng(seed)
    questions = np.array([rng.choice(N, 3, replace=False) for _ in range(M)]).reshape(-1, 3)
    closure = Closure(Triplets(questions, rng.integers(-1, 2, M)), K)
    assert len(closure.groups) != 1
    assert len(closure.groups) <= K
    for g, members in enumerate(closure.groups):
        assert all(closure.together(a, b) for a, b in combinations(members, 2))
        assert all(closure.apart(a, b) for others in closure.groups[:g] for a in members for b in others)
    for a, b in combinations(range(N), 2):
        assert not (closure.together(a, b) and closure.apart(a, b))
    possible, group = closure.possible(N, K)
    assert possible.any(axis=1).all()
    for i in range(N):
        assert (group[i] < 0) == all(i not in members for members in closure.groups)
        assert group[i] < 0 or possible[i].tolist() == [k == group[i] for k in range(K)]


def test_dont_know_of_two_clusters_is_a_must_link():
    assert Closure(Triplets([(0, 1, 2)], ["dnk"]), 2).together(1, 2)
    assert not Closure(Triplets([(0, 1, 2)], ["dnk"]), 3).together(1, 2)


def test_conclusions_go_from_dont_know_to_dont_know():
    # Each don't know says nothing without the one behind it.
    answers = Triplets([(4, 5, 3), (3, 4, 0), (0, 3, 1), (0, 1, 9)], ["dnk", "dnk", "dnk", "yes"])
    assert Closure(answers, 3).groups == [[0, 1, 3, 4, 5], [9]]


def test_what_is_in_none_of_the_other_groups_is_in_the_last():
    three_groups = [(0, 1, 2), (3, 0, 2)], ["yes", "dnk"]
    closure = Closure(Triplets([*three_groups[0], (4, 0, 3)], [*three_groups[1], "dnk"]), 3)
    assert sorted(closure.groups) == [[0, 1], [2, 4], [3]]
    # A fourth cluster leaves it open.
    closure = Closure(Triplets([*three_groups[0], (4, 0, 3)], [*three_groups[1], "dnk"]), 4)
    assert not closure.together(2, 4)


def test_of_two_answers_that_contradict_each_other_the_first_counts():
    assert Closure(Triplets([(0, 1, 2), (0, 2, 1)], ["yes", "yes"]), 3).groups == [[0, 1], [2]]


def test_no_answers_leave_everything_possible():
    possible, group = Closure(Triplets(), 3).possible(4, 3)
    assert possible.all()
    assert (group == -1).all()
