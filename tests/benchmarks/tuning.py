"""What stands between DCRC and a better clustering: ``python tests/benchmarks/tuning.py FILE``.

For runs of Figure 4 that are stored in FILE, F as it was obtained, beside what it would be

- without tuning, with the default tau and lambda;
- with the pair of the grid whose F is best, which nobody can know: what is missing there is lost by the choice of
  parameters from held-out answers;
- with an eighth of the chosen lambda, which may lie outside the grid;
- with the chosen pair and the best bound of many starts: what is missing there is lost by the optimisation;
- with the chosen pair, started from the true classes: where the bound ends higher and F is higher, optimisation is to
  blame; where F is higher at a lower bound, the objective itself prefers another clustering.

For methods other than DCRC and its variants only the first two.

The data of the runs are read from the folder in DCRC_EXPLORE_DATA.
"""

from __future__ import annotations

import argparse
import warnings
from itertools import product
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from dcrc_explore import DCRC, DCRCCV
from dcrc_explore.experiments import Item, read_records
from dcrc_explore.experiments.methods import DCRC_VARIANTS, cluster
from dcrc_explore.experiments.work import Task, make_task
from dcrc_explore.metrics import pairwise_f

N_STARTS = 10


def fitted(task: Task, **parameters: object) -> tuple[float, float]:
    """Return F and the bound of a fit to all answers of a task."""
    model = DCRC(task.n_clusters, random_state=task.seed, **parameters).fit(task.X, triplets=task.triplets)
    return pairwise_f(task.y, model.labels_), model.lower_bound_


def compared(record: dict) -> tuple[float, ...]:
    fields = ("experiment", "dataset", "method", "size", "run")
    task = make_task(Item(*(record[field] for field in fields)))
    untuned = pairwise_f(task.y, cluster(record["method"], task._replace(folds=[])).labels)
    if record["method"] not in DCRC_VARIANTS:
        return record["f"], untuned
    chosen = record["settings"]
    grid = DCRCCV().get_params()
    pairs = product(grid["taus"], grid["lams"])
    use_dnk = chosen.get("use_dnk", True)
    best = max(fitted(task, tau=tau, lam=lam, use_dnk=use_dnk)[0] for tau, lam in pairs)
    less, _ = fitted(task, **chosen | {"lam": chosen["lam"] / 8})
    f, bound = fitted(task, **chosen)
    many, many_bound = fitted(task, **chosen, n_init=N_STARTS)
    true, true_bound = fitted(task, **chosen, init=task.y)
    return record["f"], untuned, best, less, f, bound, many, many_bound, true, true_bound


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--datasets", nargs="+")
    parser.add_argument("--methods", nargs="+", default=["DCRC"])
    parser.add_argument("--sizes", nargs="+", type=float, default=[0.05, 0.3])
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    records = read_records(arguments.file)
    names = arguments.datasets or list(dict.fromkeys(record["dataset"] for record in records))
    heads = [
        "stored",
        "untuned",
        "best pair",
        "lam / 8",
        "chosen",
        "bound",
        f"{N_STARTS} starts",
        "bound",
        "from truth",
        "bound",
    ]
    print(f"{'data':>14} {'method':>8} {'size':>5} {'runs':>4}" + "".join(f"{head:>11}" for head in heads))
    for name, method, size in product(names, arguments.methods, arguments.sizes):
        runs = [
            compared(record)
            for record in records
            if (record["dataset"], record["method"], record["size"]) == (name, method, size)
            and record["run"] < arguments.runs
        ]
        if runs:
            means = np.mean(runs, axis=0)
            print(
                f"{name:>14} {method:>8} {size:5.2f} {len(runs):4d}" + "".join(f"{m:11.3f}" for m in means), flush=True
            )
