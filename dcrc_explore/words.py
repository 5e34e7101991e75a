"""Words: numbers in sentences, and texts from elsewhere."""

from __future__ import annotations


def count(n: int, word: str) -> str:
    """Write how many there are of something.

    Examples
    --------
    >>> count(1, "answer"), count(2, "answer")
    ('1 answer', '2 answers')
    """
    return f"{n} {word}{'' if n == 1 else 's'}"


def writable(text: str) -> str:
    r"""Return a text that can be saved and sent: half a character, as in an undecodable file name, becomes "?".

    Examples
    --------
    >>> writable("caf\udce9"), writable("café")
    ('caf?', 'café')
    """
    return text.encode(errors="replace").decode()


def listed(names: list[str], most: int = 10) -> str:
    """Write names one after another, and of very many the first ones; long ones are cut.

    Examples
    --------
    >>> listed(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    shown = [name if len(name) <= 60 else f"{name[:60]}…" for name in names[:most]]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
