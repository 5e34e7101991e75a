"""Data to explore: generators by name, real sets, and a user's own arrays, tables, files and folders of images."""

from dcrc_explore.datasets.dataset import Dataset
from dcrc_explore.datasets.draft import Draft
from dcrc_explore.datasets.generators import DatasetSpec, Parameter, list_datasets, make_dataset
from dcrc_explore.datasets.item_files import Files, ImageFiles, SoundFiles, as_items
from dcrc_explore.datasets.items import Contrast, Images, Items, Media, Rows, Strokes, Texts
from dcrc_explore.datasets.own import IncompleteRows, as_dataset, describe_columns
from dcrc_explore.datasets.paper import RealSpec, list_real_datasets, load_dataset
from dcrc_explore.datasets.scenes import make_scenes, write_scenes
from dcrc_explore.datasets.sorted_files import Sorted, sort_files
from dcrc_explore.datasets.stored_items import items_from_json, items_to_json
from dcrc_explore.datasets.table import Column, Unusable
from dcrc_explore.progress import Watch

__all__ = [
    "Column",
    "Contrast",
    "Dataset",
    "DatasetSpec",
    "Draft",
    "Files",
    "ImageFiles",
    "Images",
    "IncompleteRows",
    "Items",
    "Media",
    "Parameter",
    "RealSpec",
    "Rows",
    "Sorted",
    "SoundFiles",
    "Strokes",
    "Texts",
    "Unusable",
    "Watch",
    "as_dataset",
    "as_items",
    "describe_columns",
    "items_from_json",
    "items_to_json",
    "list_datasets",
    "list_real_datasets",
    "load_dataset",
    "make_dataset",
    "make_scenes",
    "sort_files",
    "write_scenes",
]
