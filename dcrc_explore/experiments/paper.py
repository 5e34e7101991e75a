"""The paper against here: each of its figures and tables, a small picture of ours, and whether the two agree."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import product
from os import PathLike
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy import stats
from sklearn.datasets import load_digits
from sklearn.metrics import pairwise_distances

from dcrc_explore.annotators import PAPER_CONFUSION
from dcrc_explore.constraints import answer_proba
from dcrc_explore.datasets import list_real_datasets
from dcrc_explore.experiments.catalogue import PAPER_SETS
from dcrc_explore.experiments.figures import draw_forest
from dcrc_explore.experiments.methods import BASELINES, EQUAL_WEIGHT
from dcrc_explore.experiments.records import Record, Summary, differences, read_records, summarise
from dcrc_explore.experiments.tables import different, ordered, title
from dcrc_explore.information import information_curves
from dcrc_explore.palette import INK, LINE, MUTED, cluster_colour

Verdict = Literal["agrees", "partly", "no", "shown"]
# The paper leaves out Schultz and Joachims' method, and has no K-means along the answers' start.
RIVALS = tuple(name for name in BASELINES if name not in ("Schultz-Joachims", "answers' start + K-means"))
SIZE = (3.4, 2.1)  # of a picture, in inches


class Finding(NamedTuple):
    """What was found: the verdict, on which data and how many runs, and the numbers in words."""

    verdict: Verdict
    basis: str
    words: str


class Part(NamedTuple):
    """A figure, a table or a statement of the paper.

    Attributes
    ----------
    name : str
        Such as "Fig. 4".
    claim : str
        What the paper says or shows.
    draw : callable
        Draws our picture on axes, from what is stored, and returns the finding.
    more : tuple of str
        The notebook with more about it, and its title.
    """

    name: str
    claim: str
    draw: Callable[[Axes, Stored], Finding]
    more: tuple[str, str]

    @property
    def stem(self) -> str:
        """Name of a file for the picture."""
        return "".join(c if c.isalnum() else "-" for c in self.name.lower().replace(".", "").replace("'", ""))


class Stored:
    """Records of a folder, each file read once."""

    def __init__(self, folder: str | PathLike[str]) -> None:
        self.folder = Path(folder)

    @cached_property
    def comparison(self) -> list[Record]:
        """Records of the comparison: Figure 4."""
        return self.records("comparison")

    def records(self, name: str) -> list[Record]:
        """Read the records of an experiment."""
        return read_records(self.folder / f"{name}.jsonl")

    def gains(self, name: str, method: str, others: Iterable[str], size: float | None = None) -> list[Summary]:
        """Return the mean differences of the adjusted Rand index between a method and others, by data set."""
        wanted = {method, *others}
        records = self.comparison if name == "comparison" else self.records(name)
        found = summarise(differences([r for r in records if r["method"] in wanted], method, "ari"), "ari")
        order = [*PAPER_SETS, *list_real_datasets()]
        return sorted(
            (s for s in found if s.size == size or size is None), key=lambda s: (order.index(s.dataset), s.size)
        )


def findings(folder: str | PathLike[str]) -> list[tuple[Part, Finding, Figure]]:
    """Draw and judge all parts of the paper, in its order.

    Parameters
    ----------
    folder : path
        Of the records that ``dcrc-explore experiment all`` writes, with those of ``notebooks/measure.py``.
    """
    stored, found = Stored(folder), []
    for part in PARTS:
        figure = Figure(figsize=SIZE, layout="constrained", dpi=150)
        finding = part.draw(figure.add_subplot(), stored)
        found.append((part, finding, figure))
    return found


def page(found: Sequence[tuple[Part, Finding, Figure]], pictures: str, notebooks: str) -> str:
    """Write findings as a page in Markdown; `pictures` and `notebooks` are the ways to their folders."""
    lines = [_HEAD, "| in the paper | verdict | on what |", "|---|---|---|"]
    lines += [f"| [{part.name}](#{part.stem}) | **{f.verdict}** | {f.basis} |" for part, f, _ in found]
    for part, finding, _ in found:
        notebook, name = part.more
        lines += [
            "",
            f"({part.stem})=",
            f"## {part.name}",
            "",
            f"**The paper:** {part.claim}",
            "",
            f"![{part.name}, ours: {finding.words}]({pictures}/{part.stem}.svg)",
            "",
            f"**Here: {finding.verdict}.** {finding.words} *{finding.basis}.*",
            f"More in [{name}]({notebooks}/{notebook}).",
        ]
    return "\n".join(lines) + "\n"


_HEAD = """# The paper against here

Every figure and table of *Discriminative Clustering with Relative Constraints*, in its order, with a small picture
of ours.

*Agrees*: our runs support the statement. *Partly*: they support a part of it, or some of the data. *No*: they do not.
*Shown*: nothing is measured. A filled mark differs from zero (p < 0.05 after Holm's correction over the picture), a
hollow one does not; lines are 95% confidence intervals. A circle stands for the smallest number of answers, then square
and diamond. With few runs an undecided difference may still be one. Quality is the adjusted Rand index (ARI): one
cluster for all points gets 0 by it, but a high pairwise F, the measure of the paper.

*MSRCv2*, *Stonefly9* and *Birdsong* are not public in the paper's form, so all statements about them stay untested.
`dcrc-explore experiment all` runs the comparisons again; `python notebooks/paper.py` in the sources writes this page.
"""


def _runs(summaries: Sequence[Summary | Record]) -> str:
    """Say how many runs stand behind some means."""
    runs = sorted({s.runs for s in summaries if isinstance(s, Summary)})
    return f"{runs[0]} runs" if len(runs) == 1 else f"{runs[0]} to {runs[-1]} runs"


def _counts(summaries: Sequence[Summary]) -> tuple[int, int, str]:
    """Count where a difference is above zero, where below, and say it."""
    sure = different(summaries)
    ahead, behind = (sum(s.mean * sign > 0 for s in sure) for sign in (1, -1))
    return ahead, behind, f"ahead in {ahead} of {len(summaries)}, behind in {behind}"


def _rows(ax: Axes, summaries: Sequence[Summary], label: str) -> None:
    """Draw differences with one row for each data set."""
    names, sizes = ordered(summaries, "dataset"), sorted({s.size for s in summaries})
    draw_forest(ax, summaries, names, sizes, different(summaries), rows="dataset")
    ax.set_xlabel(label, fontsize=8)
    ax.set_xlim(*np.clip(ax.get_xlim(), -0.6, 0.9))  # intervals of two or three runs may be wider
    ax.tick_params(labelsize=8)


def _basis(summaries: Sequence[Summary]) -> str:
    names = ", ".join(map(title, ordered(summaries, "dataset")))
    sizes = sorted({s.size for s in summaries})
    answers = " and ".join(f"{size:g}" for size in sizes) + (" N" if sizes[-1] <= 1 else "")
    return f"{names}; {answers} answers; {_runs(summaries)}"


def _nearest(stored: Stored, method: str) -> list[Summary]:
    """Return how far a method is ahead of the best of its rivals, for each data set and number of answers."""
    nearest: dict[tuple[str, float], Summary] = {}
    for s in stored.gains("comparison", method, RIVALS):
        place = s.dataset, s.size
        if place not in nearest or s.mean < nearest[place].mean:
            nearest[place] = s
    return list(nearest.values())


def _questions(ax: Axes, _: Stored) -> Finding:
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
        "Are the first two the same digit? That is hard to say. Is the first more similar to the second than to a "
        "one? That is easy. Three nines, or three different digits: don't know.",
    )


def _information(ax: Axes, _: Stored) -> Finding:
    K = np.arange(2, 14)
    curves = information_curves(K)
    for place, name in enumerate(("2 triplets", "3 pairs", "1 triplet", "1 pair")):
        ax.plot(K, curves[name], "-" if "triplet" in name else "--", color=cluster_colour(place // 2), label=name)
    ax.set(xlabel="clusters", ylabel="bits", xticks=range(2, 14, 2))
    ax.legend(fontsize=7, frameon=False)
    one, two = curves["1 triplet"] - curves["1 pair"], curves["2 triplets"] - curves["3 pairs"]
    agrees = (one > 0).all() and (two[1:] > 0).all()
    return Finding(
        "agrees" if agrees else "no",
        "computed exactly, for 2 to 13 clusters",
        f"One triplet is worth {one.min():.2f} to {one.max():.2f} bit more than one pair. Two triplets are worth more "
        "than three pairs from three clusters on; with two clusters they are worth the same.",
    )


def _model(ax: Axes, _: Stored) -> Finding:
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
    words = "The answer depends on the points only through their clusters, and each cluster only on its own point."
    return Finding("shown", "the model that the estimator fits", words)


def _table_1(ax: Axes, _: Stored) -> Finding:
    epsilon = 0.05
    places = np.eye(3)[[0, 0, 1]], np.eye(3)[[0, 1, 0]], np.eye(3)[[0, 1, 2]]
    ours = np.vstack([answer_proba(place, [(0, 1, 2)], epsilon=epsilon) for place in places])
    paper = np.full((3, 3), epsilon / 2) + (1 - 1.5 * epsilon) * np.eye(3)
    _heat(ax, ours, ("yes", "no", "don't know"), "implied answer", "given answer", "{:.3f}")
    agrees = np.allclose(ours, paper)
    words = f"With ε = {epsilon} the program gives {1 - epsilon:g} on the diagonal and {epsilon / 2:g} elsewhere."
    return Finding("agrees" if agrees else "no", "computed", words)


def _table_2(ax: Axes, _: Stored) -> Finding:
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
    words = "The formulas for one point, given the other two, equal the sums over all 27 assignments of three points."
    return Finding("agrees" if agrees else "no", "27 values, K = 3", words)


def _data(ax: Axes, stored: Stored) -> Finding:
    specs = [list_real_datasets()[name] for name in PAPER_SETS]
    here = {record["dataset"] for record in stored.comparison}
    for place, spec in enumerate(specs):
        ax.barh(place, spec.n_samples, color=cluster_colour(0) if spec.name in here else LINE)
        shape = f" {spec.n_samples} × {spec.n_features}, K = {spec.n_clusters}"
        ax.text(spec.n_samples, place, shape, va="center", fontsize=7, color=INK)
    ax.set_yticks(range(len(specs)), [spec.title for spec in specs], fontsize=8)
    ax.set(ylim=(len(specs) - 0.5, -0.5), xlim=(0, 9500), xlabel="points (blue: compared here)")
    both = [spec.title for spec in specs if spec.name in here]
    words = f"{len(both)} of {len(specs)} sets are compared here: {', '.join(both)}."
    return Finding("partly", "the same shapes", f"{words} The others are not public in the paper's form.")


def _comparison(ax: Axes, stored: Stored) -> Finding:
    found = _nearest(stored, "DCRC")
    _rows(ax, found, "DCRC minus the best of five rivals, ARI")
    most = [s for s in found if s.size == max(each.size for each in found)]
    ahead, behind, words = _counts(found)
    sure = {s for s in different(found) if s.mean > 0}
    left = ", ".join(f"{title(s.dataset)} at {s.size:g} N" for s in found if s not in sure)
    verdict: Verdict = "agrees" if all(s in sure for s in most) else "partly" if ahead > behind else "no"
    only = "" if len(found) > len(most) else " Fewer answers are not compared."
    return Finding(
        verdict, _basis(found), f"DCRC is {words} places{f', and not ahead on {left}' if left else ''}.{only}"
    )


def _dnk(ax: Axes, stored: Stored) -> Finding:
    found = stored.gains("dnk", "DCRC", ["DCRC-YN"])
    equal = stored.gains("dnk", "DCRC", [EQUAL_WEIGHT])
    _rows(ax, found, "DCRC minus DCRC-YN, ARI")
    ahead, behind, words = _counts(found)
    alone = sum(s.mean > s.half_width for s in found)
    clusters = {name: spec.n_clusters for name, spec in list_real_datasets().items()}
    trend = stats.spearmanr([clusters[s.dataset] for s in found], [s.mean for s in found]).statistic
    agrees = ahead > len(found) / 2 and trend > 0
    verdict: Verdict = "agrees" if agrees else "partly" if alone and not behind else "no"
    return Finding(
        verdict,
        _basis(found),
        f"DCRC is {words} places; {alone} intervals are above zero one by one, and the largest mean gain is "
        f"{max(s.mean for s in found):+.2f}. With each answer at equal weight it is {_counts(equal)[2]}. "
        f"The rank correlation of gain and number of clusters is {trend:+.2f}.",
    )


def _itml(ax: Axes, stored: Stored) -> Finding:
    found = stored.gains("comparison", "DCRC-YN", ["ITML"])
    _rows(ax, found, "DCRC-YN minus ITML, ARI")
    _, behind, words = _counts(found)
    return Finding("agrees" if not behind else "partly", _basis(found), f"DCRC-YN is {words} places.")


def _synthetic(ax: Axes, stored: Stored) -> Finding:
    runs = json.loads((stored.folder / "soft-hard-repeated.json").read_text(encoding="utf-8"))["results"]
    names, gains = list(runs), []
    for name, way in runs.items():
        values = np.array(way["soft"]["accuracy"]) - np.array(way["hard"]["accuracy"])
        std = float(np.std(values, ddof=1))
        half = float(stats.t.ppf(0.975, len(values) - 1)) * std / len(values) ** 0.5
        gains.append(Summary(name, "soft", 0.0, len(values), float(values.mean()), half, std))
    draw_forest(ax, gains, names, [0.0], different(gains), rows="dataset")
    ax.set_xlabel("soft minus hard, share of points right", fontsize=8)
    ax.tick_params(labelsize=8)
    of_paper = next(s for s in gains if s.dataset.startswith("500"))
    ahead, _, _ = _counts(gains)
    verdict: Verdict = "agrees" if of_paper in different(gains) and of_paper.mean > 0 else "partly" if ahead else "no"
    return Finding(
        verdict,
        f"close clusters, {gains[0].runs} sets of points, the estimator's default weights",
        f"With 500 answers near the boundary, the paper's case (88% against 83%), soft and hard differ by "
        f"{100 * of_paper.mean:+.1f} percentage points. With fewer answers, or some wrong ones, soft is better in "
        f"{ahead} of {len(gains) - 1} cases.",
    )


def _soft_hard(ax: Axes, stored: Stored) -> Finding:
    found = stored.gains("soft-hard", "DCRC", ["DCRC hard"])
    _rows(ax, found, "soft minus hard, ARI")
    ahead, behind, words = _counts(found)
    verdict: Verdict = "agrees" if ahead > len(found) / 2 and not behind else "partly" if ahead > behind else "no"
    return Finding(verdict, _basis(found), f"Soft answers are {words} places.")


def _balance(ax: Axes, stored: Stored) -> Finding:
    found = stored.gains("balance", "DCRC", ["DCRC no balance"])
    _rows(ax, found, "with minus without balance, ARI")
    sure = different(found)
    none = [s for s in found if not s.size]
    with_answers = [s for s in found if s.size]
    helps = sum(s in sure and s.mean > 0 for s in none)
    ahead, behind = (sum(s in sure and s.mean * sign > 0 for s in with_answers) for sign in (1, -1))
    verdict: Verdict = "agrees" if helps == len(none) and behind else "partly" if helps else "no"
    return Finding(
        verdict,
        _basis(found),
        f"Without answers balance helps on {helps} of {len(none)} sets. With answers it is ahead in {ahead} of "
        f"{len(with_answers)} places, behind in {behind}. Birdsong, where the paper finds harm, is not at hand.",
    )


def _seconds(ax: Axes, stored: Stored) -> Finding:
    records = stored.records("timing")
    found = {s.method: s for s in summarise(records, "fit_seconds")}
    names = sorted(found, key=lambda name: found[name].mean)
    ax.barh(names, [found[name].mean for name in names], color=cluster_colour(0))
    ax.set(xlabel="seconds per fit", xscale="log")
    ax.axvline(120, color=MUTED, linestyle=":")
    ax.text(120, -0.45, "the paper ", ha="right", fontsize=7, color=MUTED)
    ax.tick_params(labelsize=8)
    mean = found["DCRC"].mean
    words = f"One fit of DCRC takes {mean:.1f} seconds on a busy machine. The paper: less than two minutes."
    basis = f"generated data of Birdsong's shape: 4998 × 38, 13 clusters, 1500 answers; {found['DCRC'].runs} runs"
    return Finding("agrees" if mean < 120 else "no", basis, words)


def _confusion(ax: Axes, stored: Stored) -> Finding:
    tables = [record["table"] for record in stored.records("confusion") if record["method"] == "triplets"]
    counts = np.sum(tables, axis=0)
    rates = counts / counts.sum(axis=1, keepdims=True)
    _heat(ax, rates, ("yes", "no", "don't know"), "true answer", "answer given", "{:.2f}")
    gap = float(np.abs(rates - np.asarray(PAPER_CONFUSION)).max())
    return Finding(
        "shown",
        f"{len(tables)} simulated people with 150 triplets each",
        "No people were asked. The simulated ones are drawn from the paper's rates "
        f"and differ from them by at most {gap:.2f}.",
    )


def _study(ax: Axes, stored: Stored) -> Finding:
    others = [*RIVALS, "Xing, 1.5 x pairs", "ITML, 1.5 x pairs", "K-means", "DCRC-NoConst"]
    found = stored.gains("people", "DCRC", others)
    nearest: dict[str, Summary] = {}
    for s in found:
        if s.dataset not in nearest or s.mean < nearest[s.dataset].mean:
            nearest[s.dataset] = s
    _rows(ax, list(nearest.values()), "DCRC minus the best other method, ARI")
    ahead, behind, words = _counts(found)
    verdict: Verdict = "agrees" if ahead == len(found) else "partly" if ahead > behind else "no"
    best = ", ".join(f"{title(s.dataset)}: {s.method} ({s.mean:+.2f})" for s in nearest.values())
    return Finding(
        verdict,
        f"simulated people who err as the paper's did, instead of its birds and people; {_basis(found)}",
        f"Against {len(others)} other methods on {len(nearest)} sets, DCRC is {words} comparisons. "
        f"DCRC minus the best: {best}.",
    )


def _heat(ax: Axes, table: np.ndarray, names: Sequence[str], ylabel: str, xlabel: str, number: str) -> None:
    """Draw a table of probabilities with its numbers."""
    ax.imshow(table, cmap="Blues", vmin=0, vmax=1.3)
    for (row, column), value in np.ndenumerate(table):
        colour = "white" if value > 0.6 else INK
        ax.text(column, row, number.format(value), ha="center", va="center", fontsize=8, color=colour)
    ax.set_xticks(range(len(names)), names, fontsize=8)
    ax.set_yticks(range(len(names)), names, fontsize=8)
    ax.set_ylabel(ylabel, fontsize=8)
    ax.set_xlabel(xlabel, fontsize=8)


_ROBUST = ("13-how-robust-is-it.ipynb", "How robust is it?")
_AGAINST = ("09-against-other-methods.ipynb", "Against other methods")
_WORTH = ("02-what-an-answer-is-worth.ipynb", "What an answer is worth")
_INSIDE = ("03-inside-dcrc.ipynb", "Inside DCRC")
_PEOPLE = ("06-noisy-people.ipynb", "Noisy people")
PARTS = (
    Part(
        "Fig. 1",
        "Some pairs are hard to judge where a triplet is easy; other triplets need the answer don't know.",
        _questions,
        ("01-first-answers.ipynb", "First answers"),
    ),
    Part(
        "Fig. 2",
        "A relative answer carries more information than a pairwise one, also for the same number of points.",
        _information,
        _WORTH,
    ),
    Part("Fig. 3", "Dependencies between points, clusters and an answer.", _model, _INSIDE),
    Part("Table I", "The probability of an answer, given the clusters of the three points.", _table_1, _INSIDE),
    Part(
        "Table II", "The E-step: the probability of an answer if one of its points is in cluster k.", _table_2, _INSIDE
    ),
    Part("Table III", "Eight data sets.", _data, _AGAINST),
    Part("Fig. 4", "DCRC outperforms all baselines on all sets as the answers increase.", _comparison, _AGAINST),
    Part(
        "Fig. 4, don't know",
        "Don't-know answers give substantial benefits, especially with many clusters.",
        _dnk,
        _ROBUST,
    ),
    Part(
        "Fig. 4, ITML",
        "Without don't know, DCRC-YN is at least comparable with ITML, the best baseline.",
        _itml,
        _AGAINST,
    ),
    Part(
        "Fig. 5",
        "Where clusters are close, soft answers give better boundaries than hard ones.",
        _synthetic,
        ("04-soft-and-hard.ipynb", "Soft and hard"),
    ),
    Part("Fig. 6", "Soft answers generally lead to better clusterings than hard ones.", _soft_hard, _ROBUST),
    Part(
        "Fig. 7",
        "Balance helps without answers; with more answers it hurts where clusters are unequal.",
        _balance,
        ("05-balance.ipynb", "Balance"),
    ),
    Part("Run time", "With 1500 answers on Birdsong, training takes less than two minutes.", _seconds, _AGAINST),
    Part("Table IV", "People rarely confuse yes and no, but say don't know too often.", _confusion, _PEOPLE),
    Part(
        "Table V",
        "With answers of people, DCRC still improves on K-means, and most other methods do not.",
        _study,
        _ROBUST,
    ),
)
