"""Buttons in the tab Clusters that ask a registered language model for names of the clusters."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dcrc_explore.annotators.language_model import LanguageModel
from dcrc_explore.session import Fit, Session
from dcrc_explore.session.answering import names_by
from dcrc_explore.widgets.asking import FunctionAnswers
from dcrc_explore.widgets.controls import Control, Do
from dcrc_explore.widgets.reading import Work
from dcrc_explore.words import count


class Naming:
    """A button for each language model that a notebook registered; none is asked before a person presses it.

    Parameters
    ----------
    act : callable
        Does something with the session, and shows the controls as they are then.
    answering : FunctionAnswers
        Who is registered.
    show : callable(Fit, dict)
        Shows the names of the clusters of a fit as suggestions.
    """

    def __init__(
        self,
        act: Callable[[Callable[[Session], object]], object],
        answering: FunctionAnswers,
        show: Callable[[Fit, dict[int, str]], object],
    ) -> None:
        self._answering, self._show = answering, show
        self._working: Work[dict[int, str]] = Work(act)

    def controls(self) -> Iterator[Control]:
        """List the buttons, or one to stop, and what became of the last question."""
        known = self._answering.registered.items()
        functions = ((name, getattr(function, "function", function)) for name, (function, _) in known)
        models = [(name, model) for name, model in functions if isinstance(model, LanguageModel)]
        if self._working.is_running:
            yield Control("names.stop", "button", words="Stop", help="Wait no longer for the names", do=self._stop)
        else:
            for name, model in models:
                about = f"{name} suggests a name for each cluster. Six items of each are sent to {model.url}"
                yield Control(f"names.{name}", "button", words=f"Names by {name}", help=about, do=self._asking(model))
        if models:
            told = "Waiting for the names." if self._working.is_running else self._working.words
            yield Control("names.told", "words", value=told)

    def _stop(self, *_: object) -> None:
        self._working.stop("Stopped.")

    def _asking(self, model: LanguageModel) -> Do:
        def ask(session: Session, _: object) -> None:
            dataset, fit = session.dataset, session.fit

            def done(_: Session, names: dict[int, str]) -> str:
                self._show(fit, names)
                return f"{count(len(names), 'name')} suggested." if names else "The reply held no names."

            self._working.start(session, lambda watch: names_by(model, dataset, fit), done, doing="")

        return ask
