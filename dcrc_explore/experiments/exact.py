"""What the paper shows or derives without an experiment: Figures 1 to 3, Tables I and II. Each draws our picture."""

from __future__ import annotations

from itertools import product

import numpy as np
from matplotlib.axes import Axes
from sklearn.datasets import load_digits
from sklearn.metrics import pairwise_distances

from dcrc_explore.constraints import answer_proba
from dcrc_explore.experiments.evidence import Finding, Stored, draw_heat
from dcrc_explore.information import information_curves
from dcrc_explore.palette import INK, LINE, cluster_colour


def examples(ax: Axes, _: Stored) -> Finding:
    """Figure 1: a pair that is hard to judge, a triplet that is easy, and two that need don't know."""
    X, y = load_digits(return_X_y=True)
    nines = np.flatnonzero(y == 9)
    apart = pairwise_distances(X[nines])
    pair = nines[list(np.unravel_index(apart.argmax(), apart.shape))].tolist()
    zero, one, four, seven = (int(np.flatnonzero(y == digit)[0]) for digit in (0, 1, 4, 7))
    same = nines[:3].tolist()
    groups = (pair, 0.5, 1.7, "pair: hard"), ([*pair, one], 4.0, 1.7, "triplet: yes"), (same, 0.0, 0.0, "don't know"), (
        [zero, four, seven], 4.0, 0.0, "don't know")  # fmt: skip
    for rows, left, bottom, word in groups:
        for n, row in enumerate(rows):
            box = left + n, left + n + 0.9, bottom, bottom + 0.9
            ax.imshow(16 - X[row].reshape(8, 8), cmap="gray", extent=box)
        ax.text(left + (len(rows) - 0.1) / 2, bottom - 0.45, word, ha="center", fontsize=8, color=INK)
    ax.set(xlim=(-0.2, 7.2), ylim=(-0.7, 2.8))
    ax.axis("off")
    return Finding(
        "shown",
        "handwritten digits instead of syllables",
        "Above: two nines that look different, so the pair is hard to judge; beside a one, the triplet is easy. (The "
        "hard pair of the paper is a cannot-link: two classes that look alike. Ours is a must-link.) "
        "Below: three nines, and three different digits. Both need don't know.",
    )


def information(ax: Axes, _: Stored) -> Finding:
    """Figure 2: what triplets and pairs are worth, by the number of clusters."""
    K = np.arange(2, 14)
    curves = information_curves(K)
    styles = {
        "2 triplets": ("-", 0),
        "3 pairs": ("--", 0),
        "1 triplet": ("-", 1),
        "1 pair": ("--", 1),
        "yes/no only": (":", 1),
    }
    for name, (line, colour) in styles.items():
        label = "1 triplet, yes/no only" if name == "yes/no only" else name
        ax.plot(K, curves[name], line, color=cluster_colour(colour), label=label)
    ax.set(xlabel="clusters", ylabel="bits", xticks=range(2, 14, 2), ylim=(0, 4.3))
    ax.legend(fontsize=7, frameon=False, ncols=2, loc="upper right")
    one, two = curves["1 triplet"] - curves["1 pair"], curves["2 triplets"] - curves["3 pairs"]
    lost = curves["1 triplet"] - curves["yes/no only"]
    some = (one > 0).all() and (lost > 0).all()
    return Finding(
        "agrees" if some and (two > 1e-9).all() else "partly" if some else "no",
        "computed exactly, for 2 to 13 clusters",
        f"One triplet is worth {one.min():.2f} to {one.max():.2f} bit more than one pair. Two triplets and three pairs "
        "show six points each: with two clusters they are worth the same, with more the triplets are worth more. "
        f"Without don't know, a triplet loses {lost.min():.2f} to {lost.max():.2f} bit.",
    )


def dependencies(ax: Axes, _: Stored) -> Finding:
    """Figure 3: what depends on what."""
    for x in (0, 1, 2):
        ax.annotate("", (x, 0.62), (x, 0.18), arrowprops={"arrowstyle": "->", "color": INK})
        ax.annotate("", (1, 1.45), (x, 0.95), arrowprops={"arrowstyle": "->", "color": INK})
        for y, letter, colour in ((0, "x", LINE), (0.8, "y", "white")):
            ax.plot(x, y, "o", markersize=17, markerfacecolor=colour, markeredgecolor=INK)
            ax.text(x, y, f"${letter}_{x + 1}$", ha="center", va="center", fontsize=9)
    ax.plot(1, 1.65, "o", markersize=17, markerfacecolor=LINE, markeredgecolor=INK)
    ax.text(1, 1.65, "$l$", ha="center", va="center", fontsize=9)
    ax.set(xlim=(-0.6, 2.6), ylim=(-0.35, 2.0))
    ax.axis("off")
    words = "Each cluster depends on its own point, and the answer depends on the three clusters only."
    return Finding("shown", "the model that the estimator fits", words)


def answer_table(ax: Axes, _: Stored) -> Finding:
    """Table I: the probability of each answer, given the clusters."""
    epsilon = 0.05
    places = np.eye(3)[[0, 0, 1]], np.eye(3)[[0, 1, 0]], np.eye(3)[[0, 1, 2]]
    ours = np.vstack([answer_proba(place, [(0, 1, 2)], epsilon=epsilon) for place in places])
    paper = np.full((3, 3), epsilon / 2) + (1 - 1.5 * epsilon) * np.eye(3)
    draw_heat(ax, ours, ("yes", "no", "don't know"), "implied answer", "given answer", "{:.3f}")
    agrees = np.allclose(ours, paper)
    words = (
        f"For ε = {epsilon}, we get {1 - epsilon:g} for the implied answer and {epsilon / 2:g} for each of the others."
    )
    return Finding("exact" if agrees else "no", "computed", words)


def e_step(ax: Axes, _: Stored) -> Finding:
    """Table II: the formulas of the E-step against sums over all assignments."""
    K, rng = 3, np.random.default_rng(0)
    q = rng.dirichlet(np.ones(K), size=3)
    formula, enumerated = [], []
    for i, k in product(range(3), range(K)):
        fixed = q.copy()
        fixed[i] = np.eye(K)[k]
        formula.append(answer_proba(fixed, [(0, 1, 2)])[0])
        total = np.zeros(3)
        for a, b, c in product(range(K), repeat=3):
            answer = 0 if a == b != c else 1 if a == c != b else 2
            total[answer] += fixed[0, a] * fixed[1, b] * fixed[2, c]
        enumerated.append(total)
    ours, sums = np.array(formula), np.array(enumerated)
    ax.plot([0, 1], [0, 1], color=LINE)
    for column, name in enumerate(("yes", "no", "don't know")):
        ax.plot(sums[:, column], ours[:, column], "o^s"[column], color=cluster_colour(column), label=name, markersize=5)
    ax.set(xlabel="sum over all assignments", ylabel="formula")
    ax.legend(fontsize=7, frameon=False)
    agrees = np.allclose(ours, sums)
    words = "Our formulas give the same values as sums over all 27 assignments of three points to three clusters."
    return Finding("exact" if agrees else "no", "27 values, K = 3", words)
