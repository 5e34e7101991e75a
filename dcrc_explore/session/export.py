"""An exploration as CSV and as code, and answers from CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import nan
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.constraints import LONGEST_NAME, Answer, Entry, Pairs, Triplets, as_answers, formats
from dcrc_explore.datasets import Sorted, list_datasets, sort_files
from dcrc_explore.progress import Watch
from dcrc_explore.session.fit import Plane
from dcrc_explore.session.format import LARGEST
from dcrc_explore.session.saving import absolute
from dcrc_explore.session.state import SessionError, Settings, as_rows, clear_errors
from dcrc_explore.session.trace import Trace
from dcrc_explore.storage import Content, Written, read_text, safe_name
from dcrc_explore.tables import as_csv, as_frame, from_cell

if TYPE_CHECKING:
    from dcrc_explore.session.session import Session


# CSV ---------------------------------------------------------------------------------------------------------------


def answers_as_csv(log: Iterable[Entry]) -> str:
    """Return one line per answer, oldest first; one about two points has no k.

    Examples
    --------
    >>> print(answers_as_csv((Entry((4, 0, 7), Answer.NO, "2030-01-01T12:00:00.000+00:00"),)), end="")
    i,j,k,answer,by,time,surprise_bits,seconds
    4,0,7,no,user,2030-01-01T12:00:00.000+00:00,,
    """
    head = ["i", "j", "k", "answer", "by", "time", "surprise_bits", "seconds"]
    return as_csv(head, (_cells(entry) for entry in log))


def _cells(entry: Entry) -> list[object]:
    points = [*entry.points, *([None] * entry.is_pair)]
    return [*points, entry.answer.name.lower(), entry.by, entry.time, entry.surprise, entry.seconds]


def cluster_columns(session: Session, rows: ArrayLike | None = None) -> Mapping[str, Sequence[Any]]:
    """Return the table of clusters by column: a row for each point, or for those in `rows`.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> list(cluster_columns(Session("digits-8x8", autosave=None)))
    ['row', 'item', 'cluster', 'name', 'probability', 'entropy']
    """
    fit, dataset = session.fit, session.dataset
    shown = np.arange(len(dataset.X)) if rows is None else as_rows(rows, len(dataset.X))
    labels = fit.labels[shown]
    items = {} if dataset.items is None else {"item": [dataset.items.text(i) for i in shown.tolist()]}
    return {
        "row": shown.tolist(),
        **items,
        "cluster": (labels + 1).tolist(),
        "name": [session.state.cluster_name(k) for k in labels.tolist()],
        "probability": fit.proba[shown, labels].tolist(),
        "entropy": fit.entropy[shown].tolist(),
    }


def clusters_as_csv(session: Session, rows: ArrayLike | None = None) -> str:
    """Return the cluster of each point, or of those in `rows`: number, name, its probability, and the entropy."""
    columns = cluster_columns(session, rows)
    cells = ([f"{value:.4f}" if isinstance(value, float) else value for value in values] for values in columns.values())
    return as_csv(columns, zip(*cells, strict=True))


_NEEDED = ("i", "j", "k", "answer")


class Line(NamedTuple):
    """An answer in a file: three points or two, the answer, who gave it if known, the line, and how long it took."""

    question: tuple[int, ...]
    answer: Answer
    by: str
    place: str
    seconds: float = nan


def read_answers(text: str) -> list[Line]:
    r"""Read answers from CSV with the columns i, j, k, answer and, if there are several people, by.

    A line without a k is about a pair. Other columns are ignored.

    Examples
    --------
    >>> read_answers("i,j,k,answer,by\n4,0,7,no,Ann\n3,5,,yes,Bob\n")[1]
    Line(question=(3, 5), answer=<Answer.YES: 1>, by='Bob', place='line 3', seconds=nan)
    """
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    missing = [name for name in _NEEDED if name not in (reader.fieldnames or [])]
    if missing:
        raise SessionError(
            f"a file of answers must have the columns {', '.join(_NEEDED)}, got none called {missing[0]}"
        )
    try:
        return list(_lines(reader))
    except csv.Error as error:
        raise SessionError(f"line {reader.line_num} cannot be read as CSV: {error}") from error


def _lines(reader: csv.DictReader[str]) -> Iterator[Line]:
    for row in reader:
        where = f"line {reader.line_num}"
        cells = [(row[name] or "").strip() for name in ("i", "j", "k")]
        cells = cells if cells[2] else cells[:2]
        if not all(cell.isascii() and cell.isdigit() and len(cell) < 19 for cell in cells):
            raise SessionError(f"{where}: i, j and k must be row numbers, got {', '.join(cells)[:80]!r}")
        try:
            answer = Answer(int(as_answers([(row["answer"] or "").strip()])[0]))
        except ValueError:
            raise SessionError(
                f"{where}: an answer must be yes, no or don't know, got {str(row['answer'])[:80]!r}"
            ) from None
        name = " ".join(from_cell(row.get("by") or "").split())
        if len(name) > LONGEST_NAME:
            raise SessionError(f"{where}: a name must have at most {LONGEST_NAME} characters, got {len(name)}")
        yield Line(tuple(map(int, cells)), answer, name, where, _seconds(row.get("seconds") or "", where))


def _seconds(cell: str, where: str) -> float:
    try:
        seconds = float(cell or "nan")
    except ValueError:
        seconds = -1.0
    if seconds < 0:
        raise SessionError(f"{where}: seconds must be a number of at least 0, got {cell[:80]!r}")
    return seconds


def add_csv(session: Session, path: Path) -> int:
    """Add the answers of a file as one step: see :meth:`Session.add_csv`."""
    with clear_errors():
        text = read_text(path, largest=LARGEST)
        header = {cell.strip() for cell in text.removeprefix("\ufeff").partition("\n")[0].split(",")}
        if text.strip() and not header & {"i", "j", "k"}:
            return _add_of_another_tool(session, path)
        lines = read_answers(text)
    N = len(session.dataset.X)
    for line in lines:
        if max(line.question) >= N or len(set(line.question)) < len(line.question):
            raise SessionError(
                f"{line.place}: an answer must be about different points, numbered 0 to {N - 1}, "
                f"got {', '.join(map(str, line.question))}"
            )
    answers, names = [line.answer for line in lines], [line.by or session.person for line in lines]
    session.add([line.question for line in lines], answers, by=names, seconds=[line.seconds for line in lines])
    return len(lines)


def _add_of_another_tool(session: Session, path: Path) -> int:
    """Add what a file of Salmon, cblearn or another tool holds: row numbers, or the names of the items."""
    dataset = session.dataset
    try:
        found = formats.read_answers(path, n_samples=len(dataset.X))
    except ValueError:
        if dataset.items is None:
            raise
        found = formats.read_answers(path, names=[dataset.cards.text(i) for i in range(len(dataset.X))])
    questions = [*found.triplets.indices.tolist(), *found.pairs.indices.tolist()]
    answers = [*found.triplets.answers.tolist(), *found.pairs.answers.tolist()]
    names = [name or session.person for name in found.annotators or [""] * len(questions)]
    session.add(questions, answers, by=names)
    return len(questions)


# Code --------------------------------------------------------------------------------------------------------------


# So many answers stand in a program; more are in a file beside it, where there may be one.
_INLINE = 40
_WIDTH = 100


def fit_as_code(trace: Trace, names: Sequence[str], files: dict[str, str] | None = None) -> str:
    """Return a Python program that makes the same fit and prints how large its clusters are, by name.

    Its `labels` are those of the session. With `files`, one's own points and many answers go there, by name.
    """
    request = trace.request
    dataset, settings = request.subject.dataset, request.settings
    usual, shown = Settings().model_parameters(), ("n_clusters", "epsilon", "random_state")
    parameters = {k: v for k, v in request.parameters().items() if k in shown or v != usual.get(k)}
    if settings.kernel == "linear":
        parameters.pop("gamma", None)
    if request.subject.is_generated:
        known = {each.name: each.default for each in list_datasets()[dataset.name].parameters}
        values = {name: np.asarray(value).item() for name, value in dataset.parameters.items()}
        values = {name: value for name, value in values.items() if value != known.get(name)}
        lines = ["from dcrc_explore.datasets import make_dataset", ""]
        lines += [f"X = make_dataset({_call(repr(dataset.name), values)}).X"]
    elif files is not None:
        files["points.csv"] = "".join(",".join(map(repr, row)) + "\n" for row in dataset.X.tolist())
        lines = ["", 'X = np.loadtxt("points.csv", delimiter=",", ndmin=2)  # one row per point']
    else:
        lines = ["", "X = np.array(", *_list("    ", dataset.X.tolist()), ")"]
    triplets, pairs = request.log.triplets, request.log.pairs
    arguments = {"triplets": "triplets", "answers": "answers"}
    if files is not None and len(triplets) > _INLINE:
        table = np.column_stack([triplets.indices, triplets.answers]).tolist()
        files["answers.csv"] = "".join(",".join(map(str, row)) + "\n" for row in table)
        lines += [
            'table = np.loadtxt("answers.csv", delimiter=",", dtype=int)  # A, B, C; 1 is yes, -1 no, 0 don\'t know'
        ]
        lines += ["triplets, answers = table[:, :3], table[:, 3]"]
    else:
        lines += ["# Is A more similar to B than to C? Three row numbers each."]
        lines += _list("triplets = ", map(tuple, triplets.indices.tolist()))
        lines += _list("answers = ", _words(triplets))
    if len(pairs):
        lines += _list("pairs = ", map(tuple, pairs.indices.tolist()))
        lines += _list("pair_answers = ", _words(pairs))
        arguments |= {"pairs": "pairs", "pair_answers": "pair_answers"}
    if request.people:
        lines += ["# Who gave each answer, triplets first.", *_list("annotators = ", request.people)]
        arguments["annotators"] = "annotators"
    start = trace.start
    lines += ["", f"model = DCRC({_call('', parameters | ({} if start is None else {'warm_start': True}))})"]
    if start is not None:
        lines += [
            "# The session continued from these weights instead of starting from the initialisation.",
            "model.coef_ = np.array(",
            *_list("    ", start.coef.tolist()),
            ")",
            "model.intercept_ = np.array(",
            *_list("    ", start.intercept.tolist()),
            ")",
        ]
    lines += [f"model.fit(X, {', '.join(f'{name}={value}' for name, value in arguments.items())})"]
    renumbered = start is None and (trace.numbers != np.arange(len(trace.numbers))).any()
    # A fit from the initialisation numbers its clusters by chance, the session keeps the numbers on the screen.
    lines += [f"labels = np.array({trace.numbers.tolist()})[model.labels_]" if renumbered else "labels = model.labels_"]
    lines += [f"names = {list(names)}", "for k, name in enumerate(names):"]
    lines += ['    print(f"{name}: {(labels == k).sum()} points")']
    return "\n".join(["import numpy as np", "", "from dcrc_explore import DCRC", *lines]) + "\n"


def _list(head: str, values: Iterable[object]) -> list[str]:
    """Return the lines of a list that are not too long; what stands before it begins the first."""
    items = [f"{value!r}," for value in values]
    whole = f"{head}[{' '.join(items).removesuffix(',')}]"
    if len(whole) <= _WIDTH:
        return [whole]
    inner = " " * (len(head) - len(head.lstrip()) + 4)
    lines = [inner + items[0]]
    for item in items[1:]:
        if len(lines[-1]) + 1 + len(item) <= _WIDTH:
            lines[-1] += f" {item}"
        else:
            lines.append(inner + item)
    return [f"{head}[", *lines, f"{inner[4:]}]"]


def _words(answered: Triplets | Pairs) -> list[str]:
    return [Answer(int(answer)).name.lower() for answer in answered.answers]


def _call(first: str, arguments: dict[str, object]) -> str:
    return ", ".join([first] * bool(first) + [f"{name}={value!r}" for name, value in arguments.items()])


class Export:
    r"""A session for others: tables, code, pages, and files for any other content.

    Parameters
    ----------
    session : Session

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> session = Session("far", autosave=None)
    >>> session.export.to_csv("answers")
    'i,j,k,answer,by,time,surprise_bits,seconds\n'
    """

    def __init__(self, session: Session) -> None:
        self._session, self._written = session, Written()

    def to_csv(self, what: str = "answers", rows: ArrayLike | None = None) -> str:
        """Return the "answers", or the "clusters" of all points or some `rows`, as CSV; no cell is a formula."""
        return clusters_as_csv(self._session, rows) if what == "clusters" else answers_as_csv(self._session.log)

    def to_frame(self, rows: ArrayLike | None = None) -> Any:
        """Return the clusters as a DataFrame of pandas, a row for each point or for those in `rows`.

        Its columns are row, item (the name of a file or a text, where there are items), cluster from 1 on, name,
        probability and entropy in bits. Without pandas it is a structured array of NumPy with the same columns.

        Examples
        --------
        >>> from dcrc_explore.session import Session
        >>> Session("moons", autosave=None).export.to_frame([0, 3])["row"].tolist()
        [0, 3]
        """
        return as_frame(cluster_columns(self._session, rows))

    def sort_files(self, folder: str | PathLike[str], *, link: bool = False, watch: Watch | None = None) -> Sorted:
        """Copy the file of each point into a folder named after its cluster; no file is moved or replaced.

        Parameters
        ----------
        folder : path
            A new or empty folder outside that of the files.
        link : bool, default=False
            Make links to the files instead of copies.
        watch : callable(done, total, what), optional
            Called with the progress; an exception in it ends the work, and the files sorted so far stay.

        Returns
        -------
        Sorted
            The folder, how many files are in it, and the names of those that could not be read.
        """
        session = self._session
        names = [session.state.cluster_name(k) for k in range(session.fit.n_clusters)]
        with clear_errors():
            return sort_files(session.dataset, session.fit.labels, names, folder, link=link, watch=watch)

    def to_code(self, files: dict[str, str] | None = None) -> str:
        """Return a program that makes the current fit again. It reads many numbers from `files`, if that is given."""
        session = self._session
        names = [session.state.cluster_name(k) for k in range(session.fit.n_clusters)]
        return fit_as_code(session.model.trace, names, files)

    def write(self, ending: str, content: Content | Mapping[str, Content]) -> Path:
        """Write something about the session into a file, or a folder of files, named after the data.

        It lies beside the file with the answers, or else in the working folder. A file that this session did not
        write is never replaced: the name then gets a number.

        Parameters
        ----------
        ending : str
            As "answers.csv" for a file or "png" for a folder.
        content : bytes or callable(file), or mapping of file name to such
            A callable writes into the binary file that it is given.
        """
        with self._session.lock:
            return self.write_to(self.path(ending), content)

    def path(self, ending: str) -> Path:
        """Return a path beside the file with the answers, or else in the working folder, named after the data."""
        path = self._session.file.path
        folder = absolute(".") if path is None else path.parent
        return folder / f"{safe_name(self._session.dataset.name)}-{ending}"

    def write_to(self, path: Path, content: Content | Mapping[str, Content]) -> Path:
        """Write a file, or a folder of files, to a path; a file that this session did not write is never replaced."""
        return self._written.export(path, content)

    def to_html(
        self,
        path: str | PathLike[str] | None = None,
        *,
        film: str = "answers",
        plane: Plane = None,
        progress: Callable[[float], object] = lambda share: None,
    ) -> Path:
        """Write the exploration as one page that opens without Python or a network; return where it is.

        Parameters
        ----------
        path : path, optional
            By default a file named after the data, beside the one with the answers. A file that this session did not
            write is never replaced: the name then gets a number.
        film : {"answers", "iterations"}, default="answers"
            What the page plays: the model after each answer, fitted again with the current settings, or the EM
            iterations of the latest fit.
        plane : {"pca", "model"}, pair of features, View or None
            The plane that shows the points, as for :meth:`Fit.view`; it is the same in all frames.
        progress : callable(share), optional
            Called repeatedly with the share of the work that is done.
        """
        from dcrc_explore.session import recording  # which makes sessions itself

        with self._session.lock:
            return recording.write_film(self._session, path, film, plane, progress)
