"""Colours and markers, shared by the live canvas and by the printed figures.

Clusters differ by colour and by marker, so colour is never the only cue. All twelve stay apart,
from each other and from the colour of violated answers, under every kind of dichromatic vision (a test measures it).
"""

from __future__ import annotations

CLUSTER_COLOURS = (
    "#0072b2", "#e69f00", "#cc79a7", "#009e73", "#332288", "#56b4e9", "#882255", "#661100", "#ddcc77", "#777777",
    "#117733", "#d55e00",
)  # fmt: skip
CLUSTER_MARKERS = (
    "circle", "triangle", "square", "diamond", "triangle-down", "pentagon", "plus", "star", "cross", "hexagon",
    "triangle-left", "triangle-right",
)  # fmt: skip
ANSWER_COLOURS = {"yes": "#3f8f5f", "no": "#c2574f", "dnk": "#a7b0ba"}
VIOLATED = "#c62828"
ACCENT = "#0b57d0"
INK = "#1f2328"
MUTED = "#59636e"
LINE = "#d8dee4"
# Which of two models is less certain; orange and purple differ for every kind of colour vision.
FIRST_UNSURE = "#d9730d"
SECOND_UNSURE = "#6b4aa0"

# The tool in a browser: colours by what they are for. Curves are darker, or lighter, than the clusters' fills.
_LIGHT = {
    "paper": "#ffffff",
    "soft": "#f5f7f9",
    "ink": INK,
    "muted": MUTED,
    "line": LINE,
    "accent": ACCENT,
    "accent-ink": "#ffffff",
    "bad": VIOLATED,
    **ANSWER_COLOURS,
    "plane": "#ffffff",
    "shade": "#000000",
    "label": INK,
    "label-ink": "#ffffff",
    "knob": "#ffffff",
    "blue": "#0072b2",
    "orange": "#b97a00",
    "pink": "#a8447c",
    "green": "#00805d",
    "first": FIRST_UNSURE,
    "second": SECOND_UNSURE,
    "tint": "0.1",  # of a cluster's colour in its region
    "darkest": "0.72",  # share of the shade where the model is least certain
}
_DARK = {
    "paper": "#16181c",
    "soft": "#2a2e34",
    "ink": "#e8eaed",
    "muted": "#a4adb7",
    "line": "#41474f",
    "accent": "#7cacf8",
    "accent-ink": "#0d1b33",
    "bad": "#ff8a80",
    "yes": "#5fb583",
    "no": "#e0776e",
    "dnk": "#7d8792",
    "plane": "#434951",
    "label": "#f2f4f6",
    "label-ink": "#15181c",
    "blue": "#5bb0e6",
    "orange": "#f0b23c",
    "pink": "#e29ac3",
    "green": "#4cc9a0",
    "first": "#f59a3d",
    "second": "#a98be0",
    "tint": "0.2",
    "darkest": "0.8",
}


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


def style_variables() -> str:
    """Return the colours of the tool as a style sheet, light and dark: ink is ``--dcrc-ink``.

    Examples
    --------
    >>> "--dcrc-ink: #1f2328;" in style_variables()
    True
    """
    dark = ':is([data-jp-theme-light="false"], .theme-dark) .dcrc-explorer, .dcrc-explorer[data-dark]'
    return f".dcrc-explorer {{\n{_rules(_LIGHT)}}}\n{dark} {{\n  color-scheme: dark;\n{_rules(_DARK)}}}"


def root_variables() -> str:
    """Return the same colours for a whole page of its own, which follows the light or dark setting of the device.

    Examples
    --------
    >>> root_variables().startswith(":root {")
    True
    """
    return (
        f":root {{\n  color-scheme: light dark;\n{_rules(_LIGHT)}}}\n"
        f"@media (prefers-color-scheme: dark) {{\n:root {{\n{_rules(_DARK)}}}\n}}\n"
    )


def _rules(theme: dict[str, str]) -> str:
    return "".join(f"  --dcrc-{name}: {value};\n" for name, value in theme.items())
