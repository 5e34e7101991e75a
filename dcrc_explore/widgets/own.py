"""A user's own data: a file or a folder is read, the user says what its columns are, and the data are explored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from dcrc_explore.datasets import Column, Dataset, Draft, IncompleteRows, Unusable, Watch
from dcrc_explore.session import Session
from dcrc_explore.widgets.controls import Control, putting, text_field
from dcrc_explore.widgets.reading import Work

_ABOUT = "What is each column? The model uses the features, people see what is shown; the class is the truth, if known."
_REASON = "Standardise the features: otherwise one with larger numbers counts more than the others"
_HELP = "Read points from a .csv, .npz or .npy file, texts from the lines of a .txt file, or the files of a folder"


class OwnData:
    """A field for the name of a file and, once it is read, what can be chosen about it.

    Parameters
    ----------
    act : callable
        Does something with the session, and shows the controls as they are then.
    browse : callable
        Shows what can be opened.
    """

    def __init__(
        self, act: Callable[[Callable[[Session], object]], object], browse: Callable[[], object] = lambda: None
    ) -> None:
        self._browse = browse
        self._fields: dict[str, str] = {}
        self._reading: Work[Read | Dataset] = Work(act)
        self._draft: Draft | None = None
        self._prospect = Prospect("")
        self._parts: list[str] = []
        self._standardise = True

    @property
    def is_open(self) -> bool:
        """Whether something is to be chosen."""
        return self._draft is not None

    def controls(self) -> Iterator[Control]:
        """List the controls."""
        words = "Stop" if self._reading.is_running else "Open"
        yield text_field(self._fields, "file", "Own data", "data.csv, .npz or a folder", help=_HELP, enter="open")
        yield Control("open", "button", words=words, help=_HELP, do=self._press, doing="Reading…")
        about = "Choose from the folders and files below the folder in which this tool runs"
        yield Control("browse", "button", words="Browse", help=about, do=lambda *_: self._browse())
        yield Control("reading", "words", value=self._reading.words)
        if self._draft is None:
            return
        n_dropped = self._prospect.n_dropped
        use = f"Drop {_count(n_dropped, 'row')} with empty cells and open" if n_dropped else "Open these data"
        yield Control("found", "words", value=self._prospect.words)
        about = "Explore these data; Undo brings back the current ones with their answers"
        usable = self._prospect.usable
        yield Control("use", "button", "", use, about, do=self._use, off=not usable, doing="Opening…")
        yield Control("cancel", "button", words="Cancel", help="Keep the current data", do=self._close)
        yield Control("standardise", "switch", "", _REASON, _REASON, self._standardise, putting(self, "_standardise"))
        if columns := self._draft.columns:
            yield Control("parts", "words", value=_ABOUT)
            lines = [(each.name, each.name, _holds(each)) for each in columns]
            yield Control("columns", "columns", value=self._parts, do=self._choose, options=lines)

    # Reading ----------------------------------------------------------------------------------------------------------

    def _press(self, session: Session, _: object) -> None:
        self._close(session)
        if self._reading.is_running:
            self._reading.stop("Stopped. The data are as they were.")
            return
        name = self._fields.get("file", "")
        if not name:
            raise ValueError("give the name of a file, such as points.csv")

        def read(watch: Watch) -> Read | Dataset:
            draft = Draft.read(name, watch)
            if Path(name).suffix in (".csv", ".npz", ".npy"):
                parts = draft.guess()
                return draft, parts, Prospect.of(draft, parts)
            # A folder has no columns to choose from, and its pixels are on one scale.
            return draft.dataset((), watch=watch)

        self._reading.start(session, read, self._take, doing=f"Reading {Path(name).name}:", failure=_for_a_person)

    def _take(self, session: Session, read: Read | Dataset) -> None:
        if isinstance(read, Dataset):
            session.set_data(read)
        else:
            self._draft, self._parts, self._prospect = read
            self._standardise = True

    # Choosing ---------------------------------------------------------------------------------------------------------

    def _choose(self, _: Session, parts: Sequence[str]) -> None:
        """Look what the data would be if the columns played these parts."""
        if self._draft is not None:
            self._parts, self._prospect = list(parts), Prospect.of(self._draft, parts)

    def _use(self, session: Session, _: object) -> None:
        if self._draft is not None:
            data = self._prospect.data or self._draft.dataset(self._parts, drop_incomplete=True)
            session.set_data(data.standardized() if self._standardise and not data.features else data)
            self._close(session)

    def _close(self, _: Session, __: object = None) -> None:
        self._draft, self._prospect = None, Prospect("")


class Prospect(NamedTuple):
    """What would become of a file: in words, how many rows would be dropped, whether it can be used, and the data."""

    words: str
    n_dropped: int = 0
    usable: bool = True
    data: Dataset | None = None

    @classmethod
    def of(cls, draft: Draft, parts: Sequence[str]) -> Prospect:
        """Look at a file whose columns play these parts."""
        try:
            data = draft.dataset(parts)
        except IncompleteRows as error:
            words = f"{error.found}. Fill them in the file, drop these rows, or leave a column out."
            if error.n_unnamed:
                words += f" Without its class column the file keeps {_count(error.n_unnamed, 'row')} more."
            return cls(_sentence(words), error.n_rows)
        except Unusable as error:
            words = f"{error.found}. Please correct it in the file, or leave this column out."
            return cls(_sentence(words), usable=False)
        except (ValueError, OSError) as error:
            return cls(_sentence(f"{error}."), usable=False)
        words = f"{_count(len(data.X), 'point')} with {_count(data.X.shape[1], 'feature')}"
        words += f" and {_count(data.n_classes, 'class', 'es')}." if data.n_classes else "."
        return cls(f"{words} {_sentence(data.description)}." if data.description else words, data=data)


Read = tuple[Draft, list[str], Prospect]  # a file, the likely parts of its columns, and what it would be


def _for_a_person(error: Exception) -> Exception:
    # What a program would do about it is no help to a person.
    return ValueError(f"{error.found}: please correct it in the file") if isinstance(error, Unusable) else error


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _holds(column: Column) -> str:
    """Say what a column holds."""
    kinds = {"numbers": "numbers", "texts": "texts", "images": "names of images", "sounds": "names of sounds"}
    empty = f", {column.n_empty} empty" if column.n_empty else ""
    return f"{kinds[column.kind]}{empty}: {', '.join(column.examples)}" if column.examples else "empty"


def _count(n: int, what: str, more: str = "s") -> str:
    return f"{n:,} {what}{'' if n == 1 else more}"
