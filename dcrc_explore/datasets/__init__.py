"""Data to explore: generators by name, real sets, and a user's own arrays, tables, files and folders of images."""

from dcrc_explore.datasets.dataset import Dataset
from dcrc_explore.datasets.draft import Draft
from dcrc_explore.datasets.drawn import Drawing
from dcrc_explore.datasets.generators import Parameter, list_datasets, make_dataset
from dcrc_explore.datasets.item_files import Files, ImageFiles, SoundFiles, as_items
from dcrc_explore.datasets.items import Images, Items, Media, Rows, Strokes, Texts
from dcrc_explore.datasets.own import IncompleteRows, as_dataset, describe_columns
from dcrc_explore.datasets.paper import list_real_datasets, load_dataset
from dcrc_explore.datasets.scenes import make_scenes, write_scenes
from dcrc_explore.datasets.sorted_files import Sorted, sort_files
from dcrc_explore.datasets.stored_items import columns_from_json, columns_to_json, items_from_json, items_to_json
from dcrc_explore.datasets.table import Column, Unusable
from dcrc_explore.progress import Watch

__all__ = [
    "Dataset",
    "as_dataset",
    "list_datasets",
    "list_real_datasets",
    "load_dataset",
    "make_dataset",
    "make_scenes",
    "write_scenes",
]
