"""Whether the answers ask for another kind of boundary."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import KFold

from dcrc_explore.arrays import FloatArray
from dcrc_explore.model.estimator import DCRC
from dcrc_explore.model.features import Features
from dcrc_explore.model.held_out import held_out_log_proba
from dcrc_explore.session.settings import Settings
from dcrc_explore.session.subject import Subject
from dcrc_explore.session.trace import Request, Trace

CURVES = "These answers do not fit straight lines: try the RBF kernel."
# From so many answers on, curves are advised when they predict answers that were held out better by this much on
# average, in nats, and by this many standard errors. Measured by tests/benchmarks/curves.py.
_ENOUGH = 15
_GAIN = 0.1
_STANDARD_ERRORS = 2.0
_FOLDS = 3
# In few dimensions narrow bends are tried too: "scale" is made for clusters as wide as the data.
_FEW_FEATURES = 4
_NARROW = 3.0


def curves_advised(
    trace: Trace, features_of: Callable[[Subject, Settings], Features], go_on: Callable[[], bool]
) -> dict[str, Any] | None:
    """Return the settings of a curved boundary that predicts held-out answers clearly better than a straight one.

    Parameters
    ----------
    trace : Trace
        A fit with the linear kernel, else nothing is advised.
    features_of : callable(Subject, Settings)
        Makes the features of a kernel.
    go_on : callable()
        Asked after each fit; when it says no, nothing is advised.

    Returns
    -------
    dict or None
        Kernel and gamma; None where straight lines will do.
    """
    request = trace.request
    if request.settings.kernel != "linear" or request.n_answers < _ENOUGH or not trace.fit.violated.any():
        return None
    straight = _predicted(request, request.features, go_on)
    best: tuple[float, dict[str, Any] | None] = _GAIN, None
    for gamma in _widths(request.subject.dataset.X):
        changes = {"kernel": "rbf", "gamma": gamma}
        curved = _predicted(request, features_of(request.subject, request.settings.changed(changes)), go_on)
        if straight is None or curved is None:
            return None
        gains = curved - straight
        error = gains.std(ddof=1) / np.sqrt(len(gains))
        if gains.mean() > max(best[0], _STANDARD_ERRORS * error):
            best = gains.mean(), changes
    return best[1]


def _widths(X: FloatArray) -> list[float | str]:
    """Return the values of gamma that are tried."""
    spread = X.shape[1] * X.var()
    return ["scale", float(_NARROW / spread)] if X.shape[1] <= _FEW_FEATURES and spread > 0 else ["scale"]


def _predicted(request: Request, features: Features, go_on: Callable[[], bool]) -> FloatArray | None:
    """Return the log-probability of each answer, from fits without it; None when the work was ended."""
    folds = KFold(_FOLDS, shuffle=True, random_state=0)
    model = DCRC(**request.parameters() | {"kernel": "linear"})
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a fit that loses a cluster is judged like any other
        for train, test in folds.split(np.arange(request.n_answers)):
            if not go_on():
                return None
            found.append(held_out_log_proba(model, features.rows, request.answered(), train, test))
    return np.concatenate(found) if go_on() else None
