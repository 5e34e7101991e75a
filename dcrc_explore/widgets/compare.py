"""Compare: an Explorer that opens with two models."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

from numpy.typing import ArrayLike

from dcrc_explore.session import Session
from dcrc_explore.widgets.explorer import Explorer
from dcrc_explore.widgets.hosts import new_session, refuse


class Compare(Explorer):
    """An :class:`Explorer` that opens with two models: two settings on the same data and the same answers.

    Parameters
    ----------
    data : Session, Explorer, str, Dataset, array-like, DataFrame or path, optional
        An exploration to compare in, or data for a new one as in :class:`~dcrc_explore.widgets.Explorer`.
    y : array-like of shape (N,), optional
        True classes, when `data` is an array.
    items : array-like, column name or Items, optional
        What a person sees for each row of `data`.
    first : mapping, optional
        Settings of the first model; see :class:`~dcrc_explore.session.Settings`.
    second : mapping, optional
        Settings of the second model that differ from the first's. By default hard answers, or epsilon = 0.05 when the
        first model's are hard.
    view : {"whole", "lecture"}, default="whole"
        For a projector, "lecture" shows the pictures and the question in large type.
    autosave : path or None, default="."
        Folder (or file) in which every answer is saved as soon as it is given; None saves nothing.

    Examples
    --------
    >>> compare = Compare("close", second={"balance": False}, autosave=None)
    >>> _ = compare.session.answer_by_oracle(20)
    >>> compare
    Compare(close, 20 answers; Balance: on against off)
    """

    def __init__(
        self,
        data: Any = None,
        y: ArrayLike | None = None,
        *,
        items: Any = None,
        first: Mapping[str, Any] | None = None,
        second: Mapping[str, Any] | None = None,
        view: str = "whole",
        autosave: str | PathLike[str] | None = ".",
    ) -> None:
        beside = data if isinstance(data, Explorer) else None
        session = data if beside is None else beside.session
        if not isinstance(session, Session):
            session = new_session(data, y, items, autosave, first or {})
        else:
            refuse({"y": y, "items": items})
            session.set(**first or {})
        hide = () if beside is None else beside.hidden
        super().__init__(session=session, hide=hide, view=view, models=2, second=second, beside=beside)
