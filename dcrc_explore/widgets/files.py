"""Files beside the notebook: sessions that are saved, continued and loaded, and what is exported."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from dcrc_explore.constraints import AmbiguousAnswers
from dcrc_explore.constraints.formats import COUNTS_FROM_1
from dcrc_explore.datasets import Files, Sorted
from dcrc_explore.session import SavedSession, Session, SessionError, find_sessions
from dcrc_explore.session.state import State, standardized_name
from dcrc_explore.storage import numbered
from dcrc_explore.widgets.address import carries_answers, write_address
from dcrc_explore.widgets.controls import Act, Control, Work, differing, menu, putting, text_field
from dcrc_explore.widgets.hosts import event_loop, is_page
from dcrc_explore.widgets.protocol import Verbs
from dcrc_explore.widgets.protocol.sent import Sheet
from dcrc_explore.words import count, listed

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure

_OTHER_ROWS = {"rows are counted from 1": {"first_row": 1}}


def saved_in_words(saved: SavedSession) -> str:
    """Say what a session holds, and when it was left.

    Examples
    --------
    >>> moment = datetime(2030, 1, 5, 9, 30).astimezone().isoformat()
    >>> saved_in_words(SavedSession(Path("moons-answers.json"), "moons", 12, moment))
    '12 answers on “moons”, 5 Jan 2030 09:30'
    """
    answers = count(saved.n_answers, "answer")
    try:
        moment = datetime.fromisoformat(saved.saved).astimezone()
    except ValueError:
        return f"{answers} on “{saved.name}”"
    return f"{answers} on “{saved.name}”, {moment.day} {moment:%b %Y %H:%M}"


def _question(saved: Sequence[SavedSession]) -> str:
    """Ask whether to continue the latest of some sessions."""
    rest = len(saved) - 1
    others = f" The tab Session lists {'one more' if rest == 1 else f'{rest} more'}." if rest else ""
    return f"Continue where you stopped? {saved_in_words(saved[0])} ({saved[0].path.name}).{others}"


class Loading:
    """The files that were loaded, and the sessions that they replaced; `attach` shows a session."""

    def __init__(self, attach: Callable[[Session], None]) -> None:
        self._attach = attach
        self._earlier: list[tuple[str, Session]] = []

    def load(self, path: str | PathLike[str], earlier: Session) -> str:
        """Show the session in a file instead of an earlier one, and say so."""
        loaded = Session.load(path, background=event_loop())
        earlier.steps.guard(loaded.state)
        file, answers = loaded.file, count(loaded.state.n_answers, "answer")
        assert file.path is not None
        text = f"{file.path.name} is loaded, with {answers} on {loaded.dataset.name!r}."
        if earlier.state.n_answers or earlier.history.undo_label:
            self._earlier.append((file.path.name, earlier))
            answers = f", with {count(earlier.state.n_answers, 'answer')}" if earlier.state.n_answers else ""
            saved = f" saved in {earlier.file.path}" if answers and earlier.file.path else ""
            text += f" Undo (Z) leads back to the session before{answers}{saved}."
        self._attach(loaded)
        return f"{text} {file.note}." if file.note else text

    @property
    def label(self) -> str | None:
        """What :meth:`go_back` takes back; None when no file was loaded."""
        return f"loading of {self._earlier[-1][0]}" if self._earlier else None

    def go_back(self, loaded: Session) -> str:
        """Go back to the session before the last file was loaded, and say so."""
        loaded.steps.guard(self._earlier[-1][1].state)
        file, earlier = self._earlier.pop()
        self._attach(earlier)
        return f"Back in the session before {file} was loaded."


class Keeping:
    """Files of sessions: which can be continued, saved and loaded, and answers that are added from a file.

    They lie in the folder of `place`; with `any_data` sessions on all data are offered at first.
    """

    def __init__(self, place: str | PathLike[str] | None, loading: Loading, *, any_data: bool) -> None:
        path = None if place is None else Path(place)
        self._folder = path.parent if path is not None and path.suffix == ".json" else path
        self._loading, self._any_data = loading, any_data
        self._about = ""  # the data for which sessions were offered
        self._others: list[SavedSession] = []  # with answers, but for the one on the screen; the latest first
        self._offered: list[SavedSession] = []
        self._chosen = 0
        self.n_answers = 0  # before the data changed
        self._fields: dict[str, str] = {}
        self._added = ""
        self._readings: Mapping[str, Mapping[str, Any]] = {}  # of numbers that can mean two things
        self._reading: dict[str, Any] = {}  # what was chosen of them
        self._after: State | None = None  # the session with the answers that were added last
        self.verbs: Verbs = {"resume": self._resume}

    def look(self, session: Session) -> tuple[str, list[tuple[str, str]]]:
        """Look for sessions when the data have changed; return the message to show, with buttons.

        It says how to return to the earlier answers, and offers to continue those that are saved for these data.
        """
        offer, before, self._chosen = self._offer(session), count(self.n_answers, "answer"), 0
        if session.state.n_answers:
            return "", []
        back = f"Other points. Undo (Z) brings back the earlier ones with {before}." if self.n_answers else ""
        return f"{back} {offer}".strip(), [("Continue", "resume"), ("Start over", "dismiss")] if offer else []

    def _offer(self, session: Session) -> str:
        saved = [] if self._folder is None else find_sessions(self._folder)
        self._others = [each for each in saved if each.path != session.file.path]
        name, before = session.dataset.name, self._about
        self._about = name
        if name == before:  # other points of the same kind
            return ""
        self._offered = [each for each in self._others if each.name in (name, standardized_name(name))]
        if self._any_data:
            self._offered = self._offered or self._others
        self._any_data = False
        return _question(self._offered) if self._offered else ""

    def controls(self, session: Session, export: Callable[[Session, str], object]) -> Iterator[Control]:
        """List the controls, with those of exports among them."""
        load = self._loading.load
        options = [(n, saved_in_words(each)) for n, each in enumerate(self._others)] or [(0, "no other session")]
        off, about = not self._others, "Sessions with answers in this folder, the latest first"
        chosen = min(self._chosen, len(options) - 1)
        yield menu("saved_here", "Saved here", options, chosen, putting(self, "_chosen"), off=off, help=about)
        resume = lambda s, _: load(self._others[chosen].path, s)  # noqa: E731
        yield Control("resume", "button", "", "Continue", about, do=resume, off=off, doing="Reading…")
        about = "Name of a session file, seen from the notebook's folder"
        yield text_field(self._fields, "path", "File", "answers.json", help=about)
        about, name = "Write data, settings and answers into this file", self._fields.get("path", "")
        yield Control("save", "button", "", "Save", about, do=lambda s, _: f"Written to {s.save(name)}")
        about = "Continue with the session in this file"
        yield Control("load", "button", "", "Load", about, do=lambda s, _: load(name, s), doing="Reading…")
        about = (
            "Add the answers in a file: CSV as Export writes it (columns a, b, c, answer and, if known, by), or one of "
            "Salmon, cblearn, or must-links and cannot-links"
        )
        named = text_field(self._fields, "csv", "Add answers", "answers.csv", help=about, enter="add")
        yield replace(named, do=self._name)
        yield Control("add", "button", "", "Add", about, do=lambda s, _: self._add(s), doing="Reading…")
        yield Control("added", "words", value=self._added)
        for n, (words, reading) in enumerate(self._readings.items()):
            about, do = "Read the file in this way", lambda s, _, more=reading: self._add(s, more)
            yield Control(f"reading.{n}", "button", "It means" if n == 0 else "", words, about, do=do, doing="Reading…")
        kinds = OF_A_PAGE if is_page() else OF_ONE
        yield from export_buttons(export, kinds if not_live(session) else kinds | OF_THE_PLANE)
        about = "Start from K-means instead of the model on the screen; data, settings and answers stay"
        yield Control("refit", "button", "Model", "Fit again from the start", about, do=_refit)
        about = "Remove all answers and names of clusters, set every setting to its default; Undo brings them back"
        off = not session.state.n_answers and not session.state.names and not differing(session)
        yield Control("reset_all", "button", "Reset", "Everything", about, do=_reset_all, off=off)
        yield Control("saved", "words", value=_where(session))

    def _resume(self, session: Session, _: object) -> None:
        if not self._offered:
            raise SessionError("No saved session is offered now")
        self._loading.load(self._offered[0].path, session)  # the offer has said which one that is

    def _name(self, _: object, name: str) -> None:
        self._fields["csv"], self._added, self._readings, self._reading = name.strip(), "", {}, {}

    def _add(self, session: Session, chosen: Mapping[str, Any] | None = None) -> None:
        name, odd = self._fields.get("csv", ""), list[str]()
        self._readings, self._reading = {}, {**self._reading, **chosen} if chosen else {}
        if chosen and session.state is self._after:  # they were added in another reading
            session.undo()
        self._after = None
        try:
            if not name:
                raise SessionError("Give the name of a file, such as answers.csv")
            n_added = session.add_csv(name, remark=odd.append, **self._reading)
            self._added = " ".join([f"{count(n_added, 'answer')} added. Undo (Z) takes them back.", *odd])
            self._after, self._readings = session.state, _OTHER_ROWS if COUNTS_FROM_1 in odd else {}
        except AmbiguousAnswers as error:
            self._added, self._readings = f"{error.question}. Nothing was added yet.", error.readings
        except (SessionError, OSError) as error:
            self._added = f"{error}. Nothing was added."


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


# What is written into files ------------------------------------------------------------------------------------------

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
        do = partial(lambda kind, session, _: export(session, kind), kind)
        yield Control(f"export.{kind}", "button", label, text, words, do=do, doing="Writing…")


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
    """Shows the progress of an export at once, though the picture waits for its end."""

    def __init__(self, send: Callable[[dict[str, str]], object]) -> None:
        self._send, self._reported = send, ""

    def __call__(self, share: float) -> None:
        """Show which share is done, when that makes a difference."""
        text = f"Writing… {int(100 * share)} %"
        if text != self._reported:
            self._reported = text
            self._send({"progress": text})


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
    """A button that sorts files into folders, for data of files; nothing for others."""

    def __init__(self, act: Act) -> None:
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
