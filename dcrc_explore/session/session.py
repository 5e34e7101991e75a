"""The state of an exploration and every action on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dcrc_explore.constraints import AnswerLike, Triplets
from dcrc_explore.session.fit import Extent, Fit, FloatArray, Objective
from dcrc_explore.session.records import Event, Expectation, GivenAnswer, Settings, Triplet
from dcrc_explore.session.storage import SavedSession


@dataclass(frozen=True)
class Quality:
    """Agreement of a fit with the truth after so many answers."""

    n_answers: int
    pairwise_f: float
    ari: float
    nmi: float
    accuracy: float


class Session:
    """Data, settings, answers, fits and their history; no interface.

    Parameters
    ----------
    data : str, Dataset, array-like, DataFrame or path, optional
        Name of a generator or of a stored data set, a user's own points, or a .csv / .npz file.
    y : array-like of shape (N,), optional
        The truth, when `data` is an array.
    parameters : mapping, optional
        Parameters of the generator (`n_per_cluster`, `spread`, `seed` ...).
    autosave : path or None
        A folder (the file is named after the data) or a file; an existing file is never overwritten, a free name is
        taken instead. None keeps nothing.
    background : callable, optional
        Without it every action returns with the new fit. With it, a fit that takes longer than `patience` seconds
        goes on in a thread and its result is handed over by ``background(function)``, which must run the function in
        the session's own thread, for instance ``asyncio.get_running_loop().call_soon_threadsafe``. The latest
        request wins.
    **settings
        Fields of :class:`Settings`; `n_clusters` defaults to the number of true classes, or 3.
    """

    patience = 0.1

    def __init__(
        self,
        data: Any = "close",
        y: ArrayLike | None = None,
        *,
        parameters: Mapping[str, Any] | None = None,
        autosave: str | PathLike[str] | None = ".",
        background: Callable[[Callable[[], None]], object] | None = None,
        **settings: Any,
    ) -> None:
        raise NotImplementedError

    # What there is ---------------------------------------------------------------------------------------------

    @property
    def dataset(self) -> Any:
        """The :class:`~dcrc_explore.datasets.Dataset`: X, y or None, name, parameters, names of features."""
        raise NotImplementedError

    @property
    def settings(self) -> Settings:
        """The current settings."""
        raise NotImplementedError

    @property
    def answers(self) -> tuple[GivenAnswer, ...]:
        """Every answer, oldest first."""
        raise NotImplementedError

    @property
    def triplets(self) -> Triplets:
        """The answers as the estimator takes them."""
        raise NotImplementedError

    @property
    def truth(self) -> NDArray[np.int64] | None:
        """True classes numbered from 0, or None."""
        raise NotImplementedError

    @property
    def points(self) -> FloatArray:
        """Coordinates to draw, shape (N, 2): X itself, or its first two principal components; constant per data set."""
        raise NotImplementedError

    @property
    def is_projected(self) -> bool:
        """Whether `points` are a projection, so that there is no surface."""
        raise NotImplementedError

    @property
    def extent(self) -> Extent:
        """Bounds (xmin, xmax, ymin, ymax) of the drawing: the points with a margin."""
        raise NotImplementedError

    @property
    def fit(self) -> Fit:
        """The latest complete fit. While `busy`, it may be older than the answers: `fit.triplets` tells."""
        raise NotImplementedError

    @property
    def busy(self) -> bool:
        """Whether a fit goes on in the background."""
        raise NotImplementedError

    @property
    def objective(self) -> Objective:
        """The bound of the latest fit, iteration by iteration and term by term."""
        raise NotImplementedError

    @property
    def quality(self) -> list[Quality]:
        """Agreement with the truth by number of answers, up to the current one; empty when there is no truth."""
        raise NotImplementedError

    def replay(self, iteration: int) -> Fit:
        """The model at an EM iteration of the latest fit, 0 being its start."""
        raise NotImplementedError

    # Questions -------------------------------------------------------------------------------------------------

    def suggest(self, strategy: Literal["random", "boundary", "informative"] = "informative") -> Triplet:
        """Return a question that was neither answered nor skipped."""
        raise NotImplementedError

    def skip(self, triplet: ArrayLike) -> None:
        """Do not suggest this question again; nothing is recorded."""
        raise NotImplementedError

    def expected(self, triplet: ArrayLike) -> Expectation:
        """Return what the current model expects as an answer, and its worth in bits."""
        raise NotImplementedError

    # Actions: each is one undo step and one refit -----------------------------------------------------------------

    def answer(self, triplet: ArrayLike, answer: AnswerLike, *, by: str = "user") -> GivenAnswer:
        """Record an answer, put it on disk, and refit; returns the record, its surprise included."""
        raise NotImplementedError

    def add(self, triplets: ArrayLike, answers: AnswerLike, *, by: str = "user") -> None:
        """Record many answers as one step."""
        raise NotImplementedError

    def answer_by_oracle(
        self,
        n: int = 1,
        *,
        strategy: Literal["random", "boundary", "informative"] = "random",
        oracle: Literal["truth", "noisy", "confused"] = "truth",
        epsilon: float | None = None,
        progress: Callable[[int, int], bool | None] | None = None,
    ) -> int:
        """Let an oracle answer `n` new questions as one step with one refit.

        Parameters
        ----------
        n : int
        strategy, oracle : str
            What is asked, and who answers.
        epsilon : float, optional
            Error rate of the noisy oracle; the one of the settings by default.
        progress : callable(done, n), optional
            Called between portions; returning False stops, and what was answered until then is kept.

        Returns
        -------
        int
            Number of answers given.
        """
        raise NotImplementedError

    def flip(self, index: int, answer: AnswerLike | None = None) -> None:
        """Change an answer to `answer`, by default yes to no and no to yes."""
        raise NotImplementedError

    def delete(self, index: int) -> None:
        """Take an answer out."""
        raise NotImplementedError

    def set(self, **changes: Any) -> None:
        """Change settings; nothing happens when they have these values already."""
        raise NotImplementedError

    def set_data(
        self,
        data: Any,
        y: ArrayLike | None = None,
        *,
        parameters: Mapping[str, Any] | None = None,
        n_clusters: int | None = None,
    ) -> None:
        """Explore other data, without answers; undo brings the old data and its answers back."""
        raise NotImplementedError

    def regenerate(self, **parameters: Any) -> None:
        """Make the data anew by the same generator, with these parameters changed; answers as in `set_data`."""
        raise NotImplementedError

    def undo(self) -> None:
        """Take the last step back; SessionError when there is none."""
        raise NotImplementedError

    def redo(self) -> None:
        """Do the step again that was taken back last."""
        raise NotImplementedError

    @property
    def undo_label(self) -> str | None:
        """What `undo` would take back, as "answer 24" or "epsilon", or None."""
        raise NotImplementedError

    @property
    def redo_label(self) -> str | None:
        """What `redo` would bring back, or None."""
        raise NotImplementedError

    def refit(self, *, restart: bool = True) -> None:
        """Fit again, by default from the initialisation; answers and settings stay."""
        raise NotImplementedError

    def wait(self) -> None:
        """Block until no fit is going on in the background."""
        raise NotImplementedError

    # Observers -------------------------------------------------------------------------------------------------

    def observe(self, callback: Callable[[Event], object]) -> Callable[[], None]:
        """Call `callback` after each change; returns a function that ends this. An error in it becomes a warning."""
        raise NotImplementedError

    # Keeping and export ------------------------------------------------------------------------------------------

    @property
    def path(self) -> Path | None:
        """The file that holds the session, once there is something to keep."""
        raise NotImplementedError

    @property
    def save_error(self) -> str | None:
        """Why the last change is not on disk, or None. The session itself goes on."""
        raise NotImplementedError

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the session, data included, into one file and keep it up to date from now on."""
        raise NotImplementedError

    @classmethod
    def load(cls, path: str | PathLike[str], **options: Any) -> Session:
        """Restore a session to its last answer and go on in the same file; `options` are autosave and background."""
        raise NotImplementedError

    @staticmethod
    def resumable(folder: str | PathLike[str] = ".") -> list[SavedSession]:
        """Sessions with answers that are kept in a folder, the latest first. Nothing is loaded or changed."""
        raise NotImplementedError

    def to_csv(self) -> str:
        """Answers as CSV: number, i, j, k, answer, by, time, implied, satisfied."""
        raise NotImplementedError

    def to_code(self) -> str:
        """Return a Python program that makes the current model again."""
        raise NotImplementedError

    def figure(self, panel: str = "canvas") -> Any:
        """Return a matplotlib figure of the canvas or of a panel, to save as PNG or SVG."""
        raise NotImplementedError
