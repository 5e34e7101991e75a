"""Sort the files: folders of copies, or of links, for each cluster, made beside the tool."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dcrc_explore.datasets import Files, Sorted
from dcrc_explore.session import Session
from dcrc_explore.storage import numbered
from dcrc_explore.widgets.controls import Control, menu
from dcrc_explore.widgets.reading import Work
from dcrc_explore.words import count, listed

_HELP = "A folder for each cluster, with its files, beside the saved answers; your own files stay as they are"
_WAYS = ((False, "as copies"), (True, "as links"))


class Sorting:
    """A button that sorts files into folders, for data of files; nothing for others.

    Parameters
    ----------
    act : callable
        Does something with the session, and shows the controls as they are then.
    """

    def __init__(self, act: Callable[[Callable[[Session], object]], object]) -> None:
        self._link = False
        self._working: Work[Sorted] = Work(act)

    def controls(self, session: Session) -> Iterator[Control]:
        """List the button, how it is done, and how far it is."""
        if not isinstance(session.dataset.items, Files):
            return
        words = "Stop" if self._working.is_running else "Sort the files into folders"
        yield Control("sort", "button", words=words, help=_HELP, do=self._press)
        about = "Copies need room on the disk; links lead to the files where they are"
        yield menu("sort.how", "", _WAYS, self._link, self._choose, off=self._working.is_running, help=about)
        yield Control("sort.told", "words", value=self._working.words)

    def _choose(self, _: Session, link: bool) -> None:
        self._link = link

    def _press(self, session: Session, _: object) -> None:
        if self._working.is_running:
            self._working.stop(f"Stopped. {self._working.words}")
            return
        place = next(path for path in numbered(session.export.path("sorted")) if not path.exists())
        link = self._link
        self._working.start(
            session,
            lambda watch: session.export.sort_files(place, link=link, watch=watch),
            lambda _, done: in_words(done),
            doing=f"Sorting into {place.name}:",
        )


def in_words(done: Sorted) -> str:
    """Say what was sorted, and what could not be.

    Examples
    --------
    >>> from pathlib import Path
    >>> in_words(Sorted(Path("photos-sorted"), 3, ("a.jpg",)))
    '3 files are in photos-sorted. 1 could not be read: a.jpg.'
    """
    told = f"{count(done.n_files, 'file')} {'is' if done.n_files == 1 else 'are'} in {done.folder}."
    left = list(done.left_out)
    return f"{told} {len(left)} could not be read: {listed(left)}." if left else told
