"""The paper against here: each of its figures and tables, a small picture of ours, and whether the two agree."""

from __future__ import annotations

import json
from collections.abc import Sequence
from os import PathLike

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy import stats

from dcrc_explore.annotators import PAPER_CONFUSION, PAPER_PAIR_CONFUSION
from dcrc_explore.datasets import list_real_datasets
from dcrc_explore.experiments import exact
from dcrc_explore.experiments.catalogue import PAPER_SETS
from dcrc_explore.experiments.evidence import (
    Counts,
    Finding,
    Part,
    Stored,
    Verdict,
    basis,
    draw_heat,
    draw_rows,
    nearest,
)
from dcrc_explore.experiments.figures import draw_forest
from dcrc_explore.experiments.methods import BASELINES, EQUAL_WEIGHT
from dcrc_explore.experiments.records import Record, Summary, differences, summarise
from dcrc_explore.experiments.tables import different, ordered, title
from dcrc_explore.palette import INK, LINE, MUTED, VIOLATED, cluster_colour

# The paper does not report Schultz and Joachims' method, and has no K-means that begins where the answers suggest.
LEFT_OUT = "Schultz-Joachims"
RIVALS = tuple(name for name in BASELINES if name not in (LEFT_OUT, "answers' start + K-means"))
# Rows of Table V: without answers, with 150 triplets, with 150 pairs, with 225 pairs.
STUDY = {
    "K-means": "K-means",
    "DCRC-NoConst": "DCRC-NoConst",
    "DCRC": "DCRC",
    "DCRC-YN": "DCRC-YN",
    "LSML": "LSML",
    "sparseLP": "sparseLP",
    "SSSVaD": "SSSVaD",
    "ITML": "ITML, 150 pairs",
    "Xing": "Xing, 150 pairs",
    "ITML, 1.5 x pairs": "ITML, 225 pairs",
    "Xing, 1.5 x pairs": "Xing, 225 pairs",
}
WIDTH = 3.4  # of a picture, in inches
TALL = 3.0  # height where each row has several marks


def findings(folder: str | PathLike[str]) -> list[tuple[Part, Finding, Figure]]:
    """Draw and judge all parts of the paper, in its order.

    Parameters
    ----------
    folder : path
        Of the records that ``dcrc-explore experiment all`` writes, with those of ``notebooks/measure.py``.
    """
    stored, found = Stored(folder), []
    for part in PARTS:
        figure = Figure(figsize=(WIDTH, part.height), layout="constrained", dpi=150)
        finding = part.draw(figure.add_subplot(), stored)
        found.append((part, finding, figure))
    return found


def page(found: Sequence[tuple[Part, Finding, Figure]], pictures: str, notebooks: str) -> str:
    """Write findings as a page in Markdown; `pictures` and `notebooks` are the ways to their folders."""
    lines = [_HEAD, "| in the paper | verdict | data |", "|---|---|---|"]
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
            f"![{part.name}, our result: {finding.words}]({pictures}/{part.stem}.svg)",
            "",
            f"**Here: {finding.verdict}.** {finding.words}",
            "",
            f"*Data: {finding.basis}.* More in [{name}]({notebooks}/{notebook}).",
        ]
    return "\n".join(lines) + "\n"


_HEAD = """# The paper against here

Every figure and table of *Discriminative Clustering with Relative Constraints*, in the order of the paper. Each has a
small picture of our result and a verdict:

- *agrees*: our results support the statement;
- *partly*: they support a part of it, or support it on some of the data;
- *no*: they do not support it;
- *shown*: the paper gives an example or a drawing, and so do we. Nothing is tested.

If a statement is about many comparisons, *agrees* needs a clear difference in more than half of them, and a clear
difference the other way in none. Fig. 4 is about all data sets: there, *agrees* needs a clear lead on each of them with
the largest number of answers.

Most pictures show mean differences with 95% confidence intervals. A filled mark differs from zero (p < 0.05 after
Holm's correction over the picture); the text then says *clearly*. A hollow mark does not. With few runs, a real
difference can stay hollow. The number of runs stands in brackets. Where there are several numbers of answers, a circle
stands for the smallest, then come square, diamond, triangle and inverted triangle.

Quality is the adjusted Rand index (ARI). The paper uses pairwise F, which is high even if all points are in one
cluster; their ARI is 0.

*MSRCv2*, *Stonefly9* and *Birdsong* are not public in the form that the paper used. What it says about them is not
tested here. `dcrc-explore experiment all` runs all comparisons again, and `python notebooks/paper.py` in the sources
writes this page.
"""


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
    words = f"{len(both)} of the {len(specs)} sets are compared here: {', '.join(both)}."
    return Finding("partly", "sizes as in the paper", f"{words} The others are not public in the paper's form.")


def _comparison(ax: Axes, stored: Stored) -> Finding:
    found = nearest(stored.gains("comparison", "DCRC", RIVALS))
    label = "DCRC minus the best of five rivals, ARI"
    sizes = sorted({s.size for s in found})
    sure = different(found)
    if len(sizes) > 2:
        _draw_curves(ax, found, label)
    else:
        draw_rows(ax, found, label)
    words = f"DCRC is {Counts.of(found).than(f'the best of {len(RIVALS)} rivals')}."
    if len(sizes) > 1:
        ahead = [sum(s in sure and s.mean > 0 for s in found if s.size == size) for size in sizes]
        words += " Sets on which it is clearly better: " + ", ".join(
            f"{n} of {sum(s.size == size for s in found)} with {size:g} N answers"
            for n, size in zip(ahead, sizes, strict=True)
        ) + "."  # fmt: skip
    by_f = nearest(stored.gains("comparison", "DCRC", RIVALS, "f"))
    words += f" By pairwise F, it is {Counts.of(by_f).than()}."
    most = [s for s in found if s.size == sizes[-1]]
    counts = Counts.of(found)
    agrees = all(s in sure and s.mean > 0 for s in most)
    verdict: Verdict = "agrees" if agrees else "partly" if counts.ahead > counts.behind else "no"
    return Finding(verdict, basis(found), words)


def _draw_curves(ax: Axes, summaries: Sequence[Summary], label: str) -> None:
    """Draw differences over the number of answers, one line for each data set."""
    sure = different(summaries)
    ax.axhline(0, color=INK, linewidth=0.8)
    for place, name in enumerate(ordered(summaries, "dataset")):
        line = sorted((s for s in summaries if s.dataset == name), key=lambda s: s.size)
        x = np.array([s.size for s in line]) + 0.003 * (place - 2)  # side by side
        ax.errorbar(x, [s.mean for s in line], [s.half_width for s in line], color=cluster_colour(place), capsize=2,
                    linewidth=1.2, label=title(name))  # fmt: skip
        for at, s in zip(x, line, strict=True):
            ax.plot(at, s.mean, "o", markersize=4.5, color=cluster_colour(place),
                    markerfacecolor=cluster_colour(place) if s in sure else "white")  # fmt: skip
    ax.set_xlabel("answers / N", fontsize=8)
    ax.set_ylabel(label.replace(" rivals, ", "\nrivals, "), fontsize=8)
    ax.tick_params(labelsize=8)
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + 0.3 * (high - low))  # room for the legend
    ax.legend(fontsize=6, frameon=False, ncols=2, loc="upper left")


def _dnk(ax: Axes, stored: Stored) -> Finding:
    # The comparison has the paper's sets and numbers of answers, the other file a set with many clusters.
    files = ("comparison", "dnk")
    found, equal = (stored.gains(files, "DCRC", [other]) for other in ("DCRC-YN", EQUAL_WEIGHT))
    of_paper, more = ([s for s in found if (s.dataset in PAPER_SETS) is known] for known in (True, False))
    draw_rows(ax, found, "DCRC minus DCRC-YN, ARI")
    counts, sure, overall = Counts.of(found), different(found), stored.overall(files, "DCRC", "DCRC-YN")
    alone = sum(s.mean > s.half_width for s in found)
    sizes = [f"{size:g} N" for size in sorted({s.size for s in equal})]
    agrees = counts.ahead > len(found) / 2 and not counts.behind
    some = counts.ahead > counts.behind or overall.mean > overall.half_width
    verdict: Verdict = "agrees" if agrees else "partly" if some else "no"
    worse = ", ".join(
        f"{title(s.dataset)} with {s.size:g} N answers ({s.mean:+.3f})" for s in found if s.mean < 0 and s in sure
    )
    return Finding(
        verdict,
        "; and ".join(basis(part) for part in (of_paper, more) if part),
        f"DCRC-YN ignores don't know. DCRC is {counts.than('DCRC-YN')}{worse and f': {worse}'}. "
        f"Without Holm's correction, {alone} of {len(found)} intervals lie above zero. The mean of all gains is "
        f"{overall.mean:+.3f} ± {overall.half_width:.3f}, the largest is {max(s.mean for s in found):+.2f}. "
        f"If both give an answer equal weight ({' and '.join(sizes)}), DCRC is {Counts.of(equal).than()}.",
    )


def _many_clusters(ax: Axes, stored: Stored) -> Finding:
    found, equal = (stored.gains("dnk", "DCRC", [other]) for other in ("DCRC-YN", EQUAL_WEIGHT))
    found = [s for s in found if s.size == max(each.size for each in found)]
    sure = different(found)
    specs = list_real_datasets()
    K = np.array([specs[s.dataset].n_clusters for s in found])
    for n, s in enumerate(found):
        at = K[n] + 0.25 * (K[:n] == K[n]).sum()
        colour = MUTED if s not in sure else cluster_colour(0) if s.mean > 0 else VIOLATED
        ax.errorbar(at, s.mean, s.half_width, marker="o", markersize=4.5, capsize=2, color=colour,
                    markerfacecolor=colour if s in sure else "white")  # fmt: skip
    ax.axhline(0, color=INK, linewidth=0.8)
    ax.set_xlabel("clusters", fontsize=8)
    ax.set_ylabel("DCRC minus DCRC-YN,\nARI", fontsize=8)
    ax.tick_params(labelsize=8)
    trend = stats.spearmanr(K, [s.mean for s in found])
    largest, most = max(found, key=lambda s: s.mean), found[int(K.argmax())]
    agrees = trend.statistic > 0 and trend.pvalue < 0.05
    verdict: Verdict = "agrees" if agrees else "partly" if largest is most and most in sure else "no"
    words = f"{title(most.dataset)}, with {K.max()} clusters, gains {most.mean:+.3f} ± {most.half_width:.3f}"
    if largest is most:
        words += f", the largest mean gain, {'clearly' if most in sure else 'but not clearly'} above zero. "
    else:
        words += f". {title(largest.dataset)}, with {K[found.index(largest)]}, gains most: {largest.mean:+.3f}. "
    words += f"The rank correlation of gain and number of clusters is {trend.statistic:+.2f} (p = {trend.pvalue:.2f})."
    same = next(s for s in equal if (s.dataset, s.size) == (most.dataset, most.size))
    words += (
        f" If both give an answer equal weight, {title(most.dataset)} gains {same.mean:+.3f} ± {same.half_width:.3f}."
    )
    return Finding(verdict, basis(found), words)


def _itml(ax: Axes, stored: Stored) -> Finding:
    found = stored.gains("comparison", "DCRC-YN", ["ITML"])
    draw_rows(ax, found, "DCRC-YN minus ITML, ARI")
    best = [s.method for s in nearest(stored.gains("comparison", "DCRC", RIVALS))]
    counts = Counts.of(found)
    return Finding(
        "agrees" if not counts.behind else "partly",
        basis(found),
        f"DCRC-YN is {counts.than('ITML')}. ITML is the best of the {len(RIVALS)} rivals in {best.count('ITML')} of "
        f"{len(best)} comparisons.",
    )


def _left_out(ax: Axes, stored: Stored) -> Finding:
    found = _against_mean_of_rivals(stored.comparison)
    draw_rows(ax, found, "Schultz-Joachims minus the mean of five rivals, ARI")
    counts = Counts.of(found)
    agrees = counts.behind > len(found) / 2 and not counts.ahead
    verdict: Verdict = "agrees" if agrees else "partly" if counts.behind > counts.ahead else "no"
    words = f"The method of Schultz and Joachims is {counts.than(f'the mean of the {len(RIVALS)} rivals')}."
    return Finding(verdict, basis(found), words)


def _against_mean_of_rivals(records: Sequence[Record]) -> list[Summary]:
    """Return the differences of the method that the paper leaves out and the mean of the rivals in the same run."""
    places: dict[tuple[str, float, int], list[float]] = {}
    for record in records:
        if record["method"] in RIVALS:
            places.setdefault((record["dataset"], record["size"], record["run"]), []).append(record["ari"])
    own = [record for record in records if record["method"] == LEFT_OUT]
    mean = [
        {"dataset": dataset, "size": size, "run": run, "method": "mean of the rivals", "ari": np.mean(values)}
        for (dataset, size, run), values in places.items()
    ]
    found = summarise(differences([*own, *mean], LEFT_OUT, "ari"), "ari")
    return sorted(found, key=lambda s: (PAPER_SETS.index(s.dataset), s.size))


def _synthetic(ax: Axes, stored: Stored) -> Finding:
    runs = json.loads((stored.folder / "soft-hard-repeated.json").read_text(encoding="utf-8"))["results"]
    names, gains = list(runs), []
    for name, way in runs.items():
        values = np.array(way["soft"]["accuracy"]) - np.array(way["hard"]["accuracy"])
        std = float(np.std(values, ddof=1))
        half = float(stats.t.ppf(0.975, len(values) - 1)) * std / len(values) ** 0.5
        gains.append(Summary(name, "soft", 0.0, len(values), float(values.mean()), half, std))
    draw_forest(ax, gains, names, [0.0], different(gains), rows="dataset")
    ax.set_xlabel("soft minus hard, share of points right", fontsize=8, loc="right")
    ax.tick_params(labelsize=8)
    of_paper = next(s for s in gains if s.dataset.startswith("500"))
    right = {kind: 100 * np.mean(values["accuracy"]) for kind, values in runs[of_paper.dataset].items()}
    others = Counts.of([s for s in gains if s is not of_paper], gains)
    clear = of_paper in different(gains) and of_paper.mean > 0
    verdict: Verdict = "agrees" if clear else "partly" if others.ahead else "no"
    return Finding(
        verdict,
        f"three close clusters, {gains[0].runs} sets of points, the estimator's default weights",
        f"With 500 answers near the boundary, the paper has 88% of the points right with soft answers, 83% with hard "
        f"ones. Here {right['soft']:.0f}% and {right['hard']:.0f}% are right on average; the mean difference is "
        f"{100 * of_paper.mean:+.1f} ± {100 * of_paper.half_width:.1f} percentage points. With fewer answers, or with "
        f"wrong ones, soft answers are clearly better in {others.ahead} of "
        f"{others.total} cases.",
    )


def _soft_hard(ax: Axes, stored: Stored) -> Finding:
    found = stored.gains("soft-hard", "DCRC", ["DCRC hard"])
    draw_rows(ax, found, "soft minus hard, ARI")
    counts = Counts.of(found)
    agrees = counts.ahead > len(found) / 2 and not counts.behind
    verdict: Verdict = "agrees" if agrees else "partly" if counts.ahead > counts.behind else "no"
    return Finding(verdict, basis(found), f"Soft answers are {counts.than('hard ones')}.")


def _balance(ax: Axes, stored: Stored) -> Finding:
    found = stored.gains("balance", "DCRC", ["DCRC no balance"])
    draw_rows(ax, found, "with minus without balance, ARI")
    none, answered = [s for s in found if not s.size], [s for s in found if s.size]
    first, then = Counts.of(none, found), Counts.of(answered, found)
    letters = next(s for s in reversed(answered) if s.dataset == "letters-ijlt")
    agrees = first.ahead == first.total and then.behind and letters in different(found) and letters.mean > 0
    verdict: Verdict = "agrees" if agrees else "partly" if first.ahead else "no"
    return Finding(
        verdict,
        basis(found),
        f"Without answers, balance is {first.than('no balance')}; there the runs differ in the random start alone. "
        f"With answers, it is {then.than()}. On Letters-IJLT with {letters.size:g} N answers, where the paper finds a "
        f"gain, the difference is {letters.mean:+.3f} ± {letters.half_width:.3f}. Birdsong, where the paper finds "
        "harm, is not tested here.",
    )


def _seconds(ax: Axes, stored: Stored) -> Finding:
    records = stored.records("timing")
    found = {s.method: s for s in summarise(records, "fit_seconds") if s.method != "all in one cluster"}
    names = sorted(found, key=lambda name: found[name].mean)
    ax.barh(names, [found[name].mean for name in names], color=cluster_colour(0))
    ax.set(xlabel="seconds per fit", xscale="log")
    ax.axvline(120, color=MUTED, linestyle=":")
    ax.text(120, -0.45, "the paper ", ha="right", fontsize=7, color=MUTED)
    ax.tick_params(labelsize=8)
    mean = found["DCRC"].mean
    words = f"One fit of DCRC takes {mean:.1f} seconds on average, on one core and without tuning."
    data = f"generated data of Birdsong's size: 4998 × 38, 13 clusters, 1500 answers; {found['DCRC'].runs} runs"
    return Finding("agrees" if mean < 120 else "no", data, words)


def _confusion(ax: Axes, stored: Stored) -> Finding:
    records, rates = stored.records("confusion"), {}
    for kind in ("triplets", "pairs"):
        tables = [record["table"] for record in records if record["method"] == kind]
        counts = np.sum(tables, axis=0)
        rates[kind] = counts / counts.sum(axis=1, keepdims=True)
    both = np.full((3, 6), np.nan)  # triplets left, pairs right
    both[:, :3], both[:2, 4:] = rates["triplets"], rates["pairs"]
    names = ("yes", "no", "don't\nknow", "", "to-\ngether", "apart")
    draw_heat(ax, both, names, "true answer", "answer given (left: triplets, right: pairs)", "{:.2f}")
    ax.set_xticks([0, 1, 2, 4, 5], [name for name in names if name])
    for row, name in enumerate(("together", "apart")):
        ax.text(5.6, row, name, va="center", fontsize=8, color=INK)
    ax.spines[:].set_visible(False)
    pairs = ((rates["triplets"], PAPER_CONFUSION), (rates["pairs"], PAPER_PAIR_CONFUSION))
    gap = max(float(np.abs(ours - np.asarray(paper)).max()) for ours, paper in pairs)
    return Finding(
        "shown",
        f"{len(tables)} simulated people with 150 triplets and 150 pairs each",
        "Nobody was asked here. The answers are drawn with the error rates of the paper's people; the rates of our "
        f"sample differ from them by at most {gap:.2f}.",
    )


def _study(ax: Axes, stored: Stored) -> Finding:
    records = [r for r in stored.records("people") if r["method"] in STUDY]
    means = {(s.method, s.dataset): s for s in summarise(records, "ari")}
    sets = sorted({s.dataset for s in means.values()}, key=PAPER_SETS.index)
    values = np.array([[means[method, name].mean for name in sets] for method in STUDY])
    ax.imshow(values, cmap="Blues", vmin=0, vmax=1.5, aspect="auto")
    for (row, column), value in np.ndenumerate(values):
        best = value == values[:, column].max()
        ax.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=7, color=INK,
                fontweight="bold" if best else "normal")  # fmt: skip
    heads = [f"{title(name)}\n({means['DCRC', name].runs})".replace("-", "-\n") for name in sets]
    ax.set_xticks(range(len(sets)), heads, fontsize=6)
    ax.set_yticks(range(len(STUDY)), list(STUDY.values()), fontsize=7)
    ax.set_xlabel("ARI; best in bold; runs in brackets", fontsize=8)
    gains = {method: stored.gains("people", method, ["K-means"]) for method in STUDY if method != "K-means"}
    others = [s._replace(method=m) for m, found in gains.items() if not m.startswith("DCRC") for s in found]
    ours, rest = Counts.of(gains["DCRC"]), Counts.of(others)
    agrees = ours.ahead == ours.total and rest.ahead < rest.total / 2
    verdict: Verdict = "agrees" if agrees else "partly" if ours.ahead and not ours.behind else "no"
    nearly = nearest(stored.gains("people", "DCRC", {s.method for s in others}))
    best_of = ", ".join(f"{title(s.dataset)} {s.mean:+.2f} ({STUDY[s.method]})" for s in nearly)
    without = Counts.of(stored.gains("people", "DCRC-YN", ["ITML"])).than("ITML with 150 pairs")
    added = Counts.of(stored.gains("people", "DCRC", ["DCRC-YN"])).than("DCRC-YN")
    return Finding(
        verdict,
        f"simulated people with the error rates of Table IV, instead of people and bird songs; {basis(gains['DCRC'])}",
        f"DCRC is {ours.than('K-means')}. The other methods with answers are {rest.than('K-means')}. DCRC minus the "
        f"best of them: {best_of}. DCRC-YN is {without}. DCRC is {added}.",
    )


_ROBUST = ("13-how-robust-is-it.ipynb", "How robust is it?")
_AGAINST = ("09-against-other-methods.ipynb", "Against other methods")
_WORTH = ("02-what-an-answer-is-worth.ipynb", "What an answer is worth")
_INSIDE = ("03-inside-dcrc.ipynb", "Inside DCRC")
_PEOPLE = ("06-noisy-people.ipynb", "Noisy people")
PARTS = (
    Part(
        "Fig. 1",
        "Some pairs are hard to judge where a triplet is easy. Other triplets need the answer don't know.",
        exact.examples,
        ("01-first-answers.ipynb", "First answers"),
    ),
    Part(
        "Fig. 2",
        "A triplet answer carries more information than a pair answer, also for the same number of points. Don't know "
        "carries part of it.",
        exact.information,
        _WORTH,
    ),
    Part("Fig. 3", "How points, clusters and an answer depend on each other.", exact.dependencies, _INSIDE),
    Part(
        "Table I", "The probability of an answer, given the clusters of the three points.", exact.answer_table, _INSIDE
    ),
    Part(
        "Table II",
        "The E-step: the probability of an answer if one of its points is in cluster k.",
        exact.e_step,
        _INSIDE,
    ),
    Part("Table III", "Eight data sets.", _data, _AGAINST),
    Part("Fig. 4", "DCRC outperforms all baselines on all sets as the answers increase.", _comparison, _AGAINST, 2.6),
    Part("Fig. 4, don't know", "Don't-know answers give substantial benefits.", _dnk, _ROBUST, 2.6),
    Part("Fig. 4, many clusters", "Don't know helps most where there are many clusters.", _many_clusters, _ROBUST),
    Part(
        "Fig. 4, ITML",
        "Without don't know, DCRC-YN is at least as good as ITML, the best baseline.",
        _itml,
        _AGAINST,
        TALL,
    ),
    Part(
        "Fig. 4, left out",
        "The method of Schultz and Joachims is generally worse than the other baselines; its results are not reported.",
        _left_out,
        _AGAINST,
        TALL,
    ),
    Part(
        "Fig. 5",
        "Where clusters are close, soft answers give better boundaries than hard ones.",
        _synthetic,
        ("04-soft-and-hard.ipynb", "Soft and hard"),
    ),
    Part("Fig. 6", "Soft answers generally lead to better clusterings than hard ones.", _soft_hard, _ROBUST, TALL),
    Part(
        "Fig. 7",
        "Balance helps without answers. With more answers it harms on Birdsong, where clusters are unequal, and still "
        "helps on Letters-IJLT, where they are equal.",
        _balance,
        ("05-balance.ipynb", "Balance"),
        TALL,
    ),
    Part("Run time", "With 1500 answers on Birdsong, training takes less than two minutes.", _seconds, _AGAINST),
    Part(
        "Table IV",
        "People rarely confuse yes and no, but often say don't know instead. They confuse pairs more often.",
        _confusion,
        _PEOPLE,
    ),
    Part(
        "Table V",
        "With answers of people, DCRC is still better than K-means without answers. Most other methods are not. "
        "DCRC-YN is far better than ITML, and don't know does not harm.",
        _study,
        _ROBUST,
        3.4,
    ),
)
