"""Numbers in sentences."""

from __future__ import annotations


def count(n: int, word: str) -> str:
    """Write how many there are of something.

    Examples
    --------
    >>> count(1, "answer"), count(2, "answer")
    ('1 answer', '2 answers')
    """
    return f"{n} {word}{'' if n == 1 else 's'}"
