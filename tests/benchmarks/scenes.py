"""Does each scene show what it promises? Run by hand: ``python tests/benchmarks/scenes.py --help``.

Each scene is played with the seeds 0, 1, 2, ...: other points, another initialisation, other questions and other
errors. For each effect that its file promises, one line: the mean adjusted Rand index of ``labels_`` of the two models,
their paired difference with its 95% interval, in how many of the runs the difference is as large as the file says that
its own seed shows, and what that seed shows. An effect is there when the interval lies above 0 and most runs show it.
"""

import argparse
import re
import warnings
from dataclasses import replace

import numpy as np
from scipy import stats
from sklearn.exceptions import ConvergenceWarning

from dcrc_explore.scenes import effect_sizes, list_scenes, load_scene, play


def measure(scene, n_seeds):
    """Return the adjusted Rand indices of the better and the worse model, shape (n_seeds, n_effects, 2)."""
    sizes = []
    for seed in range(n_seeds):
        stages = play(replace(scene, seed=seed))
        sizes.append([effect_sizes(effect, stages) for effect in scene.effects])
    return np.array(sizes)


def report(scene, sizes):
    """Yield a line for each effect."""
    for effect, (better, worse) in zip(scene.effects, sizes.transpose(1, 2, 0), strict=True):
        gain = better - worse
        width = stats.t.ppf(0.975, len(gain) - 1) * stats.sem(gain)
        own = f"seed {scene.seed}: {better[scene.seed]:.2f} against {worse[scene.seed]:.2f}"
        there = gain.mean() > width and np.mean(gain >= effect.by) > 0.5
        yield (
            f"{scene.name:22} {effect.words:52} {better.mean():5.2f} against {worse.mean():5.2f}: "
            f"{gain.mean():+.2f} +- {width:.2f}, {np.mean(gain >= effect.by):4.0%} by {effect.by}; {own}"
            f"{'' if there else '  NOT CLEARLY THERE'}"
        )


def write_means(path, sizes):
    """Write the means of each effect into the text of a scene, as its `means`."""
    texts = re.split(r"(?m)^(?=\[\[effects\]\]$)", path.read_text(encoding="utf-8"))
    for n, means in enumerate(sizes.mean(axis=0), 1):
        text = re.sub(r"(?m)^means = .*\n", "", texts[n]).rstrip("\n")
        texts[n] = f"{text}\nmeans = [{means[0]:.2f}, {means[1]:.2f}]\n" + "\n" * (n < len(texts) - 1)
    path.write_text("".join(texts), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", help="names, or .toml files of your own; by default all that are shipped")
    parser.add_argument("--seeds", type=int, default=20, help="number of runs, at least 2 and more than a scene's seed")
    parser.add_argument("--write", action="store_true", help="write the means into the texts of the shipped scenes")
    options = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)  # empty clusters are what some scenes show
    for name in options.scenes or list_scenes():
        scene = load_scene(name)
        sizes = measure(scene, options.seeds)
        print("\n".join(report(scene, sizes)), flush=True)
        if options.write:
            write_means(list_scenes()[name], sizes)


if __name__ == "__main__":
    main()
