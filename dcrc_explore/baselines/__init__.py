"""What people would use instead of DCRC, behind one interface: fit on X with triplets and answers, then labels."""

from dcrc_explore.baselines.base import Baseline
from dcrc_explore.baselines.comparison import MethodResult, compare_methods, list_methods
from dcrc_explore.baselines.dcrc import DCRCWithoutAnswers
from dcrc_explore.baselines.itml import ITML
from dcrc_explore.baselines.kmeans import BestKMeans
from dcrc_explore.baselines.lsml import LSML
from dcrc_explore.baselines.registry import list_baselines
from dcrc_explore.baselines.schultz_joachims import SchultzJoachims
from dcrc_explore.baselines.sparse_lp import SparseLP
from dcrc_explore.baselines.sssvad import SSSVaD
from dcrc_explore.baselines.tuning import tune, tune_pairs
from dcrc_explore.baselines.xing import Xing

__all__ = ["ITML", "LSML", "compare_methods", "list_baselines"]
