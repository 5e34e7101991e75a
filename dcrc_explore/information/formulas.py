"""Eqs. (3) to (5), and the same for clusters of any size and people with any errors."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import xlogy

from dcrc_explore.annotators import as_confusion, error_matrix
from dcrc_explore.constraints import answer_proba


def dnk_share(n_clusters: ArrayLike) -> Any:
    """Probability that don't know is the true answer about three random points, for K clusters of equal size.

    Examples
    --------
    >>> dnk_share([2, 8])
    array([0.5    , 0.78125])
    """
    K = _as_n_clusters(n_clusters)
    return 1 - 2 * (K - 1) / K**2


def relative_information(n_clusters: ArrayLike, *, base: float = 2) -> Any:
    """Information of one relative constraint about the three memberships, Eq. (3).

    Parameters
    ----------
    n_clusters : int or array-like of int
        K; an array gives a curve.
    base : float, default=2
        2 for bits, ``math.e`` for nats.

    Examples
    --------
    >>> float(relative_information(2))
    1.5
    >>> relative_information([2, 3, 4]).round(2)
    array([1.5 , 1.44, 1.33])
    """
    K, P_dnk = _as_n_clusters(n_clusters), dnk_share(n_clusters)
    # Eq. (3)
    nats = 2 * np.log(K) - xlogy(1 - P_dnk, K - 1) - xlogy(P_dnk, K**2 - 2 * (K - 1))
    return nats / np.log(base)


def pairwise_information(n_clusters: ArrayLike, *, base: float = 2) -> Any:
    """Information of one must-link or cannot-link about the two memberships, Eq. (4).

    Parameters are those of :func:`relative_information`.

    Examples
    --------
    >>> pairwise_information([2, 3, 4]).round(2)
    array([1.  , 0.92, 0.81])
    """
    K = _as_n_clusters(n_clusters)
    # Eq. (4), with P_CL = 1 - 1/K
    return (np.log(K) - xlogy(1 - 1 / K, K - 1)) / np.log(base)


def relative_information_without_dnk(n_clusters: ArrayLike, *, base: float = 2) -> Any:
    """Information of one relative constraint when don't-know answers are ignored, Eq. (5).

    Parameters are those of :func:`relative_information`.

    Examples
    --------
    >>> relative_information_without_dnk([2, 3, 4]).round(2)
    array([1.  , 0.96, 0.91])
    """
    K, P_dnk = _as_n_clusters(n_clusters), dnk_share(n_clusters)
    # Eq. (5)
    return (2 * (1 - P_dnk) * np.log(K) - xlogy(1 - P_dnk, K - 1)) / np.log(base)


def information_curves(
    n_clusters: ArrayLike,
    *,
    shares: ArrayLike | None = None,
    confusion: ArrayLike | None = None,
    pair_confusion: ArrayLike | None = None,
    use_dnk: bool = True,
    base: float = 2,
) -> dict[str, Any]:
    """Return the curves of the paper's Figure 2 by name; two triplets and three pairs show six points each.

    For other numbers of clusters than `shares`, they are as unequal as these (:func:`as_unequal`).

    Examples
    --------
    >>> {name: float(bits) for name, bits in information_curves(2).items()}
    {'2 triplets': 3.0, '3 pairs': 3.0, '1 triplet': 1.5, '1 pair': 1.0, 'yes/no only': 1.0}
    >>> {name: round(float(bits), 2) for name, bits in information_curves(2, shares=[9, 1]).items()}
    {'2 triplets': 1.72, '3 pairs': 2.04, '1 triplet': 0.86, '1 pair': 0.68, 'yes/no only': 0.63}
    """
    if shares is None and confusion is None and pair_confusion is None:
        relative, pairwise = relative_information(n_clusters, base=base), pairwise_information(n_clusters, base=base)
        decided = relative_information_without_dnk(n_clusters, base=base)
    else:
        K = _as_n_clusters(n_clusters)
        priors = [as_unequal([1] if shares is None else shares, int(k)) for k in np.atleast_1d(K)]
        values = [
            (
                expected_relative_information(prior, confusion=confusion, base=base),
                expected_pairwise_information(prior, confusion=pair_confusion, base=base),
                expected_relative_information(prior, confusion=confusion, use_dnk=False, base=base),
            )
            for prior in priors
        ]
        relative, pairwise, decided = np.reshape(np.transpose(values), (3, *np.shape(K)))
    triplet = relative if use_dnk else decided
    return {
        "2 triplets": 2 * triplet,
        "3 pairs": 3 * pairwise,
        "1 triplet": triplet,
        "1 pair": pairwise,
        "yes/no only": decided,
    }


def as_unequal(shares: ArrayLike, n_clusters: int) -> NDArray[np.float64]:
    """Return shares of K clusters that are as unequal as others: both have the same Lorenz curve.

    The Lorenz curve says which share of all points the smallest clusters have together, a share u of all clusters. For
    as many clusters as there are shares, they are the same in rising order; equal ones stay equal.

    Examples
    --------
    >>> as_unequal([0.7, 0.2, 0.1], 3).round(2), as_unequal([0.7, 0.2, 0.1], 6).round(2)
    (array([0.1, 0.2, 0.7]), array([0.05, 0.05, 0.1 , 0.1 , 0.35, 0.35]))
    """
    smallest_first = np.sort(_as_prior(shares))
    lorenz = np.append(0, smallest_first.cumsum())
    return np.diff(np.interp(np.linspace(0, 1, n_clusters + 1), np.linspace(0, 1, len(lorenz)), lorenz))


def expected_relative_information(
    prior: ArrayLike, *, epsilon: float = 0.0, confusion: ArrayLike | None = None, use_dnk: bool = True, base: float = 2
) -> float:
    """Information of one relative constraint for clusters of any size and a user with any errors.

    With equal clusters and no errors this is Eq. (3), or Eq. (5) with ``use_dnk=False``.

    Parameters
    ----------
    prior : array-like of shape (K,)
        Sizes or shares of the clusters.
    epsilon : float, default=0
        Probability that the user errs, Table I.
    confusion : array-like of shape (3, 3), optional
        How the user errs, instead of epsilon: see :func:`~dcrc_explore.annotators.as_confusion`.
    use_dnk : bool, default=True
        With False, a don't-know answer changes no belief. The other answers contribute the sum of P(l) KL(P(Y|l) ||
        P(Y)) over yes and no: for equal clusters this is the paper's I', and it is never negative.
    base : float, default=2

    Examples
    --------
    >>> expected_relative_information([1, 1])
    1.5
    >>> round(expected_relative_information([1, 1], epsilon=0.15), 2)
    0.77
    >>> round(expected_relative_information([9, 1]), 2)
    0.86
    """
    p = _as_prior(prior)
    channel = error_matrix(epsilon) if confusion is None else as_confusion(confusion)
    # Three points of which nothing is known but the prior.
    implied = np.maximum(answer_proba(np.tile(p, (3, 1)), [(0, 1, 2)])[0], 0)
    terms = information_by_answer(implied, channel)[1]
    return float((terms if use_dnk else terms[:2]).sum() / np.log(base))


def expected_pairwise_information(
    prior: ArrayLike, *, epsilon: float = 0.0, confusion: ArrayLike | None = None, base: float = 2
) -> float:
    """Information of one must-link or cannot-link for clusters of any size (`prior`) and a user with any errors.

    With equal clusters and no errors this is Eq. (4).

    Examples
    --------
    >>> expected_pairwise_information([1, 1])
    1.0
    >>> round(expected_pairwise_information([1, 1], epsilon=0.15), 2)
    0.39
    """
    p = _as_prior(prior)
    channel = error_matrix(epsilon, size=2) if confusion is None else as_confusion(confusion, size=2)
    must_link = np.sum(p**2)
    return float(information_by_answer(np.array([must_link, 1 - must_link]), channel)[1].sum() / np.log(base))


def information_by_answer(
    implied: NDArray[np.float64], channel: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return P(l), and I(l; Y) split into what each answer l contributes, P(l) KL(P(Y|l) || P(Y)), in nats.

    Both have a row for each row of probabilities of the implied answers.
    """
    joint = implied[..., np.newaxis] * channel
    given = joint.sum(axis=-2)
    return given, (xlogy(joint, channel) - xlogy(joint, given[..., np.newaxis, :])).sum(axis=-2)


def _as_n_clusters(n_clusters: ArrayLike) -> Any:
    K = np.asarray(n_clusters, dtype=float)
    if not (K >= 1).all():
        raise ValueError(f"n_clusters must be at least 1, got {n_clusters!r}")
    return K[()]


def _as_prior(prior: ArrayLike) -> NDArray[np.float64]:
    p = np.asarray(prior, dtype=float)
    if p.ndim != 1 or not p.any() or not (np.isfinite(p) & (p >= 0)).all():
        raise ValueError(f"prior must hold one share per cluster, none negative and not all zero, got {prior!r}")
    return p / p.sum()
