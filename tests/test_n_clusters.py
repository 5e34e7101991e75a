"""The number of clusters, chosen by the answers."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from sklearn.base import clone

from dcrc_explore import DCRC, DCRCCV
from dcrc_explore.arrays import IntArray
from dcrc_explore.constraints import Answer, Triplets, implied_answers
from dcrc_explore.datasets import make_dataset
from dcrc_explore.model.em import Bound
from dcrc_explore.model.n_clusters import Candidate, best, candidates, penalised_bound, scan
from dcrc_explore.model.weighting import WEIGHTINGS, Counts
from dcrc_explore.questions import random_triplets

data = make_dataset("far", seed=1)
QUESTIONS: IntArray = random_triplets(len(data.X), 50, seed=1)
GIVEN = Triplets(QUESTIONS, implied_answers(data.y, QUESTIONS))
PAIRS = [(0, 1), (0, 149)], ["yes", "no"]


@pytest.fixture(scope="module")
def chosen() -> DCRC:
    return DCRC("auto", random_state=0).fit(data.X, triplets=GIVEN)


@pytest.mark.parametrize("weighting", list(WEIGHTINGS))
def test_the_criterion_is_the_bound_less_a_penalty_for_each_cluster(weighting: str) -> None:
    model = DCRC(4, random_state=0, max_iter=5, weighting=weighting)
    *_, step = model.iterate(data.X, triplets=GIVEN, pairs=PAIRS[0], pair_answers=PAIRS[1])
    M, asked = 52, len(np.unique([*QUESTIONS.ravel(), *np.ravel(PAIRS[0])]))
    divisor = M if weighting == "paper" else max(M * asked / (3 * 50 + 2 * 2), 0.05 * 150)
    assert WEIGHTINGS[weighting](Counts(150, asked, 50, 2)).answers == pytest.approx(divisor)
    bound: Bound = step.bound
    assert penalised_bound(step) == pytest.approx(bound.total - 3 * 0.75 * log(M) / divisor)


def test_auto_takes_the_number_with_the_best_criterion_of_fits_one_by_one(chosen: DCRC) -> None:
    values = {}
    for K in range(2, 11):
        *_, step = DCRC(K, epsilon=0.15, random_state=0).iterate(data.X, triplets=GIVEN)
        values[K] = penalised_bound(step)
    assert chosen.n_clusters_ == max(values, key=values.__getitem__) == 3


def test_auto_then_fits_as_if_the_number_had_been_set(chosen: DCRC) -> None:
    same = DCRC(3, random_state=0).fit(data.X, triplets=GIVEN)
    np.testing.assert_array_equal(chosen.coef_, same.coef_)
    assert same.n_clusters_ == 3
    assert chosen.n_clusters == "auto"
    assert clone(chosen).get_params()["n_clusters"] == "auto"
    *_, step = clone(chosen).iterate(data.X, triplets=GIVEN)
    np.testing.assert_array_equal(step.model.labels_, same.labels_)


def test_hard_answers_are_judged_as_soft_ones() -> None:
    assert DCRC("auto", epsilon=0, random_state=0).fit(data.X, triplets=GIVEN).n_clusters_ == 3


def test_cross_validation_takes_the_chosen_number() -> None:
    search = DCRCCV(DCRC("auto", random_state=0), taus=[1.0], lams=[2**-6], cv=2).fit(data.X, triplets=GIVEN)
    assert search.n_clusters_ == search.best_estimator_.n_clusters == 3


def test_no_more_clusters_are_tried_than_there_are_instances() -> None:
    model = DCRC("auto", random_state=0).fit([[0.0], [0.1], [5.0]], triplets=[(0, 1, 2)], answers=["yes"])
    assert model.n_clusters_ in (2, 3)
    assert list(candidates(3)) == [2, 3]


def test_a_scan_can_be_ended() -> None:
    ends = iter([True] * 3)
    steps = scan(lambda K: DCRC(K).iterate(data.X, triplets=GIVEN), candidates(150), lambda: next(ends, False))
    assert steps is None


def test_of_equal_numbers_the_smaller_is_best() -> None:
    assert best([Candidate(2, 1.0), Candidate(3, 1.0)]) == 2


@pytest.mark.parametrize(
    ("parameters", "given", "match"),
    [
        ({}, Triplets(), "chosen by the answers, got none"),
        ({"use_dnk": False}, Triplets([(0, 1, 2)], [Answer.DNK]), "chosen by the answers, got none"),
        ({"epsilon": 2 / 3}, GIVEN, "got epsilon=0.667, which ignores them"),
        ({"init": np.zeros(150, dtype=int)}, GIVEN, "needs init='kmeans'"),
    ],
)
def test_auto_says_what_it_needs(parameters: dict, given: Triplets, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        DCRC("auto", **parameters).fit(data.X, triplets=given)


def test_another_word_is_refused() -> None:
    with pytest.raises(TypeError, match="n_clusters must be a whole number of at least 1 or 'auto', got 'many'"):
        DCRC("many").fit(data.X, triplets=GIVEN)
