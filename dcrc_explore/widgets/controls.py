"""What the groups of controls are made of: rows, segmented buttons, sliders that show powers of two."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import ipywidgets as ipw

from dcrc_explore.session import Session

Act = Callable[[Callable[[Session], object]], None]  # does something with the session and tells what goes wrong

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


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
    control = ipw.ToggleButtons(options=list(zip(labels, values, strict=True)), tooltips=tooltips)
    control.add_class("dcrc-segments")
    return control


def powers_of_two(low: int, high: int, *first: tuple[str, Any]) -> ipw.SelectionSlider:
    """Make a slider on a logarithmic scale, labelled 2⁻⁶ and so on; `first` come before the numbers."""
    numbers = [("2" + str(exponent).translate(_SUPERSCRIPT), 2.0**exponent) for exponent in range(low, high + 1)]
    return ipw.SelectionSlider(options=[*first, *numbers])


def move_to_nearest(slider: ipw.SelectionSlider, value: float | str) -> None:
    """Move a slider to the option nearest to a value, which may lie between two of them."""
    numbers = [option for _, option in slider.options if not isinstance(option, str)]
    slider.value = value if isinstance(value, str) else min(numbers, key=lambda number: abs(number - value))
