"""Why a model does what it does: the numbers behind the views."""

import numpy as np
import pytest
from brute_force import answer_probability, assignments
from hypothesis import given
from hypothesis import strategies as st

from dcrc_explore import DCRC, Answer, Triplets
from dcrc_explore.annotators import truth
from dcrc_explore.constraints import implied_answers
from dcrc_explore.datasets import make_dataset
from dcrc_explore.inspection import EPSILONS, compare, disbelief, epsilon_sweep, explain, plant_errors, recovery
from dcrc_explore.questions import random_triplets

seeds = st.integers(0, 2**32 - 1)


@pytest.fixture(scope="module")
def explored():
    data = make_dataset("close")
    indices = random_triplets(len(data.X), 60, seed=0)
    return data, Triplets(indices, truth(data.y).answer(indices))


def fitted(explored, **parameters):
    data, triplets = explored
    return DCRC(random_state=0, **parameters).fit(data.X, triplets=triplets)


class TestComparison:
    def test_a_model_agrees_with_itself_under_other_cluster_numbers(self, explored):
        data, triplets = explored
        P = fitted(explored).predict_proba(data.X)
        both = compare(P, P[:, [2, 0, 1]], triplets)
        assert not both.changed.any()
        assert both.disputes == []
        np.testing.assert_allclose(both.first, both.second)
        np.testing.assert_allclose(both.entropy_difference, 0, atol=1e-12)

    def test_disputes_are_the_answers_that_exactly_one_model_satisfies(self, explored):
        data, triplets = explored
        wrong, _ = plant_errors(triplets, 15, seed=0)
        models = [
            DCRC(epsilon=epsilon, random_state=0).fit(data.X, triplets=wrong).predict_proba(data.X)
            for epsilon in (0.05, 0)
        ]
        both = compare(*models, wrong)
        implied = [implied_answers(labels, wrong.indices) for labels in both.labels]
        expected = [t for t in range(60) if (implied[0][t] == wrong.answers[t]) != (implied[1][t] == wrong.answers[t])]
        assert [dispute.index for dispute in both.disputes] == expected
        for dispute in both.disputes:
            assert (dispute.points, dispute.given) == wrong[dispute.index]
            assert dispute.implied == (implied[0][dispute.index], implied[1][dispute.index])

    def test_models_with_different_numbers_of_clusters(self, explored):
        data, triplets = explored
        two, four = (fitted(explored, n_clusters=K).predict_proba(data.X) for K in (2, 4))
        for one, other in ((two, four), (four, two)):
            both = compare(one, other, triplets)
            np.testing.assert_allclose(both.second.sum(axis=1), 1)
            assert both.changed.shape == (len(data.X),)

    def test_models_of_different_points_are_refused(self):
        with pytest.raises(ValueError, match=r"got \(3, 2\) and \(4, 2\)"):
            compare(np.ones((3, 2)), np.ones((4, 2)))


class TestExplanation:
    @pytest.mark.parametrize(
        "parameters", [{}, {"epsilon": 0}, {"epsilon": 0.3}, {"use_dnk": False}, {"kernel": "rbf"}]
    )
    def test_the_broken_down_q_is_the_models_q(self, explored, parameters):
        data, triplets = explored
        model = fitted(explored, **parameters)
        P = model.predict_proba(data.X)
        known = {name: parameters[name] for name in ("epsilon", "use_dnk") if name in parameters}
        for point in range(len(data.X)):
            why = explain(point, P, model.posterior_, triplets, **({"epsilon": 0.05} | known))
            np.testing.assert_allclose(why.q, model.posterior_[point], atol=1e-4)

    @given(seeds, st.sampled_from(list(Answer)), st.integers(0, 2))
    def test_a_contribution_is_table_ii_by_enumeration(self, seed, answer, place):
        rng = np.random.default_rng(seed)
        Q = rng.dirichlet(np.ones(3), size=3)
        why = explain(place, Q, Q, Triplets([(0, 1, 2)], [answer]), epsilon=0.1)
        expected = np.zeros(3)
        for labels in assignments(3, 3):
            others = np.prod([Q[i, labels[i]] for i in range(3) if i != place])
            expected[labels[place]] += others * answer_probability(answer, labels, epsilon=0)
        (contribution,) = why.contributions
        np.testing.assert_allclose(contribution.values, expected, atol=1e-12)
        assert (contribution.index, contribution.answer, contribution.place) == (0, answer, place + 1)

    def test_a_point_without_answers_has_q_equal_to_p(self, explored):
        P = np.full((4, 2), 0.5)
        why = explain(3, P, P, Triplets([(0, 1, 2)], ["yes"]), epsilon=0.05)
        assert why.contributions == []
        np.testing.assert_array_equal(why.compatibility, [0, 0])
        np.testing.assert_array_equal(why.q, [0.5, 0.5])

    def test_hard_answers_name_the_max_compatible_set(self):
        P = np.array([[0.2, 0.3, 0.5], [1, 0, 0], [0, 1, 0]])
        why = explain(0, P, P, Triplets([(0, 1, 2)], ["dnk"]), epsilon=0)
        assert why.max_compatible.tolist() == [2]
        assert np.isinf(why.alpha)
        np.testing.assert_array_equal(why.q, [0, 0, 1])

    def test_an_unknown_point_is_refused(self):
        with pytest.raises(ValueError, match="between 0 and 2, got 3"):
            explain(3, np.ones((3, 2)), np.ones((3, 2)), Triplets(), epsilon=0.1)


class TestSweep:
    def test_it_goes_from_hard_to_ignored_through_the_papers_values(self):
        assert (EPSILONS[0], EPSILONS[-1]) == (0, 2 / 3)
        assert {0.05, 0.15} <= set(EPSILONS)
        assert list(EPSILONS) == sorted(EPSILONS)

    def test_each_point_is_a_fit_with_that_epsilon(self, explored):
        data, triplets = explored
        model = DCRC(random_state=0, warm_start=True)
        for point in epsilon_sweep(model, data.X, triplets, data.y, epsilons=[0, 0.1]):
            same = fitted(explored, epsilon=point.epsilon)
            implied = implied_answers(same.labels_, triplets.indices)
            assert point.satisfied == pytest.approx(np.mean(implied == triplets.answers))
            assert point.entropy == pytest.approx(same.entropy(data.X).mean())
            assert point.n_iter == same.n_iter_
            assert -1 < point.agreement <= 1
        assert not hasattr(model, "coef_")

    def test_it_computes_only_what_is_asked_for(self, explored):
        data, triplets = explored
        asked = []
        points = epsilon_sweep(
            DCRC(random_state=0), data.X, triplets, epsilons=(asked.append(e) or e for e in EPSILONS)
        )
        assert next(points).agreement is None
        points.close()
        assert asked == [0.0]


class TestPlantedErrors:
    @given(seeds, st.integers(0, 30))
    def test_exactly_the_planted_answers_are_wrong(self, seed, n_errors):
        right = Triplets([(0, 1, 2)] * 30, ([1, -1, 0] * 10))
        wrong, planted = plant_errors(right, n_errors, seed)
        assert planted.sum() == n_errors
        np.testing.assert_array_equal(wrong.answers != right.answers, planted)
        np.testing.assert_array_equal(wrong.indices, right.indices)

    def test_both_wrong_answers_are_equally_likely(self):
        right = Triplets([(0, 1, 2)] * 6000, [1] * 6000)
        wrong, _ = plant_errors(right, 6000, seed=0)
        assert abs(np.mean(wrong.answers == 0) - 0.5) < 0.03

    def test_a_model_disbelieves_planted_errors_more_than_chance(self):
        found = []
        data = make_dataset("far")
        for seed in range(5):
            indices = random_triplets(len(data.X), 150, seed=seed)
            wrong, planted = plant_errors(Triplets(indices, truth(data.y).answer(indices)), 15, seed)
            model = DCRC(epsilon=0.15, random_state=0).fit(data.X, triplets=wrong)
            result = recovery(disbelief(model.predict_proba(data.X), wrong, epsilon=0.15), planted)
            found.append(result.found)
        assert np.mean(found) > 12  # of 15; 1.5 by chance

    def test_precision_and_recall_by_hand(self):
        result = recovery([3.0, 1.0, 2.0, 0.0], [True, False, False, True])
        assert result.order.tolist() == [0, 2, 1, 3]
        np.testing.assert_allclose(result.precision, [1, 1 / 2, 1 / 3, 2 / 4])
        np.testing.assert_allclose(result.recall, [1 / 2, 1 / 2, 1 / 2, 1])
        assert (result.n_errors, result.found) == (2, 1)

    def test_nothing_planted(self):
        result = recovery([1.0, 2.0], [False, False])
        assert (result.n_errors, result.found) == (0, 0)
        np.testing.assert_array_equal(result.recall, 1)

    @pytest.mark.parametrize("n_errors", [-1, 3])
    def test_too_many_errors(self, n_errors):
        with pytest.raises(ValueError, match=f"between 0 and the number of answers, 2, got {n_errors}"):
            plant_errors(Triplets([(0, 1, 2)] * 2, [1, 1]), n_errors)
