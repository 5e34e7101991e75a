"""The pairwise half of the paper's user study: pairs that simulated people labelled, and methods that learn from them.

Each method is tuned on the same folds. DCRC chooses as it does from triplets, by balanced accuracy. A metric has no
threshold between must-link and cannot-link: ITML chooses by the area under the ROC curve. Xing has nothing to choose.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.annotators import PairOracle
from dcrc_explore.baselines import tune_pairs
from dcrc_explore.constraints import Pairs
from dcrc_explore.experiments.methods import Outcome, baseline, tuned_dcrc
from dcrc_explore.experiments.work import Task, folds

# Methods that use pairs, and how many for each triplet that the others use: the paper's people labelled 150 triplets
# and 225 pairs.
PAIRWISE: dict[str, tuple[str, float]] = {
    "Xing": ("Xing", 1.0),
    "ITML": ("ITML", 1.0),
    "DCRC, pairs": ("DCRC", 1.0),
    "Xing, 1.5 x pairs": ("Xing", 1.5),
    "ITML, 1.5 x pairs": ("ITML", 1.5),
    "DCRC, 1.5 x pairs": ("DCRC", 1.5),
}


def label_pairs(task: Task, n_pairs: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Draw different pairs; simulated people, who err as the paper's did (Table IV b), say which belong together."""
    first, second = np.triu_indices(len(task.X), 1)
    chosen = np.random.default_rng(task.seed).choice(len(first), n_pairs, replace=False)
    pairs = np.column_stack([first[chosen], second[chosen]])
    return pairs, PairOracle(task.y, seed=task.seed).answer(pairs)


def cluster_by_pairs(method: str, task: Task, n_pairs: int, **parameters: Any) -> Outcome:
    """Tune and fit DCRC, ITML or Xing to pairs that simulated people labelled; `parameters` replace those of DCRC.

    Examples
    --------
    >>> from dcrc_explore.experiments.work import Item, make_task
    >>> outcome = cluster_by_pairs("DCRC", make_task(Item("people", "iris", "DCRC, pairs", 0, 0)), 20)
    >>> outcome.labels.shape, list(outcome.settings)
    ((150,), ['tau', 'lam'])
    """
    pairs, together = label_pairs(task, n_pairs)
    parts = folds(n_pairs, task.seed)
    if method == "DCRC":
        return tuned_dcrc(task, parameters, parts, pairs=Pairs(pairs, np.where(together, 1, -1)))
    model: Any = baseline(method, task)
    choice = tune_pairs(model, task.X, pairs, together, parts)
    model.set_params(**choice.parameters).fit_pairs(task.X, pairs[together], pairs[~together])
    return Outcome(model.labels_, choice.parameters, choice.score)
