"""Choice of tau and lambda by how well held-out answers are predicted (section V)."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from itertools import product
from numbers import Integral
from typing import Any, Self

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import BaseCrossValidator, KFold
from sklearn.utils import Tags, check_random_state, get_tags
from tqdm.auto import tqdm

from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import AnswerLike, Pairs, Triplets, check_not_answers
from dcrc_explore.model.estimator import DCRC
from dcrc_explore.model.features import make_features
from dcrc_explore.model.held_out import End, held_out
from dcrc_explore.model.instances import as_instances
from dcrc_explore.model.prediction import AnswerModel
from dcrc_explore.model.scoring import Scoring, as_scoring
from dcrc_explore.model.softmax import Weights
from dcrc_explore.model.threads import one_thread
from dcrc_explore.model.validation import AnswersByKind, check_parameters, validated

Folds = Iterable[tuple[NDArray[np.integer], NDArray[np.integer]]]
# What decides the features in which the model is linear.
_OF_FEATURES = ("kernel", "gamma", "degree", "coef0", "n_components")


class DCRCCV(AnswerModel):
    """DCRC with tau and lambda chosen by cross-validated prediction of answers.

    For every pair of `taus` and `lams`, and every fold of the answers, a model is fitted to the answers outside the
    fold and predicts those inside it. The pair with the highest mean score is chosen; equal scores, common with few
    answers, are decided by the mean log-probability of the held-out answers. Then DCRC is fitted to all answers.

    In each fold the pair in the middle of the grid is fitted from every start, and the others start from their
    neighbours towards it. The last fit has every start, and one more: where the chosen pair ended in its best fold.

    With few answers the scores are noisy and the choice is uncertain; the defaults of DCRC may then be better.

    Parameters
    ----------
    estimator : DCRC, optional
        What is fitted; its tau and lam are replaced by those of the grid. By default ``DCRC()``. An `n_clusters` of
        "auto" is chosen once, before the search, with its own tau and lam.
    taus : sequence of float, default=(0.5, 1.0, 1.5)
    lams : sequence of float, default=(2**-10, 2**-8, 2**-6, 2**-4, 2**-2)
    cv : int, cross-validator or iterable of (train, test), default=5
        Folds of the answers: of the triplets and, after them, of the pairs with a yes or a no. An integer is the number
        of shuffled folds.
    scoring : {"balanced_accuracy", "accuracy", "log_likelihood"} or callable, default="balanced_accuracy"
        How predictions of held-out answers are scored. "balanced_accuracy" is the mean over yes, no and dnk of the
        share that is predicted right. "accuracy" is the share of all answers, as in the paper; it may choose a single
        cluster when people often say dnk. "log_likelihood" is the mean log-probability. A callable
        ``scoring(columns, proba)`` gets the answers given, 0 / 1 / 2 for yes / no / dnk, and their probabilities, shape
        (M, 3).
    n_jobs : int, default=None
        Number of processes, as in joblib.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    best_estimator_ : DCRC
        The model fitted to all answers with the chosen pair. Its attributes, such as `labels_`, are here as well.
    best_params_ : dict
        The chosen "tau" and "lam".
    best_index_ : int
        Their place in `cv_results_`.
    best_score_ : float
        Their mean score on held-out answers.
    cv_results_ : dict of ndarray
        For each pair, as in scikit-learn's searches: "params", "param_tau", "param_lam", "mean_test_score",
        "std_test_score", "rank_test_score", and for each fold "split0_test_score" and so on. Means and folds are there
        for "accuracy", "balanced_accuracy" and "log_likelihood" as well. Folds without an answer to predict are NaN
        and do not count.

    See Also
    --------
    DCRC : The estimator.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dcrc_explore.constraints import implied_answers
    >>> X, y = load_iris(return_X_y=True)
    >>> triplets = np.random.default_rng(0).permuted(np.tile(np.arange(150), (40, 1)), axis=1)[:, :3]
    >>> model = DCRCCV(DCRC(3, random_state=0), taus=[1.0], lams=[0.001, 0.1])
    >>> model = model.fit(X, triplets=triplets, answers=implied_answers(y, triplets))
    >>> model.best_params_["lam"] in (0.001, 0.1), model.cv_results_["mean_test_score"].shape
    (True, (2,))
    """

    def __init__(
        self,
        estimator: DCRC | None = None,
        *,
        taus: Iterable[float] = (0.5, 1.0, 1.5),
        lams: Iterable[float] = (2**-10, 2**-8, 2**-6, 2**-4, 2**-2),
        cv: int | BaseCrossValidator | Folds = 5,
        scoring: str | Scoring = "balanced_accuracy",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.taus = taus
        self.lams = lams
        self.cv = cv
        self.scoring = scoring
        self.n_jobs = n_jobs
        self.verbose = verbose

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = get_tags(self._base()).input_tags.pairwise
        return tags

    def fit(
        self,
        X: ArrayLike,
        y: object = None,
        answers: AnswerLike | None = None,
        *,
        triplets: ArrayLike | Triplets | None = None,
        pairs: ArrayLike | Pairs | None = None,
        pair_answers: AnswerLike | None = None,
        annotators: Sequence[str] | None = None,
    ) -> Self:
        """Choose tau and lambda, then fit DCRC to all answers.

        Parameters
        ----------
        X, y, triplets, answers, pairs, pair_answers, annotators
            As in :meth:`DCRC.fit`. Triplets and pairs are held out alike; the answers of one of the `annotators` are
            predicted by the matrix that was learned for them.

        Returns
        -------
        self : DCRCCV
        """
        check_not_answers(y)
        scoring = as_scoring(self.scoring)
        taus, lams = _numbers("taus", self.taus), _numbers("lams", self.lams)
        # One seed for everything, so that the candidates differ in tau and lambda alone.
        base = self._base()
        seed = base.random_state
        if not isinstance(seed, int):
            seed = int(check_random_state(seed).randint(2**31))
        base = clone(base).set_params(random_state=seed, warm_start=False)
        grid = [{"tau": tau, "lam": lam} for tau, lam in product(taus, lams)]
        for pair in grid:
            check_parameters(base.set_params(**pair))
        array, given = validated(base, X, triplets, answers, pairs, pair_answers, annotators)
        base.set_params(n_clusters=self._chosen_n_clusters(array, given, seed))
        folds = self._folds(len(given), seed)
        # Answers change no features: with those of the kernel every candidate is linear.
        with one_thread():
            features = make_features(array, **{name: getattr(base, name) for name in _OF_FEATURES}, random_state=seed)
        model = clone(base).set_params(kernel="linear")

        tasks = Parallel(n_jobs=self.n_jobs, return_as="generator")(
            delayed(held_out)(model, features.rows, given[train], given[test], taus, lams, scoring)
            for train, test in folds
        )
        ends = list(tqdm(tasks, total=len(folds), desc="cross-validation", disable=not self.verbose))
        results = _results(grid, ends)
        self.cv_results_ = results
        self.best_index_ = int(
            np.lexsort([results["mean_test_log_likelihood"].round(9), results["mean_test_score"].round(12)])[-1]
        )
        self.best_params_ = grid[self.best_index_]
        self.best_score_ = float(results["mean_test_score"][self.best_index_])
        predicted = [of_fold[self.best_index_] for of_fold in ends if of_fold[self.best_index_].weights is not None]
        start = max(predicted, key=lambda end: (end.score, end.log_likelihood))
        model = _last_fit(model.set_params(**self.best_params_), start.weights, features.rows, given)
        for name, value in vars(model).items():
            if name not in model.get_params() and not name.startswith("_"):
                setattr(self, name, value)
        as_instances(self, X)
        self.feature_map_ = features.map
        self.best_estimator_ = clone(base).set_params(**self.best_params_)
        for name, value in vars(self).items():
            if name.endswith("_") and not name.startswith(("best_", "cv_")):
                setattr(self.best_estimator_, name, value)
        return self

    def _base(self) -> DCRC:
        if self.estimator is not None and not isinstance(self.estimator, DCRC):
            raise TypeError(f"estimator must be a DCRC, as DCRCCV(DCRC(n_clusters=3)), got {self.estimator!r:.60}")
        return DCRC() if self.estimator is None else self.estimator

    def _chosen_n_clusters(self, X: FloatArray, given: AnswersByKind, seed: int) -> int:
        """Return K; "auto" is decided first, with the estimator's own tau and lam, because bounds of others differ."""
        model = clone(self._base()).set_params(random_state=seed)
        with one_thread():
            return model.choose_n_clusters(X, given)

    def _answer_errors(self) -> FloatArray:
        return self.best_estimator_._answer_errors()

    def _folds(self, n_answers: int, seed: int) -> list[tuple[NDArray[np.integer], NDArray[np.integer]]]:
        splitter: Any = self.cv
        if isinstance(splitter, Integral):
            splitter = KFold(int(splitter), shuffle=True, random_state=seed)
        if isinstance(splitter, str) or not (hasattr(splitter, "split") or isinstance(splitter, Iterable)):
            raise ValueError(f"cv must be a number of folds, a cross-validator or (train, test) pairs, got {self.cv!r}")
        if not hasattr(splitter, "split"):
            folds = [(np.asarray(train), np.asarray(test)) for train, test in splitter]
            numbers = np.concatenate([np.empty(0, dtype=np.intp), *(part for fold in folds for part in fold)])
            if not ((numbers >= 0) & (numbers < n_answers)).all():
                got = f"{numbers.min()} to {numbers.max()}"
                raise ValueError(f"cv must hold numbers of the {n_answers} answers, counted from 0, got {got}")
            return folds
        if splitter.get_n_splits() > n_answers:
            raise ValueError(
                f"cross-validation in {splitter.get_n_splits()} folds needs at least as many answers, got {n_answers}"
            )
        return list(splitter.split(np.arange(n_answers)))


def _numbers(name: str, values: Iterable[float]) -> list[float]:
    numbers = list(values) if isinstance(values, Iterable) else []
    if not numbers:
        raise ValueError(f"{name} must be a sequence of at least one number, got {values!r}")
    return numbers


def _results(grid: list[dict[str, float]], ends: list[list[End]]) -> dict[str, NDArray[Any]]:
    """Return the scores of every pair in the form of scikit-learn's searches; ends are by fold, then by pair."""
    scores = {
        name: np.array([[getattr(end, name) for end in of_fold] for of_fold in ends]).T
        for name in ("accuracy", "balanced_accuracy", "log_likelihood", "score")
    }
    counts = ~np.isnan(scores["accuracy"]).all(axis=0)
    if not counts.any():
        raise ValueError(
            "tau and lam are chosen by predicting held-out answers, but no fold has one to predict: with "
            "use_dnk=False there must be yes / no answers. DCRC itself needs none."
        )
    means = {f"mean_test_{name}": values[:, counts].mean(axis=1) for name, values in scores.items()}
    return {
        "params": np.array(grid, dtype=object),
        **{f"param_{name}": np.array([pair[name] for pair in grid]) for name in ("tau", "lam")},
        **means,
        "std_test_score": scores["score"][:, counts].std(axis=1),
        "rank_test_score": rankdata(-means["mean_test_score"].round(12), method="min").astype(np.int32),
        **{f"split{fold}_test_{name}": values[:, fold] for name, values in scores.items() for fold in range(len(ends))},
    }


def _last_fit(model: DCRC, weights: Weights | None, rows: FloatArray, given: AnswersByKind) -> DCRC:
    """Fit to all answers from every start, and from weights; return the fit with the better bound."""
    model.fit_checked(rows, given)
    warm = clone(model).set_params(warm_start=True, n_init=1)
    assert weights is not None
    warm.coef_, warm.intercept_ = weights.coef, weights.intercept
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warm.fit_checked(rows, given)
    return warm if warm.bound_.exceeds(model.bound_) else model
