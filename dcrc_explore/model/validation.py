"""What the estimator refuses before any work: parameters and data that make no sense."""

from __future__ import annotations

from numbers import Integral, Real
from typing import TYPE_CHECKING

import numpy as np
from sklearn.utils import check_scalar

from dcrc_explore.arrays import FloatArray

if TYPE_CHECKING:
    from dcrc_explore.model.estimator import DCRC

# The kernels by name, each with the parameters it takes.
KERNELS: dict[str, tuple[str, ...]] = {
    "linear": (),
    "rbf": ("gamma",),
    "poly": ("gamma", "degree", "coef0"),
    "precomputed": (),
}


def check_parameters(model: DCRC) -> None:
    """Raise if a parameter has a type or value that is not allowed."""
    # One cluster is a trivial model, but scikit-learn's own checks ask every clusterer for it.
    for name, least in (("n_clusters", 1), ("max_iter", 0), ("n_init", 1), ("degree", 1), ("n_components", 1)):
        check_scalar(getattr(model, name), name, Integral, min_val=least)
    check_scalar(model.epsilon, "epsilon", Real, min_val=0, max_val=1, include_boundaries="left")
    for name in ("tau", "lam", "tol"):
        check_scalar(getattr(model, name), name, Real, min_val=0)
    check_scalar(model.coef0, "coef0", Real)
    if model.gamma != "scale":
        check_scalar(model.gamma, "gamma", Real, min_val=0, include_boundaries="neither")
    for name in ("epsilon", "tau", "lam", "tol", "coef0", "gamma"):
        value = getattr(model, name)
        if value != "scale" and not np.isfinite(value):
            raise ValueError(f"{name} must be a finite number, got {value}")
    for name in ("balance", "use_dnk", "soft_start", "warm_start"):
        value = getattr(model, name)
        if not isinstance(value, bool | np.bool_):
            raise TypeError(f"{name} must be True or False, got {value!r}")
    if not callable(model.kernel) and model.kernel not in KERNELS:
        raise ValueError(f"kernel must be a callable or one of {', '.join(KERNELS)}, got {model.kernel!r}")


def check_instances(model: DCRC, X: FloatArray) -> None:
    """Raise if the instances do not fit the parameters."""
    N, K = len(X), model.n_clusters
    if N < K:
        raise ValueError(f"n_samples={N} should be >= n_clusters={K}")
    if model.kernel == "precomputed" and (X.shape[0] != X.shape[1] or not np.allclose(X, X.T)):
        what = f"shape {X.shape}" if X.shape[0] != X.shape[1] else "one that is not symmetric"
        raise ValueError(f"a precomputed kernel must be a square, symmetric matrix, got {what}")
    if isinstance(model.init, str) and model.init == "kmeans":
        return
    labels = np.asarray(model.init)
    if labels.shape != (N,) or not np.isin(labels, np.arange(K)).all():
        got = repr(model.init) if labels.ndim == 0 else f"shape {labels.shape} with values like {labels.ravel()[:5]}"
        raise ValueError(
            f"init must be 'kmeans' or {N} cluster numbers from 0 to {K - 1}, one for each row of X, got {got}"
        )
