"""A function answers in a session: saved as it comes, asked once, stopped when somebody wants it."""

import numpy as np
import pytest

from dcrc_explore.annotators import FunctionAnnotator, truth
from dcrc_explore.annotators.language_model import LanguageModel
from dcrc_explore.constraints import implied_answers
from dcrc_explore.datasets import as_dataset
from dcrc_explore.questions import random_triplets
from dcrc_explore.session import Session, SessionError
from dcrc_explore.session.answering import Seen, annotator_of
from dcrc_explore.session.inspection import agreements, people


@pytest.fixture
def session():
    return Session("far", autosave=None, parameters={"n_per_cluster": 20})


class Model:
    """Answers by the truth, which it finds by the rows, and counts what it was asked."""

    def __init__(self, session, then=lambda n: None):
        self.classes = {row.tobytes(): c for row, c in zip(session.dataset.X, session.dataset.y, strict=True)}
        self.asked, self.then = [], then
        self.name = "model"

    def __call__(self, a, b, c):
        question = [self.classes[row.tobytes()] for row in (a, b, c)]
        self.asked.append((a.tobytes(), *sorted((b.tobytes(), c.tobytes()))))
        self.then(len(self.asked))
        return int(implied_answers(question, [(0, 1, 2)])[0])


@pytest.mark.parametrize("strategy", ["guided", "random"])
def test_a_function_answers_under_its_name_as_one_step(session, strategy):
    session.answer((0, 1, 2), "yes", by="Ann")
    came = session.answer_by(Model(session), 15, strategy=strategy, name="my model")
    log = session.log
    assert len(came.triplets) == 15
    assert log.by == ["Ann"] + ["my model"] * 15
    np.testing.assert_array_equal(log.triplets.answers[1:], truth(session.dataset.y).answer(log.triplets.indices[1:]))
    assert np.isfinite(log.seconds[1:]).all()
    assert len(session.fit.log) == 16
    session.undo()
    assert len(session.log) == 1
    session.redo()
    assert len(session.log) == 16


def test_async_functions_and_batches_answer_too(session):
    model = Model(session)

    async def later(a, b, c):
        return model(a, b, c)

    assert len(session.answer_by(later, 12, strategy="random", concurrency=3).triplets) == 12
    assert session.log.names == ["later"]
    many = session.answer_by(lambda asked: [model(*items) for items in asked], 12, name="many", batch=4)
    assert len(many.triplets) == 12
    assert len(session.log) == 24


def test_each_answer_is_on_disk_before_the_next_question(tmp_path):
    session = Session("far", autosave=tmp_path / "answers.json", parameters={"n_per_cluster": 20})
    on_disk = []

    def look(n):
        if n > 1:
            on_disk.append(len(Session.load(session.file.path, autosave=False).log))

    session.answer_by(Model(session, look), 4)
    assert on_disk == [1, 2, 3]


def test_a_person_who_answers_meanwhile_keeps_their_own_step(session):
    model = Model(session, lambda n: session.answer((0, 1, 59), "yes", by="Ann") if n == 3 else None)
    session.answer_by(model, 5, strategy="random")
    assert session.log.by == ["model", "model", "Ann", "model", "model", "model"]
    lengths = []
    while session.history.undo_label:
        session.undo()
        lengths.append(len(session.log))
    assert lengths == [3, 2, 0]


def test_the_same_question_is_not_paid_for_twice(session, tmp_path):
    session.answer((0, 1, 59), "yes", by="Ann")
    session.answer((0, 59, 2), "no", by="Ann")
    model = Model(session)
    session.answer_by(model, strategy="shared")
    answers = session.log.answers.tolist()
    session.undo()
    assert [reply.tries for reply in session.answer_by(model, strategy="shared").replies] == [0, 0]
    assert session.log.answers.tolist() == answers
    loaded = Session.load(session.save(tmp_path / "again.json"), autosave=False)
    loaded.answer((0, 59, 1), "dnk", by="Bob")
    assert not loaded.answer_by(model, strategy="shared").replies
    assert len(model.asked) == 2


def test_what_others_were_asked_tells_how_far_they_agree(session):
    session.answer_by_oracle(10, strategy="random")
    came = session.answer_by(Model(session), 30, strategy="shared")
    assert len(came.replies) == 10
    np.testing.assert_array_equal(session.log.points[:10], session.log.points[10:])


def test_people_show_a_model_beside_those_who_calibrate_it(session):
    session.answer_by_oracle(30, strategy="random", oracle="people")
    y = session.dataset.y
    coin = np.random.default_rng(0)

    def chooses(asked):
        return [int(truth(y).answer([question])[0]) or coin.choice([-1, 1]) for question in asked]

    annotator = FunctionAnnotator(chooses, range(len(y)), batch=50)
    session.answer_by(annotator, 60, strategy="shared", name="model")
    session.answer_by(annotator, 30, strategy="random", name="model")
    session.answer((0, 1, 2), "dnk", by="Ann")
    oracle, model, _ = people(session)
    assert (model.n_triplets, model.dnk_rate, model.forced) == (60, 0, True)
    assert oracle.dnk_rate > 0.4
    assert not oracle.forced
    np.testing.assert_allclose(model.learned.sum(axis=1), 1)
    assert 0.2 < model.surprise < 5
    both, *strangers = agreements(session)
    assert (both.first, both.second, both.n_common) == ("people", "model", 30)
    assert -1 <= both.kappa < 0.6
    assert {each[:3] for each in strangers} == {("people", "Ann", 0), ("model", "Ann", 0)}


def test_a_source_without_dont_know_is_announced(session):
    questions = random_triplets(len(session.dataset.y), 60, seed=1)
    rng = np.random.default_rng(1)
    answers = truth(session.dataset.y).answer(questions)
    session.add(questions, np.where(answers == 0, rng.choice([-1, 1], size=60), answers), by="Ann")
    assert session.fit.forced == ("Ann",)
    assert session.model.story.endswith(
        "It seems they had to choose: Ann never said don't know, so some answers are taken for guesses."
    )
    assert people(session)[0].forced
    session.answer((0, 1, 2), "dnk", by="Ann")
    assert session.fit.forced == ()


def test_what_fails_or_is_skipped_is_reported_and_no_answer(session):
    model, errors = Model(session), []

    def moody(a, b, c):
        answer = model(a, b, c)
        if len(model.asked) % 3 == 0:
            raise OSError("busy")
        return None if len(model.asked) % 3 == 1 else answer

    came = session.answer_by(moody, 9, strategy="random", retries=0, progress=lambda far: errors.append(far.error))
    assert (len(session.log), len(came.skipped), len(came.failures)) == (3, 3, 3)
    assert repr(came) == "Collected(9 replies: 3 answers, 3 skipped, 3 failed: OSError: busy)"
    assert "OSError: busy" in errors
    assert len(set(model.asked)) == 9
    assert not session.questions.skipped


def test_a_run_ends_with_its_budget_or_when_it_is_stopped(session):
    assert not session.answer_by(Model(session), max_seconds=0).replies
    assert session.history.undo_label is None
    assert len(session.answer_by(Model(session), progress=lambda far: far.done < 4).replies) == 4
    annotator = FunctionAnnotator(Model(session), session.dataset.X, max_questions=3)
    assert len(session.answer_by(annotator, 10, name="three").replies) == 3
    assert session.log.by == ["model"] * 4 + ["three"] * 3


def test_other_data_end_a_run(session):
    model = Model(session, lambda n: session.set_data("close") if n == 3 else None)
    assert len(session.answer_by(model, 8, strategy="random").replies) == 2
    assert session.dataset.name == "close"
    assert not session.log


def test_a_function_gets_what_the_data_are_made_of():
    X = np.arange(6.0).reshape(3, 2)
    images = np.zeros((3, 4, 4), dtype=np.uint8)
    assert list(Seen(as_dataset(X, items=["a", "b", "c"]))) == ["a", "b", "c"]
    np.testing.assert_array_equal(Seen(as_dataset(X))[1], X[1])
    np.testing.assert_array_equal(Seen(as_dataset(X, items=images))[2], images[2])
    model = LanguageModel("http://localhost:1/v1", "small")
    for items, begin in ((images, b"\x89PNG"), (["a", "b", "c"], "a"), (None, "x1 = 0")):
        shown = annotator_of(Session(as_dataset(X, items=items), autosave=None), model, None, {}).items
        assert shown[0].startswith(begin)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"annotator": 3}, "function must be callable with three items, got 3"),
        ({"n": -1}, "n must be a whole number of at least 0, got -1"),
        ({"strategy": "clever"}, "strategy must be one of .*, shared, got 'clever'"),
        ({"name": "truth"}, "'truth' is the name of simulated people"),
        ({"batch": 0}, "batch must be a whole number of at least 1, got 0"),
        ({"annotator": FunctionAnnotator(max, "ab")}, "one item for each of 60 points, got 2"),
    ],
)
def test_what_makes_no_sense_is_said_and_changes_nothing(session, options, sentence):
    with pytest.raises((SessionError, TypeError), match=sentence):
        session.answer_by(**{"annotator": lambda a, b, c: "yes", "name": "model"} | options)
    assert not session.log
