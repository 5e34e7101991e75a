"""Compare: two models of the same data and answers, and where they disagree."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from dcrc_explore.arrays import PackedArray, packed
from dcrc_explore.browser import script
from dcrc_explore.constraints import Log
from dcrc_explore.plane import View
from dcrc_explore.session import Change, Pair, Session, run_methods
from dcrc_explore.settings import find
from dcrc_explore.widgets.controls import Control, Do, model_controls
from dcrc_explore.widgets.exports import OF_TWO, Written, export_buttons, saving
from dcrc_explore.widgets.inspection import pack_both
from dcrc_explore.widgets.methods import pack_methods
from dcrc_explore.widgets.opening import new_session, refuse
from dcrc_explore.widgets.picture import in_words
from dcrc_explore.widgets.protocol.sent import Apart, CompareScene, Options
from dcrc_explore.widgets.scene import RESOLUTION, Window, pack_points, pack_sharp, pack_status
from dcrc_explore.widgets.telling import tell_better, tell_trouble
from dcrc_explore.widgets.tool import Tool
from dcrc_explore.words import count

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure

# Bits: smaller differences of entropy are not drawn as large ones. A map's values are rounded to about 0.01.
_SLIGHT = 0.25


class Compare(Tool):
    """Two settings side by side on the same data and the same answers; picks and answers are shared.

    Parameters
    ----------
    data : Session, Explorer, str, Dataset, array-like, DataFrame or path, optional
        An exploration to compare in, or data for a new one as in :class:`~dcrc_explore.widgets.Explorer`.
    y : array-like of shape (N,), optional
        True classes, when `data` is an array.
    items : array-like, column name or Items, optional
        What a person sees for each row of `data`.
    first : mapping, optional
        Settings of the first model; see :class:`~dcrc_explore.session.Settings`.
    second : mapping, optional
        Settings of the second model that differ from the first's. By default hard answers, or epsilon = 0.05 when the
        first model's are hard.
    view : {"whole", "lecture"}, default="whole"
        For a projector, "lecture" shows the pictures and the question in large type.
    autosave : path or None, default="."
        Folder (or file) in which every answer is saved as soon as it is given; None saves nothing.

    Attributes
    ----------
    pair : Pair
        The two models; ``pair.first`` is also called `session`.

    Examples
    --------
    >>> compare = Compare("close", second={"balance": False}, autosave=None)
    >>> _ = compare.session.answer_by_oracle(20)
    >>> compare
    Compare(close, 20 answers; Balance: on against off)
    """

    _esm = script("compare.js")

    methods = traitlets.Dict().tag(sync=True)  # what other methods make of the answers

    def __init__(
        self,
        data: Any = None,
        y: ArrayLike | None = None,
        *,
        items: Any = None,
        first: Mapping[str, Any] | None = None,
        second: Mapping[str, Any] | None = None,
        view: str = "whole",
        autosave: str | PathLike[str] | None = ".",
    ) -> None:
        self._beside = data if isinstance(data, Tool) else None
        session = data if self._beside is None else self._beside.session
        if not isinstance(session, Session):
            session = new_session(data, y, items, autosave, first or {})
        else:
            refuse({"y": y, "items": items})
            session.set(**first or {})
        self.session = session
        self.pair = Pair(session, second)
        hide = [] if self._beside is None else self._beside.hidden
        self._prepare(hide, view)
        if self._beside is not None:
            self.answering.registered = self._beside.answering.registered
        if self._beside is not None and self._beside.scenes is not None:
            self.scenes = self._beside.scenes
            self.scenes.show_in(self)
        self._leave: Callable[[], object] | None = None
        self._soft = {
            "first": find("epsilon").default,
            "second": find("epsilon").default,
        }  # the epsilon of each model when it is not hard
        self._resting = False
        self._seen: tuple[View, View] | None = None  # the plane on the screen, None for that of the data
        self._begin()
        if self._beside is not None:
            self._beside.follow_with(self.attach)
        super().__init__()

    def __repr__(self) -> str:
        words = "; ".join(map(str, self.pair.differences)) or "same settings"
        return f"Compare({self.session.dataset.name}, {count(self.session.state.n_answers, 'answer')}; {words})"

    def _begin(self) -> None:
        self.pair.observe(self._on_event)
        self._methods = run_methods(self.session, self._send_methods)
        self._fits.watch(self.session, self.pair.second)
        with self._one_message():
            self._changed |= ~Change(0)

    def attach(self, session: Session, second: Mapping[str, Any] | None = None, answers: Log | None = None) -> None:
        """Compare in another session; unless it is given how, the second model differs as it did before.

        With `answers` the second model has answers of its own.
        """
        if self._resting:
            return
        changes = self.pair.changes if second is None else second
        apart = answers is not None or session.settings.changed(changes) != session.settings
        self.pair.close()
        self.session, self.pair = session, Pair(session, changes if apart else None, answers)
        self._begin()

    def rest(self) -> None:
        """Follow nobody, while nobody looks."""
        self._resting = True
        self.tell("")  # it was about what the person leaves
        self.pair.close()

    def wake(self, second: Mapping[str, Any] | None = None, answers: Log | None = None) -> None:
        """Follow the other tool again, perhaps with another second model, which may have answers of its own."""
        self._resting = False
        if self._beside is not None:
            self.attach(self._beside.session, second, answers)

    def show(self, **view: Any) -> None:
        """Choose what is drawn: `map`, `links`, `truth`; while nobody looks, for when somebody does."""
        if self._resting:  # the second model may be one of other data by now
            self._view = cast(Options, {**self._view, **view})
        else:
            super().show(**view)

    def figure(self, **options: Any) -> Figure:
        """Return the three pictures as a matplotlib figure: see :meth:`~dcrc_explore.session.Pair.figure`."""
        return self.pair.figure(**options)

    def _export(self, session: Session, kind: str) -> str:
        if kind == "page":
            return f"Written to {self.pair.to_html(plane=self._seen, progress=Written(self))}"
        figure = self.figure(surface=None if self._view["map"] == "none" else self._view["map"], plane=self._seen)
        written = session.export.write(f"compare.{kind}", saving(figure, kind))
        return f"Written to {written}"

    def _picture(self) -> tuple[Figure, float, str]:
        words = [in_words(each) for each in (self.session, self.pair.second)]
        return self.figure(plane=self._seen), 70, f"Two models side by side. First: {words[0]}. Second: {words[1]}."

    def add_way_back(self, leave: Callable[[], object]) -> None:
        """Add a button that leads back to the tool in whose place this one stands."""
        self._leave = leave
        self._show_controls()

    def _groups(self) -> dict[str, Iterable[Control]]:
        top = self._top(teach=False)
        if self._leave is not None:
            about, leave = "Back to one model; every answer given here is there", self._leave
            back = Control("back", "button", "", "← One model", about, do=lambda *_: leave())
            top["top"] = [back, *top["top"]]
        top["view"] = [*top["view"], *export_buttons(self._export, OF_TWO)]
        for name, each in (("first", self.pair.first), ("second", self.pair.second)):
            self._soft[name] = each.settings.epsilon or self._soft[name]
        second = model_controls(self.pair.second, self._soft["second"], "second.")
        return {
            **top,
            "first": model_controls(self.session, self._soft["first"]),
            "second": [replace(each, do=self._on_second(each.do)) for each in second],
            "ask": self._asking.controls(self.session),
        }

    def _on_second(self, do: Do) -> Do:
        return lambda _, value: do(self.pair.second, value)

    def _perform(self, session: Session, message: dict[str, Any]) -> str | None:
        match message["do"]:
            case "undo" if self.pair.undo_label is None and self._beside is not None and self._beside.back_label:
                return self._beside.go_back()
            case "undo":
                self.pair.undo()
            case "redo":
                self.pair.redo()
            case "why":
                self.why = {**pack_both(self.pair, message["point"]), "key": message["key"]}
            case "methods":
                self._methods.start()
            case "cancel":
                self._methods.cancel()
            case _:
                return super()._perform(session, message)
        return None

    def _go_on(self) -> None:
        super()._go_on()
        self.pair.second.search.look()

    def _refresh(self) -> None:
        session, pair = self.session, self.pair
        changed, self._changed = self._changed, Change(0)
        with self.hold_sync():
            if Change.DATA in changed:
                self.points = {**pack_points(session)}
                self._card.begin()
                self._window, self._seen, self._view["plane"] = None, None, "pca"
            tell_better(self.tell, changed, session)
            tell_better(self.tell, changed & ~Change.ADVICE, pair.second, " for the second model")
            tell_trouble(self.tell, changed, session)
            if Change.BUSY in changed and pair.second.model.error:
                self.tell(pair.second.model.error, "error")
            self.busy = pair.busy
            self._send_scene()

    def _send_scene(self) -> None:
        session, pair = self.session, self.pair
        began = time.perf_counter()
        plane, last = self._view["plane"], self._seen
        self._seen = None if plane == "pca" else pair.planes(plane, last[0] if last else pair.first.fit.view())
        models = [
            self._pack_picture(each, each.fit, seen) for each, seen in zip(pair.models, self._planes, strict=True)
        ]
        disputes = [
            (dispute.index, int(dispute.given), int(dispute.implied[0]), int(dispute.implied[1]))
            for dispute in pair.comparison.disputes
        ]
        # The second's clusters have the numbers of the first's, so what a person calls these, those are called too.
        names = [*models[0]["names"], *models[1]["names"]]
        models[1]["names"] = names[: models[1]["clusters"]]
        apart = pack_disagreement(pair, self._planes)
        self._version += 1
        self.options = dict(self._view)
        self._send_answers()
        if self.methods.get("current") != self._methods.current:
            self._send_methods()
        spent = {name: session.model.timings[name] + pair.second.model.timings[name] for name in ("fit", "surface")}
        spent |= {"save": 1000 * session.file.seconds, "scene": 1000 * (time.perf_counter() - began)}
        scene: CompareScene = {
            **pack_status(session, self._version, spent, self._view["points"]),
            "undo": pair.undo_label or (self._beside and self._beside.back_label),
            "redo": pair.redo_label,
            "models": models,
            "apart": apart,
            "disputes": disputes,
            "own": _own_answers(pair.second.log) if pair.second.has_own_answers else None,
            "remark": self._remark(),
            "differences": [list(difference) for difference in pair.differences],
        }
        self.scene = {**scene}
        self._send_sharp()

    def _send_methods(self) -> None:
        self.methods = {**pack_methods(self._methods, truth="truth" not in self.hidden)}

    def _remark(self) -> str:
        """Say which model is right, unless the card of a scene says so, and why hard answers may be violated."""
        playing = self.scenes is not None and self.scenes.is_playing
        judged = "" if playing or self.pair.busy else str(self.pair.verdict(hidden="truth" in self.hidden))
        return " ".join(filter(None, [judged, self.pair.remark]))

    @property
    def _planes(self) -> tuple[View | None, View | None]:
        return self._seen or (None, None)

    def _send_sharp(self) -> None:
        pair = self.pair
        sharp = pack_sharp([pair.first.fit, pair.second.fit], self._view, self._window, self._planes)
        if sharp is not None:
            sharp["apart"] = pack_disagreement(pair, self._planes, self._window)["map"]
        self.sharp = {**(sharp or {})}


def _own_answers(log: Log) -> PackedArray:
    triplets = log.triplets
    return packed(np.column_stack([triplets.indices, triplets.answers]), "int32")


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
