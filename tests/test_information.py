"""Information: the closed forms, the general case and one question, each against the definition by enumeration."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import entropy as scipy_entropy

from dcrc_explore.annotators import PAPER_PAIR_TABLE, PAPER_TABLE, as_confusion, error_matrix
from dcrc_explore.constraints import implied_answers
from dcrc_explore.information import (
    dnk_share,
    entropy,
    expected_pairwise_information,
    expected_relative_information,
    pair_information,
    pairwise_information,
    question_information,
    relative_information,
    relative_information_without_dnk,
    surprise,
)

epsilons = st.floats(0, 1)
priors = st.integers(1, 4).flatmap(lambda K: arrays(float, K, elements=st.floats(0.01, 1)))
confusions = arrays(float, (3, 3), elements=st.floats(0, 1)).filter(lambda table: (table.sum(axis=1) > 0.1).all())
memberships = st.tuples(st.integers(2, 4), st.integers(0, 999), st.sampled_from([0.1, 1.0, 5.0])).map(
    lambda values: np.random.default_rng(values[1]).dirichlet(np.full(values[0], values[2]), 3)
)


def _joint(proba, channel):
    """P(l, Y) for all K^3 memberships Y of three points: rows Y, columns yes, no, dnk."""
    assignments = list(product(range(proba.shape[1]), repeat=3))
    weight = np.array([np.prod(proba[range(3), Y]) for Y in assignments])
    implied = np.array([implied_answers(Y, [(0, 1, 2)])[0] for Y in assignments])
    return weight[:, np.newaxis] * channel[(implied + 2) % 3]


def _mutual_information(joint):
    """In bits, by H(Y) - H(Y | l)."""
    given = joint.sum(axis=0)
    conditional = sum(p * scipy_entropy(joint[:, c], base=2) for c, p in enumerate(given) if p > 0)
    return scipy_entropy(joint.sum(axis=1), base=2) - conditional


@given(memberships, confusions)
def test_one_question_is_worth_the_mutual_information(proba, confusion):
    expected = _mutual_information(_joint(proba, as_confusion(confusion)))
    assert question_information(proba, [(0, 1, 2)], confusion=confusion)[0] == pytest.approx(expected, abs=1e-9)


@given(memberships, epsilons)
def test_information_is_never_negative_and_never_above_the_entropy_of_the_answer(proba, epsilon):
    answer = _joint(proba, error_matrix(epsilon)).sum(axis=0)
    information = question_information(proba, (0, 1, 2), epsilon=epsilon)[0]
    assert 0 <= information <= scipy_entropy(answer, base=2) + 1e-9
    # Mirroring the question changes nothing.
    assert question_information(proba, (0, 2, 1), epsilon=epsilon)[0] == pytest.approx(information, abs=1e-9)


@given(priors, confusions)
def test_the_general_case_is_the_sum_over_all_memberships(prior, confusion):
    proba = np.tile(prior / prior.sum(), (3, 1))
    joint = _joint(proba, as_confusion(confusion))
    whole = expected_relative_information(prior, confusion=confusion)
    assert whole == pytest.approx(_mutual_information(joint), abs=1e-9)
    # Without dnk: what yes and no contribute, P(l) KL(P(Y|l) || P(Y)).
    contributions = [joint[:, c].sum() * scipy_entropy(joint[:, c], joint.sum(axis=1), base=2) for c in (0, 1)]
    without = expected_relative_information(prior, confusion=confusion, use_dnk=False)
    assert without == pytest.approx(np.nansum(contributions), abs=1e-9)
    assert -1e-12 <= without <= whole + 1e-12


@given(priors, st.floats(0, 1))
def test_the_general_pair_is_the_sum_over_all_memberships(prior, epsilon):
    p = prior / prior.sum()
    pairs = list(product(range(len(p)), repeat=2))
    channel = np.array([[1 - epsilon, epsilon], [epsilon, 1 - epsilon]])
    joint = np.array([p[a] * p[b] * channel[int(a != b)] for a, b in pairs])
    assert expected_pairwise_information(prior, epsilon=epsilon) == pytest.approx(_mutual_information(joint), abs=1e-9)


@pytest.mark.parametrize("K", range(1, 15))
def test_closed_forms_are_special_cases(K):
    even = np.ones(K)
    assert relative_information(K) == pytest.approx(expected_relative_information(even), abs=1e-12)
    assert pairwise_information(K) == pytest.approx(expected_pairwise_information(even), abs=1e-12)
    without = expected_relative_information(even, use_dnk=False)
    assert relative_information_without_dnk(K) == pytest.approx(without, abs=1e-12)


def test_the_numbers_of_the_paper():
    assert relative_information(2) == pytest.approx(1.5)
    assert pairwise_information(2) == pytest.approx(1)
    assert relative_information_without_dnk(2) == pytest.approx(1)
    assert dnk_share(2) == 0.5
    assert dnk_share(8) == pytest.approx(0.78, abs=0.005)
    K = np.arange(2, 20)
    # One relative constraint tells more than a pair. Two tell more than three pairs, which name as many points; for two
    # clusters, just as much.
    assert (relative_information(K) > pairwise_information(K)).all()
    assert (2 * relative_information(K[1:]) > 3 * pairwise_information(K[1:])).all()
    assert 2 * relative_information(2) == pytest.approx(3 * pairwise_information(2))
    assert (relative_information(K) > relative_information_without_dnk(K)).all()


def test_base_changes_the_unit_only():
    nats = 1.5 * np.log(2)
    assert relative_information(2, base=np.e) == pytest.approx(nats)
    assert expected_relative_information([1, 1], base=np.e) == pytest.approx(nats)
    assert question_information(np.full((3, 2), 0.5), (0, 1, 2), epsilon=0, base=np.e)[0] == pytest.approx(nats)


@given(priors, st.floats(0, 2 / 3), st.floats(0, 2 / 3))
def test_more_errors_tell_less_and_two_thirds_tell_nothing(prior, first, second):
    low, high = sorted((first, second))
    more, less = (expected_relative_information(prior, epsilon=epsilon) for epsilon in (low, high))
    assert less <= more + 1e-12
    assert expected_relative_information(prior, epsilon=2 / 3) == pytest.approx(0, abs=1e-12)


@given(memberships, epsilons)
def test_surprise_averages_to_the_entropy_of_the_answer(proba, epsilon):
    answer = _joint(proba, error_matrix(epsilon)).sum(axis=0)
    possible = answer > 1e-12
    bits = surprise(proba, [(0, 1, 2)] * 3, ["yes", "no", "dnk"], epsilon=epsilon)
    assert bits[possible] == pytest.approx(-np.log2(answer[possible]))
    assert np.sum(answer[possible] * bits[possible]) == pytest.approx(scipy_entropy(answer, base=2), abs=1e-9)


def test_an_impossible_answer_is_infinitely_surprising():
    sure = np.eye(2)[[0, 0, 1]]
    assert surprise(sure, (0, 1, 2), "no", epsilon=0)[0] == np.inf
    assert surprise(sure, (0, 1, 2), "yes", epsilon=0)[0] == 0


@given(memberships)
def test_entropy_is_that_of_scipy_for_points_and_grids(proba):
    assert entropy(proba) == pytest.approx(scipy_entropy(proba, base=2, axis=1))
    grid = np.stack([proba, proba[::-1]])
    assert entropy(grid, base=np.e) == pytest.approx(scipy_entropy(grid, axis=-1))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: relative_information(0), "n_clusters must be at least 1, got 0"),
        (lambda: expected_relative_information([1, -1]), "none negative"),
        (lambda: expected_relative_information([[1, 1]]), "one share per cluster"),
        (lambda: expected_relative_information([1, 1], epsilon=2), "epsilon must be"),
        (lambda: expected_pairwise_information([1, 1], epsilon=2), "epsilon must be between 0 and 1, got 2"),
        (lambda: expected_pairwise_information([1, 1], confusion=np.eye(3)), r"shape \(2, 2\), got \(3, 3\)"),
        (lambda: surprise(np.eye(3), [(0, 1, 2)], ["yes", "no"]), "1 triplets and 2 answers"),
    ],
)
def test_wrong_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def _enumerated(prior, triplets, pairs, epsilon):
    """I(answers; memberships) in bits from the joint distribution of both, written out."""
    K, points = len(prior), sorted({i for question in [*triplets, *pairs] for i in question})
    joint = {}
    for Y in product(range(K), repeat=len(points)):
        label = dict(zip(points, Y, strict=True))
        implied = [int(implied_answers([label[i], label[j], label[k]], [(0, 1, 2)])[0]) for i, j, k in triplets]
        implied += [label[i] == label[j] for i, j in pairs]
        for given_answers in product(*[(1, -1, 0)] * len(triplets), *[(True, False)] * len(pairs)):
            p = np.prod([prior[k] for k in Y])
            for t, (said, so) in enumerate(zip(given_answers, implied, strict=True)):
                p *= 1 - epsilon if said == so else epsilon / (2 if t < len(triplets) else 1)
            joint[Y, given_answers] = p
    table = np.array(list(joint.values())).reshape(K ** len(points), -1)
    return _mutual_information(table)


@given(priors, epsilons)
def test_one_question_alone_is_worth_what_the_short_sums_say(prior, epsilon):
    shares = prior / prior.sum()
    triplet = _enumerated(shares, [(0, 1, 2)], [], epsilon)
    assert triplet == pytest.approx(expected_relative_information(prior, epsilon=epsilon), abs=1e-9)
    pair = _enumerated(shares, [], [(0, 1)], epsilon)
    assert pair == pytest.approx(expected_pairwise_information(prior, epsilon=epsilon), abs=1e-9)


def test_answers_of_the_papers_people_are_worth_what_the_paper_says():
    # Six points: two triplets or three pairs, as often answered and as often wrong as in the paper's study.
    assert 2 * _mutual_information(PAPER_TABLE / PAPER_TABLE.sum()) == pytest.approx(1.21, abs=0.005)
    assert 3 * _mutual_information(PAPER_PAIR_TABLE / PAPER_PAIR_TABLE.sum()) == pytest.approx(1.11, abs=0.005)


@given(memberships, epsilons)
def test_a_pair_is_worth_the_mutual_information(proba, epsilon):
    channel = np.array([[1 - epsilon, epsilon], [epsilon, 1 - epsilon]])
    K = proba.shape[1]
    joint = [proba[0, a] * proba[1, b] * channel[0 if a == b else 1] for a, b in product(range(K), repeat=2)]
    found = pair_information(proba, (0, 1), epsilon=epsilon)[0]
    assert found == pytest.approx(_mutual_information(np.array(joint)), abs=1e-9)
    assert found == pytest.approx(pair_information(proba, [(1, 0)], epsilon=epsilon)[0])
