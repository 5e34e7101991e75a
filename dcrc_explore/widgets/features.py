"""Which features the items get: a menu, made beside the tool, which stays alive meanwhile; answers stay."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dcrc_explore.datasets import Dataset, as_dataset
from dcrc_explore.embeddings import list_features
from dcrc_explore.session import Session
from dcrc_explore.widgets.controls import Control, menu
from dcrc_explore.widgets.reading import Reading

_HELP = "What the model sees of each item; answers stay, and Undo (Z) brings the old features back"


class FeatureMenu:
    """A menu of features for data with images, texts or sounds; nothing for others.

    Parameters
    ----------
    act : callable
        Does something with the session, and shows the controls as they are then.
    """

    def __init__(self, act: Callable[[Callable[[Session], object]], object]) -> None:
        self._act = act
        self._making: Reading[Dataset] | None = None
        self._wanted = ""
        self._told = ""

    def controls(self, session: Session) -> Iterator[Control]:
        """List the menu, and while features are made how far that is and a way to stop it."""
        dataset = session.dataset
        specs = list_features(dataset.cards.kind)
        if not specs:
            return
        now = self._wanted if self._making else dataset.features
        options = [(name, spec.title + (" (not installed)" if spec.missing() else "")) for name, spec in specs.items()]
        if now not in specs:
            options.insert(0, (now, now or "as they came with the data"))
        yield menu("features", "Features", options, now, self._choose, off=self._making is not None, help=_HELP)
        if self._making:
            about = "Keep the features that the model has now"
            yield Control("features.stop", "button", words="Stop", help=about, do=self._stop)
        yield Control("features.told", "words", value=self._told)

    def _choose(self, session: Session, name: str) -> None:
        before = session.dataset
        self._told = ""
        if name == before.features:
            return
        if problem := list_features()[name].missing():
            raise ValueError(f"{problem[0].upper()}{problem[1:]}. The features are as they were.")
        self._wanted = name

        def tell(words: str) -> None:
            self._act(lambda _: self._end(f"Looking at {words}", self._making))

        def take(made: Dataset) -> None:
            self._act(lambda session: self._take(session, before, made))

        def fail(error: Exception) -> None:
            self._act(lambda _: self._fail(error))

        make = Reading(
            lambda watch: as_dataset(before, features=name, watch=watch), tell, take, fail, session.background
        )
        self._making = make
        make.start()

    def _end(self, words: str, making: Reading[Dataset] | None = None) -> None:
        self._told, self._making = words, making

    def _take(self, session: Session, before: Dataset, made: Dataset) -> None:
        self._end("")
        if session.dataset is before:  # else somebody chose other data meanwhile
            session.set_features(made)

    def _fail(self, error: Exception) -> None:
        self._end("")
        raise error

    def _stop(self, _: Session, __: object) -> None:
        if self._making is not None:
            self._making.stop()
            self._end("Stopped. The features are as they were.")
