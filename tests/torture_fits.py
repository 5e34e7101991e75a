"""Fits to allowed but odd input: ``python tests/torture_fits.py 10000``.

Each fit draws data (lines, constant and binary columns, coinciding points, outliers, any scale and type), answers
(contradictory, repeated, all alike) and parameters (tiny and huge numbers, every kernel). It must end in a finite model
whose bound never falls, or be refused in one sentence of ours; a raw error of a library or a warning of numpy is a
failure, and is printed with the seed that makes it again. Every other fit gets one thing that is not allowed: text in
X, rows of different lengths, objects, NaN, a wrong shape or name. A refusal whose sentence comes from a library instead
of this package is counted as foreign and fails as well.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.sparse import coo_matrix, csr_array, csr_matrix
from sklearn.exceptions import ConvergenceWarning

import dcrc_explore
from dcrc_explore import DCRC, Triplets

PACKAGE = Path(dcrc_explore.__file__).parent
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


def cell(X: np.ndarray, rng: np.random.Generator, value: object) -> np.ndarray:
    """Return X with another value in one place."""
    X = X.astype(object)
    X[rng.integers(len(X)), rng.integers(X.shape[1])] = value
    return X


def ragged(X: np.ndarray, rng: np.random.Generator, value: object) -> list:
    """Return X as lists, one with a value more."""
    rows = X.tolist()
    rows[rng.integers(len(rows))].append(value)
    return rows


STRANGE = (None, "", "tall", 2, -1, 0.5, True, [], {}, {"a": 1}, (), [[]], [1, [2]], object(), np.nan, np.inf, b"x", 1j)
SPOILED_X = {
    "text": lambda X, rng: cell(X, rng, str(rng.choice(["tall", "", "1,5", "nan?"]))),
    "object": lambda X, rng: cell(X, rng, STRANGE[rng.integers(7, len(STRANGE))]),
    "missing": lambda X, rng: cell(X, rng, None),
    "not finite": lambda X, rng: cell(X, rng, rng.choice([np.nan, np.inf, -np.inf])).astype(float),
    "huge": lambda X, rng: cell(X, rng, 10**400),
    "ragged": lambda X, rng: ragged(X, rng, rng.choice([1.0, 2.0])),
    "deep": lambda X, rng: ragged(X, rng, [1.0, [2.0]]),
    "words": lambda X, rng: np.full(X.shape, "tall"),
    "bytes": lambda X, rng: np.full(X.shape, b"tall"),
    "complex": lambda X, rng: X + 1j,
    "dates": lambda X, rng: X.astype("datetime64[s]"),
    "records": lambda X, rng: np.zeros(len(X), dtype=[("a", float), ("b", float)]),
    "sparse": lambda X, rng: (csr_matrix, csr_array, coo_matrix)[rng.integers(3)](X.astype(float)),
    "flat": lambda X, rng: X.ravel(),
    "cube": lambda X, rng: X[None],
    "no rows": lambda X, rng: X[:0],
    "no columns": lambda X, rng: X[:, :0],
    "frame with text": lambda X, rng: pd.DataFrame(cell(X, rng, "tall")),
    "frame with missing": lambda X, rng: pd.DataFrame(cell(X, rng, pd.NA)),
    "frame with a category": lambda X, rng: (
        pd.DataFrame(X).assign(kind=pd.Categorical(["a"] * len(X))).rename(columns=str)
    ),
    "frame with mixed names": lambda X, rng: pd.DataFrame(X).assign(kind=1.0),
    "strange": lambda X, rng: STRANGE[rng.integers(len(STRANGE))],
}


def spoiled(seed: int) -> tuple[object, dict, dict]:
    """Return data, answers and parameters of which one is not allowed."""
    X, given, parameters = drawn(seed)
    rng = np.random.default_rng(seed)
    if len(given) == 0:
        given = Triplets([(0, 1, 2)], ["yes"])
    parameters |= {"n_clusters": 2, "tau": 1.0, "lam": 0.01, "kernel": "linear"}
    with np.errstate(over="ignore", invalid="ignore"):
        X = np.nan_to_num(X.astype(float) / max(1.0, np.abs(X).max()))
    said: dict = {"triplets": given.indices, "answers": given.answers}
    strange = STRANGE[rng.integers(len(STRANGE))]
    part = str(rng.choice(["X", "X", "X", "triplets", "answers", "annotators", "pairs", "y", "parameter"]))
    if part == "X":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return SPOILED_X[str(rng.choice(list(SPOILED_X)))](X, rng), said, parameters
    if part == "triplets":
        shapes = [cell(given.indices, rng, strange), ragged(given.indices, rng, 1), given.indices[:, :2], strange]
        shapes += [cell(given.indices, rng, value).astype(float) for value in (np.nan, np.inf, 0.5, 1e300)]
        shapes += [
            given.indices + 10**6,
            -given.indices - 1,
            given.indices.astype(str),
            given.indices > 0,
            given.indices[0],
        ]
        said["triplets"] = shapes[rng.integers(len(shapes))]
    elif part == "answers":
        shapes = [
            [*given.answers[:-1], strange],
            given.answers[:, None],
            given.answers[1:],
            strange,
            ["maybe"] * len(given),
        ]
        said["answers"] = shapes[rng.integers(len(shapes))]
    elif part == "pairs":
        said |= {"pairs": [(0, 1), strange], "pair_answers": ["yes", strange]}
    elif part == "annotators":
        parameters["confusion"] = "learned"
        names = ["Ann"] * len(given)
        shapes = [names[1:], strange, [*names[1:], strange], [names]]
        said["annotators"] = shapes[rng.integers(len(shapes))]
    elif part == "y":
        said["y"] = given if rng.random() < 0.5 else given.indices
    else:
        parameters[str(rng.choice([name for name in DCRC().get_params() if name != "verbose"]))] = strange
    return X, said, parameters


def is_foreign(error: BaseException) -> bool:
    """Whether the sentence of an error is not this package's, or not one sentence."""
    where = error.__traceback__
    while where.tb_next is not None:
        where = where.tb_next
    return not Path(where.tb_frame.f_code.co_filename).is_relative_to(PACKAGE) or "\n" in str(error)


def outcome(seed: int, spoil: bool = False) -> str:
    """Return "fitted", "refused: ..." or "FAILED: ..."."""
    if spoil:
        X, said, parameters = spoiled(seed)
    else:
        X, triplets, parameters = drawn(seed)
        said = {"triplets": triplets}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", "epsilon=.* is above 2/3", UserWarning)
        warnings.filterwarnings("ignore", "none of the answers is don't know", UserWarning)
        warnings.filterwarnings("ignore", "the kernel is not positive semidefinite", UserWarning)
        try:
            model = DCRC(**parameters).fit(X, **said)
        except np.linalg.LinAlgError as error:
            return f"FAILED: LinAlgError: {error}"
        except (ValueError, TypeError) as error:
            return f"FAILED, foreign: {type(error).__name__}: {error}" if is_foreign(error) else f"refused: {error}"
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
        said = outcome(seed, spoil=bool(seed % 2))
        kinds[said.split(":")[0]] += 1
        if said.startswith("FAILED"):
            print(f"seed {seed}: {said}", flush=True)
    seconds = time.process_time() - begin
    figures = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
    print(f"{arguments.count} fits in {seconds:.0f} s of processor time: {figures}")
