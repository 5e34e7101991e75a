"""The types of what a page holds; the tool sends some of it, too. `python tests/js/protocol.py` writes them for tsc."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from dcrc_explore.arrays import PackedArray


class Curve(TypedDict):
    """A line in a panel."""

    name: str
    values: list[float]


class AnswerInformation(TypedDict):
    """Bits before the first answer and after each; `left` has numbers of answers and bits of asked and other points.

    `impossible` are the numbers of answers that a hard model held impossible.
    """

    curves: list[Curve]
    impossible: list[int]
    left: list[list[float]]
    words: list[str]


class ClusterInformation(TypedDict):
    """Bits per answer for numbers of clusters, of which `current` is the model's: the ideal, and for this model."""

    clusters: list[int]
    current: int
    ideal: list[Curve]
    model: list[Curve]
    words: list[str]


class Places(TypedDict):
    """Where the points are, as float32, what they are called, if anything, their true classes, and the palette."""

    xy: PackedArray
    extent: list[float]
    names: list[str] | None
    classes: list[str] | None
    colours: list[str]
    markers: list[str]


class PageItem(TypedDict):
    """What a person sees of a point: words, and a picture where there was room for it."""

    text: str
    image: NotRequired[str]


class FilmSent(TypedDict):
    """A model in each frame; a map is made from `weights` of a linear model, or from `depths` on a grid.

    `worth` is that of the last frame, and `worths` has the curves of its model in each.
    """

    title: str
    settings: dict[str, str]
    names: list[str]
    truth: PackedArray | None
    labels: PackedArray
    weights: PackedArray | None
    depths: PackedArray | None
    deepest: list[float] | None
    entropy: PackedArray | None
    captions: list[str]
    why: list[str]
    examples: list[list[int]]
    quality: list[Curve] | None
    terms: list[Curve] | None
    told: AnswerInformation | None
    worth: ClusterInformation | None
    worths: list[list[list[float]]]


class PageSent(TypedDict):
    """A recording. The steps are how many answers of each kind a frame is fitted to, the numbers those among all."""

    name: str
    about: list[str]
    version: str
    points: Places
    triplets: PackedArray
    pairs: PackedArray
    triplet_steps: list[int]
    pair_steps: list[int]
    triplet_numbers: list[int]
    pair_numbers: list[int]
    surprise: list[float | str | None]
    frames: Literal["answers", "iterations"]
    steps: list[int]
    items: list[PageItem] | None
    films: list[FilmSent]
