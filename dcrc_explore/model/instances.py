"""Validation of X: a value that is not a finite number is refused, with its row and column."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from dcrc_explore.arrays import FloatArray


def as_instances(estimator: BaseEstimator, X: ArrayLike, *, reset: bool = True) -> FloatArray:
    """Check instances and return them as floats of shape (N, n_features).

    Parameters
    ----------
    estimator : estimator
        Learns the number and names of the features, or, with ``reset=False``, compares them with those of its fit.
    X : array-like of shape (N, n_features)
    reset : bool, default=True

    Examples
    --------
    >>> from dcrc_explore import DCRC
    >>> as_instances(DCRC(), [[1, 2], [3, "tall"]])
    Traceback (most recent call last):
    ValueError: X must hold numbers, got 'tall' in row 1, column 1
    """
    _check_table(X)
    with np.errstate(over="ignore", invalid="ignore"):  # scikit-learn adds up all values to find those not finite
        return np.asarray(validate_data(estimator, X, dtype=np.float64, reset=reset))


def _check_table(X: Any) -> None:
    if issparse(X):
        raise TypeError(f"X must be a dense array, got a sparse one of shape {X.shape}: pass X.toarray()")
    columns = getattr(X, "columns", None)
    names = None if columns is None or np.ndim(columns) != 1 else list(columns)
    if names is not None and len({isinstance(name, str) for name in names}) > 1:
        other = next(name for name in names if not isinstance(name, str))
        raise TypeError(f"all columns of X must have names that are strings, or none, got {other!r} beside strings")
    try:
        table = np.asarray(X)
    except (ValueError, TypeError) as error:
        raise ValueError(f"X must have shape (N, n_features), got {_ragged(X)}") from error
    if table.dtype.kind == "O" and table.ndim == 1 and table.size and np.ndim(table[0]) == 1:
        raise ValueError(f"X must have shape (N, n_features), got {_ragged(list(table))}")
    if table.ndim != 2:
        what = f"shape {table.shape}" if table.ndim else f"{type(X).__name__} {X!r:.40}"
        # scikit-learn's users know this advice by these words.
        advice = ". Reshape your data: X.reshape(-1, 1) is a table of one feature" if table.ndim == 1 else ""
        raise ValueError(f"X must have shape (N, n_features), got {what}{advice}")
    if table.shape[0] == 0:
        raise ValueError(f"X must have at least one row, got shape {table.shape}")
    if table.shape[1] == 0:
        raise ValueError(
            f"X must have columns, got 0 feature(s) (shape={table.shape}) while a minimum of 1 is required."
        )
    if table.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: X must hold real numbers, got dtype {table.dtype}")
    if table.dtype.kind in "mMV":
        raise TypeError(f"X must hold numbers, got dtype {table.dtype}")
    values = table if table.dtype.kind in "biuf" else _numbers(table, names)
    finite = np.isfinite(values)
    if not finite.all():
        row, column = map(int, np.argwhere(~finite)[0])
        value = values[row, column]
        got = "NaN" if np.isnan(value) else str(value)
        more = int(np.count_nonzero(~finite)) - 1
        others = f" and {more} more" if more else ""
        raise ValueError(f"X must hold finite numbers, got {got} in {_place(row, column, names)}{others}")


def _numbers(table: NDArray[Any], names: list[Any] | None) -> FloatArray:
    """Return strings and objects as numbers, or name the first that is none."""
    try:
        return table.astype(float)
    except (ValueError, TypeError, OverflowError):
        for (row, column), value in np.ndenumerate(table):
            value = value.item() if isinstance(value, np.generic) else value
            try:
                float(np.array([value], dtype=object).astype(float)[0])
            except (ValueError, OverflowError):
                raise ValueError(f"X must hold numbers, got {value!r:.60} in {_place(row, column, names)}") from None
            except TypeError:
                # The words in the middle are those that scikit-learn's common tests look for.
                raise TypeError(
                    f"each argument must be no string or object but a number, got {value!r:.60} "
                    f"in {_place(row, column, names)} of X"
                ) from None
        raise


def _place(row: int, column: int, names: list[Any] | None) -> str:
    return f"row {row}, column {column}" + (f" ({names[column]!r})" if names else "")


def _ragged(rows: Any) -> str:
    """Say which row is of another length than the first, or that this is no table at all."""
    if isinstance(rows, list | tuple) and rows:
        lengths = [np.size(row) if np.ndim(row) <= 1 else None for row in map(_shallow, rows)]
        for number, length in enumerate(lengths):
            if length != lengths[0]:
                return f"{lengths[0]} values in row 0 and {length} in row {number}"
    return f"something that is not a table, a {type(rows).__name__}"


def _shallow(row: Any) -> Any:
    """Return the values of a row as objects, so that a ragged row can be counted."""
    if isinstance(row, list | tuple):
        values = np.empty(len(row), dtype=object)
        for place, value in enumerate(row):
            values[place] = value
        return values
    return row
