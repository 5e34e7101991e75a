"""What a page shows: models frame by frame, and what is known about answers and points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.constraints import Log
from dcrc_explore.datasets import Items
from dcrc_explore.information import AnswerCurves, ClusterCurves
from dcrc_explore.plane import Extent


@dataclass(frozen=True, eq=False)
class Film:
    """A model in F frames: N points in K clusters.

    Parameters
    ----------
    title : str
        How this model differs from the other one; empty for a single model.
    settings : mapping of str to str
        Settings by name, in words.
    names : sequence of str
        What a person calls each cluster; empty strings where they have no names.
    truth : ndarray of shape (N,) or None
        True class of each point as the number of the cluster that matches it.
    labels : ndarray of shape (F, N)
        Cluster of each point.
    weights : ndarray of shape (F, K, 3) or None
        Of a linear model in the plane: of both coordinates, and the intercept.
    scores : ndarray of shape (F, K, R, R) or None
        Of a model with curved boundaries, log P(y|x) up to a constant on a grid of the plane.
    entropy : ndarray of shape (F, N) or None
        Share of the largest possible entropy, when there is no plane to map.
    captions : sequence of str
        What happened in each frame.
    why : sequence of str
        Why each point is where it is in the last frame.
    examples : sequence of sequence of int
        Of each cluster in the last frame, some points of which the model is most certain.
    quality : mapping of str to sequence of float, or None
        Agreement with the truth in each frame.
    terms : mapping of str to sequence of float, or None
        The bound and its terms in each frame, where frames are EM iterations.
    told : AnswerCurves or None
        What questions were worth and answers told, where frames are answers.
    worth : sequence of ClusterCurves
        What an answer is worth over K, in each frame.
    """

    title: str
    settings: Mapping[str, str]
    names: Sequence[str]
    truth: IntArray | None
    labels: IntArray
    weights: FloatArray | None
    scores: FloatArray | None
    entropy: FloatArray | None
    captions: Sequence[str]
    why: Sequence[str]
    examples: Sequence[Sequence[int]]
    quality: Mapping[str, Sequence[float]] | None = None
    terms: Mapping[str, Sequence[float]] | None = None
    told: AnswerCurves | None = None
    worth: Sequence[ClusterCurves] = ()

    @property
    def n_clusters(self) -> int:
        """The number of clusters, K."""
        return len(self.names)


@dataclass(frozen=True, eq=False)
class Recording:
    """An exploration of N points, frame by frame: one model, or two side by side.

    Parameters
    ----------
    name : str
        What the data are called.
    about : sequence of str
        What is to be known about the exploration, one sentence each.
    points : ndarray of shape (N, 2)
        Where the points are drawn.
    extent : (xmin, xmax, ymin, ymax)
    classes : sequence of str or None
        True class of each point by name.
    log : Log
        Every answer.
    frames : {"answers", "iterations"}
        What comes from frame to frame: answers, or EM iterations of one fit.
    steps : ndarray of shape (F,)
        How many answers each frame is fitted to, or numbers of the iterations.
    items : Items or None
        What a person sees for each point.
    films : tuple of one or two Film
    names : sequence of str, optional
        What people call each point; by default its number.
    """

    name: str
    about: Sequence[str]
    points: FloatArray
    extent: Extent
    classes: Sequence[str] | None
    log: Log
    frames: Literal["answers", "iterations"]
    steps: IntArray
    items: Items | None
    films: tuple[Film, ...]
    names: Sequence[str] | None = None
