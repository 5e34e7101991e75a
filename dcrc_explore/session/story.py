"""What happened, in plain sentences: what an answer asserts, and what a change did."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.constraints import Answer, Pairs, Triplets, implied_answers
from dcrc_explore.information import entropy
from dcrc_explore.session.describe import differences
from dcrc_explore.session.fit import Fit
from dcrc_explore.session.labels import change_label, said
from dcrc_explore.session.trace import Request, Trace
from dcrc_explore.words import count

# Cluster number to what a person calls it.
Name = Callable[[int], str]
# A change of probability, or of bits, that nobody sees.
_NOTHING = 0.005


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


def moves(before: IntArray, after: IntArray, points: FloatArray | None, name: Name = cluster_name) -> str:
    """Say how many points changed cluster and which way a boundary moved.

    Parameters
    ----------
    before, after : ndarray of shape (N,)
        Cluster of each point.
    points : ndarray of shape (N, 2) or None
        Where they are drawn; None where no boundary is drawn between them.
    name : callable
        What a cluster is called.

    Examples
    --------
    >>> points = np.array([[0.0, 0], [1, 0], [2, 0], [3, 0]])
    >>> moves(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), points)
    '1 point changed cluster, from 1 to 2: the boundary between them moved left.'
    >>> moves(np.array([0, 0]), np.array([0, 0]), points[:2])
    'No point changed cluster.'
    >>> moves(np.array([0, 1]), np.array([0, 0]), points[:2])
    '1 point changed cluster: all points are in cluster 1 now.'
    """
    changed = before != after
    n_changed = int(changed.sum())
    if not n_changed:
        return "No point changed cluster."
    if (after == after[0]).all():
        return f"{count(n_changed, 'point')} changed cluster: all points are in cluster {name(int(after[0]))} now."
    pairs, counts = np.unique(np.column_stack([before, after])[changed], axis=0, return_counts=True)
    streams = {(source, target): n for (source, target), n in zip(pairs.tolist(), counts.tolist(), strict=True)}
    (source, target), most = max(streams.items(), key=lambda stream: stream[1])
    back = streams.get((target, source), 0)
    of_them = "" if n_changed == 1 else "all of them " if most == n_changed else f"{most} of them "
    text = f"{count(n_changed, 'point')} changed cluster, {of_them}from {name(source)} to {name(target)}"
    if points is None:
        return f"{text}."
    if 2 * back >= most:  # as many came as went: it did not move to one side
        return f"{text} and {back} the other way: the boundary between them turned."
    if not (after == source).any():
        return f"{text}: {name(source)} is empty now."
    return f"{text}{_direction(before, source, target, points)}."


def _direction(before: IntArray, source: int, target: int, points: FloatArray) -> str:
    """Tell where a boundary went: it moves into the cluster that lost points."""
    if not (before == target).any():
        return ", which was empty"
    x, y = points[before == source].mean(axis=0) - points[before == target].mean(axis=0)
    where = ("right" if x > 0 else "left") if abs(x) >= abs(y) else ("up" if y > 0 else "down")
    return f": the boundary between them moved {where}"


def certainty(before: FloatArray, after: FloatArray) -> str:
    """Say what a change that moved no point did to the probabilities P(y|x).

    Examples
    --------
    >>> certainty(np.array([[0.9, 0.1]]), np.array([[0.9, 0.1]]))
    'Nothing changed.'
    >>> certainty(np.array([[0.9, 0.1]]), np.array([[0.6, 0.4]]))
    'No point changed cluster; the model is less sure than before.'
    """
    if np.abs(after - before).max() < _NOTHING:
        return "Nothing changed."
    surer = float(entropy(before).mean() - entropy(after).mean())
    if abs(surer) < _NOTHING:
        return "No point changed cluster."
    return f"No point changed cluster; the model is {'surer' if surer > 0 else 'less sure'} than before."


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


def moved(before: Trace | None, after: Trace) -> IntArray:
    """Return the row numbers of the points that are in another cluster than before; none for other data."""
    if before is None or before.request.subject is not after.request.subject:
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(before.fit.labels != after.fit.labels)


def between(
    before: Trace | None,
    after: Trace,
    points: FloatArray | None,
    name: Name = cluster_name,
    pending: Request | None = None,
) -> str:
    """Say what led from one fit to the next and what it changed; nothing when the data are others.

    Parameters
    ----------
    before, after : Trace
    points : ndarray of shape (N, 2) or None
        Where they are drawn; None where no boundary is drawn between them.
    name : callable
        What a cluster is called.
    pending : Request, optional
        What is being fitted after that: then only what is new in it is said.
    """
    if pending is not None:
        what = [] if pending is after.request else _what(after.request, pending)
        return " ".join([*what, "The model is being fitted."])
    if before is None or before.request.subject is not after.request.subject:
        return ""
    old, new = before.fit, after.fit
    sentences = ["A better grouping was found."] if after.found else _what(before.request, after.request)
    if old.proba.shape == new.proba.shape and (old.labels == new.labels).all():
        sentences.append(certainty(old.proba, new.proba))
    else:
        sentences.append(moves(old.labels, new.labels, points, name))
    settings, was = after.request.settings, before.request.settings
    worse = ""
    if settings.epsilon == 0 != was.epsilon and len(new.triplets) == len(old.triplets):
        worse = hard_words(new, old, straight=settings.kernel == "linear")
    by_line, by_q = (~new.violated, ~new.pairs_violated), (new.kept_by_q, new.pairs_kept_by_q)
    sentences.append(worse or kept(np.concatenate(by_line), np.concatenate(by_q)))
    if after.begins_anew and after.request.start is not None and len(moved(before, after)):
        sentences.append("A new start found a better grouping than going on.")
    if bool(before.request.people) != bool(after.request.people):
        apart = "Each person is heard by errors of their own now."
        sentences.append(apart if after.request.people else "All are heard alike now.")
    return " ".join(filter(None, sentences))


def _what(before: Request, after: Request) -> list[str]:
    """Name the answers or settings that are new."""
    old, new = before.triplets, after.triplets
    said_of = [_answers_said(old, new)] if old != new else []
    if before.pairs != after.pairs:
        said_of.append(_answers_said(before.pairs, after.pairs))
    changed = [
        f"{d.setting}: {d.first} to {_rest(d.first, d.second)}." for d in differences(before.settings, after.settings)
    ]
    return [*said_of, *changed] or ["Fitted again."]


def _rest(first: str, second: str) -> str:
    """Leave out what two values begin with alike, as in "soft, ε = 0.05 to 0.1"."""
    before, sign, _ = first.rpartition("= ")
    return second.removeprefix(before + sign)


def _answers_said(old: Triplets | Pairs, new: Triplets | Pairs) -> str:
    """Tell answers that were given, taken back, changed or deleted."""
    what = "Pair" if isinstance(new, Pairs) else "Answer"
    n = min(len(old), len(new))
    other = np.flatnonzero(
        (old.indices[:n] != new.indices[:n]).any(axis=1) | (old.answers[:n] != new.answers[:n])
    ).tolist()
    more = len(new) - len(old)
    if more == 0 and len(other) == 1:
        (t,) = other
        if (old.indices[t] == new.indices[t]).all():
            return f"{change_label(old.answers, new.answers, what)}."
        return f"{what} {t + 1}: {said(Answer(int(new.answers[t])))}."
    if more == -1 and other:
        return f"{what} {other[0] + 1} is deleted."
    if other:
        return f"Several {what.lower()}s are changed."
    if more == 1:
        return f"{what} {len(new)}: {said(Answer(int(new.answers[-1])))}."
    return f"{what}s {n + 1} to {len(new)}." if more > 0 else f"{count(-more, what.lower())} taken back."


def hard_words(hard: Fit, soft: Fit, *, straight: bool) -> str:
    """Say why hard answers are violated more often than soft ones of the same data; nothing when they are not.

    What hard answers bind is Q, and the boundary follows Q only as far as its shape allows.
    """
    M, line, soft_line = len(hard.triplets), int((~hard.violated).sum()), int((~soft.violated).sum())
    if line >= soft_line:
        return ""
    q, shape = int(hard.kept_by_q.sum()), "straight" if straight else "curved"
    return (
        f"Hard does worse than soft here: Q keeps {q} of {M}, the {shape} boundary {line}, with soft answers "
        f"{soft_line}. Hard answers bind Q, and the boundary can't follow Q everywhere."
    )
