"""The types of what a page holds; the tool sends some of it, too. `python tests/js/protocol.py` writes them for tsc."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from dcrc_explore.arrays import PackedArray


class Curve(TypedDict):
    """A line in a panel."""

    name: str
    values: list[float]


class InformationCurves(TypedDict):
    """Bits per answer for numbers of clusters."""

    clusters: list[int]
    curves: list[Curve]


class Places(TypedDict):
    """Where the points are, as float32, their true classes by name, and the palette."""

    xy: PackedArray
    extent: list[float]
    classes: list[str] | None
    colours: list[str]
    markers: list[str]


class PageItem(TypedDict):
    """What a person sees of a point: words, and a picture where there was room for it."""

    text: str
    image: NotRequired[str]


class FilmSent(TypedDict):
    """A model in each frame; a map is made from `weights` of a linear model, or from `depths` on a grid."""

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
    information: InformationCurves
    items: list[PageItem] | None
    films: list[FilmSent]
