"""Two models are judged by the truth where it is known, else by the answers, and the sentence says by which."""

import pytest

from dcrc_explore import Triplets
from dcrc_explore.inspection import verdict
from dcrc_explore.scenes import load_scene, play

Y = [0, 0, 0, 1, 1, 1]
RIGHT, WRONG = ((0, 1, 3), "yes"), ((0, 1, 3), "no")


def answers(*given):
    return Triplets([question for question, _ in given], [answer for _, answer in given])


def test_obeying_a_wrong_answer_is_named_and_is_no_merit():
    hard = [0, 1, 0, 0, 1, 1]
    judged = verdict(Y, hard, answers(RIGHT, WRONG), Y)
    assert judged.agreement[0] == 1
    assert judged.obeyed == ((), (1,))
    assert judged.satisfied == (1, 1)
    assert (
        str(judged)
        == f"Agreement with the truth: soft 1.00, hard {judged.agreement[1]:.2f}; hard obeys the wrong answer 2."
    )


def test_a_wrong_answer_that_both_obey_is_held_against_neither():
    hard = [0, 1, 0, 0, 1, 1]
    assert str(verdict(hard, hard, answers(WRONG), Y)).startswith("Soft and hard agree equally with the truth")
    assert "obeys" not in str(verdict(hard, hard, answers(WRONG), Y))


def test_many_wrong_answers_are_counted():
    hard = [0, 1, 0, 0, 1, 1]
    judged = verdict(Y, hard, answers(*[WRONG] * 4), Y, names=("left", "right"))
    assert str(judged).endswith("right alone obeys 4 of 4 wrong answers.")
    assert str(verdict(Y, hard, answers(WRONG, WRONG), Y)).endswith("hard obeys the wrong answers 1, 2.")


def test_without_the_truth_the_sentence_says_by_what():
    hard = [0, 1, 0, 0, 1, 1]
    unknown = "The truth is unknown"
    assert str(verdict(Y, hard, answers(RIGHT))) == (
        f"{unknown}. By the answers alone: soft satisfies 1 of 1 answer, hard 0."
    )
    assert str(verdict(Y, hard, answers(RIGHT, WRONG))) == (
        f"{unknown}. By the answers alone: soft and hard both satisfy 1 of 2 answers."
    )
    assert str(verdict(Y, hard, Triplets())).startswith(f"{unknown} and there are no answers")


def test_clusters_of_other_points_are_refused():
    with pytest.raises(ValueError, match=r"same N points, got \(6,\) and \(5,\)"):
        verdict(Y, Y[:5], Triplets())


def test_the_scene_of_one_wrong_answer_is_judged_by_the_truth():
    first, second = play(load_scene("one-wrong-answer"))[1]
    state = first.state
    judged = verdict(first.fit.labels, second.fit.labels, state.log.triplets, state.subject.dataset.y)
    assert judged.agreement == (first.agreement, second.agreement)
    assert judged.n_wrong == 1
    assert str(judged).startswith(f"Agreement with the truth: soft {first.agreement:.2f}, hard {second.agreement:.2f}")


def test_a_hidden_truth_is_not_told_and_answers_have_the_numbers_of_the_list():
    hard = [0, 1, 0, 0, 1, 1]
    assert str(verdict(Y, hard, answers(RIGHT), Y, hidden=True)).startswith("The truth is hidden. By the answers alone")
    assert str(verdict(Y, hard, answers(WRONG), Y, numbers=[6])).endswith("hard obeys the wrong answer 7.")
