"""What people say, heard for what it is worth: few answers, matrices of errors, several people, pairs."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
from brute_force import assignments, random_triplets
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from dcrc_explore import DCRC, Triplets
from dcrc_explore.annotators import PAPER_CONFUSION, error_matrix, forced, make_oracle, noisy
from dcrc_explore.constraints import Pairs, answer_columns, implied_answers
from dcrc_explore.datasets import make_dataset
from dcrc_explore.questions import ask

seeds = st.integers(0, 2**32 - 1)


def small_problem(seed, n_samples=9, n_triplets=4, n_pairs=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, 2))
    indices = np.array([rng.choice(6, 2, replace=False) for _ in range(n_pairs)]).reshape(-1, 2)
    return X, random_triplets(rng, 6, n_triplets), Pairs(indices, rng.choice([1, -1], n_pairs))


def enumerated_answers_term(model, X, triplets, pairs, divisor):
    """E_Q[log P(Y, L|X) / Q(Y)] over every assignment of the six instances that may stand in a question."""
    P, Q, columns = model.predict_proba(X), model.posterior_, answer_columns(triplets.answers)
    constrained = np.union1d(triplets.indices, pairs.indices)
    C = error_matrix(model.epsilon) if model.confusion_ is None else model.confusion_
    right, wrong = np.array([1 - model.epsilon, model.epsilon / 2])
    if model.confusion_ is not None:  # don't know says nothing: right and wrong are all there is
        right, wrong = np.array([right, wrong]) / (right + wrong)
    total = 0.0
    for labels in assignments(model.n_clusters, len(constrained)):
        y = np.zeros(len(X), dtype=int)
        y[constrained] = labels
        q = np.prod(Q[constrained, labels])
        if q < 1e-300:
            continue
        value = np.log(P[constrained, labels]).sum() - np.log(q)
        implied = answer_columns(implied_answers(y, triplets.indices))
        value += np.log(C[implied, columns]).sum()
        agree = (y[pairs.indices[:, 0]] == y[pairs.indices[:, 1]]) == (pairs.answers == 1)
        value += np.log(np.where(agree, right, wrong)).sum()
        total += q * value
    return total / divisor


@pytest.mark.parametrize("confusion", [None, PAPER_CONFUSION])
@pytest.mark.parametrize("weighting", ["steady", "paper"])
@pytest.mark.parametrize(
    ("n_samples", "n_triplets", "n_pairs"),
    [(9, 4, 3), (9, 40, 25), (9, 30, 0), (9, 0, 20), (60, 1, 0), (60, 0, 1), (6, 20, 10), (7, 20, 0)],
    ids=["both", "many", "triplets", "pairs", "first triplet", "first pair", "U is empty", "U is small"],
)
@given(seeds)
def test_the_bound_is_the_definition_of_its_terms(confusion, weighting, n_samples, n_triplets, n_pairs, seed):
    X, triplets, pairs = small_problem(seed, n_samples, n_triplets, n_pairs)
    model = DCRC(2, epsilon=0.1, confusion=confusion, weighting=weighting, lam=0.1, tau=0.7, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a cluster may be empty: the bound is what it is
        model.fit(X, triplets=triplets, pairs=pairs)
    asked = np.union1d(triplets.indices, pairs.indices).astype(int)
    others = np.setdiff1d(np.arange(n_samples), asked)
    M, mentions = n_triplets + n_pairs, 3 * n_triplets + 2 * n_pairs
    divisor, separated = M, max(len(others), 1)
    if weighting == "steady":
        divisor = max(M * len(asked) / mentions, min(0.1 * n_samples, 40))
        separated = max(len(others), 0.3 * n_samples)
    expected = enumerated_answers_term(model, X, triplets, pairs, divisor)
    assert model.bound_.answers == pytest.approx(expected, abs=1e-9)
    P = model.predict_proba(X)[others]
    separation = 0.7 * (P * np.log(np.maximum(P, 1e-300))).sum() / separated
    assert model.bound_.separation == pytest.approx(separation, abs=1e-9)


@given(seeds)
def test_the_bound_never_falls_while_people_are_learned(seed):
    X, triplets, pairs = small_problem(seed)
    names = [*("ab" * 2), *"abc"]
    model = DCRC(2, confusion="learned", soft_start=False, lam=0.1, random_state=0)
    steps = list(model.iterate(X, triplets=triplets, pairs=pairs, annotators=names))
    totals = [step.bound.total for step in steps]
    assert all(after >= before - 1e-9 for before, after in pairwise(totals))


def test_a_matrix_of_table_i_is_epsilon():
    X, triplets, _ = small_problem(0)
    by_epsilon = DCRC(2, epsilon=0.1, random_state=0).fit(X, triplets=triplets)
    by_matrix = DCRC(2, confusion=error_matrix(0.1), random_state=0).fit(X, triplets=triplets)
    assert by_matrix.lower_bound_ == pytest.approx(by_epsilon.lower_bound_)
    np.testing.assert_allclose(by_matrix.posterior_, by_epsilon.posterior_, atol=1e-6)
    questions = [(0, 1, 2), (3, 4, 5)]
    np.testing.assert_allclose(
        by_matrix.predict_answer_proba(X, questions), by_epsilon.predict_answer_proba(X, questions), atol=1e-6
    )


def test_hard_pairs_hold():
    X = np.random.default_rng(0).normal(size=(30, 2))
    model = DCRC(2, epsilon=0, random_state=0).fit(X, pairs=[(0, 1), (1, 2), (2, 3)], pair_answers=["yes", "no", "no"])
    labels = model.posterior_.argmax(axis=1)
    assert labels[0] == labels[1] == labels[3] != labels[2]


def test_for_two_clusters_dnk_is_a_must_link_of_b_and_c():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 2))
    triplets = np.array([rng.choice(40, 3, replace=False) for _ in range(12)])
    P = DCRC(2, random_state=0).fit(X, triplets=triplets, answers=["dnk"] * 12)
    # y_i is free for either answer, so only the link between B and C is asserted.
    implied = P.predict_answer_proba(X, triplets)[:, 2]
    B, C = (P.predict_proba(X)[triplets[:, place]] for place in (1, 2))
    np.testing.assert_allclose(implied, 0.025 + 0.925 * (B * C).sum(axis=1))


def test_a_pair_that_is_not_known_says_nothing():
    X, triplets, _ = small_problem(1)
    with_dnk = DCRC(2, random_state=0).fit(X, triplets=triplets, pairs=[(0, 1)], pair_answers=["dnk"])
    without = DCRC(2, random_state=0).fit(X, triplets=triplets)
    np.testing.assert_array_equal(with_dnk.coef_, without.coef_)


def test_the_first_answers_do_not_shout():
    """One true answer must not move more points than it has to: the paper's weight relabels up to a quarter."""
    moved = {weighting: [] for weighting in ("steady", "paper")}
    for seed in range(8):
        data = make_dataset("close", seed=seed).standardized()
        before = DCRC(3, random_state=seed).fit(data.X)
        question = ask("random", before.predict_proba(data.X), 1, seed=seed)
        answer = make_oracle("truth", data.y).answer(question)
        for weighting, changes in moved.items():
            after = DCRC(3, weighting=weighting, random_state=seed).fit(data.X, triplets=question, answers=answer)
            changes.append(1 - adjusted_rand_score(before.labels_, after.labels_))
    assert np.mean(moved["steady"]) < 0.6 * np.mean(moved["paper"])


def test_among_very_many_points_a_few_answers_are_heard():
    """Clusters lie one above the other, and K-means sets them apart by where they are longest: answers say so."""
    data = make_dataset("two-ways", n_per_cluster=30_000)
    triplets = ask("random", np.ones((len(data.X), 2)), 40, seed=0)
    answers = implied_answers(data.y, triplets)
    model = DCRC(2, random_state=0).fit(data.X, triplets=triplets, answers=answers)
    assert adjusted_rand_score(data.y, model.labels_) > 0.9


def test_while_no_instance_is_asked_about_twice_the_answers_weigh_as_in_the_paper():
    data = make_dataset("close")
    triplets = np.random.default_rng(0).permutation(150)[:60].reshape(20, 3)  # 90 others: more than 0.3 N
    answers = implied_answers(data.y, triplets)
    steady, paper = (
        DCRC(3, weighting=weighting, random_state=0).fit(data.X, triplets=triplets, answers=answers)
        for weighting in ("steady", "paper")
    )
    np.testing.assert_allclose(steady.coef_, paper.coef_, rtol=1e-6)


def test_more_true_answers_do_not_make_the_clusters_worse():
    """With the paper's weights four answers for each point leave worse clusters than a third of an answer."""
    change = {"steady": [], "paper": []}
    for name in ("close", "elongated", "unbalanced"):
        for seed in range(3):
            data = make_dataset(name, seed=seed).standardized()
            triplets = ask("random", np.ones((150, 3)), 600, seed=seed)
            answers = implied_answers(data.y, triplets)
            for weighting, changes in change.items():
                model, scores = DCRC(3, weighting=weighting, random_state=seed), []
                for M in (45, 600):
                    model.fit(data.X, triplets=triplets[:M], answers=answers[:M])
                    scores.append(adjusted_rand_score(data.y, model.labels_))
                changes.append(scores[1] - scores[0])
    assert np.mean(change["paper"]) < 0 < np.mean(change["steady"])


def test_who_guesses_and_who_exchanges_yes_and_no_is_found():
    data = make_dataset("far", n_per_cluster=40)
    matrices = {"good": error_matrix(0.05), "guesses": np.full((3, 3), 1 / 3), "exchanges": np.eye(3)[[1, 0, 2]]}
    questions = ask("random", np.ones((120, 3)), 180, seed=0)
    names = np.repeat(list(matrices), 60)
    rng = np.random.default_rng(0)
    implied = answer_columns(implied_answers(data.y, questions))
    given = [
        rng.choice(3, p=matrices[name][row] / matrices[name][row].sum())
        for name, row in zip(names, implied, strict=True)
    ]
    answers = np.array([1, -1, 0])[given]
    model = DCRC(3, confusion="learned", random_state=0).fit(
        data.X, triplets=questions, answers=answers, annotators=names
    )
    right = {name: matrix[0, 0] for name, matrix in model.annotators_.items()}
    assert right["good"] > 0.7 > right["guesses"] > right["exchanges"]
    assert adjusted_rand_score(data.y, model.labels_) > 0.95


@pytest.mark.parametrize(
    ("parameters", "said", "message"),
    [
        (
            {"confusion": np.eye(2)},
            {},
            r"confusion must have shape \(3, 3\), got \(2, 2\)",
        ),
        ({"confusion": np.zeros((3, 3))}, {}, "confusion must hold no negative numbers and no row of zeros"),
        ({"confusion": "guessed"}, {}, "confusion must be None, 'learned', 'forced' or a matrix"),
        ({"weighting": "gently"}, {}, "weighting must be one of steady, paper, got 'gently'"),
        ({"weighting": 0}, {}, "weighting must be one of steady, paper, got 0"),
        ({}, {"pairs": [(0, 0)], "pair_answers": ["yes"]}, "two different"),
        ({}, {"pairs": [(0, 1)]}, "pairs"),
        ({}, {"annotators": ["Ann"]}, "annotators need DCRC"),
        ({"confusion": "learned"}, {"annotators": ["Ann"] * 5}, "one name for each answer, got 5 names and 1 answers"),
    ],
)
def test_bad_input_is_told_before_any_work(parameters, said, message):
    X = np.random.default_rng(0).normal(size=(9, 2))
    with pytest.raises(ValueError, match=message):
        DCRC(2, **parameters).fit(X, triplets=Triplets([(0, 1, 2)], ["yes"]), **said)


def forced_choices(seed, n, epsilon=0.05):
    """Three clusters, and people who had to choose: data, questions, what they would have said, what they said."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], 40)
    X = rng.normal(scale=0.7, size=(120, 2)) + np.array([[0, 0], [3, 0], [0, 3]])[y]
    questions = np.array([rng.choice(120, 3, replace=False) for _ in range(n)])
    free = noisy(y, epsilon, seed).answer(questions)
    return X, y, questions, free, np.where(free == 0, rng.choice([1, -1], size=n), free)


def test_people_who_had_to_choose_are_found_and_reported():
    X, y, questions, _, chosen = forced_choices(0, 80)
    with pytest.warns(UserWarning, match="none of the answers is don't know.*forced choices"):
        found = DCRC(3, random_state=0).fit(X, triplets=questions, answers=chosen)
    assert found.forced_
    direct = DCRC(3, random_state=0, confusion="forced").fit(X, triplets=questions, answers=chosen)
    np.testing.assert_array_equal(found.labels_, direct.labels_)
    np.testing.assert_allclose(found.confusion_, forced(error_matrix(0.05)), atol=1e-5)
    # Nobody is expected to say don't know, and the clusters are found in spite of the coins.
    assert found.predict_answer_proba(X, questions)[:, 2].max() < 1e-5
    assert adjusted_rand_score(y, found.labels_) > 0.9
    alike = DCRC(3, random_state=0, confusion=error_matrix(0.05)).fit(X, triplets=questions, answers=chosen)
    assert adjusted_rand_score(y, found.labels_) >= adjusted_rand_score(y, alike.labels_)


@pytest.mark.parametrize("learned", [None, "learned"])
def test_answers_without_their_dont_knows_are_not_forced_choices(learned):
    X, _, questions, free, _ = forced_choices(1, 120)
    decided = Triplets(questions, free).without_dnk()
    assert len(decided) >= 20
    assert not DCRC(3, random_state=0, confusion=learned).fit(X, triplets=decided).forced_


@pytest.mark.parametrize("settings", [{"use_dnk": False}, {"epsilon": 0.0}, {"confusion": error_matrix(0.05)}])
def test_what_was_decided_by_the_user_is_not_found_out(settings):
    X, _, questions, _, chosen = forced_choices(0, 80)
    assert not DCRC(3, random_state=0, **settings).fit(X, triplets=questions, answers=chosen).forced_


def test_few_answers_do_not_tell():
    X, _, questions, _, chosen = forced_choices(0, 19)
    assert not DCRC(3, random_state=0).fit(X, triplets=questions, answers=chosen).forced_


def test_learning_begins_with_forced_choices_where_they_are_found():
    X, y, questions, _, chosen = forced_choices(0, 200)
    with pytest.warns(UserWarning, match="forced choices"):
        model = DCRC(3, random_state=0, confusion="learned").fit(X, triplets=questions, answers=chosen)
    assert model.forced_
    assert adjusted_rand_score(y, model.labels_) > 0.9
    assert model.confusion_[2, 2] < 0.01


def test_steps_of_a_fit_end_where_the_fit_ends():
    X, _, questions, _, chosen = forced_choices(0, 80)
    model = DCRC(3, random_state=0, soft_start=False)
    *_, last = model.iterate(X, triplets=questions, answers=chosen)
    assert last.model.forced_


def test_a_dont_know_contradicts_forced_choices():
    X, _, questions, free, _ = forced_choices(0, 30)
    with pytest.raises(ValueError, match=r"may not say don't know, got one \(answer number \d+\)"):
        DCRC(3, confusion="forced").fit(X, triplets=questions, answers=free)
    DCRC(3, confusion="forced", use_dnk=False, random_state=0).fit(X, triplets=questions, answers=free)
