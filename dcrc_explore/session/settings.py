"""The settings of a session: one list that saving, restoring and undo follow."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from math import inf
from numbers import Integral, Real
from typing import Any

from dcrc_explore.model.weighting import WEIGHTINGS

KERNELS = ("linear", "rbf", "poly")
# Labels, maps and colours have a byte for the number of a cluster.
MOST_CLUSTERS = 255


class SessionError(ValueError):
    """Something the user asked for can't be done. The message says what to do; the session is unchanged."""


class clear_errors:
    """Turns a ValueError of the library, whose message says what was expected, into a SessionError."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ValueError) and not isinstance(error, SessionError):
            raise SessionError(str(error)) from error


@dataclass(frozen=True)
class Settings:
    """Everything that, beside data and answers, decides the fit: the one list that saving, restoring and undo follow.

    Parameters
    ----------
    n_clusters : int
        K, from 2 to 255.
    epsilon : float
        Probability of a wrong answer: 0 (hard) to 2/3 (answers are ignored).
    tau : float
        Weight of separation and balance.
    lam : float
        Weight of the regulariser.
    balance : bool
        Whether clusters of similar size are preferred, Eq. (9) instead of Eq. (8).
    use_dnk : bool
        False learns from yes and no only (DCRC-YN).
    weighting : {"steady", "paper"}
        How much the answers weigh beside the points without answers; as in :class:`~dcrc_explore.DCRC`.
    per_person : bool
        Whether, once several people have answered, each is heard by errors of their own that are learned from the
        answers, beginning with epsilon. Hard answers are heard alike.
    kernel : {"linear", "rbf", "poly"}
        "poly" is of degree 3.
    gamma : float or "scale"
        Width of the kernel; without effect for "linear".
    restart : bool
        True: every fit starts from the initialisation. False: it goes on from the model on the screen; with few answers
        the initialisation is tried too, and taken when it ends with a better bound.
    random_state : int
        Seed of the initialisation.

    Examples
    --------
    >>> Settings(n_clusters=4).epsilon
    0.05
    >>> Settings(epsilon=0.9)
    Traceback (most recent call last):
        ...
    dcrc_explore.session.settings.SessionError: epsilon must be a number between 0 and 0.667, got 0.9
    """

    n_clusters: int = 3
    epsilon: float = 0.05
    tau: float = 1.0
    lam: float = 2.0**-6
    balance: bool = True
    use_dnk: bool = True
    weighting: str = "steady"
    per_person: bool = True
    kernel: str = "linear"
    gamma: float | str = "scale"
    restart: bool = False
    random_state: int = 0

    def __post_init__(self) -> None:
        self._number("n_clusters", 2, most=MOST_CLUSTERS, whole=True)
        self._number("epsilon", 0, 2 / 3)
        self._number("tau", 0, most=1e6)
        self._number("lam", 0, most=1e6)
        self._number("random_state", 0, 2**32 - 1, whole=True)
        for name in ("balance", "use_dnk", "per_person", "restart"):
            if getattr(self, name) not in (True, False):
                raise SessionError(f"{name} must be True or False, got {getattr(self, name)!r}")
            object.__setattr__(self, name, bool(getattr(self, name)))
        if self.weighting not in tuple(WEIGHTINGS):
            raise SessionError(f"weighting must be one of {', '.join(WEIGHTINGS)}, got {self.weighting!r}")
        if self.kernel not in KERNELS:
            raise SessionError(f"kernel must be one of {', '.join(KERNELS)}, got {self.kernel!r}")
        if self.gamma != "scale":
            self._number("gamma", 0, most=1e12)
            if self.gamma == 0:
                raise SessionError("gamma must be larger than 0 or 'scale', got 0")

    def _number(
        self, name: str, low: float, high: float | None = None, *, most: float = inf, whole: bool = False
    ) -> None:
        """Check one field; `most` is a limit that is only named when it is passed."""
        value = getattr(self, name)
        right_type = isinstance(value, Integral if whole else Real) and not isinstance(value, bool)
        if not right_type or not low <= value <= (most if high is None else high):
            kind = "whole number" if whole else "number"
            limits = f"between {low} and {high:.3g}" if high is not None else f"of at least {low}"
            if right_type and high is None and value > most:
                limits = f"of at most {most:g}"
            raise SessionError(f"{name} must be a {kind} {limits}, got {reprlib.repr(value)}")
        # Plain Python numbers: they print and save the same wherever they came from.
        object.__setattr__(self, name, int(value) if whole else float(value))

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names of all settings."""
        return tuple(field.name for field in fields(cls))

    def changed(self, changes: Mapping[str, Any]) -> Settings:
        """Return settings with these values changed."""
        unknown = set(changes) - set(self.names())
        if unknown:
            raise SessionError(f"settings are {', '.join(self.names())}, got {sorted(unknown)[0]!r}")
        return replace(self, **changes)

    def model_parameters(self) -> dict[str, Any]:
        """Return the arguments of :class:`~dcrc_explore.DCRC` that these settings stand for."""
        return {name: getattr(self, name) for name in self.names() if name not in ("per_person", "restart")}

    def same_weights(self, other: Settings) -> bool:
        """Whether a fit with these settings can go on from weights that were fitted with the others."""
        return all(getattr(self, name) == getattr(other, name) for name in _SHAPE)


# A change of any of these needs a new initialisation.
_SHAPE = ("n_clusters", "kernel", "gamma", "random_state")
