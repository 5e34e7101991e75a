"""A whole exploration in one call."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from dcrc_explore import DCRC, Triplets
from dcrc_explore.annotators import FunctionAnnotator, truth
from dcrc_explore.constraints import implied_answers
from dcrc_explore.datasets import make_dataset
from dcrc_explore.interview import interview
from dcrc_explore.questions import list_strategies


@pytest.fixture(scope="module")
def data():
    return make_dataset("close", seed=0).standardized()


def by_class(a, b, c):
    return int(implied_answers([a, b, c], [(0, 1, 2)])[0])


@pytest.mark.parametrize("strategy", list_strategies())
def test_answers_are_asked_for_and_learned_from(data, strategy):
    found = interview(DCRC(data.n_classes, random_state=0), data.X, by_class, items=data.y, n=12, strategy=strategy)
    assert len(found.triplets) == len(found.replies) == 12
    np.testing.assert_array_equal(found.triplets.answers, truth(data.y).answer(found.triplets.indices))
    direct = DCRC(data.n_classes, random_state=0).fit(data.X, triplets=found.triplets)
    assert adjusted_rand_score(found.model.labels_, direct.labels_) == 1
    assert len({tuple(row) for row in found.triplets.indices.tolist()}) == 12


def test_it_goes_on_from_what_is_known_and_ends_with_the_budget(data):
    before = Triplets([(0, 1, 2)], [by_class(*data.y[:3])])
    annotator = FunctionAnnotator(by_class, data.y, max_questions=5)
    found = interview(DCRC(data.n_classes, random_state=0), data.X, annotator, triplets=before, n=30)
    assert len(found.replies) == annotator.asked == 5
    assert found.triplets[:1] == before
    assert len(found.triplets) == 6


def test_what_fails_or_is_skipped_is_not_learned_from_and_not_asked_again(data):
    seen = []

    def moody(a, b, c):
        seen.append((a, b, c))
        if len(seen) % 3 == 0:
            raise OSError("busy")
        return None if len(seen) % 3 == 1 else by_class(data.y[a], data.y[b], data.y[c])

    annotator = FunctionAnnotator(moody, range(len(data.X)), retries=0)
    model = DCRC(data.n_classes, random_state=0)
    found = interview(model, data.X, annotator, n=9, strategy="random")
    assert (len(found.replies), len(found.triplets)) == (9, 3)
    assert len(set(seen)) == 9
    assert not hasattr(model, "coef_")


def test_items_must_be_those_of_the_rows(data):
    with pytest.raises(ValueError, match="items must be one for each row of X, got 3 items"):
        interview(DCRC(3), data.X, by_class, items=[1, 2, 3])
    with pytest.raises(ValueError, match="n must be a whole number of at least 0, got -1"):
        interview(DCRC(3), data.X, by_class, n=-1)
