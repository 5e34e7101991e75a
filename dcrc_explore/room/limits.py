"""How much is allowed: sizes, numbers of people, and rates that refill."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

_MOST_KEYS = 10_000  # addresses or people that are remembered at once


@dataclass(frozen=True)
class Limits:
    """Limits of a room; a rate is (per second, at once). A class behind one router shares an address.

    Examples
    --------
    >>> Limits(participants=30).participants
    30
    """

    participants: int = 500
    participants_per_address: int = 300
    body: int = 16_384  # bytes of one request
    wrong_codes_per_address: tuple[float, float] = (10.0, 100.0)
    joins_per_address: tuple[float, float] = (5.0, 60.0)
    requests_per_address: tuple[float, float] = (200.0, 1000.0)  # of those outside
    requests_per_person: tuple[float, float] = (20.0, 200.0)
    names_per_person: tuple[float, float] = (0.1, 5.0)  # changes of the nickname
    answers_per_person: tuple[float, float] = (4.0, 20.0)
    waiting_per_person: int = 4  # requests that wait for news at once
    connections: int = 4000  # and not more than three quarters of the files that the process may open
    connections_outside: int = 400
    connections_per_address: int = 200  # of those outside
    connections_per_person: int = 8


class Rate:
    """A rate for each key: so many at once, refilled with so many per second.

    Examples
    --------
    >>> rate = Rate((1.0, 2.0))
    >>> [rate.allows("here", now) for now in (0.0, 0.0, 0.0, 1.0)]
    [True, True, False, True]
    """

    def __init__(self, rate: tuple[float, float]) -> None:
        self.per_second, self.at_once = rate
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, key: str, now: float, *, cost: float = 1.0) -> bool:
        """Whether one more is allowed at a time in seconds; what is refused costs nothing. A cost of 0 only asks."""
        left, then = self._left.pop(key, (self.at_once, now))
        left = min(self.at_once, left + (now - then) * self.per_second)
        allowed = left >= max(cost, 1.0)
        self._left[key] = (left - cost if allowed else left, now)
        if len(self._left) > _MOST_KEYS:
            self._left.popitem(last=False)
        return allowed
