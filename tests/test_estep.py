"""Table II, Eqs. (13) and (14), and the sweeps, each against enumeration."""

import numpy as np
import pytest
from brute_force import answer_probability, assignments, expected_log_joint_over_q, random_triplets
from hypothesis import given
from hypothesis import strategies as st

from dcrc_explore import Answer, Pairs, Triplets
from dcrc_explore.annotators import error_matrix, forced
from dcrc_explore.constraints import answer_columns
from dcrc_explore.model import estep
from dcrc_explore.model.em import log_alpha
from dcrc_explore.model.estep import AnswerGraph
from dcrc_explore.model.noise import SMALLEST, NoiseModel

seeds = st.integers(0, 2**32 - 1)


def memberships(rng, n_clusters, n_samples):
    return rng.dirichlet(np.ones(n_clusters), size=n_samples).T


@given(seeds, st.integers(2, 5), st.sampled_from(list(Answer)))
def test_table_ii_equals_enumeration_over_the_two_other_memberships(seed, n_clusters, answer):
    rng = np.random.default_rng(seed)
    graph = AnswerGraph(Triplets([(0, 1, 2)], [answer]))
    q = memberships(rng, n_clusters, 3)
    Q = q[:, graph.instances]
    table = np.zeros((n_clusters, 3))
    for labels in assignments(n_clusters, 3):
        consistent = answer_probability(answer, labels, epsilon=0.0)
        for place in range(3):
            others = [q[labels[other], other] for other in range(3) if other != place]
            table[labels[place], place] += consistent * np.prod(others)
    ours = graph.compatibilities(Q)[:, 0, :]
    # The graph keeps a "no" as the "yes" of the mirrored triplet: its columns follow the instances.
    for place, instance in enumerate(graph.members[0]):
        np.testing.assert_allclose(ours[:, place], table[:, graph.instances[instance]], atol=1e-12)


@given(seeds, st.integers(2, 4), st.integers(1, 40))
def test_compatibility_is_the_sum_over_an_instances_answers(seed, n_clusters, n_answers):
    rng = np.random.default_rng(seed)
    graph = AnswerGraph(random_triplets(rng, 12, n_answers))
    Q = memberships(rng, n_clusters, len(graph.instances))
    entries = graph.compatibilities(Q)
    F = graph.compatibility(Q)
    for i in range(len(graph.instances)):
        np.testing.assert_allclose(F[:, i], entries[:, graph.members == i].sum(axis=1))
    # Averaged over one member's q, each entry is the probability that the answer holds.
    for place in range(3):
        averaged = np.einsum("km,km->m", Q[:, graph.members[:, place]], entries[:, :, place])
        np.testing.assert_allclose(averaged, graph.satisfaction(Q), atol=1e-12)


@given(seeds, st.integers(2, 4), st.floats(0.001, 0.95))
def test_one_sweep_of_one_group_is_equation_13(seed, n_clusters, epsilon):
    rng = np.random.default_rng(seed)
    graph = AnswerGraph(random_triplets(rng, 10, 8))
    Q = memberships(rng, n_clusters, len(graph.instances))
    P = memberships(rng, n_clusters, len(graph.instances))
    first = graph._groups[0].members
    weights = (2 * (1 - epsilon) / epsilon) ** graph.compatibility(Q) * P
    expected = (weights / weights.sum(axis=0))[:, first]
    graph._groups = graph._groups[:1]
    graph.sweep(Q, np.log(P), log_alpha(epsilon))
    np.testing.assert_allclose(Q[:, first], expected, atol=1e-9)


@given(seeds, st.integers(2, 4))
def test_one_hard_sweep_of_one_group_is_equation_14(seed, n_clusters):
    rng = np.random.default_rng(seed)
    graph = AnswerGraph(random_triplets(rng, 10, 8))
    Q = np.eye(n_clusters)[:, rng.integers(n_clusters, size=len(graph.instances))]  # certain, so that ties happen
    P = memberships(rng, n_clusters, len(graph.instances))
    first = graph._groups[0].members
    F = graph.compatibility(Q)
    weights = np.where(np.isclose(F, F.max(axis=0)), P, 0.0)
    graph._groups = graph._groups[:1]
    graph.sweep(Q, np.log(P), np.inf)
    np.testing.assert_allclose(Q[:, first], (weights / weights.sum(axis=0))[:, first], atol=1e-9)


@given(seeds, st.integers(1, 60))
def test_instances_updated_together_share_no_triplet(seed, n_answers):
    graph = AnswerGraph(random_triplets(np.random.default_rng(seed), 15, n_answers))
    covered = []
    for group in graph._groups:
        together = set(range(group.members.start, group.members.stop))
        covered += sorted(together)
        assert all(len(together & set(triplet)) <= 1 for triplet in graph.members.tolist())
    assert covered == list(range(len(graph.instances)))


@given(seeds, st.sampled_from([0.01, 0.05, 0.3, 0.6]))
def test_every_sweep_raises_the_bound(seed, epsilon):
    rng = np.random.default_rng(seed)
    triplets = random_triplets(rng, 5, 6)
    graph = AnswerGraph(triplets)
    P = memberships(rng, 3, 5)
    Q = memberships(rng, 3, len(graph.instances))
    bounds = []
    for _ in range(5):
        q = P.copy()
        q[:, graph.instances] = Q
        bounds.append(expected_log_joint_over_q(triplets, P.T, q.T, epsilon))
        graph.sweep(Q, np.log(P[:, graph.instances]), log_alpha(epsilon))
    assert np.diff(bounds).min() > -1e-9


@given(seeds, st.sampled_from([0.0, 0.1, 0.5]))
def test_sweeps_end_when_all_but_a_share_of_the_instances_have_settled(seed, unsettled):
    rng = np.random.default_rng(seed)
    graph = AnswerGraph(random_triplets(rng, 30, 25))
    P = memberships(rng, 3, len(graph.instances))
    Q = graph.infer(P, np.log(P), log_alpha(0.05), max_sweeps=1000, tol=1e-3, unsettled=unsettled)
    last, changes = P.copy(), np.ones(len(graph.instances))
    for _ in range(1000):
        changes = graph.sweep(last, np.log(P), log_alpha(0.05))
        if np.mean(changes > 1e-3) <= unsettled:
            break
    np.testing.assert_array_equal(Q, last)
    assert np.mean(changes > 1e-3) <= unsettled


@given(seeds, st.integers(1, 60))
def test_wide_and_narrow_groups_are_summed_alike(seed, n_answers):
    rng = np.random.default_rng(seed)
    triplets = random_triplets(rng, 12, n_answers)
    results = []
    for wide in (0, 1000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(estep, "_WIDE", wide)
            graph = AnswerGraph(triplets)
        assert all(bool(group.layers) == (wide == 0) for group in graph._groups)
        Q = memberships(np.random.default_rng(seed), 3, len(graph.instances))
        F = np.concatenate([group.compatibility(Q) for group in graph._groups], axis=1)
        exact = graph.compatibility(Q)
        np.testing.assert_allclose(F - F[0], exact - exact[0], atol=1e-12)
        results.append(graph.instances)
    np.testing.assert_array_equal(*results)


@given(seeds, st.integers(1, 60))
def test_wide_and_narrow_groups_hear_weights_alike(seed, n_answers):
    rng = np.random.default_rng(seed)
    triplets = random_triplets(rng, 12, n_answers)
    Q, P = (memberships(rng, 3, len(triplets.constrained())) for _ in range(2))
    # Weights of 0 leave instances with fewer incidences than others that come after them.
    weights = rng.normal(size=(n_answers, 2)) * rng.integers(2, size=(n_answers, 2))
    swept = []
    for wide in (0, 1000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(estep, "_WIDE", wide)
            graph = AnswerGraph(triplets)
            graph.weigh(weights, np.empty(0))
        swept.append(Q.copy())
        graph.sweep(swept[-1], np.log(P), 1.0)
    np.testing.assert_allclose(*swept, atol=1e-12)


@given(seeds, st.sampled_from([1e-20, 1e-200]))
def test_answers_that_hardly_ever_err_overflow_nothing(seed, epsilon):
    rng = np.random.default_rng(seed)
    graph = AnswerGraph(random_triplets(rng, 6, 40))
    Q, P = (memberships(rng, 3, len(graph.instances)) for _ in range(2))
    graph.sweep(Q, np.log(P), log_alpha(epsilon))
    np.testing.assert_allclose(Q.sum(axis=0), 1.0)


@given(seeds)
def test_hard_sweeps_never_lower_the_expected_number_of_satisfied_answers(seed):
    rng = np.random.default_rng(seed)
    graph = AnswerGraph(random_triplets(rng, 20, 30))
    Q, P = (memberships(rng, 3, len(graph.instances)) for _ in range(2))
    satisfied = []
    for _ in range(8):
        satisfied.append(graph.satisfaction(Q).sum())
        graph.sweep(Q, np.log(P), np.inf)
    assert np.diff(satisfied).min() > -1e-6


@given(seeds)
def test_the_answer_no_is_yes_to_the_mirrored_question(seed):
    rng = np.random.default_rng(seed)
    triplets = random_triplets(rng, 9, 12)
    decided = triplets.answers != Answer.DNK
    indices = np.where(decided[:, None], triplets.indices[:, [0, 2, 1]], triplets.indices)
    mirrored = Triplets(indices, -triplets.answers)
    graphs = AnswerGraph(triplets), AnswerGraph(mirrored)
    P = memberships(rng, 3, 9)
    one, other = (
        graph.infer(P[:, graph.instances], np.log(P[:, graph.instances]), log_alpha(0.05), max_sweeps=50, tol=0)
        for graph in graphs
    )
    np.testing.assert_array_equal(graphs[0].instances, graphs[1].instances)
    np.testing.assert_allclose(one, other, atol=1e-12)


@given(seeds)
def test_epsilon_two_thirds_leaves_q_at_p(seed):
    rng = np.random.default_rng(seed)
    graph = AnswerGraph(random_triplets(rng, 9, 12))
    P = memberships(rng, 3, len(graph.instances))
    Q = graph.infer(memberships(rng, 3, len(graph.instances)), np.log(P), log_alpha(2 / 3), max_sweeps=1, tol=0)
    np.testing.assert_allclose(Q, P, atol=1e-12)


@given(seeds)
def test_epsilon_towards_zero_approaches_the_hard_update(seed):
    rng = np.random.default_rng(seed)
    graph = AnswerGraph(random_triplets(rng, 9, 6))
    # Certain and distinct memberships: compatibilities are whole numbers, so ties are exact.
    Q = np.eye(3)[:, rng.integers(3, size=len(graph.instances))]
    P = memberships(rng, 3, len(graph.instances))
    graph._groups = graph._groups[:1]
    soft, hard = Q.copy(), Q.copy()
    graph.sweep(soft, np.log(P), log_alpha(1e-14))
    graph.sweep(hard, np.log(P), log_alpha(0))
    np.testing.assert_allclose(soft, hard, atol=1e-6)


def test_no_answers_make_an_empty_graph():
    graph = AnswerGraph(Triplets())
    assert graph.instances.size == 0
    assert graph.satisfaction(np.empty((3, 0))).size == 0
    assert graph.sweep(np.empty((3, 0)), np.empty((3, 0)), 1.0).shape == (0,)


@pytest.mark.parametrize("answer", list(Answer))
def test_satisfaction_is_certain_for_certain_memberships(answer):
    labels = {Answer.YES: [0, 0, 1], Answer.NO: [0, 1, 0], Answer.DNK: [0, 1, 2]}[answer]
    graph = AnswerGraph(Triplets([(0, 1, 2)], [answer]))
    Q = np.eye(3)[:, labels][:, graph.instances]
    assert graph.satisfaction(Q).tolist() == [1.0]


def a_mixed_graph(rng, n_clusters):
    """Triplets, pairs, weights by which each is weights, and memberships of the 7 instances."""
    triplets = random_triplets(rng, 7, 6)
    pairs = np.array([rng.choice(7, 2, replace=False) for _ in range(5)])
    graph = AnswerGraph(triplets, pairs, rng.random(5) < 0.5)
    Q = memberships(rng, n_clusters, len(graph.instances))
    P = memberships(rng, n_clusters, len(graph.instances))
    return triplets, pairs, graph, Q, P


def enumerated_update(graph, triplets, pairs, Q, P, i, log_p_triplets, log_p_pairs):
    """q(y_i) that maximises the bound with all others fixed: P(y_i) exp E[log P(answers | y)]."""
    place = {int(row): n for n, row in enumerate(graph.instances)}
    F = np.zeros(len(Q))
    for k in range(len(Q)):
        fixed = Q.copy()
        fixed[:, i] = np.eye(len(Q))[k]
        for labels in assignments(len(Q), 3):
            for t, (indices, _) in enumerate(triplets):
                members = [place[row] for row in indices]
                implied = [1, -1, 0].index(implied_answer(labels))
                F[k] += (
                    np.prod([fixed[y, m] for y, m in zip(labels, members, strict=True)]) * log_p_triplets[t, implied]
                )
        for t, (a, b) in enumerate(pairs):
            together = fixed[:, place[int(a)]] @ fixed[:, place[int(b)]]
            F[k] += together * log_p_pairs[t, 0] + (1 - together) * log_p_pairs[t, 1]
    new = P[:, i] * np.exp(F - F.max())
    return new / new.sum()


def implied_answer(labels):
    first, second, third = labels
    return 1 if first == second != third else -1 if first == third != second else 0


@given(seeds, st.integers(2, 3))
def test_answers_with_weights_of_their_own_and_pairs_update_as_enumeration_says(seed, n_clusters):
    rng = np.random.default_rng(seed)
    triplets, pairs, graph, Q, P = a_mixed_graph(rng, n_clusters)
    log_p = np.log(rng.dirichlet(np.ones(3), size=len(triplets)))  # log P(given | implied yes, no, dnk)
    log_pairs = np.log(rng.dirichlet(np.ones(2), size=len(pairs)))  # log P(given | together, apart)
    weights = log_p[:, :2] - log_p[:, 2:]
    no = triplets.answers == Answer.NO
    weights[no] = weights[no][:, ::-1]
    graph.weigh(weights, log_pairs[:, 0] - log_pairs[:, 1])
    first = graph._groups[0].members
    expected = np.column_stack(
        [enumerated_update(graph, triplets, pairs, Q, P, i, log_p, log_pairs) for i in range(first.start, first.stop)]
    )
    graph._groups = graph._groups[:1]
    updated = Q.copy()
    graph.sweep(updated, np.log(P), 1.0)
    np.testing.assert_allclose(updated[:, first], expected, atol=1e-10)


@given(seeds, st.integers(2, 3), st.floats(0, 0.5))
def test_forced_choices_update_as_enumeration_says(seed, n_clusters, epsilon):
    rng = np.random.default_rng(seed)
    rows = np.array([rng.choice(8, 3, replace=False) for _ in range(6)])
    triplets = Triplets(rows, rng.choice([1, -1], size=6))
    graph = AnswerGraph(triplets)
    Q, P = (memberships(rng, n_clusters, len(graph.instances)) for _ in range(2))
    people = np.zeros(6, dtype=np.int64)
    matrix = forced(error_matrix(epsilon))
    noise = NoiseModel.of(triplets, Pairs(), people, ("",), matrix, epsilon, is_learned=False)
    graph.weigh(*noise.weights())
    # What is impossible has the smallest probability instead.
    chances = np.maximum(matrix, SMALLEST)
    chances /= chances.sum(axis=1, keepdims=True)
    log_p = np.log(chances[:, answer_columns(triplets.answers)]).T
    first = graph._groups[0].members
    expected = np.column_stack(
        [enumerated_update(graph, triplets, (), Q, P, i, log_p, ()) for i in range(first.start, first.stop)]
    )
    graph._groups = graph._groups[:1]
    updated = Q.copy()
    graph.sweep(updated, np.log(P), 1.0)
    np.testing.assert_allclose(updated[:, first], expected, atol=1e-10)


@given(seeds, st.integers(2, 4))
def test_pairs_and_triplets_are_satisfied_with_the_probability_that_enumeration_gives(seed, n_clusters):
    rng = np.random.default_rng(seed)
    triplets, pairs, graph, Q, _ = a_mixed_graph(rng, n_clusters)
    place = {int(row): n for n, row in enumerate(graph.instances)}
    implied = np.zeros((len(triplets), 3))
    for t, (indices, _) in enumerate(triplets):
        for labels in assignments(n_clusters, 3):
            weight = np.prod([Q[y, place[row]] for y, row in zip(labels, indices, strict=True)])
            implied[t, [1, -1, 0].index(implied_answer(labels))] += weight
    np.testing.assert_allclose(graph.implied(Q), implied, atol=1e-12)
    together = np.array([Q[:, place[int(a)]] @ Q[:, place[int(b)]] for a, b in pairs])
    given = np.array([[1, -1, 0].index(answer) for _, answer in triplets])
    np.testing.assert_allclose(
        graph.satisfaction(Q),
        [*implied[np.arange(len(given)), given], *np.where(graph.together, together, 1 - together)],
        atol=1e-12,
    )


def test_hard_pairs_hold_where_they_can():
    graph = AnswerGraph(Triplets(), np.array([(0, 1), (1, 2)]), np.array([True, False]))
    P = np.array([[0.9, 0.4, 0.8], [0.1, 0.6, 0.2]])[:, graph.instances]
    Q = graph.infer(P, np.log(P), np.inf, max_sweeps=50, tol=1e-9)
    np.testing.assert_allclose(graph.satisfaction(Q), 1.0)
