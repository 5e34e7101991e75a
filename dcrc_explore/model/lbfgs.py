"""L-BFGS ascent that keeps what it learned about the curvature from one call to the next.

The M-steps of a fit climb functions of W that differ by a term which is linear in W: J's Hessian does not depend on Q.
So the pairs that describe it stay true from one M-step to the next.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol, TypeVar

import numpy as np

from dcrc_explore.arrays import FloatArray

# Pairs of steps and changes of the gradient that are kept.
_MEMORY = 20
# Conditions of Wolfe for a step: it gains this share of what the slope promises, and the slope falls to this share.
_SUFFICIENT, _FLATTER = 1e-4, 0.9
_MOST_TRIALS = 20
# A gradient whose norm is smaller is zero.
_FLAT = 1e-6


class Evaluated(Protocol):
    """A function at a point: its value and gradient, and whatever else the caller wants to keep."""

    @property
    def value(self) -> float:
        """The function's value."""

    @property
    def gradient(self) -> FloatArray:
        """Its gradient, an array of any shape."""


E = TypeVar("E", bound=Evaluated)


class LBFGS:
    """Climbs smooth functions that have the same Hessian.

    Parameters
    ----------
    scaling : callable(gradient), optional
        The inverse of a rough Hessian times a gradient, up to a factor: positive definite. With one that knows the
        scale of each variable the ascent is the same in all units.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> def hill(x):
    ...     return SimpleNamespace(value=-(x**2).sum(), gradient=-2 * x)
    >>> x, top = LBFGS().maximise(hill, np.array([3.0, 4.0]), max_iter=50, tol=1e-12)
    >>> np.allclose(x, 0)
    True
    """

    def __init__(self, scaling: Callable[[FloatArray], FloatArray] = np.copy) -> None:
        self._scaling = scaling
        self._pairs: deque[tuple[FloatArray, FloatArray, float]] = deque(maxlen=_MEMORY)

    def maximise(
        self, evaluate: Callable[[FloatArray], E], x: FloatArray, at: E | None = None, *, max_iter: int, tol: float
    ) -> tuple[FloatArray, E]:
        """Climb until the value rises by less than `tol`, relative to its size where that is above 1.

        Parameters
        ----------
        evaluate : callable(x)
        x : ndarray
        at : Evaluated, optional
            What `evaluate` would return at x, if it is known.
        max_iter : int
        tol : float

        Returns
        -------
        x : ndarray
        Evaluated
            At x; its value is never lower than at the beginning.
        """
        at = evaluate(x) if at is None else at
        for _ in range(max_iter):
            if self._size(at.gradient) <= _FLAT:
                break
            with np.errstate(over="ignore", invalid="ignore"):  # pairs of extreme scales: they are dropped
                direction = self._direction(at.gradient)
                slope = float(np.vdot(direction, at.gradient))
            if not 0 < slope < np.inf:
                self._pairs.clear()
                direction = self._direction(at.gradient)
                slope = float(np.vdot(direction, at.gradient))
            trial = _search(evaluate, x, at, direction, slope)
            if trial is None:
                break
            step, reached = trial
            self._remember(step, reached.gradient - at.gradient)
            gain = reached.value - at.value
            x, at = x + step, reached
            if gain <= tol * max(1.0, abs(at.value)):
                break
        return x, at

    def _remember(self, step: FloatArray, change: FloatArray) -> None:
        curvature = -float(np.vdot(step, change))
        size = self._size(change)
        # Only a function that bends down along the step tells where its top is.
        if curvature > 1e-12 * size**2:
            self._pairs.append((step, -change, 1.0 / curvature))
            self._steepness = curvature / size**2

    def _size(self, gradient: FloatArray) -> float:
        """Return the norm of a gradient where all variables have one scale."""
        return float(np.vdot(gradient, self._scaling(gradient))) ** 0.5

    def _direction(self, gradient: FloatArray) -> FloatArray:
        """Return minus the inverse Hessian, as far as the pairs show, times the gradient (the two-loop recursion)."""
        if not self._pairs:
            return self._scaling(gradient) / max(1.0, self._size(gradient))
        direction = gradient.copy()
        shares = []
        for step, change, scale in reversed(self._pairs):
            share = scale * float(np.vdot(step, direction))
            direction -= share * change
            shares.append(share)
        direction = self._scaling(direction) * self._steepness
        for (step, change, scale), share in zip(self._pairs, reversed(shares), strict=True):
            direction += (share - scale * float(np.vdot(change, direction))) * step
        return direction


def _search(
    evaluate: Callable[[FloatArray], E], x: FloatArray, at: E, direction: FloatArray, slope: float
) -> tuple[FloatArray, E] | None:
    """Find a step along the direction by Wolfe's conditions; None where no trial is higher, as at the top."""
    low, high, length = 0.0, np.inf, 1.0
    best = None
    for _ in range(_MOST_TRIALS):
        step = length * direction
        trial = evaluate(x + step)
        if not trial.value >= at.value + _SUFFICIENT * length * slope:
            high = length
        else:
            best = step, trial
            if float(np.vdot(trial.gradient, direction)) <= _FLATTER * slope:
                break
            low = length
        if high == np.inf:
            length *= 2.0
        elif low > 0:
            length = (low + high) / 2
        else:
            # The top of the parabola through both values with the slope at the first.
            bend = at.value + slope * length - trial.value
            top = slope * length / (2 * bend) if bend > 0 else 0.5
            length *= min(max(top, 0.1), 0.5) if np.isfinite(top) else 0.1
    return best
