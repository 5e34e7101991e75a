"""The one record of answers: append-only in spirit, cheap to grow, the same for every reader."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcrc_explore import DCRC
from dcrc_explore.constraints import Answer, Log, Pairs, Triplets, implied_answers

N = 12
questions = st.lists(st.integers(0, N - 1), min_size=2, max_size=3, unique=True).map(tuple)
entries = st.lists(st.tuples(questions, st.sampled_from([1, -1, 0]), st.sampled_from(["Ann", "Bob"])), max_size=30)


def made_of(rows) -> Log:
    log = Log()
    for points, answer, by in rows:
        log = log.plus([points], [answer], by=by, n_samples=N)
    return log


@settings(max_examples=50, deadline=None)
@given(entries)
def test_the_order_is_that_in_which_answers_came_and_the_estimators_views_lead_back_to_it(rows):
    log = made_of(rows)
    assert [(entry.points, int(entry.answer), entry.by) for entry in log] == rows
    for view, positions in ((log.triplets, log.triplet_positions), (log.pairs, log.pair_positions)):
        assert [(points, int(answer)) for points, answer in view] == [rows[t][:2] for t in positions]
    assert log.annotators == tuple(rows[t][2] for t in (*log.triplet_positions, *log.pair_positions))
    labels = np.arange(N) % 3
    violated = log.violated(labels)
    for t, (points, answer, _) in enumerate(rows):
        if len(points) == 3:
            assert violated[t] == (implied_answers(labels, [points])[0] != answer)
        else:
            assert violated[t] == (answer != 0 and (labels[points[0]] == labels[points[1]]) != (answer == 1))


@settings(max_examples=50, deadline=None)
@given(entries, st.data())
def test_a_log_never_changes_whatever_follows_from_it(rows, data):
    log = made_of(rows)
    before = list(log)
    longer = log.plus([(0, 1)], "yes").plus([(0, 1, 2)], "no")
    other = log.plus([(2, 3)], "dnk", by="Eve")
    assert longer.shared(other) == longer.shared(log) == len(rows)
    if rows:
        t = data.draw(st.integers(0, len(rows) - 1))
        revised = log.revised({t: "dnk"}, by="Bob")
        assert (revised[t].answer, revised[t].by, revised[t].surprise) == (Answer.DNK, "Bob", None)
        assert len(log.without(t)) == len(rows) - 1
        assert log.revised({t: "yes"}, by=None)[t].planted
    assert list(log) == before


def test_the_estimator_takes_a_log():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 2))
    log = made_of([((0, 1, 2), 1, "Ann"), ((3, 4), -1, "Bob"), ((5, 6, 7), 0, "Bob")])
    arrays = {"triplets": [(0, 1, 2), (5, 6, 7)], "answers": [1, 0], "pairs": [(3, 4)], "pair_answers": [-1]}
    np.testing.assert_array_equal(
        DCRC(2, random_state=0).fit(X, triplets=log).coef_, DCRC(2, random_state=0).fit(X, **arrays).coef_
    )
    people = DCRC(2, confusion="learned", random_state=0)
    np.testing.assert_array_equal(
        people.fit(X, triplets=log).coef_, people.fit(X, **arrays, annotators=["Ann", "Bob", "Bob"]).coef_
    )
    with pytest.raises(ValueError, match="either a Log or these"):
        people.fit(X, triplets=log, annotators=["Ann"] * 3)


@pytest.mark.parametrize(
    ("points", "answers", "by", "words"),
    [
        ([(0, 1, 2, 3)], ["yes"], "Ann", "three points or two, got one about 4"),
        ([(0, 0)], ["yes"], "Ann", "two different instances"),
        ([(0, 1, N)], ["yes"], "Ann", f"between 0 and {N - 1}"),
        ([(0, 1)], ["maybe"], "Ann", "an answer must be"),
        ([(0, 1)], ["yes", "no"], "Ann", "each question needs one answer"),
        ([(0, 1)], ["yes"], "", "a name must be a line"),
        ([(0, 1)], ["yes"], ["Ann", "Bob"], "one name for all of 1"),
    ],
)
def test_what_makes_no_sense_is_refused(points, answers, by, words):
    with pytest.raises(ValueError, match=words):
        Log().plus(points, answers, by=by, n_samples=N)


def test_views_are_shared_with_the_columns_as_long_as_all_are_of_one_kind():
    log = Log().plus([(0, 1, 2)] * 5, [1] * 5)
    assert np.shares_memory(log.triplets.indices, log.plus([(0, 1, 2)], 1).points)
    assert (type(log.triplets), type(log.pairs)) == (Triplets, Pairs)
