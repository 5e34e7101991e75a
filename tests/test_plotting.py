"""Figures show what they are given."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

from dcrc_explore import plotting
from dcrc_explore.information import pairwise_information, relative_information, relative_information_without_dnk
from dcrc_explore.model.softmax import Weights
from dcrc_explore.palette import VIOLATED, cluster_colour
from dcrc_explore.plane import Surface, View, grid_points
from dcrc_explore.session import Session
from dcrc_explore.widgets.tabs import pack_information


@pytest.fixture
def ax():
    return plotting.new_figure((4, 3))[1]


def three_way(X):
    """P(y|x) of three sectors that meet in the origin."""
    logits = 4 * X @ np.array([[0, 1], [0.9, -0.5], [-0.9, -0.5]]).T
    P = np.exp(logits - logits.max(axis=1, keepdims=True))
    return P / P.sum(axis=1, keepdims=True)


SURFACE = Surface.of(three_way, (-2, 2, -2, 2), resolution=60)
POINTS = np.random.default_rng(0).normal(size=(30, 2))
LABELS = three_way(POINTS).argmax(axis=1)
CALLS = {
    "points": lambda ax: plotting.plot_points(POINTS, LABELS, truth=LABELS, entropy=np.full(30, 0.5), ax=ax),
    "surface": lambda ax: plotting.plot_surface(SURFACE, ax=ax),
    "boundaries": lambda ax: plotting.plot_boundaries(SURFACE, ax=ax),
    "triplets": lambda ax: plotting.plot_triplets(POINTS, [(0, 1, 2)], ["yes"], ax=ax),
    "information": lambda ax: plotting.plot_information(3, ax=ax),
    "objective": lambda ax: plotting.plot_objective(
        {"bound": [-2, -1], "answers": [-1, -1]}, iteration=1, softened=1, ax=ax
    ),
    "quality": lambda ax: plotting.plot_quality([0, 1], {"F": [0.5, 0.6]}, ax=ax),
    "answer_table": lambda ax: plotting.plot_answer_table(np.eye(3, dtype=int), ax=ax),
    "clustering": lambda ax: plotting.plot_clustering(POINTS, LABELS, SURFACE, title="three", ax=ax),
    "clustering without a map": lambda ax: plotting.plot_clustering(POINTS, LABELS, None, ax=ax),
    "curves": lambda ax: plotting.plot_curves([0, 1], {"soft": [[0.5, 0.6], [0.4, 0.7]]}, ax=ax),
    "balance": lambda ax: plotting.plot_balance([0.2, 0.8], ax=ax),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_function_draws_on_the_axes_it_is_given_and_on_new_ones_otherwise(name, ax):
    artists = CALLS[name](ax)
    assert artists is not None
    assert plt.get_fignums() == []
    ax.figure.canvas.draw()
    CALLS[name](None)
    assert len(plt.get_fignums()) == 1
    plt.gcf().canvas.draw()


def test_each_of_twelve_clusters_has_its_own_colour_and_marker(ax):
    artists = plotting.plot_points(np.random.default_rng(0).normal(size=(120, 2)), np.repeat(np.arange(12), 10), ax=ax)
    looks = {(to_hex(artist.get_facecolor()[0]), artist.get_paths()[0].vertices.tobytes()) for artist in artists}
    assert len(looks) == len({colour for colour, _ in looks}) == len({marker for _, marker in looks}) == 12


def test_of_very_many_points_a_fair_sample_is_drawn_and_the_picture_says_so(ax):
    points = np.random.default_rng(0).normal(size=(100_000, 2))
    labels = (np.arange(100_000) % 4 == 0).astype(int)
    most, fewest, rings = plotting.plot_points(points, labels, truth=labels, entropy=np.full(100_000, 0.5), ax=ax)
    drawn = [len(artist.get_offsets()) for artist in (most, fewest, rings)]
    assert sum(drawn[:2]) == drawn[2] == 20_000
    assert drawn[0] == pytest.approx(15_000, rel=0.05)
    assert [artist.get_label() for artist in (most, fewest)] == ["cluster 1 · 75000", "cluster 2 · 25000"]
    assert [text.get_text() for text in ax.texts] == ["20,000 of 100,000 points are drawn"]


def test_points_of_a_missing_cluster_leave_the_colours_of_the_others(ax):
    artists = plotting.plot_points([(0, 0), (1, 1)], [0, 2], ax=ax)
    assert [to_hex(artist.get_facecolor()[0]) for artist in artists] == [cluster_colour(0), cluster_colour(2)]


def test_links_tell_the_answer_and_whether_it_is_violated(ax):
    triplets = [(0, 1, 2), (3, 4, 5), (6, 7, 8)]
    links = plotting.plot_triplets(POINTS, triplets, ["yes", "no", "dnk"], violated=[False, True, False], ax=ax)

    def ends(style):
        return [[POINTS.tolist().index(end) for end in segment.tolist()] for segment in links[style].get_segments()]

    assert ends("solid") == [[0, 1], [3, 5]]
    assert ends("dashed") == [[0, 2], [3, 4]]
    assert ends("dotted") == [[6, 7], [6, 8]]
    assert [to_hex(colour) == VIOLATED for colour in links["solid"].get_colors()] == [False, True]
    kept, violated = links["solid"].get_linewidths()
    assert violated > kept


def test_many_links_are_faint_and_thin(ax):
    few = plotting.plot_triplets(POINTS, [(0, 1, 2)] * 5, ["yes"] * 5, ax=ax)["solid"]
    many = plotting.plot_triplets(POINTS, [(0, 1, 2)] * 100, ["yes"] * 100, ax=ax)["solid"]
    assert many.get_colors()[0][3] < few.get_colors()[0][3] / 3
    assert many.get_linewidths()[0] < few.get_linewidths()[0]


def test_the_legend_explains_what_is_drawn_and_nothing_else(ax):
    points = plotting.plot_points(POINTS, np.arange(30) % 7, truth=LABELS, ax=ax)
    links = plotting.plot_triplets(POINTS, [(0, 1, 2), (3, 4, 5)], ["yes", "dnk"], violated=[True, False], ax=ax)
    legend = plotting.plot_legend(points, links=links, kind="entropy", ax=ax)
    texts = [text.get_text() for text in legend.get_texts() if text.get_text().strip()]
    assert {text for text in texts if not text.startswith("cluster")} == {
        "more similar",
        "than to",
        "don't know",
        "violated",
    }
    assert sum(text.startswith("cluster") for text in texts) == 7
    ax.figure.draw_without_rendering()
    picture, keys = ax.get_window_extent(), legend.get_window_extent()
    assert keys.y1 <= picture.y0
    (scale,) = ax.child_axes
    assert scale.get_window_extent().y0 >= picture.y1
    assert {text.get_text() for text in scale.texts} == {"certain", "uncertain"}


def test_the_legend_of_many_clusters_is_not_cut():
    ax = plotting.new_figure((5.6, 5.2))[1]
    points = plotting.plot_points(np.tile(POINTS, (6, 1)), np.arange(180) % 6, ax=ax)
    legend = plotting.plot_legend(points, ax=ax)
    ax.figure.draw_without_rendering()
    assert legend.get_window_extent().x1 <= ax.figure.bbox.x1


def test_no_answers_are_no_links(ax):
    links = plotting.plot_triplets(POINTS, [], [], ax=ax)
    assert all(len(collection.get_segments()) == 0 for collection in links.values())


def test_the_entropy_map_is_darkest_where_the_clusters_meet(ax):
    image = plotting.plot_surface(SURFACE, "entropy", ax=ax).get_array()
    brightness = image.mean(axis=2)
    row, column = np.unravel_index(brightness.argmin(), brightness.shape)
    assert max(abs(row - 29.5), abs(column - 29.5)) <= 2
    assert brightness[0, 0] > 0.8


@pytest.mark.parametrize("cluster", [0, 1, 2])
def test_the_probability_map_is_white_where_a_cluster_is_not(cluster, ax):
    image = plotting.plot_surface(SURFACE, "probability", cluster=cluster, ax=ax).get_array()
    P = three_way(grid_points(SURFACE.extent, 60))[:, cluster].reshape(60, 60)
    assert image[P < 0.001].min() > 0.99
    assert to_hex(image[P > 0.999].mean(axis=0)) == cluster_colour(cluster)


def test_an_unknown_map_is_refused(ax):
    with pytest.raises(ValueError, match="'weather'"):
        plotting.plot_surface(SURFACE, "weather", ax=ax)


@pytest.mark.parametrize("sharpness", [0.1, 1, 100])
def test_boundaries_run_where_two_clusters_are_equally_probable(ax, sharpness):
    weights = Weights(sharpness * np.array([[0, 4], [3.6, -2], [-3.6, -2]]), np.zeros(3))
    surface = View.of(POINTS).surface(weights)
    contours = plotting.plot_boundaries(surface, ax=ax)
    vertices = np.vstack([path.vertices for contour in contours for path in contour.get_paths()])
    second, first = np.sort(vertices @ weights.coef.T, axis=1)[:, -2:].T
    # However sharp, a straight boundary is a straight line: away from it by no more than rounding.
    assert np.quantile((first - second) / sharpness, 0.95) < 0.01


def test_one_cluster_everywhere_has_no_boundaries(ax):
    surface = Surface.of(lambda X: np.tile([0.9, 0.1], (len(X), 1)), (0, 1, 0, 1), resolution=10)
    assert plotting.plot_boundaries(surface, ax=ax) == []


def test_bands_stay_within_what_is_possible(ax):
    plotting.plot_curves([0, 1], {"soft": [[0.9, 0.5], [1.0, 0.6]]}, limits=(0.0, 1.0), ax=ax)
    [band] = ax.collections
    heights = band.get_paths()[0].vertices[:, 1]
    assert heights.max() == 1.0
    assert heights.min() == 0.0


def test_figures_of_a_model_have_the_numbers_of_its_panels(ax):
    session = Session("close", autosave=None)
    session.answer_by_oracle(6)
    sent = pack_information(session, session.fit)
    lines = plotting.plot_answer_information(session.model.answer_curves, ax=ax)
    for line, curve in zip(lines, sent["answers"]["curves"], strict=True):
        np.testing.assert_allclose(line.get_ydata(), curve["values"], atol=6e-4)
    lines = plotting.plot_information(model=session.model.cluster_curves())
    for line, curve in zip(lines, [*sent["clusters"]["ideal"], *sent["clusters"]["model"]], strict=False):
        np.testing.assert_allclose(line.get_ydata(), curve["values"], atol=6e-4)


def test_the_information_curves_are_those_of_the_paper(ax):
    *lines, mark = plotting.plot_information(15, ax=ax)
    K = np.arange(2, 16)
    expected = {
        "2 triplets": 2 * relative_information(K),
        "3 pairs": 3 * pairwise_information(K),
        "1 triplet": relative_information(K),
        "1 pair": pairwise_information(K),
        "yes/no only": relative_information_without_dnk(K),
    }
    assert [line.get_label() for line in lines] == list(expected)
    for line, values in zip(lines, expected.values(), strict=True):
        np.testing.assert_array_equal(line.get_xdata(), K)
        np.testing.assert_allclose(line.get_ydata(), values)
    assert set(mark.get_xdata()) == {15}


def test_an_infinite_bound_is_left_out_of_the_curve(ax):
    bound, _ = plotting.plot_objective({"bound": [-np.inf, -1.0], "answers": [-1.0, -0.5]}, ax=ax)
    assert np.isnan(bound.get_ydata()[0])
    ax.figure.canvas.draw()


def test_names_at_the_ends_of_lines_do_not_overlap(ax):
    plotting.plot_quality([0, 1], {name: [0.5, 0.9 + 0.001 * n] for n, name in enumerate("abcd")}, ax=ax)
    ax.figure.canvas.draw()
    boxes = sorted((text.get_window_extent() for text in ax.texts), key=lambda box: box.y0)
    assert len(boxes) == 4
    assert all(low.y1 <= high.y0 + 1 for low, high in pairwise(boxes))


def test_quality_without_measurements_is_an_empty_panel(ax):
    (line,) = plotting.plot_quality([], {"F": []}, ax=ax)
    ax.figure.canvas.draw()
    assert (line.get_label(), len(line.get_xdata())) == ("F", 0)
    assert ax.get_title(loc="left") == "Quality"
    low, high = ax.get_ylim()
    assert low == 0
    assert high > 1


def test_the_answer_table_shows_its_counts(ax):
    plotting.plot_answer_table([[9, 0, 1], [0, 6, 1], [1, 0, 6]], ax=ax)
    assert {(*map(int, text.get_position()), text.get_text()) for text in ax.texts} == {
        (0, 0, "9"),
        (2, 0, "1"),
        (1, 1, "6"),
        (2, 1, "1"),
        (0, 2, "1"),
        (2, 2, "6"),
    }
    assert ax.get_title(loc="left") == "Answers: 21 satisfied, 3 violated"
    with pytest.raises(ValueError, match=r"\(3, 3\), got \(2, 2\)"):
        plotting.plot_answer_table(np.eye(2), ax=ax)


def test_bars_have_the_shares_and_colours_of_the_clusters(ax):
    bars = plotting.plot_balance([0.5, 0.3, 0.2], ax=ax)
    assert [bar.get_height() for bar in bars] == [0.5, 0.3, 0.2]
    assert [to_hex(bar.get_facecolor()) for bar in bars] == [cluster_colour(k) for k in range(3)]


def test_items_find_room_as_a_brute_force_check_says():
    points = np.random.default_rng(0).normal(size=(300, 2))
    extent, size, side = (-4.0, 4.0, -3.0, 3.0), (5.0, 4.0), 0.3
    rows = plotting.find_room(points, extent, size, side).tolist()
    places = (points - [-4, -3]) / [8, 6] * size
    for i in rows:
        assert all(np.abs(places[i] - places[j]).max() >= side for j in rows if j != i)
        assert sum(np.abs(places[i] - place).max() < side / 2 for place in places) <= 4  # itself and three others
    # Whoever has no item has no room for one beside the others, or would hide too many.
    for i in set(range(300)) - set(rows):
        crowded = sum(np.abs(places[i] - place).max() < side / 2 for place in places) > 4
        assert crowded or any(np.abs(places[i] - places[j]).max() < 1.1 * side for j in rows)
