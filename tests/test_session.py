"""Everything a person can do in an exploration, without an interface."""

import math
from collections import Counter
from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcrc_explore import Answer
from dcrc_explore.constraints import implied_answers
from dcrc_explore.datasets import make_dataset
from dcrc_explore.session import Change, Session, SessionError

SMALL = {"n_per_cluster": 5}


def small_session(**options) -> Session:
    return Session("close", parameters=SMALL, autosave=None, **options)


def state(session: Session):
    """All that undo must bring back."""
    return session.dataset, session.settings, session.log


# Opening


def test_the_number_of_clusters_is_that_of_the_classes_unless_given():
    assert small_session().settings.n_clusters == 3
    assert Session("moons", parameters=SMALL, autosave=None).settings.n_clusters == 2
    assert small_session(n_clusters=4).settings.n_clusters == 4
    assert Session(np.eye(6), autosave=None).settings.n_clusters == 3


def test_own_data_may_be_an_array_a_table_a_file_or_a_data_set(tmp_path):
    data = make_dataset("close", **SMALL)
    table = pd.DataFrame(data.X, columns=["a", "b"]).assign(kind=data.y)
    table.to_csv(tmp_path / "own.csv", index=False)
    for session in (
        Session(data.X, data.y, autosave=None),
        Session(table, "kind", autosave=None),
        Session(tmp_path / "own.csv", "kind", autosave=None),
        Session(data, autosave=None),
    ):
        np.testing.assert_allclose(session.dataset.X, data.X)
        np.testing.assert_array_equal(session.dataset.y, data.y)
        np.testing.assert_allclose(session.state.subject.points, data.X)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("no such data", "no such data"),
        ([[0.0, 1.0], [np.nan, 2.0], [1.0, 1.0]], "empty cell"),
        ([1.0, 2.0, 3.0], "shape"),
        ([["a", "b"], ["c", "d"]], "numbers"),
        ("missing.csv", "missing.csv"),
    ],
)
def test_data_that_cannot_be_used_is_refused_with_a_reason(data, message):
    with pytest.raises(SessionError, match=message):
        Session(data, autosave=None)


def test_more_clusters_than_points_are_refused_with_advice():
    with pytest.raises(SessionError, match="4 clusters need at least 4 points, but the data has 3"):
        Session([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]], autosave=None, n_clusters=4)


# Answers


def test_an_answer_is_saved_with_its_time_its_giver_and_its_surprise():
    session = small_session()
    expected = session.questions.expected((0, 1, 2))
    before = datetime.now(UTC) - timedelta(seconds=1)
    record = session.answer((0, 1, 2), "no", by="someone")
    assert session.log == (record,)
    assert (record.points, record.answer, record.by) == ((0, 1, 2), Answer.NO, "someone")
    assert before <= datetime.fromisoformat(record.time) <= datetime.now(UTC)
    assert record.surprise == pytest.approx(-math.log2(expected.no))


def test_what_is_expected_is_a_distribution_and_worth_no_more_than_its_entropy():
    session = small_session()
    session.answer_by_oracle(10, strategy="random")
    for _ in range(20):
        yes, no, dnk, bits = session.questions.expected(session.questions.suggest("random"))
        assert yes + no + dnk == pytest.approx(1)
        assert 0 <= bits <= sum(-p * math.log2(p) for p in (yes, no, dnk) if p > 0) + 1e-12


def test_answering_makes_the_answer_expected():
    session = small_session()
    question = session.questions.suggest("informative")
    before = session.questions.expected(question)
    answer = min(("yes", "no", "dnk"), key=lambda name: getattr(before, name))
    session.answer(question, answer)
    assert getattr(session.questions.expected(question), answer) > getattr(before, answer)


def test_answers_can_be_flipped_changed_and_deleted():
    session = small_session()
    session.add([(0, 1, 2), (3, 4, 5), (6, 7, 8)], ["yes", "dnk", "no"])
    session.flip(0)
    session.flip(1, "yes")
    assert [given.answer for given in session.log] == [Answer.NO, Answer.YES, Answer.NO]
    session.delete(0)
    assert [given.points for given in session.log] == [(3, 4, 5), (6, 7, 8)]


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda s: s.answer((0, 0, 1), "yes"), "three different"),
        (lambda s: s.answer((0, 1, 99), "yes"), "between 0 and 14"),
        (lambda s: s.answer((0, 1, 2, 3), "yes"), "three points or two"),
        (lambda s: s.answer((0, 1, 2), "perhaps"), "perhaps"),
        (lambda s: s.add([(0, 1, 2)], ["yes", "no"]), "one answer"),
        (lambda s: s.questions.expected((0, 1, 1)), "three different"),
        (lambda s: s.flip(1), "don't know has no opposite"),
        (lambda s: s.flip(0, "perhaps"), "perhaps"),
        (lambda s: s.flip(2), "2 answers"),
        (lambda s: s.delete(-1), "2 answers"),
        (lambda s: s.set(n_clusters=16), "15"),
        (lambda s: s.set(n_clusters=2.5), "whole number"),
        (lambda s: s.set(n_clusters=1), "at least 2"),
        (lambda s: s.set(epsilon=0.7), "between 0 and 0.667"),
        (lambda s: s.set(tau=-1), "at least 0"),
        (lambda s: s.set(lam=np.nan), "number"),
        (lambda s: s.set(balance="no"), "True or False"),
        (lambda s: s.set(kernel="cubic"), "linear, rbf, poly"),
        (lambda s: s.set(gamma=0), "larger than 0"),
        (lambda s: s.set(colour="red"), "colour"),
        (lambda s: s.set_data("nowhere"), "nowhere"),
        (lambda s: s.set_data([[0.0, np.inf], [1.0, 1.0]]), "finite"),
        (lambda s: s.set_data(np.eye(2), n_clusters=3), "3 clusters need"),
        (lambda s: s.set_data("moons", parameters={"colour": 3}), "colour"),
        (lambda s: s.regenerate(spread=-1), "spread"),
        (lambda s: s.questions.suggest("clever"), "clever"),
        (lambda s: s.answer_by_oracle(5, oracle="nobody", strategy="random"), "nobody"),
        (lambda s: s.answer_by_oracle(100_000, strategy="random"), "100000 new questions"),
        (lambda s: s.model.trace.replay(1000), "iteration must be"),
        (lambda s: s.redo(), "nothing to redo"),
        (lambda s: s.figure("sculpture"), "sculpture"),
        (lambda s: s.set_data("moons", [0, 1]), "only data of your own"),
        (lambda s: s.save("/dev/null/session.json"), "cannot be written"),
        (lambda s: s.save("session.csv"), "must end in .json"),
        (lambda s: s.save(""), "give a file name"),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(action, message):
    session = small_session()
    session.add([(0, 1, 2), (3, 4, 5)], ["yes", "dnk"])
    before, label, fit = state(session), session.history.undo_label, session.fit
    events = []
    session.observe(events.append)
    with pytest.raises(SessionError, match=message):
        action(session)
    assert state(session) == before
    assert (session.history.undo_label, session.fit, events) == (label, fit, [])
    session.answer((5, 6, 7), "yes")
    assert len(session.log) == 3


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_fit_that_fails_leaves_the_session_and_its_file_as_they_were(tmp_path):
    X = make_dataset("close", **SMALL).X
    session = Session(X * 1e40, autosave=tmp_path)
    session.answer((0, 1, 2), "yes")
    before, fit = state(session), session.fit
    with pytest.raises(SessionError, match="cannot be fitted: the kernel must have values up to"):
        session.set(kernel="poly", gamma=1.0)
    with pytest.raises(SessionError, match="cannot be fitted: X must hold values up to"):
        session.set_data(X * 1e60)
    assert state(session) == before
    assert (session.fit, session.history.undo_label, session.history.redo_label) == (fit, "answer 1", None)
    assert Session.load(session.file.path, autosave=False).settings == session.settings
    session.answer((3, 4, 5), "no")
    assert len(session.fit.log.triplets) == 2


# Questions


@pytest.mark.parametrize("strategy", ["random", "boundary", "informative", "guided"])
def test_no_question_is_suggested_twice_neither_answered_nor_skipped(strategy):
    session = Session(make_dataset("close", n_per_cluster=2).X, autosave=None)  # 6 points, 60 questions
    session.add([(0, 1, 2), (0, 3, 4)], ["yes", "no"])
    seen = {(0, frozenset((1, 2))), (0, frozenset((3, 4)))}
    for n in range(58):
        i, j, k = session.questions.suggest(strategy)
        assert (i, frozenset((j, k))) not in seen
        seen.add((i, frozenset((j, k))))
        session.questions.skip((i, j, k)) if n % 10 else session.answer((i, j, k), "dnk")
    with pytest.raises(SessionError, match="questions"):
        session.questions.suggest(strategy)


@pytest.mark.parametrize("strategy", ["random", "boundary", "informative", "guided"])
def test_an_oracle_gives_many_true_answers_as_one_step(strategy):
    session = small_session()
    events, progress = [], []
    session.observe(lambda event: events.append(event.changed))
    assert session.answer_by_oracle(35, strategy=strategy, progress=lambda *done: progress.append(done)) == 35
    triplets = session.log.triplets
    np.testing.assert_array_equal(triplets.answers, implied_answers(session.dataset.y, triplets.indices))
    assert {given.by for given in session.log} == {"truth"}
    assert events == [Change.ANSWERS | Change.FIT]
    assert progress[0] == (0, 35)
    assert progress[-1] == (35, 35)
    assert progress == sorted(progress)
    assert session.history.undo_label == "answers 1 to 35"
    session.undo()
    assert session.log == ()


def test_an_oracle_that_is_stopped_leaves_what_it_answered():
    session = small_session()
    given = session.answer_by_oracle(100, progress=lambda done, n: done < 30, strategy="random")
    assert given == len(session.log) == 30
    session.undo()
    assert session.answer_by_oracle(100, progress=lambda done, n: False, strategy="random") == 0
    assert session.history.undo_label is None


def test_guided_questions_say_why_and_follow_from_the_answers():
    session = small_session()
    _, reason = session.questions.suggest_with_reason()
    assert reason == "This looks for two groups that differ."
    hopes = [session.questions.expected_change]
    session.answer_by_oracle(30, strategy="guided")
    _, reason = session.questions.suggest_with_reason()
    assert reason.endswith(".")
    assert "first answers" not in reason
    hopes.append(session.questions.expected_change)
    assert hopes[1] < hopes[0]
    session.answer_by_oracle(60, strategy="guided")
    assert "More answers will hardly change the clusters" in session.questions.suggest_with_reason()[1]
    session.undo()
    # What was taken back is as if it had never been answered.
    session.undo()
    assert session.questions.expected_change == pytest.approx(hopes[0])
    assert session.questions.suggest_with_reason()[1] == "This looks for two groups that differ."


def test_a_guided_oracle_that_is_stopped_leaves_what_it_answered():
    session = small_session()
    assert session.answer_by_oracle(60, strategy="guided", progress=lambda done, n: done < 12) == 15
    assert session.history.undo_label == "answers 1 to 15"
    session.undo()
    assert len(session.log) == 0


def test_a_noisy_oracle_errs_about_as_often_as_told():
    session = Session("close", autosave=None)
    session.answer_by_oracle(1000, strategy="random", oracle="noisy", epsilon=0.3)
    triplets = session.log.triplets
    wrong = np.mean(triplets.answers != implied_answers(session.dataset.y, triplets.indices))
    assert wrong == pytest.approx(0.3, abs=5 * math.sqrt(0.3 * 0.7 / 1000))


def test_an_oracle_needs_the_truth():
    with pytest.raises(SessionError, match="true classes"):
        Session(np.eye(5), autosave=None).answer_by_oracle(1, strategy="random")


# Undo and redo

ACTIONS = {
    "answer": lambda s: s.answer(s.questions.suggest("random"), "yes"),
    "many": lambda s: s.answer_by_oracle(7, strategy="random"),
    "flip": lambda s: s.flip(0, "no" if s.log[0].answer is Answer.YES else "yes") if s.log else None,
    "delete": lambda s: s.delete(len(s.log) - 1) if s.log else None,
    "epsilon": lambda s: s.set(epsilon=0.0 if s.settings.epsilon else 0.15),
    "clusters": lambda s: s.set(n_clusters=5 - s.settings.n_clusters) if s.settings.n_clusters in (2, 3) else None,
    "kernel": lambda s: s.set(kernel={"linear": "rbf", "rbf": "poly", "poly": "linear"}[s.settings.kernel]),
    "standardise": lambda s: s.standardize(),
    "data": lambda s: s.set_data("moons", parameters=SMALL),
    "regenerate": lambda s: (
        s.regenerate(seed=s.dataset.parameters["seed"] + 1) if s.state.subject.is_generated else None
    ),
}


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from(sorted(ACTIONS)), max_size=8))
def test_undo_leads_back_step_by_step_and_redo_forth_again(names):
    session = small_session()
    states, labels = [state(session)], []
    for name in names:
        ACTIONS[name](session)
        if state(session) != states[-1]:
            states.append(state(session))
            labels.append(session.history.undo_label)
    for before, label in zip(states[-2::-1], labels[::-1], strict=True):
        assert session.history.undo_label == label
        session.undo()
        assert state(session) == before
        assert len(session.fit.labels) == len(session.dataset.X)
    assert session.history.undo_label is None
    for after, label in zip(states[1:], labels, strict=True):
        assert session.history.redo_label == label
        session.redo()
        assert state(session) == after
    assert session.history.redo_label is None


def test_a_new_step_ends_what_could_be_redone():
    session = small_session()
    session.answer((0, 1, 2), "yes")
    session.undo()
    session.answer((3, 4, 5), "yes")
    assert session.history.redo_label is None


def test_undo_brings_the_same_picture_back():
    session = small_session()
    session.answer_by_oracle(20, strategy="random")
    labels = session.fit.labels
    session.answer((0, 1, 2), "yes")
    session.set(epsilon=0)
    session.undo()
    session.undo()
    np.testing.assert_array_equal(session.fit.labels, labels)


def test_other_data_have_no_answers_and_undo_brings_the_old_ones_back():
    session = small_session()
    session.answer((0, 1, 2), "yes")
    session.set_data("moons", parameters=SMALL)
    assert (session.dataset.name, session.log, session.settings.n_clusters) == ("moons", (), 2)
    session.undo()
    assert (session.dataset.name, len(session.log), session.settings.n_clusters) == ("close", 1, 3)


def test_regenerating_changes_only_what_was_asked_for():
    session = small_session(n_clusters=4)
    old = session.dataset
    session.regenerate(seed=7)
    assert dict(session.dataset.parameters) == {**old.parameters, "seed": 7}
    assert session.settings.n_clusters == 4
    session.regenerate(n_clusters=5)
    assert session.settings.n_clusters == 5


def test_standardising_keeps_the_answers_and_needs_no_second_time():
    session = Session(make_dataset("close", **SMALL).X * [1, 1000] + 5, autosave=None)
    session.answer((0, 1, 2), "yes")
    session.standardize()
    np.testing.assert_allclose(
        [session.dataset.X.mean(axis=0), session.dataset.X.std(axis=0)], [[0, 0], [1, 1]], atol=1e-9
    )
    assert (session.dataset.name, len(session.log)) == ("own data, standardised", 1)
    assert session.history.undo_label == "standardising"
    session.standardize()
    session.undo()
    assert session.history.undo_label == "answer 1"


def test_a_model_that_leaves_clusters_empty_says_what_helps():
    session = small_session()
    assert session.model.hint == ""
    session.set(lam=1000, balance=False)
    assert session.model.hint == "2 of 3 clusters are empty: switch balance on, lower λ or ask for fewer clusters."


def test_own_data_cannot_be_regenerated():
    with pytest.raises(SessionError, match="was not generated"):
        Session(np.eye(5), autosave=None).regenerate(seed=1)


def test_a_drawn_slider_is_one_step():
    session = small_session()
    session.set(tau=2.0)
    for epsilon in (0.1, 0.2, 0.3):
        session.set(epsilon=epsilon, merge=True)
    session.undo()
    assert (session.settings.epsilon, session.settings.tau) == (0.05, 2.0)
    session.set(epsilon=0.1, merge=True)
    session.answer((0, 1, 2), "yes")
    session.set(epsilon=0.2, merge=True)
    session.undo()
    assert session.settings.epsilon == 0.1


def test_setting_what_is_set_already_is_no_step():
    session = small_session()
    events = []
    session.observe(events.append)
    session.set(epsilon=0.05, n_clusters=3)
    assert (session.history.undo_label, events) == (None, [])


# Observers


def test_observers_are_told_once_for_each_action_what_changed():
    session = small_session()
    events = []
    stop = session.observe(lambda event: events.append(event.changed))
    session.answer((0, 1, 2), "yes")
    session.set(tau=0.5)
    session.set_data("moons", parameters=SMALL)
    session.undo()
    session.refit()
    stop()
    session.redo()
    data = Change.DATA | Change.ANSWERS | Change.SETTINGS | Change.FIT
    assert events == [Change.ANSWERS | Change.FIT, Change.SETTINGS | Change.FIT, data, data, Change.FIT]


def test_an_observer_that_fails_harms_nobody():
    session = small_session()
    told = []

    def fail(event):
        raise RuntimeError("no picture today")

    session.observe(fail)
    session.observe(told.append)
    with pytest.warns(RuntimeWarning, match="no picture today"):
        session.answer((0, 1, 2), "yes")
    assert len(session.log) == len(told) == 1


def test_an_observer_may_act_and_stop_observing():
    session = small_session()

    def answer_again(event):
        stop()
        session.answer((3, 4, 5), "no")

    stop = session.observe(answer_again)
    session.answer((0, 1, 2), "yes")
    assert [given.points for given in session.log] == [(0, 1, 2), (3, 4, 5)]
    assert len(session.fit.log.triplets) == 2


# Quality


def test_quality_is_recorded_by_number_of_answers_and_follows_undo():
    session = small_session()
    for _ in range(3):
        session.answer_by_oracle(10, strategy="random")
    assert [quality.n_answers for quality in session.model.quality] == [0, 10, 20, 30]
    assert all(-0.5 <= value <= 1 for quality in session.model.quality for value in quality[1:])
    session.undo()
    assert [quality.n_answers for quality in session.model.quality] == [0, 10, 20]
    session.set_data("moons", parameters=SMALL)
    assert [quality.n_answers for quality in session.model.quality] == [0]
    session.undo()
    assert [quality.n_answers for quality in session.model.quality] == [0, 10, 20]


def test_true_answers_about_far_clusters_lead_to_the_truth():
    session = Session("far", parameters={"n_per_cluster": 10}, autosave=None)
    session.answer_by_oracle(50, strategy="random")
    assert session.model.quality[-1][1:] == (1.0, 1.0, 1.0, 1.0)
    np.testing.assert_array_equal(session.fit.truth, session.fit.labels)
    assert not session.fit.violated.any()
    assert Counter(session.fit.labels.tolist()) == {0: 10, 1: 10, 2: 10}


def test_without_truth_there_is_no_quality():
    session = Session(np.eye(5), autosave=None)
    session.answer((0, 1, 2), "yes")
    assert session.model.quality == []
    assert session.fit.truth is None


def test_an_unknown_name_of_data_lists_those_there_are():
    with pytest.raises(SessionError, match=r"one of close, far, .*ionosphere.*, got 'nonsense'"):
        Session("nonsense", autosave=None)


def test_columns_and_rows_of_a_table_are_left_out_as_asked():
    table = pd.DataFrame({"id": ["a", "b", "c", "d"], "width": [1.0, 2, None, 4], "kind": ["x", "y", "x", "y"]})
    session = Session(table, "kind", ignore=["id"], drop_incomplete=True, autosave=None)
    assert session.dataset.feature_names == ("width",)
    assert len(session.dataset.X) == 3
    with pytest.raises(SessionError, match="only data of your own take y, items, features, ignore and drop_incomplete"):
        Session("close", ignore=["id"], autosave=None)
