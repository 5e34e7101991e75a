"""How a fit changes with epsilon, from hard answers to ignored ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from dcrc_explore.constraints import Log, Triplets, as_log
from dcrc_explore.information import entropy
from dcrc_explore.metrics import adjusted_rand
from dcrc_explore.model.estimator import DCRC

# From hard to ignored, denser where the answers still decide; the paper's 0.05 and 0.15 are among them.
EPSILONS = (0.0, 0.001, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 2 / 3)


class SweepPoint(NamedTuple):
    """A fit with one value of epsilon."""

    epsilon: float
    satisfied: float  # share of the answers that the labels satisfy
    entropy: float  # mean entropy of P(y|x) in bits
    # Adjusted Rand index of the clusters and the true classes. None when the truth is not known.
    agreement: float | None
    n_iter: int  # EM iterations


def epsilon_sweep(
    model: DCRC,
    X: ArrayLike,
    answered: Log | Triplets,
    y: ArrayLike | None = None,
    *,
    epsilons: Iterable[float] = EPSILONS,
) -> Iterator[SweepPoint]:
    """Fit the model with one epsilon after another.

    A generator: each value is computed when it is asked for, so a caller can show progress and stop in between.

    Parameters
    ----------
    model : DCRC
        Its other parameters are used; it is not changed.
    X : array-like of shape (N, n_features)
    answered : Log or Triplets
    y : array-like of shape (N,), optional
        The truth.
    epsilons : iterable of float, optional
        By default 18 values from 0 to 2/3.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(30, 2))
    >>> points = epsilon_sweep(DCRC(2, random_state=0), X, Triplets([(0, 1, 2)], ["yes"]), epsilons=[0, 2 / 3])
    >>> [point.epsilon for point in points]
    [0, 0.6666666666666666]
    """
    log = as_log(answered)
    for epsilon in epsilons:
        # Not `fit`, which warns where EM reaches its limit: the number of iterations is part of the result.
        *_, last = (
            clone(model)
            .set_params(epsilon=epsilon, warm_start=False)
            .iterate(X, triplets=log.triplets, pairs=log.pairs)
        )
        fitted = last.model
        yield SweepPoint(
            epsilon,
            float(np.mean(~log.violated(fitted.labels_))) if log else 1.0,
            float(entropy(fitted.predict_proba(X)).mean()),
            None if y is None else adjusted_rand(y, fitted.labels_),
            fitted.n_iter_,
        )
