"""What the groups of controls are made of: rows, segmented buttons, sliders that show what is the case."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import anywidget
import ipywidgets as ipw
import traitlets

from dcrc_explore.browser import script
from dcrc_explore.session import Session


class Act(Protocol):
    """Does something with the session, says meanwhile what, and tells the text that it returns or what went wrong."""

    def __call__(self, action: Callable[[Session], object], doing: str = ...) -> None: ...  # noqa: D102


_EXPORTS = {"code": "Code", "link": "Link", "page": "Page", "replay": "EM page"}
READOUT = ".3"  # as many digits as a value has, up to three
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Words(anywidget.AnyWidget):
    """A paragraph of text: names of files and the like stand in it as they are, never as markup or formulas."""

    _esm = script("words.js")
    value = traitlets.Unicode("").tag(sync=True)

    def __init__(self) -> None:
        super().__init__(_dom_classes=("dcrc-about",))

    def __repr__(self) -> str:
        return f"Words({self.value!r})"


class Group(ipw.Box):
    """Controls that belong together: they change a session when a person moves them, and follow it otherwise."""

    name = ""

    def __init__(self, act: Act) -> None:
        self._act = act
        self._following = False
        super().__init__(_dom_classes=("dcrc-group", f"dcrc-group-{self.name}"))

    def follow(self, session: Session) -> None:
        """Show the state of the session without changing it."""
        raise NotImplementedError

    def _watch(self, control: ipw.Widget, action: Callable[[Any], object]) -> None:
        """Call `action` with the new value when a person changed it."""

        def changed(change: dict[str, Any]) -> None:
            value = change["new"]
            # A slider in the browser turns 0.05 into 0.05000000000000001; that is no change of the setting.
            value = float(f"{value:.9g}") if isinstance(value, float) else value
            if not self._following:
                action(value)

        control.observe(changed, "value")

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        self._following = True
        try:
            yield
        finally:
            self._following = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


def line(label: str, *controls: ipw.Widget, tooltip: str = "") -> ipw.Box:
    """Put a name and its controls into one row; the tooltip is for all of them."""
    if tooltip:
        for control in controls:
            control.tooltip = tooltip
    return ipw.Box([ipw.Label(label, tooltip=tooltip), *controls], _dom_classes=("dcrc-line",))


def choice(options: Sequence[tuple[str, Any, str]]) -> ipw.ToggleButtons:
    """Segmented buttons of (label, value, tooltip)."""
    labels, values, tooltips = zip(*options, strict=True)
    control = ipw.ToggleButtons(options=list(zip(labels, values, strict=True)), tooltips=tooltips, tooltip="")
    control.add_class("dcrc-segments")
    return control


def powers_of_two(low: int, high: int, *first: tuple[str, Any]) -> ipw.SelectionSlider:
    """Make a slider on a logarithmic scale, labelled 2⁻⁶ and so on; `first` come before the numbers."""
    numbers = [("2" + str(exponent).translate(_SUPERSCRIPT), 2.0**exponent) for exponent in range(low, high + 1)]
    return ipw.SelectionSlider(options=[*first, *numbers])


def show_place(slider: ipw.SelectionSlider, value: Any) -> None:
    """Move a slider to a value; a number that is not among its places gets one between them."""
    if value not in [place for _, place in slider.options]:
        places = [*slider.options, (f"{value:.3g}", value)]
        slider.options = sorted(places, key=lambda place: -1 if isinstance(place[1], str) else place[1])
    slider.value = value


def show_number(slider: ipw.FloatSlider | ipw.IntSlider, value: float) -> None:
    """Move a slider to a value, which may lie outside what a person is offered."""
    slider.min, slider.max = min(slider.min, value), max(slider.max, value)
    slider.value = value


def export_buttons(export: Callable[[str], object], **tooltips: str) -> dict[str, ipw.Button]:
    """Make a button for each kind of export."""
    buttons = {
        kind: ipw.Button(description=_EXPORTS.get(kind, kind.upper()), tooltip=tooltip, _dom_classes=("dcrc-export",))
        for kind, tooltip in tooltips.items()
    }
    for kind, button in buttons.items():
        button.on_click(lambda _, kind=kind: export(kind))
    return buttons


def field(name: str, placeholder: str) -> ipw.Text:
    """Make a field whose text the browser sends when a person leaves it, and with Enter as the message "enter"."""
    return ipw.Text(placeholder=placeholder, continuous_update=False, _dom_classes=("dcrc-field", f"dcrc-field-{name}"))
