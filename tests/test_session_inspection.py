"""Why a session's model does what it does: explanations, planted errors, the sweep in the background."""

import queue
import threading

import numpy as np
import pytest

from dcrc_explore import DCRC
from dcrc_explore.inspection import EPSILONS, epsilon_sweep
from dcrc_explore.session import Session, SessionError, explain_point, find_errors, known_errors, plant, sweep_epsilon
from dcrc_explore.session.inspection import doubts


def a_session(n_answers=40, data="close", **options) -> Session:
    session = Session(data, autosave=None, **options)
    if n_answers:
        session.answer_by_oracle(n_answers, strategy="random")
    return session


def _model(session) -> DCRC:
    return DCRC(**session.settings.model_parameters())


class TestExplanation:
    @pytest.mark.parametrize("settings", [{}, {"epsilon": 0}, {"use_dnk": False}, {"kernel": "rbf"}])
    def test_it_ends_in_the_q_of_the_fit(self, settings):
        session = a_session(**settings)
        for point in range(0, 150, 7):
            why = explain_point(session, point)
            np.testing.assert_allclose(why.q, session.fit.posterior[point], atol=1e-4)
            of_point = [t for t, given in enumerate(session.log) if point in given.points]
            if settings != {"use_dnk": False}:
                assert [part.index for part in why.contributions] == of_point

    def test_it_can_be_about_an_iteration(self):
        session = a_session()
        np.testing.assert_array_equal(explain_point(session, 3, 0).proba, session.model.trace.replay(0).proba[3])

    def test_a_point_that_is_not_there(self):
        with pytest.raises(SessionError, match="between 0 and 149, got 150"):
            explain_point(a_session(0), 150)


class TestPlantedErrors:
    def test_planting_is_one_step_that_remembers_what_it_did(self):
        session = a_session()
        before = session.log.triplets
        plant(session, 6, seed=1)
        np.testing.assert_array_equal(session.log.triplets.answers != before.answers, known_errors(session))
        assert known_errors(session).sum() == 6
        session.undo()
        assert session.log.triplets == before
        assert not known_errors(session).any()
        session.redo()
        assert known_errors(session).sum() == 6

    def test_more_can_be_planted_among_the_rest(self):
        session = a_session(10)
        plant(session, 4)
        plant(session, 6)
        assert known_errors(session).all()
        with pytest.raises(SessionError, match="between 1 and the number of right answers, 0, got 1"):
            plant(session, 1)
        assert len(session.log) == 10

    def test_what_is_planted_survives_saving(self, tmp_path):
        session = a_session(12)
        plant(session, 3)
        restored = Session.load(session.save(tmp_path / "planted.json"), autosave=False)
        np.testing.assert_array_equal(known_errors(restored), known_errors(session))

    def test_an_answer_put_right_is_no_error_any_more(self):
        session = a_session(12)
        plant(session, 1)
        (index,) = np.flatnonzero(known_errors(session)).tolist()
        session.flip(index, "dnk")
        assert not known_errors(session).any()

    def test_errors_of_a_noisy_oracle_are_known_where_the_truth_is(self):
        session = a_session(0)
        session.answer_by_oracle(200, strategy="random", oracle="noisy", epsilon=0.3)
        assert 30 < known_errors(session).sum() < 90
        session.answer((0, 1, 60), "no")  # the user may be wrong as well, but nobody knows
        assert not known_errors(session)[-1]

    def test_errors_are_ranked_by_disbelief(self):
        session = a_session(100, "far", epsilon=0.15)
        plant(session, 8)
        found = find_errors(session)
        assert (np.diff(doubts(session)[found.order]) <= 0).all()
        assert found.n_errors == 8
        assert found.found >= 4  # 0.6 by chance

    def test_a_hard_model_ranks_too(self):
        session = a_session(60, "far", epsilon=0)
        plant(session, 5)
        assert np.isfinite(doubts(session)).all()
        assert sorted(find_errors(session).order.tolist()) == list(range(60))

    def test_no_answers(self):
        found = find_errors(a_session(0))
        assert (len(found.order), found.n_errors) == (0, 0)


class TestSweep:
    def test_without_a_background_it_is_done_at_once(self):
        session = a_session(20)
        told = []
        sweep = sweep_epsilon(session, lambda: told.append(len(sweep.results)), epsilons=(0, 0.1))
        assert not sweep.current
        sweep.start()
        expected = list(
            epsilon_sweep(
                _model(session),
                session.dataset.X,
                session.log.triplets,
                session.dataset.y,
                epsilons=(0, 0.1),
            )
        )
        np.testing.assert_allclose(sweep.results, expected, rtol=1e-9)
        assert not sweep.running
        assert told[:2] == [1, 2]
        assert sweep.current

    def test_it_is_about_the_state_in_which_it_began(self):
        session = a_session(20)
        sweep = sweep_epsilon(session, epsilons=(0,))
        sweep.start()
        session.set(epsilon=0.2)
        assert sweep.current  # the sweep is over epsilon
        session.set(tau=0.5)
        assert not sweep.current
        session.undo()
        assert sweep.current
        session.answer((0, 1, 2), "yes")
        assert not sweep.current

    def test_it_uses_the_kernel(self):
        session = a_session(10, "rings", kernel="rbf")
        sweep = sweep_epsilon(session, epsilons=(0.05,))
        sweep.start()
        (expected,) = epsilon_sweep(
            _model(session), session.dataset.X, session.log.triplets, session.dataset.y, epsilons=(0.05,)
        )
        (point,) = sweep.results
        assert point == pytest.approx(expected)

    def test_unknown_truth(self):
        session = Session(np.random.default_rng(0).normal(size=(20, 2)), autosave=None)
        sweep = sweep_epsilon(session, epsilons=(0.05,))
        sweep.start()
        assert sweep.results[0].agreement is None

    def test_in_the_background_results_come_one_by_one_while_answers_go_on(self):
        waiting: queue.Queue = queue.Queue()
        session = a_session(20, background=waiting.put)
        sweep = sweep_epsilon(session)
        sweep.start()
        assert sweep.running
        session.answer((0, 1, 2), "yes")  # does not wait for the sweep
        counts = [0]
        while sweep.running or session.model.busy:
            waiting.get(timeout=60)()  # of the sweep, or of a fit that took long
            counts.append(len(sweep.results))
        assert set(np.diff(counts).tolist()) <= {0, 1}
        assert counts[-1] == len(EPSILONS)
        assert len(session.fit.log.triplets) == 21

    def test_cancelling_keeps_what_is_known_and_ends_the_thread(self):
        waiting: queue.Queue = queue.Queue()
        session = a_session(20, background=waiting.put)
        session.model.wait()  # no other fit is under way
        before = set(threading.enumerate())
        sweep = sweep_epsilon(session)
        sweep.start()
        threads = set(threading.enumerate()) - before  # none, should it be through already
        while not sweep.results:
            waiting.get(timeout=60)()
        sweep.cancel()
        assert not sweep.running
        for thread in threads:
            thread.join(timeout=60)
            assert not thread.is_alive()
        while not waiting.empty():
            waiting.get()()
        assert len(sweep.results) == 1
        sweep.start()  # again
        while sweep.running:
            waiting.get(timeout=60)()
        assert len(sweep.results) == len(EPSILONS)

    def test_what_goes_wrong_is_told(self):
        sweep = sweep_epsilon(a_session(5), epsilons=(0.05, -1))
        sweep.start()
        assert "epsilon" in sweep.error
        assert len(sweep.results) == 1
        assert not sweep.running
