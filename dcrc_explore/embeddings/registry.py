"""The kinds of features by name, and the default for each kind of items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dcrc_explore.embeddings import photo, pixels, sound, speech, text
from dcrc_explore.embeddings.function import by_function, name_of
from dcrc_explore.embeddings.making import ItemSource, Made
from dcrc_explore.progress import Watch, unwatched

# Pictures that are looked at to tell ink on paper from photos, and how: pixels across, the deviation of a pixel's
# colours from grey and from black or white that count as none, and the share of black and white pixels in ink on paper.
_LOOKED_AT, _ACROSS, _NO_COLOUR, _NEARLY, _INK_ON_PAPER = 50, 32, 8, 32, 0.4


@dataclass(frozen=True)
class FeatureSpec:
    """One kind of features."""

    name: str  # as as_dataset(..., features=name) takes it
    kind: str  # "images" or "texts" or "sounds": the items that it is made of
    title: str  # for a menu
    make: Callable[[ItemSource, Watch], Made]  # makes the features of items
    # Returns a sentence that names the extra to install; "" when the features can be made
    missing: Callable[[], str] = str


_SPECS = (
    FeatureSpec("photo", "images", "What a network sees (photos, drawings)", photo.photo, photo.missing),
    FeatureSpec("pixels", "images", "Pixels (scans, digits, figures of one size)", pixels.pixels),
    FeatureSpec("text", "texts", "Meaning of the words", text.text, text.missing),
    FeatureSpec("words", "texts", "Words in common (TF-IDF)", text.words),
    FeatureSpec("sound", "sounds", "Pitches and rhythm (log-mel)", sound.sound),
    FeatureSpec("speech", "sounds", "Spoken words (a network)", speech.speech, speech.missing),
)


def list_features(kind: str | None = None) -> dict[str, FeatureSpec]:
    """Return the kinds of features by name, all or those for some items; the default of an installation comes first.

    Examples
    --------
    >>> list(list_features()), list(list_features("images"))
    (['photo', 'pixels', 'text', 'words', 'sound', 'speech'], ['photo', 'pixels'])
    """
    return {spec.name: spec for spec in _SPECS if kind in (None, spec.kind)}


def is_made(features: Any) -> bool:
    """Whether features are to be made of items: by name, by a network in a file, or by a function.

    Examples
    --------
    >>> [is_made(each) for each in ("photo", "clip.onnx", len, "width", ["width"], None)]
    [True, True, True, False, False, False]
    """
    return callable(features) or (isinstance(features, str) and (features in list_features() or _is_file(features)))


def _is_file(features: str) -> bool:
    return features.lower().endswith(".onnx")


def default_features(items: ItemSource) -> tuple[str, str]:
    """Return the name of the default features of items, and the reason in a sentence.

    Examples
    --------
    >>> from dcrc_explore.datasets import Texts
    >>> default_features(Texts(["rain", "wind"]))[0] in ("text", "words")  # "words" without the extra texts
    True
    """
    specs = list_features(items.kind)
    if not specs:
        kinds = ", ".join(dict.fromkeys(spec.kind for spec in _SPECS))
        raise ValueError(f"features can be made of {kinds}, got {items.kind}")
    first, *others = specs.values()
    if problem := first.missing():
        return others[0].name, f"{others[0].name} features are used; {problem}"
    if items.kind == "images" and (share := _ink_on_paper(items)) >= _INK_ON_PAPER:
        return "pixels", f"pixel features, because the images look like ink on paper ({share:.0%} black or white)"
    reasons = {"images": "photo features, because the images have colours or shades"}
    return first.name, reasons.get(items.kind, "")


def _ink_on_paper(items: ItemSource) -> float:
    """Return the share of black and white pixels in a typical image; 0 when it has colours."""
    shares, colours = [], []
    for i in np.unique(np.linspace(0, len(items) - 1, _LOOKED_AT).astype(int)).tolist():
        try:
            image = items.square(i, _ACROSS).astype(int)
        except (ValueError, OSError):
            continue
        grey = image.mean(axis=2)
        shares.append(np.mean((grey < _NEARLY) | (grey >= 256 - _NEARLY)))
        colours.append(np.ptp(image, axis=2).mean())
    return float(np.median(shares)) if shares and np.median(colours) < _NO_COLOUR else 0.0


def make_item_features(
    items: ItemSource, features: str | Callable[..., Any] | None = None, watch: Watch = unwatched
) -> Made:
    """Make features of items: by name, by an ONNX file, or by a function; None takes what suits the items best.

    `as_dataset` says what `features` may be. An exception in `watch` ends the work.

    Examples
    --------
    >>> from dcrc_explore.datasets import Texts
    >>> made = make_item_features(Texts(["rain and wind", "wind and sun", "a late goal"]), "words")
    >>> made.X.shape, made.description
    ((3, 2), '2 components of TF-IDF, weighted counts of words')
    """
    if callable(features):
        return by_function(features, items, watch)._replace(name=name_of(features))
    reason = ""
    if features is None:
        features, reason = default_features(items)
    if _is_file(features):
        _check_kind(features, "images", items)
        path = Path(features).expanduser()
        if not path.is_file():
            raise FileNotFoundError(f"there is no file {str(path)!r}")
        return photo.by_file(path, items, watch)._replace(name=path.name)
    if features not in list_features():
        raise ValueError(
            f"features must be one of {', '.join(list_features())}, an .onnx file or a function, got {features!r}"
        )
    spec = list_features()[features]
    _check_kind(features, spec.kind, items)
    if problem := spec.missing():
        raise ImportError(problem)
    made = spec.make(items, watch)
    return made._replace(name=features, description="; ".join(filter(None, [made.description, reason])))


def _check_kind(features: str, kind: str, items: ItemSource) -> None:
    if items.kind != kind:
        raise ValueError(f"{features} features are made of {kind}, got {items.kind}")
