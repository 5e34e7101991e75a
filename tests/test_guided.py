"""Guided questions: all groups are found, what is known is not asked, and each question says why it comes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcrc_explore.annotators import noisy, truth
from dcrc_explore.constraints import Triplets, implied_answers
from dcrc_explore.datasets import make_dataset
from dcrc_explore.questions import (
    Belief,
    Closure,
    batch_size,
    expected_change,
    guided_questions,
    guided_wave,
    informative_triplets,
    list_strategies,
    model_doubt,
    question_information,
    random_triplets,
)


def _blobs(K, n=10, seed=0):
    """K separate clumps on a circle."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(K), n)
    angle = 2 * np.pi * y / K
    return 5 * K * np.column_stack([np.cos(angle), np.sin(angle)]) + rng.normal(size=(len(y), 2)), y


def _converse(X, y, proba, n, somebody, seed=0):
    """Ask and answer n questions one by one."""
    rng = np.random.default_rng(seed)
    given, reasons = Triplets(), []
    for _ in range(n):
        questions = guided_questions(proba, X, given, seed=rng)
        given += Triplets(questions.triplets, somebody.answer(questions.triplets))
        reasons += questions.reasons
    return given, reasons


@pytest.mark.parametrize("K", [2, 3, 5, 8, 13])
def test_all_groups_are_found_by_a_model_that_knows_nothing(K):
    X, y = _blobs(K)
    given, reasons = _converse(X, y, np.full((len(X), K), 1 / K), 8 * K, truth(y))
    groups = Closure(given, K).groups
    assert len(groups) == K
    assert all(len(set(y[members])) == 1 for members in groups)
    assert all(reason.endswith(".") for reason in reasons)
    assert K == 2 or any("new group" in reason for reason in reasons)


@pytest.mark.parametrize("K", [8, 13])
def test_nobody_is_asked_about_one_point_again_and_again(K):
    X, y = _blobs(K)
    proba = np.full((len(X), K), 1 / K)
    first, *_ = _converse(X, y, proba, 6 * K, truth(y))[0].indices.T
    assert not any(len(set(first[t : t + 4])) == 1 for t in range(len(first) - 3))


@given(
    N=st.integers(3, 9),
    K=st.integers(2, 13),
    M=st.integers(0, 12),
    size=st.integers(0, 6),
    error=st.floats(0, 1),
    seed=st.integers(0, 10**6),
)
def test_whatever_was_answered_new_questions_come(N, K, M, size, error, seed):
    rng = np.random.default_rng(seed)
    total = N * (N - 1) * (N - 2) // 2
    questions = random_triplets(N, min(M, total), seed=rng)
    given = Triplets(questions, noisy(rng.integers(K, size=N), error, seed=rng).answer(questions))
    size = min(size, total - len(given))
    # Points may coincide, and a model may be sure.
    X, proba = rng.integers(3, size=(N, 1)), np.eye(K)[rng.integers(K, size=N)]
    triplets, reasons = guided_questions(proba, X, given, size, doubt=0.05, seed=rng)
    assert len(triplets) == len(reasons) == size
    asked = {(i, *sorted((j, k))) for i, j, k in np.vstack([questions, triplets]).tolist()}
    assert len(asked) == len(questions) + size
    assert all(len(set(triplet)) == 3 for triplet in triplets.tolist())


def test_noise_leaves_it_asking():
    X, y = _blobs(4)
    given, _ = _converse(X, y, np.full((len(X), 4), 0.25), 40, noisy(y, 0.4, seed=1))
    assert len(given) == 40


def test_an_answer_that_is_known_already_is_not_asked_for():
    X, y = _blobs(3)
    proba = np.full((len(X), 3), 1 / 3)
    given, _ = _converse(X, y, proba, 20, truth(y))
    memberships = Belief(proba, given).memberships
    questions = guided_questions(proba, X, given, 5, seed=0).triplets
    assert (question_information(memberships, questions) > 0.1).all()


def test_when_all_points_are_known_questions_check_the_answers():
    y = np.array([0, 0, 1, 1, 2])
    questions = random_triplets(5, 20, seed=0)
    given = Triplets(questions, implied_answers(y, questions))
    triplets, reasons = guided_questions(np.eye(3)[y], np.eye(5), given, 10, seed=0)
    assert len(triplets) == 10
    assert all("checks" in reason for reason in reasons)


def test_where_the_origin_lies_and_the_unit_do_not_matter():
    X, _ = _blobs(3)
    proba, given = np.full((len(X), 3), 1 / 3), Triplets([(0, 1, 10)], ["yes"])
    first = guided_questions(proba, X, given, 5, seed=0)
    for moved in (X + 1e6, 1e-6 * X, 1e6 * X):
        assert np.array_equal(guided_questions(proba, moved, given, 5, seed=0).triplets, first.triplets)


def test_the_reason_names_the_models_clusters():
    # Group 0 (points 0, 1) is what the model calls cluster 3; point 3 may be there or in cluster 1.
    proba = np.array([[0, 0, 1], [0, 0, 1], [1, 0, 0], [0.5, 0, 0.5], [0, 1, 0]])
    given = Triplets([(0, 1, 2), (4, 0, 2)], ["yes", "dnk"])
    questions = guided_questions(proba, np.arange(5.0)[:, np.newaxis], given, doubt=0.05, seed=0)
    assert set(questions.triplets[0].tolist()) <= {0, 1, 2, 3, 4}
    assert questions.triplets[0, 0] == 3
    assert questions.reasons in (["A may belong to cluster 1 or 3."], ["A may belong to cluster 3 or 1."])


def test_a_belief_is_what_answers_leave_of_the_model():
    rng = np.random.default_rng(0)
    y, proba = rng.integers(3, size=20), rng.dirichlet(np.ones(3), 20)
    questions = random_triplets(20, 15, seed=0)
    given = Triplets(questions, implied_answers(y, questions))
    belief, closure = Belief(proba, given, doubt=0.3), Closure(given, 3)
    assert np.allclose(belief.memberships.sum(axis=1), 1)
    assert sorted(belief.clusters) == [0, 1, 2]
    for i in range(20):
        for g, members in enumerate(closure.groups):
            if closure.together(i, members[0]):
                assert belief.memberships[i, g] == 1
            if closure.apart(i, members[0]):
                assert belief.memberships[i, g] == 0


def test_expected_change_is_the_mean_number_of_points_in_another_group():
    proba = np.random.default_rng(0).dirichlet(np.ones(3), 50)
    rng = np.random.default_rng(1)
    drawn = np.array([[rng.choice(3, p=p) for p in proba] for _ in range(2000)])
    errors = (drawn != proba.argmax(axis=1)).sum(axis=1)
    assert expected_change(proba, Triplets(), doubt=0) == pytest.approx(errors.mean(), abs=5 * errors.std() / 2000**0.5)
    y = np.array([0, 0, 1])
    assert expected_change(np.full((3, 2), 0.5), Triplets([(0, 1, 2)], implied_answers(y, [(0, 1, 2)]))) == 0


@given(st.lists(st.floats(0, 20), max_size=30), st.floats(3, 20))
def test_a_surprise_raises_the_doubt(bits, surprise):
    assert 0.05 <= model_doubt(bits) <= 0.8
    assert model_doubt([*bits, surprise]) >= model_doubt([*bits, 0.0])
    assert model_doubt([*bits, np.nan]) == model_doubt(bits)


def test_batches_grow_with_the_answers():
    sizes = [batch_size(n) for n in range(200)]
    assert sizes == sorted(sizes)
    assert set(sizes) == {1, 5, 10, 20}
    assert "guided" in list_strategies()


@given(st.integers(6, 30), st.integers(2, 4), st.integers(0, 12), st.integers(1, 12), st.integers(0, 99))
def test_a_wave_never_asks_twice_and_is_about_different_points(N, K, M, size, seed):
    rng = np.random.default_rng(seed)
    y, X, proba = rng.integers(K, size=N), rng.normal(size=(N, 2)), rng.dirichlet(np.full(K, 0.3), N)
    asked = random_triplets(N, M, seed=seed)
    constraints = Triplets(asked, implied_answers(y, asked))
    wave = guided_wave(proba, X, constraints, size, seed=seed)
    assert wave.triplets.shape == (size, 3)
    assert len(wave.reasons) == size
    questions = {(i, *sorted((j, k))) for i, j, k in np.vstack([asked, wave.triplets]).tolist()}
    assert len(questions) == M + size
    first = [
        i for (i, _, _), reason in zip(wave.triplets.tolist(), wave.reasons, strict=True) if "checks" not in reason
    ]
    assert len(set(first)) == len(first)


def test_before_any_answer_a_wave_compares_points_with_the_middle_of_clusters():
    data = make_dataset("far")
    proba = np.eye(3)[data.y] * 0.85 + 0.05
    wave = guided_wave(proba, data.X, Triplets(), 12, seed=0)
    middles = {int(members[0]) for members in Belief(proba, Triplets()).provisional(data.X).groups}
    assert len(middles) == 3
    assert all(middles & set(question) for question in wave.triplets.tolist())
    assert Closure(Triplets(wave.triplets, implied_answers(data.y, wave.triplets)), 3).groups


def test_a_wave_is_chosen_although_the_model_has_empty_clusters():
    data = make_dataset("far")
    proba = np.tile([0.9, 0.06, 0.04], (150, 1))
    wave = guided_wave(proba, data.X, Triplets(), 30, seed=0)
    assert len(np.unique(wave.triplets, axis=0)) == 30
    groups = Belief(proba, Triplets()).provisional(data.X).groups
    assert len({int(members[0]) for members in groups}) == 3


def test_with_every_group_known_nothing_is_provisional():
    y = np.arange(12) % 3
    asked = np.array([(0, 3, 1), (1, 4, 2), (2, 5, 0)])
    belief = Belief(np.eye(3)[y], Triplets(asked, implied_answers(y, asked)))
    assert belief.n_missing == 0
    same = belief.provisional(np.random.default_rng(0).normal(size=(12, 2)))
    np.testing.assert_array_equal(same.group, belief.group)
    np.testing.assert_array_equal(same.memberships, belief.memberships)


def four_groups():
    """Four groups on a line, of which the model knows three; every answer so far is about these."""
    y = np.repeat(np.arange(4), 25)
    X = 10.0 * y[:, np.newaxis] + np.random.default_rng(0).normal(size=(100, 1))
    proba = np.eye(3)[np.minimum(y, 2)] * 0.9 + 1 / 30
    questions = [(0, 1, 25), (25, 26, 50), (50, 51, 0)]
    return X, y, proba, Triplets(questions, implied_answers(y, questions))


def test_while_k_is_open_every_fourth_question_looks_for_a_group_and_finds_it():
    X, y, proba, given = four_groups()
    reasons = []
    while len(given) < 40:
        asked = guided_questions(proba, X, given, seed=len(given), open_ended=True)
        reasons += asked.reasons
        given += Triplets(asked.triplets, implied_answers(y, asked.triplets))
    looks = [t for t, reason in enumerate(reasons, start=4) if "new group" in reason]
    assert looks
    assert {t % 4 for t in looks} == {0}
    groups = Closure(given, None).groups
    assert {y[members[0]] for members in groups} == {0, 1, 2, 3}
    assert Belief(proba, given, open_ended=True).memberships.shape == (100, len(groups) + 1)


def test_while_k_is_open_no_point_is_forced_into_the_last_group():
    *_, proba, given = four_groups()
    more = Triplets([(80, 0, 25)], ["dnk"])  # a point of the fourth group is in neither of two
    closed = Belief(proba, given + more)
    assert closed.group[80] == closed.group[50]
    assert Belief(proba, given + more, open_ended=True).group[80] == -1


def test_with_k_known_no_question_looks_for_another_group():
    X, _, proba, given = four_groups()
    assert not any("new group" in reason for reason in guided_questions(proba, X, given, 12, seed=0).reasons)


@pytest.mark.parametrize("seed", range(5))
def test_a_rounding_does_not_choose_the_question(seed):
    """On a grid many questions are equally good: the seed chooses, whatever the last bits of the numbers are."""
    X = np.array([(a, b) for a in range(1, 7) for b in range(1, 7)]) / 3
    y = (X[:, 0] > X[:, 1]).astype(int)
    proba = np.column_stack([1 - X.sum(axis=1) / 4, X.sum(axis=1) / 4])
    asked = random_triplets(len(X), 4, seed=seed)
    rng = np.random.default_rng(seed)
    chosen = []
    for _ in range(4):
        shaken, given = X * (1 + 4e-16 * rng.integers(-2, 3, X.shape)), Triplets(asked, implied_answers(y, asked))
        believed = proba * (1 + 4e-16 * rng.integers(-2, 3, proba.shape))
        batch = guided_questions(believed, shaken, given, 5, seed=seed).triplets.tolist()
        chosen.append((batch, informative_triplets(believed, 5, seed=seed).tolist()))
    assert all(each == chosen[0] for each in chosen)
