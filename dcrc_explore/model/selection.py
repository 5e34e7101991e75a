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
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import BaseCrossValidator, KFold
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data
from tqdm.auto import tqdm

from dcrc_explore.constraints import AnswerLike, Pairs, Triplets, check_not_answers
from dcrc_explore.model.estimator import DCRC
from dcrc_explore.model.features import Kernel, make_features
from dcrc_explore.model.held_out import Scoring, as_scoring, held_out
from dcrc_explore.model.prediction import AnswerModel
from dcrc_explore.model.threads import one_thread
from dcrc_explore.model.validation import validated

Folds = Iterable[tuple[NDArray[np.integer], NDArray[np.integer]]]
# What decides the features in which the model is linear.
_OF_FEATURES = ("kernel", "gamma", "degree", "coef0", "n_components")


class DCRCCV(AnswerModel):
    """DCRC with tau and lambda chosen by cross-validated prediction of answers.

    For every pair of `taus` and `lams`, and every fold of the answers, a model is fitted to the answers outside the
    fold and predicts those inside it. The pair with the highest mean score is kept; equal scores, common with few
    answers, are decided by the mean log-probability of the held-out answers. Then DCRC is fitted to all answers.

    In each fold the pair in the middle of the grid is fitted from every start, and the others go on from their
    neighbours towards it. The last fit has every start, and one more: where the chosen pair ended in its best fold.

    Parameters
    ----------
    n_clusters : int, default=3
    taus : sequence of float, default=(0.5, 1.0, 1.5)
    lams : sequence of float, default=(2**-10, 2**-8, 2**-6, 2**-4, 2**-2)
    cv : int, cross-validator or iterable of (train, test), default=5
        Folds of the answers: of the triplets and, after them, of the pairs that somebody decided about. An integer
        shuffles them into so many folds.
    scoring : {"balanced_accuracy", "accuracy", "log_likelihood"} or callable, default="balanced_accuracy"
        What the held-out answers are predicted well by: the mean over yes, no and dnk of the share that is predicted
        right; the share of all of them, as in the paper, which a model with one cluster may have most of when people
        say dnk often; the mean log-probability; or ``scoring(columns, proba)`` with the answers given, 0 / 1 / 2 for
        yes / no / dnk, and their probabilities, shape (M, 3).
    n_jobs : int, default=None
        Number of processes, as in joblib.
    progress : bool, default=False
        Whether to show a progress bar.
    epsilon, balance, use_dnk, weighting, confusion, kernel, gamma, degree, coef0, n_components, n_init, \
soft_start, max_iter, tol, random_state
        As in :class:`DCRC`.

    Attributes
    ----------
    tau_, lam_ : float
        The chosen pair.
    cv_results_ : dict of ndarray
        For each pair: "tau", "lam", and the means over the folds of "accuracy", "balanced_accuracy" and "log_proba",
        and of "score", by which it is chosen; and "fold_accuracy".

    See Also
    --------
    DCRC : Its attributes after fitting are here as well.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dcrc_explore.constraints import implied_answers
    >>> X, y = load_iris(return_X_y=True)
    >>> triplets = np.random.default_rng(0).permuted(np.tile(np.arange(150), (40, 1)), axis=1)[:, :3]
    >>> model = DCRCCV(3, taus=[1.0], lams=[0.001, 0.1], random_state=0)
    >>> model = model.fit(X, triplets=triplets, answers=implied_answers(y, triplets))
    >>> model.lam_ in (0.001, 0.1), model.cv_results_["accuracy"].shape
    (True, (2,))
    """

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        taus: Iterable[float] = (0.5, 1.0, 1.5),
        lams: Iterable[float] = (2**-10, 2**-8, 2**-6, 2**-4, 2**-2),
        cv: int | BaseCrossValidator | Folds = 5,
        scoring: str | Scoring = "balanced_accuracy",
        n_jobs: int | None = None,
        progress: bool = False,
        epsilon: float = 0.05,
        balance: bool = True,
        use_dnk: bool = True,
        weighting: str = "steady",
        confusion: ArrayLike | str | None = None,
        kernel: Kernel = "linear",
        gamma: float | str = "scale",
        degree: int = 3,
        coef0: float = 1.0,
        n_components: int = 500,
        n_init: int = 1,
        soft_start: bool = True,
        max_iter: int = 100,
        tol: float = 1e-4,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.taus = taus
        self.lams = lams
        self.cv = cv
        self.scoring = scoring
        self.n_jobs = n_jobs
        self.progress = progress
        self.epsilon = epsilon
        self.balance = balance
        self.use_dnk = use_dnk
        self.weighting = weighting
        self.confusion = confusion
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_components = n_components
        self.n_init = n_init
        self.soft_start = soft_start
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(
        self,
        X: ArrayLike,
        y: object = None,
        *,
        triplets: ArrayLike | Triplets | None = None,
        answers: AnswerLike | None = None,
        pairs: ArrayLike | Pairs | None = None,
        pair_answers: AnswerLike | None = None,
        annotators: Sequence[str] | None = None,
    ) -> Self:
        """Choose tau and lambda, then fit DCRC to all answers.

        Parameters
        ----------
        X, y, triplets, answers, pairs, pair_answers, annotators
            As in :meth:`DCRC.fit`. Triplets and pairs are held out alike; what one of the `annotators` said is
            predicted by the matrix that was learned for them.

        Returns
        -------
        self : DCRCCV
        """
        check_not_answers(y)
        scoring = as_scoring(self.scoring)
        taus, lams = _numbers("taus", self.taus), _numbers("lams", self.lams)
        # One seed for everything, so that the candidates differ in tau and lambda alone.
        seed = self.random_state
        if not isinstance(seed, int):
            seed = int(check_random_state(seed).randint(2**31))
        grid = list(product(taus, lams))
        for tau, lam in grid:
            candidate = DCRC(tau=tau, lam=lam, random_state=seed, **self._shared_parameters())
            array, given = validated(candidate, X, triplets, answers, pairs, pair_answers, annotators)
        folds = self._folds(len(given), seed)
        # Answers change no features: with those of the kernel every candidate is linear.
        with one_thread():
            features = make_features(array, **{name: getattr(self, name) for name in _OF_FEATURES}, random_state=seed)
        model = DCRC(**self._shared_parameters() | {"kernel": "linear"}, random_state=seed)

        tasks = Parallel(n_jobs=self.n_jobs, return_as="generator")(
            delayed(held_out)(model, features.rows, given[train], given[test], taus, lams, scoring)
            for train, test in folds
        )
        ends = list(tqdm(tasks, total=len(folds), desc="cross-validation", disable=not self.progress))
        scores = {
            name: np.array([[getattr(end, name) for end in ends_of_fold] for ends_of_fold in ends]).T
            for name in ("accuracy", "balanced_accuracy", "log_proba", "score")
        }
        counts = ~np.isnan(scores["accuracy"]).all(axis=0)
        if not counts.any():
            raise ValueError(
                "tau and lam are chosen by predicting held-out answers, but no fold has one to predict: with "
                "use_dnk=False there must be yes / no answers. DCRC itself needs none."
            )
        self.cv_results_ = {
            "tau": np.array([tau for tau, _ in grid]),
            "lam": np.array([lam for _, lam in grid]),
            **{name: values[:, counts].mean(axis=1) for name, values in scores.items()},
            "fold_accuracy": scores["accuracy"],
        }
        best = int(np.lexsort([self.cv_results_["log_proba"], self.cv_results_["score"].round(12)])[-1])
        self.tau_, self.lam_ = grid[best]
        model.set_params(tau=self.tau_, lam=self.lam_).fit(features.rows, **given.said())
        fold = np.lexsort([scores["log_proba"][best, counts], scores["score"][best, counts]])[-1]
        start = ends[np.flatnonzero(counts)[fold]][best].weights
        warm = clone(model).set_params(warm_start=True, n_init=1)
        warm.coef_, warm.intercept_ = start.coef, start.intercept
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            warm.fit(features.rows, **given.said())
        model = max(model, warm, key=lambda fitted: fitted.bound_.rank)
        for name, value in vars(model).items():
            if name not in model.get_params() and not name.startswith("_"):
                setattr(self, name, value)
        validate_data(self, X)
        self.feature_map_ = features.map
        return self

    def _shared_parameters(self) -> dict[str, Any]:
        own = self.get_params(deep=False)
        return {name: own[name] for name in DCRC().get_params() if name in own and name != "random_state"}

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
