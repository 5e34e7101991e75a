"""Long fits: their progress, and how to end them early."""

from __future__ import annotations

from collections.abc import Callable

from dcrc_explore.session import Exploration
from dcrc_explore.widgets.stage import BaseStage


class Fits:
    """The fits of the models on show.

    Parameters
    ----------
    stage : BaseStage
        Shows the progress of a fit.
    """

    def __init__(self, stage: BaseStage) -> None:
        self._stage = stage
        self._models: tuple[Exploration, ...] = ()
        self._ends: list[Callable[[], None]] = []

    def watch(self, *models: Exploration) -> None:
        """Follow the fits of these models, and of no others."""
        for end in self._ends:
            end()
        self._models, self._ends = models, [each.model.progress.watch(self._tell) for each in models]

    def stop(self) -> str | None:
        """End the fits that run in the background, and say so."""
        going_on = [each for each in self._models if each.model.busy]
        for each in going_on:
            each.model.progress.stop()
        return "The fit was ended before it had converged. The next answer continues from here." if going_on else None

    def _tell(self, iteration: int) -> None:
        # At once, from whatever thread, also while an action holds the picture back.
        self._stage.send({"fitting": f"Fitting… EM iteration {iteration}" if iteration else "Fitting…"})
