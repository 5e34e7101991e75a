"""What the tool says about answers, changes and points: true for every case, and short."""

import queue
from itertools import product

import numpy as np
import pytest

from dcrc_explore import Answer, Triplets
from dcrc_explore.constraints import implied_answers
from dcrc_explore.inspection import explain
from dcrc_explore.session import Session, SessionError
from dcrc_explore.session.inspection import where_they_part, why
from dcrc_explore.session.story import asserts, hard_words, lesson, moves, satisfied


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


def test_satisfied_says_by_what_only_where_it_matters():
    both = np.array([True, True, False])
    assert satisfied(both, both) == "2 of 3 answers are satisfied."
    assert satisfied(both, np.ones(3, dtype=bool)) == "All 3 answers fit the memberships; the boundary violates 1."
    assert satisfied(both[:0], both[:0]) == ""


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ([0, 0, 1, 1], [0, 0, 1, 1], "No point changed cluster."),
        ([0, 0, 1, 1], [0, 1, 1, 1], "1 point changed cluster, from 1 to 2: the boundary between them moved left."),
        (
            [0, 0, 0, 1],
            [0, 1, 1, 1],
            "2 points changed cluster, all of them from 1 to 2: the boundary between them moved left.",
        ),
        (
            [0, 0, 1, 1],
            [1, 0, 1, 0],
            "2 points changed cluster, 1 of them from 1 to 2 and 1 the other way: the boundary between them turned.",
        ),
        ([0, 0, 0, 0], [0, 0, 1, 1], "2 points changed cluster, all of them from 1 to 2, which was empty."),
        (
            [0, 0, 1, 2],
            [1, 1, 1, 0],
            "3 points changed cluster, 2 of them from 1 to 2: the boundary between them moved left.",
        ),
    ],
)
def test_moves_in_every_case(before, after, told):
    points = np.column_stack([np.arange(4.0), np.zeros(4)])
    assert moves(np.array(before), np.array(after), points) == told


def parting(first, second, triplets=(), answers=(), labels=(0, 1)):
    others = [[0.05, 0.95], [0.95, 0.05]]
    both = [
        explain(0, [P, *others], [P, *others], Triplets(list(triplets), list(answers)), epsilon=0.05)
        for P in (first, second)
    ]
    return where_they_part(both, labels)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"first": [0.8, 0.2], "second": [0.7, 0.3], "labels": (0, 0)},
            "Both models draw it in cluster 1 (P = 0.80 and 0.70).",
        ),
        (
            {"first": [0.8, 0.2], "second": [0.7, 0.3], "labels": (0, 0), "triplets": [(0, 1, 2)], "answers": ["yes"]},
            "Both models draw it in cluster 1 (P = 0.80 and 0.70), though its answers speak for 2 in both.",
        ),
        (
            {"first": [0.995, 0.005], "second": [0.7, 0.3], "labels": (0, 0), "triplets": [(0, 1, 2)], "answers": [1]},
            "Both models draw it in cluster 1 (P = 0.99 and 0.70). They differ in Q: its answers make it 1 in the "
            "first and 2 in the second.",
        ),
        (
            {"first": [0.8, 0.2], "second": [0.3, 0.7]},
            "They differ: cluster 1 in the first (P = 0.80), 2 in the second (P = 0.70). No answer is about it: only "
            "where the boundary runs makes the difference.",
        ),
        (
            {"first": [0.8, 0.2], "second": [0.3, 0.7], "triplets": [(0, 1, 2)], "answers": ["yes"]},
            "They differ: cluster 1 in the first (P = 0.80), 2 in the second (P = 0.70). Its answers speak for 2 in "
            "both models; only the second's boundary follows.",
        ),
        (
            {"first": [0.999, 0.001], "second": [0.3, 0.7], "triplets": [(0, 1, 2)], "answers": ["yes"]},
            "They differ: cluster 1 in the first (P = 1.00), 2 in the second (P = 0.70), and Q goes with each: 1 in "
            "the first, 2 in the second.",
        ),
    ],
)
def test_where_two_models_part_in_every_case(given, told):
    assert parting(**given) == told


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
        assert session.model.story == ""
        assert not len(session.model.moved)

    def test_an_answer_says_what_it_was_how_many_points_moved_and_how_many_answers_are_kept(self):
        session = Session("close", autosave=None, weighting="paper")
        before = session.fit.labels.copy()
        session.answer((0, 60, 120), "yes")
        moved = np.flatnonzero(session.fit.labels != before)
        np.testing.assert_array_equal(session.model.moved, moved)
        assert session.model.story.startswith("Answer 1: yes. ")
        count = f"{len(moved)} point" if len(moved) else "No point"
        assert count in session.model.story

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            (lambda session: session.set(epsilon=0.1), "Answers: soft, ε = 0.05 to 0.1. "),
            (lambda session: session.set(epsilon=0), "Answers: soft, ε = 0.05 to hard, ε = 0. "),
            (lambda session: session.set(tau=2.0), "Separation τ: 1 to 2. "),
            (lambda session: session.set(lam=2.0**-9), "Weights λ: 2⁻⁶ to 2⁻⁹. "),
            (lambda session: session.set(balance=False), "Balance: on to off. "),
            (lambda session: session.set(use_dnk=False), "Don't know: counts to ignored. "),
            (lambda session: session.set(kernel="rbf"), "Boundary: linear to RBF, γ = auto. "),
            (lambda session: session.set(n_clusters=4), "Clusters K: 3 to 4. "),
            (lambda session: session.set(restart=True), "Each fit: continues to restarts. "),
            (lambda session: session.refit(), "Fitted again. "),
            (lambda session: session.answer((0, 1, 2), "yes"), "Answer 11: yes. "),
            (lambda session: session.answer((0, 1, 2), "dnk"), "Answer 11: don't know. "),
            (lambda session: session.answer_by_oracle(5, strategy="random"), "Answers 11 to 15. "),
            (lambda session: session.flip(2, "dnk"), "Answer 3: yes → don't know. "),
            (lambda session: session.revise({0: "dnk", 1: "dnk", 2: "dnk"}), "Several answers are changed. "),
            (lambda session: session.delete(3), "Answer 4 is deleted. "),
            (lambda session: session.delete(9), "1 answer taken back. "),
            (lambda session: session.undo(), "10 answers taken back. "),
        ],
    )
    def test_every_change_says_what_it_was_what_moved_and_what_is_saved(self, change, told):
        session = Session("close", autosave=None)
        session.add([(0, 50 + t, 100 + t) for t in range(10)], ["yes", "no"] * 5)
        before, P = session.fit.labels, session.fit.proba
        change(session)
        story, fit = session.model.story, session.fit
        assert story.startswith(told)
        n = int((before != fit.labels).sum())
        nothing = P.shape == fit.proba.shape and np.abs(P - fit.proba).max() < 0.005
        moved = f"{n} point{'s' * (n != 1)} changed cluster, " if n else "Nothing changed." if nothing else "No point"
        assert story.removeprefix(told).startswith(moved)
        assert any(word in story for word in ("satisf", "violate")) or not session.log

    def test_while_the_model_is_fitted_the_story_is_about_what_was_said_since(self):
        class Impatient(Session):
            patience = 0.0

        results = queue.Queue()
        session = Impatient("close", autosave=None, background=results.put)
        session.add([(0, 50 + t, 100 + t) for t in range(10)], ["yes", "no"] * 5)
        session.model.wait()
        results.get(timeout=60)()
        assert session.model.story.startswith("Answers 1 to 10. ")
        session.answer((0, 1, 2), "yes")
        assert session.model.story == "Answer 11: yes. The model is being fitted."
        session.answer((0, 1, 3), "no")
        assert session.model.story == "Answers 11 to 12. The model is being fitted."
        session.model.wait()
        while not results.empty():
            results.get()()
        assert session.model.story.startswith("Answers 11 to 12. ")
        assert "being fitted" not in session.model.story

    def test_a_changed_answer_says_what_it_was_and_what_it_is(self):
        session = Session("close", autosave=None)
        session.add([(0, 50 + t, 100 + t) for t in range(3)], ["yes", "no", "dnk"])
        session.answer((0, 1), "yes")
        session.flip(1, "dnk")
        assert session.history.undo_label == "answer 2: no → don't know"
        session.revise({len(session.log) - 1: "no"})
        assert session.history.undo_label == "answer 4: yes → no"
        assert session.model.story.startswith("Answer 4: yes → no. ")

    def test_many_answers_in_one_step_are_one_story(self):
        session = Session("close", autosave=None)
        before = session.fit.labels
        session.answer_by_oracle(25)
        assert session.model.story.startswith("Answers 1 to 25. ")
        np.testing.assert_array_equal(session.model.moved, np.flatnonzero(session.fit.labels != before))

    def test_a_control_that_changes_nothing_says_so(self):
        session = Session("far", autosave=None)
        session.answer_by_oracle(10, strategy="random")
        session.set(epsilon=0.06)
        assert session.model.story == "Answers: soft, ε = 0.05 to 0.06. Nothing changed. " + (
            "No answer contradicts the clusters, so it does not matter how far answers are trusted. "
            "All 10 answers are satisfied."
        )
        session.set_data("far")
        session.set(epsilon=0.3)
        assert session.model.story.endswith("There are no answers yet, and this setting is about answers.")

    @pytest.mark.parametrize("seed", range(4))
    def test_hard_answers_that_do_worse_than_soft_ones_say_why(self, seed):
        session = Session("moons", parameters={"seed": seed}, autosave=None)
        session.answer_by_oracle(12, oracle="noisy", epsilon=0.3, strategy="random")
        soft = session.fit
        session.set(epsilon=0)
        hard = session.fit
        kept_by = [int((~fit.violated).sum()) for fit in (hard, soft)]
        assert ("Hard answers bind the memberships" in session.model.story) == (kept_by[0] < kept_by[1])
        # Whichever keeps fewer would have to explain itself.
        if kept_by[0] != kept_by[1]:
            fewer, more = sorted((hard, soft), key=lambda fit: -fit.violated.sum())
            q = fewer.satisfied_by_q.sum()
            told = f"which satisfy {q} of 12; the straight boundary cannot follow them everywhere and satisfies "
            assert told in hard_words(fewer, more, straight=True)
            assert hard_words(more, fewer, straight=True) == ""

    def test_directions_are_those_of_the_plane_on_the_screen(self):
        session = Session([[x, 0.0, 1.0] for x in range(20)], autosave=None, n_clusters=2, weighting="paper")
        before = session.fit.labels
        for t in range(6):
            session.answer((t, 9, 19), "yes")
            if len(session.model.moved):
                break
        left_to_right = np.column_stack([np.arange(20.0), np.zeros(20)])
        assert len(session.model.moved), before
        assert ("left" in session.model.story_in(left_to_right)) == ("right" in session.model.story_in(-left_to_right))

    def test_other_data_have_no_story(self):
        session = Session("far", autosave=None)
        session.answer((0, 1, 2), "dnk")
        session.set_data("moons")
        assert session.model.story == ""


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


class TestNames:
    """A person names clusters."""

    def test_a_name_appears_wherever_the_cluster_is_named_and_can_be_undone(self):
        session = Session("far", autosave=None)
        session.name_cluster(1, "  round  ones ")
        assert [session.state.cluster_name(k) for k in range(3)] == ["1", "round ones", "3"]
        assert "round ones" in session.export.to_csv("clusters")
        session.undo()
        assert session.state.cluster_name(1) == "2"

    def test_names_stay_with_answers_and_settings_and_go_with_other_clusters(self):
        session = Session("far", autosave=None)
        session.name_cluster(0, "left")
        session.answer((0, 1, 2), "dnk")
        session.set(epsilon=0.1)
        assert session.state.cluster_name(0) == "left"
        session.set(n_clusters=4)
        assert session.state.cluster_name(0) == "1"

    def test_what_undo_did_is_said_of_a_cluster_that_has_no_name_any_more(self):
        session = Session("far", autosave=None)
        session.name_cluster(0, "left")
        session.set(n_clusters=4)
        session.undo()
        assert "changed cluster" in session.model.story
        assert session.state.cluster_name(3) == "4"

    def test_names_are_kept_on_disk(self, tmp_path):
        session = Session("far", autosave=tmp_path)
        session.answer((0, 1, 2), "dnk")
        session.name_cluster(2, "right")
        session.answer((3, 4, 5), "dnk")
        again = Session.load(session.file.path, autosave=False)
        assert again.state.cluster_name(2) == "right"

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
