"""Run notebooks and store their outputs: ``python notebooks/execute.py [NOTEBOOK ...]``, by default all of them.

With ``--cores`` nothing is stored: the notebooks are run as other kinds of processors would run them, and what differs
from the stored outputs is printed (``tests/outputs.py`` says what must be equal).

What changes from run to run without meaning anything (times, numbers and states of widgets, versions) is left out, so
that a difference in the repository is a difference in the results. A picture gets the alternative text of its cell
(``mystnb.image.alt`` in the metadata), and sliders get the picture that they show: where no kernel runs, a reader
sees that instead.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "Agg"}  # before numpy is loaded

import nbformat

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent / "tests"))
from forked import forked_kernels  # noqa: E402
from outputs import differences, run  # noqa: E402
from processors import environment  # noqa: E402

CORES = ("Haswell", "Nehalem")  # of those in tests/processors.py


def execute(path: Path) -> list[str]:
    """Run one notebook in its folder and write it back."""
    notebook = run(path)
    for cell in notebook.cells:
        alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt")
        for output in cell.get("outputs", []):
            if alt and "image/png" in output.get("data", {}):
                output.setdefault("metadata", {})["image/png"] = {"alt": alt}
    nbformat.write(notebook, path)
    return []


def compare(path: Path) -> list[str]:
    """Run one notebook and say what differs from what is stored."""
    return differences(nbformat.read(path, as_version=4), run(path))


def main() -> int:
    """Store, or compare; returns how many notebooks show something else."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebooks", nargs="*", type=Path, default=sorted(FOLDER.rglob("[0-9]*.ipynb")))
    parser.add_argument("--cores", nargs="*", metavar="CORE", help=f"compare, by default on {' and '.join(CORES)}")
    given = parser.parse_args()
    work = execute if given.cores is None else compare
    n_differ = 0
    for core in (None,) if given.cores is None else given.cores or CORES:
        begun = time.monotonic()
        with TemporaryDirectory() as folder, forked_kernels(folder, environment(core) if core else os.environ):
            os.environ["JUPYTER_PATH"] = folder
            with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
                for path, found in zip(given.notebooks, pool.map(work, given.notebooks), strict=True):
                    print(path, *found, sep="\n", flush=True)
                    n_differ += bool(found)
        print(f"{core or 'stored'}: {time.monotonic() - begun:.0f} seconds", flush=True)
    return n_differ


if __name__ == "__main__":
    sys.exit(main() > 0)
