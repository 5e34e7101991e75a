"""The controls of the data: generated points, or one's own."""

from __future__ import annotations

import ipywidgets as ipw

from dcrc_explore.datasets import Parameter, list_datasets
from dcrc_explore.session import Session
from dcrc_explore.widgets.controls.own import OwnData
from dcrc_explore.widgets.controls.parts import READOUT, Act, Group, Words, line, show_number


class DataControls(Group):
    """Size, shape and seed of generated points, or a file with one's own."""

    name = "data"

    def __init__(self, act: Act) -> None:
        super().__init__(act)
        self.sliders: dict[str, ipw.Widget] = {}
        self.about = Words()
        self.standardize_button = ipw.Button(
            description="Standardise features",
            tooltip="Give each feature mean 0 and deviation 1, as the paper does; answers stay",
        )
        self._features = line("Features", self.standardize_button)
        self.own = OwnData(act)
        self._about_data: tuple[ipw.Widget, ...] = ()
        self._shown: tuple[str, bool] | None = None
        self.own.observe(lambda _: self._arrange(), "is_open")
        self.standardize_button.on_click(lambda _: self._act(lambda session: session.standardize()))

    def _arrange(self) -> None:
        """Show one's own data alone while something is chosen about them."""
        self.children = (self.own,) if self.own.is_open else (*self._about_data, self.own)

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
                self._about_data = (self.about, *(rows or [self._features]))
                self._arrange()
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
