"""Who answered, and answers about pairs: given, taken back, kept, heard and exported like every other answer."""

import json

import numpy as np
import pytest

from dcrc_explore import DCRC
from dcrc_explore.annotators import GUESSING, Oracle
from dcrc_explore.questions import random_pairs, random_triplets
from dcrc_explore.session import Pair, Session, SessionError, explain_point, find_sessions, known_errors, plant

SMALL = {"n_per_cluster": 5}


def two_people(folder=None, **settings) -> Session:
    """Ann answers by the truth, Bob guesses; both about triplets and pairs."""
    session = Session("close", autosave=folder, **settings)
    y = session.dataset.y
    questions, pairs = random_triplets(150, 80, seed=0), random_pairs(150, 20, seed=0)
    together = np.where(y[pairs[:, 0]] == y[pairs[:, 1]], 1, -1)
    for place, (name, confusion) in enumerate([("Ann", np.eye(3)), ("Bob", GUESSING)]):
        session.person = name
        session.add(questions[place::2], Oracle(y, confusion, seed=0).answer(questions[place::2]))
        session.add(pairs[place::2], together[place::2])
    return session


def steps(session: Session):
    """Do one thing of every kind, and say after each that it is done."""
    session.person = "Ann"
    yield session.answer((0, 1, 2), "yes")
    yield session.answer((0, 7), "no")
    yield session.add([(1, 2), (3, 9)], ["yes", "dnk"])
    session.person = "Bob"
    yield session.answer((4, 11), "yes")
    yield session.revise({1: "yes"})
    yield session.delete(2)
    yield session.undo()
    yield session.undo()
    yield session.redo()
    yield plant(session, 1)
    yield session.set(per_person=False)


class TestPairs:
    def test_an_answer_about_a_pair_is_a_step_that_is_undone_and_done_again(self):
        session = Session("close", parameters=SMALL, autosave=None)
        given = session.answer((0, 7), "no")
        assert (given.points, given.answer.name, given.by) == ((0, 7), "NO", "user")
        assert 0 < given.surprise < 5
        assert session.history.undo_label == "answer 1"
        session.undo()
        assert not session.log
        session.redo()
        assert session.log[0] == given

    def test_the_model_is_the_one_of_the_estimator(self):
        session = Session("close", autosave=None, restart=True)
        session.add(random_triplets(150, 20, seed=0), [0, 1, -1, 0] * 5)
        session.add([(0, 149), (3, 7)], ["no", "yes"])
        model = DCRC(**session.settings.model_parameters())
        model.fit(session.dataset.X, triplets=session.log.triplets, pairs=session.log.pairs)
        labels = session.model.trace.numbers[model.labels_]
        np.testing.assert_array_equal(session.fit.labels, labels)

    def test_what_is_satisfied_and_violated(self):
        session = Session("far", autosave=None)
        first, second = np.flatnonzero(session.fit.labels == 0)[:2].tolist()
        session.add([(first, second)] * 3, ["yes", "yes", "yes"])
        session.add([(first, second)] * 2, ["no", "dnk"])
        assert session.fit.violated.tolist() == [False, False, False, True, False]
        assert session.model.story.startswith("Answers 4 to 5. ")
        assert "4 of 5 answers are satisfied" in session.model.story

    def test_what_was_asked_or_skipped_is_not_suggested(self):
        session = Session(np.random.default_rng(0).normal(size=(4, 2)), autosave=None, n_clusters=2)
        seen = set()
        for step in range(6):
            pair = session.questions.suggest("random" if step % 2 else "informative", n_points=2)
            seen.add(frozenset(pair))
            if step < 3:
                session.answer(pair, "dnk")
            else:
                session.questions.skip(pair)
        assert len(seen) == 6
        with pytest.raises(SessionError, match="pair"):
            session.questions.suggest(n_points=2)

    def test_what_is_expected_of_a_pair(self):
        """As the model hears pairs: right to wrong as 1 - epsilon to epsilon / 2; the bits by enumeration."""
        session = Session("close", autosave=None, epsilon=0.3)
        yes, no, dnk, bits = session.questions.expected((0, 1))
        assert dnk == 0
        first, second = session.fit.proba[[0, 1]]
        together, right = float(first @ second), 0.7 / 0.85
        assert yes == pytest.approx(together * right + (1 - together) * (1 - right))
        assert no == pytest.approx(1 - yes)
        joint = np.array(
            [[together * right, together * (1 - right)], [(1 - together) * (1 - right), (1 - together) * right]]
        )
        alone = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
        assert bits == pytest.approx(np.sum(joint * np.log2(joint / alone)))

    def test_bad_strategies_and_names_are_told_before_anything_changes(self):
        session = Session("close", autosave=None)
        with pytest.raises(SessionError, match=r"strategy must be one of .*, got 'nonsense'"):
            session.questions.suggest("nonsense", n_points=2)
        for name in ("x" * 41, "two\nlines", "\ud800"):
            for said in (
                lambda by: session.answer((0, 1, 2), "yes", by=by),
                lambda by: session.answer((0, 1), "no", by=by),
            ):
                with pytest.raises(SessionError, match="a name must be a line of at most 40 characters"):
                    said(name)
        assert session.state.n_answers == 0

    def test_guided_questions_build_on_pairs_and_a_second_model_follows_them(self):
        session = Session("close", autosave=None)
        pair = Pair(session)
        session.answer((0, 149), "no")
        assert pair.second.log.pairs == session.log.pairs
        assert len(set(session.questions.suggest())) == 3
        session.undo()
        assert not len(pair.second.log.pairs)


class TestPeople:
    def test_one_person_is_heard_by_epsilon_and_two_by_errors_of_their_own(self):
        session = Session("close", autosave=None)
        session.answer((0, 1, 2), "yes")
        assert session.fit.people == {}
        session.answer((3, 4, 5), "yes", by="Bob")
        assert set(session.fit.people) == {"user", "Bob"}
        assert session.model.story.endswith("Each person has a noise model of their own now.")

    @pytest.mark.parametrize("settings", [{"epsilon": 0}, {"epsilon": 2 / 3}, {"per_person": False}])
    def test_hard_and_ignored_answers_are_heard_alike_and_so_is_everybody_on_request(self, settings):
        assert two_people(**settings).fit.people == {}

    def test_who_guesses_is_found(self):
        session = two_people()
        ann, bob = (np.diag(session.fit.people[name].matrix).mean() for name in ("Ann", "Bob"))
        assert ann > bob + 0.2

    @pytest.mark.parametrize("settings", [{}, {"epsilon": 0}, {"use_dnk": False}, {"per_person": False}])
    def test_an_explanation_ends_in_the_q_of_the_fit(self, settings):
        session = two_people(**settings)
        for point in [0, 7, 60, 149, *session.log.pairs.indices[:4].ravel().tolist()]:
            why = explain_point(session, point)
            np.testing.assert_allclose(why.q, session.fit.posterior[point], atol=1e-3)
            assert sum(part.is_pair for part in why.contributions) == (session.log.pairs.indices == point).sum()

    def test_errors_are_planted_in_what_one_person_said(self):
        session = two_people()
        plant(session, 5, person="Ann")
        givers = np.array(session.log.by)
        assert (givers[session.log.planted] == "Ann").all()
        assert session.log.planted.sum() == 5
        with pytest.raises(SessionError, match="right answers of Ann, 45, got 46"):
            plant(session, 46, person="Ann")


class TestKeeping:
    def test_every_step_is_on_disk_when_it_is_done(self, tmp_path):
        session = Session("close", parameters=SMALL, autosave=tmp_path)
        for _ in steps(session):
            loaded = Session.load(session.file.path, autosave=False)
            assert loaded.log == session.log
            assert loaded.settings == session.settings
            np.testing.assert_array_equal(loaded.fit.labels, session.fit.labels)
        assert loaded.person == "Bob"
        copy = Session.load(session.save(tmp_path / "copy.json"), autosave=False)
        assert copy.log == session.log
        assert known_errors(copy).sum() == 1

    def test_pairs_alone_are_worth_a_file_and_are_found_again(self, tmp_path):
        session = Session("close", parameters=SMALL, autosave=tmp_path)
        session.answer((0, 7), "no")
        (found,) = find_sessions(tmp_path)
        assert found.n_answers == 1

    def test_files_of_before_are_refused_in_a_sentence(self, tmp_path):
        session = Session("close", parameters=SMALL, autosave=None)
        session.answer((0, 1, 2), "yes")
        session.answer((3, 4, 5), "no", by="truth")
        document = json.loads(session.save(tmp_path / "now.json").read_text())
        (tmp_path / "before.json").write_text(json.dumps(document | {"version": 1}))
        with pytest.raises(SessionError, match="before the first release, whose files are not read any more"):
            Session.load(tmp_path / "before.json", autosave=False)

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            ({"points": [0, 0]}, "two different instances"),
            ({"points": [0, 15]}, "between 0 and 14"),
            ({"points": [0, 1, 2, 3]}, "three row numbers or two"),
            ({"answer": "maybe"}, "an answer must be"),
            ({"by": 7}, "giver of an answer must be a text"),
            ({"planted": 1}, "planted must be true or false"),
            ({"triplet": [0, 1, 2]}, "unknown field 'triplet'"),
        ],
    )
    def test_every_field_of_a_pair_is_checked(self, tmp_path, change, sentence):
        session = Session("close", parameters=SMALL, autosave=None)
        session.answer((0, 7), "no")
        path = session.save(tmp_path / "session.json")
        document = json.loads(path.read_text())
        document["log"][0] |= change
        path.write_text(json.dumps(document))
        with pytest.raises(SessionError, match=sentence):
            Session.load(path)

    def test_the_program_makes_the_same_model(self):
        session = two_people()
        names: dict = {}
        exec(session.export.to_code(), names)
        np.testing.assert_array_equal(names["labels"], session.fit.labels)


class TestFilesOfAnswers:
    def test_what_is_exported_is_read_again_as_one_step(self, tmp_path):
        session = two_people()
        (tmp_path / "answers.csv").write_text(session.export.to_csv())
        other = Session("close", autosave=None)
        assert other.add_csv(tmp_path / "answers.csv") == session.state.n_answers
        assert (other.log.triplets, other.log.pairs) == (session.log.triplets, session.log.pairs)
        assert [entry.points for entry in other.log] == [entry.points for entry in session.log]
        assert other.log.by == session.log.by
        assert other.history.undo_label == "answers 1 to 100"
        other.undo()
        assert not other.state.n_answers

    def test_an_export_is_read_again_where_items_are_called_by_numbers(self, tmp_path):
        session = Session(np.eye(3), items=["2", "0", "1"], autosave=None, n_clusters=2)
        session.answer((0, 1, 2), "yes")
        (tmp_path / "answers.csv").write_text(session.export.to_csv())
        other = Session(session.dataset, autosave=None, n_clusters=2)
        other.add_csv(tmp_path / "answers.csv")
        assert other.log[0].points == (0, 1, 2)

    def test_answers_without_a_name_are_those_of_whoever_reads_them(self, tmp_path):
        (tmp_path / "answers.csv").write_text("i,j,k,answer\n0,1,2,yes\n3,4,,no\n")
        session = Session("close", autosave=None)
        session.person = "Eve"
        assert session.add_csv(tmp_path / "answers.csv") == 2
        assert session.log.by == ["Eve", "Eve"]

    @pytest.mark.parametrize(
        ("text", "points", "by"),
        [
            ("head,winner,loser,puid\n0,2,1,p7\n", (0, 2, 1), "p7"),
            ("0 2 1\n1 0 2", (0, 2, 1), "user"),
            ("0 2 ML\n", (0, 2), "user"),
            ("a,b,c,answer,annotator\na fox,a wolf,a hen,yes,Ann\n", (0, 2, 1), "Ann"),
        ],
    )
    def test_files_of_other_tools_are_added_too(self, tmp_path, text, points, by):
        (tmp_path / "answers.txt").write_text(text)
        X = np.arange(6.0).reshape(3, 2)
        session = Session(X, items=["a fox", "a hen", "a wolf"], autosave=None, n_clusters=2)
        assert session.add_csv(tmp_path / "answers.txt") == len(session.log)
        entry = session.log[0]
        assert (entry.points, entry.answer.name, entry.by) == (points, "YES", by)

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("", "answers.csv must hold answers, got an empty file"),
            ("head,winner,loser\n0,1,150\n", "line 2 of answers.csv must hold row numbers from 0 to 149, got '150'"),
            ("i,k,answer\n0,1,yes\n", "line 1 of answers.csv must name the columns a, b, c, answer, got i, k"),
            (
                "i,j,k,answer\n0,1,2,yes\n0,1,x,yes\n",
                "line 3 of answers.csv must hold row numbers from 0 to 149, got 'x'",
            ),
            ("i,j,k,answer\n0,1,2,perhaps\n", "line 2 of answers.csv must have the answer yes, no or don't know"),
            ("i,j,k,answer\n0,1,2,yes\n3,3,,yes\n", "line 3 of answers.csv must name 2 different items, got 3, 3"),
            ("i,j,k,answer\n0,1,150,yes\n", "line 2 of answers.csv must hold row numbers from 0 to 149, got '150'"),
            (f"i,j,k,answer,by\n0,1,2,yes,{'x' * 41}\n", "at most 40 characters"),
        ],
    )
    def test_a_file_with_a_mistake_changes_nothing(self, tmp_path, text, sentence):
        (tmp_path / "answers.csv").write_text(text)
        session = Session("close", autosave=None)
        with pytest.raises(SessionError, match=sentence):
            session.add_csv(tmp_path / "answers.csv")
        assert session.history.undo_label is None


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda session: session.answer((1, 1), "yes"), "two different instances"),
        (lambda session: session.answer((1, 2, 3, 4), "yes"), "three points or two, got one about 4"),
        (lambda session: session.answer((1, 150), "yes"), "between 0 and 149"),
        (lambda session: session.answer((1, 2), "maybe"), "an answer must be"),
        (lambda session: session.delete(0), "there are 0 answers"),
        (lambda session: session.add([(0, 1, 2)], ["yes"], by=["Ann", "Bob"]), "one name for all of 1 answers"),
        (lambda session: session.answer((0, 1, 2), "yes", by=7), "one name for all"),
        (lambda session: setattr(session, "person", 7), "must be a text, got 7"),
        (lambda session: setattr(session, "person", "  "), "1 to 40 characters, got 0"),
        (lambda session: setattr(session, "person", "truth"), "name of simulated people"),
        (lambda session: session.set(per_person="no"), "per_person must be True or False"),
    ],
)
def test_what_makes_no_sense_is_said_and_changes_nothing(act, sentence):
    session = Session("close", autosave=None)
    with pytest.raises(SessionError, match=sentence):
        act(session)
    assert session.history.undo_label is None
    assert session.person == "user"


@pytest.mark.parametrize("name", ["Ann\u202enosB", "A\u200bnn", "\u2067Bob", "A\x00nn"])
def test_marks_that_nobody_sees_are_no_part_of_a_name(name):
    """One of them would turn what stands beside it on the screen, or let two names look the same."""
    session = Session("close", autosave=None)
    with pytest.raises(SessionError, match="a person's name must have no invisible characters"):
        session.person = name
    with pytest.raises(SessionError, match="the name of a cluster must have no invisible characters"):
        session.name_cluster(0, name)
    assert session.state.names == ()
