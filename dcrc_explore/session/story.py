"""What happened, in one plain sentence: what an answer asserts, what it changed, and why a point is where it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.constraints import Answer, implied_answers
from dcrc_explore.inspection import Explanation
from dcrc_explore.session.describe import differences
from dcrc_explore.session.trace import Request, Trace

# Cluster number to what a person calls it.
Name = Callable[[int], str]
# Answers in which this share of the odds against lies are named; the rest would only make the sentence longer.
_TELLING = 0.8


def cluster_name(k: int) -> str:
    """Return what cluster k is called unless a person named it.

    Examples
    --------
    >>> cluster_name(0)
    '1'
    """
    return str(k + 1)


def asserts(answer: Answer, n_clusters: int) -> str:
    """Say what an answer claims about clusters: people answer by distance, the model hears Eq. (1).

    Examples
    --------
    >>> asserts(Answer.YES, 3)
    'A and B together, C apart'
    >>> asserts(Answer.DNK, 3)
    'all together, all apart, or B with C'
    >>> asserts(Answer.DNK, 2)
    'B and C together'
    """
    if answer is Answer.YES:
        return "A and B together, C apart"
    if answer is Answer.NO:
        return "A and C together, B apart"
    # With two clusters, A shares one with B and C or with neither.
    return "B and C together" if n_clusters == 2 else "all together, all apart, or B with C"


def lesson(answer: Answer, triplet: Sequence[int], truth: NDArray[np.integer]) -> str:
    """Say after an answer what the true classes would have answered, and why.

    Examples
    --------
    >>> lesson(Answer.YES, (0, 1, 2), np.array([0, 0, 1]))
    'You said yes, and so do the true classes: A and B are of one class, C is not.'
    >>> lesson(Answer.YES, (0, 1, 2), np.array([0, 0, 0]))
    "You said yes; the true classes say don't know: all three are of one class."
    """
    true = Answer(int(implied_answers(truth, [tuple(triplet)])[0]))
    a, b, c = truth[list(triplet)]
    if true is Answer.YES:
        reason = "A and B are of one class, C is not"
    elif true is Answer.NO:
        reason = "A and C are of one class, B is not"
    elif a == b == c:
        reason = "all three are of one class"
    elif b == c:
        reason = "B and C are of one class, A is not"
    else:
        reason = "all three are of different classes"
    if answer is true:
        return f"You said {said(answer)}, and so do the true classes: {reason}."
    return f"You said {said(answer)}; the true classes say {said(true)}: {reason}."


def said(answer: Answer) -> str:
    """Write an answer as people say it."""
    return {Answer.YES: "yes", Answer.NO: "no", Answer.DNK: "don't know"}[answer]


def moves(before: IntArray, after: IntArray, points: FloatArray, name: Name = cluster_name) -> str:
    """Say how many points changed cluster and which way a boundary moved.

    Parameters
    ----------
    before, after : ndarray of shape (N,)
        Cluster of each point.
    points : ndarray of shape (N, 2)
        Where they are drawn.
    name : callable
        What a cluster is called.

    Examples
    --------
    >>> points = np.array([[0.0, 0], [1, 0], [2, 0], [3, 0]])
    >>> moves(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), points)
    '1 point changed cluster, from 1 to 2: the boundary between them moved left.'
    >>> moves(np.array([0, 0]), np.array([0, 0]), points[:2])
    'No point changed cluster.'
    """
    changed = before != after
    n_changed = int(changed.sum())
    if not n_changed:
        return "No point changed cluster."
    pairs, counts = np.unique(np.column_stack([before, after])[changed], axis=0, return_counts=True)
    (source, target), most = pairs[counts.argmax()].tolist(), int(counts.max())
    how_many = "all" if most == n_changed else str(most)
    text = f"{n_changed} point{'' if n_changed == 1 else 's'} changed cluster, "
    text += f"{'' if n_changed == 1 else f'{how_many} of them '}from {name(source)} to {name(target)}"
    return f"{text}{_direction(before, source, target, points)}."


def _direction(before: IntArray, source: int, target: int, points: FloatArray) -> str:
    """Tell where a boundary went: it moves into the cluster that lost points."""
    if not (before == target).any():
        return ""
    x, y = points[before == source].mean(axis=0) - points[before == target].mean(axis=0)
    where = ("right" if x > 0 else "left") if abs(x) >= abs(y) else ("up" if y > 0 else "down")
    return f": the boundary between them moved {where}"


def kept(by_line: NDArray[np.bool_], by_q: NDArray[np.bool_]) -> str:
    """Say how many answers are kept, and by what: the memberships Q, and the boundary that is drawn.

    Examples
    --------
    >>> kept(np.array([True, False, True]), np.array([True, True, True]))
    'Of 3 answers the memberships Q keep all, the boundary keeps 2.'
    >>> kept(np.array([True]), np.array([True]))
    'The answer is kept.'
    """
    M = len(by_line)
    if not M:
        return ""
    line, q = int(by_line.sum()), int(by_q.sum())
    if line == q == M:
        return {1: "The answer is kept.", 2: "Both answers are kept."}.get(M, f"All {M} answers are kept.")
    if line == q:
        return "The answer is not kept." if M == 1 else f"{line} of {M} answers are kept."
    answers = "answer" if M == 1 else "answers"
    return f"Of {M} {answers} the memberships Q keep {_share(q, M)}, the boundary keeps {_share(line, M)}."


def _share(n: int, total: int) -> str:
    return "all" if n == total else "none" if n == 0 else str(n)


def why(explanation: Explanation, label: int, name: Name = cluster_name) -> str:
    """Say why a point is in its cluster: where it lies, and what its answers say.

    Parameters
    ----------
    explanation : Explanation
    label : int
        The cluster that is drawn: the largest P(y|x).
    name : callable

    Examples
    --------
    >>> from dcrc_explore import Triplets
    >>> from dcrc_explore.inspection import explain
    >>> P = [[0.8, 0.2], [0.1, 0.9], [0.9, 0.1]]
    >>> print(why(explain(0, P, P, Triplets([(0, 1, 2)], ["yes"]), epsilon=0.05), 0))
    It is drawn in cluster 1 because of where it lies (P = 0.80); answer 1 speaks for 2 instead (18 : 1), \
and Q follows it.
    """
    P, q, K = explanation.proba, explanation.q, len(explanation.proba)
    text = f"It is drawn in cluster {name(label)} because of where it lies (P = {P[label]:.2f})"
    if not explanation.contributions:
        return f"{text}; no answer is about it."
    # Per answer, the evidence in favour of each cluster beside the label, in units of log alpha.
    evidence = np.array([c.values - c.values[label] for c in explanation.contributions])
    rival = int(np.delete(np.arange(K), label)[np.delete(evidence.sum(axis=0), label).argmax()])
    total, against = float(evidence[:, rival].sum()), evidence[:, rival]
    if total <= 0:
        speaking = [c.index for c, value in zip(explanation.contributions, against, strict=True) if value < 0]
        return f"{text}; {_answers(speaking)} for it too." if speaking else f"{text}; its answers fit any cluster."
    order = np.argsort(-against)
    telling = order[: int(np.searchsorted(np.cumsum(against[order]), _TELLING * total)) + 1]
    speaking = sorted(explanation.contributions[t].index for t in telling)
    odds = "" if explanation.hard else f" ({_odds(explanation.alpha, total)})"
    verdict = "and Q follows" if q.argmax() == rival else "but Q does not follow"
    it = "it" if len(speaking) == 1 else "them"
    return f"{text}; {_answers(speaking)} for {name(rival)} instead{odds}, {verdict} {it}."


def _answers(indices: Sequence[int]) -> str:
    """Name answers by their numbers, with a verb."""
    numbers = [str(index + 1) for index in indices]
    if len(numbers) == 1:
        return f"answer {numbers[0]} speaks"
    if len(numbers) > 4:
        return f"{len(numbers)} answers speak"
    return f"answers {', '.join(numbers[:-1])} and {numbers[-1]} speak"


def _odds(alpha: float, evidence: float) -> str:
    odds = alpha**evidence
    return f"{odds:.0f} : 1" if odds < 1000 else "over 1000 : 1"


def moved(before: Trace | None, after: Trace) -> IntArray:
    """Return the row numbers of the points that are in another cluster than before; none for other data."""
    if before is None or before.request.subject is not after.request.subject:
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(before.fit.labels != after.fit.labels)


def between(before: Trace | None, after: Trace, name: Name = cluster_name) -> str:
    """Say what led from one fit to the next and what it changed; nothing when the data are others."""
    if before is None or before.request.subject is not after.request.subject:
        return ""
    old, new = before.fit, after.fit
    points = after.request.subject.points
    sentences = [*_what(before.request, after.request), moves(old.labels, new.labels, points, name)]
    sentences.append(kept(~new.violated, new.kept_by_q))
    if after.begins_anew and after.request.start is not None:
        sentences.append("A new start found a better grouping than going on.")
    hardened = after.request.settings.epsilon == 0 != before.request.settings.epsilon
    if hardened and len(new.triplets) == len(old.triplets):
        sentences.append(hard_words(int((~new.violated).sum()), int((~old.violated).sum()), len(new.triplets)))
    return " ".join(filter(None, sentences))


def _what(before: Request, after: Request) -> list[str]:
    """Name the answers or settings that are new."""
    old, new = before.triplets, after.triplets
    if len(new) > len(old):
        if len(new) == len(old) + 1:
            return [f"Answer {len(new)}: {said(Answer(int(new.answers[-1])))}."]
        return [f"Answers {len(old) + 1} to {len(new)}."]
    if len(new) < len(old):
        return [f"{len(old) - len(new)} answer{'' if len(old) - len(new) == 1 else 's'} taken back."]
    return [f"{d.setting}: {d.first} to {d.second}." for d in differences(before.settings, after.settings)]


def hard_words(hard_kept: int, soft_kept: int, M: int) -> str:
    """Say why answers that must hold may be violated more often than soft ones; nothing when they are not.

    Examples
    --------
    >>> print(hard_words(5, 7, 10))
    Hard keeps 5 of 10 by the boundary, soft kept 7: Q obeys every answer it can, and pulls the boundary about so much \
that it fits the other points less well.
    """
    if hard_kept >= soft_kept:
        return ""
    return (
        f"Hard keeps {hard_kept} of {M} by the boundary, soft kept {soft_kept}: Q obeys every answer it can, and pulls "
        "the boundary about so much that it fits the other points less well."
    )
