"""The paper's comparisons: work that can be stopped and continued, tidy records, and figures made from them."""

from dcrc_explore.experiments.catalogue import list_experiments
from dcrc_explore.experiments.records import differences, read_records, summarise
from dcrc_explore.experiments.runner import run
from dcrc_explore.experiments.work import Item

__all__ = ["differences", "list_experiments", "read_records", "run", "summarise"]
