"""The paper against here: each of its figures and tables, a small picture of ours, and whether the two agree."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from os import PathLike

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dcrc_explore.annotators import PAPER_CONFUSION, PAPER_PAIR_CONFUSION
from dcrc_explore.datasets import list_real_datasets
from dcrc_explore.experiments import answers, exact
from dcrc_explore.experiments.catalogue import PAPER_SETS
from dcrc_explore.experiments.evidence import (
    Comparisons,
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
from dcrc_explore.experiments.records import summarise
from dcrc_explore.experiments.tables import NO_SPREAD, different, title
from dcrc_explore.palette import INK, LINE, MUTED, cluster_colour

# Rows of Table V: without answers, with 150 triplets, with 150 pairs, with 225 pairs.
STUDY = {
    "K-means": "K-means",
    "DCRC-NoConst": "DCRC-NoConst",
    "DCRC": "DCRC",
    "DCRC-YN": "DCRC-YN",
    "LSML": "LSML",
    "sparseLP": "sparseLP",
    "SSSVaD": "SSSVaD, reconstructed",
    "ITML": "ITML, 150 pairs",
    "Xing": "Xing, 150 pairs",
    "ITML, 1.5 x pairs": "ITML, 225 pairs",
    "Xing, 1.5 x pairs": "Xing, 225 pairs",
}
WIDTH = 3.4  # of a picture, in inches
TALL = 3.0  # height where each row has several marks


def findings(folder: str | PathLike[str]) -> list[tuple[Part, Finding, Figure]]:
    """Draw and judge all parts of the paper, in its order, from a folder of records.

    The records are those of ``dcrc-explore experiment all`` and of ``notebooks/measure.py``.
    """
    stored, found = Stored(folder), []
    for part in PARTS:
        figure = Figure(figsize=(WIDTH, part.height), layout="constrained", dpi=150)
        finding = part.draw(figure.add_subplot(), stored)
        found.append((part, finding, figure))
    return found


def page(found: Sequence[tuple[Part, Finding, Figure]], pictures: str, notebooks: str) -> str:
    """Write findings as a page in Markdown; `pictures` and `notebooks` are the ways to their folders."""
    head = (files("dcrc_explore.experiments") / "paper.md").read_text(encoding="utf-8")
    lines = [head, "| in the paper | verdict |", "|---|---|"]
    lines += [f"| [{part.name}](#{part.stem}) | **{f.verdict}** |" for part, f, _ in found]
    for part, finding, _ in found:
        notebook, name = part.more
        lines += [
            "",
            f"({part.stem})=",
            f"## {part.name}",
            "",
            f"**The paper:** {part.claim}",
            "",
            f"![{part.name}: a picture of our result, described below]({pictures}/{part.stem}.svg)",
            "",
            f"**Here: {finding.verdict}.** {finding.words}",
            "",
            f"*Data: {finding.basis}.* More in [{name}]({notebooks}/{notebook}).",
        ]
    return "\n".join(lines) + "\n"


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
    return Finding("partly", "sizes as in the paper", f"{words} The others are not part of this repository.")


def _synthetic(ax: Axes, stored: Stored) -> Finding:
    runs = json.loads((stored.folder / "soft-hard-repeated.json").read_text(encoding="utf-8"))["results"]
    records = [
        {"dataset": name, "method": "soft", "size": 0.0, "run": run, "gain": soft - hard}
        for name, way in runs.items()
        for run, (soft, hard) in enumerate(zip(way["soft"]["accuracy"], way["hard"]["accuracy"], strict=True))
    ]
    gains = summarise(records, "gain")
    draw_forest(ax, gains, list(runs), [0.0], different(gains), rows="dataset")
    ax.set_xlabel("soft minus hard, share of points right", fontsize=8, loc="right")
    ax.tick_params(labelsize=8)
    of_paper = next(s for s in gains if s.dataset.startswith("500"))
    right = {kind: 100 * np.mean(values["accuracy"]) for kind, values in runs[of_paper.dataset].items()}
    others = Comparisons.of([s for s in gains if s is not of_paper], gains)
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
    counts = Comparisons.of(found)
    return Finding(counts.verdict(), basis(found), f"Soft answers are {counts.than('hard ones')}.")


def _balance(ax: Axes, stored: Stored) -> Finding:
    found = stored.gains("balance", "DCRC", ["DCRC no balance"])
    draw_rows(ax, found, "with minus without balance, ARI")
    none, answered = [s for s in found if not s.size], [s for s in found if s.size]
    first, then = Comparisons.of(none, found), Comparisons.of(answered, found)
    letters = next(s for s in reversed(answered) if s.dataset == "letters-ijlt")
    same = [s for s in none if s.std <= NO_SPREAD]
    harmed = [s for s in answered if s.mean < -s.half_width]
    harm = " and ".join(f"{title(s.dataset)} with {s.size:g} N ({s.mean:+.3f} ± {s.half_width:.3f})" for s in harmed)
    agrees = first.ahead == first.total and then.behind and letters in different(found) and letters.mean > 0
    verdict: Verdict = "agrees" if agrees else "partly" if first.ahead else "no"
    return Finding(
        verdict,
        basis(found),
        f"Without answers, the mean is higher with balance on {sum(s.mean > 0 for s in none)} of {len(none)} sets. "
        f"There the runs differ in the random start alone. On {len(same)} sets all give the same value, so nothing "
        f"can be tested. Balance is {first.than('no balance')}. With answers, it is {then.than()}. "
        f"Without Holm's correction it harms on {harm or 'no set'}. (With answers, one of the starts begins with "
        "balance even where it is off.) "
        f"On Letters-IJLT with {letters.size:g} N answers, where the paper finds a "
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
    ours, rest = Comparisons.of(gains["DCRC"]), Comparisons.of(others)
    nearly = nearest(stored.gains("people", "DCRC", {s.method for s in others}))
    best_of = ", ".join(f"{title(s.dataset)} {s.mean:+.2f} ({STUDY[s.method]})" for s in nearly)
    plain = "DCRC, plain accuracy"  # chosen by the paper's score
    by_paper = Comparisons.of(stored.gains("people", plain, ["K-means"]))
    rivals = [Comparisons.of(stored.gains("people", way, {s.method for s in others})) for way in ("DCRC", plain)]
    start = gains["DCRC-NoConst"]
    same, none = sum(s.std <= NO_SPREAD for s in start), Comparisons.of(start)
    without = Comparisons.of(stored.gains("people", "DCRC-YN", ["ITML"])).than("ITML with 150 pairs")
    added = Comparisons.of(stored.gains("people", "DCRC", ["DCRC-YN"])).than("DCRC-YN")
    agrees = ours.ahead == by_paper.ahead == ours.total and rest.ahead < rest.total / 2
    agrees = agrees and none.behind > none.total / 2
    verdict: Verdict = "agrees" if agrees else "partly" if ours.ahead and by_paper.ahead > by_paper.behind else "no"
    return Finding(
        verdict,
        f"simulated people with the error rates of Table IV, instead of people and bird songs; {basis(gains['DCRC'])}",
        f"Chosen by balanced accuracy, DCRC is {ours.than('K-means')}; chosen by the paper's score, plain accuracy, it "
        f"is {by_paper.than()}. The other methods with answers are {rest.than('K-means')}. DCRC minus the "
        f"best of them, by balanced accuracy: {best_of}. Against each of them, DCRC is {rivals[0].than()} by balanced "
        f"accuracy, and {rivals[1].than()} by plain accuracy. DCRC without answers, which the paper finds far below "
        f"K-means, has the higher mean on {sum(s.mean > 0 for s in start)} of {none.total} sets and is clearly worse "
        f"on {none.behind}. (On {same} sets all runs give the same value, so nothing can be tested.) DCRC-YN is "
        f"{without}. DCRC is {added}.",
    )


_ROBUST = ("13-how-robust-is-it.ipynb", "How robust is it?")
_AGAINST = ("09-against-other-methods.ipynb", "Against other methods")
_WORTH = ("02-what-an-answer-is-worth.ipynb", "What an answer is worth")
_INSIDE = ("03-inside-dcrc.ipynb", "Inside DCRC")
_PEOPLE = ("06-noisy-people.ipynb", "Noisy people")
# fmt: off
PARTS = (
    Part("Fig. 1", "Some pairs are hard to judge where a triplet is easy. Other triplets need the answer don't know.",
         exact.examples, ("01-first-answers.ipynb", "First answers")),
    Part("Fig. 2", "A triplet answer carries more information than a pair answer, also for the same number of points. "
         "Don't know carries part of it.", exact.information, _WORTH),
    Part("Fig. 3", "How points, clusters and an answer depend on each other.", exact.dependencies, _INSIDE),
    Part("Table I", "The probability of an answer, given the clusters of the three points.",
         exact.answer_table, _INSIDE),
    Part("Table II", "The E-step: the probability of an answer if one of its points is in cluster k.",
         exact.e_step, _INSIDE),
    Part("Table III", "Eight data sets.", _data, _AGAINST),
    Part("Fig. 4", "DCRC outperforms all baselines on all sets as the answers increase.",
         answers.comparison, _AGAINST, 2.6),
    Part("Fig. 4, the exact algorithm", "DCRC starts once, from K-means, and chooses tau and lambda by plain accuracy.",
         answers.exact_algorithm, _ROBUST, TALL),
    Part("Robustness to epsilon", "The method is very robust to epsilon between 0.05 and 0.15.",
         answers.epsilon, _ROBUST, TALL),
    Part("Fig. 4, don't know", "Don't-know answers give substantial benefits.", answers.dnk, _ROBUST, 2.6),
    Part("Fig. 4, many clusters", "Don't know helps most where there are many clusters.",
         answers.many_clusters, _ROBUST),
    Part("Fig. 4, ITML", "Without don't know, DCRC-YN is at least as good as ITML, the best baseline.",
         answers.itml, _AGAINST, TALL),
    Part("Fig. 4, left out", "The method of Schultz and Joachims is generally worse than the other baselines; its "
         "results are not reported.", answers.left_out, _AGAINST, TALL),
    Part("Fig. 5", "Where clusters are close, soft answers give better boundaries than hard ones.",
         _synthetic, ("04-soft-and-hard.ipynb", "Soft and hard")),
    Part("Fig. 6", "Soft answers generally lead to better clusterings than hard ones.", _soft_hard, _ROBUST, TALL),
    Part("Fig. 7", "Balance helps without answers. With more answers it harms on Birdsong, where clusters are unequal, "
         "and still helps on Letters-IJLT, where they are equal.", _balance, ("05-balance.ipynb", "Balance"), TALL),
    Part("Run time", "With 1500 answers on Birdsong, training takes less than two minutes.", _seconds, _AGAINST),
    Part("Table IV", "People rarely confuse yes and no, but often say don't know instead. They confuse pairs more "
         "often.", _confusion, _PEOPLE),
    Part("Table V", "With answers of people, DCRC is still better than K-means without answers. Most other methods are "
         "not. DCRC-YN is far better than ITML, and don't know does not harm.", _study, _ROBUST, 3.4),
)
# fmt: on
