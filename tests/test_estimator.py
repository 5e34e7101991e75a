"""DCRC as its users meet it."""

import pickle
import warnings

import numpy as np
import pytest
from brute_force import random_triplets
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from sklearn import __version__ as sklearn_version
from sklearn import config_context
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, load_wine, make_blobs, make_circles, make_moons
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.inspection import DecisionBoundaryDisplay
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import euclidean_distances, rbf_kernel
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator
from sklearn.utils.fixes import parse_version
from threadpoolctl import threadpool_info

from dcrc_explore import DCRC, DCRCCV, Answer, Triplets
from dcrc_explore.baselines import list_baselines
from dcrc_explore.constraints import implied_answers, to_pairs
from dcrc_explore.model.starts import answer_labels

# scikit-learn draws probabilities of clusterers since 1.9.
DRAWN = ["predict", "predict_proba"] if parse_version(sklearn_version) >= parse_version("1.9") else ["predict"]

seeds = st.integers(0, 2**32 - 1)


class ClusteringBase(ClusterMixin, BaseEstimator):
    """What scikit-learn itself brings along."""


def true_answers(y, n_answers, seed=0):
    rng = np.random.default_rng(seed)
    indices = np.array([rng.choice(len(y), 3, replace=False) for _ in range(n_answers)])
    return Triplets(indices, implied_answers(y, indices))


@pytest.fixture(scope="module")
def blobs():
    X, y = make_blobs(120, centers=[(0, 0), (2, 0), (1, 2)], cluster_std=0.7, random_state=0)
    return X, y, true_answers(y, 40)


@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_accepts_it():
    check_estimator(DCRC(), on_skip=None)


def same_clustering(one, other):
    return adjusted_rand_score(one, other) == 1.0


class TestMeaning:
    def test_max_iter_0_is_kmeans_followed_by_a_logistic_regression(self, blobs):
        X, _, triplets = blobs
        model = DCRC(lam=0.01, max_iter=0, random_state=3).fit(X, triplets=triplets)
        labels = KMeans(3, n_init=10, random_state=3).fit_predict(X)
        assert same_clustering(model.init_labels_, labels)
        # Mean log-likelihood - lam |w|^2 is scikit-learn's objective with C = 1 / (2 lam N).
        reference = LogisticRegression(C=1 / (2 * 0.01 * len(X)), tol=1e-10).fit(X, model.init_labels_)
        np.testing.assert_allclose(model.predict_proba(X), reference.predict_proba(X), atol=1e-3)
        assert (model.n_iter_, len(model.lower_bounds_)) == (0, 1)

    @pytest.mark.parametrize("epsilon", [2 / 3, 0.6666666667])
    def test_epsilon_two_thirds_equals_learning_without_answers(self, blobs, epsilon):
        X, _, triplets = blobs
        ignoring = DCRC(epsilon=epsilon, random_state=0).fit(X, triplets=triplets)
        without = DCRC(random_state=0).fit(X)
        np.testing.assert_array_equal(ignoring.posterior_, without.posterior_)
        assert ignoring.bound_.answers == 0

    def test_epsilon_above_two_thirds_contradicts_the_answers_and_says_so(self):
        X, y = make_blobs(60, centers=[(0, 0), (6, 0)], random_state=0)
        triplets = true_answers(y, 40).without_dnk()
        with pytest.warns(UserWarning, match="above 2/3"):
            model = DCRC(2, epsilon=0.9, random_state=0).fit(X, triplets=triplets)
        implied = implied_answers(model.posterior_.argmax(axis=1), triplets.indices)
        assert np.mean(implied == triplets.answers) < 0.5

    def test_no_answers_is_plain_discriminative_clustering(self, blobs):
        X, y, _ = blobs
        model = DCRC(random_state=0).fit(X)
        assert adjusted_rand_score(y, model.labels_) > 0.5
        assert model.bound_.answers == 0
        np.testing.assert_array_equal(model.posterior_, model.predict_proba(X))

    def test_answers_can_overrule_what_kmeans_sees(self):
        rng = np.random.default_rng(0)
        X = np.column_stack([rng.normal(size=200) * 0.3 + rng.integers(2, size=200), rng.normal(size=200) * 3])
        y = (X[:, 0] > 0.5).astype(int)  # K-means splits along the second, wider feature
        assert adjusted_rand_score(y, KMeans(2, n_init=10, random_state=0).fit_predict(X)) < 0.1
        model = DCRC(2, random_state=0).fit(X, triplets=true_answers(y, 60))
        assert adjusted_rand_score(y, model.labels_) > 0.8

    def test_hard_answers_are_all_satisfied_when_they_can_be(self):
        X, y = make_blobs(90, centers=[(0, 0), (4, 0), (2, 4)], random_state=1)
        triplets = true_answers(y, 50)
        model = DCRC(epsilon=0, random_state=0).fit(X, triplets=triplets)
        assert model.bound_.satisfied == pytest.approx(50)
        assert np.isfinite(model.lower_bound_)
        np.testing.assert_array_equal(
            implied_answers(model.posterior_.argmax(axis=1), triplets.indices), triplets.answers
        )

    def test_contradictory_answers_never_raise(self, blobs):
        X, _, _ = blobs
        for epsilon in (0, 0.05):
            model = DCRC(epsilon=epsilon, random_state=0)
            model.fit(X, triplets=[(0, 1, 2)] * 3, answers=["yes", "no", "dnk"])
            assert np.isfinite(model.lower_bound_)

    def test_dcrc_yn_is_dcrc_on_the_decided_answers(self, blobs):
        X, _, triplets = blobs
        without = DCRC(use_dnk=False, random_state=0).fit(X, triplets=triplets)
        decided = DCRC(random_state=0).fit(X, triplets=triplets.without_dnk())
        np.testing.assert_array_equal(without.posterior_, decided.posterior_)

    def test_answers_move_the_clustering_towards_the_truth(self, blobs):
        X, y, _ = blobs
        scores = {
            n_answers: np.mean(
                [
                    adjusted_rand_score(y, DCRC(random_state=s).fit(X, triplets=true_answers(y, n_answers, s)).labels_)
                    for s in range(5)
                ]
            )
            for n_answers in (5, 150)
        }
        assert scores[150] > scores[5]

    def test_balance_prefers_clusters_of_similar_size(self):
        X, _ = make_blobs([160, 40], centers=[(0, 0), (2, 0)], random_state=0)
        shares = {
            balance: np.bincount(DCRC(2, balance=balance, random_state=0).fit(X).labels_, minlength=2).max()
            for balance in (True, False)
        }
        assert shares[True] < shares[False]


class TestSymmetries:
    @given(seeds)
    @settings(max_examples=10)
    def test_yes_to_a_question_is_no_to_its_mirror(self, seed):
        rng = np.random.default_rng(seed)
        X, triplets = rng.normal(size=(30, 2)), random_triplets(rng, 30, 15)
        model = DCRC(random_state=0)
        one = clone(model).fit(X, triplets=triplets)
        decided = triplets.answers != Answer.DNK
        mirrored = np.where(decided[:, None], triplets.indices[:, [0, 2, 1]], triplets.indices)
        other = clone(model).fit(X, triplets=mirrored, answers=-triplets.answers)
        np.testing.assert_allclose(one.posterior_, other.posterior_, atol=1e-9)

    @given(seeds, st.sampled_from([0, 0.05]))
    @settings(max_examples=10)
    def test_renaming_rows_and_clusters_changes_nothing(self, seed, epsilon):
        rng = np.random.default_rng(seed)
        X, triplets = rng.normal(size=(30, 2)), random_triplets(rng, 30, 15)
        labels = rng.integers(3, size=30)
        rows, names = rng.permutation(30), rng.permutation(3)
        place = np.argsort(rows)
        # One iteration: over many, rounding in another order can decide between two equally good ways.
        model = DCRC(epsilon=epsilon, max_iter=1)
        one = clone(model).set_params(init=labels)
        other = clone(model).set_params(init=names[labels[rows]])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            one.fit(X, triplets=triplets)
            other.fit(X[rows], triplets=place[triplets.indices], answers=triplets.answers)
        np.testing.assert_allclose(other.posterior_[place][:, names], one.posterior_, atol=1e-4)


class TestFit:
    def test_lower_bounds_rise_and_end_in_lower_bound(self, blobs):
        X, _, triplets = blobs
        model = DCRC(random_state=0).fit(X, triplets=triplets)
        assert np.diff(model.lower_bounds_).min() > -1e-9
        assert model.lower_bounds_[-1] == model.lower_bound_ == model.bound_.total
        assert model.converged_
        assert model.n_iter_ >= len(model.lower_bounds_) - 1

    def test_posterior_is_q_for_constrained_rows_and_p_for_the_others(self, blobs):
        X, _, _ = blobs
        model = DCRC(random_state=0).fit(X, triplets=[(0, 1, 2)], answers=["yes"])
        P = model.predict_proba(X)
        np.testing.assert_allclose(model.posterior_[3:], P[3:], atol=1e-12)
        assert not np.allclose(model.posterior_[:3], P[:3], atol=1e-3)
        np.testing.assert_array_equal(model.labels_, model.predict(X))
        np.testing.assert_allclose(model.posterior_.sum(axis=1), 1)
        assert (model.coef_.shape, model.intercept_.shape) == ((3, 2), (3,))

    def test_several_starts_never_end_with_a_lower_bound(self):
        X, y = load_iris(return_X_y=True)
        triplets = true_answers(y, 20)
        bounds = [DCRC(6, n_init=n, random_state=0).fit(X, triplets=triplets).lower_bound_ for n in (1, 2, 5)]
        assert np.diff(bounds).min() >= 0

    @pytest.mark.parametrize("n_answers", [1, 10, 100])
    def test_other_starts_hardly_ever_end_lower_than_the_plain_one(self, n_answers):
        X, y = load_iris(return_X_y=True)
        bounds = [
            [
                DCRC(K, soft_start=soft, max_iter=300, random_state=seed)
                .fit(X, triplets=true_answers(y, n_answers, seed))
                .lower_bound_
                for soft in (False, True)
            ]
            for K in (3, 4)
            for seed in range(10)
        ]
        gains = np.array([others - plain for plain, others in bounds])
        assert np.mean(gains < -1e-3) <= 0.1
        assert gains.mean() > -1e-3

    def test_a_fit_can_be_replayed_step_by_step(self, blobs):
        X, _, triplets = blobs
        model = DCRC(random_state=0, n_init=2, weighting="paper")
        steps = list(model.iterate(X, triplets=triplets))
        fitted = clone(model).fit(X, triplets=triplets)
        np.testing.assert_array_equal(steps[-1].model.coef_, fitted.coef_)
        np.testing.assert_array_equal(steps[-1].posterior, fitted.posterior_)
        assert steps[-1].bound == fitted.bound_
        assert [steps[0].iteration, steps[-1].iteration] == [0, fitted.n_iter_]
        initial = clone(model).set_params(max_iter=0, n_init=1, init=fitted.init_labels_).fit(X, triplets=triplets)
        np.testing.assert_allclose(steps[0].model.coef_, initial.coef_)
        assert not steps[-1].softened
        assert not hasattr(model, "coef_")

    def test_with_few_answers_em_starts_from_the_fit_without_answers(self):
        X, y = load_iris(return_X_y=True)
        starts = [
            next(DCRC(random_state=seed).iterate(X, triplets=true_answers(y, 5, seed))).proba for seed in range(4)
        ]
        unanswered = DCRC(random_state=0, tol=1e-9).fit(X).predict_proba(X)
        assert any(adjusted_rand_score(P.argmax(axis=1), unanswered.argmax(axis=1)) > 0.95 for P in starts)

    def test_a_step_makes_its_model_once_and_only_when_asked_for(self, blobs):
        X, _, triplets = blobs
        *_, last = DCRC(random_state=0).iterate(X, triplets=triplets)
        assert "model" not in vars(last)
        assert last.model is last.model
        np.testing.assert_array_equal(last.model.lower_bounds_, last.lower_bounds)

    def test_a_fit_can_be_stopped_between_iterations(self, blobs):
        X, _, triplets = blobs
        steps = DCRC(random_state=0).iterate(X, triplets=triplets)
        first, second = next(steps), next(steps)
        assert second.iteration == first.iteration + 1
        assert second.model.predict(X).shape == (len(X),)

    def test_iterate_checks_its_input_at_once(self, blobs):
        with pytest.raises(ValueError, match="three different instances"):
            DCRC().iterate(blobs[0], triplets=[(0, 0, 1)], answers=["yes"])

    def test_warm_start_continues_from_the_last_fit(self, blobs):
        X, y, triplets = blobs
        model = DCRC(random_state=0, warm_start=True).fit(X, triplets=triplets)
        more = triplets + true_answers(y, 1, seed=9)
        again = clone(model).fit(X, triplets=more)
        model.fit(X, triplets=more)
        assert model.n_iter_ < again.n_iter_
        assert model.lower_bound_ == pytest.approx(again.lower_bound_, abs=0.01)
        np.testing.assert_array_equal(model.init_labels_, again.init_labels_)

    def test_warm_start_begins_anew_when_the_shape_of_the_model_changed(self, blobs):
        X, _, triplets = blobs
        model = DCRC(random_state=0, warm_start=True).fit(X, triplets=triplets)
        model.set_params(n_clusters=4).fit(X, triplets=triplets)
        assert model.coef_.shape == (4, 2)
        model.fit(X[:, :1], triplets=triplets)
        assert model.coef_.shape == (4, 1)
        model.fit(X[:50, :1])
        assert model.posterior_.shape == (50, 4)

    def test_stopping_early_warns_and_says_what_to_do(self, blobs):
        X, _, triplets = blobs
        with pytest.warns(ConvergenceWarning, match="raise max_iter"):
            model = DCRC(max_iter=2, random_state=0).fit(X, triplets=triplets)
        assert not model.converged_
        assert model.n_iter_ == 2

    def test_the_same_seed_gives_the_same_fit(self, blobs):
        X, _, triplets = blobs
        one, other = (DCRC(random_state=7).fit(X, triplets=triplets) for _ in range(2))
        np.testing.assert_array_equal(one.coef_, other.coef_)

    def test_a_fit_leaves_the_number_of_threads_as_it_was(self, blobs):
        X, _, triplets = blobs
        before = [library["num_threads"] for library in threadpool_info()]
        next(DCRC(random_state=0).iterate(X, triplets=triplets))
        assert [library["num_threads"] for library in threadpool_info()] == before

    @pytest.mark.parametrize("soft_start", [True, False])
    def test_start_from_given_labels(self, blobs, soft_start):
        X, y, triplets = blobs
        model = DCRC(init=y, soft_start=soft_start).fit(X, triplets=triplets)
        np.testing.assert_array_equal(model.init_labels_, y)


class TestAnswersPredicted:
    def test_probabilities_of_answers_include_the_error(self, blobs):
        X, _, triplets = blobs
        model = DCRC(epsilon=0.2, random_state=0).fit(X, triplets=triplets)
        proba = model.predict_answer_proba(X, triplets.indices)
        np.testing.assert_allclose(proba.sum(axis=1), 1)
        assert proba.min() >= 0.1 - 1e-12
        assert proba.max() <= 0.8 + 1e-12

    def test_predicted_answers_are_the_most_probable(self, blobs):
        X, _, triplets = blobs
        model = DCRC(random_state=0).fit(X, triplets=triplets)
        columns = model.predict_answer_proba(X, triplets.indices).argmax(axis=1)
        expected = [[Answer.YES, Answer.NO, Answer.DNK][column] for column in columns]
        assert model.predict_answers(X, triplets.indices).tolist() == expected

    def test_entropy_is_in_bits_between_zero_and_log2_k(self, blobs):
        X, _, triplets = blobs
        model = DCRC(random_state=0).fit(X, triplets=triplets)
        H = model.entropy(X)
        P = model.predict_proba(X)
        np.testing.assert_allclose(H, -(P * np.log2(P)).sum(axis=1), atol=1e-9)
        assert (H >= 0).all()
        assert (np.log2(3) + 1e-12 >= H).all()


class TestAtHomeInScikitLearn:
    def test_the_public_methods_are_those_of_a_clusterer_that_predicts_answers_and_iterates(self):
        own = {name for name in dir(DCRC) if not name.startswith("_")} - {name for name in dir(ClusteringBase)}
        own -= {"set_fit_request", "set_score_request"}  # added by scikit-learn
        own -= {"choose_n_clusters", "fit_checked", "log_proba_checked"}  # for DCRCCV: what it gives was checked before
        assert own == {
            "fit",
            "iterate",
            "predict",
            "predict_proba",
            "predict_log_proba",
            "score",
            "answer_classes_",
            "entropy",
            "predict_answer_proba",
            "predict_answers",
            "with_answers",
        }

    def test_a_precomputed_kernel_is_cut_in_rows_and_columns(self, blobs):
        X = blobs[0]
        K = rbf_kernel(X, gamma=0.5)
        model = DCRC(3, kernel="precomputed", random_state=0)
        scores = cross_val_score(model, K, cv=3)
        assert ((scores > 0) & (scores <= np.log2(3))).all()
        for search in (model, DCRCCV(model)):
            assert get_tags(search).input_tags.pairwise
        assert not get_tags(DCRC()).input_tags.pairwise

    def test_score_is_the_balanced_accuracy_of_answers_or_the_information_in_clusters(self, blobs):
        X, _, triplets = blobs
        model = DCRC(3, random_state=0).fit(X, triplets=triplets)
        right = model.predict_answers(X, triplets) == triplets.answers
        recalls = [right[triplets.answers == answer].mean() for answer in np.unique(triplets.answers)]
        assert model.score(X, triplets=triplets) == pytest.approx(np.mean(recalls))
        P = model.predict_proba(X)
        mean = P.mean(axis=0)
        assert model.score(X) == pytest.approx(-(mean @ np.log2(mean)) - model.entropy(X).mean())
        with pytest.raises(ValueError, match="at least one answer"):
            model.score(X, triplets=Triplets())

    def test_columns_and_logarithms(self, blobs):
        X, _, triplets = blobs
        model = DCRC(3, random_state=0).fit(X, triplets=triplets)
        np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X))
        best = model.predict_answer_proba(X, triplets).argmax(axis=1)
        np.testing.assert_array_equal(model.answer_classes_[best], model.predict_answers(X, triplets))
        with pytest.raises(NotFittedError):
            DCRC().answer_classes_  # noqa: B018

    def test_verbose_prints_bounds(self, blobs, capsys):
        X, _, triplets = blobs
        model = DCRC(3, random_state=0, verbose=1).fit(X, triplets=triplets)
        lines = capsys.readouterr().out.splitlines()
        assert lines[-1] == f"best of 2 starts and 0 moves: bound {model.lower_bound_:.6g}"
        assert len(lines) == 3
        DCRC(3, random_state=0, verbose=2).fit(X, triplets=triplets)
        assert "start 1 of 2, iteration 1: bound" in capsys.readouterr().out
        DCRC(3, random_state=0).fit(X, triplets=triplets)
        assert capsys.readouterr().out == ""

    def test_ordered_triplets_without_answers_are_those_of_cblearn(self, blobs):
        X, _, triplets = blobs
        ordered = triplets.to_cblearn()
        one = DCRC(3, random_state=0).fit(X, triplets=ordered)
        two = DCRC(3, random_state=0).fit(X, triplets=ordered, answers=["yes"] * len(ordered))
        np.testing.assert_array_equal(one.posterior_, two.posterior_)

    def test_a_confusion_may_be_counted(self, blobs):
        X, _, triplets = blobs
        counts = np.array([[18, 1, 1], [2, 34, 4], [0, 3, 7]])
        one = DCRC(3, random_state=0, confusion=counts).fit(X, triplets=triplets)
        two = DCRC(3, random_state=0, confusion=counts / counts.sum(axis=1, keepdims=True)).fit(X, triplets=triplets)
        np.testing.assert_allclose(one.posterior_, two.posterior_)

    def test_pipeline_routes_triplets_and_answers(self, blobs):
        X, _, triplets = blobs
        routed = {"triplets": triplets.indices, "answers": triplets.answers}
        with config_context(enable_metadata_routing=True):
            model = DCRC(random_state=0)
            model.set_fit_request(triplets=True, answers=True)
            pipeline = make_pipeline(StandardScaler(), model)
            labels = pipeline.fit(X, **routed).predict(X)
            assert same_clustering(pipeline.fit_predict(X, **routed), labels)
        direct = DCRC(random_state=0).fit(StandardScaler().fit_transform(X), triplets=triplets)
        np.testing.assert_array_equal(labels, direct.labels_)

    def test_pickle_keeps_the_predictions(self, blobs):
        X, _, triplets = blobs
        for kernel in ("linear", "rbf"):
            model = DCRC(kernel=kernel, random_state=0).fit(X, triplets=triplets)
            again = pickle.loads(pickle.dumps(model))
            np.testing.assert_allclose(again.predict_proba(X), model.predict_proba(X), atol=1e-9)

    @pytest.mark.parametrize("response", DRAWN)
    def test_decision_boundary_display(self, blobs, response):
        X, _, triplets = blobs
        model = DCRC(random_state=0).fit(X, triplets=triplets)
        display = DecisionBoundaryDisplay.from_estimator(model, X, response_method=response, grid_resolution=10)
        assert display.response.shape[:2] == (10, 10)


class TestKernels:
    def test_rings_and_moons_separate(self):
        for X, y in (
            make_circles(200, factor=0.4, noise=0.05, random_state=0),
            make_moons(200, noise=0.08, random_state=0),
        ):
            triplets = true_answers(y, 60)
            linear, rbf = (
                DCRC(2, kernel=kernel, gamma=gamma, lam=2**-10, random_state=0).fit(X, triplets=triplets)
                for kernel, gamma in (("linear", "scale"), ("rbf", 2.0))
            )
            assert adjusted_rand_score(y, rbf.labels_) > 0.95
            assert adjusted_rand_score(y, linear.labels_) < 0.7

    def test_named_callable_and_precomputed_kernels_agree(self, blobs):
        X, _, triplets = blobs
        K = rbf_kernel(X, gamma=0.5)
        named = DCRC(kernel="rbf", gamma=0.5, random_state=0).fit(X, triplets=triplets)
        called = DCRC(kernel=lambda a, b: np.exp(-0.5 * ((a - b) ** 2).sum()), random_state=0).fit(X, triplets=triplets)
        precomputed = DCRC(kernel="precomputed", random_state=0).fit(K, triplets=triplets)
        new = X[:7] + 0.1
        for other, argument in ((called, new), (precomputed, rbf_kernel(new, X, gamma=0.5))):
            np.testing.assert_allclose(other.predict_proba(argument), named.predict_proba(new), atol=1e-3)

    def test_linear_kernel_of_the_map_equals_the_linear_model(self, blobs):
        X, _, triplets = blobs
        linear = DCRC(random_state=0, tol=1e-9, max_iter=500).fit(X, triplets=triplets)
        mapped = DCRC(kernel=lambda a, b: a @ b, random_state=0, tol=1e-9, max_iter=500).fit(X, triplets=triplets)
        assert mapped.coef_.shape == (3, 2)
        order = linear_sum_assignment(-(linear.posterior_.T @ mapped.posterior_))[1]
        np.testing.assert_allclose(mapped.posterior_[:, order], linear.posterior_, atol=0.01)
        assert mapped.lower_bound_ == pytest.approx(linear.lower_bound_, abs=1e-3)

    def test_many_instances_use_nystroem_features(self):
        X, y = make_moons(700, noise=0.08, random_state=0)
        model = DCRC(2, kernel="rbf", gamma=2.0, lam=2**-10, n_components=100, random_state=0)
        model.fit(X, triplets=true_answers(y, 100))
        assert 50 < model.coef_.shape[1] <= 100
        assert adjusted_rand_score(y, model.labels_) > 0.95

    def test_poly_kernel_learns_a_cross(self):
        rng = np.random.default_rng(0)
        X = rng.uniform(-1, 1, size=(200, 2))
        y = (X[:, 0] * X[:, 1] > 0).astype(int)
        model = DCRC(2, kernel="poly", degree=2, lam=2**-10, random_state=0).fit(X, triplets=true_answers(y, 80))
        assert adjusted_rand_score(y, model.labels_) > 0.8


class TestBadInput:
    X = np.random.default_rng(0).normal(size=(10, 2))

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"n_clusters": 0}, "n_clusters must be a whole number of at least 1 or 'auto', got 0"),
            ({"n_clusters": 2.5}, "n_clusters must be a whole number of at least 1 or 'auto', got 2.5"),
            ({"n_clusters": 11}, "n_samples=10 should be >= n_clusters=11"),
            ({"epsilon": 1.0}, "epsilon must be a number of at least 0 and below 1, got 1.0"),
            ({"epsilon": -0.1}, "epsilon must be a number of at least 0 and below 1, got -0.1"),
            ({"tau": -1.0}, "tau must be a number of at least 0 and at most 1e.06, got -1.0"),
            ({"lam": -1.0}, "lam must be a number of at least 0"),
            ({"max_iter": -1}, "max_iter must be a whole number of at least 0, got -1"),
            ({"n_init": 0}, "n_init must be a whole number of at least 1, got 0"),
            ({"gamma": 0.0}, "gamma must be a number above 0 or 'scale', got 0.0"),
            ({"kernel": "cosmic"}, "kernel must be a callable or one of linear, rbf, poly, precomputed, got 'cosmic'"),
            ({"kernel": "precomputed"}, r"square, symmetric matrix, got shape \(10, 2\)"),
            ({"init": [0, 1]}, "10 cluster numbers from 0 to 2"),
            ({"init": "random"}, "init must be 'kmeans' or"),
            ({"init": [5] * 10}, "10 cluster numbers from 0 to 2"),
        ],
    )
    def test_parameters(self, parameters, message):
        model = DCRC(**parameters)
        with pytest.raises((ValueError, TypeError), match=message):
            model.fit(self.X)
        assert not hasattr(model, "coef_")

    @pytest.mark.parametrize(
        ("triplets", "answers", "message"),
        [
            ([(0, 1, 10)], ["yes"], "between 0 and 9"),
            ([(0, 0, 1)], ["yes"], "three different instances"),
            ([(0, 1, 2)], ["perhaps"], "got 'perhaps'"),
            ([(0, 1, 2)], ["yes", "no"], "got 1 triplets and 2 answers"),
            ([(0, 1)], ["yes"], r"shape \(M, 3\), got \(1, 2\)"),
        ],
    )
    def test_answers(self, triplets, answers, message):
        model = DCRC()
        with pytest.raises(ValueError, match=message):
            model.fit(self.X, triplets=triplets, answers=answers)
        assert not hasattr(model, "coef_")

    def test_answers_about_a_single_cluster(self):
        with pytest.raises(ValueError, match="n_clusters >= 2"):
            DCRC(1).fit(self.X, triplets=[(0, 1, 2)], answers=["yes"])

    def test_answers_given_twice(self):
        with pytest.raises(ValueError, match="got both"):
            DCRC().fit(self.X, triplets=Triplets([(0, 1, 2)], ["yes"]), answers=["yes"])

    def test_nan(self):
        X = self.X.copy()
        X[3, 1] = np.nan
        with pytest.raises(ValueError, match="NaN"):
            DCRC().fit(X)


class TestUnusualData:
    @pytest.mark.parametrize("epsilon", [0, 0.05])
    @pytest.mark.parametrize(
        "X",
        [
            np.zeros((12, 2)),
            np.repeat([[0.0, 1.0], [1.0, 0.0]], 6, axis=0),
            np.column_stack([np.random.default_rng(0).normal(size=12), np.ones(12)]),
            np.random.default_rng(0).normal(size=(12, 30)),
            np.random.default_rng(0).normal(size=(12, 1)) * 1e6,
        ],
        ids=["one point twelve times", "two distinct points", "a constant column", "more columns than rows", "huge"],
    )
    def test_it_works(self, X, epsilon):
        for kernel in ("linear", "rbf"):
            model = DCRC(3, epsilon=epsilon, kernel=kernel, random_state=0)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                model.fit(X, triplets=[(0, 1, 6), (7, 2, 8)], answers=["yes", "dnk"])
            assert np.isfinite(model.posterior_).all()
            assert np.isfinite(model.lower_bound_)

    @pytest.mark.parametrize("scale", [1.0, 1e3, 1e6, 1e9])
    @pytest.mark.parametrize("name", ["more columns than rows", "one-hot", "repeated rows", "columns of constant sum"])
    def test_columns_that_depend_on_each_other_fit_at_any_scale(self, name, scale):
        rng = np.random.default_rng(0)
        shares = rng.dirichlet(np.ones(6), size=40)
        X = {
            "more columns than rows": rng.normal(size=(20, 50)),
            "one-hot": np.eye(6)[rng.integers(6, size=40)],
            "repeated rows": np.repeat(rng.normal(size=(4, 6)), 10, axis=0),
            "columns of constant sum": shares / shares.sum(axis=1, keepdims=True),
        }[name] * scale
        triplets = true_answers(np.arange(len(X)) % 3, 12)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = DCRC(3, random_state=0).fit(X, triplets=triplets)
        assert np.isfinite(model.posterior_).all()
        assert np.isfinite(model.lower_bound_)

    @pytest.mark.parametrize("scale", [1e-6, 1e6])
    def test_the_answers_directions_do_not_depend_on_the_scale(self, blobs, scale):
        X, _, triplets = blobs
        X = np.column_stack([X, X.sum(axis=1)])
        labels = [
            answer_labels(X * factor, *to_pairs(triplets), 3, np.random.RandomState(0)) for factor in (1.0, scale)
        ]
        assert same_clustering(*labels)

    def test_of_equal_directions_of_the_answers_the_seed_chooses(self):
        """One answer leaves most directions open: the last bits of X do not decide."""
        rng = np.random.default_rng(0)
        X, pairs = rng.normal(size=(60, 8)), to_pairs(Triplets([(0, 1, 2)], ["yes"]))
        shaken = X * (1 + 4e-16 * rng.integers(-2, 3, X.shape))
        labels = [answer_labels(rows, *pairs, 5, np.random.RandomState(0)) for rows in (X, shaken)]
        np.testing.assert_array_equal(*labels)

    def test_a_start_that_fails_is_left_out(self):
        assert (
            answer_labels(np.zeros((9, 2)), np.array([[0, 1]]), np.array([[0, 2]]), 2, np.random.RandomState(0)) is None
        )

    def test_every_instance_constrained(self):
        X = np.random.default_rng(0).normal(size=(6, 2))
        model = DCRC(2, random_state=0).fit(X, triplets=[(0, 1, 2), (3, 4, 5)], answers=["yes", "no"])
        assert model.bound_.separation == 0

    def test_as_many_clusters_as_instances(self):
        X = np.random.default_rng(0).normal(size=(4, 2))
        assert DCRC(4, random_state=0).fit(X).labels_.shape == (4,)

    def test_one_answer(self, blobs):
        model = DCRC(random_state=0).fit(blobs[0], triplets=[(0, 1, 2)], answers=[Answer.DNK])
        assert model.bound_.satisfied == pytest.approx(1, abs=0.1)


# What is refused, and what is warned of


@pytest.mark.parametrize("name", ["epsilon", "tau", "lam", "tol", "gamma", "coef0"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_numbers_that_are_none_are_refused(name, value):
    with pytest.raises(ValueError, match=name):
        DCRC(**{name: value}).fit(np.eye(5))


@pytest.mark.parametrize("name", ["balance", "use_dnk", "soft_start", "warm_start"])
def test_a_word_is_not_a_truth_value(name):
    with pytest.raises(TypeError, match=f"{name} must be True or False, got 'no'"):
        DCRC(**{name: "no"}).fit(np.eye(5))


@pytest.mark.parametrize("model", [DCRC(2), DCRCCV(DCRC(2)), *(baseline(2) for baseline in list_baselines().values())])
@pytest.mark.parametrize("questions", [[(0, 1, 2)], np.array([(0, 1, 2)]), Triplets([(0, 1, 2)], ["yes"])])
def test_questions_in_the_place_of_y_are_refused(model, questions):
    """They would be ignored without a word."""
    with pytest.raises(TypeError, match="answers are passed by name"):
        model.fit(np.eye(5), questions)
    with pytest.raises(TypeError, match=r"answers are passed by name, as fit\(X, triplets=..., answers=...\)"):
        model.fit(np.eye(5), questions, ["yes"])


def test_triplets_with_answers_can_be_asked_about():
    X = np.array([[0.0], [0.1], [5.0], [5.1]])
    triplets = Triplets([(0, 1, 2)], ["yes"])
    model = DCRC(2, random_state=0).fit(X, triplets=triplets)
    np.testing.assert_array_equal(model.predict_answers(X, triplets), model.predict_answers(X, triplets.indices))


def test_ragged_triplets_are_named_as_such():
    with pytest.raises(ValueError, match=r"shape \(M, 3\), got rows of different lengths"):
        DCRC().fit(np.eye(5), triplets=[(0, 1, 2), (0, 1)], answers=["yes", "no"])


def test_cluster_numbers_to_start_from_may_be_floats():
    X = np.random.default_rng(0).normal(size=(20, 2))
    labels = np.arange(20) % 3
    whole, floats = (DCRC(init=init).fit(X).labels_ for init in (labels, labels.astype(float)))
    np.testing.assert_array_equal(whole, floats)
    with pytest.raises(ValueError, match=r"20 cluster numbers from 0 to 2.*shape \(20,\) with values like \[0.5"):
        DCRC(init=labels + 0.5).fit(X)


def test_empty_clusters_are_reported_with_what_helps():
    """lam is meant for standardised features: with tiny ones it flattens the model until one cluster is left."""
    X = load_iris().data
    with pytest.warns(ConvergenceWarning, match="2 of 3 clusters are empty: lower lam, standardise X"):
        DCRC(random_state=0).fit(X / 1000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        DCRC(random_state=0).fit((X - X.mean(axis=0)) / X.std(axis=0))


def test_a_precomputed_kernel_must_be_one():
    X = load_iris().data
    distances = euclidean_distances(X)
    with pytest.raises(ValueError, match="square, symmetric matrix, got one that is not symmetric"):
        DCRC(kernel="precomputed").fit(distances + np.arange(len(X)))
    with pytest.warns(UserWarning, match="not positive semidefinite.*exp"):
        DCRC(kernel="precomputed", random_state=0).fit(distances)


def test_a_feature_that_decides_alone_is_named_with_the_remedy():
    X = load_wine().data
    with pytest.warns(UserWarning, match=r"feature 12 has a standard deviation of 314, .* StandardScaler"):
        DCRC(3, random_state=0).fit(X)
    DCRC(3, random_state=0).fit(StandardScaler().fit_transform(X))  # without a warning
