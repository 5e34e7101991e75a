"""Speed and memory of a fit: ``python tests/benchmarks/speed.py``.

Times are processor seconds of this process (medians over repetitions), so that a busy machine disturbs them less; the
claims are the ratios. Nothing here is asserted.

A million points, 1000 answers, K = 5, seconds of one fit on one thread, all three in one run (before EM began on a
sample, DCRC took 15.4 and 9.2 s with 413 and 341 MB, X not counted):

========  =====  ====  ======================  ======================
features  DCRC    MB   GaussianMixture, full   GaussianMixture, diag
========  =====  ====  ======================  ======================
10        2.9 s  285   4.2 s (ratio 0.7)       1.6 s (ratio 1.8)
2         1.8 s  230   3.8 s (ratio 0.5)       2.2 s (ratio 0.8)
========  =====  ====  ======================  ======================

More than half of DCRC's time is K-means. An evaluation of J costs about the same for each point at every N; what made
a million points slow was their number: 331 and 245 evaluations over all points, now 18 and 13.

An M-step that is as fine as the bound still rises has 0.62 times the evaluations and 0.81 times the time on the shape
of Birdsong (72 fits), at an equal bound: above and below by more than 0.001 equally often.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from before import overlapping
from sklearn.datasets import make_blobs
from sklearn.mixture import GaussianMixture

from dcrc_explore import DCRC, Triplets
from dcrc_explore.constraints import implied_answers
from dcrc_explore.model.em import Problem
from dcrc_explore.model.estep import AnswerGraph
from dcrc_explore.model.mstep import Factors
from dcrc_explore.model.threads import one_thread


def answers_about(y: np.ndarray, n_answers: int, seed: int = 0) -> Triplets:
    rng = np.random.default_rng(seed)
    indices = rng.integers(len(y), size=(2 * n_answers + 100, 3))
    different = (indices[:, 0] != indices[:, 1]) & (indices[:, 0] != indices[:, 2]) & (indices[:, 1] != indices[:, 2])
    indices = indices[different][:n_answers]
    return Triplets(indices, implied_answers(y, indices))


def birdsong_like(seed: int, spread: float) -> tuple[np.ndarray, np.ndarray]:
    """Data of the shape of the paper's timing task, 4998 x 38 with 13 clusters of unequal size."""
    rng = np.random.default_rng(seed)
    y = rng.choice(13, size=4998, p=rng.dirichlet(np.full(13, 2.0)))
    X = rng.normal(size=(13, 38))[y] + spread * rng.normal(size=(4998, 38))
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def processor_seconds(function: Callable[[], object], repetitions: int) -> float:
    seconds = []
    for _ in range(repetitions):
        start = time.process_time()
        function()
        seconds.append(time.process_time() - start)
    return float(np.median(seconds))


def sweeps_timed() -> list[float]:
    """Make AnswerGraph.infer add its processor time to the list returned."""
    seconds: list[float] = []
    infer = AnswerGraph.infer

    def timed(*args: object, **kwargs: object) -> object:
        start = time.process_time()
        result = infer(*args, **kwargs)  # type: ignore[arg-type]
        seconds.append(time.process_time() - start)
        return result

    AnswerGraph.infer = timed  # type: ignore[method-assign, assignment]
    return seconds


def timing_task() -> None:
    print("\nThe paper's timing task: 4998 x 38, K = 13, 1500 answers (the paper: less than 2 minutes)")
    print(f"{'data':>22} {'seconds':>8} {'EM iterations':>14} {'E-step share':>13} {'F':>6}")
    in_sweeps = sweeps_timed()
    spreads = {"easy": 0.5, "medium": 1.0, "overlapping": 1.5, "heavily overlapping": 2.0}
    made = {name: partial(birdsong_like, spread=spread) for name, spread in spreads.items()}
    for name, make in (made | {"unequal, with noise": overlapping}).items():
        totals = []
        for seed in range(3):
            X, y = make(seed)
            triplets = answers_about(y, 1500, seed)
            model = DCRC(13, random_state=seed)
            in_sweeps.clear()
            seconds = processor_seconds(lambda: model.fit(X, triplets=triplets), 1)  # noqa: B023
            totals.append((seconds, model.n_iter_, sum(in_sweeps) / seconds, pairwise_f(y, model.labels_)))
        mean = np.mean(totals, axis=0)
        print(f"{name:>22} {mean[0]:8.2f} {mean[1]:14.1f} {mean[2]:13.2f} {mean[3]:6.3f}")


def pairwise_f(y: np.ndarray, labels: np.ndarray) -> float:
    from dcrc_explore.metrics import pairwise_f

    return pairwise_f(y, labels)


def objective_against_its_floor() -> None:
    print("\nOne evaluation of J and its gradient against its floor (two matrix products and one exp of K x N values)")
    print(f"{'N':>8} {'d':>4} {'K':>3} {'evaluation ms':>14} {'floor ms':>9} {'ratio':>6}")
    for n_samples, n_features, n_clusters in ((4998, 38, 13), (3165, 16, 3), (20000, 50, 10), (500, 2, 3)):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(n_samples, n_features))
        triplets = answers_about(rng.integers(n_clusters, size=n_samples), n_samples // 10)
        problem = Problem(X, triplets, n_clusters, epsilon=0.05, tau=1.0, lam=0.01, balance=True)
        W = rng.normal(size=problem.objective.shape)
        Q = rng.dirichlet(np.ones(n_clusters), size=len(problem.graph.instances)).T.copy()
        logits = np.empty((n_clusters, n_samples))

        def floor() -> None:
            np.matmul(W, problem.X.T, out=logits)  # noqa: B023
            np.exp(logits, out=logits)  # noqa: B023
            logits @ problem.X  # noqa: B023

        def evaluate() -> None:
            problem.objective(W, Q, Factors(0.01, 1.0, 1.0))  # noqa: B023

        with one_thread():
            # Taken in turns, so that both see the same machine.
            pairs = np.array([(processor_seconds(evaluate, 3), processor_seconds(floor, 3)) for _ in range(60)])
        whole, least = np.median(pairs, axis=0)
        print(
            f"{n_samples:8d} {n_features:4d} {n_clusters:3d} {1e3 * whole:14.3f} {1e3 * least:9.3f} "
            f"{np.median(pairs[:, 0] / pairs[:, 1]):6.2f}"
        )


def live_refit() -> None:
    print("\nRefit after one more answer, warm start: 500 points, 2 features, K = 3, 500 answers")
    print(f"{'kernel':>8} {'median ms':>10} {'95% ms':>7} {'cold fit ms':>12}")
    X, y = make_blobs(500, centers=[(0, 0), (2, 0), (1, 1.7)], cluster_std=0.8, random_state=0)
    triplets = answers_about(y, 600)
    for kernel in ("linear", "rbf"):
        model = DCRC(3, kernel=kernel, warm_start=True, random_state=0)
        cold = processor_seconds(lambda: model.fit(X, triplets=triplets[:500]), 1)  # noqa: B023
        warm = [
            processor_seconds(lambda: model.fit(X, triplets=triplets[:n]), 1)  # noqa: B023
            for n in range(501, 601)
        ]
        print(f"{kernel:>8} {1e3 * np.median(warm):10.1f} {1e3 * np.percentile(warm, 95):7.1f} {1e3 * cold:12.1f}")


def scaling() -> None:
    print("\nGrowth with N (10 features, K = 5, 1000 answers): seconds for 10 EM iterations, peak memory beyond X")
    print(f"{'N':>9} {'seconds':>8} {'us per point':>13} {'memory / X':>11}")
    for n_samples in (10**3, 10**4, 10**5, 10**6):
        report = subprocess.run(
            [sys.executable, __file__, "--fit", str(n_samples)], capture_output=True, text=True, check=True
        ).stdout.split()
        seconds, memory = float(report[0]), float(report[1])
        print(f"{n_samples:9d} {seconds:8.2f} {1e6 * seconds / n_samples:13.1f} {memory:11.2f}")
    print("\nGrowth with M (10^5 points, 10 features, K = 5): seconds for the first 10 EM iterations")
    print(f"{'M':>9} {'seconds':>8} {'of which E-step':>16} {'us per answer in E':>19}")
    X, y = make_blobs(10**5, n_features=10, centers=5, cluster_std=3.0, random_state=0)
    in_sweeps = sweeps_timed()
    for n_answers in (10**2, 10**3, 10**4, 10**5):
        triplets = answers_about(y, n_answers)
        in_sweeps.clear()
        model = DCRC(5, max_iter=10, tol=0, random_state=0, soft_start=False)
        seconds = processor_seconds(lambda: model.fit(X, triplets=triplets), 1)  # noqa: B023
        print(f"{n_answers:9d} {seconds:8.2f} {sum(in_sweeps):16.2f} {1e6 * sum(in_sweeps) / n_answers:19.1f}")


def beside_mixtures() -> None:
    print("\nA million points, 1000 answers, K = 5: seconds of one fit, and ratios to scikit-learn's GaussianMixture")
    print(f"{'d':>4} {'DCRC':>6} {'full':>6} {'ratio':>6} {'diag':>6} {'ratio':>6}")
    for n_features in (2, 10):
        X, y = make_blobs(10**6, n_features=n_features, centers=5, cluster_std=3.0, random_state=0)
        triplets = answers_about(y, 1000)
        own = processor_seconds(lambda: DCRC(5, random_state=0).fit(X, triplets=triplets), 3)  # noqa: B023
        row = f"{n_features:4d} {own:6.2f}"
        for covariance in ("full", "diag"):
            mixture = GaussianMixture(5, covariance_type=covariance, random_state=0)
            with one_thread():
                seconds = processor_seconds(lambda: mixture.fit(X), 3)  # noqa: B023
            row += f" {seconds:6.2f} {own / seconds:6.2f}"
        print(row)


def fit_once(n_samples: int) -> None:
    """Print processor seconds and peak memory beyond X, in units of X, of one fit in this process."""
    X, y = make_blobs(n_samples, n_features=10, centers=5, cluster_std=3.0, random_state=0)
    triplets = answers_about(y, 1000)
    DCRC(2, random_state=0).fit(X[:50])  # libraries are loaded before memory is measured
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    model = DCRC(5, max_iter=10, tol=0, random_state=0, soft_start=False)
    seconds = processor_seconds(lambda: model.fit(X, triplets=triplets), 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(seconds, 1024 * peak / X.nbytes)


if __name__ == "__main__":
    import warnings

    from sklearn.exceptions import ConvergenceWarning

    warnings.simplefilter("ignore", ConvergenceWarning)  # ten iterations are asked for on purpose
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fit", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.fit:
        fit_once(arguments.fit)
    else:
        for part in (objective_against_its_floor, live_refit, timing_task, beside_mixtures, scaling):
            part()
