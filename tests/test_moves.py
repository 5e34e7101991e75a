"""Moves to a better optimum: what is proposed is a clustering, and the bound never falls."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcrc_explore import DCRC
from dcrc_explore.constraints import implied_answers
from dcrc_explore.model.moves import proposal
from dcrc_explore.questions import ask


@given(st.integers(0, 2**32 - 1), st.integers(2, 6))
def test_a_move_splits_one_cluster_and_leaves_the_others_whole(seed, n_clusters):
    rng = np.random.default_rng(seed)
    X, labels = rng.normal(size=(40, 3)), rng.integers(0, n_clusters, 40)
    new = proposal(X, labels, n_clusters, np.random.RandomState(seed % 2**31))
    split = [k for k in range(n_clusters) if len(np.unique(new[labels == k])) > 1]
    assert len(split) <= 1  # the half may be all of it where points coincide
    assert set(new) <= set(range(n_clusters))


@pytest.mark.parametrize("labels", [[0, 1, 2], [0, 0, 0]])
def test_clusters_of_a_few_points_are_not_split(labels):
    assert proposal(np.zeros((3, 2)), np.array(labels), 3, np.random.RandomState(0)) is None


def test_moves_find_groups_that_k_means_can_not_see():
    """Two groups differ in a feature of small variance; K-means, and EM from it, cut along the large one."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 60)
    X = np.column_stack([rng.normal(size=120), rng.uniform(-3, 3, 120), 0.6 * (2 * y - 1) + 0.1 * rng.normal(size=120)])
    questions = ask("random", np.ones((120, 2)), 12, seed=0)
    answers = implied_answers(y, questions)
    bounds = [
        DCRC(2, n_init=n, soft_start=False, random_state=0).fit(X, triplets=questions, answers=answers).lower_bound_
        for n in (1, 15)
    ]
    assert bounds[1] > bounds[0] + 0.5
