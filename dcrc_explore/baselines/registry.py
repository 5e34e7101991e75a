"""The baselines by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from dcrc_explore.baselines.dcrc import DCRCWithoutAnswers
from dcrc_explore.baselines.itml import ITML
from dcrc_explore.baselines.kmeans import AnswersKMeans, BestKMeans, OneCluster
from dcrc_explore.baselines.lsml import LSML
from dcrc_explore.baselines.schultz_joachims import SchultzJoachims
from dcrc_explore.baselines.sparse_lp import SparseLP
from dcrc_explore.baselines.sssvad import SSSVaD
from dcrc_explore.baselines.xing import Xing


def list_baselines() -> Mapping[str, type[Any]]:
    """Return the baselines by the names they have in tables; the paper's DCRC-YN is ``DCRC(use_dnk=False)``.

    Examples
    --------
    >>> list(list_baselines())[:5]
    ['all in one cluster', 'K-means', 'DCRC-NoConst', "answers' start + K-means", 'Xing']
    """
    return MappingProxyType(
        {
            "all in one cluster": OneCluster,
            "K-means": BestKMeans,
            "DCRC-NoConst": DCRCWithoutAnswers,
            "answers' start + K-means": AnswersKMeans,
            "Xing": Xing,
            "ITML": ITML,
            "LSML": LSML,
            "Schultz-Joachims": SchultzJoachims,
            "sparseLP": SparseLP,
            "SSSVaD": SSSVaD,
        }
    )
