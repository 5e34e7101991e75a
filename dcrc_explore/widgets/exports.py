"""What a tool writes into files beside the notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from dcrc_explore.plane import View
from dcrc_explore.session import Session
from dcrc_explore.widgets.controls import Control, Do
from dcrc_explore.widgets.stage import BaseStage

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure

_NAMES = {"code": "Code", "link": "Link", "page": "Film of the answers", "replay": "Film of the fit", "scene": "Scene"}
OF_ONE = {
    "png": "The picture and the panels as PNG files",
    "svg": "The picture and the panels as SVG files",
    "csv": "The answers as a table",
    "page": "The answers as a film: one file that anybody opens in a browser, without Python or a network",
    "replay": "The EM iterations of this fit as a film, in one file too",
    "code": "A short Python program that makes this model again",
    "scene": "Data, settings and answers as a scene: a short text to which you add the steps",
}
OF_A_PAGE = OF_ONE | {"link": "The address of this page with these data and settings"}
OF_TWO = {
    "png": "The three pictures as a PNG file",
    "svg": "The three pictures as an SVG file",
    "page": "Both models after each answer: one file that anybody opens in a browser, without Python",
}


def export_buttons(export: Callable[[Any, str], object], about: Mapping[str, str]) -> Iterator[Control]:
    """List a button for each kind of export."""
    for kind, words in about.items():
        label = "Export" if kind == next(iter(about)) else ""
        text = "Film" if kind == "page" and about is OF_TWO else _NAMES.get(kind, kind.upper())  # a full bar
        yield Control(f"export.{kind}", "button", label, text, words, do=_exporting(export, kind), doing="Writing…")


def _exporting(export: Callable[[Any, str], object], kind: str) -> Do:
    return lambda session, _: export(session, kind)


class Written:
    """Shows the progress of an export at once, though the picture waits for its end.

    Parameters
    ----------
    stage : BaseStage
    """

    def __init__(self, stage: BaseStage) -> None:
        self._stage, self._told = stage, ""

    def __call__(self, share: float) -> None:
        """Show which share is done, when that makes a difference."""
        text = f"Writing… {int(100 * share)} %"
        if text != self._told:
            self._told = text
            self._stage.send({"progress": text})


def write_export(
    session: Session,
    kind: str,
    pictures: Callable[[], Mapping[str, Figure]],
    progress: Written,
    rows: Sequence[int] | None = None,
    plane: View | None = None,
) -> Path:
    """Write something into a file beside the answers, and return where.

    A "page" of the answers or a "replay" of EM, the answers ("csv"), the "clusters" of all points, a "selection" of
    `rows`, or pictures ("png", "svg"). A page shows the points in a `plane`.
    """
    if kind in ("page", "replay"):
        film = "answers" if kind == "page" else "iterations"
        return session.export.to_html(film=film, plane=plane, progress=progress)
    if kind in ("csv", "clusters", "selection"):
        what, name = ("answers", "answers") if kind == "csv" else ("clusters", kind)
        shown = rows if kind == "selection" else None
        return session.export.write(f"{name}.csv", lambda file: file.write(session.export.to_csv(what, shown).encode()))
    drawn = pictures()
    saves = {
        f"{name}.{kind}": saving(figure, kind, partial(progress, (1 + n) / (1 + len(drawn))))
        for n, (name, figure) in enumerate(drawn.items())
    }
    return session.export.write(kind, saves)


def saving(figure: Figure, kind: str, told: Callable[[], object] = lambda: None) -> Callable[[BinaryIO], None]:
    """Return what writes a figure into a file, and calls `told` before."""

    def save(file: BinaryIO) -> None:
        told()
        figure.savefig(file, format=kind, dpi=200)

    return save
