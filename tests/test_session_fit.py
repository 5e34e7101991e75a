"""Fits of a session: the estimator's own, with cluster numbers that stay, replayed, and never queued up."""

import queue
from itertools import permutations
from threading import Event, Thread

import numpy as np
import pytest
from scipy.special import entr

from dcrc_explore import DCRC
from dcrc_explore.constraints import implied_answers
from dcrc_explore.datasets import make_dataset
from dcrc_explore.metrics import align_clusters
from dcrc_explore.model.em import Problem
from dcrc_explore.plane import grid_points
from dcrc_explore.session import Change, Session, SessionError, fitted, sweep_epsilon

SMALL = {"n_per_cluster": 10}


def small_session(data="close", **options) -> Session:
    return Session(data, parameters=SMALL, autosave=None, **options)


def estimator(session: Session, **options) -> DCRC:
    """The same fit from the initialisation, without a session."""
    model = DCRC(**session.settings.model_parameters(), **options)
    return model.fit(session.dataset.X, triplets=session.log.triplets)


# The model


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"epsilon": 0},
        {"balance": False, "use_dnk": False},
        {"kernel": "rbf"},
        {"kernel": "rbf", "gamma": 2.0},
        {"kernel": "poly"},
    ],
)
def test_a_fit_from_the_initialisation_is_that_of_the_estimator(settings):
    session = small_session(restart=True, **settings)
    session.answer_by_oracle(30, strategy="random")
    model = estimator(session)
    numbers = align_clusters(session.fit.labels, model.predict_proba(session.dataset.X))
    np.testing.assert_array_equal(numbers[model.labels_], session.fit.labels)
    order = np.argsort(numbers)
    np.testing.assert_allclose(session.fit.proba, model.predict_proba(session.dataset.X)[:, order], atol=1e-9)
    np.testing.assert_allclose(session.fit.posterior, model.posterior_[:, order], atol=1e-9)
    assert session.model.trace.objective.bound[-1] == pytest.approx(model.lower_bound_)
    assert session.model.trace.objective.converged == model.converged_


@pytest.mark.parametrize(
    ("parameters", "settings"),
    [
        (SMALL, {}),
        (SMALL, {"kernel": "rbf"}),
        (SMALL, {"kernel": "poly", "gamma": 0.7}),
        ({"n_per_cluster": 300}, {"kernel": "rbf"}),  # by Nystroem
        ({"n_per_cluster": 300}, {"kernel": "poly"}),
    ],
)
def test_the_surface_shows_the_model_between_the_points(parameters, settings):
    session = Session("moons", parameters=parameters, autosave=None, restart=True, **settings)
    session.answer_by_oracle(30, strategy="random")
    model = estimator(session)
    order = np.argsort(align_clusters(session.fit.labels, model.predict_proba(session.dataset.X)))
    P = model.predict_proba(grid_points(session.state.subject.extent, 20))[:, order].T
    surface = session.fit.surface(20)
    assert np.abs(surface.proba.reshape(2, -1) - 255 * P).max() <= 0.5 + 1e-4
    assert np.abs(surface.entropy.ravel() - 255 * entr(P).sum(axis=0) / np.log(2)).max() <= 0.5 + 1e-4
    assert np.abs(surface.margin.ravel() - 255 * np.abs(P[0] - P[1])).max() <= 0.5 + 1e-4
    decided = np.abs(P[0] - P[1]) > 1e-6
    np.testing.assert_array_equal(surface.regions.ravel()[decided], P.argmax(axis=0)[decided])
    assert session.fit.surface(20) is surface


def test_more_than_two_features_are_drawn_by_their_principal_components_without_a_surface():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 5)) * [5, 3, 1, 1, 1]
    session = Session(X, autosave=None)
    assert session.state.subject.is_projected
    assert session.fit.surface() is None
    assert session.state.subject.points.shape == (50, 2)
    np.testing.assert_allclose(session.state.subject.points.var(axis=0).sum(), X.var(axis=0).sum(), rtol=0.3)
    assert session.fit.entropy.shape == (50,)
    assert 0 <= session.fit.entropy.min() <= session.fit.entropy.max() <= np.log2(3)


def test_one_feature_is_drawn_on_a_line():
    session = Session([[0.0], [1.0], [5.0], [6.0]], autosave=None, n_clusters=2)
    np.testing.assert_array_equal(session.state.subject.points, [[0, 0], [1, 0], [5, 0], [6, 0]])
    assert session.fit.surface() is None


def test_the_picture_frames_all_points_and_stays():
    session = small_session()
    xmin, xmax, ymin, ymax = session.state.subject.extent
    x, y = session.state.subject.points.T
    assert xmin < x.min() < x.max() < xmax
    assert ymin < y.min() < y.max() < ymax
    session.answer_by_oracle(5, strategy="random")
    session.set(kernel="rbf")
    assert session.state.subject.extent == (xmin, xmax, ymin, ymax)


def test_what_the_panels_show_agrees_with_the_labels():
    session = small_session()
    session.answer_by_oracle(40, oracle="noisy", epsilon=0.4, strategy="random")
    fit, triplets = session.fit, session.log.triplets
    np.testing.assert_array_equal(fit.violated, implied_answers(fit.labels, triplets.indices) != triplets.answers)
    assert fit.answer_table.sum() == 40
    assert np.trace(fit.answer_table) == 40 - fit.violated.sum()
    np.testing.assert_allclose(fit.shares, np.bincount(fit.labels, minlength=3) / len(fit.labels))


# Colours


def test_a_restart_from_another_seed_keeps_the_colours():
    session = small_session(restart=True)
    for seed in range(1, 8):
        before = session.fit.labels
        session.set(random_state=seed)
        overlap = np.mean(before == session.fit.labels)
        renamed = align_clusters(before, np.eye(3)[session.fit.labels])[session.fit.labels]
        assert overlap == np.mean(before == renamed) > 0.5


@pytest.mark.parametrize(("before", "after"), [(3, 4), (4, 3), (2, 5)])
def test_clusters_that_stay_keep_their_colours_when_their_number_changes(before, after):
    session = Session(make_dataset("far", n_per_cluster=10, n_clusters=before), autosave=None)
    labels = session.fit.labels
    session.set(n_clusters=after)
    new = session.fit.labels
    assert new.max() < after
    best = max(np.mean(labels == np.array(numbers)[new]) for numbers in permutations(range(after)))
    assert np.mean(labels == new) == best


def test_colours_survive_kernel_changes_and_replay():
    session = small_session("far")
    labels = session.fit.labels
    session.set(kernel="rbf")
    np.testing.assert_array_equal(session.fit.labels, labels)
    session.set(random_state=5)
    np.testing.assert_array_equal(session.fit.labels, labels)
    np.testing.assert_array_equal(session.model.trace.replay(0).labels, labels)


# Where a fit begins


def test_a_fit_goes_on_from_the_last_one_unless_told_to_restart():
    session = small_session()
    session.answer_by_oracle(30, strategy="random")
    before = session.fit.weights
    session.answer_by_oracle(1, strategy="random")
    np.testing.assert_array_equal(session.model.trace.replay(0).weights.coef, before.coef)
    session.refit()
    start = estimator(session, max_iter=0)
    numbers = align_clusters(session.model.trace.replay(0).proba, start.predict_proba(session.dataset.X))
    np.testing.assert_allclose(session.model.trace.replay(0).weights.coef[numbers], start.coef_, atol=1e-9)


def test_restarting_always_makes_the_way_there_irrelevant():
    sessions = small_session(restart=True), small_session(restart=True)
    sessions[0].answer_by_oracle(40, strategy="random")
    triplets = sessions[0].log.triplets
    for part in (slice(0, 10), slice(10, 25), slice(25, 40)):
        sessions[1].add(triplets.indices[part], triplets.answers[part])
    np.testing.assert_array_equal(sessions[0].fit.labels, sessions[1].fit.labels)


# Replay


@pytest.mark.parametrize("settings", [{}, {"epsilon": 0}, {"balance": False}, {"kernel": "rbf"}])
def test_replay_runs_from_the_start_to_the_fit(settings):
    session = small_session(restart=True, **settings)
    session.answer_by_oracle(40, oracle="noisy", epsilon=0.2, strategy="random")
    objective = session.model.trace.objective
    assert len(objective) > 1
    assert all(len(curve) == len(objective) for curve in objective.terms().values())
    np.testing.assert_array_equal(session.model.trace.replay(len(objective) - 1).labels, session.fit.labels)
    np.testing.assert_allclose(sum(list(objective.terms().values())[1:]), objective.bound)


def test_the_bound_never_falls_once_tau_is_full_and_is_always_given_for_the_settings():
    softened = 0
    for data in ("close", "far", "unbalanced", "two-ways"):
        session = Session(data, autosave=None, restart=True, weighting="paper")
        session.answer_by_oracle(20, strategy="random")
        objective, settings = session.model.trace.objective, session.settings
        softened += objective.softened
        assert objective.softened < len(objective)
        assert np.diff(objective.bound[objective.softened :], prepend=-np.inf).min() > -1e-9
        names = ("epsilon", "tau", "lam", "balance", "weighting")
        parameters = {name: getattr(settings, name) for name in names}
        problem = Problem(session.dataset.X, session.log.triplets, settings.n_clusters, **parameters)
        for iteration in range(len(objective)):
            fit = session.model.trace.replay(iteration)
            W = np.column_stack([fit.weights.coef, fit.weights.intercept])
            bound = problem.bound(W, fit.posterior[problem.graph.instances].T.copy(), problem.factors)
            for name, curve in objective.terms().items():
                expected = bound.total if name == "bound" else getattr(bound, name)
                assert curve[iteration] == pytest.approx(expected, abs=1e-9), (data, iteration, name)
    assert softened > 0  # or nothing was tested


# The latest request wins


class Impatient(Session):
    """Every fit goes to the thread."""

    patience = 0.0


def impatient_session() -> tuple[Session, queue.Queue, list[Change]]:
    deliveries: queue.Queue = queue.Queue()
    session = Impatient("close", parameters=SMALL, autosave=None, background=deliveries.put)
    changes: list[Change] = []
    session.observe(lambda event: changes.append(event.changed))
    while not deliveries.empty():  # the first fit was waited for
        deliveries.get()()
    return session, deliveries, changes


def test_a_long_fit_goes_on_in_the_background_and_is_taken_over_by_the_caller():
    session, deliveries, changes = impatient_session()
    old = session.fit
    session.answer((0, 1, 2), "yes")
    assert session.model.busy
    assert session.fit is old
    assert len(session.log) == 1
    deliveries.get(timeout=60)()
    assert not session.model.busy
    assert len(session.fit.log.triplets) == 1
    assert changes == [Change.ANSWERS | Change.BUSY, Change.FIT | Change.BUSY]


def test_only_the_latest_of_many_requests_is_fitted_to_its_end():
    session, deliveries, changes = impatient_session()
    for n in range(20):
        session.answer((n, n + 1, n + 2), "dnk")
    while session.model.busy:
        deliveries.get(timeout=60)()
    assert len(session.fit.log.triplets) == 20
    assert changes.count(Change.FIT | Change.BUSY) == sum(Change.FIT in change for change in changes) == 1
    alone = small_session()
    alone.add(session.log.triplets.indices, session.log.triplets.answers)
    np.testing.assert_array_equal(session.fit.labels, alone.fit.labels)


def test_waiting_brings_the_result_and_a_late_delivery_does_no_harm():
    session, deliveries, changes = impatient_session()
    session.answer((0, 1, 2), "yes")
    session.model.wait()
    assert not session.model.busy
    assert len(session.fit.log.triplets) == 1
    session.answer((3, 4, 5), "yes")
    deliveries.get(timeout=60)()  # of the first fit
    session.model.wait()
    assert len(session.fit.log.triplets) == 2
    assert changes.count(Change.FIT | Change.BUSY) == 2


def test_other_data_are_never_shown_with_an_old_model():
    session, _, _ = impatient_session()
    session.answer((0, 1, 2), "yes")
    session.set_data("moons", parameters=SMALL)
    assert len(session.fit.labels) == len(session.dataset.X) == 20
    session.undo()
    assert len(session.fit.labels) == len(session.dataset.X) == 30


class Waiting:
    """Lets the iterations of every fit wait, after the first, until they may go on."""

    def __init__(self, monkeypatch) -> None:
        self.may_go_on = Event()
        iterate = DCRC.iterate

        def wait(model, *args, **options):
            steps = iterate(model, *args, **options)
            yield next(steps)
            self.may_go_on.wait(timeout=60)
            yield from steps

        monkeypatch.setattr(DCRC, "iterate", wait)
        monkeypatch.setattr(fitted, "_PATIENCE", 0.01)


def test_a_first_model_of_other_data_is_shown_while_their_fit_goes_on(monkeypatch):
    session, deliveries, changes = impatient_session()
    session.model.wait()
    waiting = Waiting(monkeypatch)
    session.set_data("moons", parameters=SMALL)
    assert session.model.busy
    assert len(session.fit.labels) == len(session.dataset.X) == 20
    assert len(session.model.trace.objective) == 1
    assert session.model.story == "The model is being fitted."
    waiting.may_go_on.set()
    while session.model.busy:
        deliveries.get(timeout=60)()
    assert len(session.model.trace.objective) > 1
    assert session.model.trace.objective.converged
    assert session.model.story == ""  # nothing but the data has changed
    assert len(session.model.moved) == 0
    assert changes == [
        Change.DATA | Change.ANSWERS | Change.SETTINGS | Change.FIT | Change.BUSY,
        Change.FIT | Change.BUSY,
    ]


def test_the_fit_that_belongs_to_other_data_can_be_ended_early(monkeypatch):
    session, deliveries, _ = impatient_session()
    waiting = Waiting(monkeypatch)
    session.set_data("moons", parameters=SMALL)
    session.model.progress.stop()
    waiting.may_go_on.set()
    while session.model.busy:
        deliveries.get(timeout=60)()
    assert len(session.model.trace.objective) == 2
    assert not session.model.trace.objective.converged
    session.answer((0, 1, 2), "yes")
    session.model.wait()
    assert session.model.trace.objective.converged


def test_an_interrupt_while_other_data_are_fitted_leaves_all_as_it_was(monkeypatch):
    session, deliveries, _ = impatient_session()
    before, labels = session.state, session.fit.labels
    waiting = Waiting(monkeypatch)

    def interrupt(*args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Thread, "join", interrupt)
        with pytest.raises(KeyboardInterrupt):
            session.set_data("moons", parameters=SMALL)
    assert not session.model.busy  # nobody waits for the fit that still is in its iteration
    waiting.may_go_on.set()
    deliveries.get(timeout=60)()
    assert session.state is before
    np.testing.assert_array_equal(session.fit.labels, labels)
    session.answer((0, 1, 2), "yes")
    session.model.wait()
    assert len(session.fit.labels) == len(session.dataset.X) == 30


def test_a_short_fit_is_done_at_once_in_the_callers_thread():
    deliveries: queue.Queue = queue.Queue()

    class Patient(Session):
        patience = 60.0

    session = Patient("close", parameters=SMALL, autosave=None, background=deliveries.put)
    session.answer((0, 1, 2), "yes")
    assert not session.model.busy
    assert len(session.fit.log.triplets) == 1
    assert deliveries.empty()


def test_a_large_fit_tells_that_it_begins_and_can_be_ended_early():
    X = np.random.default_rng(0).normal(size=(20_000, 20))
    session = Session(X, autosave=None, n_clusters=5)
    whole, told = len(session.model.trace.objective), []

    def stop(iteration):
        told.append(iteration)
        session.model.progress.stop()

    forget = session.model.progress.watch(stop)
    session.refit()
    assert told[0] == 0
    assert len(session.model.trace.objective) < whole
    assert not session.model.trace.objective.converged
    forget()
    told.clear()
    session.refit()
    assert len(session.model.trace.objective) == whole
    assert told == []


def test_a_watcher_that_fails_does_no_harm_to_the_fit():
    session = Session(np.random.default_rng(0).normal(size=(20_000, 20)), autosave=None, n_clusters=5)
    session.model.progress.watch(lambda iteration: 1 / 0)
    with pytest.warns(RuntimeWarning, match="a watcher of the fit failed: ZeroDivisionError"):
        session.refit()
    assert session.model.error is None


def test_a_fit_that_fails_in_the_background_is_told_and_the_session_goes_on(monkeypatch):
    session, deliveries, changes = impatient_session()
    old = session.fit

    def fail(*args, **options):
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(DCRC, "iterate", fail)
        session.answer((0, 1, 2), "yes")
        assert session.model.busy
        deliveries.get(timeout=60)()
        assert not session.model.busy
        assert session.model.error.startswith("The model cannot be fitted: MemoryError. ")
        assert changes == [Change.ANSWERS | Change.BUSY, Change.BUSY]
        assert (session.fit, len(session.log)) == (old, 1)
        session.answer((3, 4, 5), "yes")
        with pytest.raises(SessionError, match="cannot be fitted: MemoryError"):
            session.model.wait()
    session.answer((6, 7, 8), "yes")
    session.model.wait()
    assert session.model.error is None
    assert len(session.fit.log.triplets) == 3


def test_where_no_thread_can_start_everything_is_fitted_at_once(monkeypatch):
    def refuse(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("sys.platform", "emscripten")
    monkeypatch.setattr("threading.Thread.start", refuse)
    session = Impatient("close", parameters=SMALL, autosave=None, background=lambda _: pytest.fail("nothing is late"))
    session.answer((0, 1, 2), "yes")
    assert not session.model.busy
    assert len(session.fit.log.triplets) == 1
    sweep = sweep_epsilon(session, epsilons=(0, 0.05))
    sweep.start()
    assert len(sweep.results) == 2
