"""The groups of controls: data and view above the picture; data, questions and the session beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dcrc_explore.datasets import Dataset, Parameter, as_dataset, list_datasets, list_real_datasets
from dcrc_explore.embeddings import list_features
from dcrc_explore.session import Session
from dcrc_explore.settings import find
from dcrc_explore.widgets.controls import Control, differing, menu
from dcrc_explore.widgets.own import OwnData
from dcrc_explore.widgets.protocol.sent import Options
from dcrc_explore.widgets.reading import Work

_MOST_CLUSTERS = 12
_OWN = "own: "  # begins the value of data that are nobody else's
_CLUSTER = ("probability", "Cluster", "Probability of one cluster; choose it in the legend under the picture")
_MAPS = (
    ("entropy", "Entropy", "How uncertain the model is: darker is less certain"),
    ("regions", "Regions", "The most probable cluster"),
    _CLUSTER,
    ("none", "None", "Boundaries only"),
)
# Where the plane does not tell the model, each point has its own value around it.
_HALOS = (
    ("entropy", "Entropy", "How uncertain the model is of each point: darker is less certain"),
    _CLUSTER,
    ("none", "None", "Points only"),
)
_ITEMS = (
    "Show items where there is room, in the colour of their cluster, and dots elsewhere; zoom in to see more of them "
    "and to read texts. Off: dots alone"
)
_PLANE = (
    "The plane that shows points with more than two features: where they vary most (PCA), where the model separates "
    "the clusters (with its boundaries), or two of the features"
)
_LINKS = "Answers drawn: solid to the more similar point, dashed to the other, dotted for don't know"
_TEACH = "After each of your answers, say what the true classes would have answered"
_TITLES = {"n_per_cluster": "Size", "n_clusters": "Clusters"}


class DataMenu:
    """The data that can be chosen: generators, stored sets, and one's own, to which one can come back."""

    def __init__(self) -> None:
        self._own: dict[str, Dataset] = {}

    def controls(self, session: Session) -> Iterator[Control]:
        """List the menu of data, K, and other points of the same kind."""
        dataset, K = session.dataset, session.settings.n_clusters
        stored = {name: spec for name, spec in list_real_datasets().items() if spec.bundled}
        # A file of one's own may have the name of a stored set, but not its description.
        known = dataset.name in stored and dataset.description.startswith(stored[dataset.name].description)
        named = session.state.subject.is_generated or known
        if not named:
            self._own[dataset.name] = dataset
        data = [(_OWN + name, name) for name in self._own]
        data += [(name, spec.title) for name, spec in list_datasets().items()]
        data += [(name, spec.title) for name, spec in stored.items()]
        value = dataset.name if named else _OWN + dataset.name
        about = "Which points to explore; Undo brings back the current ones with their answers"
        yield menu("data", "Data", data, value, self._set, help=about)
        clusters = [(k, str(k)) for k in range(2, max(_MOST_CLUSTERS, K) + 1)]
        setting = find("n_clusters")
        yield menu("n_clusters", setting.label, clusters, K, lambda s, k: s.set(n_clusters=k), help=setting.help)
        if session.state.subject.is_generated:
            about = "Other points of the same kind: the next seed"
            do = lambda each, _: each.regenerate(seed=int(each.dataset.parameters["seed"]) + 1)  # noqa: E731
            yield Control("renew", "button", words="↻ New points", help=about, do=do)

    def _set(self, session: Session, name: str) -> str | None:
        before = differing(session)
        session.set_data(self._own[name.removeprefix(_OWN)] if name.startswith(_OWN) else name)
        return f"The settings are the defaults again (before: {before}). Undo (Z) brings all back." if before else None


def view_controls(
    session: Session, view: Options, show: Callable[..., object], *, drawn: bool, truth: bool, teach: bool
) -> Iterator[Control]:
    """List what is drawn, and in which plane; maps are offered where they are `drawn`, else halos."""
    names = session.dataset.feature_names
    plane = view["plane"]
    if len(names) > 2:

        def choose(_: object, kind: str) -> None:
            show(plane=(0, 1) if kind == "features" else kind)

        kinds = [("pca", "PCA"), ("model", "Model"), ("features", "Features")]
        yield menu("plane", "Plane", kinds, plane if isinstance(plane, str) else "features", choose, help=_PLANE)
        if not isinstance(plane, str):
            features, (across, up) = list(enumerate(names)), plane
            # Both axes never have the same feature.
            about, do = (
                "The feature on the horizontal axis",
                lambda _, d: show(plane=(d, up if up != d else int(d == 0))),
            )
            yield menu("across", "", features, across, do, help=about)
            about, do = (
                "The feature on the vertical axis",
                lambda _, d: show(plane=(across if across != d else int(d == 0), d)),
            )
            yield menu("up", "", features, up, do, help=about)
    if session.dataset.cards.kind != "rows":
        yield Control("items", "toggle", "", "Items", _ITEMS, view["items"], lambda _, on: show(items=on))
    maps = _MAPS if drawn else _HALOS
    yield Control(
        "map", "choice", "Map" if drawn else "Halos", value=view["map"], do=lambda _, v: show(map=v), options=maps
    )
    links = [(kind, kind) for kind in ("last + violated", "all", "last", "violated", "none")]
    yield menu("links", "Answers", links, view["links"], lambda _, kind: show(links=kind), help=_LINKS)
    if truth and session.dataset.y is not None:
        words = "◉ shown" if view["truth"] else "○ hidden"
        about = "Show the true classes as rings; quality and verdicts are measured against them either way"
        yield Control("truth", "toggle", "Truth", words, about, view["truth"], lambda _, on: show(truth=on))
        if teach:
            yield Control("teach", "toggle", "", "Teach me", _TEACH, view["teach"], lambda _, on: show(teach=on))


def data_controls(session: Session, own: OwnData, features: FeatureMenu) -> Iterator[Control]:
    """List the parameters of generated points, or a way to other data; one's own alone while they are chosen."""
    if not own.is_open:
        dataset = session.dataset
        n_points, n_features = dataset.X.shape
        about = dataset.description or f"{n_points} points with {n_features} features"
        about = f"{about[0].upper()}{about[1:].removesuffix('.')}."
        if dataset.is_standardized:
            about += " The features are standardised."
        if session.state.subject.is_projected and n_features > 2:
            about += (
                f" The model is fitted in all {n_features} features; the picture shows them in two dimensions, in the "
                "plane that is chosen above it."
            )
        yield Control("about", "words", value=f"{about} {session.model.hint}".strip())
        for parameter in list_datasets()[dataset.name].parameters if session.state.subject.is_generated else ():
            yield _parameter(parameter, dataset.parameters[parameter.name])
        yield from features.controls(session)
        if not session.state.subject.is_generated:
            help = "Give each feature mean 0 and deviation 1, as the paper does; answers stay"
            yield Control(
                *("standardize", "button", "Scale", "Standardise features", help),
                do=lambda session, _: session.standardize(),
                off=dataset.is_standardized,
            )
    yield from own.controls()


def _parameter(parameter: Parameter, value: float) -> Control:
    number: type = int if float(parameter.step).is_integer() else float
    low, high = min(parameter.low, value), max(parameter.high, value)
    return Control(
        *(f"data.{parameter.name}", "slider", _TITLES.get(parameter.name, parameter.name.capitalize()), ""),
        *(parameter.description.capitalize(), value),
        lambda session, value: session.regenerate(**{parameter.name: number(value)}),
        limits=(low, high, parameter.step),
        late=True,
    )


_FEATURES = "What the model sees of each item; answers stay, and Undo (Z) brings the old features back"


class FeatureMenu:
    """A menu of features for data with images, texts or sounds; nothing for others.

    Parameters
    ----------
    act : callable
        Does something with the session, and shows the controls as they are then.
    """

    def __init__(self, act: Callable[[Callable[[Session], object]], object]) -> None:
        self._making: Work[Dataset] = Work(act)
        self._wanted = ""

    def controls(self, session: Session) -> Iterator[Control]:
        """List the menu, and while features are made how far that is and a way to stop it."""
        dataset = session.dataset
        specs = list_features(dataset.cards.kind)
        if not specs:
            return
        now = self._wanted if self._making.is_running else dataset.features
        options = [(name, spec.title + (" (not installed)" if spec.missing() else "")) for name, spec in specs.items()]
        if now not in specs:
            options.insert(0, (now, now or "as they came with the data"))
        yield menu("features", "Features", options, now, self._choose, off=self._making.is_running, help=_FEATURES)
        if self._making.is_running:
            about = "Keep the features that the model has now"
            do = lambda *_: self._making.stop("Stopped. The features are as they were.")  # noqa: E731
            yield Control("features.stop", "button", words="Stop", help=about, do=do)
        yield Control("features.outcome", "words", value=self._making.words)

    def _choose(self, session: Session, name: str) -> None:
        before = session.dataset
        self._making.words = ""
        if name == before.features:
            return
        if problem := list_features()[name].missing():
            raise ValueError(f"{problem[0].upper()}{problem[1:]}. The features are as they were.")
        self._wanted = name

        def take(session: Session, made: Dataset) -> None:
            if session.dataset is before:  # else somebody chose other data meanwhile
                session.set_features(made)

        self._making.start(
            session, lambda watch: as_dataset(before, features=name, watch=watch), take, doing="Looking at"
        )
