"""How far a fit is that takes long, for whoever waits for it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from time import monotonic

# Numbers (points x features x clusters) from which on a fit is told of when it begins, before its first iteration.
_LARGE = 2_000_000
# Seconds before the first word about other fits, and between two words.
_EVERY = 0.3


class Progress:
    """Tells of the EM iterations of a fit while it goes on, and ends it early if that is wanted.

    Attributes
    ----------
    iteration : int
        The last one that is done.

    Examples
    --------
    >>> progress = Progress()
    >>> forget = progress.watch(print)
    >>> progress.begin(size=10_000_000)
    0
    >>> progress.stop()
    >>> progress.ends_after(1)
    True
    """

    def __init__(self) -> None:
        self._watchers: list[Callable[[int], object]] = []
        self._told, self._stopped, self.iteration = 0.0, False, 0

    def watch(self, callback: Callable[[int], object]) -> Callable[[], None]:
        """Call `callback` with the number of iterations now and then, in the thread that fits; returns what ends it."""
        self._watchers.append(callback)
        return lambda: self._watchers.remove(callback)

    def stop(self) -> None:
        """Let the fit that goes on end after the iteration that it is in: the model is what it is then."""
        self._stopped = True

    def begin(self, size: int) -> None:
        """Begin with a fit in which each iteration goes through so many numbers."""
        self._told, self._stopped, self.iteration = monotonic(), False, 0
        if size >= _LARGE:
            self._tell()

    def ends_after(self, iteration: int) -> bool:
        """Take note of an iteration; return whether it is to be the last."""
        self.iteration = iteration
        if monotonic() - self._told >= _EVERY:
            self._tell()
        return self._stopped

    def _tell(self) -> None:
        self._told = monotonic()
        for callback in tuple(self._watchers):
            try:
                callback(self.iteration)
            except Exception as error:  # the fit goes on, whoever listens
                warnings.warn(f"a watcher of the fit failed: {error!r}", RuntimeWarning, stacklevel=2)
