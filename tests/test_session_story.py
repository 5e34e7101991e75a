"""What the tool says about answers, changes and points: true for every case, and short."""

from itertools import product

import numpy as np
import pytest

from dcrc_explore import Answer, Triplets
from dcrc_explore.constraints import implied_answers
from dcrc_explore.inspection import explain
from dcrc_explore.session import Session, SessionError
from dcrc_explore.session.story import asserts, kept, lesson, moves, why


@pytest.mark.parametrize("n_clusters", [2, 3, 4])
def test_what_an_answer_asserts_is_true_of_exactly_its_clusterings(n_clusters):
    """Read the words back: which of A B, A C, B C share a cluster."""
    for labels in product(range(n_clusters), repeat=3):
        a, b, c = labels
        answer = Answer(int(implied_answers(labels, [(0, 1, 2)])[0]))
        holds = {
            "A and B together, C apart": a == b != c,
            "A and C together, B apart": a == c != b,
            "B and C together": b == c,
            "all together, all apart, or B with C": a == b == c or len({a, b, c}) == 3 or (b == c != a),
        }
        for candidate in Answer:
            assert holds[asserts(candidate, n_clusters)] == (candidate is answer)


@pytest.mark.parametrize("labels", list(product(range(3), repeat=3)))
@pytest.mark.parametrize("answer", list(Answer))
def test_a_lesson_agrees_with_the_truth_just_when_the_answer_does(labels, answer):
    text = lesson(answer, (0, 1, 2), np.array(labels))
    true = Answer(int(implied_answers(labels, [(0, 1, 2)])[0]))
    assert ("and so do the true classes" in text) == (answer is true)
    assert "all three are of one class" in text or len(set(labels)) > 1


def test_moves_name_the_largest_stream():
    points = np.random.default_rng(0).normal(size=(9, 2))
    before = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2])
    after = np.array([1, 1, 0, 1, 1, 2, 2, 2, 2])
    text = moves(before, after, points)
    assert text.startswith("3 points changed cluster, 2 of them from 1 to 2")


@pytest.mark.parametrize(("shift", "word"), [((4, 0), "left"), ((-4, 0), "right"), ((0, 4), "down"), ((0, -4), "up")])
def test_a_boundary_moves_into_the_cluster_that_loses_points(shift, word):
    points = np.vstack([np.zeros((3, 2)), np.zeros((3, 2)) + shift])
    text = moves(np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 1, 1, 1]), points)
    assert text.endswith(f"moved {word}.")


def test_a_cluster_that_was_empty_has_no_boundary_to_speak_of():
    assert "boundary" not in moves(np.array([0, 0]), np.array([0, 1]), np.zeros((2, 2)))


def test_kept_says_by_what_only_where_it_matters():
    both = np.array([True, True, False])
    assert kept(both, both) == "2 of 3 answers are kept."
    assert "memberships Q keep all, the boundary keeps 2" in kept(both, np.ones(3, dtype=bool))
    assert kept(both[:0], both[:0]) == ""


class TestWhy:
    P = np.array([[0.8, 0.2], [0.05, 0.95], [0.95, 0.05], [0.9, 0.1]])

    def text(self, triplets, answers, epsilon=0.05):
        explanation = explain(0, self.P, self.P, Triplets(triplets, answers), epsilon=epsilon)
        return why(explanation, 0)

    def test_without_answers_the_place_decides(self):
        explanation = explain(0, self.P, self.P, Triplets(), epsilon=0.05)
        assert why(explanation, 0).endswith("(P = 0.80); no answer is about it.")

    def test_answers_for_and_against(self):
        assert "answer 1 speaks for it too" in self.text([(0, 2, 1)], ["yes"])
        against = self.text([(0, 1, 2), (0, 1, 3)], ["yes", "yes"])
        assert "answers 1 and 2 speak for 2 instead" in against
        assert against.endswith("and Q follows them.")

    def test_hard_answers_have_no_odds(self):
        assert ":" not in self.text([(0, 1, 2)], ["yes"], epsilon=0.0).split("instead")[1]


class TestStory:
    """What a session says of its last change."""

    def test_nothing_has_happened_yet(self):
        session = Session("close", autosave=None)
        assert session.story == ""
        assert not len(session.moved)

    def test_an_answer_says_what_it_was_how_many_points_moved_and_how_many_answers_are_kept(self):
        session = Session("close", autosave=None, full_weight_at=0)
        before = session.fit.labels.copy()
        session.answer((0, 60, 120), "yes")
        moved = np.flatnonzero(session.fit.labels != before)
        np.testing.assert_array_equal(session.moved, moved)
        assert session.story.startswith("Answer 1: yes. ")
        count = f"{len(moved)} point" if len(moved) else "No point"
        assert count in session.story

    def test_a_control_that_changes_nothing_says_so(self):
        session = Session("far", autosave=None)
        session.answer_by_oracle(10)
        session.set(epsilon=0.1)
        assert session.story.startswith("Answers: soft, ε = 0.05 to soft, ε = 0.1. No point changed cluster.")

    def test_taking_back_is_told(self):
        session = Session("far", autosave=None)
        session.answer((0, 1, 2), "dnk")
        session.undo()
        assert session.story.startswith("1 answer taken back.")

    def test_other_data_have_no_story(self):
        session = Session("far", autosave=None)
        session.answer((0, 1, 2), "dnk")
        session.set_data("moons")
        assert session.story == ""


def test_a_gallery_shows_certain_doubtful_and_mistaken_points_of_its_cluster():
    fit = Session("close", autosave=None).fit
    for k in range(3):
        gallery = fit.gallery(k, 10)
        P = fit.proba[:, k]
        assert gallery.size == (fit.labels == k).sum()
        assert (fit.labels[gallery.certain + gallery.doubtful + gallery.mistaken] == k).all()
        assert P[gallery.certain].min() >= P[gallery.doubtful].max()
        assert (np.diff(P[gallery.doubtful]) >= 0).all()
        assert (fit.truth[gallery.mistaken] != k).all()


def test_a_session_from_before_is_heard_as_it_was(tmp_path):
    session = Session("close", autosave=tmp_path)
    session.answer((0, 1, 2), "dnk")
    session.path.write_text(session.path.read_text().replace('"full_weight_at": 0.05, ', ""))
    assert Session.load(session.path, autosave=False).settings.full_weight_at == 0


class TestNames:
    """A person names clusters."""

    def test_a_name_appears_wherever_the_cluster_is_named_and_can_be_undone(self):
        session = Session("far", autosave=None)
        session.name_cluster(1, "  round  ones ")
        assert [session.cluster_name(k) for k in range(3)] == ["1", "round ones", "3"]
        assert "round ones" in session.to_csv("clusters")
        session.undo()
        assert session.cluster_name(1) == "2"

    def test_names_stay_with_answers_and_settings_and_go_with_other_clusters(self):
        session = Session("far", autosave=None)
        session.name_cluster(0, "left")
        session.answer((0, 1, 2), "dnk")
        session.set(epsilon=0.1)
        assert session.cluster_name(0) == "left"
        session.set(n_clusters=4)
        assert session.cluster_name(0) == "1"

    def test_names_are_kept_on_disk(self, tmp_path):
        session = Session("far", autosave=tmp_path)
        session.answer((0, 1, 2), "dnk")
        session.name_cluster(2, "right")
        session.answer((3, 4, 5), "dnk")
        again = Session.load(session.path, autosave=False)
        assert again.cluster_name(2) == "right"

    def test_naming_fits_nothing_anew(self):
        session = Session("close", autosave=None)
        fit = session.fit
        session.name_cluster(0, "a")
        assert session.fit is fit

    @pytest.mark.parametrize(
        ("k", "name", "message"),
        [(3, "x", "from 0 to 2"), (0, "x" * 41, "at most 40 characters"), (0, "taken", "another cluster is called")],
    )
    def test_names_that_can_not_be_are_told(self, k, name, message):
        session = Session("far", autosave=None)
        session.name_cluster(1, "taken")
        with pytest.raises(SessionError, match=message):
            session.name_cluster(k, name)
