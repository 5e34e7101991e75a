"""Where EM starts: K-means, then a logistic regression on its labels (section IV-C); and a start from the answers."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import LinAlgError, eigh
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from dcrc_explore.arrays import FloatArray, IntArray, RandomState
from dcrc_explore.constraints import to_pairs
from dcrc_explore.model.em import Problem
from dcrc_explore.model.softmax import Weights
from dcrc_explore.model.validation import AnswersByKind
from dcrc_explore.model.weighting import FEW

if TYPE_CHECKING:
    from dcrc_explore.model.estimator import DCRC

# Ten runs of K-means are made. On more values than this each has a few iterations, and the best one is run to its end;
# on many more there is one run.
_SOME_VALUES, _FEW_ITERATIONS = 50_000, 10
_MANY_VALUES = 10**6
# How far a row is moved towards another one, in shares of their distance.
_TINY = 1e-8
# Weight of pairs that are drawn, beside the answers.
_DRAWN = 1e-4
# Scatter below this share of the mean over the features is none.
_NO_SCATTER = 1e-9
# With fewer rows for each feature than this, as with a kernel, many boundaries fit the answers. There the softened
# start finds better optima, because it weighs the regulariser more; elsewhere the fit without answers is better.
_FEW_ROWS = 4


@dataclass(frozen=True, eq=False)
class Start:
    """Where EM begins.

    Attributes
    ----------
    W : ndarray of shape (K, d + 1)
    Q : ndarray of shape (K, |I|) or None
        Memberships; None leaves them to the first E-step.
    soft : bool
        Whether EM begins with a smaller tau and a larger lambda.
    labels : ndarray of shape (N,) or None
        Cluster numbers that W was fitted to; None for weights that were set by hand.
    """

    W: FloatArray
    Q: FloatArray | None = None
    soft: bool = False
    labels: NDArray[np.integer] | None = None


def kmeans_labels(X: FloatArray, n_clusters: int, random_state: np.random.RandomState) -> NDArray[np.int32]:
    """Cluster the rows of X; fewer than K clusters come back where X has fewer than K distinct rows."""
    # On a symmetric grid many clusterings are equally good, and rounding would choose. Each row is moved a little
    # towards another one, and the seed chooses. The draws are those of a copy, so that they change nothing else.
    tiny = _copy(random_state)
    mixed = X[tiny.permutation(len(X))] - X
    mixed *= _TINY * tiny.standard_normal(len(X))[:, None]
    mixed += X
    K_means = partial(KMeans, n_clusters, random_state=random_state)
    with warnings.catch_warnings():
        # Fewer distinct rows than clusters: EM continues with the clusters there are.
        warnings.simplefilter("ignore", ConvergenceWarning)
        if X.size > _MANY_VALUES:
            return K_means(n_init=1).fit(mixed).predict(X)
        if X.size <= _SOME_VALUES:
            return K_means(n_init=10).fit(mixed).predict(X)
        begun = K_means(n_init=10, max_iter=_FEW_ITERATIONS).fit(mixed)
        return K_means(init=begun.cluster_centers_, n_init=1).fit(mixed).predict(X)


def _copy(random_state: np.random.RandomState) -> np.random.RandomState:
    """Return a generator that draws the same; deepcopy takes a hundred times as long."""
    copy = np.random.RandomState(0)
    copy.set_state(random_state.get_state(legacy=False))
    return copy


def answer_labels(
    X: FloatArray,
    must_link: IntArray,
    cannot_link: IntArray,
    n_clusters: int,
    random_state: np.random.RandomState,
) -> NDArray[np.int32] | None:
    """Cluster the rows of X by K-means along the K - 1 directions that best separate cannot-links from must-links.

    These maximise v'Dv / v'Sv, where D is the mean scatter of the cannot-links and S that of the must-links. To each,
    the scatter of all pairs is added with the weight of d pairs.

    Returns
    -------
    ndarray of shape (N,) or None
        None where the directions cannot be found, as on rows that are all the same.
    """
    d = X.shape[1]
    all_pairs = 2 * d * np.atleast_2d(np.cov(X.T))
    S, D = ((u.T @ u + all_pairs) / (len(u) + d) for u in (X[p[:, 0]] - X[p[:, 1]] for p in (must_link, cannot_link)))
    # With fewer cannot-links than K - 1 many directions are equally good: a few pairs that the seed draws choose.
    first, second = _copy(random_state).randint(len(X), size=(2, 2 * n_clusters))
    D += _DRAWN * (X[first] - X[second]).T @ (X[first] - X[second])
    # Directions without any scatter come last, whatever the scale of X is.
    S += _NO_SCATTER * np.trace(S) / d * np.eye(d)
    try:
        _, directions = eigh(D, S, subset_by_index=(max(d - n_clusters + 1, 0), d - 1))
    except LinAlgError:
        return None
    if not directions.size:  # LAPACK has been seen to return none, without an error
        return None
    return kmeans_labels(X @ directions, n_clusters, random_state)


def make_starts(
    problem: Problem,
    X: FloatArray,
    given: AnswersByKind,
    *,
    init: ArrayLike,
    soft_start: bool,
    random_state: RandomState,
) -> list[Start]:
    """Return where EM begins when nothing is known yet; of several starts, the one with the best bound counts.

    Parameters
    ----------
    problem : Problem
    X : ndarray of shape (N, d)
        The instances in the order of the user's rows.
    given : AnswersByKind
        The answers that count.
    init, soft_start, random_state
        As in :class:`~dcrc_explore.DCRC`.
    """
    rng = check_random_state(random_state)
    K, from_kmeans = problem.n_clusters, isinstance(init, str) and init == "kmeans"
    first = kmeans_labels(X, K, rng) if from_kmeans else np.asarray(init, dtype=np.int64)
    plain = Start(problem.weights_for(first), labels=first)
    if not soft_start or not len(given):
        return [plain]
    starts = [replace(plain, soft=True)]
    many_rows = len(X) >= _FEW_ROWS * X.shape[1]
    if problem.starts_unanswered and (many_rows or problem.n_answers <= FEW * len(X)):
        unanswered = replace(plain, W=problem.without_answers(plain.W))
        starts = [unanswered] if many_rows else [unanswered, *starts]
    must, cannot = to_pairs(given.triplets)
    must = np.vstack([must, given.pairs.must_link])
    cannot = np.vstack([cannot, given.pairs.cannot_link])
    labels = answer_labels(X, must, cannot, K, rng) if len(must) + len(cannot) and from_kmeans else None
    # The plain start would take as long as any of these, and hardly ever ends better than all.
    return [*starts, Start(problem.weights_for(labels), labels=labels)] if labels is not None else [plain, *starts]


def warm_starts(model: DCRC, problem: Problem) -> list[Start]:
    """Return the starts from the last fit, or from weights that were set by hand; none if they don't fit."""
    if not hasattr(model, "coef_"):
        return []
    W = Weights(model.coef_, model.intercept_).matrix()
    if W.shape != problem.objective.shape:
        return []
    # Weights that were set by hand have no memberships; nor have other rows than those of the last fit.
    posterior, Q = getattr(model, "posterior_", None), None
    if posterior is not None and len(posterior) == len(problem.X):
        Q = posterior[problem.graph.instances].T.copy()
    return [Start(W, Q, labels=getattr(model, "init_labels_", None))]
