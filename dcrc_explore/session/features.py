"""Features in which the model is linear, computed once for a kernel instead of once for each fit."""

from __future__ import annotations

from dcrc_explore.model.features import Features, make_features
from dcrc_explore.model.threads import one_thread
from dcrc_explore.session.subject import Subject


def features_of(
    subject: Subject, kernel: str, gamma: float | str = "scale", random_state: int | None = None
) -> Features:
    """Return the points of a subject in the space in which the model is linear.

    Answers change neither points nor kernel, so a session computes this when data or kernel change, and an answer
    costs a linear fit whatever the kernel is.

    Examples
    --------
    >>> features_of(Subject.of("moons"), "linear").rows.shape
    (100, 2)
    """
    with one_thread():
        return make_features(subject.dataset.X, kernel, gamma=gamma, random_state=random_state)
