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
    """A model in F frames: N points in K clusters."""

    title: str  # how this model differs from the other one; empty for a single model
    settings: Mapping[str, str]  # settings by name, in words
    names: Sequence[str]  # what a person calls each cluster; empty strings where they have no names
    truth: IntArray | None  # shape (N,): true class of each point as the number of the cluster that matches it
    labels: IntArray  # shape (F, N): cluster of each point
    # Shape (F, K, 3): of a linear model in the plane: of both coordinates, and the intercept
    weights: FloatArray | None
    # Shape (F, K, R, R): of a model with curved boundaries, log P(y|x) up to a constant on a grid of the plane
    scores: FloatArray | None
    entropy: FloatArray | None  # shape (F, N): share of the largest possible entropy, when there is no plane to map
    captions: Sequence[str]  # what happened in each frame
    why: Sequence[str]  # why each point is where it is in the last frame
    # Of each cluster in the last frame, some points of which the model is most certain
    examples: Sequence[Sequence[int]]
    quality: Mapping[str, Sequence[float]] | None = None  # agreement with the truth in each frame
    # The bound and its terms in each frame, where frames are EM iterations
    terms: Mapping[str, Sequence[float]] | None = None
    by_answers: AnswerCurves | None = None  # information of questions and answers, where frames are answers
    worth: Sequence[ClusterCurves] = ()  # what an answer is worth over K, in each frame

    @property
    def n_clusters(self) -> int:
        """The number of clusters, K."""
        return len(self.names)


@dataclass(frozen=True, eq=False)
class Recording:
    """An exploration of N points, frame by frame: one model, or two side by side."""

    name: str  # what the data are called
    about: Sequence[str]  # what is to be known about the exploration, one sentence each
    points: FloatArray  # shape (N, 2): where the points are drawn
    extent: Extent  # (xmin, xmax, ymin, ymax)
    classes: Sequence[str] | None  # true class of each point by name
    log: Log  # every answer
    frames: Literal["answers", "iterations"]  # what comes from frame to frame: answers, or EM iterations of one fit
    steps: IntArray  # shape (F,): how many answers each frame is fitted to, or numbers of the iterations
    items: Items | None  # what a person sees for each point
    films: tuple[Film, ...]
    names: Sequence[str] | None = None  # what people call each point; by default its number
