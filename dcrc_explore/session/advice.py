"""Whether the answers ask for another kind of boundary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile

from dcrc_explore.model.features import Features
from dcrc_explore.session.trace import Trace

CURVES = "These answers do not fit straight lines: try the RBF kernel."
# From so many answers on, and when curves keep such a share of them that the straight boundary breaks. Measured by
# tests/benchmarks/curves.py: with a share of 0.2, overlapping clusters gave every third a false alarm.
_ENOUGH = 15
_MENDED = 0.3


def straight_lines_fail(trace: Trace, curved: Callable[[], Features], go_on: Callable[[], bool]) -> bool:
    """Tell whether the boundary breaks many answers, and curves would break far fewer.

    Clusters that overlap break answers too, but curves do not mend that.

    Parameters
    ----------
    trace : Trace
        A fit with the linear kernel, else nothing is told.
    curved : callable()
        Makes the features of the RBF kernel.
    go_on : callable()
        Asked after each EM iteration; when it says no, so does the function.
    """
    request, fit = trace.request, trace.fit
    M, broken = len(request.triplets), int(fit.violated.sum())
    if request.settings.kernel != "linear" or M < _ENOUGH or broken < _MENDED * M:
        return False
    settings = request.settings.changed({"kernel": "rbf"})
    bent = replace(request, features=curved(), settings=settings, start=None, reference=None)
    steps = list(takewhile(lambda _: go_on(), bent.steps()))
    if not go_on():
        return False
    return broken - int(Trace(bent, steps, 0.0).fit.violated.sum()) >= _MENDED * M
