"""How many answers does each way of asking need? Run by hand: ``python tests/benchmarks/questions.py --help``.

A fresh model is fitted after each batch of answers: one by one for the first ten, then in batches of 5, 10 and 20, the
same for all strategies. Each run draws new points (generated data), another K-means start and other questions; all
strategies of a run share points and start. Real sets come from the folder in DCRC_EXPLORE_DATA; those that are not
there are left out.

Records, one line per run after the command that made them, hold ARI and F of the posterior (``posterior_``) and of the
boundaries (``labels_``) after 10, 20, 40, 80 and 0.3 N answers, and the version and commit that were measured. Runs
that the file holds already are not made again. ``--report`` prints, of records that are there, the means and the paired
differences to random questions with their 95% intervals, and then on how many sets each strategy is clearly ahead.

``--advice`` follows the advice of the tool to take a curved boundary. With guided questions, three runs each, it gave
an ARI of the posterior of 1.00 from 40 answers on for moons, rings and cross; at 20 answers 0.99, 0.36 and 0.73.
``--waves 30`` compares guided questions one by one, in batches of 30 as they would be chosen for one person, and in
waves of 30 as they are chosen for many people at once. Differences of the ARI to one by one at 30, 60 and 90 answers,
two runs each on close, elongated, unbalanced, iris, wine and balance-scale: batches -0.012, -0.013 and -0.002, waves
-0.018, -0.002 and +0.006; three runs on many, with eight clusters: batches -0.15, -0.38 and -0.33, waves -0.24, -0.22
and -0.18, with wide intervals.

``--cobras PYTHON`` measures COBRAS instead, with a Python that has cobras-ts. It asks about pairs: the report compares
it at one pair for each answer, and at two: a yes or a no about three points tells two pairs, and a don't know less.
"""

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
import time
import warnings
from functools import cache
from pathlib import Path

import numpy as np
from scipy import stats

from dcrc_explore import DCRC, Triplets, __version__
from dcrc_explore.annotators import make_oracle
from dcrc_explore.datasets import list_datasets, list_real_datasets, load_dataset, make_dataset
from dcrc_explore.information import surprise
from dcrc_explore.metrics import adjusted_rand, matched_accuracy, pairwise_f
from dcrc_explore.model.weighting import WEIGHTINGS
from dcrc_explore.questions import (
    ask,
    batch_size,
    expected_change,
    guided_questions,
    guided_wave,
    list_strategies,
    model_doubt,
)
from dcrc_explore.session import Session
from dcrc_explore.session.search import curves_advised

COUNTS = 10, 20, 40, 80
WAVES = "one by one", "batch", "wave"
COBRAS_PAIRS = {"COBRAS": 1, "COBRAS, 2 pairs": 2}
COLUMNS = (*map(str, COUNTS), "0.3 N")
MEASURES = "ari_posterior", "f_posterior", "ari_labels", "f_labels"
RESULTS = Path(__file__).parents[2] / "notebooks" / "results" / "questions.jsonl"
COBRAS = Path(__file__).with_name("cobras_labels.py")


def load(name, seed):
    if name in list_datasets():
        return make_dataset(name, seed=seed).standardized()
    return load_dataset(name).standardized()


def available():
    """Names of all sets that can be had offline."""
    names = [*list_datasets()]
    for name, spec in list_real_datasets().items():
        try:
            names += [name] if spec.bundled or len(load_dataset(name).X) else []
        except OSError:
            continue
    return names


def checkpoints(N, most):
    return [n for n in sorted({*COUNTS, round(0.3 * N)}) if n <= most]


def converse(data, strategy, somebody, options, seed):
    """Yield model and answers after each checkpoint."""
    X, rng = data.X, np.random.default_rng(seed)
    settings = {"epsilon": options.epsilon, "lam": 2.0**options.lam, "weighting": options.weighting}
    model = DCRC(data.n_classes, **settings, random_state=seed)
    given, surprises = Triplets(), np.empty(0)
    ends = checkpoints(len(X), options.most)
    while len(given) < ends[-1]:
        if options.advice and len(given) and model.kernel == "linear":
            model.set_params(**advised(data, given) or {})
        if strategy != "random" or not len(given):  # random questions need no model
            model.fit(X, triplets=given)
        proba = model.predict_proba(X)
        size = min(batch_size(len(given)), min(n for n in ends if n > len(given)) - len(given))
        doubt = model_doubt(surprises)
        asking = time.perf_counter()
        new = ask(strategy, proba, size, X=X, constraints=given, doubt=doubt, epsilon=options.epsilon, seed=rng)
        asking = time.perf_counter() - asking
        answers = somebody.answer(new)
        surprises = np.append(surprises, surprise(proba, new, answers, epsilon=options.epsilon))
        given += Triplets(new, answers)
        if len(given) in ends:
            model.fit(X, triplets=given)
            yield model, given, model_doubt(surprises), 1000 * asking / size


def advised(data, given):
    """Return what the tool would advise after these answers: a kernel and its gamma, or None."""
    session = Session(data, autosave=None)
    session.add(given.indices, given.answers)
    return curves_advised(session.model.trace, session.model.features, lambda: True)


def measure(name, strategy, run, options):
    """Return the record of one run."""
    data = load(name, run)
    somebody = make_oracle(options.oracle, data.y, epsilon=options.errors, seed=run)
    record = {
        "data": name,
        "oracle": options.oracle,
        "strategy": named(strategy, options),
        "run": run,
        "lam": options.lam,
    }
    record |= {"weighting": options.weighting, "share": round(0.3 * len(data.X))} | measured()
    rows = []
    for model, given, doubt, ms in converse(data, strategy, somebody, options, run):
        found = model.posterior_.argmax(axis=1)
        scores = [score(data.y, z) for z in (found, model.labels_) for score in (adjusted_rand, pairwise_f)]
        wrong = len(data.y) * (1 - matched_accuracy(data.y, found))
        rows.append([len(given), *scores, expected_change(model.posterior_, given, doubt), wrong, ms])
    columns = ("n_answers", *MEASURES, "expected_change", "wrong", "ms_per_question")
    return record | {
        column: np.round(values, 3).tolist() for column, values in zip(columns, zip(*rows, strict=True), strict=True)
    }


def waves(name, run, options):
    """Return the ARI of the posterior after one, two and three waves, by how they are chosen; one by one beside."""
    data, found = load(name, run), {}
    for way in WAVES:
        somebody = make_oracle(options.oracle, data.y, epsilon=options.errors, seed=run)
        rng = np.random.default_rng(run)
        model = DCRC(data.n_classes, epsilon=options.epsilon, weighting=options.weighting, random_state=run)
        given, surprises, found[way] = Triplets(), np.empty(0), []
        while len(given) < 3 * options.waves:
            proba = model.fit(data.X, triplets=given).predict_proba(data.X)
            size = options.waves
            if way == "one by one":
                size = min(batch_size(len(given)), size - len(given) % size)
            choose = guided_wave if way == "wave" else guided_questions
            doubt = model_doubt(surprises)
            new = choose(proba, data.X, given, size, doubt=doubt, epsilon=options.epsilon, seed=rng).triplets
            answers = somebody.answer(new)
            surprises = np.append(surprises, surprise(proba, new, answers, epsilon=options.epsilon))
            given += Triplets(new, answers)
            if len(given) % options.waves == 0:
                found[way].append(adjusted_rand(data.y, model.fit(data.X, triplets=given).posterior_.argmax(axis=1)))
    return np.array([found[way] for way in WAVES])


def report_waves(options):
    """Measure waves, and print means and differences to one by one with 95% intervals over all runs."""
    names = options.names or ["close", "elongated", "unbalanced", "many", "iris", "wine", "digits-8x8"]
    scores = np.array([waves(name, run, options) for name in names for run in range(options.runs)])
    columns = [str(n * options.waves) for n in (1, 2, 3)]
    print(f"{len(names)} sets, {options.runs} runs each: {', '.join(names)}\n")
    print(f"| answers | {' | '.join(columns)} |\n{'|---' * 4}|")
    for w, way in enumerate(WAVES):
        cells = [f"{scores[:, w, t].mean():.3f}" for t in range(3)]
        if w:
            differences = [interval(scores[:, w, t] - scores[:, 0, t]) for t in range(3)]
            cells = [f"{c} ({d:+.3f} ± {h:.3f})" for c, (d, h) in zip(cells, differences, strict=True)]
        print(f"| {way} | {' | '.join(cells)} |", flush=True)


def named(strategy, options):
    """Return the name of a strategy in the records."""
    return f"{strategy}, curves as advised" if options.advice else strategy


def measure_cobras(name, _, run, options):
    """Return the record of COBRAS, which has no posterior: its labels stand for both."""
    data = load(name, run)
    ends = checkpoints(len(data.X), options.most)
    with tempfile.TemporaryDirectory() as folder:
        np.savez(Path(folder) / "data.npz", X=data.X, y=data.y)
        command = [options.cobras, str(COBRAS), folder, str(run), *map(str, ends)]
        labels = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    record = {"data": name, "oracle": "truth", "strategy": "COBRAS", "run": run, "n_answers": ends}
    record |= {"share": round(0.3 * len(data.X))} | measured()
    scores = np.round([[adjusted_rand(data.y, z), pairwise_f(data.y, z)] for z in labels], 3).T.tolist()
    return record | dict(zip(MEASURES, scores * 2, strict=True))


@cache
def measured():
    """Version and commit of what is measured."""
    head = ["git", "-C", str(COBRAS.parent), "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(head, capture_output=True, text=True, check=False).stdout.strip()
    return {"version": __version__, "commit": commit}


def interval(values):
    """Mean and half width of its 95% interval."""
    width = stats.t.ppf(0.975, len(values) - 1) * stats.sem(values) if len(values) > 1 else np.inf
    return float(np.mean(values)), float(width)


def curves_of(records, oracle, measure):
    """Return the values at 10, 20, 40, 80 and 0.3 N answers (None where there is none) by data, strategy and run."""
    runs = {}
    for record in records:
        if record["oracle"] == oracle and measure in record:
            curve = dict(zip(record["n_answers"], record[measure], strict=True))
            for strategy, pairs in (
                COBRAS_PAIRS.items() if record["strategy"] == "COBRAS" else [(record["strategy"], 1)]
            ):
                values = [curve.get(pairs * n) for n in (*COUNTS, record["share"])]
                runs.setdefault(record["data"], {}).setdefault(strategy, {})[record["run"]] = values
    return runs


def paired(curves, base, t, base_t=None):
    """Return the differences at column t in those runs that both have."""
    base_t = t if base_t is None else base_t
    both = [(curves[run][t], base[run][base_t]) for run in curves.keys() & base.keys()]
    return [one - other for one, other in both if one is not None and other is not None]


def report(runs, title):
    """Print a table of one measure: a row for each set and strategy, a column for each number of answers."""
    print(f"\n{title}; in brackets the difference to random questions\n")
    print(f"| data (runs) | strategy | {' | '.join(COLUMNS)} |\n{'|---' * 7}|")
    for data, strategies in runs.items():
        for strategy, curves in strategies.items():
            base = strategies.get("random", {}) if strategy != "random" else {}
            cells = [cell(curves, base, t) for t in range(len(COLUMNS))]
            print(f"| {' | '.join([f'{data} ({len(curves)})', strategy, *cells])} |")


def cell(curves, base, t):
    """Mean over the runs, and the mean difference over those runs that the base has as well."""
    values = [curve[t] for curve in curves.values() if curve[t] is not None]
    both = paired(curves, base, t)
    difference = " ({:+.2f} ± {:.2f})".format(*interval(both)) if both else ""
    return f"{np.mean(values):.2f}{difference}" if values else ""


def summary(runs, title):
    """Print on how many sets each strategy is clearly ahead of random questions, or behind."""
    print(f"\n{title}: sets on which a strategy is clearly ahead of random questions / behind / of so many\n")
    print(f"| strategy | {' | '.join(COLUMNS)} |\n{'|---' * 6}|")
    strategies = dict.fromkeys(strategy for each in runs.values() for strategy in each if strategy != "random")
    for strategy in strategies:
        verdicts = [verdict(runs, strategy, "random", t) for t in range(len(COLUMNS))]
        print(f"| {strategy} | {' | '.join(f'{len(a)} / {len(b)} / {n}' for a, b, n in verdicts)} |")
    for t, column in enumerate(COLUMNS):
        ahead, behind, _ = verdict(runs, "guided", "random", t)
        print(f"\nguided, {column} answers: ahead on {words(ahead)}; behind on {words(behind)}.")
    both = {name: paired(each["guided"], each["random"], 1, 3) for name, each in runs.items() if "guided" in each}
    both = {name: np.mean(differences) for name, differences in both.items() if differences}
    good = [name for name, difference in both.items() if difference >= 0]
    print(f"\n20 guided answers are at least as good as 80 random ones on {len(good)} of {len(both)}: {words(good)}.")
    for cobras in COBRAS_PAIRS.keys() & strategies.keys():
        for t, column in enumerate(COLUMNS):
            ahead, behind, n = verdict(runs, "guided", cobras, t)
            print(
                f"guided against {cobras}, {column} answers: ahead on {len(ahead)} of {n}, behind on {words(behind)}."
            )


def words(names):
    return ", ".join(names) or "none"


def verdict(runs, strategy, other, t):
    """Return the sets on which a strategy is clearly better (the interval is above 0), where worse, and how many."""
    found = {}
    for name, strategies in runs.items():
        both = paired(strategies.get(strategy, {}), strategies.get(other, {}), t)
        if len(both) > 2:  # two that happen to agree tell nothing
            found[name] = interval(both)
    ahead = [name for name, (mean, width) in found.items() if mean > width]
    behind = [name for name, (mean, width) in found.items() if mean < -width]
    return ahead, behind, len(found)


def add(path, record):
    with path.open("a") as file:
        file.write(json.dumps(record) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="data sets; all that can be had offline by default")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--strategies", nargs="+", choices=list(list_strategies()), default=list(list_strategies()))
    parser.add_argument("--oracle", choices=["truth", "noisy", "people"], default="truth", help="who answers")
    parser.add_argument("--errors", type=float, default=0.1, help="share of wrong answers of the noisy")
    parser.add_argument("--epsilon", type=float, default=0.05, help="what the model takes as share of wrong answers")
    parser.add_argument("--lam", type=int, default=-6, help="regularisation as a power of two")
    parser.add_argument("--weighting", choices=list(WEIGHTINGS), default=DCRC().weighting)
    parser.add_argument("--most", type=int, default=10**6, help="stop after so many answers")
    parser.add_argument("--advice", action="store_true", help="take curved boundaries as soon as the tool advises them")
    parser.add_argument("--waves", type=int, metavar="SIZE", help="compare waves of so many questions instead")
    parser.add_argument("--cobras", metavar="PYTHON", help="measure COBRAS instead")
    parser.add_argument("--out", type=Path, default=RESULTS, help="file to which records are added")
    parser.add_argument("--report", action="store_true", help="print what the file holds instead of measuring")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.waves:
        report_waves(options)
        return
    lines = options.out.read_text().splitlines() if options.out.exists() else []
    old = [record for record in map(json.loads, lines) if "data" in record]
    if options.report:
        for oracle in dict.fromkeys(record["oracle"] for record in old):
            for column in MEASURES:
                runs, title = curves_of(old, oracle, column), f"{column}, answers by {oracle}"
                report(runs, title)
                summary(runs, title)
        return
    there = {(record["data"], record["oracle"], record["strategy"], record["run"]) for record in old}
    oracle = "truth" if options.cobras else options.oracle
    add(options.out, {"command": shlex.join(["python", *sys.argv])})
    for run in range(options.runs):  # all sets first: breadth before depth
        for name in options.names or available():
            start = time.perf_counter()
            for strategy in ["COBRAS"] if options.cobras else options.strategies:
                if (name, oracle, named(strategy, options), run) not in there:
                    one = measure_cobras if options.cobras else measure
                    add(options.out, one(name, strategy, run, options))
            print(f"{name}, run {run}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
