"""Colours and markers, shared by the live canvas and by the printed figures.

Clusters differ by colour and by marker, so colour is never the only cue. All twelve stay apart,
from each other and from the colour of violated answers, under every kind of dichromatic vision (a test measures it).
"""

from __future__ import annotations

__all__ = [
    "ACCENT",
    "ANSWER_COLOURS",
    "CLUSTER_COLOURS",
    "CLUSTER_MARKERS",
    "FIRST_UNSURE",
    "INK",
    "LINE",
    "MUTED",
    "SECOND_UNSURE",
    "VIOLATED",
    "cluster_colour",
    "cluster_marker",
]

CLUSTER_COLOURS = (
    "#0072b2",
    "#e69f00",
    "#cc79a7",
    "#009e73",
    "#332288",
    "#56b4e9",
    "#882255",
    "#661100",
    "#ddcc77",
    "#777777",
    "#117733",
    "#d55e00",
)
CLUSTER_MARKERS = (
    "circle",
    "triangle",
    "square",
    "diamond",
    "triangle-down",
    "pentagon",
    "plus",
    "star",
    "cross",
    "hexagon",
    "triangle-left",
    "triangle-right",
)
ANSWER_COLOURS = {"yes": "#4c9a6a", "no": "#c2574f", "dnk": "#a7b0ba"}
VIOLATED = "#c62828"
ACCENT = "#0b57d0"
INK = "#1f2328"
MUTED = "#656d76"
LINE = "#d8dee4"
# Which of two models is less certain; orange and purple differ for every kind of colour vision.
FIRST_UNSURE = "#d9730d"
SECOND_UNSURE = "#6b4aa0"


def cluster_colour(cluster: int) -> str:
    """Colour of a cluster; beyond twelve clusters they come round again.

    Examples
    --------
    >>> cluster_colour(0), cluster_colour(12) == cluster_colour(0)
    ('#0072b2', True)
    """
    return CLUSTER_COLOURS[cluster % len(CLUSTER_COLOURS)]


def cluster_marker(cluster: int) -> str:
    """Name of a cluster's marker; shifted with each round of the colours, so that no pair repeats before 144 clusters.

    Examples
    --------
    >>> cluster_marker(0), cluster_marker(12)
    ('circle', 'triangle')
    """
    rounds, place = divmod(cluster, len(CLUSTER_COLOURS))
    return CLUSTER_MARKERS[(place + rounds) % len(CLUSTER_MARKERS)]
