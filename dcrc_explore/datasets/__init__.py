"""Data to explore: 2-D generators by name, the real sets of the paper, and a user's own arrays and files."""

from dcrc_explore.datasets.dataset import Dataset
from dcrc_explore.datasets.generators import DatasetSpec, Parameter, list_datasets, make_dataset
from dcrc_explore.datasets.own import IncompleteRows, as_dataset, describe_columns
from dcrc_explore.datasets.paper import RealSpec, list_real_datasets, load_dataset
from dcrc_explore.datasets.table import Column

__all__ = [
    "Column",
    "Dataset",
    "DatasetSpec",
    "IncompleteRows",
    "Parameter",
    "RealSpec",
    "as_dataset",
    "describe_columns",
    "list_datasets",
    "list_real_datasets",
    "load_dataset",
    "make_dataset",
]
