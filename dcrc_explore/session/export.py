"""An exploration as CSV and as code, and where that is written."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore.constraints import Answer, Pairs, Triplets
from dcrc_explore.page import Recording, document
from dcrc_explore.session.answers import GivenAnswer, GivenPair
from dcrc_explore.session.files import absolute, safe_name
from dcrc_explore.session.fit import Plane
from dcrc_explore.session.holding import Save
from dcrc_explore.session.part import as_rows
from dcrc_explore.session.settings import SessionError
from dcrc_explore.session.trace import Trace

if TYPE_CHECKING:
    from dcrc_explore.session.session import Session


def answers_as_csv(answers: Iterable[GivenAnswer], pairs: Iterable[GivenPair] = ()) -> str:
    """Return one line per answer; those about pairs follow, without a k.

    Examples
    --------
    >>> print(answers_as_csv((GivenAnswer((4, 0, 7), Answer.NO, "2030-01-01T12:00:00.000+00:00"),)), end="")
    i,j,k,answer,by,time,surprise_bits
    4,0,7,no,user,2030-01-01T12:00:00.000+00:00,
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["i", "j", "k", "answer", "by", "time", "surprise_bits"])
    questions = [(given.triplet, given) for given in answers] + [((*given.pair, None), given) for given in pairs]
    for question, given in questions:
        writer.writerow([*question, given.answer.name.lower(), given.by, given.time, given.surprise])
    return file.getvalue()


def clusters_as_csv(session: Session, rows: ArrayLike | None = None) -> str:
    """Return the cluster of each point, or of those in `rows`: number, name, and how certain the model is of it."""
    shown = range(len(session.dataset.X)) if rows is None else as_rows(rows, len(session.dataset.X))
    fit, items = session.fit, session.dataset.items
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["row", *(["item"] if items else []), "cluster", "name", "probability"])
    for i in shown:
        k = int(fit.labels[i])
        what = [items.text(i)] if items else []
        writer.writerow([i, *what, k + 1, session.cluster_name(k), f"{fit.proba[i, k]:.4f}"])
    return file.getvalue()


def fit_as_code(trace: Trace, names: Sequence[str]) -> str:
    """Return a Python program that makes the same fit and prints how large its clusters are, by name.

    Its `labels` are those of the session.
    """
    request = trace.request
    dataset, settings = request.subject.dataset, request.settings
    parameters = request.parameters()
    if settings.kernel == "linear":
        del parameters["gamma"]
    if request.subject.is_generated:
        lines = ["from dcrc_explore.datasets import make_dataset", ""]
        values = {name: np.asarray(value).item() for name, value in dataset.parameters.items()}
        lines += [f"X = make_dataset({_call(repr(dataset.name), values)}).X"]
    else:
        lines = ["", f"X = np.array({dataset.X.tolist()})"]
    lines += [f"triplets = {request.triplets.indices.tolist()}", f"answers = {_words(request.triplets)}"]
    said = {"triplets": "triplets", "answers": "answers"}
    if len(request.pairs):
        lines += [f"pairs = {request.pairs.indices.tolist()}", f"pair_answers = {_words(request.pairs)}"]
        said |= {"pairs": "pairs", "pair_answers": "pair_answers"}
    if request.people:
        lines += ["# Who gave each answer, triplets first.", f"annotators = {list(request.people)}"]
        said["annotators"] = "annotators"
    lines += [""]
    start = trace.start
    if start is None:
        lines += [f"model = DCRC({_call('', parameters)})"]
    else:
        lines += [
            f"model = DCRC({_call('', parameters | {'warm_start': True})})",
            "# The session went on from these weights instead of starting from the initialisation.",
            f"model.coef_ = np.array({start.coef.tolist()})",
            f"model.intercept_ = np.array({start.intercept.tolist()})",
        ]
    lines += [f"model.fit(X, {', '.join(f'{name}={value}' for name, value in said.items())})"]
    renumbered = start is None and (trace.numbers != np.arange(len(trace.numbers))).any()
    # A fit from the initialisation numbers its clusters by chance, the session keeps the numbers on the screen.
    lines += [f"labels = np.array({trace.numbers.tolist()})[model.labels_]" if renumbered else "labels = model.labels_"]
    lines += [f"names = {list(names)}", "for k, name in enumerate(names):"]
    lines += ['    print(f"{name}: {(labels == k).sum()} points")']
    return "\n".join(["import numpy as np", "", "from dcrc_explore import DCRC", *lines]) + "\n"


def _words(said: Triplets | Pairs) -> list[str]:
    return [Answer(int(answer)).name.lower() for answer in said.answers]


def _call(first: str, arguments: dict[str, object]) -> str:
    return ", ".join([first] * bool(first) + [f"{name}={value!r}" for name, value in arguments.items()])


def export(session: Session, ending: str, content: Save | Mapping[str, Save]) -> Path:
    """Write something about the session into a file, or a folder of files, named after the data.

    It lies beside the file that keeps the answers, or else in the working folder. What this session did not write
    is never replaced: the name gets a number then.

    Parameters
    ----------
    session : Session
    ending : str
        As "answers.csv" for a file or "png" for a folder.
    content : callable(file) or mapping of file name to such
        Writes into the binary file that it is given.

    Returns
    -------
    Path
        What was written.
    """
    folder = absolute(".") if session.path is None else session.path.parent
    return session.exports.export(folder / f"{safe_name(session.dataset.name)}-{ending}", content)


def to_html(
    session: Session,
    path: str | PathLike[str] | None = None,
    *,
    film: str = "answers",
    plane: Plane = None,
    progress: Callable[[float], object] = lambda share: None,
) -> Path:
    """Write the exploration as one page that anybody opens from disk, without Python or a network.

    Parameters
    ----------
    session : Session
    path : path, optional
        By default a file named after the data, beside the one that keeps the answers. What this session did not write
        is never replaced: the name gets a number then.
    film : {"answers", "iterations"}
        What the page plays: the model after each answer, fitted again with the current settings, or the EM iterations
        of the latest fit.
    plane : {"pca", "model"}, pair of features, View or None
        In which the points are seen, as for :meth:`Session.plane`: the same one from the first frame to the last.
    progress : callable(share), optional
        Told, again and again, which share of the work is done.

    Returns
    -------
    Path
        What was written.
    """
    from dcrc_explore.session.recording import record, record_iterations  # they need sessions themselves

    recorders = {"answers": record, "iterations": record_iterations}
    if film not in recorders:
        raise SessionError(f"film must be 'answers' or 'iterations', got {film!r}")
    name = "page" if film == "answers" else "replay"
    return write_page(session, recorders[film](session, plane, progress), name, path)


def write_page(session: Session, recording: Recording, name: str, path: str | PathLike[str] | None) -> Path:
    """Write a recording to a path, or under a name beside the file that keeps the answers; return where it is."""
    text = document(recording).encode()
    if path is None:
        return session.export(f"{name}.html", lambda file: file.write(text))
    return session.exports.export(absolute(path), lambda file: file.write(text))
