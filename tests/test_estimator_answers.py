"""Answers that travel with the estimator, and no number from rows that are not those of the answers."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, cross_val_score, permutation_test_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from dcrc_explore import DCRC, DCRCCV, Pairs
from dcrc_explore.baselines import ITML
from dcrc_explore.constraints import Log, implied_answers
from dcrc_explore.questions import random_triplets

X, Y = make_blobs(60, centers=[(0, 0), (2, 0), (1, 2)], cluster_std=0.7, random_state=0)
ASKED = random_triplets(20, 20, seed=0)  # small numbers: they are rows of every fold, too
SAID = implied_answers(Y, ASKED)
ANSWERS = {"triplets": ASKED, "answers": SAID}


@pytest.fixture(scope="module")
def direct():
    return DCRC(3, random_state=0).fit(X, **ANSWERS)


@pytest.mark.parametrize(
    "given", [{**ANSWERS}, {"triplets": Log().plus(ASKED, SAID)}, {**ANSWERS, "pairs": Pairs([(0, 1)], ["dnk"])}]
)
def test_fit_without_answers_learns_from_those_that_travel(direct, given):
    model = DCRC(3, random_state=0).with_answers(**given, n_samples=60)
    for each in (model, clone(model), clone(model).set_params(tau=1.0), pickle.loads(pickle.dumps(model))):
        np.testing.assert_allclose(each.fit(X).posterior_, direct.posterior_)
    assert repr(model.given).endswith("about 60 rows>")
    pipeline = clone(make_pipeline(StandardScaler(with_mean=False, with_std=False), model))
    np.testing.assert_array_equal(pipeline.fit_predict(X), direct.labels_)
    search = DCRCCV(model, taus=[1.0], lams=[0.1], cv=2).fit(X)
    assert search.best_params_ == {"tau": 1.0, "lam": 0.1}


def test_a_topic_model_gets_labels_and_predictions(direct):
    model = DCRC(3, random_state=0).with_answers(**ANSWERS, n_samples=60)
    model.fit(X, y=None)  # as BERTopic calls it
    np.testing.assert_array_equal(model.labels_, direct.labels_)
    np.testing.assert_array_equal(model.predict(X[:3]), direct.predict(X[:3]))


@pytest.mark.parametrize(
    ("do", "message"),
    [
        (lambda: DCRC().with_answers([(0, 1, 60)], ["yes"], n_samples=60), "between 0 and 59"),
        (lambda: DCRC().with_answers([(0, 1, 2)], ["yes"], n_samples=60).fit(X[:50]), "about 60 rows, got 50.*DCRCCV"),
        (lambda: DCRC().with_answers(**ANSWERS, n_samples=60).fit(X, **ANSWERS), "brings its own answers"),
        (lambda: DCRC().with_answers(Log(), ["yes"], n_samples=60), "a log has its own answers"),
        (lambda: DCRC().with_answers([(0, 1, 2)], ["yes"], n_samples=0), "n_samples must be a whole number"),
    ],
)
def test_answers_about_other_rows_are_refused(do, message):
    with pytest.raises(ValueError, match=message):
        do()


def test_given_must_be_answers():
    with pytest.raises(TypeError, match=r"given must be None or made by DCRC\.with_answers, got 7"):
        DCRC(given=7).fit(X)


SEARCH = {"param_grid": {"tau": [0.5, 1.0]}, "cv": 3}


@pytest.mark.parametrize(
    "do",
    [
        lambda: GridSearchCV(DCRC(3), **SEARCH).fit(X, **ANSWERS),
        lambda: GridSearchCV(DCRC(3), **SEARCH, scoring="adjusted_rand_score").fit(X, Y, **ANSWERS),
        lambda: GridSearchCV(DCRC(3).with_answers(**ANSWERS, n_samples=60), **SEARCH).fit(X),
        lambda: GridSearchCV(DCRC(3), **SEARCH, n_jobs=2).fit(X, **ANSWERS),
        lambda: GridSearchCV(ITML(3), {"n_clusters": [3]}, cv=3, scoring="adjusted_rand_score").fit(X, Y, **ANSWERS),
        lambda: GridSearchCV(make_pipeline(StandardScaler(), DCRC(3)), {"dcrc__tau": [1.0]}, cv=3).fit(
            X, dcrc__triplets=ASKED, dcrc__answers=SAID
        ),
        lambda: cross_val_score(DCRC(3), X, cv=3, params=ANSWERS),
        lambda: permutation_test_score(
            DCRC(3).with_answers(**ANSWERS, n_samples=60), X, Y, cv=3, scoring="adjusted_rand_score"
        ),
        lambda: RandomizedSearchCV(DCRC(3), {"tau": [0.5, 1.0]}, n_iter=2, cv=3).fit(X, **ANSWERS),
        lambda: cross_val_score(
            DCRC(3), X, cv=[(np.arange(60)[::-1], np.arange(60))], params=ANSWERS, error_score="raise"
        ),
        # As many rows as the answers are about, and others.
        lambda: BaggingClassifier(DCRC(3).with_answers(**ANSWERS, n_samples=60), 2).fit(X, Y),
        lambda: BaggingClassifier(make_pipeline(StandardScaler(), DCRC().with_answers(**ANSWERS, n_samples=60)), 2).fit(
            X, Y
        ),
    ],
)
def test_folds_of_rows_give_no_number(do):
    with pytest.raises(ValueError, match="DCRCCV"):
        do()


def test_metadata_routing_reaches_a_pipeline_in_a_search():
    with config_context(enable_metadata_routing=True):
        model = DCRC(3, random_state=0).set_fit_request(triplets=True, answers=True)
        model.set_score_request(triplets=True, answers=True)
        pipeline = make_pipeline(StandardScaler(), model)
        whole = [(np.arange(60), np.arange(60))]  # every row stays, in its order
        search = GridSearchCV(pipeline, {"dcrc__tau": [0.5, 1.0]}, cv=whole).fit(X, **ANSWERS)
        by_hand = [clone(pipeline).set_params(dcrc__tau=tau).fit(X, **ANSWERS) for tau in (0.5, 1.0)]
        # A search of scikit-learn 1.6 hands no answers to the score of a pipeline: the score is the bound.
        handed = ANSWERS if int(sklearn.__version__.split(".")[1]) > 6 else {}
        expected = [each[-1].score(each[:-1].transform(X), **handed) for each in by_hand]
        np.testing.assert_allclose(search.cv_results_["mean_test_score"], expected)
        assert search.best_score_ > 0.5
        with pytest.raises(ValueError, match="DCRCCV"):
            GridSearchCV(pipeline, {"dcrc__tau": [0.5, 1.0]}, cv=3).fit(X, **ANSWERS)
        scored = (
            DCRC(3, random_state=0)
            .set_score_request(triplets=True, answers=True)
            .set_fit_request(triplets=False, answers=False)
        )
        with pytest.raises(ValueError, match="DCRCCV"):
            cross_val_score(scored, X, cv=3, params=ANSWERS, error_score="raise")


def test_an_index_that_answers_may_mean_is_warned_of():
    frame = pd.DataFrame(X, index=np.arange(len(X)) + 5)
    with pytest.warns(UserWarning, match="has an index of its own, 5, 6, 7, ...: pass X.reset_index"):
        model = DCRC(3, random_state=0).fit(frame, **ANSWERS)
    same = DCRC(3, random_state=0).fit(frame.reset_index(drop=True), **ANSWERS)  # without a warning
    np.testing.assert_array_equal(model.labels_, same.labels_)
    DCRC(3, random_state=0).fit(frame)
    DCRC(3, random_state=0).fit(frame.set_axis([f"b{i}" for i in frame.index]), **ANSWERS)
