"""Why a model does what it does: two models compared, a point explained, epsilon swept, planted errors found."""

from dcrc_explore.inspection.comparison import Comparison, Disagreement, compare, disagreement
from dcrc_explore.inspection.errors import Recovery, disbelief, plant_errors, recovery, wrong_answers
from dcrc_explore.inspection.explanation import Contribution, Explanation, explain
from dcrc_explore.inspection.sweep import EPSILONS, SweepPoint, epsilon_sweep
from dcrc_explore.inspection.verdict import Verdict, verdict

__all__ = ["compare", "disbelief", "epsilon_sweep", "explain", "plant_errors", "recovery"]
