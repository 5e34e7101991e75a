"""DCRC as a scikit-learn estimator."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from dcrc_explore.arrays import FloatArray
from dcrc_explore.constraints import AnswerLike, Triplets, check_not_answers
from dcrc_explore.model import em
from dcrc_explore.model.features import Kernel, KernelMap
from dcrc_explore.model.prediction import AnswerModel
from dcrc_explore.model.softmax import log_proba
from dcrc_explore.model.starts import answer_labels, kmeans_labels
from dcrc_explore.model.threads import one_thread, stepwise_on_one_thread
from dcrc_explore.model.validation import KERNELS, check_instances, check_parameters


@dataclass(frozen=True)
class EMStep:
    """What :meth:`DCRC.iterate` yields: the fit as it is after an EM iteration.

    Attributes
    ----------
    iteration : int
        0 for the initialisation.
    model : DCRC
        A fitted estimator with the weights of this iteration.
    bound : Bound
        The bound Eq. (10), term by term.
    softened : bool
        Whether the iteration belongs to the softened start, which has a smaller tau.
    """

    iteration: int
    model: DCRC
    bound: em.Bound
    softened: bool

    @property
    def posterior(self) -> FloatArray:
        """Q for the constrained instances and P(y|x) for the others, shape (N, K)."""
        return self.model.posterior_


@dataclass(frozen=True)
class _Start:
    W: FloatArray
    Q: FloatArray | None
    soft: bool
    labels: NDArray[np.integer] | None


class DCRC(AnswerModel):
    r"""Discriminative clustering with relative constraints.

    Fits P(y|x; W), a multinomial logistic model of cluster membership, to answers to questions of the form "is x_i
    more similar to x_j than to x_k?" and to the instances about which nothing was asked, by maximising

    .. math:: \frac1M \log P(L | X_I; W) - \lambda R(W) + \tau [H(\hat y | X; W) - H(Y_U | X_U; W)]

    that is, the likelihood of the answers, small weights, clusters of similar size (when `balance` is set: Eq. (9),
    otherwise Eq. (8)) and confident memberships of the instances U that stand in no question.

    Parameters
    ----------
    n_clusters : int, default=3
        K, the number of clusters; with answers at least 2.
    epsilon : float in [0, 1), default=0.05
        Probability that an answer is wrong. 0 makes answers hard; 2/3 ignores them.
    tau : float, default=1.0
        Weight of cluster separation and cluster balance.
    lam : float, default=2**-6
        Weight of the squared norm of W; the bias is not regularised. It weighs more the smaller the values of X are:
        the grids of the paper, and this default, are meant for standardised features.
    balance : bool, default=True
        Whether clusters of similar size are preferred.
    use_dnk : bool, default=True
        Whether to learn from don't-know answers. False gives the paper's DCRC-YN.
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
        Number of starts from different K-means solutions; the fit with the best bound is kept.
    soft_start : bool, default=True
        Whether EM is also started in two other ways: with a smaller tau and a larger lambda, so that the answers are
        heard before the unconstrained instances have settled; and from K-means along the directions in which
        the yes / no answers tell instances apart. The objective that is finally climbed is the same, and the start with
        the best bound is kept. False starts as the paper does, in a third of the time.
    max_iter : int, default=100
        Largest number of EM iterations. 0 returns the initialisation: K-means, then a logistic regression.
    tol : float, default=1e-4
        EM stops when the bound rises by less than this.
    warm_start : bool, default=False
        Whether `fit` continues from the last weights and memberships, as after an answer was added. Weights may also
        be set by hand, as `coef_` and `intercept_`.
    random_state : int, RandomState instance or None, default=None
        Seeds K-means and the choice of Nystroem's instances.

    Attributes
    ----------
    labels_ : ndarray of shape (N,)
        Most probable cluster of each instance; the same as ``predict(X)``.
    coef_ : ndarray of shape (K, n_features)
        Weights; with a kernel, of the kernel's features.
    kernel_map_ : KernelMap or None
        Maps instances to these features; None for the linear kernel.
    intercept_ : ndarray of shape (K,)
    posterior_ : ndarray of shape (N, K)
        q(y) for constrained instances, P(y|x) for the others.
    init_labels_ : ndarray of shape (N,) or None
        Cluster numbers from which the fit that was kept started; None when it started from weights set by hand.
    bound_ : Bound
        The bound Eq. (10), term by term, and the expected number of satisfied answers.
    lower_bound_ : float
        Its sum. For hard answers the sum of the terms besides log P(L|Y).
    lower_bounds_ : list of float
        Its trace over the EM iterations with the full tau.
    n_iter_ : int
        Number of EM iterations, softened ones included.
    converged_ : bool

    References
    ----------
    Y. Pei, X. Z. Fern, R. Rosales, T. V. Tjahja, "Discriminative Clustering with Relative Constraints".

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
        n_clusters: int = 3,
        *,
        epsilon: float = 0.05,
        tau: float = 1.0,
        lam: float = 2**-6,
        balance: bool = True,
        use_dnk: bool = True,
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
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.epsilon = epsilon
        self.tau = tau
        self.lam = lam
        self.balance = balance
        self.use_dnk = use_dnk
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

    def fit(
        self,
        X: ArrayLike,
        y: object = None,
        *,
        triplets: ArrayLike | Triplets | None = None,
        answers: AnswerLike | None = None,
    ) -> Self:
        """Learn a clustering from instances and answers.

        Parameters
        ----------
        X : array-like of shape (N, n_features)
            Best standardised, see `lam`.
        y : Ignored
        triplets : array-like of shape (M, 3) or Triplets, optional
            Row numbers (i, j, k) of the questions asked. A :class:`Triplets` brings its answers along.
        answers : array-like of shape (M,), optional
            :class:`Answer` members, 1 / -1 / 0, or "yes" / "no" / "dnk".

        Returns
        -------
        self : DCRC
        """
        check_not_answers(y)
        X, constraints = self.validated(X, triplets, answers)
        constraints = self._heard(constraints)
        with one_thread():
            features = self.features_of_fit(X)
            problem = self._problem(features, constraints)
            self._keep(problem, *self._best_fit(problem, self._starts(features, problem, constraints)))
        if self.max_iter and not self.converged_:
            warnings.warn(
                f"EM stopped after max_iter={self.max_iter} iterations while the bound was still rising: "
                "raise max_iter, or raise tol if a rougher fit will do.",
                ConvergenceWarning,
                stacklevel=2,
            )
        n_empty = self.n_clusters - len(np.unique(self.labels_))
        if n_empty:
            warnings.warn(
                f"{n_empty} of {self.n_clusters} clusters {'is' if n_empty == 1 else 'are'} empty: lower lam, "
                "standardise X (lam weighs more the smaller its values are), or ask for fewer clusters.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def fit_predict(
        self,
        X: ArrayLike,
        y: object = None,
        *,
        triplets: ArrayLike | Triplets | None = None,
        answers: AnswerLike | None = None,
    ) -> NDArray[np.int64]:
        """Fit and return ``labels_``."""
        return self.fit(X, triplets=triplets, answers=answers).labels_

    def iterate(
        self,
        X: ArrayLike,
        y: object = None,
        *,
        triplets: ArrayLike | Triplets | None = None,
        answers: AnswerLike | None = None,
    ) -> Iterator[EMStep]:
        """Fit as :meth:`fit` does, one EM iteration at a time.

        The estimator itself is left as it is: each step carries a fitted copy. Where there are several starts, the
        steps are those of the best one, and all are run before the first step is yielded.

        Parameters
        ----------
        X, y, triplets, answers
            As in :meth:`fit`.

        Yields
        ------
        EMStep
            The initialisation, then the fit after each iteration.

        Examples
        --------
        >>> import numpy as np
        >>> X = np.random.default_rng(0).normal(size=(30, 2))
        >>> steps = list(DCRC(random_state=0).iterate(X, triplets=[(0, 1, 2)], answers=["dnk"]))
        >>> bool(steps[-1].bound.total > steps[0].bound.total)
        True
        """
        check_not_answers(y)
        X, constraints = self.validated(X, triplets, answers)
        model = copy(self)
        return stepwise_on_one_thread(model._steps(X, self._heard(constraints)))

    def _steps(self, X: FloatArray, constraints: Triplets) -> Iterator[EMStep]:
        features = self.features_of_fit(X)
        problem = self._problem(features, constraints)
        starts = self._starts(features, problem, constraints)
        states: Iterable[em.State]
        if len(starts) == 1:
            start, states = starts[0], self._run(problem, starts[0])
        else:
            start, states = self._best_fit(problem, starts)
        trace: list[em.State] = []
        for state in states:
            trace.append(state)
            model = copy(self)
            model._keep(problem, start, trace)
            yield EMStep(model.n_iter_, model, state.bound, state.taus != problem.taus)

    def validated(
        self, X: ArrayLike, triplets: ArrayLike | Triplets | None, answers: AnswerLike | None
    ) -> tuple[FloatArray, Triplets]:
        """Check parameters, data and answers before any work."""
        check_parameters(self)
        X = np.asarray(validate_data(self, X, dtype=np.float64))
        check_instances(self, X)
        if isinstance(triplets, Triplets):
            if answers is not None:
                raise ValueError("triplets bring their own answers here: pass either Triplets or answers, got both")
            answers, triplets = triplets.answers, triplets.indices
        constraints = Triplets(triplets, answers, n_samples=len(X))
        if self.n_clusters < 2 and len(constraints):
            raise ValueError(f"answers need n_clusters >= 2 to be about, got n_clusters={self.n_clusters}")
        if self.epsilon > 2 / 3 and not self._ignores_answers:
            warnings.warn(
                f"epsilon={self.epsilon} is above 2/3: the model will contradict the answers. Choose a smaller one "
                "unless this is meant.",
                UserWarning,
                stacklevel=3,
            )
        return X, constraints

    @property
    def _ignores_answers(self) -> bool:
        return bool(np.isclose(self.epsilon, 2 / 3))

    def _heard(self, constraints: Triplets) -> Triplets:
        """Answers that the model learns from. At epsilon = 2/3 every answer is equally likely: they say nothing."""
        if self._ignores_answers:
            return Triplets()
        return constraints if self.use_dnk else constraints.without_dnk()

    def _problem(self, features: FloatArray, constraints: Triplets) -> em.Problem:
        return em.Problem(
            features,
            constraints,
            self.n_clusters,
            epsilon=self.epsilon,
            tau=self.tau,
            lam=self.lam,
            balance=self.balance,
        )

    def features_of_fit(self, X: FloatArray) -> FloatArray:
        """Prepare `kernel_map_` for the rows of X and return their features, in which the model is linear."""
        if self.kernel == "linear":
            self.kernel_map_ = None
            return X
        gamma = 1.0 / (X.shape[1] * (X.var() or 1.0)) if self.gamma == "scale" else self.gamma
        parameters = {"gamma": gamma, "degree": self.degree, "coef0": self.coef0}
        kernel_map = KernelMap(
            self.kernel,
            n_components=self.n_components,
            random_state=check_random_state(self.random_state),
            **({} if callable(self.kernel) else {name: parameters[name] for name in KERNELS[self.kernel]}),
        )
        last: KernelMap | None = getattr(self, "kernel_map_", None)
        if self.warm_start and last is not None and last.is_for(X, kernel_map):
            return last.features_
        self.kernel_map_ = kernel_map.fit(X)
        return kernel_map.features_

    def _starts(self, features: FloatArray, problem: em.Problem, constraints: Triplets) -> list[_Start]:
        if self.warm_start and hasattr(self, "coef_"):
            W = np.column_stack([self.coef_, self.intercept_])
            if W.shape == problem.objective.shape:
                # Weights that were set by hand have no memberships; nor have other rows than those of the last fit.
                posterior, Q = getattr(self, "posterior_", None), None
                if posterior is not None and len(posterior) == len(features):
                    Q = posterior[problem.graph.instances].T.copy()
                return [_Start(W, Q, False, getattr(self, "init_labels_", None))]
        random_state = check_random_state(self.random_state)
        if self._starts_from_kmeans:
            inits = [kmeans_labels(features, self.n_clusters, random_state) for _ in range(self.n_init)]
        else:
            inits = [np.asarray(self.init, dtype=np.int64)]
        starts = [_Start(problem.weights_for(labels), None, False, labels) for labels in inits]
        if self.soft_start and self.max_iter and problem.objective.n_answers:
            starts += [replace(start, soft=True) for start in starts]
            decided = constraints.without_dnk()
            if len(decided) and self._starts_from_kmeans:
                labels = answer_labels(features, decided, self.n_clusters, random_state)
                if labels is not None:
                    starts.append(_Start(problem.weights_for(labels), None, False, labels))
        return starts

    @property
    def _starts_from_kmeans(self) -> bool:
        return isinstance(self.init, str) and self.init == "kmeans"

    def _best_fit(self, problem: em.Problem, starts: list[_Start]) -> tuple[_Start, list[em.State]]:
        fits = ((start, list(self._run(problem, start))) for start in starts)
        return max(fits, key=lambda fit: fit[1][-1].bound.rank)

    def _run(self, problem: em.Problem, start: _Start) -> Iterator[em.State]:
        return problem.run(start.W, start.Q, soft_start=start.soft, max_iter=self.max_iter, tol=self.tol)

    def _keep(self, problem: em.Problem, start: _Start, trace: list[em.State]) -> None:
        """Set the attributes of a fitted estimator from the states of a fit."""
        last = trace[-1]
        self.coef_, self.intercept_ = last.W[:, :-1].copy(), last.W[:, -1].copy()
        _, P = log_proba(last.W, problem.X)
        self.labels_ = np.empty(len(problem.X), dtype=np.int64)
        self.labels_[problem.order] = P.argmax(axis=0)
        P[:, : last.Q.shape[1]] = last.Q
        self.posterior_ = np.empty(P.shape[::-1])
        self.posterior_[problem.order] = P.T
        self.init_labels_ = start.labels
        self.bound_ = last.bound
        self.lower_bounds_ = [state.bound.total for state in trace if state.taus == problem.taus]
        self.lower_bound_ = last.bound.total
        self.n_iter_ = sum(state.W is not before.W for before, state in itertools.pairwise(trace))
        self.converged_ = self.n_iter_ < self.max_iter
