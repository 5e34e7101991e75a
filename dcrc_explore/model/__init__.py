"""The method itself, one file per idea."""

from dcrc_explore.model.estimator import DCRC
from dcrc_explore.model.path import EMStep
