"""An exploration as CSV and as code, and answers from CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.constraints import AmbiguousAnswers, Answer, Pairs, Triplets
from dcrc_explore.constraints.formats import parse_answers, remarks
from dcrc_explore.constraints.writing import answers_as_csv
from dcrc_explore.datasets import Rows, Sorted, list_datasets, sort_files
from dcrc_explore.progress import Watch
from dcrc_explore.session.fit import Plane
from dcrc_explore.session.saving import absolute
from dcrc_explore.session.state import SessionError, Settings, as_rows, clear_errors
from dcrc_explore.session.trace import Trace
from dcrc_explore.storage import Content, Written, safe_name
from dcrc_explore.tables import as_csv, as_frame

if TYPE_CHECKING:
    from dcrc_explore.session.session import Session


# CSV ---------------------------------------------------------------------------------------------------------------


def cluster_columns(session: Session, rows: ArrayLike | None = None) -> Mapping[str, Sequence[Any]]:
    """Return the table of clusters by column: a row for each point, or for those in `rows`.

    "row" is the row of the file. Where rows of it were left out, "point" is the number that the answers use.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> list(cluster_columns(Session("digits-8x8", autosave=None)))
    ['row', 'item', 'cluster', 'name', 'probability', 'entropy']
    """
    fit, dataset = session.fit, session.dataset
    shown = np.arange(len(dataset.X)) if rows is None else as_rows(rows, len(dataset.X))
    labels = fit.labels[shown]
    seen = dataset.items
    own: dict[str, list[Any]] = {"row": dataset.rows[shown].tolist()}
    if dataset.skips_rows:
        own["point"] = shown.tolist()
    if seen is not None and not isinstance(seen, Rows):
        own["item"] = [seen.text(i) for i in shown.tolist()]
    found = {
        "cluster": (labels + 1).tolist(),
        "name": [session.state.cluster_name(k) for k in labels.tolist()],
        "probability": fit.proba[shown, labels].tolist(),
        "entropy": fit.entropy[shown].tolist(),
    }
    others: dict[str, list[Any]] = {}
    for column, cells in dataset.other_columns.items():
        while column in {**own, **others, **found}:
            column += " (file)"
        others[column] = [cells[i] for i in shown.tolist()]
    return {**own, **others, **found}


def clusters_as_csv(session: Session, rows: ArrayLike | None = None) -> str:
    """Return the cluster of each point, or of those in `rows`: number, name, its probability, and the entropy."""
    columns = cluster_columns(session, rows)
    cells = ([f"{value:.4f}" if isinstance(value, float) else value for value in values] for values in columns.values())
    return as_csv(columns, zip(*cells, strict=True))


def add_csv(session: Session, path: Path, remark: Callable[[str], object], reading: Mapping[str, Any]) -> int:
    """Add the answers of a file as one step: see :meth:`Session.add_csv`."""
    dataset = session.dataset
    has_names = dataset.items is not None and not isinstance(dataset.items, Rows)
    names = [dataset.cards.text(i) for i in range(len(dataset.X))] if has_names else dataset.ids
    known = {"names": names, "n_samples": len(dataset.X), "by": session.person, "source_rows": dataset.rows.tolist()}
    try:
        log = parse_answers(path, **{**known, **reading})
    except AmbiguousAnswers:
        raise
    except ValueError as error:
        raise SessionError(str(error)) from error
    found = remarks(log, session.log, reading=reading)
    session.add([entry.points for entry in log], log.answers, by=log.by, seconds=log.seconds, time=log.times)
    for sentence in found:
        remark(sentence)
    return len(log)


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
    imports: list[str] = []
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
    if dataset.skips_rows:
        rows = dataset.rows.tolist()
        if files is not None and len(rows) > _INLINE:
            files["rows.csv"] = "".join(f"{row}\n" for row in rows)
            lines += ['rows = np.loadtxt("rows.csv", dtype=int)  # the row of your file that each point is, from 0']
        else:
            lines += ["# The row of your file that each point is, from 0.", *_list("rows = ", rows)]
    triplets, pairs = request.log.triplets, request.log.pairs
    arguments = {"triplets": "triplets", "answers": "answers"}
    if files is not None and len(request.log) > _INLINE:
        files["answers.csv"] = answers_as_csv(request.log, rows=dataset.rows)
        imports = ["from dcrc_explore.constraints import read_answers"]
        of_points = ', rows="numbers"' if dataset.skips_rows else ""
        lines += [f'answers = read_answers("answers.csv", n_samples=len(X){of_points})']
        arguments = {"triplets": "answers"}
    else:
        lines += ["# Is A more similar to B than to C? Three row numbers of X each."]
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
            "# The session continued from these weights, to which earlier fits had led, instead of starting",
            "# from the initialisation. A fit from the start may find other groups.",
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
    return "\n".join(["import numpy as np", "", "from dcrc_explore import DCRC", *imports, *lines]) + "\n"


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
    'a,b,c,answer,by,time,seconds,surprise_bits\n'
    """

    def __init__(self, session: Session) -> None:
        self._session, self._written = session, Written()

    def to_csv(self, what: str = "answers", rows: ArrayLike | None = None) -> str:
        """Return the "answers", or the "clusters" of all points or some `rows`, as CSV; no cell is a formula."""
        if what == "clusters":
            return clusters_as_csv(self._session, rows)
        data, log = self._session.dataset, self._session.log
        bits = [None if np.isnan(value) else value for value in log.surprise.tolist()]
        return answers_as_csv(log, rows=data.rows, surprise_bits=bits)

    def to_frame(self, rows: ArrayLike | None = None) -> Any:
        """Return the clusters as a DataFrame of pandas, a row for each point or for those in `rows`.

        Its columns are row (of the file, from 0), item (the name of a file or a text, where there are items), the
        columns of the file that are neither feature nor class, cluster from 1 on, name, probability and entropy in
        bits. A column of the file with one of these names gets "(file)" added. If rows of the file were left out,
        point is the number that the answers use. Without pandas it is a structured array of NumPy.

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
        live: bool = False,
    ) -> Path:
        """Write the exploration as one page that opens without Python or a network; return where it is.

        A film ends in a live page: whoever watches it may continue from any frame, with answers of their own. Those of
        more than 1,000 points or 20 features do not: see :func:`~dcrc_explore.widgets.livepage.live_page`.

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
        live : bool, default=False
            With True the page is no film, but the tool itself.
        """
        from dcrc_explore.page.film import write_film  # which makes sessions itself

        with self._session.lock:
            return write_film(self._session, path, film, plane, progress, live=live)
