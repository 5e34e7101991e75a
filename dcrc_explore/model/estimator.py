"""DCRC as a scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils import Tags

from dcrc_explore.arrays import FloatArray, RandomState
from dcrc_explore.constraints import AnswerLike, Log, Pairs, Triplets, check_not_answers
from dcrc_explore.model.em import Problem
from dcrc_explore.model.features import Features, Kernel, make_features
from dcrc_explore.model.moves import moved
from dcrc_explore.model.n_clusters import best, candidates, scan, soft_epsilon
from dcrc_explore.model.noise import had_to_choose
from dcrc_explore.model.path import EMStep, Path, best_steps
from dcrc_explore.model.prediction import AnswerModel
from dcrc_explore.model.starts import make_starts, warm_starts
from dcrc_explore.model.threads import one_thread, stepwise_on_one_thread
from dcrc_explore.model.validation import (
    NOTHING,
    AnswersByKind,
    GivenAnswers,
    detects_forced,
    ignores_answers,
    is_word,
    noise_model,
    validated,
    warn_of_fit,
    warn_of_scales,
)


class DCRC(AnswerModel):
    r"""Discriminative clustering with relative constraints.

    Fits P(y|x; W), a multinomial logistic model of cluster membership, to answers to questions of the form "is x_i more
    similar to x_j than to x_k?" and to the instances without answers. It maximises

    .. math:: \frac1A \log P(L | X_I; W) - \lambda R(W)
              + \tau \Big[H(\hat y | X; W) - \frac1B \sum_{j \in U} H(y_j | x_j; W)\Big]

    that is, the likelihood of the answers, small weights, clusters of similar size (when `balance` is set: Eq. (9),
    otherwise Eq. (8)) and confident memberships of the instances U that stand in no question. A and B follow from
    `weighting`.

    Parameters
    ----------
    n_clusters : int or "auto", default=3
        K, the number of clusters; with answers at least 2. With "auto" the answers choose K from 2 to 10: the
        largest bound minus ``3 (K - 1) ln(M) / (4 A)`` (:mod:`~dcrc_explore.model.n_clusters`). This takes nine fits
        and needs some forty answers, best from questions that look for further groups (``open_ended`` in
        :func:`~dcrc_explore.questions.guided_questions`).
    epsilon : float in [0, 1), default=0.05
        Probability that an answer is wrong. 0 makes answers hard; 2/3 ignores them. With few hard answers clusters are
        often uneven even with `balance`: the boundary bends to instances that must be on one side of it. EM then ends
        below the best bound more often (see `n_init`), but the clusters of the best bound are as uneven.
    tau : float, default=1.0
        Weight of cluster separation and cluster balance.
    lam : float, default=2**-6
        Weight of the squared norm of W; the bias is not regularised. Its effect is larger for smaller values of X: the
        paper's grids, and this default, are meant for standardised features.
    balance : bool, default=True
        Whether clusters of similar size are preferred.
    use_dnk : bool, default=True
        Whether to learn from don't-know answers. False gives the paper's DCRC-YN.
    weighting : {"steady", "paper"}, default="steady"
        What A and B are. With "steady", A is the number of answers that mention each asked instance once,
        ``M |I| / (3 T + 2 P)`` for T triplets and P pairs, but at least 0.1 N (40 at most), so that the first answers
        weigh little. B is ``|U|``, but at least 0.3 N. Answers then keep their weight however many there are. With
        "paper", A = M and B = ``|U|``: one answer alone has the weight of all instances together, and many answers,
        though true, can make the clustering worse.
    confusion : array-like of shape (3, 3), "learned" or "forced", optional
        How people err, instead of epsilon: P(given | implied) or counts, rows implied, columns given, in the order yes,
        no, dnk. "learned" begins with epsilon and learns it from the answers, for each of the `annotators` of
        :meth:`fit` alone. "forced" is for people who may not say don't know: when unsure, they guess yes or no. None
        and "learned" switch to this with a warning if there are at least 20 answers without a dnk, and clusters fitted
        without it agree with less than half of them. With several `annotators`, each one with at least 20 answers and
        no dnk starts from forced choices.
    kernel : {"linear", "rbf", "poly", "precomputed"} or callable, default="linear"
        With "precomputed", X is the kernel matrix between instances and those of the fit. A callable gets two
        instances, each of shape (n_features,), and returns a number.
    gamma : float or "scale", default="scale"
        Parameter of "rbf" and "poly"; "scale" is 1 / (n_features * X.var()).
    degree : int, default=3
        Degree of "poly".
    coef0 : float, default=1.0
        Constant of "poly".
    n_components : int, default=500
        With a kernel and more instances than this, Nystroem features of this dimension are used.
    init : "kmeans" or array-like of shape (N,), default="kmeans"
        Cluster numbers 0 to K - 1 from which EM starts, by way of a logistic regression, instead of those of K-means.
    n_init : int, default=1
        Number of searches for a better bound. Each one after the first is a move: EM continues from the best fit so far
        with one of its clusters split. With few answers 5 to 20 moves find better optima, at a fifth of a fit each.
    soft_start : bool, default=True
        Whether EM starts in other ways than the paper's. The objective is the same, and the fit with the best bound is
        chosen. One start is K-means along the directions in which the answers separate instances; where there are none,
        the paper's start takes its place. The other is the fit without answers. With the weighting "paper" it has a
        smaller tau and a larger lambda at first instead, so that the answers count before the other instances have
        settled. With fewer than four instances for each feature, as with a kernel, both are tried while there are up to
        0.3 N answers, and the latter beyond. False starts as the paper does.
    max_iter : int, default=100
        Largest number of EM iterations. 0 returns the initialisation: K-means, then a logistic regression. Of more than
        80,000 instances without answers, EM first takes a sample; iterations on it count only in a softened start.
    tol : float, default=1e-4
        EM stops when the bound rises by less than this.
    warm_start : bool, default=False
        Whether `fit` continues from the last weights and memberships, as after an answer was added. Weights may also
        be set by hand, as `coef_` and `intercept_`.
    random_state : int, RandomState instance or None, default=None
        Seeds K-means and the choice of Nystroem's instances.
    verbose : int, default=0
        1 prints the bound at the end of each start, 2 after each EM iteration.
    given : GivenAnswers, optional
        Answers that the estimator brings along, for programs that call ``fit(X)``: see :meth:`with_answers`.

    Attributes
    ----------
    n_clusters_ : int
        K; the chosen one with ``n_clusters="auto"``.
    labels_ : ndarray of shape (N,)
        Most probable cluster of each instance; the same as ``predict(X)``.
    coef_ : ndarray of shape (K, n_features)
        Weights; with a kernel, of the kernel's features.
    feature_map_ : LinearMap or KernelMap
        Maps instances to these features.
    intercept_ : ndarray of shape (K,)
    posterior_ : ndarray of shape (N, K)
        q(y) for constrained instances, P(y|x) for the others.
    init_labels_ : ndarray of shape (N,) or None
        Cluster numbers from which the chosen fit started; None when it started from weights set by hand.
    bound_ : Bound
        The bound Eq. (10), term by term, and the expected number of satisfied answers.
    lower_bound_ : float
        The sum of its terms; for hard answers without log P(L|Y).
    lower_bounds_ : list of float
        Its trace over the EM iterations with the full tau.
    n_iter_ : int
        Number of EM iterations, softened ones included.
    converged_ : bool
    answer_classes_ : ndarray of shape (3,)
        The answers in the columns of `predict_answer_proba`: 1 for yes, -1 for no, 0 for dnk.
    confusion_ : ndarray of shape (3, 3) or None
        The confusion matrix of the answers, of all people together if it was learned; None without `confusion`.
    forced_ : bool
        Whether answers were taken as forced choices, see `confusion`.
    forced_annotators_ : tuple of str
        With several annotators, those whose matrix began with forced choices, because they gave at least 20 answers and
        no don't know; all of them if `forced_`.
    annotators_ : dict of str to ndarray of shape (3, 3)
        The matrix of each annotator; empty without `confusion`.

    References
    ----------
    Pei, Y., X. Z. Fern, R. Rosales, T. V. Tjahja, "Discriminative Clustering with Relative Constraints".

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dcrc_explore import DCRC
    >>> X = load_iris().data
    >>> model = DCRC(n_clusters=3, random_state=0)
    >>> model = model.fit(X, triplets=[(0, 10, 60), (60, 110, 70), (110, 120, 0)], answers=["yes", "no", "yes"])
    >>> model.predict_answers(X, [(1, 2, 140)])
    array([1], dtype=int8)
    """

    def __init__(
        self,
        n_clusters: int | str = 3,
        *,
        epsilon: float = 0.05,
        tau: float = 1.0,
        lam: float = 2**-6,
        balance: bool = True,
        use_dnk: bool = True,
        weighting: str = "steady",
        confusion: ArrayLike | str | None = None,
        kernel: Kernel = "linear",
        gamma: float | str = "scale",
        degree: int = 3,
        coef0: float = 1.0,
        n_components: int = 500,
        init: ArrayLike = "kmeans",
        n_init: int = 1,
        soft_start: bool = True,
        max_iter: int = 100,
        tol: float = 1e-4,
        warm_start: bool = False,
        random_state: RandomState = None,
        verbose: int = 0,
        given: GivenAnswers | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.epsilon = epsilon
        self.tau = tau
        self.lam = lam
        self.balance = balance
        self.use_dnk = use_dnk
        self.weighting = weighting
        self.confusion = confusion
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_components = n_components
        self.init = init
        self.n_init = n_init
        self.soft_start = soft_start
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.random_state = random_state
        self.verbose = verbose
        self.given = given

    def with_answers(
        self,
        triplets: ArrayLike | Triplets | Log | None = None,
        answers: AnswerLike | None = None,
        *,
        n_samples: int,
        pairs: ArrayLike | Pairs | None = None,
        pair_answers: AnswerLike | None = None,
        annotators: Sequence[str] | None = None,
    ) -> Self:
        """Return a copy that brings answers along: ``fit(X)`` learns from them, also within a pipeline or BERTopic.

        :func:`sklearn.base.clone` and ``set_params`` keep them. They are about rows of one X, so `fit` refuses any
        other number of rows.

        Parameters
        ----------
        triplets, answers, pairs, pair_answers, annotators
            As in :meth:`fit`; `triplets` may be a :class:`Log`, as `read_answers` returns it.
        n_samples : int
            Number of rows of the X that they are about.

        Examples
        --------
        >>> X = np.random.default_rng(0).normal(size=(30, 2))
        >>> model = DCRC(2, random_state=0).with_answers([(0, 1, 2)], ["yes"], n_samples=len(X))
        >>> model.fit_predict(X).shape
        (30,)
        """
        given = GivenAnswers(n_samples, triplets, answers, pairs, pair_answers, annotators)
        return clone(self).set_params(given=given)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # Cross-validation then takes rows and columns of the matrix.
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
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
        """Learn a clustering from instances and answers.

        Parameters
        ----------
        X : array-like of shape (N, n_features)
            Best standardised, see `lam`. float32 is computed as float64: near the end of a fit the bound rises by less
            than float32 can resolve, and `tol` could not detect it.
        y : Ignored
        triplets : array-like of shape (M, 3) or Triplets, optional
            Row numbers (i, j, k) of the questions asked. A :class:`Triplets` brings its answers along. Without
            `answers` rows are ordered as in cblearn: x_i is more similar to x_j than to x_k.
        answers : array-like of shape (M,), optional
            :class:`Answer` members, 1 / -1 / 0, or "yes" / "no" / "dnk" (also "don't know").
        pairs : array-like of shape (P, 2) or Pairs, optional
            Row numbers (i, j) of questions "do x_i and x_j belong together?".
        pair_answers : array-like of shape (P,), optional
            As `answers`: yes is a must-link, no a cannot-link, and dnk says nothing.
        annotators : sequence of M + P names, optional
            Who gave each answer, triplets first; with ``confusion="learned"`` each has a confusion matrix of their own.

        Returns
        -------
        self : DCRC
        """
        check_not_answers(y)
        rows, given = validated(self, X, triplets, answers, pairs, pair_answers, annotators)
        warn_of_scales(self, rows)
        return self.fit_checked(rows, given)

    def fit_checked(self, X: FloatArray, given: AnswersByKind) -> Self:
        """Fit to instances and answers that were validated before, as :meth:`fit` does."""
        self.n_features_in_ = X.shape[1]
        with one_thread():
            self.n_clusters_ = self.choose_n_clusters(X, given)
            self._keep(self._search(X, given)[-1])
        warn_of_fit(self)
        return self

    def fit_predict(self, X: ArrayLike, y: object = None, **given: Any) -> NDArray[np.int64]:
        """Fit, with answers as in :meth:`fit`, and return ``labels_``."""
        return self.fit(X, y, **given).labels_

    def iterate(
        self,
        X: ArrayLike,
        y: object = None,
        *,
        triplets: ArrayLike | Triplets | None = None,
        answers: AnswerLike | None = None,
        pairs: ArrayLike | Pairs | None = None,
        pair_answers: AnswerLike | None = None,
        annotators: Sequence[str] | None = None,
    ) -> Iterator[EMStep]:
        """Fit as :meth:`fit` does, one EM iteration at a time.

        The estimator itself is left as it is: each step makes a fitted copy when asked for it. Where there are several
        starts, the steps are those of the best one, and all are run before the first step is yielded.

        Parameters
        ----------
        X, y, triplets, answers, pairs, pair_answers, annotators
            As in :meth:`fit`.

        Yields
        ------
        EMStep
            The initialisation, then the fit after each iteration.

        Examples
        --------
        >>> X = np.random.default_rng(0).normal(size=(30, 2))
        >>> steps = list(DCRC(random_state=0).iterate(X, triplets=[(0, 1, 2)], answers=["dnk"]))
        >>> bool(steps[-1].bound.total > steps[0].bound.total)
        True
        """
        check_not_answers(y)
        X, given = validated(self, X, triplets, answers, pairs, pair_answers, annotators)
        return stepwise_on_one_thread(copy(self)._steps(X, given))

    def choose_n_clusters(self, X: FloatArray, given: AnswersByKind) -> int:
        """Return K: the number that was set, or the one that fits validated answers best."""
        if not is_word(self.n_clusters, "auto"):
            return int(self.n_clusters)
        trial = copy(self)
        trial.warm_start, trial.verbose, trial.epsilon = False, 0, soft_epsilon(self.epsilon)

        def steps(K: int) -> Iterator[EMStep]:
            trial.n_clusters = K
            return trial._steps(X, given)

        found = scan(steps, candidates(len(X)), lambda: True)
        assert found is not None
        return best(found)

    def _steps(self, X: FloatArray, given: AnswersByKind) -> Iterator[EMStep]:
        self.n_clusters_ = self.choose_n_clusters(X, given)
        paths = self._paths(X, given)
        one = len(paths) == self.n_init == 1 and not detects_forced(self, given)
        yield from paths[0].steps() if one else self._search(X, given)

    def _search(self, X: FloatArray, given: AnswersByKind) -> list[EMStep]:
        """Return the steps of the best fit; where answers turn out to be forced choices, of one that takes them so."""
        steps = self._best(self._paths(X, given))
        if detects_forced(self, given) and had_to_choose(given.triplets, steps[-1].proba.argmax(axis=1)):
            steps = self._best(self._paths(X, given, is_forced=True))
        return steps

    def _best(self, paths: list[Path]) -> list[EMStep]:
        steps = moved(best_steps(paths, self.verbose), self.n_init - 1, self.random_state)
        if self.verbose:
            print(f"best of {len(paths)} starts and {self.n_init - 1} moves: bound {steps[-1].bound.total:.6g}")
        return steps

    def _paths(self, X: FloatArray, given: AnswersByKind, *, is_forced: bool = False) -> list[Path]:
        # At epsilon = 2/3 every answer is equally likely: they say nothing.
        if self.confusion is None and ignores_answers(self.epsilon):
            given = NOTHING
        elif not self.use_dnk:
            given = given.without_dnk()
        features = self._features(X)
        self.feature_map_ = features.map
        problem = Problem(
            features.rows,
            given.triplets,
            self.n_clusters_,
            epsilon=self.epsilon,
            tau=self.tau,
            lam=self.lam,
            balance=self.balance,
            weighting=self.weighting,
            pairs=given.pairs,
            noise=noise_model(self, given, is_forced=is_forced),
        )
        starts = (warm_starts(self, problem) if self.warm_start else []) or make_starts(
            problem,
            features.rows,
            given,
            init=self.init,
            soft_start=self.soft_start and self.max_iter > 0,
            random_state=self.random_state,
        )
        return [Path(problem, start, self.max_iter, self.tol, self._fitted_at) for start in starts]

    def _features(self, X: FloatArray) -> Features:
        names = ("kernel", "gamma", "degree", "coef0", "n_components", "random_state")
        settings = {name: getattr(self, name) for name in names}
        if not self.warm_start or self.kernel == "linear":
            return make_features(X, **settings)
        # A kernel's features are kept for the next fit to the same instances.
        last = getattr(self, "_last_features", None)
        if last is None or last[0] != settings or not np.array_equal(last[1], X):
            self._last_features = last = (settings, X, make_features(X, **settings))
        return last[2]

    def _fitted_at(self, step: EMStep) -> DCRC:
        model = copy(self)
        model._keep(step)
        return model

    def _keep(self, step: EMStep) -> None:
        """Set the attributes of a fitted estimator."""
        self.coef_, self.intercept_ = step.weights.coef, step.weights.intercept
        self.labels_ = step.proba.argmax(axis=1)
        self.posterior_ = step.posterior
        self.init_labels_ = step.path.start.labels
        self.bound_ = step.bound
        self.lower_bounds_, self.lower_bound_ = step.lower_bounds, step.bound.total
        self.n_iter_, self.converged_ = step.iteration, step.converged
        noise = step.state.noise
        self.forced_ = noise is not None and noise.is_forced
        self.forced_annotators_ = () if noise is None else noise.forced_names
        self.confusion_ = None if noise is None else noise.triplets.common
        self.annotators_ = {} if noise is None else dict(zip(noise.names, noise.triplets.own, strict=True))
