"""The choice of the plane in which data of more than two features are seen."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as ipw

from dcrc_explore.datasets import Dataset
from dcrc_explore.session import Session
from dcrc_explore.widgets.controls.parts import Act, Group

_ABOUT = (
    "Where points of more than two features are seen: where they vary most (PCA), where the model tells the clusters "
    "apart, with its boundaries, or in two of the features"
)


class PlaneChoice(Group):
    """PCA, the model's plane, or two features; nothing for data that are a plane themselves."""

    name = "plane"

    def __init__(self, act: Act, show: Callable[..., object]) -> None:
        super().__init__(act)
        self._dataset: Dataset | None = None
        self.kind = ipw.Dropdown(options=[("PCA", "pca"), ("Model", "model"), ("Features", "features")], tooltip=_ABOUT)
        self.across, self.up = (ipw.Dropdown(tooltip=f"The feature that is seen {where}") for where in ("across", "up"))
        for control in (self.kind, self.across, self.up):
            self._watch(control, lambda _: show(plane=self.chosen))
        self.kind.observe(lambda _: self._show_pair(), "value")
        self.children = (ipw.Label("Plane", tooltip=_ABOUT), self.kind, self.across, self.up)

    @property
    def chosen(self) -> str | tuple[int, int]:
        """The plane, as ``Fit.view`` takes it; two different features."""
        if self.kind.value != "features":
            return str(self.kind.value)
        across, up = int(self.across.value), int(self.up.value)
        return across, up if up != across else int(across == 0)

    def _show_pair(self) -> None:
        for control in (self.across, self.up):
            control.layout.display = None if self.kind.value == "features" else "none"

    def follow(self, session: Session) -> None:
        """Begin anew with other data."""
        if session.dataset is self._dataset:
            return
        self._dataset = session.dataset
        names = [(name, d) for d, name in enumerate(session.dataset.feature_names)]
        with self._quietly():
            self.kind.value = "pca"
            for d, control in enumerate((self.across, self.up)):
                control.options = names
                control.value = min(d, len(names) - 1)
        self._show_pair()
        self.layout.display = None if len(names) > 2 else "none"
