"""The menu of features of the items. They are made in the background; answers stay."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dcrc_explore.datasets import Dataset, as_dataset
from dcrc_explore.embeddings import list_features
from dcrc_explore.session import Session
from dcrc_explore.widgets.controls import Control, menu
from dcrc_explore.widgets.reading import Work

_HELP = "What the model sees of each item; answers stay, and Undo (Z) brings the old features back"


class FeatureMenu:
    """A menu of features for data with images, texts or sounds; nothing for others.

    Parameters
    ----------
    act : callable
        Does something with the session, and shows the controls as they are then.
    """

    def __init__(self, act: Callable[[Callable[[Session], object]], object]) -> None:
        self._making: Work[Dataset] = Work(act)
        self._wanted = ""

    def controls(self, session: Session) -> Iterator[Control]:
        """List the menu, and while features are made how far that is and a way to stop it."""
        dataset = session.dataset
        specs = list_features(dataset.cards.kind)
        if not specs:
            return
        now = self._wanted if self._making.is_running else dataset.features
        options = [(name, spec.title + (" (not installed)" if spec.missing() else "")) for name, spec in specs.items()]
        if now not in specs:
            options.insert(0, (now, now or "as they came with the data"))
        yield menu("features", "Features", options, now, self._choose, off=self._making.is_running, help=_HELP)
        if self._making.is_running:
            about = "Keep the features that the model has now"
            yield Control("features.stop", "button", words="Stop", help=about, do=self._stop)
        yield Control("features.told", "words", value=self._making.words)

    def _choose(self, session: Session, name: str) -> None:
        before = session.dataset
        self._making.words = ""
        if name == before.features:
            return
        if problem := list_features()[name].missing():
            raise ValueError(f"{problem[0].upper()}{problem[1:]}. The features are as they were.")
        self._wanted = name

        def take(session: Session, made: Dataset) -> None:
            if session.dataset is before:  # else somebody chose other data meanwhile
                session.set_features(made)

        self._making.start(
            session, lambda watch: as_dataset(before, features=name, watch=watch), take, doing="Looking at"
        )

    def _stop(self, _: Session, __: object) -> None:
        self._making.stop("Stopped. The features are as they were.")
