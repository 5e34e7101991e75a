"""Fits to allowed but odd input: ``python tests/torture_fits.py 10000``.

Each fit draws data (lines, constant and binary columns, coinciding points, outliers, any scale and type), answers
(contradictory, repeated, all alike) and parameters (tiny and huge numbers, every kernel). It must end in a finite model
whose bound never falls, or be refused in one sentence of ours; a raw error of a library or a warning of numpy is a
failure, and is printed with the seed that makes it again.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections import Counter

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from dcrc_explore import DCRC, Triplets

SCALES = (*(1.0,) * 6, 1e-300, 1e-30, 1e-9, 1e-3, 1e3, 1e6, 1e9, 1e20, 1e49, 1e300)
DATA = {
    "normal": lambda rng, N, d: rng.normal(size=(N, d)),
    "line": lambda rng, N, d: rng.normal(size=(N, 1)) * np.arange(1, d + 1),
    "constant column": lambda rng, N, d: np.column_stack([rng.normal(size=(N, d)), np.full(N, 7.0)]),
    "binary": lambda rng, N, d: rng.integers(2, size=(N, d)).astype(float),
    "one-hot": lambda rng, N, d: np.eye(d)[rng.integers(d, size=N)],
    "constant sum": lambda rng, N, d: rng.dirichlet(np.ones(d), size=N),
    "repeated rows": lambda rng, N, d: rng.normal(size=(3, d))[rng.integers(3, size=N)],
    "one point": lambda rng, N, d: np.ones((N, d)),
    "outlier": lambda rng, N, d: np.vstack([rng.normal(size=(N - 1, d)), np.full((1, d), 1e8)]),
    "wide": lambda rng, N, d: rng.normal(size=(N, 5 * d + N)),
}


def drawn(seed: int) -> tuple[np.ndarray, Triplets, dict]:
    """Return data, answers and parameters, all allowed by type."""
    rng = np.random.default_rng(seed)
    N, d = int(rng.integers(4, 60)), int(rng.integers(1, 7))
    X = DATA[str(rng.choice(list(DATA)))](rng, N, d) * rng.choice(SCALES)
    with np.errstate(over="ignore"):  # what does not fit a type becomes infinite, and is refused
        X = X.astype(str(rng.choice(["float64", "float64", "float32", "float16"])))
    M = int(rng.integers(0, 40))
    indices = np.array([rng.choice(N, 3, replace=False) for _ in range(M)]).reshape(-1, 3)
    answers = rng.integers(-1, 2, size=M) if rng.random() < 0.7 else np.full(M, rng.integers(-1, 2))
    if M and rng.random() < 0.3:  # the same question with every answer
        indices, answers = np.vstack([indices, indices, indices]), np.concatenate([answers, -answers, 0 * answers])
    parameters = {
        "n_clusters": int(rng.integers(1 if M == 0 else 2, 7)),
        "epsilon": float(rng.choice([0, 5e-324, 1e-300, 1e-12, 0.05, 0.05, 0.3, 2 / 3, 0.9, 1 - 1e-16])),
        "tau": float(rng.choice([0, 1e-300, 1e-3, *[1.0] * 9, 1.5, 1e6, 1e300])),
        "lam": float(rng.choice([0, 1e-300, 1e-6, *[2**-6] * 9, 1.0, 1e6, 1e300])),
        "balance": bool(rng.integers(2)),
        "use_dnk": bool(rng.integers(2)),
        "soft_start": bool(rng.integers(2)),
        "kernel": str(rng.choice(["linear", "linear", "rbf", "poly"])),
        "gamma": rng.choice([-1.0, -1.0, 1e-300, 1e-3, 1.0, 1e3, 1e300]),
        "degree": int(rng.choice([1, 2, 3, 9, 500])),
        "coef0": float(rng.choice([0.0, 1.0, 1.0, 1.0, -1.0, 1e3, 1e200])),
        "n_components": int(rng.choice([3, 20, 500])),
        "max_iter": int(rng.choice([0, 1, 30])),
        "tol": float(rng.choice([0, 1e-4, 1.0])),
        "random_state": int(rng.integers(100)),
    }
    if rng.random() < 0.1:
        parameters["kernel"] = "precomputed"
        with np.errstate(over="ignore", invalid="ignore"):
            X = X.astype(float) @ X.astype(float).T
    parameters["gamma"] = "scale" if parameters["gamma"] < 0 else float(parameters["gamma"])
    return X, Triplets(indices, answers), parameters


def outcome(seed: int) -> str:
    """Return "fitted", "refused: ..." or "FAILED: ..."."""
    X, triplets, parameters = drawn(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", "epsilon=.* is above 2/3", UserWarning)
        warnings.filterwarnings("ignore", "the kernel is not positive semidefinite", UserWarning)
        try:
            model = DCRC(**parameters).fit(X, triplets=triplets)
        except np.linalg.LinAlgError as error:
            return f"FAILED: LinAlgError: {error}"
        except (ValueError, TypeError) as error:
            return f"refused: {error}"
        except Exception as error:  # whatever it is, it is a failure
            return f"FAILED: {type(error).__name__}: {error}"
    if not np.isfinite(model.lower_bound_) or not np.isfinite(model.coef_).all():
        return "FAILED: a bound or weights that are not finite"
    if not np.isfinite(model.posterior_).all() or not np.allclose(model.posterior_.sum(axis=1), 1):
        return "FAILED: memberships that are no probabilities"
    falls = np.diff(model.lower_bounds_)
    if parameters["epsilon"] and len(falls) and falls.min() < -1e-9 * max(1.0, abs(model.lower_bound_)):
        return f"FAILED: the bound falls by {-falls.min():.2g}"
    return "fitted"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    arguments = parser.parse_args()
    begin, kinds = time.process_time(), Counter[str]()
    for seed in range(arguments.first, arguments.first + arguments.count):
        said = outcome(seed)
        kinds[said.split(":")[0]] += 1
        if said.startswith("FAILED"):
            print(f"seed {seed}: {said}", flush=True)
    seconds = time.process_time() - begin
    figures = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
    print(f"{arguments.count} fits in {seconds:.0f} s of processor time: {figures}")
