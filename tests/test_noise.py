"""Noise models: matrices that are learned never lower the bound, and end where nothing can be gained."""

import numpy as np
import pytest
from scipy.optimize import minimize

from dcrc_explore.annotators import PAPER_CONFUSION, error_matrix, forced, mirrored
from dcrc_explore.constraints import Pairs, Triplets, answers_in_columns
from dcrc_explore.model.noise import COMMON_STRENGTH, STRENGTH, NoiseModel, numbered

NOTHING = np.empty(0)


def a_crowd(rng, n_answers=400):
    """Two careful people, one who guesses, one who exchanges yes and no: implied and given answers."""
    matrices = [error_matrix(0.05), error_matrix(0.05), np.full((3, 3), 1 / 3), np.eye(3)[[1, 0, 2]]]
    people = rng.integers(0, 4, n_answers)
    implied = rng.choice(3, n_answers, p=[0.25, 0.25, 0.5])
    given = np.array([rng.choice(3, p=matrices[a][i]) for a, i in zip(people, implied, strict=True)])
    return people, implied, given


def noise_of(given, people, names="abcd", prior=None, *, pairs=(), pair_people=(), is_learned=True):
    """A noise model of triplets and pairs; which points they are about does not matter here."""
    triplets = Triplets([(0, 1, 2)] * len(given), answers_in_columns(given)) if len(given) else Triplets()
    about = Pairs([(0, 1)] * len(pairs), pairs) if len(pairs) else Pairs()
    people = np.concatenate([people, np.array(pair_people, dtype=int)])
    prior = error_matrix(0.1) if prior is None else prior
    return NoiseModel.of(triplets, about, people, tuple(names), prior, 0.1, is_learned=is_learned)


def test_learning_never_lowers_the_bound_and_settles():
    rng = np.random.default_rng(0)
    people, implied, given = a_crowd(rng)
    noise = noise_of(given, people, pairs=rng.choice([1, -1], 90), pair_people=rng.integers(0, 4, 90))
    Q = rng.dirichlet([0.3, 0.3, 0.3], size=len(given)) * 0.3 + 0.7 * np.eye(3)[implied]
    linked = rng.random(90)
    values = [noise.log_likelihood(Q, linked)]
    for _ in range(60):
        noise = noise.learned(Q, linked)
        values.append(noise.log_likelihood(Q, linked))
    assert np.diff(values).min() >= -1e-9
    assert values[-1] - values[-2] < 1e-6


def test_learning_ends_at_the_optimum_that_a_general_optimiser_finds():
    rng = np.random.default_rng(1)
    people, implied, given = a_crowd(rng, 80)
    Q = np.eye(3)[implied]
    prior = error_matrix(0.1)
    noise = noise_of(given, people)
    for _ in range(300):
        noise = noise.learned(Q, NOTHING)
    counts = np.zeros((4, 3, 3))
    np.add.at(counts, (people, implied, given), 1.0)
    counts = mirrored(counts)

    def negative(logits):
        tables = np.exp(logits.reshape(5, 3, 3))
        tables /= tables.sum(axis=2, keepdims=True)
        common, own = tables[0], tables[1:]
        total = (counts * np.log(own)).sum() - STRENGTH * (common * np.log(common / own)).sum()
        return -(total - COMMON_STRENGTH * (common * np.log(common / prior)).sum())

    found = minimize(negative, np.zeros(45))
    reached = (counts * np.log(noise.triplets.own)).sum() + noise.triplets.penalty()
    assert reached == pytest.approx(-found.fun, abs=1e-3)


def test_each_person_is_known_for_what_they_do():
    people, implied, given = a_crowd(np.random.default_rng(2), 1000)
    noise = noise_of(given, people)
    for _ in range(50):
        noise = noise.learned(np.eye(3)[implied], NOTHING)
    right = noise.triplets.own[:, 0, 0]
    assert right[:2].min() > 0.85
    assert abs(right[2] - 1 / 3) < 0.15
    assert noise.triplets.own[3, 0, 1] > 0.85


def test_whose_pairs_are_wrong_is_found_too():
    together = np.tile([1, -1], 30)
    noise = noise_of([], np.empty(0, dtype=int), "ab", pairs=together, pair_people=np.repeat([0, 1], 30))
    so = np.where(together == 1, 1.0, 0.0)
    so[30:] = 1 - so[30:]  # the second says the opposite of what is so
    for _ in range(50):
        noise = noise.learned(np.empty((0, 3)), so)
    assert noise.pairs.own[0, 0, 0] > 0.8
    assert noise.pairs.own[1, 0, 0] < 0.3


def test_who_answered_little_has_the_noise_of_everybody():
    noise = noise_of(np.array([1]), np.array([0]), ["new"])
    noise = noise.learned(np.array([[1.0, 0, 0]]), NOTHING)  # one answer that the model holds for wrong
    assert noise.triplets.own[0, 0].argmax() == 0


def test_without_learning_a_matrix_stays_as_given():
    noise = noise_of(np.array([0, 2]), np.array([0, 0]), [""], PAPER_CONFUSION, is_learned=False)
    noise = noise.learned(np.full((2, 3), 1 / 3), NOTHING)
    np.testing.assert_allclose(np.exp(noise.log_proba()), PAPER_CONFUSION[:, [0, 2]].T)
    assert noise.triplets.penalty() == 0


def test_what_a_matrix_holds_impossible_becomes_nearly_so():
    noise = noise_of(np.array([0]), np.array([0]), [""], np.eye(3), is_learned=False)
    assert np.isfinite(noise.log_proba()).all()


def test_yes_and_no_are_treated_alike():
    table = np.random.default_rng(0).random((4, 3, 3))
    exchanged = mirrored(table)[:, [1, 0, 2]][:, :, [1, 0, 2]]
    np.testing.assert_array_equal(mirrored(table), exchanged)


@pytest.mark.parametrize("names", ["Ann", ["Ann"], ["Ann", "Bob", "Eve"]])
def test_there_is_one_name_for_each_answer(names):
    with pytest.raises(ValueError, match="annotators must be one name for each answer, got"):
        numbered(names, 2)


def test_each_source_that_never_says_dont_know_begins_with_forced_choices():
    given = np.concatenate([np.resize([0, 1], 25), np.resize([0, 1, 2], 25), np.resize([0, 1], 19)])
    people = np.repeat([0, 1, 2], [25, 25, 19])
    noise = noise_of(given, people, names="abc").beginning_forced()
    np.testing.assert_allclose(noise.triplets.own[0], forced(error_matrix(0.1)), atol=1e-5)
    np.testing.assert_allclose(noise.triplets.own[1:], np.stack([error_matrix(0.1)] * 2), atol=1e-5)
    # Learning goes on from there, and still never lowers the bound.
    Q = np.random.default_rng(0).dirichlet(np.ones(3), size=len(given))
    values = []
    for _ in range(20):
        values.append(noise.log_likelihood(Q, NOTHING))
        noise = noise.learned(Q, NOTHING)
    assert np.diff(values).min() >= -1e-9
