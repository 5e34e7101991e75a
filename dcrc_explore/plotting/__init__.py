"""Pictures of a clustering with relative constraints, for print and for notebooks.

Every function draws what it is given on `ax` (on a new figure when it is None) and returns the artists. Nothing is
fitted or evaluated here.
"""

from matplotlib.figure import Figure

from dcrc_explore.plotting.curves import plot_curves
from dcrc_explore.plotting.inspection import plot_disagreement, plot_explanation, plot_recovery, plot_sweep
from dcrc_explore.plotting.items import beside_items, find_room, plot_items
from dcrc_explore.plotting.panels import (
    plot_answer_information,
    plot_answer_table,
    plot_balance,
    plot_information,
    plot_objective,
    plot_quality,
)
from dcrc_explore.plotting.plane import (
    plot_boundaries,
    plot_clustering,
    plot_legend,
    plot_points,
    plot_surface,
    plot_triplets,
)
from dcrc_explore.plotting.study import plot_people, plot_scores
from dcrc_explore.plotting.style import new_figure, plain

__all__ = [
    "plot_answer_information",
    "plot_balance",
    "plot_clustering",
    "plot_curves",
    "plot_explanation",
    "plot_information",
    "plot_points",
    "plot_triplets",
]
