"""Pictures of a clustering with relative constraints, for print and for notebooks.

Every function draws what it is given on `ax` (on a new figure when it is None) and returns the artists. Nothing is
fitted or evaluated here.
"""

from dcrc_explore.plotting.panels import (
    plot_answer_table,
    plot_balance,
    plot_information,
    plot_objective,
    plot_quality,
)
from dcrc_explore.plotting.plane import plot_boundaries, plot_points, plot_surface, plot_triplets

__all__ = [
    "plot_answer_table",
    "plot_balance",
    "plot_boundaries",
    "plot_information",
    "plot_objective",
    "plot_points",
    "plot_quality",
    "plot_surface",
    "plot_triplets",
]
