"""The choice of tau and lambda by held-out answers."""

from itertools import product

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import KFold

from dcrc_explore import DCRC, DCRCCV, Pairs, Triplets
from dcrc_explore.constraints import implied_answers
from dcrc_explore.model.held_out import route


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    rng = np.random.default_rng(0)
    indices = np.array([rng.choice(150, 3, replace=False) for _ in range(60)])
    return X, Triplets(indices, implied_answers(y, indices))


SMALL = {"taus": (0.5, 1.0), "lams": (2**-8, 2**-2), "random_state": 0}


SEARCH = {"taus", "lams", "cv", "scoring", "n_jobs", "verbose"}


def searched(**parameters):
    """Return a search, with the parameters of DCRC among the others."""
    of_search = {name: value for name, value in parameters.items() if name in SEARCH}
    return DCRCCV(DCRC(**{name: value for name, value in parameters.items() if name not in SEARCH}), **of_search)


def by_fold(model):
    """Accuracies by pair and fold."""
    names = [name for name in model.cv_results_ if name.startswith("split") and name.endswith("_test_accuracy")]
    return np.column_stack([model.cv_results_[name] for name in names])


def test_the_grid_of_the_paper_is_the_default():
    model = DCRCCV()
    assert list(model.taus) == [0.5, 1, 1.5]
    assert list(model.lams) == [2**-10, 2**-8, 2**-6, 2**-4, 2**-2]
    assert model.cv == 5


@pytest.mark.slow
def test_accuracies_are_those_of_models_that_did_not_see_the_held_out_answers(iris):
    X, triplets = iris
    folds = list(KFold(3, shuffle=True, random_state=1).split(np.arange(60)))
    for tau, lam in product(SMALL["taus"], SMALL["lams"]):
        model = searched(cv=folds, taus=[tau], lams=[lam], random_state=0).fit(X, triplets=triplets)
        for f, (train, test) in enumerate(folds):
            fitted = DCRC(tau=tau, lam=lam, random_state=0).fit(X, triplets=triplets[train])
            accuracy = np.mean(fitted.predict_answers(X, triplets.indices[test]) == triplets.answers[test])
            assert model.cv_results_[f"split{f}_test_accuracy"][0] == pytest.approx(accuracy)
        np.testing.assert_allclose(model.cv_results_["mean_test_accuracy"], by_fold(model).mean(axis=1))


@pytest.mark.parametrize(("n_taus", "n_lams"), [(1, 1), (3, 5), (2, 4), (1, 3)])
def test_every_pair_is_fitted_once_and_goes_on_from_a_neighbour(n_taus, n_lams):
    taus, lams = list(range(n_taus))[::-1], [2.0**-n for n in range(n_lams)]
    way = list(route(taus, lams))
    assert sorted(place for place, _ in way) == list(range(n_taus * n_lams))
    seen = set()
    for place, last in way:
        if last is not None:
            distance = abs(place // n_lams - last // n_lams) + abs(place % n_lams - last % n_lams)
            assert (last in seen, distance) == (True, 1)
        seen.add(place)
    assert [last for _, last in way].count(None) == 1


@pytest.mark.slow
def test_the_last_fit_is_never_worse_than_one_from_the_usual_starts(iris):
    X, triplets = iris
    for seed in range(3):
        chosen = searched(**SMALL | {"random_state": seed}, cv=3).fit(X, triplets=triplets)
        direct = DCRC(tau=chosen.best_params_["tau"], lam=chosen.best_params_["lam"], random_state=seed).fit(
            X, triplets=triplets
        )
        assert chosen.lower_bound_ >= direct.lower_bound_ - 1e-9


@pytest.mark.parametrize("kernel", ["rbf", "precomputed"])
def test_kernels_are_those_of_the_estimator(iris, kernel):
    X, triplets = iris
    K = X if kernel == "rbf" else rbf_kernel(X, gamma=0.5)
    chosen = searched(n_clusters=3, kernel=kernel, gamma=0.5, taus=[1.0], lams=[0.01], cv=2, random_state=0).fit(
        K, triplets=triplets
    )
    direct = DCRC(3, kernel=kernel, gamma=0.5, tau=1.0, lam=0.01, random_state=0).fit(K, triplets=triplets)
    assert chosen.n_features_in_ == K.shape[1]
    assert chosen.predict_proba(K[:7]).shape == (7, 3)
    if chosen.lower_bound_ == pytest.approx(direct.lower_bound_, abs=1e-9):
        np.testing.assert_allclose(chosen.predict_proba(K), direct.predict_proba(K), atol=1e-9)


def test_the_best_pair_is_saved_and_refitted_to_all_answers(iris):
    X, triplets = iris
    model = searched(**SMALL).fit(X, triplets=triplets)
    results = model.cv_results_
    chosen = model.best_index_
    assert results["mean_test_accuracy"][chosen] == results["mean_test_accuracy"].max()
    ties = results["mean_test_accuracy"] == results["mean_test_accuracy"].max()
    assert results["mean_test_log_likelihood"][chosen] == results["mean_test_log_likelihood"][ties].max()
    direct = DCRC(**model.best_params_, random_state=0).fit(X, triplets=triplets)
    assert model.lower_bound_ >= direct.lower_bound_
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    assert model.predict_answer_proba(X, triplets.indices).shape == (60, 3)
    assert model.entropy(X).shape == (150,)


@pytest.mark.slow
def test_several_processes_choose_the_same(iris):
    X, triplets = iris
    one, two = (searched(n_jobs=n_jobs, cv=3, **SMALL).fit(X, triplets=triplets) for n_jobs in (1, 2))
    np.testing.assert_allclose(by_fold(one), by_fold(two))
    assert one.best_params_ == two.best_params_


def test_without_dnk_the_same_folds_are_used_and_dnk_does_not_count(iris):
    X, triplets = iris
    folds = [(np.arange(30, 60), np.arange(30)), (np.arange(30), np.arange(30, 60))]
    model = searched(cv=folds, use_dnk=False, **SMALL).fit(X, triplets=triplets)
    decided = [int(np.count_nonzero(triplets.answers[test])) for _, test in folds]
    counts = by_fold(model) * decided
    np.testing.assert_allclose(counts, np.rint(counts), atol=1e-9)
    only_dnk = Triplets(triplets.indices, np.where(np.arange(60) < 30, 0, triplets.answers))
    assert np.isfinite(
        searched(cv=folds, use_dnk=False, **SMALL).fit(X, triplets=only_dnk).cv_results_["mean_test_accuracy"]
    ).all()


def test_a_progress_bar_is_shown_on_request(iris, capsys):
    X, triplets = iris
    searched(cv=2, taus=[1.0], lams=[0.1], verbose=1, random_state=0).fit(X, triplets=triplets)
    assert "cross-validation" in capsys.readouterr().err
    searched(cv=2, taus=[1.0], lams=[0.1], random_state=0).fit(X, triplets=triplets)
    assert capsys.readouterr().err == ""


def test_it_can_be_cloned_and_reaches_the_parameters_of_dcrc():
    model = DCRCCV(DCRC(4, epsilon=0.1, kernel="rbf"), lams=[0.1])
    copied = clone(model).set_params(estimator__epsilon=0.2)
    assert copied.estimator.get_params() == model.estimator.get_params() | {"epsilon": 0.2}
    assert copied.lams == [0.1]
    with pytest.raises(TypeError, match=r"estimator must be a DCRC, as DCRCCV\(DCRC\(n_clusters=3\)\), got 3"):
        DCRCCV(3).fit(np.eye(4))


def test_results_are_named_as_in_searches_of_scikit_learn(iris):
    X, triplets = iris
    given = DCRC(3, random_state=0)
    model = DCRCCV(given, taus=(0.5, 1.0), lams=(2**-8, 2**-2), cv=3).fit(X, triplets=triplets)
    found = model.cv_results_
    assert model.best_params_ == found["params"][model.best_index_]
    assert model.best_score_ == found["mean_test_score"].max()
    assert found["rank_test_score"][model.best_index_] == 1
    folds = np.array([found[f"split{f}_test_score"] for f in range(3)])
    np.testing.assert_allclose(found["mean_test_score"], folds.mean(axis=0))
    np.testing.assert_allclose(found["std_test_score"], folds.std(axis=0))
    best = model.best_estimator_
    assert isinstance(best, DCRC)
    assert {name: best.get_params()[name] for name in ("tau", "lam")} == model.best_params_
    np.testing.assert_array_equal(best.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(best.labels_, model.labels_)
    assert not hasattr(given, "coef_")


@pytest.mark.parametrize(
    ("parameters", "n_answers", "message"),
    [
        ({}, 3, "5 folds needs at least as many answers, got 3"),
        ({}, 0, "5 folds needs at least as many answers, got 0"),
        ({"taus": []}, 20, "at least one number"),
        ({"taus": [-1.0]}, 20, "tau must be a number of at least 0 and at most 1e.06, got -1.0"),
        ({"epsilon": 2.0}, 20, "epsilon must be a number of at least 0 and below 1, got 2.0"),
        ({"n_clusters": 200}, 20, "n_samples=150 should be >= n_clusters=200"),
    ],
)
def test_bad_input_is_named_before_any_work(iris, parameters, n_answers, message):
    X, triplets = iris
    model = searched(**parameters)
    with pytest.raises(ValueError, match=message):
        model.fit(X, triplets=triplets[:n_answers])
    assert not hasattr(model, "cv_results_")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"taus": 1.0}, "taus must be a sequence of at least one number, got 1.0"),
        ({"lams": []}, r"lams must be a sequence of at least one number, got \[\]"),
        ({"cv": "five"}, "cv must be a number of folds, .* got 'five'"),
        ({"cv": 2.5}, "cv must be a number of folds, .* got 2.5"),
        ({"use_dnk": False}, "no fold has one to predict"),
    ],
)
def test_what_can_not_be_chosen_from_is_an_error(parameters, message):
    X = np.random.default_rng(0).normal(size=(12, 2))
    questions = np.arange(12).reshape(4, 3)
    with pytest.raises(ValueError, match=message):
        searched(**{"cv": 2, "random_state": 0} | parameters).fit(X, triplets=questions, answers=["dnk"] * 4)


def test_folds_may_be_numbered_by_numpy():
    X = np.random.default_rng(0).normal(size=(12, 2))
    model = searched(taus=[1.0], lams=[0.1], cv=np.int64(2), random_state=0)
    assert model.fit(X, triplets=[(0, 1, 2), (3, 4, 5)], answers=["yes", "no"]).best_params_["lam"] == 0.1


def test_the_grid_may_be_any_iterable():
    X = np.random.default_rng(0).normal(size=(12, 2))
    model = searched(taus=iter([1.0]), lams=iter([0.1, 0.2]), cv=2, random_state=0)
    model.fit(X, triplets=[(0, 1, 2), (3, 4, 5)], answers=["yes", "no"])
    assert model.cv_results_["param_lam"].tolist() == [0.1, 0.2]


def test_scores_are_what_they_are_called():
    X, y = load_iris(return_X_y=True)
    triplets = np.random.default_rng(0).permuted(np.tile(np.arange(150), (60, 1)), axis=1)[:, :3]
    said = {"triplets": triplets, "answers": implied_answers(y, triplets)}
    seen = []

    def share_of_yes(columns, proba):
        seen.append((columns, proba))
        return float(np.mean(columns == 0))

    grid = {"taus": [1.0], "lams": [0.01], "cv": 3, "random_state": 0}
    found = searched(n_clusters=3, scoring=share_of_yes, **grid).fit(X, **said).cv_results_
    recalls = [
        np.mean([np.mean(proba.argmax(axis=1)[columns == c] == c) for c in np.unique(columns)])
        for columns, proba in seen
    ]
    assert found["mean_test_balanced_accuracy"][0] == pytest.approx(np.mean(recalls))
    assert found["mean_test_score"][0] == pytest.approx(np.mean([np.mean(columns == 0) for columns, _ in seen]))


def test_an_unknown_score_is_refused():
    with pytest.raises(ValueError, match="scoring must be a callable or one of balanced_accuracy, accuracy"):
        searched(scoring="f1").fit(np.zeros((4, 1)), triplets=[(0, 1, 2)], answers=["yes"])


def test_triplets_and_pairs_are_held_out_alike(iris):
    X, triplets = iris
    y = load_iris().target
    pairs = np.array([np.random.default_rng(seed).choice(150, 2, replace=False) for seed in range(30)])
    said = ["dnk" if t == 7 else "yes" if y[i] == y[j] else "no" for t, (i, j) in enumerate(pairs)]
    decided = np.delete(np.arange(30), 7)
    links = Pairs(pairs[decided], [said[t] for t in decided])
    folds = list(KFold(3, shuffle=True, random_state=1).split(np.arange(60 + 29)))
    model = searched(cv=folds, taus=[1.0], lams=[0.01], random_state=0)
    model.fit(X, triplets=triplets, pairs=pairs, pair_answers=said)
    for f, (train, test) in enumerate(folds):
        fitted = DCRC(tau=1.0, lam=0.01, random_state=0).fit(
            X, triplets=triplets[train[train < 60]], pairs=links[train[train >= 60] - 60]
        )
        of_triplets, of_pairs = triplets[test[test < 60]], links[test[test >= 60] - 60]
        right = [*(fitted.predict_answers(X, of_triplets) == of_triplets.answers)]
        P = fitted.predict_proba(X)
        right += [(P[i] @ P[j] > 0.5) == (answer == 1) for (i, j), answer in of_pairs]
        assert model.cv_results_[f"split{f}_test_accuracy"][0] == pytest.approx(np.mean(right))
    direct = DCRC(tau=1.0, lam=0.01, random_state=0).fit(X, triplets=triplets, pairs=links)
    assert model.lower_bound_ >= direct.lower_bound_ - 1e-9


def test_pairs_alone_are_enough(iris):
    X, _ = iris
    y = load_iris().target
    pairs = np.array([np.random.default_rng(seed).choice(150, 2, replace=False) for seed in range(40)])
    model = searched(**SMALL, cv=2).fit(X, pairs=pairs, pair_answers=np.where(y[pairs[:, 0]] == y[pairs[:, 1]], 1, -1))
    assert model.cv_results_["mean_test_accuracy"].max() > 0.6
    assert (model.cv_results_["mean_test_log_likelihood"] < 0).all()


def test_people_who_exchange_yes_and_no_are_predicted_by_their_own_matrix(iris):
    X, triplets = iris
    names = np.where(np.arange(60) % 3 == 0, "exchanges", "good")
    said = np.where(names == "good", triplets.answers, -triplets.answers)
    model = searched(taus=[1.0], lams=[0.01], cv=3, random_state=0, confusion="learned", epsilon=0.15)
    heard = clone(model).fit(X, triplets=triplets.indices, answers=said, annotators=names)
    alike = clone(model).fit(X, triplets=triplets.indices, answers=said)
    # Twenty answers do not show for certain who exchanges yes and no: their most probable answer is seldom another one
    # (0.78 of the answers are right with matrices, 0.80 without, one of 60 apart), but its probability is.
    assert heard.cv_results_["mean_test_log_likelihood"][0] > alike.cv_results_["mean_test_log_likelihood"][0] + 0.1
    assert set(heard.annotators_) == {"exchanges", "good"}


@pytest.mark.parametrize(
    ("parameters", "said", "message"),
    [
        ({}, {"annotators": ["Ann"] * 60}, r"annotators need .*, got confusion=None"),
        ({"confusion": "learned"}, {"annotators": ["Ann"] * 59}, "one name for each answer, got 59 names and 60"),
        ({}, {"pairs": [(0, 0)], "pair_answers": ["yes"]}, r"pair"),
        ({}, {"pairs": [(0, 1)]}, "pairs and answers belong together"),
        ({"cv": [([0, 1], [60])]}, {}, "cv must hold numbers of the 60 answers, counted from 0, got 0 to 60"),
    ],
)
def test_bad_pairs_people_and_folds_are_named(iris, parameters, said, message):
    X, triplets = iris
    with pytest.raises(ValueError, match=message):
        searched(**SMALL | parameters).fit(X, triplets=triplets, **said)
