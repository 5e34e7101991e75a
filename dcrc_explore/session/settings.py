"""The settings of a session: checked values of the list in :mod:`dcrc_explore.settings`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from inspect import cleandoc
from typing import Any

from dcrc_explore.settings import MOST_CLUSTERS, SETTINGS, find, reference

__all__ = ["MOST_CLUSTERS", "SessionError", "Settings", "clear_errors"]


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
    """Everything that, beside data and answers, decides the fit.

    Parameters
    ----------
    {reference}

    Examples
    --------
    >>> Settings(n_clusters=4).epsilon
    0.05
    >>> Settings(epsilon=0.9)
    Traceback (most recent call last):
        ...
    dcrc_explore.session.settings.SessionError: epsilon must be a number between 0 and 0.667, got 0.9
    """

    n_clusters: int = find("n_clusters").default
    epsilon: float = find("epsilon").default
    tau: float = find("tau").default
    lam: float = find("lam").default
    balance: bool = find("balance").default
    use_dnk: bool = find("use_dnk").default
    weighting: str = find("weighting").default
    per_person: bool = find("per_person").default
    kernel: str = find("kernel").default
    gamma: float | str = find("gamma").default
    restart: bool = find("restart").default
    random_state: int = find("random_state").default
    open_k: bool = find("open_k").default

    def __post_init__(self) -> None:
        with clear_errors():
            for setting in SETTINGS:
                object.__setattr__(self, setting.name, setting.checked(getattr(self, setting.name)))

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names of all settings."""
        return tuple(setting.name for setting in SETTINGS)

    def changed(self, changes: Mapping[str, Any]) -> Settings:
        """Return settings with these values changed; another K is a chosen one, unless `open_k` says otherwise."""
        unknown = set(changes) - set(self.names())
        if unknown:
            raise SessionError(f"settings are {', '.join(self.names())}, got {sorted(unknown)[0]!r}")
        if changes.get("n_clusters", self.n_clusters) != self.n_clusters:
            changes = {"open_k": False, **changes}
        return replace(self, **changes)

    def model_parameters(self) -> dict[str, Any]:
        """Return the arguments of :class:`~dcrc_explore.DCRC` that these settings stand for."""
        return {setting.name: getattr(self, setting.name) for setting in SETTINGS if setting.of_model}

    def same_weights(self, other: Settings) -> bool:
        """Whether a fit with these settings can go on from weights that were fitted with the others."""
        return all(getattr(self, each.name) == getattr(other, each.name) for each in SETTINGS if each.reshapes)


if Settings.__doc__ is not None:  # python -OO leaves it out
    Settings.__doc__ = cleandoc(Settings.__doc__).replace("{reference}", reference())
