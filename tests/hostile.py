"""Names that would act if anybody took them for markup, a formula or a path; shared by the tests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dcrc_explore.datasets import as_dataset
from dcrc_explore.session import Session

HOSTILE = [
    "<img src=x onerror=window.hacked=1>",
    "$\\href{javascript:window.hacked=1}{x}$",
    "'><svg onload=window.hacked=1>&lt&#60",
]
# Quotation marks, a new line, marks that turn the direction of reading, and many characters.
AWKWARD = "'\"`\\ \n\u202e\u2067" + "x" * 290 + "\u202c&amp;"


def hostile_session(name: str) -> Session:
    """A session in which everything is called so, as far as the limits of names allow, with answers by two people."""
    X = np.random.default_rng(0).normal(size=(40, 3))
    classes = [f"{name}{n % 2}" for n in range(40)]
    features = [f"{name}{d}" for d in range(3)]
    dataset = as_dataset(X, classes, name=name, items=[f"{name} {n}" for n in range(40)])
    session = Session(replace(dataset, feature_names=tuple(features)), autosave=None)
    session.answer((0, 1, 2), "yes", by="somebody")
    line = "".join(filter(str.isprintable, name))[:35]
    session.person = line
    session.answer((0, 1, 2), "no")
    session.answer((0, 1), "no")
    session.name_cluster(0, line)
    return session
