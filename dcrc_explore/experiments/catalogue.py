"""The paper's figures and tables: what each compares, on which data, and how one piece of it is measured."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sklearn.metrics import confusion_matrix

from dcrc_explore.constraints import implied_answers
from dcrc_explore.datasets import list_real_datasets
from dcrc_explore.datasets.paper import FOLDER_VARIABLE
from dcrc_explore.experiments.methods import (
    BASELINES,
    EQUAL_WEIGHT,
    LARGER_EPSILON,
    PAPERS_ALGORITHM,
    PAPERS_SCORING,
    PAPERS_START,
    SMALLER_EPSILON,
    SMALLER_LAMBDA,
    STEADY_WEIGHTS,
    UNANSWERED,
    Outcome,
    cluster,
    only_dnk,
    some_dnk,
)
from dcrc_explore.experiments.pairs import PAIRWISE, cluster_by_pairs, label_pairs
from dcrc_explore.experiments.work import BIRDSONG_SHAPE, Item, Task, make_task
from dcrc_explore.metrics import adjusted_rand, answer_table, nmi, pairwise_f

Measured = dict[str, Any]

# The small ones first, so that the first results of a run come soon.
PAPER_SETS = ("ionosphere", "balance-scale", "pima", "digits-389", "letters-ijlt", "msrcv2", "stonefly9", "birdsong")
# The paper has 0.15 and 0.25 as well.
SHARES = (0.05, 0.1, 0.2, 0.3)
MANY_CLUSTERS = "digits"  # ten, where the paper's sets with as many are not public
# A linear programme in this many features is out of reach, as in the paper.
SPARSE_LP_FEATURES = 100


@dataclass(frozen=True)
class Experiment:
    """A figure or table."""

    name: str
    title: str
    methods: tuple[str, ...]
    # How many answers: shares of N up to 1, numbers above. Methods that use no answers have size 0.
    sizes: tuple[float, ...]
    measure: Callable[[Item, str | None], Measured]  # turns an item and the data folder into the fields of its record
    datasets: tuple[str, ...] = PAPER_SETS  # the data sets of the paper that it uses

    def default_datasets(self, data_home: str | None = None) -> list[str]:
        """Return the data sets to use: the paper's that are found in the data folder, else those that everyone has."""
        if self.datasets == (BIRDSONG_SHAPE,):
            return [BIRDSONG_SHAPE]
        bundled = [name for name, spec in list_real_datasets().items() if spec.bundled]
        folder = data_home or os.environ.get(FOLDER_VARIABLE)
        if not folder:
            return bundled
        files = {path.stem.replace("-", "").replace("_", "") for path in Path(folder).glob("*.npz")}
        return [name for name in self.datasets if name in bundled or name.replace("-", "") in files]

    def items(
        self,
        datasets: Sequence[str],
        *,
        methods: Sequence[str] | None = None,
        sizes: Sequence[float] | None = None,
        runs: int = 20,
    ) -> list[Item]:
        """Return the pieces of work, all of the first run before those of the second, and so on.

        Examples
        --------
        >>> items = list_experiments()["comparison"].items(["iris"], methods=["K-means", "DCRC"], sizes=[0.1], runs=2)
        >>> [(item.method, item.size, item.run) for item in items]
        [('K-means', 0.0, 0), ('DCRC', 0.1, 0), ('K-means', 0.0, 1), ('DCRC', 0.1, 1)]
        """
        specs = list_real_datasets()
        return [
            Item(self.name, dataset, method, float(size), run)
            for run in range(runs)
            for dataset in datasets
            for method in (self.methods if methods is None else methods)
            for size in ((0.0,) if method in UNANSWERED else self.sizes if sizes is None else sizes)
            if not (method == "sparseLP" and dataset in specs and specs[dataset].n_features > SPARSE_LP_FEATURES)
        ]


def _scores(task: Task, outcome: Outcome) -> Measured:
    scores = {"f": pairwise_f, "ari": adjusted_rand, "nmi": nmi}
    return {
        "n_answers": len(task.triplets),
        **{name: round(score(task.y, outcome.labels), 5) for name, score in scores.items()},
        "accuracy": None if outcome.accuracy is None else round(outcome.accuracy, 5),
        "settings": outcome.settings,
    }


def _clustering(item: Item, data_home: str | None) -> Measured:
    """Figures 4, 6 and 7 and the don't-know ablation: the truth answers."""
    task, method = make_task(item, data_home), item.method
    if method in DNK_SHARES:
        task, method = some_dnk(task, DNK_SHARES[method]), "DCRC"
    elif method == ONLY_DNK:
        # With nothing else to predict, cross-validation takes whatever puts all points into one cluster.
        task, method = only_dnk(task)._replace(folds=[]), "DCRC"
    return _scores(task, cluster(method, task))


def _people(item: Item, data_home: str | None) -> Measured:
    """Table V: simulated people answer, triplets or pairs; epsilon is 0.15 there."""
    if item.method in PAIRWISE:
        method, as_many = PAIRWISE[item.method]
        n_pairs = round(as_many * item.size)
        task = make_task(replace(item, size=0.0), data_home)._replace(seed=item.seed)
        return {**_scores(task, cluster_by_pairs(method, task, n_pairs, epsilon=0.15)), "n_pairs": n_pairs}
    task = make_task(item, data_home, people=True)
    return _scores(task, cluster(item.method, task, epsilon=0.15))


def _confusion(item: Item, data_home: str | None) -> Measured:
    """Table IV: true answers (rows) against those of simulated people (columns), counted."""
    if item.method == "triplets":
        task = make_task(item, data_home, people=True)
        true = implied_answers(task.y, task.triplets.indices)
        return {"table": answer_table(true, task.triplets.answers).tolist()}
    task = make_task(replace(item, size=0.0), data_home)._replace(seed=item.seed)
    pairs, together = label_pairs(task, round(item.size))
    true_together = task.y[pairs[:, 0]] == task.y[pairs[:, 1]]
    return {"table": confusion_matrix(~true_together, ~together, labels=[False, True]).tolist()}


def _timing(item: Item, data_home: str | None) -> Measured:
    """One fit with default parameters."""
    task = make_task(item, data_home)._replace(folds=[])
    start = time.perf_counter()
    outcome = cluster(item.method, task)
    return {"fit_seconds": round(time.perf_counter() - start, 3), **_scores(task, outcome)}


ONLY_DNK = "only dnk"
DNK_SHARES = {"25% of dnk": 0.25, "50% of dnk": 0.5, "75% of dnk": 0.75}
_COMPARED = (*UNANSWERED, "DCRC", "DCRC-YN", *BASELINES)
_VARIANTS = (
    PAPERS_SCORING, EQUAL_WEIGHT, STEADY_WEIGHTS, PAPERS_START, PAPERS_ALGORITHM, SMALLER_LAMBDA, LARGER_EPSILON,
)  # fmt: skip


def list_experiments() -> Mapping[str, Experiment]:
    """Return the experiments by name.

    Examples
    --------
    >>> list(list_experiments())
    ['comparison', 'soft-hard', 'balance', 'timing', 'confusion', 'people', 'dnk']
    """
    experiments = [
        Experiment(
            "comparison",
            "Against other methods, by number of answers (Figure 4)",
            (*_COMPARED, *_VARIANTS),
            SHARES,
            _clustering,
        ),
        Experiment("soft-hard", "Soft against hard answers (Figure 6)", ("DCRC", "DCRC hard"), SHARES, _clustering),
        Experiment(
            "balance",
            "With and without cluster balance (Figure 7)",
            ("DCRC", "DCRC no balance"),
            (0.0, *SHARES),
            _clustering,
        ),
        Experiment("timing", "Seconds per fit with 1500 answers", _COMPARED, (1500,), _timing, (BIRDSONG_SHAPE,)),
        Experiment("confusion", "Answers of simulated people (Table IV)", ("triplets", "pairs"), (150,), _confusion),
        # The study of Table V whole: 150 triplets against 150 and 225 pairs.
        Experiment(
            "people",
            "Learning from simulated people, by triplets or pairs (Table V)",
            tuple(dict.fromkeys([*_COMPARED, PAPERS_SCORING, STEADY_WEIGHTS, SMALLER_EPSILON, *PAIRWISE])),
            (150,),
            _people,
        ),
        # None of the don't-know answers, some, all, or nothing else.
        Experiment(
            "dnk",
            "What don't-know answers teach",
            ("DCRC-YN", EQUAL_WEIGHT, *DNK_SHARES, "DCRC", ONLY_DNK),
            (0.1, 0.3),
            _clustering,
            (*PAPER_SETS, MANY_CLUSTERS),
        ),
    ]
    return MappingProxyType({experiment.name: experiment for experiment in experiments})
