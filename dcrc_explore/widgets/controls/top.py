"""The bar above the picture: which data, and how they are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ipywidgets as ipw

from dcrc_explore.datasets import Dataset, list_datasets, list_real_datasets
from dcrc_explore.session import Session
from dcrc_explore.widgets.controls.parts import Act, Group, choice

_MOST_CLUSTERS = 12
_MAPS = (
    ("Entropy", "entropy", "How uncertain the model is: darker is less certain"),
    ("Regions", "regions", "The most probable cluster"),
    ("Cluster", "probability", "Probability of one cluster; choose it in the legend under the picture"),
    ("None", "none", "Boundaries only"),
)
# Where the plane does not tell the model, each point has its own value around it.
_HALOS = (
    ("Entropy", "entropy", "How uncertain the model is of each point: darker is less certain"),
    ("Cluster", "probability", "Probability of one cluster; choose it in the legend under the picture"),
    ("None", "none", "Points only"),
)


class TopBar(Group):
    """Data and view, always in sight."""

    name = "top"

    def __init__(self, act: Act, show: Callable[..., object]) -> None:
        super().__init__(act)
        self._own: dict[str, Dataset] = {}  # stays in the list, so that one can come back to it
        self.generator = ipw.Dropdown(tooltip="Which points to explore; answers on the present ones stay in Undo")
        self.generator.add_class("dcrc-generator")
        self.clusters = ipw.Dropdown(tooltip="K, the number of clusters")
        self.new_points = ipw.Button(description="↻ New points", tooltip="Other points of the same kind: the next seed")
        self.map = choice(_MAPS)
        self.map_label = ipw.Label("Map")
        self.links = ipw.Dropdown(
            options=["last + violated", "all", "last", "violated", "none"],
            tooltip="Answers drawn: solid to the more similar point, dashed to the other, dotted for don't know",
        )
        self.truth = ipw.ToggleButton(tooltip="Show the true classes as rings")
        self.teach = ipw.ToggleButton(
            description="Teach me", tooltip="After each of your answers, say what the true classes would have answered"
        )
        self.data_part = ipw.Box([_pair("Data", self.generator), _pair("K", self.clusters), self.new_points])
        self.truth_part = _pair("Truth", self.truth, self.teach)
        self._truth_wanted = True
        view = [_pair("", self.map_label, self.map), _pair("Answers", self.links), self.truth_part]
        self.view_part = ipw.Box(view)
        self.children = (self.data_part, self.view_part)
        self._watch(self.generator, lambda data: act(lambda session: session.set_data(data)))
        self._watch(self.clusters, lambda K: act(lambda session: session.set(n_clusters=K)))
        self._watch(self.map, lambda kind: show(map=kind))
        self._watch(self.links, lambda kind: show(links=kind))
        self._watch(self.truth, lambda shown: show(truth=shown))
        self._watch(self.teach, lambda taught: show(teach=taught))
        self.truth.observe(lambda _: self._name_truth(), "value")
        self.new_points.on_click(lambda _: act(_renew))
        self._name_truth()

    def prepend(self, control: ipw.Widget) -> None:
        """Add a control before those of the view."""
        self.view_part.children = (control, *self.view_part.children)

    def append(self, label: str, *controls: ipw.Widget) -> None:
        """Add controls at the end."""
        self.view_part.children = (*self.view_part.children, _pair(label, *controls))

    def leave_out(self, hide: Sequence[str]) -> None:
        """Show neither data nor truth when a teacher leaves them out."""
        for name, part in (("data", self.data_part), ("truth", self.truth_part)):
            if name in hide:
                part.layout.display = "none"
        self._truth_wanted = "truth" not in hide

    def offer_maps(self, *, drawn: bool, chosen: str) -> None:
        """Offer maps where they are drawn, and halos around the points elsewhere."""
        labels, values, tooltips = zip(*(_MAPS if drawn else _HALOS), strict=True)
        with self._quietly():
            self.map_label.value = "Map" if drawn else "Halos"
            if len(self.map.options) != len(labels):
                self.map.options, self.map.tooltips = tuple(zip(labels, values, strict=True)), tooltips
            self.map.value = chosen

    def _name_truth(self) -> None:
        self.truth.description = "◉ shown" if self.truth.value else "○ hidden"

    def follow(self, session: Session) -> None:
        """Show name and K of the current data."""
        dataset, K = session.dataset, session.settings.n_clusters
        stored = {name: spec for name, spec in list_real_datasets().items() if spec.bundled}
        # A file of one's own may have the name of a stored set, but not its description.
        known = dataset.name in stored and dataset.description.startswith(stored[dataset.name].description)
        named = session.is_generated or known
        if not named:
            self._own[dataset.name] = dataset
        choices: list[tuple[str, str | Dataset]] = list(self._own.items())
        choices += [(spec.title, name) for name, spec in list_datasets().items()]
        choices += [(spec.title, name) for name, spec in stored.items()]
        with self._quietly():
            _set_options(self.generator, choices, dataset.name if named else dataset)
            _set_options(self.clusters, [(str(k), k) for k in range(2, max(_MOST_CLUSTERS, K) + 1)], K)
            self.new_points.disabled = not session.is_generated
            self.truth.disabled = self.teach.disabled = dataset.y is None
            self.truth_part.layout.display = None if self._truth_wanted and dataset.y is not None else "none"


def _renew(session: Session) -> None:
    session.regenerate(seed=int(session.dataset.parameters["seed"]) + 1)


def _set_options(control: ipw.Dropdown, options: Sequence[tuple[str, object]], value: object) -> None:
    if control.options != tuple(options):
        control.options = options
    control.value = value


def _pair(label: str, *controls: ipw.Widget) -> ipw.Box:
    return ipw.Box([*([ipw.Label(label)] if label else []), *controls], _dom_classes=("dcrc-pair",))
