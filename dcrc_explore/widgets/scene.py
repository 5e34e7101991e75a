"""What the browser needs to draw, taken from a session and packed into a few bytes: pictures, answers and items."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dcrc_explore.arrays import PackedArray, packed
from dcrc_explore.constraints import Answer, Log
from dcrc_explore.datasets import Dataset
from dcrc_explore.datasets.drawn import FRAME
from dcrc_explore.datasets.items import Rows
from dcrc_explore.datasets.pictures import array_image, pillow
from dcrc_explore.palette import cluster_colour, cluster_marker
from dcrc_explore.plane import Surface, View
from dcrc_explore.session import Exploration, Fit, Pair, Session
from dcrc_explore.session.background import Deliver, in_background
from dcrc_explore.session.story import asserts
from dcrc_explore.widgets.controls import differing
from dcrc_explore.widgets.protocol import sent

RESOLUTION = 150
Table = NDArray[np.int32]  # of answers: the points A, B, C, what was said and who said it
Flags = NDArray[np.bool_]
Window = Sequence[float]  # of the picture: left, right, bottom, top in shares
_COLOURS = 144  # after so many clusters colour and marker repeat
# Bits: smaller differences of entropy are not drawn as large ones. A map's values are rounded to about 0.01.
_SLIGHT = 0.25


_PLAIN: sent.Options = {
    "map": "entropy",
    "cluster": 0,
    "links": "last + violated",
    "truth": False,
    "plane": "pca",
    "auto": True,
    "teach": False,
    "points": 3,
    "items": True,
}


def plain_options() -> sent.Options:
    """Return how a picture is shown before a person chooses anything."""
    return _PLAIN.copy()


@dataclass
class Look:
    """What the browser shows of a session: which map and answers, in which part of the picture."""

    options: sent.Options = field(default_factory=plain_options)
    window: list[float] | None = None  # the part of the picture that is in sight, None for all of it
    drawn: bool = True  # whether there is a map, and not a value around each point
    measured: bool = True  # whether the person may know what the true classes say of a model
    silent: bool = False  # whether two models are not judged, because the card of a scene says what came of it
    version: int = 0
    known: Table = field(default_factory=lambda: np.empty((0, 5), dtype=np.int32))  # the answers that the browser has

    def begin(self) -> None:
        """Begin with other points, in their own plane."""
        self.window, self.options["plane"] = None, "pca"

    def picture(self, session: Exploration, fit: Fit, seen: View | None) -> sent.Picture:
        """Pack the picture of one fit: labels, map, answers. Where its plane has no map, there are no regions either.

        The points are seen where the data's own plane has them, or in the plane `seen`.
        """
        surface = fit.surface(RESOLUTION, seen)
        self.drawn = surface is not None
        if surface is None and self.options["map"] == "regions":
            self.options["map"] = "entropy"
        K, log = fit.n_clusters, session.log
        # During a long fit, answers may be newer than the fit: its labels imply answers to them too.
        by_boundary, by_q = fit.violations(log)
        view, cluster = self.options, min(self.options["cluster"], K - 1)
        picture: sent.Picture = {
            "clusters": K,
            "names": list(session.state.names) or [""] * K,
            "labels": packed(fit.labels, "uint16"),
            "counts": np.bincount(fit.labels, minlength=K).tolist(),
            "halo": None,
            "truth": packed(fit.truth, "uint16") if view["truth"] and fit.truth is not None else None,
            "violated": packed(by_boundary[log.triplet_positions], "bits"),
            "satisfied_by_q": packed(~by_q[log.triplet_positions], "bits"),
            "pairs": pack_pairs(log, by_boundary, by_q),
            "cluster": cluster,
            "regions": None,
        }
        if seen is not None:
            picture["places"] = packed(seen.points, "float32")
            picture["extent"] = list(seen.extent)
            picture["about"] = seen.describe()
        if surface is None:
            # Without a plane to map, each point carries its own value around it.
            halo = {"entropy": fit.entropy / np.log2(K), "probability": fit.proba[:, cluster]}.get(view["map"])
            picture["halo"] = None if halo is None else packed(np.rint(255 * np.clip(halo, 0, 1)), "uint8")
        else:
            picture = {**picture, **pack_map(surface, view, cluster)}
        return picture

    def answers(self, session: Session) -> sent.AnswersSent:
        """Pack the answers that the browser does not have, five numbers each."""
        log, known = session.log, self.known
        triplets, who = log.triplets, log.givers[log.triplet_positions]
        self.known = table = np.column_stack([triplets.indices, triplets.answers, who]).astype(np.int32)
        shared = min(len(table), len(known))
        differing = np.flatnonzero((table[:shared] != known[:shared]).any(axis=1))
        start = int(differing[0]) if len(differing) else shared
        new = table[start:]
        return {"start": start, "rows": packed(new[:, :4], "int32"), "who": packed(new[:, 4], "uint16")}


def pack_points(session: Session) -> sent.Points:
    """Pack positions, names of the true classes and the palette: what stays as long as the data."""
    dataset = session.dataset
    n_features, brushes = dataset.X.shape[1], session.pen.brushes
    note = f"{n_features} features, shown in two (PCA)" if n_features > 2 else "one feature, drawn from left to right"
    return {
        "xy": packed(session.state.subject.points, "float32"),
        "extent": list(session.state.subject.extent),
        "names": dataset.names,
        "classes": None if dataset.y is None else [dataset.class_names[y] for y in dataset.y],
        "items": kind_of_items(dataset),
        "note": note if session.state.subject.is_projected else "",
        "brushes": None if brushes is None else packed(brushes, "uint16"),
        "blank": list(FRAME),
        "colours": [cluster_colour(k) for k in range(_COLOURS)],
        "markers": [cluster_marker(k) for k in range(_COLOURS)],
    }


def pack_map(surface: Surface, view: sent.Options, cluster: int) -> sent.MapSent:
    """Pack a map, with the values that `view` asks for."""
    value = {"entropy": surface.entropy, "probability": surface.proba[cluster]}.get(view["map"], surface.margin)
    return {
        "resolution": len(value),
        "regions": packed(surface.regions, "uint16" if surface.regions.itemsize > 1 else "uint8"),
        "margin": packed(surface.edge, "uint8"),
        "value": packed(value, "uint8"),
    }


def pack_sharp(
    fits: Sequence[Fit], view: sent.Options, window: Window | None, planes: Sequence[View | None]
) -> sent.Sharp | None:
    """Pack maps of a part of each picture; None for the whole of it, and where there is no map."""
    if window is None:
        return None
    surfaces = [fit.surface(RESOLUTION, seen, window) for fit, seen in zip(fits, planes, strict=True)]
    if None in surfaces:
        return None
    clusters = [min(view["cluster"], fit.n_clusters - 1) for fit in fits]
    maps = [pack_map(surface, view, k) for surface, k in zip(surfaces, clusters, strict=True) if surface]
    return {"window": list(window), "maps": maps, "apart": None}


def pack_disagreement(pair: Pair, planes: Sequence[View | None], window: Window | None = None) -> sent.Apart:
    """Pack where the models disagree, also in a window: 128 is no difference of entropy, 1 and 255 are `most` bits."""
    both, whole = pair.comparison, pair.disagreement(RESOLUTION, None, planes)
    most = max(float(np.abs((both if whole is None else whole).entropy_difference).max()), _SLIGHT)
    grid = whole if window is None else pair.disagreement(RESOLUTION, window, planes)
    difference = both.entropy_difference if grid is None else grid.entropy_difference
    apart: sent.Apart = {
        "most": most,
        "changed": int(both.changed.sum()),
        "entropy": [float(each.fit.entropy.mean()) for each in (pair.first, pair.second)],
        "halo": None,
        "map": None,
    }
    values = packed(np.rint(128 + 127 * np.clip(difference / most, -1, 1)), "uint8")
    apart["halo" if grid is None else "map"] = values
    return apart


def pack_status(session: Session, version: int, points: int) -> sent.Status:
    """Pack what stands around a picture, where questions are about so many points."""
    log, file, K = session.log, session.file, session.settings.n_clusters
    last = log[-1] if log else None
    return {
        "version": version,
        "asserts": [asserts(answer, K, points) for answer in Answer],
        "last": None if last is None else {"answer": int(last.answer), "surprise": _finite(last.surprise)},
        "person": session.person,
        "people": log.names,
        "undo": session.history.undo_label,
        "redo": session.history.redo_label,
        "saved": None if file.path is None else file.path.name,
        "unsaved": file.error,
        "in_memory": not file.is_active,
        "milliseconds": {},
        "changed": differing(session),
    }


def _finite(surprise: float | None) -> float | str | None:
    """Say how surprising an answer was that a hard model held impossible; JSON has no number for that."""
    return surprise if surprise is None or isfinite(surprise) else "infinite"


def pack_pairs(log: Log, by_boundary: Flags, by_q: Flags) -> PackedArray:
    """Pack the answers about two points, six int32 each.

    The points A and B, the answer, who gave it, whether the boundary and Q satisfy it (0: neither, 1: Q, 2: both), and
    how many answers about three points came before.
    """
    at, pairs = log.pair_positions, log.pairs
    satisfied = np.where(~by_boundary[at], 2, np.where(~by_q[at], 1, 0))
    others = np.stack([pairs.answers, log.givers[at], satisfied, at - np.arange(len(at))], axis=1)
    return packed(np.hstack([pairs.indices, others]), "int32")


_THUMBNAIL = 128  # pixels of a thumbnail; the library keeps those of up to this size
_MOST_ITEMS = 200  # items in one message
_LONGEST = 400  # characters that describe an item


def kind_of_items(dataset: Dataset) -> str | None:
    """Return what the items of a data set are; None where the place in the plane says all, as for two features.

    Examples
    --------
    >>> from dcrc_explore.datasets import load_dataset, make_dataset
    >>> kind_of_items(load_dataset("digits")), kind_of_items(make_dataset("moons"))
    ('images', None)
    """
    kind = dataset.cards.kind
    return None if kind == "rows" and dataset.X.shape[1] <= 2 else kind


def send_items(dataset: Dataset, message: Mapping[str, Any], send: Callable[..., object]) -> None:
    """Send the items that a message asks for: a head for each and its bytes. Rows of other data are left out."""
    detail, cards, heads, data = message["detail"], dataset.cards, list[sent.ItemSent](), list[bytes]()
    for row in message["rows"][:_MOST_ITEMS]:
        if 0 <= row < len(cards):
            media = cards.detail(row) if detail else cards.thumbnail(row, _THUMBNAIL)
            text = cards.text(row)
            words = text if len(text) <= _LONGEST or (detail and cards.kind == "rows") else f"{text[:_LONGEST]}…"
            heads.append({"row": row, "mime": media.mime, "text": words, "problem": media.problem})
            data.append(media.data)
    send({"items": heads, "key": message["key"], "detail": detail}, data)


def pack_differences(dataset: Dataset, triplet: Sequence[int]) -> list[sent.RowDifference]:
    """Pack the features in which three rows differ most; nothing for data that are seen as something else."""
    cards = dataset.cards
    if kind_of_items(dataset) is None or not isinstance(cards, Rows):
        return []
    return [
        {"feature": name, "values": [f"{value:.4g}" for value in values], "deviations": list(deviations)}
        for name, values, deviations in cards.contrast(list(triplet))
    ]


SIDE = 64  # pixels of an item
_COLUMNS = 8
_MOST_ON_SHEET = 64  # items on a sheet
_QUALITY = 88
_LENGTH = 80  # characters of a text


def send_sheet(session: Session, message: Mapping[str, Any], send: Callable[..., None]) -> None:
    """Make the sheet that a message asks for and send it; with a background in a thread of its own."""
    dataset = session.dataset

    def make(deliver: Deliver) -> None:
        sheet, data = make_sheet(dataset, message["rows"], message["key"])
        deliver(partial(send, {"sheet": sheet}, data))

    in_background(make, session.background)


def make_sheet(dataset: Dataset, rows: Sequence[int], key: int) -> tuple[sent.SheetSent, list[bytes]]:
    r"""Return the sheet of some items and its bytes, a JPEG; of texts their first words. Unknown rows are left out.

    Examples
    --------
    >>> from dcrc_explore.datasets import load_dataset
    >>> sheet, (jpeg,) = make_sheet(load_dataset("digits"), [5, 7], 0)
    >>> sheet["rows"], sheet["side"], jpeg[:2]
    ([5, 7], 64, b'\xff\xd8')
    >>> make_sheet(load_dataset("emoji"), [0], 0)[0]["words"]
    ['...']
    """
    cards = dataset.cards
    known = [row for row in rows[:_MOST_ON_SHEET] if 0 <= row < len(cards)]
    sheet: sent.SheetSent = {"rows": known, "key": key, "side": SIDE, "columns": _COLUMNS, "words": None}
    if cards.kind == "texts":
        return {**sheet, "words": [cards.text(row)[:_LENGTH] for row in known]}, []
    Image = pillow()[0]
    image = Image.new("RGB", (SIDE * _COLUMNS, SIDE * max(1, -(-len(known) // _COLUMNS))), "white")
    for at, row in enumerate(known):
        image.paste(array_image(cards.tile(row, SIDE)), (at % _COLUMNS * SIDE, at // _COLUMNS * SIDE))
    file = io.BytesIO()
    image.save(file, "JPEG", quality=_QUALITY)
    return sheet, [file.getvalue()]
