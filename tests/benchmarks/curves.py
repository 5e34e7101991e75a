"""When does the tool advise a curved boundary? Run by hand: ``python tests/benchmarks/curves.py --help``.

Guided questions are answered one batch after another, and after each the rule of ``session/advice.py`` is asked whether
straight lines fail. Printed for each set and kind of answers: in how many runs it ever said so, after how many answers
first, and the ARI of the boundaries with the linear and with the RBF kernel then (where it never said so, at the end).

Four runs each, by ``python tests/benchmarks/curves.py moons rings cross close elongated --runs 4``: true answers advise
curves on moons (straight ARI 0.54, curved 0.93), rings (0.02, 0.69) and cross (0.15, 0.81) in every run, after a median
of 15 to 18 answers, and so do answers with 10 % errors, after 18 to 25. False alarms: 1 of 4 on close with true answers
(0.67, 0.66) and none with errors; none on elongated with true answers.
"""

import argparse
import warnings

import numpy as np

from dcrc_explore.datasets import list_datasets
from dcrc_explore.metrics import adjusted_rand
from dcrc_explore.session import Session
from dcrc_explore.session.search import curves_advised


def advised(name, oracle, seed, most):
    """Return after how many answers curves are advised (None: never), and the ARI without and with them."""
    session = Session(name, parameters={"seed": seed} if name in list_datasets() else None, autosave=None)
    session.standardize()
    answers, changes = None, None
    while answers is None and len(session.log) < most:
        session.answer_by_oracle(5, oracle=oracle, epsilon=0.1)
        changes = curves_advised(session.model.trace, session.model.features, lambda: True)
        if changes is not None:
            answers = len(session.log)
    scores = [adjusted_rand(session.dataset.y, session.fit.labels)]
    session.set(**changes or {"kernel": "rbf"})
    return answers, *scores, adjusted_rand(session.dataset.y, session.fit.labels)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=[*list_datasets(), "iris", "wine"])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--most", type=int, default=40, help="answers")
    parser.add_argument("--oracles", nargs="+", default=["truth", "noisy"])
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| data | answers by | curves advised | first after | ARI linear | ARI RBF |\n|---|---|---|---|---|---|")
    for name in options.names:
        for oracle in options.oracles:
            found, linear, curved = zip(
                *(advised(name, oracle, seed, options.most) for seed in range(options.runs)), strict=True
            )
            first = [n for n in found if n is not None]
            row = [name, oracle, f"{len(first)} of {len(found)}", f"{np.median(first):.0f}" if first else ""]
            print(f"| {' | '.join([*row, f'{np.mean(linear):.2f}', f'{np.mean(curved):.2f}'])} |", flush=True)
