"""What all features share: the items they are made of, a row of numbers for each, principal components of the rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.embeddings.cache import Cache
from dcrc_explore.progress import Watch, with_time_left

MOST_COMPONENTS = 20
_BATCH = 8  # items that a network gets at once


class ItemSource(Protocol):
    """Items as features need them; those of :mod:`dcrc_explore.datasets` are such."""

    @property
    def kind(self) -> str:
        """What the items are: "images", "texts", "sounds" ..."""

    def __len__(self) -> int: ...

    def content(self, i: int) -> bytes:
        """Return an identifier of item i."""

    def raw(self, i: int) -> Any:
        """Return item i as a program takes it: the path of a file, a text, an array."""

    def square(self, i: int, size: int) -> NDArray[np.uint8]:
        """Return the middle of image i, shape (size, size, 3)."""

    def samples(self, i: int) -> tuple[int, FloatArray]:
        """Return rate and samples of sound i."""


class Made(NamedTuple):
    """Features, the rows of the items that could be read, a description, a name, and why other rows could not be."""

    X: FloatArray
    rows: IntArray
    description: str
    name: str = ""
    problems: Mapping[int, str] = MappingProxyType({})


def missing_extra(what: str, extra: str, *, installed: bool) -> str:
    """Say which extra some features need; "" when it is installed."""
    return "" if installed else f'{what} need the extra {extra}: pip install "dcrc-explore[{extra}]"'


class Recipe(NamedTuple):
    """How numbers come of one item: it is read, and several at once are computed."""

    maker: str  # with a version: the cache holds the numbers of each maker apart
    read: Callable[[ItemSource, int], Any]
    compute: Callable[[Sequence[Any]], NDArray[np.float32]]


def numbers_of(items: ItemSource, recipe: Recipe, watch: Watch) -> tuple[NDArray[np.float32], IntArray, dict[int, str]]:
    """Return a row of numbers for each item that can be read, the rows of these, and why others cannot.

    Each is computed once. What is computed when `watch` ends the work stays in the cache.
    """
    cache, report = Cache(recipe.maker), with_time_left(watch)
    found: dict[int, NDArray[np.float32]] = {}
    problems: dict[int, str] = {}
    waiting: list[tuple[int, bytes, Any]] = []

    def compute() -> None:
        if waiting:
            for (i, content, _), numbers in zip(waiting, recipe.compute([each for *_, each in waiting]), strict=True):
                cache.write(content, numbers)
                found[i] = numbers
            waiting.clear()

    try:
        for i in range(len(items)):
            report(i, len(items), items.kind)
            try:
                content = items.content(i)
                if (numbers := cache.read(content)) is not None:
                    found[i] = numbers
                else:
                    waiting.append((i, content, recipe.read(items, i)))
            except (ValueError, OSError, MemoryError) as error:
                problems[i] = str(error) or "it needs more memory than there is"
                continue
            if len(waiting) == _BATCH:
                compute()
        compute()
    finally:
        cache.shrink()
    rows = np.array(sorted(found), dtype=np.int64)
    return np.array([found[i] for i in rows.tolist()]), rows, problems


def components(numbers: NDArray[Any], what: str) -> tuple[FloatArray, str]:
    """Return principal components of rows of numbers, on one scale, and a sentence about them.

    Examples
    --------
    >>> X, about = components(np.random.default_rng(0).normal(size=(9, 48)), "noise")
    >>> X.shape, round(X.std(), 3), about
    ((9, 8), np.float64(1.0), '8 principal components of noise (100% of their variance)')
    """
    numbers = numbers.reshape(len(numbers), -1).astype(np.float64)
    pca = PCA(min(MOST_COMPONENTS, len(numbers) - 1, numbers.shape[1]), random_state=0)
    X = pca.fit_transform(numbers)
    varying = pca.explained_variance_ > 1e-9
    X = X[:, varying] if varying.any() else X[:, :1]
    # One scale for all: how much a component varies tells how much it matters.
    share = float(np.nan_to_num(pca.explained_variance_ratio_).sum())
    return X / (X.std() or 1.0), f"{X.shape[1]} principal components of {what} ({share:.0%} of their variance)"


def made_of_components(items: ItemSource, recipe: Recipe, watch: Watch, what: str) -> Made:
    """Return principal components of the numbers that a recipe gives."""
    numbers, rows, problems = numbers_of(items, recipe, watch)
    if len(rows) < 2:
        why = "".join(f"; {problem}" for problem in list(problems.values())[:1])
        raise ValueError(f"at least two of the {len(items)} {items.kind} must be readable, got {len(rows)}{why}")
    X, about = components(numbers, what)
    return Made(X, rows, about, "", problems)
