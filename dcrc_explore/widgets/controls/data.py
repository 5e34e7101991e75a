"""The controls of the data: generated points, or one's own."""

from __future__ import annotations

from pathlib import Path

import ipywidgets as ipw

from dcrc_explore.datasets import Column, IncompleteRows, Parameter, as_dataset, describe_columns, list_datasets
from dcrc_explore.session import Session
from dcrc_explore.widgets.controls.parts import READOUT, Act, Group, Words, line, on_enter, show_number


class DataControls(Group):
    """Size, shape and seed of generated points, or a file with one's own."""

    name = "data"

    def __init__(self, act: Act) -> None:
        super().__init__(act)
        self.sliders: dict[str, ipw.Widget] = {}
        self.about = Words()
        self.file = ipw.Text(placeholder="points.csv, points.npz or a folder of images")
        self.file_button = ipw.Button(description="Open")
        self.classes = ipw.Combobox(placeholder="its name, if the .csv has one")
        self.items = ipw.Combobox(placeholder="its name, if the .csv has one")
        self._incomplete = ""  # what was to be opened, and has rows with empty cells
        self.standardize_button = ipw.Button(
            description="Standardise features",
            tooltip="Give each feature mean 0 and deviation 1, as the paper does; answers stay",
        )
        self._features = line("Features", self.standardize_button)
        self._own = (
            line(
                *("Own data", self.file, self.file_button),
                tooltip="Read points from a .csv or .npz file, one row per point, or images from a folder",
            ),
            line(
                "Class column", self.classes, tooltip="The column of the .csv file that holds the true classes, if any"
            ),
            line(
                *("Shown as", self.items),
                tooltip="The column of the .csv file that holds what people see: texts, or names of images or sounds",
            ),
        )
        self._shown: tuple[str, bool] | None = None
        self.file_button.on_click(lambda _: self._read())
        for field in (self.file, self.classes, self.items):
            on_enter(field, self._read)
        self.file.observe(lambda _: self._forget_columns(), "value")
        self.standardize_button.on_click(lambda _: self._act(lambda session: session.standardize()))

    def _forget_columns(self) -> None:
        """Another file has other columns."""
        self.classes.value = self.items.value = ""
        self._offer_to_drop("")

    def _offer_to_drop(self, name: str, n_rows: int = 0) -> None:
        self._incomplete = name
        rows = f"{n_rows} row{'' if n_rows == 1 else 's'}"
        self.file_button.description = f"Open without {rows}" if name else "Open"

    def _read(self) -> None:
        self._act(self._open, f"Reading {Path(self.file.value.strip()).name}…")

    def _open(self, session: Session) -> None:
        name = self.file.value.strip()
        if not name:
            raise ValueError("give a file name, such as points.csv")
        if Path(name).suffix == ".csv":
            columns = describe_columns(name)
            self.classes.options = self.items.options = tuple(column.name for column in columns)
            self.items.value = self.items.value or next((each.name for each in columns if _is_seen(each)), "")
        classes, items = (field.value.strip() or None for field in (self.classes, self.items))
        if Path(name).suffix not in (".csv", ".npz"):
            session.set_data(name, classes)  # a folder, or something to complain about
            return
        try:
            dataset = as_dataset(name, classes, items=items, drop_incomplete=name == self._incomplete)
        except IncompleteRows as error:
            self._offer_to_drop(name, error.n_rows)
            raise ValueError(f"{error.found}: fill them, or press “{self.file_button.description}”") from error
        session.set_data(dataset)
        self._offer_to_drop("")

    def follow(self, session: Session) -> None:
        """Show a slider for each parameter of the current generator."""
        dataset, generated = session.dataset, session.is_generated
        n_points, n_features = dataset.X.shape
        about = dataset.description or f"{n_points} points with {n_features} features"
        about = f"{about[0].upper()}{about[1:].removesuffix('.')}."
        if dataset.is_standardized:
            about += " The features are standardised."
        if session.is_projected and n_features > 2:
            about += (
                f" The model is fitted in all {n_features} features; the picture shows them in two dimensions, in the "
                "plane that is chosen above it."
            )
        with self._quietly():
            self.about.value = f"{about} {session.hint}"
            self.standardize_button.disabled = dataset.is_standardized
            if (dataset.name, generated) != self._shown:
                self._shown = dataset.name, generated
                parameters = list_datasets()[dataset.name].parameters if generated else ()
                self.sliders = {parameter.name: self._slider(parameter) for parameter in parameters}
                rows = [
                    line(_title(parameter), self.sliders[parameter.name], tooltip=parameter.description.capitalize())
                    for parameter in parameters
                ]
                self.children = (self.about, *(rows or [self._features]), *self._own)
            for name, slider in self.sliders.items():
                show_number(slider, dataset.parameters[name])

    def _slider(self, parameter: Parameter) -> ipw.Widget:
        whole = float(parameter.step).is_integer()
        kind, number = (ipw.IntSlider, int) if whole else (ipw.FloatSlider, float)
        limits = {"min": number(parameter.low), "max": number(parameter.high), "step": number(parameter.step)}
        slider = kind(number(parameter.default), **limits, continuous_update=False)
        slider.readout_format = "d" if whole else READOUT
        self._watch(slider, lambda value: self._act(lambda session: session.regenerate(**{parameter.name: value})))
        return slider


def _title(parameter: Parameter) -> str:
    return {"n_per_cluster": "Size", "n_clusters": "Clusters"}.get(parameter.name, parameter.name.capitalize())


def _is_seen(column: Column) -> bool:
    """Whether people would look at a column rather than a model: files, or texts of several words."""
    return column.kind in ("images", "sounds") or (
        column.kind == "texts" and any(" " in example for example in column.examples)
    )
