"""The controls of the model."""

from __future__ import annotations

from functools import partial
from typing import Any

import ipywidgets as ipw

from dcrc_explore.session import Exploration
from dcrc_explore.session.story import weight_in_words
from dcrc_explore.widgets.controls.parts import (
    READOUT,
    Act,
    Group,
    Words,
    choice,
    line,
    powers_of_two,
    show_number,
    show_place,
)

_SOFT = 0.05  # the paper's epsilon for answers without known errors


class ModelControls(Group):
    """Everything that decides how the model learns from the answers."""

    name = "model"

    def __init__(self, act: Act) -> None:
        super().__init__(act)
        self._last_soft = _SOFT
        self.hardness = choice(
            [
                (
                    "Soft",
                    "soft",
                    "An answer may be wrong, with probability ε: where points lie counts too",
                ),
                (
                    "Hard",
                    "hard",
                    "ε = 0: the memberships Q obey every answer they can; the boundary may not follow them",
                ),
            ]
        )
        self.epsilon = ipw.FloatSlider(_SOFT, min=0.0, max=2 / 3, step=0.01, readout_format=READOUT)
        self.epsilon.add_class("dcrc-epsilon")
        self.tau = ipw.FloatSlider(1.0, min=0.0, max=3.0, step=0.1, readout_format=READOUT)
        self.lam = powers_of_two(-14, 4)
        self.balance = ipw.Checkbox(True, description="clusters of similar size", indent=False)
        self.use_dnk = ipw.Checkbox(True, description="don't-know answers count", indent=False)
        self.weighting = choice(
            [
                ("Steady", "steady", "Few answers weigh little, and many never weigh less than before"),
                ("As in the paper", "paper", "One answer weighs as much as all points; many can make clusters worse"),
            ]
        )
        self.kernel = choice(
            [
                ("Linear", "linear", "Straight boundaries: the simplest, and right for round groups"),
                ("RBF", "rbf", "Curved boundaries that can go around a group (Gaussian kernel): for moons and rings"),
                ("Poly", "poly", "Gently curved boundaries (polynomial kernel)"),
            ]
        )
        self.gamma = powers_of_two(-8, 6, ("auto", "scale"))
        self.restart = choice(
            [
                (
                    "Continue",
                    False,
                    "Each fit goes on from the model on the screen, or starts anew where that ends better",
                ),
                ("Restart", True, "Each fit starts from K-means, whatever is on the screen"),
            ]
        )
        rows: list[tuple[str, ipw.Widget, str]] = [
            ("Answers are", self.hardness, ""),
            (
                "Error ε",
                self.epsilon,
                "ε: how often an answer may be wrong. Raise it and answers count less, the places of the points more; "
                "0 is hard, at 2/3 answers carry nothing. The paper uses 0.05 and 0.15",
            ),
            (
                "Separation τ",
                self.tau,
                "τ: raise it and boundaries move into gaps between the points, so that few points are in doubt",
            ),
            (
                "Weights λ",
                self.lam,
                "λ: raise it and the bands of doubt along the boundaries get wider; lower it and the model gets surer",
            ),
            (
                "Balance",
                self.balance,
                "On: prefer clusters of similar size. Turn it off when some groups are much smaller than others",
            ),
            ("Use dnk", self.use_dnk, "Whether don't-know answers count; off is the paper's DCRC-YN"),
            ("Weighting", self.weighting, ""),
            ("Boundary", self.kernel, ""),
            (
                "Width \N{GREEK SMALL LETTER GAMMA}",
                self.gamma,
                "Raise it and curved boundaries bend more, around fewer points; auto follows the data",
            ),
            ("Each fit", self.restart, ""),
        ]
        self.hint, self.weight = Words(), Words()
        lines = [line(label, control, tooltip=tooltip) for label, control, tooltip in rows]
        lines.insert(1 + [control for _, control, _ in rows].index(self.weighting), self.weight)
        self.children = (*lines, self.hint)
        self._watch(self.hardness, lambda kind: self._set("epsilon", 0.0 if kind == "hard" else self._last_soft))
        for name in ("balance", "use_dnk", "weighting", "kernel", "restart"):
            self._watch(getattr(self, name), partial(self._set, name))
        for name in ("tau", "lam", "gamma"):  # all places of a slider that is drawn are one step to undo
            self._watch(getattr(self, name), partial(self._set, name, merge=True))
        # The end of the slider is 2/3, rounded by the browser.
        self._watch(self.epsilon, lambda value: self._set("epsilon", min(value, 2 / 3), merge=True))

    def _set(self, name: str, value: Any, *, merge: bool = False) -> None:
        self._act(lambda session: session.set(merge=merge, **{name: value}))

    def follow(self, session: Exploration) -> None:
        """Show the settings."""
        settings = session.settings
        hard = settings.epsilon == 0
        self._last_soft = self._last_soft if hard else settings.epsilon
        with self._quietly():
            self.hardness.value = "hard" if hard else "soft"
            for name in ("balance", "use_dnk", "weighting", "kernel", "restart"):
                getattr(self, name).value = getattr(settings, name)
            show_number(self.epsilon, settings.epsilon)
            show_number(self.tau, settings.tau)
            show_place(self.lam, settings.lam)
            show_place(self.gamma, settings.gamma)
            self.gamma.disabled = settings.kernel == "linear"
            n_answers, n_points = session.state.n_answers, len(session.dataset.X)
            self.weight.value = weight_in_words(n_answers, n_points, settings.weighting)
            self.hint.value = session.hint
