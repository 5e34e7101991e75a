"""Why a point is where it is, in plain sentences: under one model, and where two models part."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dcrc_explore.inspection import Contribution, Explanation
from dcrc_explore.session.story import Name, cluster_name

# Answers in which this share of the odds against lies are named; the rest would only make the sentence longer.
_TELLING = 0.8
# Odds up to which answers are said to speak for neither of two clusters.
_HARDLY = 1.2


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
    P, K = explanation.proba, len(explanation.proba)
    text = f"It is drawn in cluster {name(label)} because of where it lies (P = {P[label]:.2f})"
    if not explanation.contributions:
        return f"{text}; no answer is about it."
    # Per answer, the evidence in favour of each cluster beside the label, in units of log alpha.
    evidence = np.array([c.values - c.values[label] for c in explanation.contributions])
    rival = int(np.delete(np.arange(K), label)[np.delete(evidence.sum(axis=0), label).argmax()])
    total, against = float(evidence[:, rival].sum()), evidence[:, rival]
    if not explanation.hard and explanation.alpha ** abs(total) < _HARDLY:
        return f"{text}; its answers fit {name(label)} and {name(rival)} alike."
    if total <= 0:
        speaking = [c for c, value in zip(explanation.contributions, against, strict=True) if value < 0]
        return f"{text}; {_answers(speaking)} for it too." if speaking else f"{text}; its answers fit any cluster."
    order = np.argsort(-against)
    telling = order[: int(np.searchsorted(np.cumsum(against[order]), _TELLING * total)) + 1]
    speaking = [explanation.contributions[t] for t in sorted(telling)]
    odds = "" if explanation.hard else f" ({_odds(explanation.alpha, total)})"
    verdict = "and Q follows" if explanation.q.argmax() == rival else "but Q does not follow"
    it = "it" if len(speaking) == 1 else "them"
    return f"{text}; {_answers(speaking)} for {name(rival)} instead{odds}, {verdict} {it}."


def _answers(speaking: Sequence[Contribution]) -> str:
    """Name answers by their numbers, with a verb."""
    if len(speaking) > 4:
        return f"{len(speaking)} answers speak"
    triplets, pairs = ([str(c.index + 1) for c in speaking if c.is_pair is pair] for pair in (False, True))
    named = [_numbers(word, numbers) for word, numbers in (("answer", triplets), ("pair", pairs)) if numbers]
    return f"{' and '.join(named)} {'speaks' if len(speaking) == 1 else 'speak'}"


def _numbers(word: str, numbers: Sequence[str]) -> str:
    *most, last = numbers
    return f"{word}s {', '.join(most)} and {last}" if most else f"{word} {last}"


def _odds(alpha: float, evidence: float) -> str:
    odds = alpha**evidence
    return f"{odds:.0f} : 1" if odds < 1000 else "over 1000 : 1"


def where_they_part(explanations: Sequence[Explanation], labels: Sequence[int], name: Name = cluster_name) -> str:
    """Say of a point under two models whether they agree, and if not, where they part: the boundary, or only Q.

    Parameters
    ----------
    explanations : (Explanation, Explanation)
    labels : (int, int)
        The clusters that are drawn.
    name : callable

    Examples
    --------
    >>> from dcrc_explore import Triplets
    >>> from dcrc_explore.inspection import explain
    >>> P, other = [[0.8, 0.2], [0.1, 0.9], [0.9, 0.1]], [[0.4, 0.6], [0.1, 0.9], [0.9, 0.1]]
    >>> both = [explain(0, each, each, Triplets([(0, 1, 2)], ["yes"]), epsilon=0.05) for each in (P, other)]
    >>> print(where_they_part(both, (0, 1)))
    They part: cluster 1 in the first (P = 0.80), 2 in the second (P = 0.60). Its answers speak for 2 in both models; \
only the second's boundary follows.
    """
    P = [explanation.proba[label] for explanation, label in zip(explanations, labels, strict=True)]
    Q = [int(explanation.q.argmax()) for explanation in explanations]
    one, two = labels
    if one == two:
        text = f"Both models draw it in cluster {name(one)} (P = {P[0]:.2f} and {P[1]:.2f})"
        if Q[0] == Q[1]:
            return f"{text}." if Q[0] == one else f"{text}, though its answers speak for {name(Q[0])} in both."
        return f"{text}. They part in Q: its answers make it {name(Q[0])} in the first and {name(Q[1])} in the second."
    text = f"They part: cluster {name(one)} in the first (P = {P[0]:.2f}), {name(two)} in the second (P = {P[1]:.2f})"
    if not any(explanation.contributions for explanation in explanations):
        return f"{text}. No answer is about it: only where the boundary runs makes the difference."
    if Q[0] != Q[1]:
        return f"{text}, and Q goes with each: {name(Q[0])} in the first, {name(Q[1])} in the second."
    follows = {one: "only the first's boundary follows", two: "only the second's boundary follows"}
    return (
        f"{text}. Its answers speak for {name(Q[0])} in both models; {follows.get(Q[0], 'neither boundary follows')}."
    )
