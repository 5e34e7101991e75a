"""The baselines solve the problems that their docstrings state, and behave alike at the door."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import check_grad, linprog, minimize
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.metrics import accuracy_score, adjusted_rand_score, balanced_accuracy_score

from dcrc_explore import DCRC, Triplets
from dcrc_explore.baselines import (
    ITML,
    LSML,
    BestKMeans,
    DCRCWithoutAnswers,
    SchultzJoachims,
    SparseLP,
    SSSVaD,
    Xing,
    compare_methods,
    list_baselines,
    list_methods,
    logdet,
    tune,
    tune_pairs,
    xing,
)
from dcrc_explore.constraints import Log, implied_answers, to_pairs
from dcrc_explore.metrics import pairwise_f

METRICS = [Xing, ITML, LSML, SchultzJoachims, SparseLP]
LEARNERS = [*METRICS, SSSVaD]


def reference_pairs():
    """Points on sines and cosines in three shifted classes, and pairs: the numbers below belong to them."""
    t = np.arange(60)
    X = np.column_stack([np.sin(1.3 * t), np.cos(2.1 * t + 0.3), np.sin(0.7 * t * t % 7), np.cos(3.7 * t) * 2])
    X += np.repeat([[0, 0, 0, 0], [1.5, 0, 0, 0], [0, 1.5, 0, 0]], 20, axis=0)
    i = np.arange(0, 60, 3)
    must_link = np.column_stack([i, (i * 7 + 3) % 20 + 20 * (i // 20)])
    cannot_link = np.column_stack([i, (i + 20 + (i * 3) % 20) % 60])
    near, far = (X[pairs[:, 0]] - X[pairs[:, 1]] for pairs in (must_link, cannot_link))
    return X, near, far


def stretched(n=40, seed=0):
    """Three classes along the first of three features, the others being wider noise."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], n)
    X = rng.normal(size=(3 * n, 3)) * [0.4, 6.0, 3.0]
    X[:, 0] += 3 * y
    questions = rng.permuted(np.tile(np.arange(3 * n), (200, 1)), axis=1)[:, :3]
    return X, y, Triplets(questions, implied_answers(y, questions))


# ITML(gamma=gamma, tol=1e-12, max_iter=200000).fit(pairs, labels, bounds=[1, 9]).get_mahalanobis_matrix() of
# metric-learn 0.7.0 with scikit-learn 1.7.2 on reference_pairs().
ITML_REFERENCE = {
    0.1: [
        [0.66742482, -0.01338812, 0.12728802, 0.05579088],
        [-0.01338812, 0.54071563, 0.04528475, 0.00245637],
        [0.12728802, 0.04528475, 0.62525063, -0.02895249],
        [0.05579088, 0.00245637, -0.02895249, 0.22315181],
    ],
    10.0: [
        [0.67095387, -0.12650036, 0.23240283, 0.0520231],
        [-0.12650036, 0.39028431, 0.06668374, 0.00317166],
        [0.23240283, 0.06668374, 0.16928228, 0.00747272],
        [0.0520231, 0.00317166, 0.00747272, 0.10245552],
    ],
}


@pytest.mark.parametrize("gamma", ITML_REFERENCE)
def test_itml_finds_the_metric_of_metric_learn(gamma):
    _, near, far = reference_pairs()
    L = logdet.minimise_logdet(near, far, ITML(gamma=gamma)._loss(1.0, 9.0))
    np.testing.assert_allclose(L @ L.T, ITML_REFERENCE[gamma], atol=2e-6)


def test_xing_has_the_derivatives_of_metric_learn_and_a_better_end():
    """metric-learn's line search has the wrong sign of the logarithm and stops early, so its end is only a bound."""
    X, near, far = reference_pairs()
    scatter, far2 = np.sum(near**2, axis=0), far**2
    # sum of must-links minus MMC(diagonal=True)._D_constraint of metric-learn 0.7.0, value and first derivative.
    value, gradient = xing.objective(np.array([0.02, 0.007, 0.001, 0.0005]), scatter, far2)
    assert value == pytest.approx(-0.9813280850917737, rel=1e-6)
    np.testing.assert_allclose(gradient, [1.40136917, 1.94630454, 9.5875999, 14.92763895], rtol=1e-6)
    # From our optimum, MMC(diagonal=True, init=...) goes nowhere; from the identity it ends at these weights.
    w = np.diag(Xing()._learn(X, near, far)) ** 2
    np.testing.assert_allclose(w, [0.01933541, 0.00666439, 0.0, 0.00017394], atol=2e-7)
    end = np.array([2.94255697, 1.09646356, 0.0, 0.0])
    end *= 0.5 / (scatter @ end)  # the best length for that direction
    assert xing.objective(w, scatter, far2)[0] < xing.objective(end, scatter, far2)[0]


@pytest.mark.parametrize("loss", [LSML(C=50.0)._loss, ITML(gamma=0.5)._loss(1.0, 9.0)], ids=["LSML", "ITML"])
def test_logdet_gradient_is_that_of_its_objective(loss):
    _, near, far = reference_pairs()
    L = np.eye(4) + 0.1 * np.random.default_rng(0).normal(size=(4, 4))

    def value(x):
        return logdet.objective(x.reshape(4, 4), near, far, loss)[0]

    def gradient(x):
        return logdet.objective(x.reshape(4, 4), near, far, loss)[1].ravel()

    assert check_grad(value, gradient, L.ravel()) < 1e-5 * np.linalg.norm(gradient(L.ravel()))


def test_lsml_end_is_a_minimum():
    _, near, far = reference_pairs()
    loss = LSML(C=50.0)._loss
    L = logdet.minimise_logdet(near, far, loss)
    best = logdet.objective(L, near, far, loss)[0]
    rng = np.random.default_rng(0)
    # The problem is convex in A, so it is enough to look around.
    for scale in (1e-3, 1e-2, 1e-1):
        for _ in range(20):
            other = np.linalg.cholesky(L @ L.T + 1e-9 * np.eye(4)) + scale * rng.normal(size=(4, 4))
            assert logdet.objective(other, near, far, loss)[0] >= best - 1e-7


@pytest.mark.parametrize("C", [0.001, 0.1, 10.0])
def test_schultz_joachims_solves_its_quadratic_programme(C):
    X, near, far = reference_pairs()
    D = far**2 - near**2
    T, d = D.shape
    w = np.diag(SchultzJoachims(C=C)._learn(X, near, far)) ** 2
    primal = 0.5 * w @ w + C * np.maximum(1 - D @ w, 0).sum()
    # The same problem as stated, in w and xi, by a general solver.
    reference = minimize(
        lambda z: 0.5 * z[:d] @ z[:d] + C * z[d:].sum(),
        np.r_[np.zeros(d), np.ones(T)],
        jac=lambda z: np.r_[z[:d], np.full(T, C)],
        bounds=[(0, None)] * (d + T),
        constraints={
            "type": "ineq",
            "fun": lambda z: D @ z[:d] - 1 + z[d:],
            "jac": lambda z: np.hstack([D, np.eye(T)]),
        },
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert primal == pytest.approx(reference.fun, rel=1e-4, abs=1e-8)


@pytest.mark.parametrize("gamma", [0.1, 3.0])
def test_sparse_lp_solves_the_programme_with_diagonal_dominance(gamma):
    X, near, far = reference_pairs()
    T, d = near.shape
    L = SparseLP(gamma=gamma)._learn(X, near, far)
    A = L @ L.T
    slack = np.maximum(1 - np.einsum("td,de,te->t", far, A, far) + np.einsum("td,de,te->t", near, A, near), 0)
    assert (2 * np.diag(A) - np.abs(A).sum(axis=1) > -1e-7).all()

    # As stated: entries A = P - Q of an upper triangle, slacks, and one constraint of dominance for each row.
    rows, columns = np.triu_indices(d)
    twice = np.where(rows == columns, 1.0, 2.0)
    D = (near[:, rows] * near[:, columns] - far[:, rows] * far[:, columns]) * twice
    dominance = np.zeros((d, len(rows)))
    for e, (f, g) in enumerate(zip(rows, columns, strict=True)):
        dominance[f, e], dominance[g, e] = (-1, -1) if f == g else (1, 1)
    on_diagonal = rows == columns
    stated = linprog(
        np.r_[gamma * twice, gamma * twice, np.ones(T)],
        A_ub=sparse.bmat([[D, -D, -np.eye(T)], [dominance, np.where(on_diagonal, -dominance, dominance), None]]),
        b_ub=np.r_[-np.ones(T), np.zeros(d)],
    )
    assert slack.sum() + gamma * np.abs(A).sum() == pytest.approx(stated.fun, rel=1e-6)


@pytest.mark.parametrize(("lam", "gamma"), [(0.1, 0.05), (0.1, 1.0), (10.0, 0.05), (10.0, 1.0)])
def test_sssvad_never_raises_its_objective(lam, gamma):
    X, _, triplets = stretched()
    model = SSSVaD(3, lam=lam, gamma=gamma, random_state=0).fit(X, triplets=triplets)
    assert (np.diff(model.objectives_) <= 1e-12).all()
    np.testing.assert_allclose(model.weights_.sum(axis=1), 1)


@pytest.mark.parametrize("method", METRICS)
def test_answers_reveal_the_narrow_direction(method):
    X, y, triplets = stretched()
    before, after = BestKMeans(3, random_state=0).fit(X), method(3, random_state=0).fit(X, triplets=triplets)
    assert pairwise_f(y, before.labels_) < 0.5
    assert pairwise_f(y, after.labels_) > 0.9
    given = triplets.without_dnk()
    assert np.mean(after.predict_answers(X, given.indices) == given.answers) > 0.9


def test_labels_are_those_of_kmeans_in_the_learned_space():
    X, _, triplets = stretched()
    model = ITML(3, random_state=0).fit(X, triplets=triplets)
    best = KMeans(3, n_init=50, random_state=0).fit(model.transform(X))
    np.testing.assert_array_equal(model.labels_, best.labels_)


@pytest.mark.parametrize("method", list_baselines().values())
def test_mirrored_questions_and_dnk_change_nothing(method):
    X, _, triplets = stretched()
    if method in LEARNERS:
        triplets = triplets.without_dnk()
    mirrored = Triplets(triplets.indices[:, [0, 2, 1]], -triplets.answers)
    with_dnk = triplets + Triplets([(0, 1, 2), (5, 50, 100)], ["dnk", "dnk"])
    first, *others = (
        method(3, random_state=0).fit(X, triplets=t.indices, answers=t.answers).labels_
        for t in (triplets, mirrored, with_dnk)
    )
    for other in others:
        assert pairwise_f(first, other) == 1.0


@pytest.mark.parametrize("method", LEARNERS)
@pytest.mark.parametrize("answers", [["dnk"], []])
def test_without_yes_or_no_it_is_kmeans_and_says_so(method, answers):
    X, _, _ = stretched()
    with pytest.warns(UserWarning, match="learns from yes / no answers and got none"):
        model = method(3, random_state=0).fit(X, triplets=[(0, 1, 2)] * len(answers), answers=answers)
    assert pairwise_f(BestKMeans(3, random_state=0).fit(X).labels_, model.labels_) == 1.0


@pytest.mark.parametrize("method", list_baselines().values())
def test_the_door(method):
    X, _, _ = stretched(5)
    model = method(3, random_state=0)
    for call, message in [
        (lambda: model.fit(X, triplets=[(0, 1)], answers=["yes"]), r"shape \(M, 3\)"),
        (lambda: model.fit(X, triplets=[(0, 1, 99)], answers=["yes"]), "between 0 and 14"),
        (lambda: model.fit(X, triplets=[(0, 1, 2)], answers=["maybe"]), "'maybe'"),
        (lambda: model.fit(X, answers=["yes"]), "belong together"),
        (lambda: model.fit(X[:2]), "n_samples=2"),
        (lambda: method(0).fit(X), "n_clusters must be a whole number of at least 1.*, got 0"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()
    assert not hasattr(model, "labels_")


@pytest.mark.parametrize("method", LEARNERS)
def test_parameters_must_be_positive(method):
    X, _, _ = stretched(5)
    for name in method.grid:
        with pytest.raises(ValueError, match=f"{name} must be a number above 0, got 0"):
            method(3, **{name: 0}).fit(X)


@pytest.mark.parametrize("method", LEARNERS)
def test_equal_points_and_constant_features_work(method):
    X = np.array([[0.0, 1.0], [0.0, 1.0], [2.0, 1.0], [2.0, 1.0], [2.1, 1.0]])
    # The second answer wants two equal points apart, which no metric can do.
    model = method(2, random_state=0).fit(X, triplets=[(0, 1, 2), (2, 4, 3)], answers=["yes", "yes"])
    assert np.isfinite(model.labels_).all()
    assert pairwise_f([0, 0, 1, 1, 1], model.labels_) == 1.0


def test_dcrc_without_answers_is_dcrc():
    X, _, triplets = stretched()
    np.testing.assert_array_equal(
        DCRCWithoutAnswers(3, random_state=0).fit(X, triplets=triplets).labels_, DCRC(3, random_state=0).fit(X).labels_
    )


def test_pairs_inferred_from_answers_give_the_same_metric():
    X, _, triplets = stretched()
    for method in (Xing, ITML):
        by_answers = method(3, random_state=0).fit(X, triplets=triplets)
        by_pairs = method(3, random_state=0).fit_pairs(X, *to_pairs(triplets))
        np.testing.assert_array_equal(by_answers.components_, by_pairs.components_)
        np.testing.assert_array_equal(by_answers.labels_, by_pairs.labels_)
    with pytest.raises(TypeError, match="learns from triplets only"):
        LSML(3).fit_pairs(X, *to_pairs(triplets))
    with pytest.raises(ValueError, match=r"must-links must have shape \(M, 2\), got \(1, 3\)"):
        ITML(3).fit_pairs(X, [(0, 1, 2)], [(0, 1)])
    with pytest.raises(ValueError, match=r"cannot-link indices must be between 0 and 119 .*, got \(0, 120\)"):
        ITML(3).fit_pairs(X, [(0, 1)], [(0, 120)])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scoring", "score"), [({}, balanced_accuracy_score), ({"scoring": "accuracy"}, accuracy_score)]
)
def test_tuning_takes_the_parameters_with_the_best_score(scoring, score):
    X, _, triplets = stretched()
    folds = [(np.arange(100), np.arange(100, 200)), (np.arange(100, 200), np.arange(100))]
    choice = tune(LSML(3), X, triplets, folds, **scoring)
    means = {}
    for C in LSML.grid["C"]:
        scores = []
        for train, test in folds:
            held_out = triplets[test].without_dnk()
            model = LSML(3, C=C, random_state=0).fit(X, triplets=triplets[train])
            scores.append(score(held_out.answers, model.predict_answers(X, held_out.indices)))
        means[C] = np.mean(scores)
    assert choice.score == pytest.approx(max(means.values()))
    assert means[choice.parameters["C"]] == pytest.approx(choice.score)


def test_tuning_lives_with_folds_that_teach_nothing():
    X, _, triplets = stretched()
    dnk = Triplets(triplets.indices, np.zeros(len(triplets), dtype=int))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        choice = tune(ITML(3), X, dnk, [(np.arange(100), np.arange(100, 200))])
    assert np.isnan(choice.score)
    assert choice.parameters == {"gamma": ITML().gamma}


def test_tuning_on_pairs_tells_links_apart():
    X, y, triplets = stretched()
    pairs = np.vstack(to_pairs(triplets))
    together = y[pairs[:, 0]] == y[pairs[:, 1]]
    order = np.random.default_rng(0).permutation(len(pairs))
    half = len(pairs) // 2
    choice = tune_pairs(ITML(3), X, pairs, together, [(order[:half], order[half:])])
    assert choice.score > 0.95
    assert tune_pairs(Xing(3), X, pairs, together, [(order[:half], order[half:])]).parameters == {}


@pytest.mark.parametrize("method", list_baselines().values())
def test_parameters_survive_clone(method):
    model = method(4, random_state=3)
    assert clone(model).get_params() == model.get_params()


def test_all_methods_take_the_same_answers_in_one_call():
    X, y, triplets = stretched(20)
    found = compare_methods(X, triplets, y=y)
    assert [result.method for result in found] == list(list_methods())
    for result in found:
        assert result.labels.shape == y.shape
        assert result.ari == pytest.approx(adjusted_rand_score(y, result.labels))
        assert result.seconds > 0
    by_name = {result.method: result for result in found}
    direct = LSML(len(np.unique(y)), random_state=0).fit(X, triplets=triplets)
    np.testing.assert_array_equal(by_name["LSML"].labels, direct.labels_)
    log = Log().plus(triplets.indices, triplets.answers)
    np.testing.assert_array_equal(compare_methods(X, log, y=y, methods=["LSML"])[0].labels, direct.labels_)
    without = compare_methods(X, triplets, n_clusters=3, methods=["K-means"])
    assert without[0].ari is None
    assert without[0].held_out is None


def test_methods_are_compared_by_answers_where_there_is_no_truth():
    X, _, triplets = stretched(20)
    said = {"pairs": [(0, 1)], "pair_answers": ["yes"]}
    first, second = compare_methods(X, triplets, n_clusters=3, **said, methods=["DCRC", "K-means"], folds=3)
    for found in (first, second):
        right = implied_answers(found.labels, triplets.indices) == triplets.answers
        assert found.satisfied == pytest.approx(np.append(right, found.labels[0] == found.labels[1]).mean())
    # K-means takes no answers, so that those held out are satisfied as the others are.
    assert second.held_out == pytest.approx(right.mean())
    assert 0 <= first.held_out <= 1


def test_pairs_are_used_by_those_who_can_and_the_others_say_so():
    X, y, triplets = stretched(20)
    said = {"pairs": [(0, 1), (0, len(y) - 1)], "pair_answers": ["yes", "no"]}
    notes = {result.method: result.note for result in compare_methods(X, triplets, y=y, **said)}
    takes = [name for name, method in list_baselines().items() if getattr(method, "takes_pairs", False)]
    assert takes
    assert not [name for name in ("DCRC", *takes) if "not used" in notes[name]]
    assert notes["LSML" if "LSML" not in takes else "SSSVaD"] == "Answers about pairs are not used."


def test_a_method_that_fails_or_warns_says_why():
    X, y, _ = stretched(20)
    result = compare_methods(X, Triplets(), y=y, methods=["LSML"])[0]
    assert "learns from yes / no answers and got none" in result.note
    broken = X.copy()
    broken[3, 1] = np.nan
    failed = compare_methods(broken, Triplets(), y=y, methods=["LSML", "DCRC"])
    assert [each.labels for each in failed] == [None, None]
    assert all("got NaN in row 3, column 1" in each.note for each in failed)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"methods": ["SVM"]}, "methods must be among DCRC, DCRC-YN, .* got 'SVM'"),
        ({"y": None}, "n_clusters is needed where no classes y are given"),
        ({"triplets": Log(), "answers": []}, "a log has its own answers and pairs"),
        ({"y": [0, 1]}, r"y must be one class for each row of X, shape \(\d+,\), got \(2,\)"),
    ],
)
def test_a_comparison_that_makes_no_sense_is_refused(settings, message):
    X, y, triplets = stretched(5)
    with pytest.raises(ValueError, match=message):
        compare_methods(X, **{"triplets": triplets, "y": y} | settings)
