"""The parts of a session alone: the history of its steps, and how an action happens."""

from dataclasses import replace
from threading import RLock

import numpy as np
import pytest

from dcrc_explore.constraints import Log
from dcrc_explore.datasets import Dataset
from dcrc_explore.session import Change, History, SessionError, Steps
from dcrc_explore.session.state import Settings, State, Subject, difference

FIRST = State(Subject.of("close"), Settings())


def with_answers(state, n):
    return replace(state, log=Log().plus([(i, i + 1, i + 2) for i in range(n)], ["yes"] * n))


class Book:
    """Steps, and everything that they record and tell, in order."""

    def __init__(self, **options):
        self.lines = []
        self.steps = Steps(FIRST, None, 0.1, RLock(), self.record, **options)
        self.steps.start()
        self.steps.observers.add(lambda event: self.lines.append(event.changed))

    def record(self, state):
        self.lines.append(state)
        return Change.SAVED


# History


def test_undo_and_redo_walk_along_the_steps_and_name_them():
    second, third = with_answers(FIRST, 1), with_answers(FIRST, 2)
    history = History(FIRST)
    history.do("answer 1", second)
    history.do("answer 2", third)
    assert (history.state, history.position, history.undo_label, history.redo_label) == (third, 2, "answer 2", None)
    history.undo(history.to_undo.state)
    assert (history.state, history.position, history.undo_label, history.redo_label) == (
        second,
        1,
        "answer 1",
        "answer 2",
    )
    history.redo(history.to_redo.state)
    assert (history.state, history.position, history.redo_label) == (third, 2, None)


def test_a_new_step_takes_the_place_of_what_was_taken_back():
    history = History(FIRST)
    history.do("answer 1", with_answers(FIRST, 1))
    history.undo(history.to_undo.state)
    history.do("epsilon", FIRST)
    assert history.redo_label is None
    with pytest.raises(SessionError, match="nothing to redo"):
        _ = history.to_redo


def test_steps_of_one_label_merge_if_that_is_wanted():
    history = History(FIRST)
    for _ in range(3):
        history.do("tau", with_answers(FIRST, 1), merge=True)
    assert history.position == 1
    assert history.to_undo.state is FIRST
    history.do("tau", FIRST)
    assert history.position == 2


def test_what_two_states_differ_in():
    assert difference(FIRST, replace(FIRST)) == Change(0)
    assert difference(FIRST, with_answers(FIRST, 1)) == Change.ANSWERS
    assert difference(FIRST, replace(FIRST, settings=Settings(tau=2.0))) == Change.SETTINGS
    assert difference(FIRST, replace(FIRST, names=("a", "", ""))) == Change.SETTINGS
    assert difference(FIRST, State(Subject.of("moons"), Settings())) == Change.DATA | Change.ANSWERS


# Steps


def test_a_step_is_recorded_before_it_is_fitted_and_told_afterwards():
    book = Book()
    book.steps.do("answer 1", log=with_answers(FIRST, 1).log)
    state, told = book.lines
    assert state is book.steps.history.state
    assert told == Change.ANSWERS | Change.FIT | Change.SAVED
    assert book.steps.model.fit.log is state.log


def test_a_step_that_changes_nothing_is_none():
    book = Book()
    book.steps.do("nothing", settings=Settings())
    book.steps.set(False, {"epsilon": FIRST.settings.epsilon})
    assert book.lines == []
    assert book.steps.history.undo_label is None


def test_what_can_not_be_fitted_is_recorded_back_and_nothing_is_told():
    book = Book()
    trace = book.steps.model.trace
    impossible = Subject(Dataset(np.full((150, 2), np.nan), None, "no numbers"))
    with pytest.raises(SessionError):
        book.steps.do("data", subject=impossible)
    assert [state.subject for state in book.lines] == [impossible, FIRST.subject]
    assert book.lines[-1] is book.steps.history.state is FIRST
    assert book.steps.model.trace is trace


def test_joined_answers_are_one_step_and_are_told_once():
    book = Book()
    with book.steps.joined():
        for n in (1, 2, 3):
            book.steps.do(f"answer {n}", log=with_answers(FIRST, n).log)
    assert book.steps.history.undo_label == "answers 1 to 3"
    assert [line for line in book.lines if isinstance(line, Change)] == [Change.ANSWERS | Change.FIT | Change.SAVED]
    book.steps.undo()
    assert book.steps.history.state is FIRST


def test_a_state_from_the_past_is_adapted_to_what_there_is_now():
    now = []
    book = Book(adapt=lambda state: now[-1] if now else state)
    book.steps.do("answer 1", log=with_answers(FIRST, 1).log)
    now.append(with_answers(FIRST, 5))
    book.steps.undo()
    assert book.steps.history.state is now[-1]
    assert len(book.steps.model.fit.log) == 5


def test_clusters_take_the_numbers_of_a_reference():
    alone = Book().steps.model.fit
    turned = Book(reference=lambda: np.roll(alone.proba, 1, axis=1)).steps.model.fit
    np.testing.assert_array_equal(turned.labels, (alone.labels + 1) % 3)
