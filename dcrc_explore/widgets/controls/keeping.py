"""The controls of the session: files and exports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike

import ipywidgets as ipw

from dcrc_explore.session import SavedSession, Session, SessionError
from dcrc_explore.widgets.controls.parts import Act, Group, Words, export_buttons, field, line
from dcrc_explore.widgets.shelf import in_words
from dcrc_explore.words import count


class SessionControls(Group):
    """Saving, restoring, export."""

    name = "session"

    def __init__(
        self,
        act: Act,
        load: Callable[[str | PathLike[str]], object],
        export: Callable[[str], object],
        *,
        links: bool = False,
    ) -> None:
        super().__init__(act)
        self.kept = ipw.Dropdown(options=[("nothing yet", None)])
        self.go_on_button = ipw.Button(description="Go on")
        self.path = field("session", "answers.json")
        self.save_button = ipw.Button(description="Save", tooltip="Write data, settings and answers into this file")
        self.load_button = ipw.Button(description="Load", tooltip="Go on with the session in this file")
        self.answers = field("answers", "answers.csv")
        self.add_button = ipw.Button(description="Add")
        self.added = Words()
        self.exports = export_buttons(
            export,
            png="The picture and the panels as PNG files",
            svg="The picture and the panels as SVG files",
            csv="The answers as a table",
            page="The answers as a film: one file that anybody opens in a browser, without Python or a network",
            replay="The EM iterations of this fit as a film, in one file too",
            code="A short Python program that makes this model again",
            **({"link": "The address of this page with these data and settings"} if links else {}),
        )
        self.refit_button = ipw.Button(
            description="Fit again from the start",
            tooltip="Start from K-means instead of the model on the screen; data, settings and answers stay",
        )
        self.about = Words()
        self.children = (
            line(
                *("Kept here", self.kept, self.go_on_button),
                tooltip="Sessions with answers in this folder, the latest first",
            ),
            line("File", self.path, self.save_button, self.load_button),
            line(
                *("Add answers", self.answers, self.add_button),
                tooltip="Add the answers in a CSV file, as Export writes it: columns i, j, k, answer and, if told, by",
            ),
            self.added,
            line("Export", *self.exports.values()),
            line("Model", self.refit_button),
            self.about,
        )
        self.path.tooltip = "Name of a session file, seen from the notebook's folder"
        self.save_button.on_click(lambda _: act(lambda session: f"Written to {session.save(self.path.value.strip())}"))
        self.load_button.on_click(lambda _: act(lambda session: load(self.path.value.strip()), "Reading…"))
        self.go_on_button.on_click(lambda _: act(lambda session: self.kept.value and load(self.kept.value), "Reading…"))
        self.add_button.on_click(lambda _: act(self._add, "Reading…"))
        self.answers.observe(lambda _: self._say(""), "value")
        self._say("")
        self.refit_button.on_click(lambda _: act(_refit))

    def _say(self, text: str) -> None:
        """Say under the field what became of a file of answers."""
        self.added.value = text
        self.added.layout.display = None if text else "none"

    def _add(self, session: Session) -> None:
        name = self.answers.value.strip()
        try:
            if not name:
                raise SessionError("Give the name of a file, such as answers.csv")
            self._say(f"{count(session.add_csv(name), 'answer')} added. Undo (Z) takes them back.")
        except (SessionError, OSError) as error:
            self._say(f"{error}. Nothing was added.")

    def enter(self, name: str) -> None:
        """Add the answers of a file."""
        self.answers.value = name
        self._act(self._add, "Reading…")

    def show_kept(self, kept: Sequence[SavedSession]) -> None:
        """List the sessions that one can go on with."""
        self.kept.options = [(in_words(each), each.path) for each in kept] or [("no other session", None)]
        self.kept.disabled = self.go_on_button.disabled = not kept

    def follow(self, session: Session) -> None:
        """Show where the session is kept."""
        if session.save_error:
            self.about.value = session.save_error
        elif not session.is_saved:
            self.about.value = "Answers are in memory only (autosave=None); Save writes them into a file."
        elif session.path is None:
            self.about.value = "Nothing is kept on disk yet; each answer will be, as soon as it is given."
        else:
            self.about.value = f"Every answer is on disk as soon as it is given: {session.path}"


def _refit(session: Session) -> str:
    session.refit()
    return "Fitted again from the start. Answers and settings are as they were."
