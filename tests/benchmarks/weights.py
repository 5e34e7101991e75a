"""How much should the answers weigh, from the first to the last? Run by hand: ``python tests/benchmarks/weights.py``.

The objective divides the log-likelihood of the answers by A and the entropy of the points without answers by B: see
``dcrc_explore/model/weighting.py``. Weightings that are compared here, with r = M |I| / (3 T + 2 P), the number of
answers that mention each asked point once, and f = min(0.1 N, 40):

    paper       A = M,                   B = |U|
    gentle      A = max(M, f),           B = |U|
    steady      A = max(r, f),           B = max(|U|, 0.3 N)     the default
    share 0.05  as steady, with f = min(0.05 N, 40)
    share 0.2   as steady, with f = min(0.2 N, 40)

Points, K-means' seed, questions and answers of a run are the same for all weightings; guided questions follow the model
that learns from them. The ARI is that of ``labels_``, with the default parameters. Sixteen sets, the twelve below and
ionosphere, pima, letters and digits in a folder, each with at most 400 points:

    python tests/benchmarks/weights.py --folder FOLDER --kinds triplets pairs --oracles truth noisy noisier people \\
        --weightings steady "share 0.05" "share 0.2" gentle --sizes 5 20 "0.3 N" N "4 N" --seeds 10 11 ... 19

gave these means over 160 runs. Below them stand the differences to steady, with 95 % intervals over the sets. *before*
is an earlier version on the same runs: share 0.05, and as starts of EM the softened one and the one from the answers.

                                           5            20         0.3 N             N           4 N
    triplets, truth        steady      0.594         0.668         0.765         0.823         0.847
                           before  -0.018±0.024  -0.002±0.013  +0.006±0.006  -0.002±0.005  -0.000±0.000
                       share 0.05  -0.003±0.016  +0.001±0.011   0             0             0
                       share 0.2   -0.005±0.012  -0.013±0.020   0             0             0
                           gentle   0            -0.005±0.009  -0.005±0.006  -0.079±0.045  -0.083±0.050
    triplets, 10 % errors  steady      0.560         0.614         0.730         0.805         0.839
                           before  -0.033±0.023  -0.008±0.018  -0.001±0.011  -0.008±0.014   0
                       share 0.05  -0.018±0.019  -0.016±0.016   0             0             0
                       share 0.2    0            -0.005±0.026   0             0             0
    triplets, 20 % errors  steady      0.522         0.583         0.675         0.770         0.820
                           before  -0.035±0.019  -0.025±0.024  -0.009±0.011  -0.010±0.018  -0.003±0.006
                       share 0.05  -0.026±0.017  -0.021±0.019   0             0             0
                       share 0.2   +0.018±0.016  +0.001±0.015   0             0             0
    triplets, people       steady      0.556         0.609         0.707         0.797         0.828
                           before  -0.036±0.022  -0.010±0.020  +0.001±0.012  -0.009±0.015   0
                       share 0.05  -0.023±0.029  -0.009±0.015   0             0             0
                       share 0.2   +0.002±0.016  -0.007±0.018  -0.001±0.002   0             0
    pairs, truth           steady      0.577         0.624         0.726         0.796         0.833
                           before  -0.013±0.021  -0.016±0.020  +0.001±0.013  -0.007±0.014  +0.001±0.001
    pairs, people          steady      0.532         0.559         0.649         0.752         0.807
                           before  -0.037±0.021  -0.020±0.018  -0.007±0.016  -0.011±0.018   0
                       share 0.2   +0.017±0.016  +0.004±0.010   0             0             0

On how many of the 16 sets is the mean more than 0.02 below that without answers?

                              5   20  0.3 N   N  4 N                             5   20  0.3 N   N  4 N
    triplets, truth  steady   0    0      0   0    0   pairs, truth     steady   3    0      0   0    0
                     before   5    0      0   0    0                    before   6    2      0   0    0
    10 % errors      steady   4    3      0   0    0   10 % errors      steady   5    3      1   1    0
                     before   7    5      2   0    0                    before   8    6      1   1    0
    20 % errors      steady   7    2      3   1    0   20 % errors      steady   7    8      3   3    1
                     before   9    6      3   1    0                    before  11    8      5   4    1
    people           steady   2    2      1   0    0   people           steady   5    3      0   0    0
                     before   9    6      2   1    0                    before  10    7      2   1    0

These sets recur: close, wine, moons, letters and breast-cancer with few answers, digits with many wrong ones. A smaller
weight (share 0.2) helps where a fifth of the answers are wrong, and costs a little where all are true. On one set more
answers are needed than before: balance-scale, -0.04 at 0.3 N true answers about triplets.

From 0.3 N to 4 N answers the mean of a set falls by more than 0.01 with gentle on 2 to 7 of 16 sets, and with steady on
none, but for one (digits) with pairs of which a fifth are wrong.
"""

import argparse
import json
import warnings
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from scipy import stats
from sklearn.exceptions import ConvergenceWarning

from dcrc_explore import DCRC, Triplets
from dcrc_explore.annotators import PAPER_PAIR_CONFUSION, PairOracle, make_oracle
from dcrc_explore.constraints import Pairs
from dcrc_explore.datasets import as_dataset, list_datasets, load_dataset, make_dataset
from dcrc_explore.information import surprise
from dcrc_explore.metrics import adjusted_rand
from dcrc_explore.model import weighting as rules
from dcrc_explore.questions import ask, batch_size, model_doubt, random_pairs

GENERATED = ["close", "far", "unbalanced", "elongated", "two-ways", "moons", "many"]
BUNDLED = ["iris", "wine", "digits", "breast-cancer", "balance-scale"]
SHARES = {"1": 1, "5": 5, "20": 20, "0.1 N": 0.1, "0.3 N": 0.3, "N": 1.0, "2 N": 2.0, "4 N": 4.0}
GUIDED = {"20": 20, "40": 40, "80": 80}
HARM = 0.02  # below the fit without answers
ERRORS = {"noisy": 0.1, "noisier": 0.2}
PAIR_CONFUSION = {"truth": np.eye(2), "people": PAPER_PAIR_CONFUSION}
PAIR_CONFUSION |= {name: [[1 - error, error], [error, 1 - error]] for name, error in ERRORS.items()}


def sharing(share):
    """Return the steady weighting with f = min(share N, 40)."""

    def divisors(counts):
        full = min(share * counts.n_samples, rules.full_weight(np.inf))
        return rules.steady(counts)._replace(answers=max(counts.mentioning_once, full) if counts.n_answers else 0.0)

    return divisors


def gentle(counts):
    """Divide by no fewer answers than there are, and by U however few are left."""
    full = rules.full_weight(counts.n_samples)
    return rules.Divisors(max(counts.n_answers, full) if counts.n_answers else 0.0, counts.n_unconstrained)


VARIANTS = {"gentle": gentle, "share 0.05": sharing(0.05), "share 0.2": sharing(0.2)}


def load(name, folder, seed, most):
    """Return a set, standardised, with at most so many points."""
    if name in list_datasets():
        return make_dataset(name, seed=seed).standardized()
    if name in BUNDLED:
        data = load_dataset(name)
    else:
        with np.load(Path(folder) / f"{name}.npz") as file:
            data = as_dataset(file["X"], file["y"], name=name)
    rows = np.random.default_rng(seed).permutation(len(data.X))[:most]
    X = data.X[rows]
    return as_dataset(X[:, X.std(axis=0) > 0], data.y[rows], name=name).standardized()


def counted(sizes, N):
    return {column: size if isinstance(size, int) else round(size * N) for column, size in sizes.items()}


def somebody(oracle, data, seed):
    return make_oracle("noisy" if oracle in ERRORS else oracle, data.y, epsilon=ERRORS.get(oracle, 0), seed=seed)


def drawn(data, kind, oracle, model, sizes):
    """Return the score at each number of random answers about triplets or pairs."""
    sizes, seed = counted({size: SHARES[size] for size in sizes}, len(data.X)), model.random_state
    most = max(sizes.values())
    if kind == "pairs":
        questions = random_pairs(len(data.X), min(most, len(data.X) * (len(data.X) - 1) // 2), seed=seed)
        said = PairOracle(data.y, PAIR_CONFUSION[oracle], seed=seed).answer(questions)
        given = Pairs(questions, np.where(said, 1, -1))
    else:
        questions = ask("random", np.ones((len(data.X), data.n_classes)), most, seed=seed)
        given = Triplets(questions, somebody(oracle, data, seed).answer(questions))
    return {column: score(data, model, **{kind: given[:M]}) for column, M in sizes.items()}


def guided(data, oracle, model):
    """Return the score at each number of guided answers, which follow the model."""
    who, rng = somebody(oracle, data, model.random_state), np.random.default_rng(model.random_state)
    given, surprises, scores = Triplets(), np.empty(0), {}
    while len(given) < max(GUIDED.values()):
        proba, doubt = model.fit(data.X, triplets=given).predict_proba(data.X), model_doubt(surprises)
        new = ask("guided", proba, batch_size(len(given)), X=data.X, constraints=given, doubt=doubt, seed=rng)
        answers = who.answer(new)
        surprises = np.append(surprises, surprise(proba, new, answers, epsilon=model.epsilon))
        given += Triplets(new, answers)
        if len(given) in GUIDED.values():
            scores[str(len(given))] = score(data, model, triplets=given)
    return scores


def score(data, model, **said):
    return round(adjusted_rand(data.y, model.fit(data.X, **said).labels_), 4)


def run(name, kind, oracle, weighting, seed, options):
    """Return the record of one run."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    rules.WEIGHTINGS.update(VARIANTS)
    data = load(name, options.folder, seed, options.points)
    model = DCRC(data.n_classes, epsilon=options.epsilon, weighting=weighting, random_state=seed)
    scores = guided(data, oracle, model) if kind == "guided" else drawn(data, kind, oracle, model, options.sizes)
    scores["0"] = score(data, model)
    return {"data": name, "kind": kind, "oracle": oracle, "weighting": weighting, "seed": seed, "ari": scores}


def report(records, base):
    """Print means over the sets, and differences to the base with the 95 % interval over sets of their means."""
    table = {}
    for r in records:
        table.setdefault((r["kind"], r["oracle"]), {}).setdefault(r["weighting"], {})[r["data"], r["seed"]] = r["ari"]
    for (kind, oracle), by_weighting in table.items():
        shared = sorted(set.intersection(*(set(runs) for runs in by_weighting.values())))
        columns = [column for column in by_weighting[base][shared[0]] if column != "0"]
        sets = sorted({data for data, _ in shared})
        print(f"\n{kind}, {oracle}: {len(sets)} sets, {len(shared)} runs")
        print(" " * 12 + "".join(f"{column:>14}" for column in columns))

        means, harmed = {}, {}
        for weighting, runs in by_weighting.items():
            rows = [[[runs[d, s][c] for c in columns] for d, s in shared if d == data] for data in sets]
            means[weighting] = np.array([np.mean(row, axis=0) for row in rows])
            without = [np.mean([runs[d, s]["0"] for d, s in shared if d == data]) for data in sets]
            harmed[weighting] = means[weighting] < np.array(without)[:, None] - HARM
        for weighting, values in means.items():
            print(f"{weighting:12}" + "".join(f"{value:14.3f}" for value in values.mean(axis=0)))
            if weighting != base and base in means:
                gains = values - means[base]
                width = stats.t.ppf(0.975, len(sets) - 1) * stats.sem(gains, axis=0)
                cells = zip(gains.mean(axis=0), width, strict=True)
                print(" " * 12 + "".join(f"{f'{gain:+.3f}±{w:.3f}':>14}" for gain, w in cells))
            print(f"{'':12}" + "".join(f"{n:14}" for n in harmed[weighting].sum(axis=0)) + "  sets harmed:", end=" ")
            print(", ".join(np.array(sets)[harmed[weighting].any(axis=1)]) or "none")
            if {"0.3 N", "4 N"} <= set(columns):
                worse = values[:, columns.index("4 N")] < values[:, columns.index("0.3 N")] - 0.01
                print(f"{'':12}  falls by more than 0.01 from 0.3 N to 4 N on {worse.sum()} of {len(sets)}", end=": ")
                print(", ".join(np.array(sets)[worse]) or "none")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="data sets; all that can be had offline by default")
    parser.add_argument("--folder", help="a folder of .npz files with X and y, which are measured too")
    parser.add_argument("--kinds", nargs="+", choices=["triplets", "pairs", "guided"], default=["triplets"])
    parser.add_argument("--oracles", nargs="+", choices=list(PAIR_CONFUSION), default=["truth"])
    parser.add_argument("--weightings", nargs="+", default=["steady", "paper", *VARIANTS])
    parser.add_argument("--sizes", nargs="+", choices=list(SHARES), default=list(SHARES), help="numbers of answers")
    parser.add_argument("--epsilon", type=float, default=DCRC().epsilon)
    parser.add_argument("--seeds", nargs="+", type=int, default=range(4))
    parser.add_argument("--points", type=int, default=400, help="no set has more")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("weights.jsonl"), help="file to which records are added")
    parser.add_argument("--report", action="store_true", help="print what the file holds instead of measuring")
    options = parser.parse_args()
    if options.report:
        report([json.loads(line) for line in options.out.read_text().splitlines()], options.weightings[0])
        return
    names = [*GENERATED, *BUNDLED, *sorted(path.stem for path in Path(options.folder or "/none").glob("*.npz"))]
    tasks = (
        delayed(run)(name, kind, oracle, weighting, seed, options)
        for seed in options.seeds  # all sets first: breadth before depth
        for kind in options.kinds
        for oracle in options.oracles
        for name in options.names or names
        for weighting in options.weightings
    )
    with options.out.open("a") as file:
        for record in Parallel(n_jobs=options.jobs, return_as="generator")(tasks):
            print(json.dumps(record), file=file, flush=True)


if __name__ == "__main__":
    main()
