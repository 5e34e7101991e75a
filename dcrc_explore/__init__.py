"""Discriminative clustering with relative constraints: a library to call and a tool to watch."""

from dcrc_explore.constraints import Answer, Triplets
from dcrc_explore.model import DCRC, EMStep

__version__ = "0.1.0"
__all__ = ["DCRC", "Answer", "EMStep", "Triplets"]
