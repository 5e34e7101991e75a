"""How many clusters do the answers imply? The bound Eq. (10) with a penalty for each cluster.

The bounds of models with other numbers of clusters, fitted to the same answers, can be compared. More clusters fit
answers more easily, and balance alone raises the bound up to tau ln K. So each cluster beyond the first costs
``3 ln(M) / (4 A)``, where M is the number of answers and A what their log-likelihood is divided by
(:mod:`dcrc_explore.model.weighting`). Multiplied by A this is what BIC charges for one and a half parameters.

The factor was chosen with seed 0 on nine data sets, in 122 scans with 40 answers or more. With a third of it, K was
right in 53% of the scans instead of 68%: wrong answers, or answers about nearly every point, led to far too many
clusters. Subtracting tau ln K from the bound, or leaving out its balance term, found K as often, but the clusters were
further from the truth. tests/benchmarks/groups.py measures the rule with other seeds.

The bounds that are compared come from fits with an epsilon of at least 0.15: with 0.05 further clusters were found to
fit the errors of people. In percent how often K was right, in 180 scans with seed 4 after 40 and 80 answers to guided
and random questions about 15 sets of at most 120 points; noisy are 10% wrong answers, people those of the paper. The
ARI is that of a fit with epsilon 0.05 and this K beside the first row's, with an interval of 95%. No row is better
everywhere::

    epsilon  cost  truth  noisy  people  2 or 3 groups  4 to 7  all             ARI
       0.05  0.75     75     58      38             73      44   57
       0.05  0.5      70     52      30             68      35   51  +0.011 ± 0.016
       0.05  1        73     63      43             79      44   60  -0.009 ± 0.012
       0.05  1.25     72     65      53             86      44   63  -0.015 ± 0.013
       0.15  0.5      68     62      47             80      41   59  -0.007 ± 0.013
       0.15  0.75     70     67      57             89      43   64  -0.013 ± 0.015  the rule
       0.15  1        68     63      60             92      40   64  -0.019 ± 0.016
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import takewhile
from math import log
from typing import TYPE_CHECKING, NamedTuple

from dcrc_explore.arrays import argbest

if TYPE_CHECKING:
    from dcrc_explore.model.path import EMStep

# The numbers that are tried.
FEWEST, MOST = 2, 10
# What a cluster costs, in logarithms of the number of answers.
COST = 0.75
# Answers are judged as if they were wrong so often at least: otherwise further clusters are found to fit the errors.
_SOFT = 0.15


class Candidate(NamedTuple):
    """A number of clusters, and how well it fits: the bound with the penalty."""

    n_clusters: int
    value: float


def candidates(n_samples: int) -> range:
    """Return the numbers of clusters to try for this number of instances.

    Examples
    --------
    >>> candidates(150), candidates(4)
    (range(2, 11), range(2, 5))
    """
    return range(FEWEST, min(MOST, n_samples) + 1)


def soft_epsilon(epsilon: float) -> float:
    """Return the epsilon with which numbers of clusters are compared: the same, but not less than 0.15.

    Examples
    --------
    >>> soft_epsilon(0.2), soft_epsilon(0.0)
    (0.2, 0.15)
    """
    return max(epsilon, _SOFT)


def penalised_bound(step: EMStep) -> float:
    """Return the bound at the end of a fit, less the penalty for its clusters: ``3 (K - 1) ln(M) / (4 A)``.

    Examples
    --------
    >>> from dcrc_explore import DCRC
    >>> given = {"triplets": [(0, 1, 2), (2, 3, 0)], "answers": ["yes", "yes"]}
    >>> *_, last = DCRC(2, random_state=0).iterate([[0.0], [0.2], [5.0], [5.2]], **given)
    >>> penalised_bound(last) < last.bound.total
    True
    """
    problem = step.path.problem
    cost = COST * log(problem.n_answers) / problem.objective.divisors.answers
    return step.bound.total - (problem.n_clusters - 1) * cost


def scan(fit: Callable[[int], Iterator[EMStep]], numbers: range, go_on: Callable[[], bool]) -> list[Candidate] | None:
    """Fit each number of clusters and return how well it fits the answers.

    Parameters
    ----------
    fit : callable(int)
        Begins a fit with this number of clusters, which advances by one EM iteration at a time; the last step counts.
    numbers : range
    go_on : callable()
        Called after each EM iteration; when it returns False, the scan ends and returns None.

    Examples
    --------
    >>> from dcrc_explore import DCRC
    >>> given = {"triplets": [(0, 1, 2), (2, 3, 0)], "answers": ["yes", "yes"]}
    >>> X = [[0.0], [0.2], [5.0], [5.2]]
    >>> found = scan(lambda K: DCRC(K, random_state=0).iterate(X, **given), range(2, 4), lambda: True)
    >>> [candidate.n_clusters for candidate in found]
    [2, 3]
    """
    found = []
    for K in numbers:
        steps = list(takewhile(lambda _: go_on(), fit(K)))
        if not go_on():
            return None
        found.append(Candidate(K, penalised_bound(steps[-1])))
    return found


def best(found: list[Candidate]) -> int:
    """Return the number of clusters that fits best; of equal ones the smaller.

    Examples
    --------
    >>> best([Candidate(2, -1.5), Candidate(3, -0.5), Candidate(4, -0.75)])
    3
    """
    return found[argbest([each.value for each in found])].n_clusters
