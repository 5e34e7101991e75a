"""How often is the number of groups found? Run by hand: ``python tests/benchmarks/groups.py --help``.

Somebody answers about data whose number of groups is not known to the tool. The conversation begins with K = 3 and
looks for further groups (``open_ended``). After 20, 40, 80 and 160 answers every K from 2 to 10 is scanned, as the
tool does in the background; from 40 answers on the conversation follows the advice. Sets of more than 200 points are
thinned to 200, moons, rings and cross are fitted with the RBF kernel. The name close-5 is the generated set with five
clusters. With ``--records`` the bounds of every K are kept, and ``--report`` judges them with any ``--cost``. The last
table says which of the two best numbers is right, by the lead of the first.

Measured with ``--seeds 4 --counts 40 80 --points 120`` on close-4, close-5, elongated, elongated-4, emoji, far-5,
far-7, iris, moons, rings, short-texts, two-ways, unbalanced, unbalanced-5 and wine: one run of each kind, so a
difference of one set is 7%. An advice is wrong where it leads no nearer to the true number. Before 40 answers the
tool speaks only of a clear lead; the last columns say how often that raised the ARI.

| asked | who | answers | runs | right | ± 1 | ARI - knowing K | ARI - K before | wrong advice | clearly | better |
|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
| guided | noisy | 40 | 15 | 73% | 93% | -0.029 | +0.087 | 1 of 11 | 6 | 6 |
| guided | noisy | 80 | 15 | 87% | 93% | -0.024 | +0.012 | 1 of 4 | 2 | 1 |
| guided | people | 40 | 15 | 60% | 80% | -0.104 | +0.066 | 5 of 13 | 10 | 7 |
| guided | people | 80 | 15 | 73% | 100% | -0.008 | +0.113 | 2 of 8 | 7 | 6 |
| guided | truth | 40 | 15 | 80% | 93% | -0.073 | +0.154 | 1 of 11 | 10 | 9 |
| guided | truth | 80 | 15 | 87% | 93% | +0.010 | +0.075 | 1 of 4 | 4 | 4 |
| random | noisy | 40 | 15 | 53% | 80% | -0.041 | +0.078 | 2 of 10 | 5 | 5 |
| random | noisy | 80 | 15 | 53% | 87% | -0.021 | +0.057 | 3 of 8 | 4 | 4 |
| random | people | 40 | 15 | 53% | 87% | -0.023 | +0.106 | 2 of 11 | 3 | 3 |
| random | people | 80 | 15 | 40% | 60% | -0.057 | +0.008 | 8 of 10 | 8 | 5 |
| random | truth | 40 | 15 | 47% | 67% | +0.027 | +0.132 | 2 of 9 | 6 | 6 |
| random | truth | 80 | 15 | 67% | 93% | -0.016 | +0.059 | 1 of 8 | 8 | 7 |

| lead in nats | scans | the best is right | the second is right |
|--:|--:|--:|--:|
| 0 to 1 | 52 | 42% | 15% |
| 1 to 2 | 22 | 27% | 27% |
| 2 to 3 | 54 | 80% | 7% |
| 3 to 5 | 33 | 82% | 9% |
| 5 to inf | 19 | 95% | 0% |
"""

import argparse
import json
import sys
import warnings
from itertools import groupby, pairwise, product
from math import log
from pathlib import Path

import numpy as np

from dcrc_explore import DCRC, Triplets
from dcrc_explore.annotators import make_oracle
from dcrc_explore.datasets import list_datasets, load_dataset, make_dataset
from dcrc_explore.information import surprise
from dcrc_explore.metrics import adjusted_rand
from dcrc_explore.model.n_clusters import COST, Candidate, best, candidates, soft_epsilon
from dcrc_explore.questions import ask, batch_size, model_doubt
from dcrc_explore.session.search import GroupScan

SETS = (
    *("close", "far", "unbalanced", "elongated", "moons", "cross", "many"),
    *("iris", "wine", "short-texts", "scenes", "emoji", "balance-scale", "digits-8x8"),
)
CURVED = "moons", "cross", "rings"
SILENT = 40  # answers below which the tool gives no advice
EPSILONS = 0.05, 0.15
EPSILON = soft_epsilon(0.05)  # of the rule, which the conversation follows


def load(name, seed, most):
    """Return a set by its name, or a generated one with another number of clusters: close-5."""
    kind, _, K = name.rpartition("-")
    if K.isdecimal() and kind in list_datasets():
        data = make_dataset(kind, n_clusters=int(K), seed=seed)
    else:
        data = make_dataset(name, seed=seed) if name in list_datasets() else load_dataset(name)
    data = data.standardized()
    kept = np.random.default_rng(seed).permutation(len(data.X))[:most]
    return data.X[kept], np.asarray(data.y)[kept]


def scanned(X, y, given, settings):
    """Return the bound and the ARI of each number of clusters, and what the bound's likelihood is divided by."""
    bounds, aris = [], []
    for K in candidates(len(X)):
        *_, step = DCRC(K, **settings).iterate(X, triplets=given)
        bounds.append(step.bound.total)
        aris.append(adjusted_rand(y, step.posterior.argmax(axis=1)))
    return {"bounds": bounds, "aris": aris, "divisor": step.path.problem.objective.divisors.answers}


def penalised(found, n, cost):
    """Return the penalised bounds of a scan."""
    price = cost * log(n) / found["divisor"]
    return [Candidate(K, bound - (K - 1) * price) for K, bound in enumerate(found["bounds"], 2)]


def judged(record, epsilon, cost):
    """Return a record with what is advised by a rule, and what came of it."""
    found, n, before, true = record["scans"][str(epsilon)], record["n"], record["before"], record["true"]
    made = GroupScan(None, n, penalised(found, n, cost), found["divisor"])
    advised, second = made.best, made.rival(made.best)
    ari, known, stayed = (found["aris"][K - 2] for K in (advised, true, before))
    outcome = {"advised": advised, "clear": made.is_clear(before), "ari": ari, "known": known, "stayed": stayed}
    return record | outcome | {"lead": made.lead(advised), "first": advised == true, "second": second == true}


def measure(name, who, strategy, seed, counts, most):
    """Yield the scans after each number of answers, and the number of clusters before each."""
    X, y = load(name, seed, most)
    somebody, rng = make_oracle(who, y, epsilon=0.1, seed=seed), np.random.default_rng(seed)
    settings = {"kernel": "rbf" if name in CURVED else "linear", "random_state": seed}
    given, surprises, K = Triplets(), np.empty(0), 3
    for n in counts:
        while len(given) < n:
            proba = DCRC(K, **settings).fit(X, triplets=given).predict_proba(X)
            size = min(batch_size(len(given)), n - len(given)) if strategy == "guided" else n - len(given)
            doubt = model_doubt(surprises)
            new = ask(strategy, proba, size, X=X, constraints=given, doubt=doubt, seed=rng, open_ended=True)
            answers = somebody.answer(new)
            surprises = np.append(surprises, surprise(proba, new, answers, epsilon=0.05))
            given += Triplets(new, answers)
        scans = {epsilon: scanned(X, y, given, settings | {"epsilon": epsilon}) for epsilon in EPSILONS}
        found = {"set": name, "who": who, "asked": strategy, "seed": seed, "n": n, "true": len(np.unique(y))}
        yield found | {"before": K, "scans": {str(epsilon): each for epsilon, each in scans.items()}}
        K = best(penalised(scans[EPSILON], n, COST)) if n >= SILENT else K


def report(records):
    """Print shares of the runs and differences of the ARI; then which of the two best numbers is right, by the lead."""
    names = "asked", "who", "answers", "runs", "right", "within one", "ARI - knowing K", "ARI - K before"
    print(f"| {' | '.join(names)} | advised wrongly | clearly | of these better |")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    order = ["asked", "who", "n"]
    records = sorted(records, key=lambda record: [record[name] for name in order])
    for key, group in groupby(records, key=lambda record: [record[name] for name in order]):
        rows = list(group)
        off = np.array([abs(row["advised"] - row["true"]) for row in rows])
        before = np.array([abs(row["before"] - row["true"]) for row in rows])
        spoke = np.array([row["advised"] != row["before"] for row in rows])
        gain = np.mean([row["ari"] - row["known"] for row in rows])
        moved = np.mean([row["ari"] - row["stayed"] for row in rows])
        shares = (off == 0).mean(), (off <= 1).mean()
        wrong = f"{(spoke & (off >= before)).sum()} of {spoke.sum()}"
        print(f"| {' | '.join(map(str, key))} | {len(rows)} | {shares[0]:.0%} | {shares[1]:.0%} ", end="")
        clear = [row["ari"] > row["stayed"] for row, said in zip(rows, spoke, strict=True) if said and row["clear"]]
        print(f"| {gain:+.3f} | {moved:+.3f} | {wrong} | {len(clear)} | {sum(clear)} |")
    print("\n| lead in nats | scans | the best is right | the second is right |\n|--:|--:|--:|--:|")
    for low, high in pairwise((0, 1, 2, 3, 5, np.inf)):
        rows = [row for row in records if low <= row["lead"] < high]
        if rows:
            shares = (f"{np.mean([row[name] for row in rows]):.0%}" for name in ("first", "second"))
            print(f"| {low} to {high} | {len(rows)} | {' | '.join(shares)} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", default=SETS, metavar="NAME")
    parser.add_argument("--who", nargs="+", default=["truth", "noisy", "people"], help="noisy: 10%% wrong answers")
    parser.add_argument("--asked", nargs="+", default=["guided", "random"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[5, 6], help="the rule was chosen with seeds 0 and 4")
    parser.add_argument("--counts", nargs="+", type=int, default=[15, 20, 40, 80, 160], help="numbers of answers")
    parser.add_argument("--points", type=int, default=200, help="of a set, at most")
    parser.add_argument(
        "--epsilon", type=float, default=EPSILON, choices=EPSILONS, help="of the scans that are reported"
    )
    parser.add_argument("--cost", type=float, default=COST, help="of a cluster, in logarithms of the number of answers")
    parser.add_argument("--records", help="file to which each run is appended as a line of JSON")
    parser.add_argument("--report", nargs="+", metavar="RECORDS", help="print the tables of records that are there")
    options = parser.parse_args()
    if options.report:
        lines = [line for name in options.report for line in Path(name).read_text().splitlines()]
        sys.exit(report([judged(json.loads(line), options.epsilon, options.cost) for line in lines]))
    warnings.simplefilter("ignore")
    found = []
    for seed, name, who, asked in product(options.seeds, options.sets, options.who, options.asked):
        for record in measure(name, who, asked, seed, options.counts, options.points):
            found.append(record)
            if options.records:
                with open(options.records, "a") as file:
                    file.write(json.dumps(record) + "\n")
    report([judged(record, options.epsilon, options.cost) for record in found])
