"""Figures of reasons show the numbers they are given."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

from dcrc_explore import Triplets, plotting
from dcrc_explore.inspection import SweepPoint, compare, disagreement, explain, recovery
from dcrc_explore.palette import ANSWER_COLOURS, cluster_colour
from dcrc_explore.plane import Surface

POINTS = np.random.default_rng(0).normal(size=(40, 2))


def sure(X):
    return np.column_stack([X[:, 0] < 0, X[:, 0] >= 0]).astype(float)


def unsure(X):
    right = 1 / (1 + np.exp(-2 * X @ [1, 1]))
    return np.column_stack([1 - right, right])


BOTH = compare(sure(POINTS), unsure(POINTS))
APART = disagreement(*(Surface.of(model, (-3, 3, -3, 3), resolution=30) for model in (sure, unsure)))
P = np.random.default_rng(0).dirichlet([1, 1, 1], size=6)
ANSWERS = Triplets([(0, 1, 2), (3, 0, 4), (5, 4, 0), (3, 4, 5)], ["yes", "no", "dnk", "yes"])
WHY = explain(0, P, P, ANSWERS, epsilon=0.05)
SWEEP = [SweepPoint(0.0, 1.0, 0.2, 0.9, 12), SweepPoint(0.05, 0.9, 0.3, 0.95, 8), SweepPoint(2 / 3, 0.5, 0.5, 0.7, 3)]
FOUND = recovery([0.1, 5.0, 0.3, 4.0], [False, True, False, True])
CALLS = {
    "disagreement": lambda ax: plotting.plot_disagreement(POINTS, BOTH, APART, ax=ax),
    "changed": lambda ax: plotting.plot_disagreement(POINTS, BOTH, APART, kind="changed", ax=ax),
    "explanation": lambda ax: plotting.plot_explanation(WHY, ax=ax),
    "sweep": lambda ax: plotting.plot_sweep(SWEEP, epsilon=0.05, ax=ax),
    "recovery": lambda ax: plotting.plot_recovery(FOUND, ax=ax),
}


@pytest.fixture
def ax():
    return plotting.new_figure((6, 3))[1]


@pytest.mark.parametrize("name", CALLS)
def test_a_function_draws_on_the_axes_it_is_given_and_on_new_ones_otherwise(name, ax):
    assert CALLS[name](ax) is not None
    assert plt.get_fignums() == []
    ax.figure.canvas.draw()
    CALLS[name](None)
    assert len(plt.get_fignums()) == 1
    plt.gcf().canvas.draw()


def test_the_map_shows_the_difference_of_entropies_on_a_symmetric_scale(ax):
    image = plotting.plot_disagreement(POINTS, BOTH, APART, ax=ax)
    np.testing.assert_array_equal(image.get_array(), APART.entropy_difference)
    assert image.norm.vmin == -image.norm.vmax == -APART.entropy_difference.max()
    assert ax.get_title(loc="left") == f"{BOTH.changed.sum()} of 40 points change cluster"


def test_the_map_of_changed_places_is_white_elsewhere(ax):
    image = np.asarray(plotting.plot_disagreement(POINTS, BOTH, APART, kind="changed", ax=ax).get_array())
    np.testing.assert_array_equal((image < 1).any(axis=2), APART.changed)


def test_changed_points_stand_out_in_the_colours_of_both_models(ax):
    plotting.plot_disagreement(POINTS, BOTH, ax=ax)
    same, rings, *_ = ax.collections
    assert len(same.get_offsets()) == (~BOTH.changed).sum()
    expected = [cluster_colour(k) for k in BOTH.labels[0][BOTH.changed]]
    assert [to_hex(colour) for colour in rings.get_edgecolors()] == expected


def test_an_unknown_kind_is_refused(ax):
    with pytest.raises(ValueError, match="'weather'"):
        plotting.plot_disagreement(POINTS, BOTH, kind="weather", ax=ax)


def test_bars_are_the_numbers_of_the_explanation(ax):
    proba, *parts, factor, q = plotting.plot_explanation(WHY, ax=ax)

    def heights(bars):
        return [bar.get_height() for bar in bars]

    np.testing.assert_allclose(heights(proba), WHY.proba)
    np.testing.assert_allclose(heights(factor), WHY.factor)
    np.testing.assert_allclose(heights(q), WHY.q)
    assert len(parts) == 3  # the point's own answers
    np.testing.assert_allclose([heights(part) for part in parts], [c.values for c in WHY.contributions])
    tops = [bar.get_y() + bar.get_height() for bar in parts[-1]]
    np.testing.assert_allclose(tops, WHY.compatibility)
    colours = [to_hex(part[0].get_facecolor()) for part in parts]
    assert colours == [ANSWER_COLOURS[c.answer.name.lower()] for c in WHY.contributions]
    assert "Eq. (13)" in ax.get_title(loc="left")
    assert "38" in ax.get_title(loc="left")


def test_hard_answers_show_the_max_compatible_set(ax):
    why = explain(0, P, P, ANSWERS, epsilon=0)
    *_, factor, _ = plotting.plot_explanation(why, ax=ax)
    assert np.flatnonzero([bar.get_height() for bar in factor]).tolist() == why.max_compatible.tolist()
    assert "Eq. (14)" in ax.get_title(loc="left")


def test_a_point_without_answers_says_so_under_its_name(ax):
    plotting.plot_explanation(explain(0, P, P, Triplets(), epsilon=0.05), name="$5 $note.txt", ax=ax)
    assert ax.get_title(loc="left").startswith(r"\$5 \$note.txt: ")
    assert any(text.get_text() == "no answers" for part in ax.child_axes for text in part.texts)


def test_the_sweep_shows_its_measures_and_marks_the_papers_epsilons(ax):
    lines = plotting.plot_sweep(SWEEP, epsilon=0.3, ax=ax)
    for line, field in zip(lines, ("satisfied", "entropy", "agreement", "n_iter"), strict=True):
        assert line.get_xdata().tolist() == [point.epsilon for point in SWEEP]
        assert line.get_ydata().tolist() == [getattr(point, field) for point in SWEEP]
    marks = {float(line.get_xdata()[0]) for line in ax.child_axes[0].lines if len(set(line.get_xdata())) == 1}
    assert marks == {0.05, 0.15, 0.3}


def test_without_the_truth_the_sweep_has_no_f(ax):
    points = [point._replace(agreement=None) for point in SWEEP]
    assert [line.get_label() for line in plotting.plot_sweep(points, ax=ax)] == [
        "satisfied",
        "entropy, bit",
        "EM iterations",
    ]
    plotting.plot_sweep([], ax=plotting.new_figure((4, 3))[1])


def test_precision_recall_and_the_planted_answers(ax):
    precision, recall, planted = plotting.plot_recovery(FOUND, ax=ax)
    np.testing.assert_array_equal(precision.get_ydata(), FOUND.precision)
    np.testing.assert_array_equal(recall.get_ydata(), FOUND.recall)
    assert planted.get_xdata().tolist() == [1, 2]
    assert ax.get_title(loc="left") == "Planted errors: 2 of 2 among the first 2"
    other = plotting.new_figure((4, 3))[1]
    plotting.plot_recovery(recovery([], []), ax=other)
    assert other.get_title(loc="left") == "No planted errors"
