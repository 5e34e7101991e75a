"""What people would use instead of DCRC, behind one interface: fit on X with triplets and answers, then labels."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from dcrc_explore.baselines.base import Baseline, MetricBaseline
from dcrc_explore.baselines.dcrc import DCRCYN, DCRCWithoutAnswers
from dcrc_explore.baselines.itml import ITML
from dcrc_explore.baselines.kmeans import BestKMeans
from dcrc_explore.baselines.lsml import LSML
from dcrc_explore.baselines.schultz_joachims import SchultzJoachims
from dcrc_explore.baselines.sparse_lp import SparseLP
from dcrc_explore.baselines.sssvad import SSSVaD
from dcrc_explore.baselines.tuning import Choice, tune, tune_pairs
from dcrc_explore.baselines.xing import Xing

__all__ = [
    "DCRCYN",
    "ITML",
    "LSML",
    "Baseline",
    "BestKMeans",
    "Choice",
    "DCRCWithoutAnswers",
    "MetricBaseline",
    "SSSVaD",
    "SchultzJoachims",
    "SparseLP",
    "Xing",
    "list_baselines",
    "tune",
    "tune_pairs",
]


def list_baselines() -> Mapping[str, type[Any]]:
    """Return the baselines by the names they have in the paper.

    Examples
    --------
    >>> list(list_baselines())
    ['K-means', 'DCRC-NoConst', 'DCRC-YN', 'Xing', 'ITML', 'LSML', 'Schultz-Joachims', 'sparseLP', 'SSSVaD']
    """
    return MappingProxyType(
        {
            "K-means": BestKMeans,
            "DCRC-NoConst": DCRCWithoutAnswers,
            "DCRC-YN": DCRCYN,
            "Xing": Xing,
            "ITML": ITML,
            "LSML": LSML,
            "Schultz-Joachims": SchultzJoachims,
            "sparseLP": SparseLP,
            "SSSVaD": SSSVaD,
        }
    )
