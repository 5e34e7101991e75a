"""2-D generators behind one registry, each with parameters that a slider can turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import make_blobs, make_circles, make_moons

from dcrc_explore.datasets.dataset import Dataset
from dcrc_explore.datasets.limits import MAX_ROWS
from dcrc_explore.values import Rule, number, one_of, whole

Points = tuple[NDArray[np.float64], NDArray[np.int64]]
Generator = Callable[..., Points]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a generator: its default, its range on a slider, and the wider range that a call accepts."""

    name: str
    default: float
    low: float
    high: float
    step: float
    description: str

    @property
    def limits(self) -> tuple[float, float]:
        """Smallest and largest value that :func:`make_dataset` takes."""
        return _LIMITS[self.name]

    @property
    def rule(self) -> Rule[Any]:
        """The rule of such a value.

        Examples
        --------
        >>> n_per_cluster = list_datasets()["far"].parameters[0]
        >>> n_per_cluster.rule.checked(10**9, n_per_cluster.name)
        Traceback (most recent call last):
        ...
        ValueError: n_per_cluster must be a whole number between 1 and 100000, got 1000000000
        """
        return (whole if isinstance(self.default, int) else number)(*self.limits)


_LIMITS: dict[str, tuple[float, float]] = {
    "n_per_cluster": (1, 100_000),
    "n_clusters": (2, 100),
    "spread": (0, 1e6),
    "distance": (0, 1e6),
    "imbalance": (1, 1e6),
    "noise": (0, 1),
    "stretch": (1, 1e6),
    "seed": (0, 2**32 - 1),
}


@dataclass(frozen=True)
class DatasetSpec:
    """What a menu needs to know about a generator.

    Examples
    --------
    >>> spec = list_datasets()["moons"]
    >>> spec.title, spec.defaults()["n_per_cluster"]
    ('Two moons', 50)
    """

    name: str
    title: str
    description: str
    n_clusters: int
    parameters: tuple[Parameter, ...]

    def defaults(self) -> dict[str, float]:
        """Return the default of each parameter by name."""
        return {parameter.name: parameter.default for parameter in self.parameters}


def list_datasets() -> Mapping[str, DatasetSpec]:
    """Return the generators by name, in the order of a menu.

    Examples
    --------
    >>> specs = list_datasets()
    >>> list(specs)
    ['close', 'far', 'unbalanced', 'elongated', 'two-ways', 'moons', 'rings', 'cross', 'many']
    >>> specs["moons"].title, specs["moons"].n_clusters, specs["moons"].parameters[0].name
    ('Two moons', 2, 'n_per_cluster')
    """
    return MappingProxyType({name: spec for name, (spec, _) in _REGISTRY.items()})


def make_dataset(name: str, *, n_per_cluster: int = 50, seed: int = 0, **parameters: float) -> Dataset:
    """Generate 2-D points with known classes.

    Parameters
    ----------
    name : str
        One of :func:`list_datasets`.
    n_per_cluster : int, default=50
        Mean number of points in a class.
    seed : int, default=0
        The same seed gives the same points.
    **parameters : float
        ``spread``, ``distance``, ``imbalance``, ``noise`` and, for some generators, ``stretch`` or ``n_clusters``;
        :func:`list_datasets` lists their defaults.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> data = make_dataset("unbalanced", n_per_cluster=40, imbalance=4, seed=1)
    >>> data
    Dataset('unbalanced', 120 points, 2 features, 3 classes)
    >>> np.bincount(data.y)
    array([69, 34, 17])
    """
    spec, generate = _REGISTRY[one_of(_REGISTRY).checked(name, "name")]
    values = _checked(spec, {"n_per_cluster": n_per_cluster, "seed": seed} | parameters)
    K = values.get("n_clusters", spec.n_clusters)
    sizes = _cluster_sizes(K, values["n_per_cluster"], values["imbalance"])
    shape = {key: values[key] for key in ("spread", "distance", "stretch") if key in values}
    X, y = generate(sizes, values["seed"], **shape)
    # The generators return class after class; in random order, no class is always drawn on top.
    rng = np.random.default_rng(values["seed"])
    order = rng.permutation(len(y))
    X, y = _scatter(X[order], values["noise"], rng), y[order]
    names = tuple(str(k + 1) for k in range(K))
    return Dataset(X, y, name, parameters=values, class_names=names, description=spec.description)


def _checked(spec: DatasetSpec, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return all parameters as plain numbers, so that a record of them can be written to a file."""
    values: dict[str, Any] = dict(spec.defaults())
    known = {parameter.name: parameter for parameter in spec.parameters}
    for key, value in given.items():
        if key not in known:
            raise ValueError(f"{spec.name!r} takes the parameters {', '.join(known)}, got {key!r}")
        values[key] = known[key].rule.checked(value, key)
    K, n_per_cluster = values.get("n_clusters", spec.n_clusters), values["n_per_cluster"]
    if K * n_per_cluster > MAX_ROWS:
        raise ValueError(f"data may have at most {MAX_ROWS} points, got {K} clusters of {n_per_cluster}")
    return values


def _cluster_sizes(K: int, n_per_cluster: int, imbalance: float) -> NDArray[np.int64]:
    """Sizes that fall geometrically from the first class to the last, ``imbalance`` times smaller."""
    share = np.cumsum(imbalance ** -np.linspace(0, 1, K))
    sizes = np.diff(np.rint(share / share[-1] * K * n_per_cluster), prepend=0)
    return np.maximum(sizes, 1).astype(np.int64)


def _scatter(X: NDArray[np.float64], noise: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Move a share of the points to anywhere in the picture; they keep their class."""
    moved = rng.random(len(X)) < noise
    anywhere = rng.uniform(X.min(axis=0), X.max(axis=0), X.shape)
    return np.where(moved[:, np.newaxis], anywhere, X)


def _blobs(sizes: NDArray[np.int64], centers: NDArray[np.float64], spread: float, seed: int) -> Points:
    X, y = make_blobs(sizes.tolist(), centers=centers, cluster_std=spread, shuffle=False, random_state=seed)
    return X, y.astype(np.int64)


def _polygon(sizes: NDArray[np.int64], seed: int, *, spread: float, distance: float) -> Points:
    """Round clusters on the corners of a regular polygon with sides of length ``distance``."""
    K = len(sizes)
    angles = np.pi / 2 + 2 * np.pi * np.arange(K) / K
    radius = distance / (2 * np.sin(np.pi / K))
    return _blobs(sizes, radius * np.column_stack([np.cos(angles), np.sin(angles)]), spread, seed)


def _stripes(sizes: NDArray[np.int64], seed: int, *, spread: float, distance: float, stretch: float) -> Points:
    """Parallel slanted clusters, ``stretch`` times longer than wide."""
    K = len(sizes)
    centers = distance * np.column_stack([np.zeros(K), np.arange(K) - (K - 1) / 2])
    X, y = _blobs(sizes, centers, spread, seed)
    X[:, 0] *= stretch
    angle = np.pi / 6
    return X @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]), y


def _quarters(
    sizes: NDArray[np.int64], seed: int, *, spread: float, width: float, height: float, classes: tuple[int, ...]
) -> Points:
    """Four clumps on the corners of a rectangle (top left, top right, bottom left, bottom right), in two classes."""
    clump = np.zeros(4, dtype=np.int64)
    for k, size in enumerate(sizes):
        first, second = (c for c in range(4) if classes[c] == k)
        clump[first], clump[second] = size - size // 2, size // 2
    centers = np.array([[-width, height], [width, height], [-width, -height], [width, -height]]) / 2
    X, c = _blobs(clump, centers, spread, seed)
    return X, np.array(classes)[c]


def _two_ways(sizes: NDArray[np.int64], seed: int, *, spread: float, distance: float, stretch: float) -> Points:
    return _quarters(sizes, seed, spread=spread, width=stretch * distance, height=distance, classes=(0, 0, 1, 1))


def _cross(sizes: NDArray[np.int64], seed: int, *, spread: float, distance: float) -> Points:
    return _quarters(sizes, seed, spread=spread, width=distance, height=distance, classes=(0, 1, 1, 0))


def _moons(sizes: NDArray[np.int64], seed: int, *, spread: float, distance: float) -> Points:
    X, y = make_moons(tuple(sizes.tolist()), shuffle=False, noise=spread, random_state=seed)
    # scikit-learn's lower moon hangs half a radius below the upper one.
    X[y == 1, 1] += 0.5 - distance
    return X, y


def _rings(sizes: NDArray[np.int64], seed: int, *, spread: float, distance: float) -> Points:
    # scikit-learn's outer ring has radius 1, here the inner one has; their ratio must stay below 1.
    outer = 1 + distance
    X, y = make_circles(
        tuple(sizes.tolist()), shuffle=False, noise=spread / outer, factor=1 / (outer + 1e-9), random_state=seed
    )
    return outer * X, y


def _sunflower(sizes: NDArray[np.int64], seed: int, *, spread: float, distance: float) -> Points:
    """Round clusters arranged like the seeds of a sunflower: evenly spaced for any number of them."""
    k = np.arange(len(sizes))
    angles = k * np.pi * (3 - np.sqrt(5))
    # Neighbouring seeds of the pattern with radius sqrt(k + 1/2) are about 1.6 apart.
    radius = distance / 1.6 * np.sqrt(k + 0.5)
    return _blobs(sizes, radius[:, np.newaxis] * np.column_stack([np.cos(angles), np.sin(angles)]), spread, seed)


_REGISTRY: dict[str, tuple[DatasetSpec, Generator]] = {}


def _register(
    name: str,
    title: str,
    description: str,
    n_clusters: int,
    generate: Generator,
    *,
    spread: float,
    distance: float,
    imbalance: float = 1.0,
    stretch: float | None = None,
    clusters: tuple[int, int] | None = None,
) -> None:
    """Enter a generator with its defaults; ``clusters`` is the range of K where K can be turned."""
    parameters = [
        Parameter("n_per_cluster", 50, 10, 300, 10, "points per cluster, on average"),
        Parameter("spread", spread, 0.0, 4 * spread, spread / 10, "width of a cluster"),
        Parameter("distance", distance, 0.0, 3 * distance, distance / 10, "distance between clusters"),
        Parameter("imbalance", imbalance, 1.0, 20.0, 0.5, "size of the largest cluster divided by the smallest"),
        Parameter("noise", 0.0, 0.0, 0.5, 0.01, "share of points that lie anywhere"),
    ]
    if stretch is not None:
        parameters.append(Parameter("stretch", stretch, 1.0, 10.0, 0.5, "length divided by width"))
    if clusters is not None:
        parameters.append(Parameter("n_clusters", n_clusters, *clusters, 1, "number of clusters"))
    parameters.append(Parameter("seed", 0, 0, 999, 1, "the same seed gives the same points"))
    _REGISTRY[name] = DatasetSpec(name, title, description, n_clusters, tuple(parameters)), generate


# fmt: off
_register("close", "Three close clusters",
          "Clusters that run into each other: as long as answers are few, soft ones do better than hard ones.",
          3, _polygon, spread=1.0, distance=3.0, clusters=(2, 10))
_register("far", "Three clusters far apart",
          "Clusters with wide gaps: soft and hard answers agree.",
          3, _polygon, spread=1.0, distance=8.0, clusters=(2, 10))
_register("unbalanced", "Unbalanced clusters",
          "A large, a middling and a small cluster: switch the balance term on and off.",
          3, _polygon, spread=1.0, distance=4.0, imbalance=10.0, clusters=(2, 10))
_register("elongated", "Elongated clusters",
          "Parallel stripes: K-means cuts across them, and answers correct it.",
          3, _stripes, spread=0.5, distance=3.0, stretch=8.0, clusters=(2, 6))
_register("two-ways", "Four clumps",
          "Four clumps: K-means separates left from right; a few answers reveal top and bottom.",
          2, _two_ways, spread=0.5, distance=3.0, stretch=2.0)
_register("moons", "Two moons",
          "Interleaved half circles: no straight line separates them, a kernel does.",
          2, _moons, spread=0.1, distance=0.5)
_register("rings", "Two rings",
          "One ring inside another: only a kernel can separate them.",
          2, _rings, spread=0.1, distance=1.0)
_register("cross", "A cross (XOR)",
          "Opposite corners belong together: needs a kernel, and answers that say so.",
          2, _cross, spread=0.6, distance=4.0)
_register("many", "Eight clusters",
          "So many clusters that most answers are don't know.",
          8, _sunflower, spread=0.6, distance=4.0, clusters=(7, 12))
# fmt: on
