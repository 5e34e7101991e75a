"""The data in the tool: those that can be chosen, features of their items, a user's own files, points by hand."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import numpy as np

from dcrc_explore.datasets import (
    Column,
    Dataset,
    Draft,
    IncompleteRows,
    Parameter,
    Unusable,
    Watch,
    as_dataset,
    list_datasets,
    list_real_datasets,
)
from dcrc_explore.datasets.folder import SUFFIXES
from dcrc_explore.embeddings import list_features
from dcrc_explore.session import Session, SessionError
from dcrc_explore.settings import find
from dcrc_explore.widgets.actions import Browser
from dcrc_explore.widgets.controls import Act, Control, Do, Work, differing, menu, putting, text_field
from dcrc_explore.widgets.protocol import Verbs
from dcrc_explore.widgets.protocol.sent import EntrySent, ListingSent
from dcrc_explore.words import count

_MOST_CLUSTERS = 12
_OWN = "own: "  # begins the value of data that are nobody else's
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


_PROJECTED = (
    " The model is fitted in all {} features; the picture shows them in two dimensions, in the plane that is chosen "
    "above it."
)
_SCALE = "Give each feature mean 0 and deviation 1, as the paper does; answers stay"


def data_controls(session: Session, own: OwnData, features: FeatureMenu) -> Iterator[Control]:
    """List what the data are, and a way to other data; one's own alone while they are chosen."""
    if not own.is_open:
        yield from subject_controls(session)
        yield from features.controls(session)
        if not session.state.subject.is_generated:
            words, off = "Standardise features", session.dataset.is_standardized
            yield Control("standardize", "button", "Scale", words, _SCALE, do=lambda s, _: s.standardize(), off=off)
    yield from own.controls()


def subject_controls(session: Session) -> Iterator[Control]:
    """List what the data are in words, and the parameters of generated ones."""
    dataset, subject = session.dataset, session.state.subject
    n_points, n_features = dataset.X.shape
    about = dataset.description or f"{n_points} points with {n_features} features"
    about = f"{about[0].upper()}{about[1:].removesuffix('.')}."
    if dataset.is_standardized:
        about += " The features are standardised."
    if subject.is_projected and n_features > 2:
        about += _PROJECTED.format(n_features)
    yield Control("about", "words", value=f"{about} {session.model.hint}".strip())
    for parameter in list_datasets()[dataset.name].parameters if subject.is_generated else ():
        yield _parameter(parameter, dataset.parameters[parameter.name])


def _parameter(parameter: Parameter, value: float) -> Control:
    name, number = parameter.name, int if float(parameter.step).is_integer() else float
    limits = min(parameter.low, value), max(parameter.high, value), parameter.step
    label, about = _TITLES.get(name, name.capitalize()), parameter.description.capitalize()
    do = lambda session, value: session.regenerate(**{name: number(value)})  # noqa: E731
    return Control(f"data.{name}", "slider", label, "", about, value, do, limits=limits, late=True)


_FEATURES = "What the model sees of each item; answers stay, and Undo (Z) brings the old features back"


class FeatureMenu:
    """A menu of features for data with images, texts or sounds; nothing for others."""

    def __init__(self, act: Act) -> None:
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


# A user's own data: a file or a folder is read, the user says what its columns are, and they are explored ----------

_ABOUT = "What is each column? The model uses the features, people see what is shown; the class is the truth, if known."
_REASON = "Standardise the features: otherwise one with larger numbers counts more than the others"
_HELP = "Read points from a .csv, .npz or .npy file, texts from the lines of a .txt file, or the files of a folder"


class OwnData:
    """A field for the name of a file and, once it is read, what can be chosen about it."""

    def __init__(self, act: Act, send: Callable[[dict[str, ListingSent]], object]) -> None:
        self._send = send
        self._fields: dict[str, str] = {}
        self._reading: Work[Read | Dataset] = Work(act)
        self._draft: Draft | None = None
        self._prospect = Prospect("")
        self._parts: list[str] = []
        self._standardise = True

    @property
    def is_open(self) -> bool:
        """Whether something is to be chosen."""
        return self._draft is not None

    def controls(self) -> Iterator[Control]:
        """List the controls."""
        words = "Stop" if self._reading.is_running else "Open"
        yield text_field(self._fields, "file", "Own data", "data.csv, .npz or a folder", help=_HELP, enter="open")
        yield Control("open", "button", words=words, help=_HELP, do=self._press, doing="Reading…")
        about = "Choose from the folders and files below the folder in which this tool runs"
        yield Control("browse", "button", words="Browse", help=about, do=self._browse)
        yield Control("reading", "words", value=self._reading.words)
        if self._draft is None:
            return
        n_dropped = self._prospect.n_dropped
        use = f"Drop {_count(n_dropped, 'row')} with empty cells and open" if n_dropped else "Open these data"
        yield Control("found", "words", value=self._prospect.words)
        about = "Explore these data; Undo brings back the current ones with their answers"
        usable = self._prospect.usable
        yield Control("use", "button", "", use, about, do=self._use, off=not usable, doing="Opening…")
        yield Control("cancel", "button", words="Cancel", help="Keep the current data", do=self._close)
        yield Control("standardise", "switch", "", _REASON, _REASON, self._standardise, putting(self, "_standardise"))
        if columns := self._draft.columns:
            yield Control("parts", "words", value=_ABOUT)
            lines = [(each.name, each.name, _holds(each)) for each in columns]
            yield Control("columns", "columns", value=self._parts, do=self._choose, options=lines)

    def _browse(self, *_: object) -> None:
        self._send({"listing": list_folder("")})

    # Reading ----------------------------------------------------------------------------------------------------------

    def _press(self, session: Session, _: object) -> None:
        self._close(session)
        if self._reading.is_running:
            self._reading.stop("Stopped. The data are as they were.")
            return
        name = self._fields.get("file", "")
        if not name:
            raise ValueError("give the name of a file, such as points.csv")

        def read(watch: Watch) -> Read | Dataset:
            draft = Draft.read(name, watch)
            if Path(name).suffix in (".csv", ".npz", ".npy"):
                parts = draft.guess()
                return draft, parts, Prospect.of(draft, parts)
            # A folder has no columns to choose from, and its pixels are on one scale.
            return draft.dataset((), watch=watch)

        self._reading.start(session, read, self._take, doing=f"Reading {Path(name).name}:", failure=_for_a_person)

    def _take(self, session: Session, read: Read | Dataset) -> None:
        if isinstance(read, Dataset):
            session.set_data(read)
        else:
            self._draft, self._parts, self._prospect = read
            self._standardise = True

    # Choosing ---------------------------------------------------------------------------------------------------------

    def _choose(self, _: Session, parts: Sequence[str]) -> None:
        """Look what the data would be if the columns played these parts."""
        if self._draft is not None:
            self._parts, self._prospect = list(parts), Prospect.of(self._draft, parts)

    def _use(self, session: Session, _: object) -> None:
        if self._draft is not None:
            data = self._prospect.data or self._draft.dataset(self._parts, drop_incomplete=True)
            session.set_data(data.standardized() if self._standardise and not data.features else data)
            self._close(session)

    def _close(self, _: Session, __: object = None) -> None:
        self._draft, self._prospect = None, Prospect("")


class Prospect(NamedTuple):
    """What would become of a file: in words, how many rows would be dropped, whether it can be used, and the data."""

    words: str
    n_dropped: int = 0
    usable: bool = True
    data: Dataset | None = None

    @classmethod
    def of(cls, draft: Draft, parts: Sequence[str]) -> Prospect:
        """Look at a file whose columns play these parts."""
        try:
            data = draft.dataset(parts)
        except IncompleteRows as error:
            words = f"{error.found}. Fill them in the file, drop these rows, or leave a column out."
            if error.n_unnamed:
                words += f" Without its class column the file keeps {_count(error.n_unnamed, 'row')} more."
            return cls(_sentence(words), error.n_rows)
        except Unusable as error:
            words = f"{error.found}. Please correct it in the file, or leave this column out."
            return cls(_sentence(words), usable=False)
        except (ValueError, OSError) as error:
            return cls(_sentence(f"{error}."), usable=False)
        words = f"{_count(len(data.X), 'point')} with {_count(data.X.shape[1], 'feature')}"
        words += f" and {_count(data.n_classes, 'class', 'es')}." if data.n_classes else "."
        return cls(f"{words} {_sentence(data.description)}." if data.description else words, data=data)


Read = tuple[Draft, list[str], Prospect]  # a file, the likely parts of its columns, and what it would be


def _for_a_person(error: Exception) -> Exception:
    # What a program would do about it is no help to a person.
    return ValueError(f"{error.found}: please correct it in the file") if isinstance(error, Unusable) else error


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _holds(column: Column) -> str:
    """Say what a column holds."""
    kinds = {"numbers": "numbers", "texts": "texts", "images": "names of images", "sounds": "names of sounds"}
    empty = f", {column.n_empty} empty" if column.n_empty else ""
    return f"{kinds[column.kind]}{empty}: {', '.join(column.examples)}" if column.examples else "empty"


def _count(n: int, what: str, more: str = "s") -> str:
    return f"{n:,} {what}{'' if n == 1 else more}"


# Which files can be opened: those below the folder in which the tool runs, and nothing above it --------------------

_TABLES = (".csv", ".npz", ".npy", ".txt")
_MOST = 1000  # entries that are listed
_LOOKED_AT = 20_000


def list_folder(folder: str, start: Path | None = None) -> ListingSent:
    """List what can be opened in a folder, whose name is seen from `start`, by default the working folder.

    Nothing outside of `start` is listed, whatever the name or a link says, nor what the user may not read.

    Examples
    --------
    >>> list_folder("..")
    Traceback (most recent call last):
        ...
    ValueError: only folders below the start folder can be listed, got '..'
    """
    root = (start or Path.cwd()).resolve()
    name = PurePosixPath(folder)
    if name.is_absolute() or ".." in name.parts or "\0" in folder or "\\" in folder:
        raise ValueError(f"only folders below the start folder can be listed, got {folder!r}")
    place = (root / name).resolve()
    if not place.is_relative_to(root):
        raise ValueError(f"only folders below the start folder can be listed, got {folder!r}")
    try:
        with os.scandir(place) as found:
            names = sorted(each.name for each, _ in zip(found, range(_LOOKED_AT), strict=False))
    except OSError as error:
        raise ValueError(f"{folder!r} cannot be listed: {error.strerror or error}") from error
    entries, kinds = list[EntrySent](), dict.fromkeys(SUFFIXES, 0)
    for each in names:
        path = place / each
        if each.startswith(".") or not _is_inside(path, root):
            continue
        suffix = path.suffix.lower()
        for kind, suffixes in SUFFIXES.items():
            kinds[kind] += suffix in suffixes
        if path.is_dir() and os.access(path, os.R_OK | os.X_OK):
            entries.append({"name": each, "folder": True})
        elif suffix in _TABLES and path.is_file() and os.access(path, os.R_OK):
            entries.append({"name": each, "folder": False})
    entries.sort(key=lambda entry: (not entry["folder"], entry["name"].lower()))
    holds = ", ".join(count(n, kind.removesuffix("s")) for kind, n in kinds.items() if n)
    return {
        "folder": "" if name == PurePosixPath() else str(name),
        "start": root.name or str(root),
        "entries": entries[:_MOST],
        "holds": holds,
        "more": max(0, len(entries) - _MOST),
    }


def _is_inside(path: Path, root: Path) -> bool:
    try:
        return path.resolve().is_relative_to(root)
    except (OSError, RuntimeError):  # a link to itself
        return False


# Points by hand: the controls, and what strokes of the browser do ---------------------------------------------------

MODES = ("", "on", "cleared", "empty")  # "cleared" has points behind it that Undo brings back
_DRAW = "Draw points by hand, on the picture: a brush for each class, an eraser, points that move"
_EMPTY = "Draw on an empty plane; the points of now come back with Undo"
_TRUTH = "The classes that were drawn are the true classes; off: the truth is unknown"


def drawing_controls(session: Session, go: Do) -> Iterator[Control]:
    """List what the tab Data has for drawing by hand; `go` gets a session and a mode."""
    drawing, off = session.dataset.drawing, session.pen.brushes is None
    yield Control("draw.on", "button", "Draw on", "These points", _DRAW, do=lambda s, _: go(s, "on"), off=off)
    yield Control("draw.empty", "button", "", "Empty plane", _EMPTY, do=lambda s, _: go(s, "cleared"))
    if drawing is not None:
        words, do = "the classes that were drawn", lambda s, on: s.pen.set_truth(on)
        yield Control("draw.truth", "switch", "Truth", words, _TRUTH, drawing.is_truth, do)


class ByHand:
    """Points drawn by hand, on those that there are or on an empty plane; the trait `draw` has the mode.

    `begin` is called when no question can be open any more.
    """

    def __init__(self, browser: Browser, begin: Callable[[], object], *, began_empty: bool) -> None:
        self._browser, self._begin, self._began_empty = browser, begin, began_empty
        self._sent: tuple[object, bool] | None = None  # what the trait `points` was made of
        self.verbs: Verbs = {"draw": draw_stroke, "drawing": lambda s, m: self.go(s, m["to"])}

    def go(self, session: Session, mode: str) -> None:
        """Let points be drawn ("on" where there are some, or "cleared"), or end that ("")."""
        if mode == "on":
            is_empty = self._began_empty and session.history.position == 0
            mode = "empty" if is_empty else "on" if session.pen.brushes is not None else "cleared"
        self._browser.put(draw=mode)
        if mode:
            self._begin()

    def points(self, session: Session) -> Any:
        """Return the points on the plane, whatever points the model knows."""
        return points_of(session.dataset, blank=self._is_blank)

    def follow(self, session: Session) -> None:
        """Let the trait `points` have those of now; other points, or another mode, have come."""
        now = session.dataset, self._is_blank
        if self._sent is not None and self._sent != now:
            self._browser.put(points=self.points(session))
        self._sent = now

    @property
    def _is_blank(self) -> bool:
        return self._browser["draw"] in ("cleared", "empty")


def draw_stroke(session: Session, message: dict[str, Any]) -> str | None:
    """Do what a stroke of the browser says, and say what became of answers."""
    n, before = 0 if message["empty"] else len(session.dataset.X), len(session.log)
    if message["n"] != n:
        raise SessionError("The points have changed meanwhile: this stroke was left out")
    moved = dict(zip(message["rows"], message["places"], strict=True))
    drawn = {name: message[name] for name in ("added", "erased", "empty")}
    session.pen.stroke(**drawn, brushes=message["brushes"] or 0, moved=moved)
    gone = before - len(session.log)
    if not gone:
        return None
    return f"{count(gone, 'answer')} went with the points. Undo (Z) brings {'it' if gone == 1 else 'them'} back."


def points_of(dataset: Dataset, *, blank: bool) -> Any:
    """Return the points on the plane: a frame with the true classes where pandas is installed, else an array."""
    X = np.empty((0, dataset.X.shape[1])) if blank else dataset.X
    if find_spec("pandas") is None:
        return X
    import pandas as pd  # takes long, and is not always there

    frame = pd.DataFrame(X, columns=list(dataset.feature_names))
    if dataset.y is not None:
        frame["class"] = np.array(dataset.class_names, dtype=object)[[] if blank else dataset.y]
    return frame
