"""What a tool writes into files beside the notebook."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from dcrc_explore.plane import View
from dcrc_explore.session import Session

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure


def write_export(
    session: Session,
    kind: str,
    pictures: Callable[[], Mapping[str, Figure]],
    rows: Sequence[int] | None = None,
    plane: View | None = None,
) -> Path:
    """Write something into a file beside the answers, and return where.

    A "page" of the answers or a "replay" of EM, the answers ("csv"), the "clusters" of all points, a "selection" of
    `rows`, or pictures ("png", "svg"). A page shows the points in a `plane`.
    """
    if kind in ("page", "replay"):
        return session.to_html(film="answers" if kind == "page" else "iterations", plane=plane)
    if kind == "selection":
        return session.export("selection.csv", lambda file: file.write(session.to_csv("clusters", rows).encode()))
    if kind in ("csv", "clusters"):
        what = "answers" if kind == "csv" else kind
        return session.export(f"{what}.csv", lambda file: file.write(session.to_csv(what).encode()))
    return session.export(kind, {f"{name}.{kind}": saving(figure, kind) for name, figure in pictures().items()})


def saving(figure: Figure, kind: str) -> Callable[[BinaryIO], None]:
    """Return what writes a figure into a file."""
    return lambda file: figure.savefig(file, format=kind, dpi=200)
