"""The question whose answer tells two models apart."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr

from dcrc_explore.arrays import IntArray, Seed
from dcrc_explore.constraints import Answer, answer_proba
from dcrc_explore.questions.drawing import as_proba, check_left, n_questions, random_triplets


class Deciding(NamedTuple):
    """A question, what its answer tells in bits about which model is right, and what each expects, in words."""

    triplet: IntArray
    bits: float
    expected: tuple[str, str]


def deciding_triplet(
    first: ArrayLike,
    second: ArrayLike,
    *,
    epsilon: float = 0.05,
    asked: ArrayLike | None = None,
    n_candidates: int = 10_000,
    seed: Seed = None,
) -> Deciding:
    """Choose, of random questions, the one whose answer tells most about which of two equally credible models is right.

    This is the mutual information between answer and model, H((p + q) / 2) - (H(p) + H(q)) / 2, where p and q are what
    the models expect as the answer by Eq. (1) and Table I.

    Examples
    --------
    >>> two, three = [[1, 0], [1, 0], [1, 0], [0, 1]], [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> decided = deciding_triplet(two, three, seed=0)
    >>> 2 in decided.triplet, decided.expected  # the point about which they differ
    (True, ("don't know (95%)", 'no (95%)'))
    """
    models = as_proba(first), as_proba(second)
    N = len(models[0])
    left = n_questions(N) - len(check_left(N, 0, asked))
    candidates = random_triplets(N, min(n_candidates, max(left, 1)), asked=asked, seed=seed)
    p, q = (np.maximum(answer_proba(proba, candidates, epsilon=epsilon), 0) for proba in models)
    bits = (entr((p + q) / 2) - (entr(p) + entr(q)) / 2).sum(axis=1) / np.log(2)
    t = int(np.argmax(bits.round(9)))  # of equal ones the first
    words = [f"{list(Answer)[each[t].argmax()].words} ({each[t].max():.0%})" for each in (p, q)]
    return Deciding(candidates[t], float(bits[t]), (words[0], words[1]))
