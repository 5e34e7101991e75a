"""Questions: never twice, equally likely where they are random, worth most where they are chosen."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcrc_explore.constraints import answer_proba
from dcrc_explore.questions import (
    ask,
    boundary_triplets,
    informative_pairs,
    informative_triplets,
    list_strategies,
    pair_information,
    question_information,
    random_pairs,
    random_triplets,
)
from dcrc_explore.questions.deciding import deciding_triplet


def _questions(triplets):
    """The questions as a set in which mirrored triplets are one."""
    return {(i, *sorted((j, k))) for i, j, k in np.asarray(triplets).tolist()}


def _proba(N, K, seed):
    return np.random.default_rng(seed).dirichlet(np.full(K, 0.3), N)


def _points(N, seed=0):
    return np.random.default_rng(seed).normal(size=(N, 2))


@pytest.mark.parametrize("strategy", list_strategies())
@given(data=st.data(), N=st.integers(3, 9), K=st.integers(2, 4), seed=st.integers(0, 99))
def test_no_question_is_asked_twice(strategy, data, N, K, seed):
    total = N * (N - 1) * (N - 2) // 2
    n_asked = data.draw(st.integers(0, total))
    size = data.draw(st.integers(0, total - n_asked))
    asked = random_triplets(N, n_asked, seed=seed)
    # The mirrored question is the same question.
    asked = np.concatenate([asked, asked[::2, [0, 2, 1]]])
    triplets = ask(strategy, _proba(N, K, seed), size, X=_points(N, seed), asked=asked, seed=seed)
    assert triplets.shape == (size, 3)
    assert len(_questions(triplets)) == size
    assert not _questions(triplets) & _questions(asked)


@pytest.mark.parametrize("strategy", list_strategies())
def test_all_questions_can_be_asked_but_not_one_more(strategy):
    proba = _proba(6, 3, 0)
    triplets = ask(strategy, proba, 60, X=_points(6), seed=0)
    assert len(_questions(triplets)) == 60
    with pytest.raises(ValueError, match="1 new questions were wanted, but of the 60 about 6 points only 0"):
        ask(strategy, proba, 1, X=_points(6), asked=triplets)
    with pytest.raises(ValueError, match="were wanted"):
        ask(strategy, proba[:2], 1, X=_points(2))


@pytest.mark.parametrize("strategy", list_strategies())
def test_the_same_seed_asks_the_same(strategy):
    proba = _proba(40, 3, 0)
    first, second, third = (ask(strategy, proba, 20, X=_points(40), seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, third)


def test_random_questions_are_equally_likely():
    rng = np.random.default_rng(0)
    counts = np.zeros((5, 5, 5))
    runs, size = 2000, 3
    for _ in range(runs):
        i, j, k = random_triplets(5, size, asked=[(0, 1, 2)], seed=rng).T
        np.add.at(counts, (i, j, k), 1)
    assert counts[0, 1, 2] == counts[0, 2, 1] == 0
    # 29 questions are left, each in two directions; five standard deviations.
    p = size / 29 / 2
    observed = counts[counts > 0] / runs
    assert len(observed) == 58
    assert (np.abs(observed - p) < 5 * np.sqrt(p * (1 - p) / runs)).all()


@given(st.integers(3, 2_000_000), st.integers(0, 99))
def test_random_questions_about_any_number_of_points_are_triplets(N, seed):
    triplets = random_triplets(N, min(50, N * (N - 1) * (N - 2) // 2), seed=seed)
    i, j, k = triplets.T
    assert ((i != j) & (i != k) & (j != k)).all()
    assert triplets.min() >= 0
    assert triplets.max() < N
    # Asking them again, mirrored, is noticed at any size.
    again = random_triplets(
        N, min(50, N * (N - 1) * (N - 2) // 2 - len(triplets)), asked=triplets[:, [0, 2, 1]], seed=seed
    )
    assert not _questions(again) & _questions(triplets)


def test_boundary_questions_are_about_undecided_points():
    proba = _proba(200, 3, 0)
    top = np.sort(proba, axis=1)
    margin = top[:, -1] - top[:, -2]
    used = np.unique(boundary_triplets(proba, 500, share=0.2, seed=0))
    assert len(used) == 40
    assert margin[used].max() <= np.sort(margin)[39]
    # More questions than 4 points allow: the next nearest points join.
    used = np.unique(boundary_triplets(proba, 100, share=0.02, seed=0))
    assert len(used) == 7
    assert margin[used].max() <= np.sort(margin)[6]


@given(st.integers(0, 99), st.floats(0, 0.6))
def test_the_first_informative_question_is_the_best_of_all(seed, epsilon):
    proba = _proba(8, 3, seed)
    everything = random_triplets(8, 168, seed=0)
    best = question_information(proba, everything, epsilon=epsilon).max()
    triplets = informative_triplets(proba, 1, epsilon=epsilon, seed=seed)
    assert question_information(proba, triplets, epsilon=epsilon)[0] == pytest.approx(best)


@pytest.mark.parametrize("seed", range(3))
def test_the_deciding_question_is_the_best_of_all(seed):
    """By the information that model and answer share, summed over their joint probabilities."""
    first, second = _proba(7, 2, seed), _proba(7, 3, seed + 9)
    asked = deciding_triplet(first, second, seed=seed).triplet
    found = deciding_triplet(first, second, asked=[asked], seed=seed)

    def information(triplet):
        joint = np.vstack([answer_proba(proba, [triplet], epsilon=0.05) for proba in (first, second)]) / 2
        return np.sum(joint * np.log2(joint / np.outer(joint.sum(axis=1), joint.sum(axis=0))))

    others = [information(triplet) for triplet in permutations(range(7), 3) if set(triplet) != set(asked)]
    assert found.bits == pytest.approx(information(found.triplet))
    assert found.bits >= max(others) - 1e-9
    assert _questions([found.triplet]) != _questions([asked])


def test_a_batch_holds_no_near_duplicates():
    proba = _proba(60, 3, 0)
    triplets = informative_triplets(proba, 15, seed=0)
    assert len(np.unique(triplets)) == 45
    # More questions than disjoint triplets: points come again, pairs of points do not.
    triplets = informative_triplets(proba, 60, seed=0)
    points = [set(triplet) for triplet in triplets.tolist()]
    assert max(len(a & b) for t, a in enumerate(points) for b in points[:t]) == 1


def test_informative_questions_are_worth_more_than_random_ones():
    proba = _proba(100, 4, 0)
    chosen, random = (question_information(proba, ask(s, proba, 20, seed=0)) for s in ("informative", "random"))
    assert chosen.min() > random.mean()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ask("clever", np.eye(3), 1), "strategy must be one of guided, .*, got 'clever'"),
        (lambda: ask("guided", np.eye(3)), "guided questions need the points X"),
        (lambda: ask("guided", np.eye(3), X=np.eye(4)), r"N = 3 as in proba, got \(4, 4\)"),
        (lambda: boundary_triplets([0.1, 0.9], 1), r"shape \(N, K\) .* got \(2,\)"),
        (lambda: informative_triplets(np.ones((5, 1)), 1), r"shape \(N, K\) .* got \(5, 1\)"),
        (lambda: informative_triplets(np.eye(5), 1, epsilon=-0.1), "epsilon must be"),
        (lambda: random_triplets(5, 1, asked=[(0, 1, 5)]), "between 0 and 4"),
        (lambda: random_triplets(5, -1), "-1 new questions"),
    ],
)
def test_wrong_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@given(data=st.data(), N=st.integers(2, 9), seed=st.integers(0, 99))
def test_no_pair_is_asked_twice(data, N, seed):
    total = N * (N - 1) // 2
    n_asked = data.draw(st.integers(0, total))
    size = data.draw(st.integers(0, total - n_asked))
    asked = random_pairs(N, n_asked, seed=seed)[:, ::-1]
    proba = _proba(N, 3, seed)
    for pairs in (
        random_pairs(N, size, asked=asked, seed=seed),
        informative_pairs(proba, size, asked=asked, seed=seed),
    ):
        assert pairs.shape == (size, 2)
        everything = np.sort(np.vstack([asked, pairs]), axis=1)
        assert len(np.unique(everything, axis=0)) == n_asked + size
    with pytest.raises(ValueError, match="new pairs were wanted"):
        random_pairs(N, total - n_asked + 1, asked=asked)


@given(st.integers(0, 99), st.floats(0, 0.6))
def test_the_first_informative_pair_is_the_best_of_all(seed, epsilon):
    proba = _proba(8, 3, seed)
    best = pair_information(proba, random_pairs(8, 28, seed=0), epsilon=epsilon).max()
    pair = informative_pairs(proba, 1, epsilon=epsilon, seed=seed)
    assert pair_information(proba, pair, epsilon=epsilon)[0] == pytest.approx(best)
