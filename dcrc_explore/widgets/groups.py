"""The controls beside the picture: model, questions, keeping."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from os import PathLike
from typing import Any

import ipywidgets as ipw

from dcrc_explore.session import Exploration, Session, Settings
from dcrc_explore.widgets.controls import (
    READOUT,
    Act,
    Group,
    Words,
    choice,
    export_buttons,
    line,
    powers_of_two,
    show_number,
    show_place,
)

_SOFT = 0.05  # the paper's epsilon for answers without known errors
_GENTLY = Settings().full_weight_at


class ModelControls(Group):
    """Everything that decides how the model learns from the answers."""

    name = "model"

    def __init__(self, act: Act) -> None:
        super().__init__(act)
        self._last_soft = _SOFT
        self.hardness = choice(
            [
                ("Soft", "soft", "An answer may be wrong with probability ε, Eq. (13)"),
                (
                    "Hard",
                    "hard",
                    "ε = 0, Eq. (14): the memberships Q obey every answer they can; the boundary may not follow",
                ),
            ]
        )
        self.epsilon = ipw.FloatSlider(_SOFT, min=0.0, max=2 / 3, step=0.01, readout_format=READOUT)
        self.epsilon.add_class("dcrc-epsilon")
        self.tau = ipw.FloatSlider(1.0, min=0.0, max=3.0, step=0.1, readout_format=READOUT)
        self.lam = powers_of_two(-14, 4)
        self.balance = ipw.Checkbox(True, description="clusters of similar size", indent=False)
        self.use_dnk = ipw.Checkbox(True, description="don't-know answers count", indent=False)
        self.first = choice(
            [
                ("Gently", True, "Few answers weigh little: full weight from 5% as many answers as points"),
                ("As in the paper", False, "The answers' term is divided by M: the first weighs as much as all points"),
            ]
        )
        self.kernel = choice(
            [
                ("Linear", "linear", "Straight boundaries"),
                ("RBF", "rbf", "Curved boundaries: Gaussian kernel"),
                ("Poly", "poly", "Curved boundaries: polynomial kernel"),
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
                "ε, Table I: probability that an answer is wrong. The paper uses 0.05 and 0.15; 0 is hard; at 2/3 "
                "answers carry nothing",
            ),
            ("Separation τ", self.tau, "τ, Eqs. (8), (9): weight of confident assignments of points without answers"),
            ("Weights λ", self.lam, "λ, Eqs. (8), (9): penalty on large weights W; larger gives softer boundaries"),
            ("Balance", self.balance, "Eq. (9) instead of Eq. (8): prefer clusters of similar size"),
            ("Use dnk", self.use_dnk, "Whether don't-know answers count; off is the paper's DCRC-YN"),
            ("First answers", self.first, ""),
            ("Boundary", self.kernel, ""),
            ("Width \N{GREEK SMALL LETTER GAMMA}", self.gamma, "Width of the curved kernels; auto follows the data"),
            ("Each fit", self.restart, ""),
        ]
        self.hint = Words()
        self.children = (*(line(label, control, tooltip=tooltip) for label, control, tooltip in rows), self.hint)
        self._watch(self.first, lambda gently: self._set("full_weight_at", _GENTLY if gently else 0.0))
        self._watch(self.hardness, lambda kind: self._set("epsilon", 0.0 if kind == "hard" else self._last_soft))
        for name in ("balance", "use_dnk", "kernel", "restart"):
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
            self.first.value = settings.full_weight_at > 0
            for name in ("balance", "use_dnk", "kernel", "restart"):
                getattr(self, name).value = getattr(settings, name)
            show_number(self.epsilon, settings.epsilon)
            show_number(self.tau, settings.tau)
            show_place(self.lam, settings.lam)
            show_place(self.gamma, settings.gamma)
            self.gamma.disabled = settings.kernel == "linear"
            self.hint.value = session.hint


class AskControls(Group):
    """Which question comes next, and who answers it."""

    name = "ask"
    PORTIONS = (1, 10, 500)

    def __init__(self, act: Act, choose_strategy: Callable[[str], object]) -> None:
        super().__init__(act)
        self._has_truth = True
        self.strategy = ipw.Dropdown(
            options=[
                ("chosen by hand", ""),
                ("guided", "guided"),
                ("random", "random"),
                ("near the boundary", "boundary"),
                ("most informative", "informative"),
            ]
        )
        self.oracle = ipw.Dropdown(
            options=[
                ("me", ""),
                ("the truth", "truth"),
                ("a noisy user (Table I)", "noisy"),
                ("people of the paper's study (Table IV)", "people"),
            ]
        )
        self.error = ipw.FloatSlider(0.1, min=0.0, max=0.66, step=0.01)
        self.buttons = [ipw.Button(description=str(n)) for n in self.PORTIONS]
        self.progress = ipw.IntProgress(0, min=0, max=1)
        self.told = Words()
        self.children = (
            line("Questions", self.strategy, tooltip="Which three points come next; Enter suggests at any time"),
            line("Answered by", self.oracle, tooltip="Who answers the questions that are asked at once, below"),
            line(
                "Error rate",
                self.error,
                tooltip="Share of wrong answers that the noisy user gives; it need not be the model's ε",
            ),
            line("Ask at once", *self.buttons, tooltip="So many questions and answers: one fit, one step to undo"),
            line("", self.progress, tooltip="Answers given so far"),
            self.told,
        )
        self._watch(self.strategy, choose_strategy)
        self._watch(self.oracle, lambda _: self._show())
        for button, n in zip(self.buttons, self.PORTIONS, strict=True):
            button.on_click(lambda _, n=n: self._ask(n))
        self._show()

    def _show(self) -> None:
        self.error.disabled = self.oracle.value != "noisy"
        for button in self.buttons:
            button.disabled = not self.oracle.value
        if not self._has_truth:
            self.told.value = "These data have no true classes, so only you can answer."
        elif not self.oracle.value:
            self.told.value = "You answer with Yes, No and Don't know. To ask many at once, let someone else answer."
        else:
            self.told.value = ""

    def _ask(self, n: int) -> None:
        def progress(done: int, total: int) -> None:
            self.progress.max, self.progress.value = total, done

        def run(session: Session) -> None:
            strategy, oracle = self.strategy.value or "guided", self.oracle.value
            epsilon = self.error.value if oracle == "noisy" else None
            given = session.answer_by_oracle(n, strategy=strategy, oracle=oracle, epsilon=epsilon, progress=progress)
            self.told.value = f"{given} answer{'' if given == 1 else 's'} added."

        self.progress.value = 0
        self._act(run)

    def follow(self, session: Session) -> None:
        """Offer simulated answers only where the truth is known."""
        has_truth = session.dataset.y is not None
        if has_truth != self._has_truth:
            self._has_truth = has_truth
            self.oracle.disabled = not has_truth
            self.oracle.value = self.oracle.value if has_truth else ""
            self._show()


class SessionControls(Group):
    """Saving, restoring, export."""

    name = "session"

    def __init__(
        self,
        act: Act,
        load: Callable[[str | PathLike[str]], object],
        export: Callable[[str], object],
        *,
        links: bool = False,
    ) -> None:
        super().__init__(act)
        self.path = ipw.Text(placeholder="answers.json")
        self.save_button = ipw.Button(description="Save", tooltip="Write data, settings and answers into this file")
        self.load_button = ipw.Button(description="Load", tooltip="Go on with the session in this file")
        self.exports = export_buttons(
            export,
            png="The picture and the panels as PNG files",
            svg="The picture and the panels as SVG files",
            csv="The answers as a table",
            page="The answers as a film: one file that anybody opens in a browser, without Python or a network",
            code="A short Python program that makes this model again",
            **({"link": "The address of this page with these data and settings"} if links else {}),
        )
        self.refit_button = ipw.Button(
            description="Fit again from the start",
            tooltip="Start from K-means instead of the model on the screen; data, settings and answers stay",
        )
        self.about = Words()
        self.children = (
            line("File", self.path, self.save_button, self.load_button),
            line("Export", *self.exports.values()),
            line("Model", self.refit_button),
            self.about,
        )
        self.path.tooltip = "Name of a session file, seen from the notebook's folder"
        self.save_button.on_click(lambda _: act(lambda session: f"Written to {session.save(self.path.value.strip())}"))
        self.load_button.on_click(lambda _: act(lambda session: load(self.path.value.strip())))
        self.refit_button.on_click(lambda _: act(_refit))

    def follow(self, session: Session) -> None:
        """Show where the session is kept."""
        if session.save_error:
            self.about.value = session.save_error
        elif not session.is_kept:
            self.about.value = "Answers are in memory only (autosave=None); Save writes them into a file."
        elif session.path is None:
            self.about.value = "Nothing is kept on disk yet; each answer will be, as soon as it is given."
        else:
            self.about.value = f"Every answer is on disk as soon as it is given: {session.path}"


def _refit(session: Session) -> str:
    session.refit()
    return "Fitted again from the start. Answers and settings are as they were."
