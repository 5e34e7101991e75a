"""A cell and the picture act on one session, each in its own thread: nothing is lost, and nothing torn."""

import asyncio
import queue
import subprocess
import sys
import threading

import pytest

from dcrc_explore.session import Session, sweep_epsilon
from dcrc_explore.widgets import Explorer
from dcrc_explore.widgets.hosts import event_loop
from dcrc_explore.widgets.tabs import figures

SMALL = {"n_per_cluster": 10}
N_ANSWERS = 15

pytestmark = pytest.mark.slow


def in_threads(*actions):
    """Run each action in a thread of its own, all at once, and raise what went wrong in any."""
    errors = []
    barrier = threading.Barrier(len(actions))

    def run(action):
        barrier.wait()
        try:
            action()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


def answer_many(session, first, by):
    for n in range(N_ANSWERS):
        question = (first, 2 + n % 9, 11 + n % 19)
        given = session.answer(question, ("yes", "no", "dnk")[n % 3], by=by)
        assert (given.points, given.by) == (question, by)  # its own record, not the other's


def look(session, stop):
    while not stop.is_set():
        answers = session.log
        assert len(answers) == len(answers.triplets) == len(list(answers))
        fit = session.fit
        assert fit.violated.shape == (len(fit.log.triplets),)


@pytest.mark.parametrize("with_background", [False, True])
def test_two_threads_that_answer_at_once_lose_nothing(tmp_path, with_background):
    deliveries: queue.Queue = queue.Queue()
    session = Session(
        "close", parameters=SMALL, autosave=tmp_path, background=deliveries.put if with_background else None
    )
    events, stop = [], threading.Event()
    session.observe(lambda event: events.append((event.changed, len(session.log))))

    def answer(first, by):
        try:
            answer_many(session, first, by)
        finally:
            if len(session.log) >= 2 * N_ANSWERS:
                stop.set()

    in_threads(lambda: answer(0, "cell"), lambda: answer(1, "picture"), lambda: look(session, stop))
    session.model.wait()
    while not deliveries.empty():
        deliveries.get()()
    assert len(session.log) == len(session.fit.log.triplets) == 2 * N_ANSWERS
    for first, by in ((0, "cell"), (1, "picture")):
        mine = [given.points for given in session.log if given.by == by]
        assert mine == [(first, 2 + n % 9, 11 + n % 19) for n in range(N_ANSWERS)]
    assert session.file.error is None
    assert Session.load(session.file.path, autosave=False).log == session.log
    assert [path.name for path in tmp_path.iterdir()] == [session.file.path.name]
    if not with_background:
        assert [n for _, n in events] == list(range(1, 2 * N_ANSWERS + 1))  # each change is told while it is the case
    steps = 0
    while session.history.undo_label is not None:
        assert session.history.undo_label == f"answer {len(session.log)}"
        session.undo()
        steps += 1
    assert (steps, len(session.log)) == (2 * N_ANSWERS, 0)


def test_a_cell_and_the_picture_answer_at_once(tmp_path):
    explorer = Explorer(session=Session("close", parameters=SMALL, autosave=tmp_path))

    def click():
        for n in range(N_ANSWERS):
            explorer.act(lambda session, n=n: session.answer((1, 2 + n % 9, 11 + n % 19), "yes", by="picture"))

    in_threads(click, lambda: answer_many(explorer.session, 0, "cell"))
    session = explorer.session
    assert len(session.log) == 2 * N_ANSWERS
    sent = explorer.given  # those from a number on, as four whole numbers each
    assert sent["start"] + sent["rows"]["shape"][0] == 2 * N_ANSWERS
    assert explorer.scene["undo"] == session.history.undo_label == f"answer {2 * N_ANSWERS}"
    assert explorer.notice == {}
    assert Session.load(session.file.path, autosave=False).log == session.log


def test_undo_settings_and_answers_in_two_threads_leave_a_state_that_was_meant(tmp_path):
    session = Session("close", parameters=SMALL, autosave=tmp_path)

    def turn():
        for n in range(N_ANSWERS):
            session.set(epsilon=0.1 + n / 1000)
            session.undo()

    session.answer((0, 1, 2), "yes")
    in_threads(turn, lambda: answer_many(session, 1, "cell"))
    assert session.settings.epsilon == 0.05 or session.history.undo_label is not None
    loaded = Session.load(session.file.path, autosave=False)
    assert (loaded.settings, loaded.log) == (session.settings, session.log)
    assert len(session.fit.log.triplets) == len(session.log)


def test_a_sweep_is_delivered_while_another_thread_answers():
    deliveries: queue.Queue = queue.Queue()
    session = Session("close", parameters=SMALL, autosave=None, background=deliveries.put)
    sweep = sweep_epsilon(session, epsilons=(0.0, 0.05, 0.1))
    sweep.start()

    def deliver():
        while sweep.running:
            deliveries.get(timeout=60)()

    in_threads(deliver, lambda: answer_many(session, 0, "cell"))
    session.model.wait()
    assert [point.epsilon for point in sweep.results] == [0.0, 0.05, 0.1]
    assert len(session.fit.log.triplets) == N_ANSWERS


def test_an_export_during_a_sweep_shows_what_was_known_of_it_when_it_began():
    """Results come in another thread while pictures are drawn, and are taken when these are done."""
    arrived, ended = threading.Event(), threading.Event()

    def deliver(function):
        arrived.set()
        function()

    explorer = Explorer("close", autosave=None)
    session = explorer.session
    session.background = deliver
    sweep = sweep_epsilon(session, lambda: sweep.running or ended.set(), epsilons=(0.0, 0.05, 0.1))
    drawn = []

    def export(session):
        sweep.start()
        assert arrived.wait(timeout=60)
        for _ in range(5):
            drawn.append((figures(session, sweep, -1, None), len(sweep.results)))

    explorer.act(export)
    assert explorer.notice == {}
    assert drawn == 5 * [({}, 0)]
    assert ended.wait(timeout=60)
    assert len(sweep.results) == 3
    assert "sweep" in figures(session, sweep, -1, None)


def test_a_fit_whose_event_loop_has_ended_is_taken_all_the_same():
    class Impatient(Session):
        patience = 0.0

    async def begin():
        return Impatient("close", autosave=None, background=event_loop())

    session = asyncio.run(begin())  # and the loop is closed, as that of a page that is gone
    session.model.wait()
    told = threading.Event()
    session.observe(lambda event: not session.model.busy and told.set())
    session.set(kernel="rbf")
    assert told.wait(timeout=60)
    assert (session.model.busy, session.model.error, session.model.trace.settings.kernel) == (False, None, "rbf")


def test_progress_bars_are_loaded_before_there_are_threads():
    """While tqdm is loaded it silences a warning of its own; a fit in the background could bring the warning back."""
    code = "import sys, dcrc_explore.session; sys.exit('tqdm.auto' not in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
