"""One piece of work: which data, answers and folds it has, all from its name."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import make_classification
from sklearn.model_selection import KFold

from dcrc_explore.annotators import confused, truth
from dcrc_explore.baselines.tuning import Folds
from dcrc_explore.constraints import Triplets
from dcrc_explore.datasets import Dataset, Draft, load_dataset
from dcrc_explore.questions import random_triplets

N_FOLDS = 5
BIRDSONG_SHAPE = "birdsong-shape"


@dataclass(frozen=True)
class Item:
    """A method on the answers of one run."""

    experiment: str
    dataset: str
    method: str
    size: float  # how many answers: a share of N up to 1, a number above
    run: int

    @property
    def seed(self) -> int:
        """Seed of everything random; the same for every method and experiment, so all see the same answers.

        Examples
        --------
        >>> Item("comparison", "iris", "DCRC", 0.1, 0).seed == Item("soft-hard", "iris", "DCRC hard", 0.1, 0).seed
        True
        """
        words = zlib.crc32(self.dataset.encode()), round(1000 * self.size), self.run
        return int(np.random.SeedSequence(words).generate_state(1)[0])


class Task(NamedTuple):
    """What a method gets: standardised data, answers, folds of the answers and a seed; y is for the measures only."""

    X: NDArray[np.float64]
    y: NDArray[np.int64]
    triplets: Triplets
    folds: Folds
    seed: int

    @property
    def n_clusters(self) -> int:
        """K, as many as there are classes."""
        return int(self.y.max()) + 1

    def only(self, chosen: NDArray[np.bool_]) -> Task:
        """Return the task with some of the answers, in the same folds."""
        place = np.cumsum(chosen) - 1
        folds = [(place[train[chosen[train]]], place[test[chosen[test]]]) for train, test in self.folds]
        return self._replace(triplets=self.triplets[chosen], folds=folds)


@lru_cache(maxsize=16)
def standardised(name: str, data_home: str | None) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Load a data set with features of mean 0 and variance 1, once; returns X and y."""
    if name == BIRDSONG_SHAPE:
        # The paper's timing task: 4998 x 38, 13 clusters of unequal size.
        sizes = 0.8 ** np.arange(13)
        X, y = make_classification(
            4998,
            38,
            n_informative=20,
            n_redundant=0,
            n_classes=13,
            n_clusters_per_class=1,
            weights=(sizes / sizes.sum()).tolist(),
            class_sep=2.0,
            random_state=0,
        )
        return (X - X.mean(axis=0)) / X.std(axis=0), y.astype(np.int64)
    data = labelled(name).standardized() if is_own(name) else load_dataset(name, data_home).standardized()
    assert data.y is not None  # both give classes with every set
    return data.X, data.y


def is_own(name: str) -> bool:
    """Whether a data set is a file of the user's own."""
    return Path(name).suffix in (".csv", ".npz")


def labelled(name: str) -> Dataset:
    """Read a file of the user's own with its classes; rows with empty cells are left out."""
    draft = Draft.read(name)
    data = draft.dataset(draft.guess(), drop_incomplete=True)
    if data.y is None or data.n_classes == 1:
        expected = "a column with at least two classes, called y, class or label, or an array y"
        raise ValueError(f"{name!r} must have {expected}, got {'one class' if data.n_classes else 'none'}")
    return data


def make_task(item: Item, data_home: str | None = None, *, people: bool = False) -> Task:
    """Draw the questions of a run, answer them by the truth or like the paper's people, and divide them into folds.

    Examples
    --------
    >>> task = make_task(Item("comparison", "iris", "DCRC", 0.1, 0))
    >>> len(task.triplets), len(task.folds)
    (15, 5)
    """
    X, y = standardised(item.dataset, data_home)
    N, seed = len(X), item.seed
    M = round(item.size * N if item.size <= 1 else item.size)
    questions = random_triplets(N, M, seed=seed)
    oracle = confused(y, seed=seed) if people else truth(y)
    return Task(X, y, Triplets(questions, oracle.answer(questions)), folds(M, seed), seed)


def folds(n: int, seed: int) -> Folds:
    """Divide n answers into five folds, or none where there are fewer than five."""
    return list(KFold(N_FOLDS, shuffle=True, random_state=seed).split(np.arange(n))) if n >= N_FOLDS else []
