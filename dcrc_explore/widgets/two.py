"""Two models of the same data and answers side by side, and where they disagree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dcrc_explore.arrays import packed
from dcrc_explore.constraints import Log
from dcrc_explore.plane import View
from dcrc_explore.session import Pair, Session, run_methods
from dcrc_explore.settings import find
from dcrc_explore.widgets.controls import Control, model_controls
from dcrc_explore.widgets.exports import ExportProgress, saving
from dcrc_explore.widgets.hosts import picture_in_words
from dcrc_explore.widgets.protocol.sent import Apart, CompareScene, Sharp, Status
from dcrc_explore.widgets.scene import RESOLUTION, Look, Window, pack_sharp
from dcrc_explore.widgets.tabs import pack_both, pack_information, pack_methods

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure

# Bits: smaller differences of entropy are not drawn as large ones. A map's values are rounded to about 0.01.
_SLIGHT = 0.25


class TwoModels:
    """A session and a second model, as a tool shows them.

    Parameters
    ----------
    session : Session
    look : Look
        What the browser shows.
    put : callable(str, dict)
        Lets the browser see something under a name: "why", "information" or "methods".
    second : mapping, optional
        Settings of the second model that differ from the first's; see :class:`~dcrc_explore.session.Pair`.
    answers : Log, optional
        Answers of the second model's own.
    truth : bool, default=True
        Whether what is computed from the true classes may be seen.
    """

    def __init__(
        self,
        session: Session,
        look: Look,
        put: Callable[[str, dict[str, Any]], object],
        second: Mapping[str, Any] | None = None,
        answers: Log | None = None,
        *,
        truth: bool = True,
    ) -> None:
        self.pair = Pair(session, second, answers)
        self._look, self._put, self._truth = look, put, truth
        self._methods = run_methods(session, self._send_methods)
        self._sent_current: bool | None = None
        self._seen: tuple[View, View] | None = None  # the plane on the screen, None for that of the data
        # The epsilon of each model when it is not hard.
        self._soft = dict.fromkeys(("first", "second"), find("epsilon").default)
        self._send_methods()

    @property
    def differences(self) -> str:
        """Every difference of settings, in words."""
        return "; ".join(map(str, self.pair.differences)) or "same settings"

    # What a person sees and does --------------------------------------------------------------------------------------

    def perform(self, message: dict[str, Any]) -> bool:
        """Do what a message asks for; False when that is nothing special for two models."""
        match message["do"]:
            case "undo":
                self.pair.undo()
            case "redo":
                self.pair.redo()
            case "why":
                self._put("why", {**pack_both(self.pair, message["point"]), "key": message["key"]})
            case "panels":
                self._put("information", {"models": [pack_information(each, each.fit) for each in self.pair.models]})
            case "methods":
                self._methods.start()
            case "cancel":
                self._methods.cancel()
            case _:
                return False
        return True

    def model_controls(self, model: str) -> Iterator[Control]:
        """List the controls of the "first" or the "second" model."""
        first, second = self.pair.models
        shown = first if model == "first" else second
        self._soft[model] = shown.settings.epsilon or self._soft[model]
        if shown is first:
            yield from model_controls(first, self._soft[model])
            return
        for each in model_controls(second, self._soft[model], "second."):
            yield replace(each, do=partial(lambda do, _, value: do(second, value), each.do))

    def figure(self, **options: Any) -> Figure:
        """Return the three pictures as they are on the screen."""
        return self.pair.figure(**{"plane": self._seen} | options)

    def picture(self) -> tuple[Figure, float, str]:
        """Return the pictures, dots per inch, and what is to be seen, in words."""
        words = [picture_in_words(each) for each in self.pair.models]
        return self.figure(), 70, f"Two models side by side. First: {words[0]}. Second: {words[1]}."

    def export(self, kind: str, progress: ExportProgress) -> str:
        """Write the pictures ("png", "svg") or a "page", and say where."""
        if kind == "page":
            return f"Written to {self.pair.to_html(plane=self._seen, progress=progress)}"
        surface = self._look.options["map"]
        figure = self.figure(surface=None if surface == "none" else surface)
        return f"Written to {self.pair.first.export.write(f'compare.{kind}', saving(figure, kind))}"

    # What the browser draws -------------------------------------------------------------------------------------------

    def scene(self, status: Status, back: str | None, *, silent: bool) -> CompareScene:
        """Pack both pictures; `back` is what undo does before anything was done, and a `silent` one judges nothing."""
        pair, plane = self.pair, self._look.options["plane"]
        last = self._seen[0] if self._seen else pair.first.fit.view()
        self._seen = None if plane == "pca" else pair.planes(plane, last)
        both = zip(pair.models, self._planes, strict=True)
        models = [self._look.picture(each, each.fit, seen) for each, seen in both]
        disputes = [
            (dispute.index, int(dispute.given), int(dispute.implied[0]), int(dispute.implied[1]))
            for dispute in pair.comparison.disputes
        ]
        # The second's clusters have the numbers of the first's, so what a person calls these, those are called too.
        names = [*models[0]["names"], *models[1]["names"]]
        models[1]["names"] = names[: models[1]["clusters"]]
        if self._sent_current != self._methods.current:
            self._send_methods()
        own = pair.second.log.triplets
        judged = "" if silent or pair.busy else str(pair.verdict(hidden=not self._truth))
        return {
            **status,
            "undo": pair.undo_label or back,
            "redo": pair.redo_label,
            "models": models,
            "apart": pack_disagreement(pair, self._planes),
            "disputes": disputes,
            "own": packed(np.column_stack([own.indices, own.answers]), "int32")
            if pair.second.has_own_answers
            else None,
            "remark": " ".join(filter(None, [judged, pair.remark])),
            "differences": [list(difference) for difference in pair.differences],
        }

    def sharp(self) -> Sharp | None:
        """Pack maps of the window that is in sight."""
        pair, window = self.pair, self._look.window
        sharp = pack_sharp([each.fit for each in pair.models], self._look.options, window, self._planes)
        if sharp is not None:
            sharp["apart"] = pack_disagreement(pair, self._planes, window)["map"]
        return sharp

    def _send_methods(self) -> None:
        self._sent_current = self._methods.current
        self._put("methods", {**pack_methods(self._methods, truth=self._truth)})

    @property
    def _planes(self) -> tuple[View | None, View | None]:
        return self._seen or (None, None)


def pack_disagreement(pair: Pair, planes: Sequence[View | None] = (None, None), window: Window | None = None) -> Apart:
    """Pack where the models disagree, also in a window: 128 is no difference of entropy, 1 and 255 are `most` bits."""
    both, whole = pair.comparison, pair.disagreement(RESOLUTION, None, planes)
    most = max(float(np.abs((both if whole is None else whole).entropy_difference).max()), _SLIGHT)
    grid = whole if window is None else pair.disagreement(RESOLUTION, window, planes)
    difference = both.entropy_difference if grid is None else grid.entropy_difference
    sent: Apart = {
        "most": most,
        "changed": int(both.changed.sum()),
        "entropy": [float(each.fit.entropy.mean()) for each in (pair.first, pair.second)],
        "halo": None,
        "map": None,
    }
    values = packed(np.rint(128 + 127 * np.clip(difference / most, -1, 1)), "uint8")
    sent["halo" if grid is None else "map"] = values
    return sent
