"""Functions as annotators: asked once, within a budget, and believed only when they answer."""

import asyncio
import threading

import numpy as np
import pytest

from dcrc_explore import Answer, Triplets
from dcrc_explore.annotators import CallFailed, FunctionAnnotator, Progress

ITEMS = [0.0, 0.1, 0.2, 5.0, 5.1, 5.2]
QUESTIONS = [(0, 1, 3), (3, 0, 4), (1, 4, 2), (5, 4, 0)]
EXPECTED = [1, -1, -1, 1]


def nearer(a, b, c):
    return "yes" if abs(a - b) < abs(a - c) else "no"


async def nearer_later(a, b, c):
    await asyncio.sleep(0)
    return nearer(a, b, c)


class Flaky:
    """Fails as often as it is told to, then answers."""

    def __init__(self, *errors):
        self.errors, self.calls = list(errors), 0

    def __call__(self, a, b, c):
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return nearer(a, b, c)


def in_order(collected):
    by_question = {reply.question: reply.answer for reply in collected.replies}
    return [by_question[question] for question in QUESTIONS]


@pytest.mark.parametrize("function", [nearer, nearer_later])
def test_plain_and_async_functions_answer_the_same(function):
    annotator = FunctionAnnotator(function, ITEMS)
    collected = annotator.ask(QUESTIONS)
    assert in_order(collected) == EXPECTED
    assert len(collected.triplets) == annotator.asked == 4
    assert annotator.name == function.__name__
    assert not collected.failures


@pytest.mark.parametrize("is_async", [False, True])
def test_a_batch_is_one_call(is_async):
    sizes = []

    def of_many(questions):
        sizes.append(len(questions))
        return [nearer(*items) for items in questions]

    async def of_many_later(questions):
        return of_many(questions)

    annotator = FunctionAnnotator(of_many_later if is_async else of_many, ITEMS, batch=3, concurrency=1)
    assert in_order(annotator.ask(QUESTIONS)) == EXPECTED
    assert sizes == [3, 1]


def test_answers_may_be_written_in_every_way_and_none_skips():
    given = iter([Answer.YES, "don't know", None, -1])
    collected = FunctionAnnotator(lambda a, b, c: next(given), ITEMS).ask(QUESTIONS)
    assert collected.triplets == Triplets([QUESTIONS[0], QUESTIONS[1], QUESTIONS[3]], ["yes", "dnk", "no"])
    assert collected.skipped == [QUESTIONS[2]]


@pytest.mark.parametrize("function", [nearer, nearer_later])
def test_the_same_question_is_paid_for_once(function):
    cache = {}
    annotator = FunctionAnnotator(function, ITEMS, cache=cache, name="ruler")
    replies = annotator.ask([(0, 1, 3), (0, 3, 1), (0, 1, 3)]).replies
    assert [int(reply.answer) for reply in replies] == [1, -1, 1]
    assert [reply.tries for reply in replies] == [1, 0, 0]
    # Another annotator of the same name knows it, one of another name does not.
    assert FunctionAnnotator(function, ITEMS, cache=cache, name="ruler").ask([(0, 3, 1)]).replies[0].tries == 0
    assert FunctionAnnotator(function, ITEMS, cache=cache, name="other").ask([(0, 3, 1)]).replies[0].tries == 1


def test_a_failing_call_is_tried_again_and_then_reported_but_never_counted():
    function = Flaky(OSError("busy"), OSError("busy"))
    collected = FunctionAnnotator(function, ITEMS, backoff=0).ask(QUESTIONS)
    assert in_order(collected) == EXPECTED
    assert collected.replies[0].tries == 3
    function = Flaky(*[OSError("busy")] * 3)
    annotator = FunctionAnnotator(function, ITEMS, backoff=0)
    collected = annotator.ask(QUESTIONS)
    assert [(reply.question, reply.error, reply.tries) for reply in collected.failures] == [
        (QUESTIONS[0], "OSError: busy", 3)
    ]
    assert collected.triplets == Triplets(QUESTIONS[1:], EXPECTED[1:])
    # What failed is not known: it is asked again.
    assert annotator.ask(QUESTIONS[:1]).triplets.answers.tolist() == [1]


@pytest.mark.parametrize("nonsense", ["perhaps", True, 7, ["yes"]])
def test_nonsense_is_no_answer(nonsense):
    collected = FunctionAnnotator(lambda a, b, c: nonsense, ITEMS, retries=0).ask(QUESTIONS[:1])
    assert len(collected.triplets) == 0
    assert "must return 'yes', 'no', \"don't know\" or None, got" in collected.failures[0].error


def test_a_batch_of_the_wrong_size_fails_as_a_whole():
    collected = FunctionAnnotator(lambda questions: ["yes"], ITEMS, batch=4, retries=0).ask(QUESTIONS)
    assert len(collected.failures) == 4
    assert "one answer for each of 4 questions, got 1" in collected.failures[0].error


def test_an_error_that_no_try_mends_ends_the_run():
    function = Flaky(CallFailed("the key is wrong", retry=False))
    collected = FunctionAnnotator(function, ITEMS).ask(QUESTIONS)
    assert function.calls == 1
    assert [reply.error for reply in collected.replies] == ["the key is wrong"]


@pytest.mark.parametrize("function", [nearer, nearer_later])
def test_the_budget_of_questions_holds_over_runs(function):
    annotator = FunctionAnnotator(function, ITEMS, max_questions=3)
    assert len(annotator.ask(QUESTIONS[:2]).replies) == 2
    assert len(annotator.ask(QUESTIONS[2:]).replies) == 1
    # What is known costs nothing.
    assert len(annotator.ask(QUESTIONS[:2]).replies) == 2
    assert annotator.asked == 3


def test_without_time_nothing_is_asked():
    annotator = FunctionAnnotator(nearer, ITEMS, max_seconds=0)
    assert annotator.ask(QUESTIONS).replies == []
    assert annotator.asked == 0


@pytest.mark.parametrize("is_async", [False, True])
def test_a_call_that_takes_too_long_is_given_up(is_async):
    never = threading.Event()

    def hangs(a, b, c):
        never.wait(30)

    async def hangs_later(a, b, c):
        await asyncio.Event().wait()

    annotator = FunctionAnnotator(hangs_later if is_async else hangs, ITEMS, timeout=0.05, retries=0)
    collected = annotator.ask(QUESTIONS[:1])
    never.set()
    assert collected.failures[0].error == "no answer within 0.05 seconds"


def test_async_calls_run_at_once():
    together = 0
    most = 0

    async def counts(a, b, c):
        nonlocal together, most
        together += 1
        most = max(most, together)
        await asyncio.sleep(0.01)
        together -= 1
        return "yes"

    many = [(0, 1, 2), (0, 1, 3), (0, 1, 4), (0, 1, 5), (1, 2, 3), (1, 2, 4)]
    FunctionAnnotator(counts, ITEMS, concurrency=3).ask(many)
    assert most == 3


@pytest.mark.parametrize("is_async", [False, True])
def test_stop_leaves_the_other_questions_unasked_and_ends_those_in_the_air(is_async):
    calls = []

    async def hangs_after_the_first(a, b, c):
        calls.append((a, b, c))
        if len(calls) > 1:
            await asyncio.Event().wait()
        return "yes"

    annotator = FunctionAnnotator(hangs_after_the_first if is_async else nearer, ITEMS, concurrency=1)
    replies = annotator.replies(QUESTIONS)
    next(replies)
    annotator.stop()
    assert list(replies) == []
    assert annotator.asked <= 2


def test_stop_ends_the_wait_before_another_try():
    annotator = FunctionAnnotator(Flaky(*[OSError("busy")] * 9), ITEMS, retries=5, backoff=1000)
    timer = threading.Timer(0.05, annotator.stop)
    timer.start()
    assert annotator.ask(QUESTIONS[:1]).failures[0].error == "OSError: busy"


def test_waits_are_those_a_service_asks_for():
    annotator = FunctionAnnotator(Flaky(CallFailed("slower", retry_after=0.0)), ITEMS, backoff=1000)
    assert len(annotator.ask(QUESTIONS[:1]).triplets) == 1


def test_progress_tells_the_time_left():
    seen = []
    FunctionAnnotator(Flaky(ValueError("x")), ITEMS, retries=0, progress=seen.append).ask(QUESTIONS)
    told = [(0, 4, 0, None), (0, 4, 0, "ValueError: x"), *((done, 4, 1, "ValueError: x") for done in (1, 2, 3, 4))]
    assert [(at.done, at.total, at.failed, at.error) for at in seen] == told
    assert seen[-1].seconds_left == 0
    assert Progress(5, 20, 0, 10.0).seconds_left == 30
    assert Progress(0, 20, 0, 1.0).seconds_left is None


def test_progress_may_stop_a_run():
    annotator = FunctionAnnotator(nearer, ITEMS, progress=lambda far: far.done < 2)
    assert len(annotator.ask(QUESTIONS).replies) == 2


def test_a_conversation_chooses_each_round_by_what_came_before_and_ends_with_nothing_to_ask():
    answered, lefts = [], []

    def choose(left):
        lefts.append(left)
        return QUESTIONS[len(answered) : len(answered) + 2] if len(answered) < 3 else []

    for came in FunctionAnnotator(nearer, ITEMS, batch=None).converse(100, choose):
        answered += came
    assert [reply.question for reply in answered] == [tuple(question) for question in QUESTIONS]
    assert lefts == [100, 98, 96]


def test_a_stop_between_two_rounds_ends_the_conversation():
    annotator = FunctionAnnotator(nearer, ITEMS)

    def choose(left):
        if left < 4:
            annotator.stop()
        return QUESTIONS[4 - left : 5 - left]

    assert sum(map(len, annotator.converse(4, choose))) == 1


def test_async_functions_work_where_a_loop_is_running():
    async def notebook():
        return FunctionAnnotator(nearer_later, ITEMS).ask(QUESTIONS)

    assert in_order(asyncio.run(notebook())) == EXPECTED


def test_items_may_be_rows():
    X = np.array([[0.0, 0], [0, 1], [9, 9]])
    seen = []
    FunctionAnnotator(lambda a, b, c: seen.append((a, b, c)) or "yes", X).ask([(2, 0, 1)])
    np.testing.assert_array_equal(seen[0], X[[2, 0, 1]])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"function": 3}, "function must be callable with three items, got 3"),
        ({"batch": 0}, "batch must be a whole number of at least 1, got 0"),
        ({"retries": 1.5}, "retries must be a whole number of at least 0"),
        ({"timeout": -1}, "timeout must be a number of seconds, at least 0, got -1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    with pytest.raises((TypeError, ValueError), match=message):
        FunctionAnnotator(**{"function": nearer, "items": ITEMS} | settings)


def test_questions_about_unknown_items_are_refused_before_any_call():
    function = Flaky()
    with pytest.raises(ValueError, match=r"between 0 and 5 .* got \(0, 1, 6\)"):
        FunctionAnnotator(function, ITEMS).ask([(0, 1, 6)])
    assert function.calls == 0
