"""What a page shows: a model after each answer, and what is known about answers and points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.constraints import Triplets
from dcrc_explore.datasets import Items
from dcrc_explore.plane import Extent


@dataclass(frozen=True, eq=False)
class Recording:
    """An exploration, frame by frame: F models of N points in K clusters, with 0 to M answers.

    Parameters
    ----------
    name : str
        What the data are called.
    about : sequence of str
        What is to be known about the exploration, one sentence each.
    settings : mapping of str to str
        Settings by name, in words.
    points : ndarray of shape (N, 2)
        Where the points are drawn.
    extent : (xmin, xmax, ymin, ymax)
    classes : sequence of str or None
        True class of each point by name.
    truth : ndarray of shape (N,) or None
        True class of each point as the number of the cluster that matches it.
    triplets : Triplets
    surprise : sequence of float or None
        Of each answer, in bits.
    n_clusters : int
        K.
    n_answers : ndarray of shape (F,)
        Answers that each model has heard.
    labels : ndarray of shape (F, N)
        Cluster of each point.
    weights : ndarray of shape (F, K, 3) or None
        Of a linear model in the plane: of both coordinates, and the intercept.
    scores : ndarray of shape (F, K, R, R) or None
        Of a model with curved boundaries, log P(y|x) up to a constant on a grid of the plane.
    entropy : ndarray of shape (F, N) or None
        Share of the largest possible entropy, when there is no plane to map.
    told : sequence of str
        What happened in each frame.
    why : sequence of str
        Why each point is where it is in the last frame.
    quality : mapping of str to sequence of float, or None
        Agreement with the truth in each frame.
    items : Items or None
        What a person sees for each point.
    """

    name: str
    about: Sequence[str]
    settings: Mapping[str, str]
    points: FloatArray
    extent: Extent
    classes: Sequence[str] | None
    truth: IntArray | None
    triplets: Triplets
    surprise: Sequence[float | None]
    n_clusters: int
    n_answers: IntArray
    labels: IntArray
    weights: FloatArray | None
    scores: FloatArray | None
    entropy: FloatArray | None
    told: Sequence[str]
    why: Sequence[str]
    quality: Mapping[str, Sequence[float]] | None
    items: Items | None
