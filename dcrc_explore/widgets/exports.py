"""What a tool writes into files beside the notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from dcrc_explore.datasets import Files, Sorted
from dcrc_explore.plane import View
from dcrc_explore.session import Session
from dcrc_explore.storage import numbered
from dcrc_explore.widgets.address import carries_answers, write_address
from dcrc_explore.widgets.controls import Control, menu, putting
from dcrc_explore.widgets.protocol.sent import Sheet
from dcrc_explore.widgets.work import Work
from dcrc_explore.words import count, listed

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure


_HISTORY = "This model depends on the fits before it; Fit again from the start, in the tab Session, ends that."
_NAMES = {
    "code": "Code",
    "link": "Link",
    "page": "Film of the answers",
    "replay": "Film of the fit",
    "scene": "Scene",
    "live": "Live page",
}
OF_ONE = {
    "png": "The picture and the panels as PNG files",
    "svg": "The picture and the panels as SVG files",
    "csv": "The answers as a table",
    "page": "The answers as a film: one file that anybody opens in a browser, without Python or a network",
    "replay": "The EM iterations of this fit as a film, in one file too",
    "code": "A short Python program that makes this model again",
    "scene": "Data, settings and answers as a scene: a short text to which you add the steps",
}
OF_THE_PLANE = {"live": "This exploration as one file in which anybody answers on, without Python or a network"}
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
        yield Control(
            f"export.{kind}",
            "button",
            label,
            text,
            words,
            do=partial(lambda kind, session, _: export(session, kind), kind),
            doing="Writing…",
        )


# What a live page takes.
LIVE_POINTS, LIVE_FEATURES, LIVE_CLUSTERS, LIVE_KERNELS = 1000, 20, 10, ("linear", "rbf")


def not_live(session: Session) -> str:
    """Say what of a session a live page does not take; nothing when it takes all.

    Examples
    --------
    >>> not_live(Session("digits", autosave=None))
    'at most 1000 points, got 1797'
    """
    data, settings, log = session.dataset, session.settings, session.log
    problems = {
        f"at most {LIVE_POINTS} points, got {len(data.X)}": len(data.X) > LIVE_POINTS,
        f"at most {LIVE_FEATURES} features, got {data.X.shape[1]}": data.X.shape[1] > LIVE_FEATURES,
        "no sounds": data.cards.kind == "sounds",
        f"at most {LIVE_CLUSTERS} clusters, got {settings.n_clusters}": settings.n_clusters > LIVE_CLUSTERS,
        f"a boundary among {', '.join(LIVE_KERNELS)}, got {settings.kernel!r}": settings.kernel not in LIVE_KERNELS,
        f"answers of one person, got those of {len(log.names)}": settings.learns_people(log.names),
    }
    return next((words for words, is_so in problems.items() if is_so), "")


class ExportProgress:
    """Shows the progress of an export at once, though the picture waits for its end.

    Parameters
    ----------
    send : callable(dict)
        Sends the progress to the browser.
    """

    def __init__(self, send: Callable[[dict[str, str]], object]) -> None:
        self._send, self._reported = send, ""

    def __call__(self, share: float) -> None:
        """Show which share is done, when that makes a difference."""
        text = f"Writing… {int(100 * share)} %"
        if text != self._reported:
            self._reported = text
            self._send({"progress": text})


def write_export(
    session: Session,
    kind: str,
    pictures: Callable[[], Mapping[str, Figure]],
    progress: ExportProgress,
    rows: Sequence[int] | None = None,
    plane: View | None = None,
) -> Path:
    """Write something into a file beside the answers, and return where.

    A "page" of the answers or a "replay" of EM, which show the points in a `plane`, a "live" page, the answers
    ("csv"), the "clusters" of all points, a "selection" of `rows`, or pictures ("png", "svg").
    """
    if kind in ("page", "replay"):
        film = "answers" if kind == "page" else "iterations"
        return session.export.to_html(film=film, plane=plane, progress=progress)
    if kind == "live":
        return session.export.to_html(live=True)
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


def export_code(session: Session) -> tuple[Sheet, str | None]:
    """Return a program that makes the model again, to be shown, and where the files are that it reads, if any."""
    files: dict[str, str] = {}
    program = session.export.to_code(files)
    sheet: Sheet = {"title": "This model as a Python program", "text": program}
    note = "" if session.model.trace.start is None else _HISTORY
    if not files:
        return sheet, note or None
    contents = {name: text.encode() for name, text in {**files, "fit.py": program}.items()}
    written = session.export.write("code", contents)
    return sheet, f"The program fit.py reads {' and '.join(sorted(files))}: all written to {written}. {note}".strip()


def export_link(
    session: Session, hidden: Sequence[str], view: str, shown: Mapping[str, Any]
) -> tuple[Sheet, str | None]:
    """Return the query of a link to this exploration, to be shown, and what it has no room for, if anything."""
    query, left = write_address(session, hidden, view, shown), session.state.n_answers and not carries_answers(session)
    title = "A link to these data and settings" + ("" if left else " and answers") * bool(session.log)
    text = "The link has no room for all the answers: Film of the answers carries them." if left else None
    return {"title": title, "query": query}, text


def saving(figure: Figure, kind: str, words: Callable[[], object] = lambda: None) -> Callable[[BinaryIO], None]:
    """Return what writes a figure into a file, and calls `words` before."""

    def save(file: BinaryIO) -> None:
        words()
        figure.savefig(file, format=kind, dpi=200)

    return save


_SORT = "A folder for each cluster, with its files, beside the saved answers; your own files stay as they are"
_WAYS = ((False, "as copies"), (True, "as links"))


class Sorting:
    """A button that sorts files into folders, for data of files; nothing for others.

    Parameters
    ----------
    act : callable
        Does something with the session, and shows the controls as they are then.
    """

    def __init__(self, act: Callable[[Callable[[Session], object]], object]) -> None:
        self._link = False
        self._working: Work[Sorted] = Work(act)

    def controls(self, session: Session) -> Iterator[Control]:
        """List the button, how it is done, and how far it is."""
        if not isinstance(session.dataset.items, Files):
            return
        words = "Stop" if self._working.is_running else "Sort the files into folders"
        yield Control("sort", "button", words=words, help=_SORT, do=self._press)
        about = "Copies need room on the disk; links lead to the files where they are"
        yield menu("sort.how", "", _WAYS, self._link, putting(self, "_link"), off=self._working.is_running, help=about)
        yield Control("sort.outcome", "words", value=self._working.words)

    def _press(self, session: Session, _: object) -> None:
        if self._working.is_running:
            self._working.stop(f"Stopped. {self._working.words}")
            return
        place = next(path for path in numbered(session.export.path("sorted")) if not path.exists())
        link = self._link
        self._working.start(
            session,
            lambda watch: session.export.sort_files(place, link=link, watch=watch),
            lambda _, done: sorted_in_words(done),
            doing=f"Sorting into {place.name}:",
        )


def sorted_in_words(done: Sorted) -> str:
    """Say what was sorted, and what could not be.

    Examples
    --------
    >>> from pathlib import Path
    >>> sorted_in_words(Sorted(Path("photos-sorted"), 3, ("a.jpg",)))
    '3 files are in photos-sorted. 1 could not be read: a.jpg.'
    """
    words = f"{count(done.n_files, 'file')} {'is' if done.n_files == 1 else 'are'} in {done.folder}."
    left = list(done.left_out)
    return f"{words} {len(left)} could not be read: {listed(left)}." if left else words
