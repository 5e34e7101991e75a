"""Threads: on products as small as DCRC's they cost more than they give."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

T = TypeVar("T")


@cache
def _controller() -> ThreadpoolController:
    # Finding the loaded libraries takes milliseconds, so it is done once.
    return ThreadpoolController()


def one_thread() -> Any:
    """Context in which BLAS and OpenMP (which K-means uses) have one thread."""
    return _controller().limit(limits=1)


def stepwise_on_one_thread(steps: Iterator[T]) -> Iterator[T]:
    """Take each step on one thread; the code between two steps keeps its threads."""
    while True:
        with one_thread():
            try:
                step = next(steps)
            except StopIteration:
                return
        yield step
