"""The model's definitions, written out by enumeration: what the fast code is compared with."""

from itertools import product

import numpy as np

from dcrc_explore.constraints import Triplets


def random_triplets(rng, n_samples, n_answers):
    indices = np.array([rng.choice(n_samples, 3, replace=False) for _ in range(n_answers)]).reshape(-1, 3)
    return Triplets(indices, rng.integers(-1, 2, size=n_answers))


def answer_probability(given, labels, epsilon):
    """P(l_t|Y_t), Table I."""
    first, second, third = labels
    implied = 1 if first == second != third else -1 if first == third != second else 0
    return 1 - epsilon if implied == given else epsilon / 2


def assignments(n_clusters, n_instances):
    return product(range(n_clusters), repeat=n_instances)


def log_likelihood(triplets, proba, epsilon):
    """log P(L|X; W) of Eq. (7): the sum over every joint assignment of the constrained instances."""
    instances = triplets.constrained()
    place = {int(i): n for n, i in enumerate(instances)}
    total = 0.0
    for labels in assignments(proba.shape[1], len(instances)):
        value = np.prod([proba[i, labels[place[int(i)]]] for i in instances])
        for indices, answer in triplets:
            value *= answer_probability(answer, [labels[place[i]] for i in indices], epsilon)
        total += value
    return np.log(total)


def expected_log_joint_over_q(triplets, proba, memberships, epsilon):
    """E_Q[log P(Y, L|X) / Q(Y)], by the sum over every joint assignment; `memberships` is q(y), shape (N, K)."""
    instances = triplets.constrained()
    place = {int(i): n for n, i in enumerate(instances)}
    total = 0.0
    for labels in assignments(proba.shape[1], len(instances)):
        q = np.prod([memberships[i, labels[place[int(i)]]] for i in instances])
        if q == 0:
            continue
        log_p = sum(np.log(proba[i, labels[place[int(i)]]]) for i in instances)
        for indices, answer in triplets:
            log_p += np.log(answer_probability(answer, [labels[place[i]] for i in indices], epsilon))
        total += q * (log_p - np.log(q))
    return total
