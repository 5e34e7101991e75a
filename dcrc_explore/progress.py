"""Progress of long work, and the time left."""

from __future__ import annotations

import math
from collections.abc import Callable
from time import monotonic
from typing import Any

# Gets how much is done, how much there is, and of what, in words; what it raises ends the work.
Watch = Callable[[int, int, str], object]

_PATIENCE = 2.0  # seconds of work before it is worth a word, and seconds left that are


def unwatched(done: int, total: int, what: str) -> None:
    """Let the work run to its end."""


def with_time_left(watch: Watch, clock: Callable[[], float] = monotonic) -> Watch:
    """Return a watch that adds the time left to the words, once it can be estimated.

    Examples
    --------
    >>> seconds = iter([0.0, 10.0, 20.0])
    >>> watch = with_time_left(lambda *progress: print(*progress), clock=lambda: next(seconds))
    >>> watch(0, 300, "images"); watch(100, 300, "images"); watch(299, 300, "images")
    0 300 images
    100 300 images, about 20 s left
    299 300 images
    """
    began: list[float] = []

    def report(done: int, total: int, what: str) -> None:
        now = clock()
        began[:] = began or [now]
        left = (now - began[0]) / done * (total - done) if done else 0.0
        worth = left >= _PATIENCE and now - began[0] >= _PATIENCE
        watch(done, total, f"{what}, about {duration(left)} left" if worth else what)

    return report


def duration(seconds: float) -> str:
    """Write a length of time in seconds, minutes or hours.

    Examples
    --------
    >>> duration(3.2), duration(118), duration(9000)
    ('4 s', '2 min', '2.5 h')
    """
    if seconds < 90:
        return f"{math.ceil(seconds)} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"


class Bar:
    """A watch that draws a bar with the time left in a notebook's output or a terminal, after two seconds of work.

    Examples
    --------
    >>> bar = Bar()
    >>> bar(1, 3, "images"); bar.close()
    """

    def __init__(self) -> None:
        self._bar: Any = None

    def __call__(self, done: int, total: int, what: str) -> None:
        """Draw how far the work is."""
        from tqdm.auto import tqdm

        if self._bar is None:
            self._bar = tqdm(total=total, unit=f" {what}", delay=_PATIENCE, leave=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
