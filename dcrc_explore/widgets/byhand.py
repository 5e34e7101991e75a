"""Drawing points by hand in the Explorer: its controls, and what strokes of the browser do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np

from dcrc_explore.datasets import Dataset
from dcrc_explore.session import Session, SessionError
from dcrc_explore.widgets.controls import Control
from dcrc_explore.words import count

MODES = ("", "on", "cleared", "empty")  # "cleared" has points behind it that Undo brings back
_ABOUT = "Draw points by hand, on the picture: a brush for each class, an eraser, points that move"
_EMPTY = "Draw on an empty plane; the points of now come back with Undo"
_TRUTH = "The classes that were drawn are the true classes; off: the truth is unknown"


def drawing_controls(session: Session, mode: str, go: Callable[[Session, str], object]) -> Iterator[Control]:
    """List what the tab Data has for drawing by hand."""
    drawable, dataset = session.pen.brushes is not None, session.dataset
    yield Control(
        *("draw.on", "button", "Draw on", "These points", _ABOUT), do=lambda s, _: go(s, "on"), off=not drawable
    )
    yield Control("draw.empty", "button", "", "Empty plane", _EMPTY, do=lambda s, _: go(s, "cleared"))
    if dataset.drawing is not None:
        is_truth = dataset.drawing.is_truth
        yield Control(
            "draw.truth",
            "switch",
            "Truth",
            "the classes that were drawn",
            _TRUTH,
            is_truth,
            lambda s, on: s.pen.set_truth(on),
        )


def draw(session: Session, message: dict[str, Any]) -> str | None:
    """Do what a stroke of the browser says, and say what became of answers."""
    n, before = 0 if message["empty"] else len(session.dataset.X), len(session.log)
    if message["n"] != n:
        raise SessionError("The points have changed meanwhile: this stroke was left out")
    moved = dict(zip(message["rows"], message["places"], strict=True))
    session.pen.stroke(
        added=message["added"],
        brushes=message["brushes"] or 0,
        erased=message["erased"],
        moved=moved,
        empty=message["empty"],
    )
    gone = before - len(session.log)
    return (
        f"{count(gone, 'answer')} went with the points. Undo (Z) brings {'it' if gone == 1 else 'them'} back."
        if gone
        else None
    )


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
