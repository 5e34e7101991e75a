"""Repeated questions, and the error rate that follows from them."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from dcrc_explore.annotators import error_matrix, make_oracle
from dcrc_explore.constraints import Answer, Log, read_answers
from dcrc_explore.questions import random_triplets
from dcrc_explore.questions.repeats import Repeats, count_repeats, due_repeat, repeated, share_of_different
from dcrc_explore.session import Asking, Session
from dcrc_explore.session.story import repeats_in_words
from dcrc_explore.widgets.address import read_address, write_address
from dcrc_explore.widgets.controls import model_controls
from dcrc_explore.widgets.tabs import pack_people


def talk(session: Session, n: int, *, epsilon: float = 0.0, **asking: str) -> Asking:
    """Let somebody who errs answer questions of a conversation."""
    somebody, conversation = make_oracle("noisy", session.dataset.y, epsilon=epsilon, seed=1), Asking(session, **asking)
    for _ in range(n):
        question = conversation.go_on()
        assert question is not None
        conversation.answer(int(somebody.answer([question.points])[0]))
    return conversation


@pytest.fixture
def session() -> Session:
    return Session("close", autosave=None)


# The estimate -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rate", [0.0, 0.05, 0.2, 0.5, 2 / 3])
def test_the_share_of_different_answers_is_that_of_two_independent_answers(rate: float) -> None:
    errors = error_matrix(rate)
    for true in range(3):
        pairs = product(range(3), repeat=2)
        different = sum(errors[true, one] * errors[true, other] for one, other in pairs if one != other)
        assert share_of_different(rate) == pytest.approx(different)


@pytest.mark.parametrize("rate", [0.05, 0.1, 0.2, 0.4])
def test_many_repeats_find_the_error_rate(rate: float) -> None:
    y, asked = np.arange(150) % 3, random_triplets(150, 20_000, seed=0)
    somebody, again = make_oracle("noisy", y, epsilon=rate, seed=1), asked[:, [0, 2, 1]]
    log = Log().plus(np.vstack([asked, again]), np.concatenate([somebody.answer(asked), somebody.answer(again)]))
    found = count_repeats(log)
    assert found.n == len(asked)
    assert found.error_rate(0.05) == pytest.approx(rate, abs=0.01)


def test_few_repeats_stay_near_the_setting_and_more_lead_away_from_it() -> None:
    rates = [Repeats(n, n // 2).error_rate(0.05) for n in (0, 2, 8, 32)]
    assert rates == sorted(rates)
    assert rates[0] == pytest.approx(0.05)
    assert Repeats(10, 0).error_rate(0.2) < 0.2
    assert Repeats(1000, 1000).error_rate(0.05) == pytest.approx(2 / 3)  # worse than guesses


def test_only_a_persons_own_answer_with_b_and_c_exchanged_is_a_repeat() -> None:
    points = [(0, 1, 2), (0, 1, 2), (0, 2, 1), (0, 1), (0, 2, 1), (0, 1, 2)]
    log = Log().plus(points, ["yes"] * 6, by=["Ann", "Bob", "Ann", "Ann", "Ann", "Cleo"])
    assert repeated(log) == {2: 0}


# The conversation ---------------------------------------------------------------------------------------------------


def test_every_tenth_question_repeats_an_earlier_one_as_an_answer_of_its_own(session: Session) -> None:
    talk(session, 40)
    first = repeated(session.log)
    assert sorted(first) == [9, 19, 29, 39]
    assert all(later - earlier > 5 for later, earlier in first.items())
    assert len(set(first.values())) == 4
    assert session.state.repeats == (4, 0)  # who makes no errors gives the same answers
    assert len(session.fit.log) == 40  # both count in the model
    assert session.model.trace.settings.epsilon < session.settings.epsilon == 0.05


def test_the_model_uses_the_estimate_and_says_so(session: Session) -> None:
    talk(session, 40, epsilon=0.5)
    epsilon = session.model.trace.settings.epsilon
    assert epsilon == session.state.repeats.error_rate(0.05) > 0.05
    assert session.settings.epsilon == 0.05
    differ = session.state.repeats.n_different
    words = repeats_in_words(session.state)
    assert words.startswith(f"You answered {differ} of 4 repeated questions differently: error rate about ")
    assert words.endswith(f"The model uses ε = {epsilon:.3g}, not 0.05.")
    assert words in pack_people(session, 0)["noise"]
    assert words in [control.value for control in model_controls(session, 0.05)]
    later, earlier = 39, repeated(session.log)[39]
    same = session.log.answers[later] == -session.log.answers[earlier]
    assert f"It repeats answer {earlier + 1} and {'agrees' if same else 'differs'}." in session.model.story
    session.answer_by_oracle(3)  # whose questions are not repeated
    assert repeats_in_words(session.state) == words
    session.set(repeats=False)
    assert session.model.trace.settings.epsilon == 0.05
    assert repeats_in_words(session.state) == ""


def test_undo_and_redo_and_a_corrected_answer_change_the_estimate(session: Session) -> None:
    talk(session, 10)
    estimate = session.model.trace.settings.epsilon
    session.undo()
    assert session.model.trace.settings.epsilon == 0.05
    session.redo()
    assert session.model.trace.settings.epsilon == estimate
    session.revise({9: Answer.NO if session.log[9].answer is Answer.YES else Answer.YES})
    assert session.model.trace.settings.epsilon > 0.05


def test_files_links_and_programs_have_both_answers(session: Session, tmp_path: Path) -> None:
    talk(session, 20, epsilon=0.5)
    restored = Session.load(session.save(tmp_path / "saved.json"), autosave=False)
    assert restored.log == session.log
    assert restored.model.trace.settings == session.model.trace.settings
    (tmp_path / "answers.csv").write_text(session.export.to_csv("answers"))
    with pytest.warns(UserWarning, match="the same person"):
        assert len(read_answers(tmp_path / "answers.csv")) == 20
    linked = read_address(write_address(session, hide=()))
    assert [points for points, _ in linked.answers] == [entry.points for entry in session.log]
    names: dict[str, object] = {}
    exec(session.export.to_code(), names)
    np.testing.assert_array_equal(names["labels"], session.fit.labels)


@pytest.mark.parametrize("settings", [{"repeats": False}, {"epsilon": 0}, {"epsilon": 2 / 3}])
def test_nothing_is_repeated_where_no_error_rate_is_wanted(settings: dict) -> None:
    session = Session("close", autosave=None, **settings)
    talk(session, 20)
    assert repeated(session.log) == {}
    assert session.model.trace.settings == session.settings


def test_nothing_is_repeated_among_pairs_or_selected_points(session: Session) -> None:
    asking = talk(session, 9)
    asking.n_points = 2
    assert len(asking.next().points) == 2
    asking.n_points = 3
    asking.select(range(10))
    assert max(asking.next().points) < 10


def test_a_repeat_that_is_skipped_is_not_asked_for_again(session: Session) -> None:
    asking = talk(session, 9)
    points = {entry.points for entry in session.log}

    def is_repeat() -> bool:
        question = asking.question
        assert question is not None
        a, b, c = question.points
        return (a, c, b) in points

    asking.next()
    assert is_repeat()
    asking.skip()
    asking.next()
    assert not is_repeat()


def test_everybody_has_questions_of_their_own_repeated(session: Session) -> None:
    talk(session, 9, by="Ann")
    talk(session, 9, by="Bob")
    for name, rows in (("Ann", range(9)), ("Bob", range(9, 18))):
        a, b, c = due_repeat(session.log, name) or (0, 0, 0)
        assert (a, c, b) in [session.log[t].points for t in rows]
    assert due_repeat(session.log, "Cleo") is None


def test_simulated_people_and_functions_are_asked_nothing_twice(session: Session) -> None:
    session.answer_by_oracle(30, oracle="noisy")
    session.answer_by(lambda a, b, c: "yes", 15, name="function")
    assert repeated(session.log) == {}
    assert session.model.trace.settings == session.settings


def test_answers_that_contradict_each_other_are_fitted() -> None:
    session = Session("far", autosave=None)
    for points, answer in (((0, 60, 120), "yes"), ((0, 120, 60), "yes")):
        session.answer(points, answer)
    assert session.state.repeats == (1, 1)
    assert session.model.trace.settings.epsilon > 0.1
