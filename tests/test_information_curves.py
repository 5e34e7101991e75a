"""The information curves of a model, each against its definition by enumeration, and what bounds them."""

from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcrc_explore.annotators import error_matrix
from dcrc_explore.constraints import implied_answers
from dcrc_explore.information import (
    ClusterCurves,
    as_unequal,
    entropy,
    expected_answers,
    expected_relative_information,
    information_curves,
    random_worth,
)
from dcrc_explore.session import Pair, Session

beliefs = st.tuples(st.integers(2, 3), st.integers(0, 999), st.sampled_from([0.2, 1.0, 5.0])).map(
    lambda values: np.random.default_rng(values[1]).dirichlet(np.full(values[0], values[2]), 5)
)
epsilons = st.sampled_from([0.0, 0.05, 0.3])
TRIPLET = np.array([(0, 1, 2)])


def everything(belief, question, epsilon, past=()):
    """P(Y, l) by enumeration: rows are the memberships of three points, columns the answers yes, no, dnk."""
    errors, joint = error_matrix(epsilon), []
    for Y in product(range(belief.shape[1]), repeat=3):
        weight = np.prod([belief[i, y] for i, y in zip(question, Y, strict=True)])
        column = [1, -1, 0].index(implied_answers(np.array(Y), [(0, 1, 2)])[0])
        for answer in past:
            weight *= errors[column, [1, -1, 0].index(answer)]
        joint.append(weight * errors[column])
    joint = np.array(joint)
    return joint / joint.sum()


def mutual(joint):
    flat = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
    kept = joint > 0
    return float((joint[kept] * np.log2(joint[kept] / flat[kept])).sum())


@given(beliefs, epsilons)
def test_what_is_expected_of_a_question_is_what_enumeration_says(belief, epsilon):
    joint = everything(belief, (0, 1, 2), epsilon)
    expected = expected_answers(belief, TRIPLET, epsilon)[0]
    np.testing.assert_allclose(expected[:3], joint.sum(axis=0), atol=1e-9)
    assert expected[3] == pytest.approx(mutual(joint), abs=1e-9)


@given(beliefs, st.lists(st.sampled_from([1, -1, 0]), min_size=1, max_size=3))
def test_a_question_that_is_asked_again_is_judged_by_its_earlier_answers(belief, past):
    joint = everything(belief, (0, 1, 2), 0.1, past)
    # Mirrored questions ask the same.
    rows = np.array([(0, 1, 2) if t % 2 else (0, 2, 1) for t in range(len(past))])
    given_before = np.array([answer if t % 2 else -answer for t, answer in enumerate(past)], dtype=np.int8)
    expected = expected_answers(belief, TRIPLET, 0.1, past=(rows, given_before))[0]
    np.testing.assert_allclose(expected[:3], joint.sum(axis=0), atol=1e-9)
    assert expected[3] == pytest.approx(mutual(joint), abs=1e-9)


@given(beliefs, epsilons)
def test_a_random_question_is_worth_the_mean_of_all(belief, epsilon):
    questions = [(i, *two) for i in range(5) for two in combinations([j for j in range(5) if j != i], 2)]
    mean = np.mean([mutual(everything(belief, question, epsilon)) for question in questions])
    assert random_worth(belief, epsilon) == pytest.approx(mean, abs=1e-9)


@given(beliefs, epsilons)
def test_questions_without_a_common_point_are_worth_at_most_what_the_memberships_have_to_give(belief, epsilon):
    six = np.vstack([belief, belief[:1]])
    for order in list(permutations(range(6)))[::97]:
        worth = expected_answers(six, np.array([order[:3], order[3:]]), epsilon)[:, 3].sum()
        assert worth <= entropy(six).sum() + 1e-9


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 99), st.sampled_from([0.0, 0.05, 0.2]), st.booleans())
def test_the_worth_of_all_questions_never_exceeds_what_their_memberships_had_to_give(seed, epsilon, use_dnk):
    rng = np.random.default_rng(seed)
    session = Session("far", autosave=None, parameters={"n_per_cluster": 8}, epsilon=epsilon, use_dnk=use_dnk)
    room = [0.0]
    for points in {tuple(rng.choice(24, 3, replace=False).tolist()) for _ in range(6)}:
        room.append(room[-1] + session.fit.entropy[list(points)].sum())
        session.answer(points, int(rng.integers(-1, 2)))
    assert (session.model.answer_curves.worth <= np.array(room) + 1e-9).all()


def test_the_curves_of_a_session_are_the_sums_of_what_stood_on_the_cards():
    session = Session("close", autosave=None)
    worth, surprise, random = [0.0], [0.0], [0.0]
    for points, answer in [((0, 1, 120), "yes"), ((1, 2, 140), "dnk"), ((0, 1, 120), "yes"), ((3, 70), "no")]:
        expected = session.questions.expected(points)
        worth.append(worth[-1] + expected.bits)
        surprise.append(surprise[-1] + expected.surprise(answer))
        random.append(random[-1] + random_worth(session.fit.proba, 0.05, n_points=len(points)))
        session.answer(points, answer)
    curves = session.model.answer_curves
    for curve, expected in ((curves.worth, worth), (curves.surprise, surprise), (curves.random, random)):
        np.testing.assert_allclose(curve, expected, atol=1e-9)
    first, _, again, _ = np.diff(curves.worth)
    assert again < first / 2
    np.testing.assert_allclose(session.log.surprise, curves.surprises)
    assert curves.left[-1].total == pytest.approx(session.fit.entropy.sum())
    asked = session.fit.entropy[[0, 1, 2, 3, 70, 120, 140]].sum()
    assert (curves.left[-1].n_asked, curves.left[-1].asked) == (7, pytest.approx(asked))


def test_undo_redo_changed_and_deleted_answers_keep_what_the_others_told():
    session = Session("close", autosave=None)
    for points in ((0, 60, 120), (1, 61, 121), (2, 62, 122)):
        session.answer(points, "yes")
    whole = session.model.answer_curves
    session.undo()
    np.testing.assert_array_equal(session.model.answer_curves.worth, whole.worth[:3])
    session.redo()
    np.testing.assert_array_equal(session.model.answer_curves.worth, whole.worth)
    session.flip(1)
    changed = session.model.answer_curves
    np.testing.assert_array_equal(changed.worth, whole.worth)
    assert changed.surprises[1] == pytest.approx(-np.log2(whole.expected[1, 1]))  # the error jumps
    session.undo()
    session.delete(0)
    np.testing.assert_allclose(np.diff(session.model.answer_curves.worth), np.diff(whole.worth)[1:])
    session.undo()
    np.testing.assert_array_equal(session.model.answer_curves.worth, whole.worth)


def test_answers_that_come_together_are_judged_one_after_another_also_by_a_second_model(tmp_path):
    one, together = Session("far", autosave=None), Session("far", autosave=tmp_path)
    asked = [((0, 60, 120), "yes"), ((1, 61, 121), "dnk"), ((2, 62, 122), "no")]
    for points, answer in asked:
        one.answer(points, answer)
    together.add([points for points, _ in asked], [answer for _, answer in asked])
    expected = one.model.answer_curves.worth
    np.testing.assert_allclose(together.model.answer_curves.worth, expected, atol=1e-6)
    assert [left.n_answers for left in together.model.answer_curves.left] == [0, 1, 2, 3]
    pair = Pair(together, {"lam": 1.0})
    assert len(pair.second.model.answer_curves) == 3
    assert not pair.second.model.answer_curves.unknown
    loaded = Session.load(together.file.path)
    np.testing.assert_allclose(loaded.model.answer_curves.worth, expected, atol=1e-6)


def test_a_hard_model_marks_what_it_held_impossible_and_adds_the_rest():
    session = Session("far", autosave=None, epsilon=0)
    session.answer((0, 1, 149), "yes")
    session.answer((0, 1, 149), "no")  # after a yes without errors, a no cannot be
    curves = session.model.answer_curves
    assert np.isfinite(curves.surprise).all()
    assert curves.impossible.tolist() == [1]
    assert "held 1 answer impossible" in " ".join(curves.words())


@given(st.lists(st.floats(0.05, 1), min_size=2, max_size=5), st.integers(2, 6), st.sampled_from([0.0, 0.1]))
def test_the_curve_of_a_model_is_exact_at_its_own_number_of_clusters(shares, K, epsilon):
    np.testing.assert_allclose(as_unequal(shares, len(shares)), np.sort(shares) / np.sum(shares))
    np.testing.assert_allclose(as_unequal(np.ones(K), 7), np.full(7, 1 / 7))
    assert as_unequal(shares, K).sum() == pytest.approx(1)
    curves = ClusterCurves(shares, epsilon)
    exact = expected_relative_information(shares, epsilon=epsilon)
    assert curves.model["1 triplet"][len(shares) - 2] == pytest.approx(exact, abs=1e-9)


def test_a_model_with_equal_clusters_and_no_errors_is_the_ideal():
    curves = ClusterCurves([0.25] * 4)
    for name, values in information_curves(np.arange(2, 14)).items():
        np.testing.assert_allclose(curves.model[name], values, atol=1e-9)
    assert curves.cost.startswith("This model reaches the ideal")
    assert "Ignoring don't know costs 0.42 bit" in ClusterCurves([0.25] * 4, use_dnk=False).cost
    assert "make an answer worth" in ClusterCurves([10] + [1] * 7).cost  # yes and no become less rare
