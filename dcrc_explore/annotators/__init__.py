"""Who answers: the truth, a noisy annotator, people as the paper measured them, a crowd, or any function.

An *annotator* answers questions: a person, a function, a model or a simulation. An *oracle* is a simulated one: it
knows the true classes and answers by them, with or without errors.
"""

from dcrc_explore.annotators.agreement import Agreement, agreement, cohen_kappa, fleiss_kappa
from dcrc_explore.annotators.confusion import (
    EXCHANGING,
    GUESSING,
    PAPER_CONFUSION,
    PAPER_PAIR_CONFUSION,
    PAPER_PAIR_TABLE,
    PAPER_TABLE,
    as_confusion,
    error_matrix,
    forced,
    mirrored,
)
from dcrc_explore.annotators.function import CallFailed, Collected, FunctionAnnotator, Progress, Reply
from dcrc_explore.annotators.people import (
    Crowd,
    Oracle,
    PairOracle,
    confused,
    list_oracles,
    make_crowd,
    make_oracle,
    noisy,
    truth,
)

__all__ = ["FunctionAnnotator", "confused", "make_crowd", "noisy", "truth"]
