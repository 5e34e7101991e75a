"""Data of one's own: a file or a folder is read, somebody says what its columns are, and the data are explored."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import anywidget
import ipywidgets as ipw
import traitlets

from dcrc_explore.browser import script
from dcrc_explore.datasets import Column, Dataset, Draft, IncompleteRows, Unusable, Watch
from dcrc_explore.session import Session
from dcrc_explore.widgets.controls.parts import Act, Words, field, line
from dcrc_explore.widgets.reading import Reading

_ABOUT = "What is each column? The model sees the features, people what is shown; the class is the truth, if known."
_REASON = "Standardise the features: else one with larger numbers counts more than the others"


class ColumnChoice(anywidget.AnyWidget):
    """A line for each column of a table, with the part that it plays."""

    _esm = script("columns.js")
    columns: traitlets.List[list[str]] = traitlets.List().tag(sync=True)  # name, and what it holds
    parts: traitlets.List[str] = traitlets.List().tag(sync=True)  # the browser changes them

    def __init__(self) -> None:
        super().__init__(_dom_classes=("dcrc-columns",))

    def __repr__(self) -> str:
        return f"ColumnChoice({self.parts})"


class OwnData(ipw.Box):
    """A field for the name of a file and, once it is read, what can be chosen about it.

    Parameters
    ----------
    act : callable
        Does something with the session.

    Attributes
    ----------
    is_open : bool
        Whether something is to be chosen.
    """

    is_open = traitlets.Bool(False)

    def __init__(self, act: Act) -> None:
        self._act = act
        self._draft: Draft | None = None
        self._reading: Reading[tuple[Draft, Prospect] | Dataset] | None = None
        self.file = field("file", "data.csv, .npz or a folder")
        self.file_button = ipw.Button(description="Open")
        self.progress, self.about, self.found = Words(), Words(), Words()
        self.about.value = _ABOUT
        self.found.add_class("dcrc-found")
        self.columns = ColumnChoice()
        self.standardise = ipw.Checkbox(True, description=_REASON, indent=False)
        self.use_button = ipw.Button(button_style="primary")
        self.cancel_button = ipw.Button(description="Cancel", tooltip="Keep the data that are on show")
        self._field = line(
            *("Own data", self.file, self.file_button),
            tooltip="Read points from a .csv or .npz file, one row per point, or images from a folder",
        )
        self._buttons = ipw.Box([self.use_button, self.cancel_button], _dom_classes=("dcrc-buttons",))
        super().__init__([self._field], _dom_classes=("dcrc-own",))
        self.file_button.on_click(lambda _: self._stop() if self._reading else self._read())
        self.columns.observe(lambda _: self._act(lambda session: self._look()), "parts")
        self.use_button.on_click(lambda _: self._act(self._use, "Opening…"))
        self.cancel_button.on_click(lambda _: self._close())

    def __repr__(self) -> str:
        return f"OwnData({self.file.value!r})"

    def enter(self, name: str) -> None:
        """Read a file or a folder, unless one is being read."""
        if not self._reading:
            self.file.value = name
            self._read()

    # Reading ----------------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        self._close()
        name = self.file.value.strip()
        self._act(lambda session: self._begin(session, name), f"Reading {Path(name).name}…")

    def _begin(self, session: Session, name: str) -> None:
        if not name:
            raise ValueError("give the name of a file, such as points.csv")

        def read(watch: Watch) -> tuple[Draft, Prospect] | Dataset:
            draft = Draft.read(name, watch)
            if Path(name).suffix in (".csv", ".npz"):
                return draft, Prospect.of(draft, draft.guess())
            # A folder has no columns to choose from, and its pixels are on one scale.
            return draft.dataset((), watch=watch)

        self._reading = Reading(read, self._tell, self._go_on, self._fail, session.background)
        self.file_button.description = "Stop"
        self._reading.start()

    def _stop(self) -> None:
        if self._reading is not None:
            self._reading.stop()
            self._end()
            self.progress.value = "Stopped. The data are as they were."
            self._show(self.progress)

    def _show(self, *widgets: ipw.Widget) -> None:
        self.children = (self._field, *widgets)

    def _end(self) -> None:
        self._reading = None
        self.file_button.description = "Open"
        self.progress.value = ""
        self._show()

    def _tell(self, words: str) -> None:
        self.progress.value = f"Reading {Path(self.file.value.strip()).name}: {words}"
        self._show(self.progress)

    def _fail(self, error: Exception) -> None:
        self._end()

        def complain(_: Session) -> None:
            if isinstance(error, Unusable):  # what a program would do about it is no help here
                raise ValueError(f"{error.found}: mend it in the file") from error
            raise error

        self._act(complain)

    def _go_on(self, read: tuple[Draft, Prospect] | Dataset) -> None:
        self._end()
        if isinstance(read, Dataset):
            self._act(lambda session: session.set_data(read))
        else:
            self._choose(*read)

    # Choosing ---------------------------------------------------------------------------------------------------------

    def _choose(self, draft: Draft, prospect: Prospect) -> None:
        """Show what can be chosen about a file."""
        self._draft = draft
        self.standardise.value = True
        self.columns.parts = draft.guess()
        self.columns.columns = [[each.name, _holds(each)] for each in draft.columns]
        self._tell_prospect(prospect)
        self._show(
            *(self.found, self._buttons, self.standardise), *((self.about, self.columns) if draft.columns else ())
        )
        self.is_open = True

    def _look(self) -> None:
        """Say what the data would be as the columns are chosen now."""
        if self._draft is not None and self.is_open:
            self._tell_prospect(Prospect.of(self._draft, self.columns.parts))

    def _tell_prospect(self, prospect: Prospect) -> None:
        n_dropped = prospect.n_dropped
        self.found.value = prospect.words
        self.use_button.disabled = not prospect.usable
        self.use_button.description = (
            f"Drop {_count(n_dropped, 'row')} with empty cells and open" if n_dropped else "Open these data"
        )

    def _use(self, session: Session) -> None:
        if self._draft is not None:
            session.set_data(
                self._draft.dataset(self.columns.parts, drop_incomplete=True, standardise=self.standardise.value)
            )
            self._close()

    def _close(self) -> None:
        self._draft = None
        self.is_open = False
        self._end()


class Prospect(NamedTuple):
    """What would become of a file, in words, how many of its rows would be dropped, and whether it can be used."""

    words: str
    n_dropped: int = 0
    usable: bool = True

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
            return cls(_sentence(f"{error.found}. Mend it in the file, or leave this column out."), usable=False)
        except (ValueError, OSError) as error:
            return cls(_sentence(f"{error}."), usable=False)
        words = f"{_count(len(data.X), 'point')} with {_count(data.X.shape[1], 'feature')}"
        return cls(words + (f" and {_count(data.n_classes, 'class', 'es')}." if data.n_classes else "."))


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _holds(column: Column) -> str:
    """Say what a column holds."""
    kinds = {"numbers": "numbers", "texts": "texts", "images": "names of images", "sounds": "names of sounds"}
    empty = f", {column.n_empty} empty" if column.n_empty else ""
    examples = f": {', '.join(column.examples)}" if column.examples else ""
    return f"{kinds[column.kind]}{empty}{examples}" if column.examples else "empty"


def _count(n: int, what: str, more: str = "s") -> str:
    return f"{n:,} {what}{'' if n == 1 else more}"
