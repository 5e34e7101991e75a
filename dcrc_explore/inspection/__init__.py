"""Why a model does what it does: models compared, a point explained, a cluster shown, epsilon swept, errors found."""

from dcrc_explore.inspection.comparison import Comparison, Disagreement, Dispute, compare, disagreement
from dcrc_explore.inspection.errors import Recovery, disbelief, plant_errors, recovery
from dcrc_explore.inspection.explanation import Contribution, Explanation, explain
from dcrc_explore.inspection.gallery import Shelf, gallery
from dcrc_explore.inspection.sweep import EPSILONS, SweepPoint, epsilon_sweep

__all__ = [
    "EPSILONS",
    "Comparison",
    "Contribution",
    "Disagreement",
    "Dispute",
    "Explanation",
    "Recovery",
    "Shelf",
    "SweepPoint",
    "compare",
    "disagreement",
    "disbelief",
    "epsilon_sweep",
    "explain",
    "gallery",
    "plant_errors",
    "recovery",
]
