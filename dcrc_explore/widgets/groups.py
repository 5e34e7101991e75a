"""The groups of controls: data and view above the picture; data, questions and the session beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

from dcrc_explore.annotators import list_oracles
from dcrc_explore.datasets import Dataset, Parameter, list_datasets, list_real_datasets
from dcrc_explore.questions import list_strategies
from dcrc_explore.session import SavedSession, Session, SessionError
from dcrc_explore.session.asking import SHARED
from dcrc_explore.settings import find
from dcrc_explore.widgets.answering import Answering
from dcrc_explore.widgets.controls import Control, differing, menu
from dcrc_explore.widgets.controls import field as text_field
from dcrc_explore.widgets.features import FeatureMenu
from dcrc_explore.widgets.own import OwnData
from dcrc_explore.widgets.protocol.sent import Options
from dcrc_explore.widgets.shelf import in_words
from dcrc_explore.words import count

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
_BY_HAND = "chosen by hand"
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
            yield Control("renew", "button", words="↻ New points", help=about, do=_renew)

    def _set(self, session: Session, name: str) -> str | None:
        before = differing(session)
        session.set_data(self._own[name.removeprefix(_OWN)] if name.startswith(_OWN) else name)
        return f"The settings are the defaults again (before: {before}). Undo (Z) brings all back." if before else None


def _renew(session: Session, _: object) -> None:
    session.regenerate(seed=int(session.dataset.parameters["seed"]) + 1)


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
            features = list(enumerate(names))
            across, up = plane
            yield menu(
                *("across", "", features, across, lambda _, d: show(plane=(d, up if up != d else int(d == 0)))),
                help="The feature on the horizontal axis",
            )
            yield menu(
                *("up", "", features, up, lambda _, d: show(plane=(across if across != d else int(d == 0), d))),
                help="The feature on the vertical axis",
            )
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


@dataclass
class Asking:
    """Which question comes next, and who answers those that are asked at once."""

    choose: Callable[[str], object]  # called when another strategy was chosen
    tell: Callable[[float], None]  # gets the share of the questions that are answered
    answering: Answering
    strategy: str = "guided"
    before: str = "guided"  # the strategy to continue with
    oracle: str = ""
    error: float = 0.1
    added: tuple[int, int] | None = field(default=None, init=False)  # answers that were added, and how many are there

    def controls(self, session: Session) -> Iterator[Control]:
        """List the controls; simulated answers only where the truth is known."""
        oracles = list_oracles() if session.dataset.y is not None else {}
        others, running = self.answering.names, self.answering.is_running
        if self.oracle not in (*oracles, *others):
            self.oracle = ""
        if self.added and self.added[1] != session.state.n_answers:  # there are others since
            self.added = None
        about = "How the program chooses the next question; click a point to begin your own"
        several = self.strategy == SHARED or len(session.log.names) > 1
        shared = [(SHARED, "what others were asked")] if several else []
        strategies = [*list_strategies().items(), *shared, ("", _BY_HAND)]
        yield menu("strategy", "Questions", strategies, self.strategy, self._choose, help=about)
        new = find("open_k")
        words = "look for groups beyond K"
        about = new.help
        yield Control("open_k", "switch", new.label, words, about, session.settings.open_k, _look_for_groups)
        about = "Who answers the questions of the buttons below"
        who, off = [("", "me"), *oracles.items(), *zip(others, others, strict=True)], running or not (oracles or others)
        yield menu("oracle", "Answered by", who, self.oracle, self._ask_whom, off=off, help=about)
        is_other = self.oracle in others
        if is_other:
            yield from self.answering.controls(self.oracle)
            about = "Ask this number of questions; each answer is saved when it arrives. Stop ends it"
        else:
            about = "Share of wrong answers that the noisy user gives; it need not be the model's ε"
            limits, off = (0.0, 0.66, 0.01), self.oracle != "noisy"
            yield Control("error", "slider", "Error rate", "", about, self.error, self._err, limits=limits, off=off)
            about = "Ask this number of questions at once: one fit, one step to undo"
        off = not self.oracle or running
        for n in (1, 10, 500):
            do: Any = lambda session, _, n=n: self._ask(session, n)  # noqa: E731
            label, doing = "Ask at once" if n == 1 else "", "Answering…" if n > 1 else ""
            yield Control(f"ask.{n}", "button", label, str(n), about, do=do, off=off, doing=doing)
        if is_other:
            about, stop = "Stop asking; answers so far stay", lambda *_: self.answering.stop()
            yield Control("ask.stop", "button", "", "Stop", about, do=stop, off=not running)
        share = self.answering.share if is_other else float(self.added is not None)
        yield Control("asked", "progress", help="Answers given so far", value=share)
        if is_other:
            told = self.answering.told()
        elif not (oracles or others):
            told = "These data have no true classes, so only you can answer."
        elif not self.oracle:
            told = "You answer with Yes, No and Don't know. To ask many at once, let someone else answer."
        else:
            told = f"{count(self.added[0], 'answer')} added." if self.added else ""
        yield Control("told", "words", value=told)

    def ask_by_itself(self, on: bool) -> None:
        """Let the next question come by itself after each answer, by the strategy chosen last, or not."""
        self._choose(None, self.before if on else "")

    def ask_what_others_were_asked(self, on: bool) -> None:
        """Ask what others were asked until that is switched off; then by the strategy before."""
        self._choose(None, SHARED if on else self.before)

    def _choose(self, _: object, strategy: str) -> None:
        self.strategy, self.before = strategy, self.before if strategy in ("", SHARED) else strategy
        self.choose(strategy)

    def _ask_whom(self, _: object, oracle: str) -> None:
        self.oracle, self.added = oracle, None
        self.answering.forget()

    def _err(self, _: object, error: float) -> None:
        self.error = error

    def _ask(self, session: Session, n: int) -> None:
        if self.oracle in self.answering.names:
            self.answering.start(session, self.oracle, n, self.strategy or "guided")
            return
        given = session.answer_by_oracle(
            n,
            strategy="guided" if self.strategy in ("", SHARED) else self.strategy,
            oracle=self.oracle,
            epsilon=self.error if self.oracle == "noisy" else None,
            progress=lambda done, total: self.tell(done / total),
        )
        self.added = given, session.state.n_answers


def _look_for_groups(session: Session, on: bool) -> None:
    session.set(open_k=on)


@dataclass
class Keeping:
    """Files of sessions: which can be continued, saved and loaded, and answers that are added from a file."""

    load: Callable[[str | PathLike[str]], object]
    saved: Sequence[SavedSession] = ()  # sessions that one can continue with
    chosen: int = 0
    added: str = ""
    fields: dict[str, str] = field(default_factory=dict)

    def controls(self, session: Session, exports: Iterator[Control]) -> Iterator[Control]:
        """List the controls, with those of exports among them."""
        options = [(n, in_words(each)) for n, each in enumerate(self.saved)] or [(0, "no other session")]
        off, about = not self.saved, "Sessions with answers in this folder, the latest first"
        chosen = min(self.chosen, len(options) - 1)
        yield menu("saved_here", "Saved here", options, chosen, self._choose, off=off, help=about)
        yield Control("resume", "button", "", "Continue", about, do=self._resume, off=off, doing="Reading…")
        about = "Name of a session file, seen from the notebook's folder"
        yield text_field(self.fields, "path", "File", "answers.json", help=about)
        about = "Write data, settings and answers into this file"
        yield Control("save", "button", "", "Save", about, do=self._save)
        about = "Continue with the session in this file"
        yield Control("load", "button", "", "Load", about, do=self._load, doing="Reading…")
        about = (
            "Add the answers in a file: CSV as Export writes it (columns i, j, k, answer and, if known, by), or one of "
            "Salmon, cblearn, or must-links and cannot-links"
        )
        named = text_field(self.fields, "csv", "Add answers", "answers.csv", help=about, enter="add")
        yield replace(named, do=self._name)
        yield Control("add", "button", "", "Add", about, do=self._add, doing="Reading…")
        yield Control("added", "words", value=self.added)
        yield from exports
        about = "Start from K-means instead of the model on the screen; data, settings and answers stay"
        yield Control("refit", "button", "Model", "Fit again from the start", about, do=_refit)
        about = "Remove all answers and names of clusters, set every setting to its default; Undo brings them back"
        off = not session.state.n_answers and not session.state.names and not differing(session)
        yield Control("reset_all", "button", "Reset", "Everything", about, do=_reset_all, off=off)
        yield Control("saved", "words", value=_where(session))

    def _choose(self, _: object, n: int) -> None:
        self.chosen = n

    def _resume(self, _: object, __: object) -> object:
        return self.load(self.saved[min(self.chosen, len(self.saved) - 1)].path)

    def _save(self, session: Session, _: object) -> str:
        return f"Written to {session.save(self.fields.get('path', ''))}"

    def _load(self, _: object, __: object) -> object:
        return self.load(self.fields.get("path", ""))

    def _name(self, _: object, name: str) -> None:
        self.fields["csv"], self.added = name.strip(), ""

    def _add(self, session: Session, _: object) -> None:
        name = self.fields.get("csv", "")
        try:
            if not name:
                raise SessionError("Give the name of a file, such as answers.csv")
            self.added = f"{count(session.add_csv(name), 'answer')} added. Undo (Z) takes them back."
        except (SessionError, OSError) as error:
            self.added = f"{error}. Nothing was added."


def _reset_all(session: Session, _: object) -> str:
    session.reset(answers=True)
    return "Without answers, with the default settings. Undo (Z) brings everything back."


def _refit(session: Session, _: object) -> str:
    session.refit()
    return "Fitted again from the start. Answers and settings are as they were."


def _where(session: Session) -> str:
    """Say where the session is saved."""
    if session.file.error:
        return session.file.error
    if not session.file.is_active:
        return "Answers are in memory only (autosave=None); Save writes them into a file."
    if session.file.path is None:
        return "Nothing is saved yet; each answer will be saved as soon as it is given."
    return f"Every answer is saved as soon as it is given: {session.file.path}"
