"""The same fits on other processors: ``python tests/benchmarks/cores.py``.

OpenBLAS and numpy round differently on other processors. A fit must not depend on that: what is equal is decided by
`random_state`, and what is nearly equal by a tolerance. The fits are made once for each kind of ``tests/processors.py``
and those that end in other clusters than on the first one, or lead to other questions, are printed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import warnings
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import adjusted_rand_score

from dcrc_explore import DCRC, Triplets
from dcrc_explore.constraints import Answer, implied_answers
from dcrc_explore.datasets import list_datasets, load_dataset, make_dataset
from dcrc_explore.questions import guided_questions

sys.path.insert(0, str(Path(__file__).parents[1]))
from processors import CORES, environment

# One set of each kind as it comes, raw: a grid with exact ties, features of very different scales, ...
SETS = ("balance-scale", "wine", "iris", "breast-cancer", "digits-8x8", "short-texts", "emoji")
GENERATED = ("close", "unbalanced", "moons", "rings", "cross")
# Numbers of answers, and the share of wrong ones. The first few leave most directions open.
ANSWERS = ((0, 0.0), (3, 0.0), (20, 0.0), (20, 0.2), (120, 0.0), (120, 0.2))
KINDS = {"linear": {}, "rbf": {"kernel": "rbf"}, "hard": {"epsilon": 0.0}}


def questions(y: np.ndarray, M: int, wrong: float, rng: np.random.Generator) -> Triplets:
    """Return random questions, with answers of which this share is another one than the truth."""
    indices = np.array([rng.choice(len(y), 3, replace=False) for _ in range(M)]).reshape(-1, 3)
    answers = np.asarray(implied_answers(y, indices))
    others = rng.choice([int(answer) for answer in Answer], size=M)
    return Triplets(indices, np.where(rng.random(M) < wrong, others, answers))


def fits(names: list[str], seeds: list[int]) -> Iterator[tuple[str, DCRC, list[list[int]]]]:
    """Yield fitted models with their names, and the questions that follow."""
    warnings.simplefilter("ignore")
    for name, seed in product(names, seeds):
        data = make_dataset(name, seed=seed) if name in list_datasets() else load_dataset(name)
        for (M, wrong), kind in product(ANSWERS, KINDS):
            if kind != "hard" or (M and not wrong):
                triplets = questions(data.y, M, wrong, np.random.default_rng([seed, M]))
                model = DCRC(data.n_classes, random_state=seed, **KINDS[kind]).fit(data.X, triplets=triplets)
                title = f"{name}, seed {seed}, {M} {'noisy' if wrong else 'true'} answers, {kind}"
                asked = guided_questions(model.posterior_, data.X, triplets, 2, seed=seed).triplets
                yield title, model, asked.tolist()


def ends(names: list[str], seeds: list[int]) -> dict[str, dict[str, list[Any]]]:
    """Return labels, next questions and bound of each fit for each kind of processor; processes run side by side."""
    command = [sys.executable, __file__, "--fit", "--sets", *names, "--seeds", *map(str, seeds)]
    processes = {
        core: subprocess.Popen(command, env=environment(core), stdout=subprocess.PIPE, text=True) for core in CORES
    }
    return {core: json.loads(process.communicate()[0]) for core, process in processes.items()}


def differences(ends: dict[str, dict[str, list[Any]]]) -> dict[str, str]:
    """Return the fits whose labels, or the questions after them, are not the same everywhere, and what differs."""
    first, *others = ends
    found = {}
    for core, (name, (labels, asked, bound)) in product(others, ends[first].items()):
        other, other_asked, other_bound = ends[core][name]
        if labels != other or asked != other_asked:
            agreement = adjusted_rand_score(labels, other)
            found[name] = f"{core} against {first}: ARI {agreement:.3f}, bound {bound:.6f} and {other_bound:.6f}"
            found[name] += "" if asked == other_asked else f", questions {asked} and {other_asked}"
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", default=[*SETS, *GENERATED])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--fit", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.fit:
        made = fits(given.sets, given.seeds)
        print(json.dumps({name: (model.labels_.tolist(), asked, model.lower_bound_) for name, model, asked in made}))
    else:
        reached = ends(given.sets, given.seeds)
        found = differences(reached)
        for name, difference in found.items():
            print(f"{name}: {difference}")
        here = next(iter(reached.values())).values()
        print(
            f"{len(found)} of {len(here)} fits depend on the processor; mean bound {np.mean([b for *_, b in here]):.5f}"
        )
