"""The controls of the questions."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as ipw

from dcrc_explore.session import Session
from dcrc_explore.widgets.controls.parts import Act, Group, Words, line
from dcrc_explore.words import count


class AskControls(Group):
    """Which question comes next, and who answers it."""

    name = "ask"
    PORTIONS = (1, 10, 500)

    def __init__(self, act: Act, choose_strategy: Callable[[str], object]) -> None:
        super().__init__(act)
        self._has_truth = True
        self._told_of: int | None = None  # how many answers there were when their number was told
        self.strategy = ipw.Dropdown(
            options=[
                ("guided", "guided"),
                ("random", "random"),
                ("near the boundary", "boundary"),
                ("most informative", "informative"),
                ("chosen by hand", ""),
            ]
        )
        self._by_itself = "guided"  # the strategy to go on with
        self.oracle = ipw.Dropdown(
            options=[
                ("me", ""),
                ("the truth", "truth"),
                ("a noisy user", "noisy"),
                ("people of the paper's study", "people"),
            ]
        )
        self.error = ipw.FloatSlider(0.1, min=0.0, max=0.66, step=0.01)
        self.buttons = [ipw.Button(description=str(n)) for n in self.PORTIONS]
        self.progress = ipw.IntProgress(0, min=0, max=1)
        self.told = Words()
        self.children = (
            line(
                "Questions",
                self.strategy,
                tooltip="Which three points come next by themselves; a click on a point begins a question of your own",
            ),
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
        self._watch(self.strategy, self._remember)
        self._watch(self.oracle, lambda _: self._show())
        for button, n in zip(self.buttons, self.PORTIONS, strict=True):
            button.on_click(lambda _, n=n: self._ask(n))
        self._show()

    def ask_by_itself(self, on: bool) -> None:
        """Let the next question come by itself after each answer, by the strategy chosen last, or not."""
        self.strategy.value = self._by_itself if on else ""

    def _remember(self, strategy: str) -> None:
        self._by_itself = strategy or self._by_itself

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
            self._told_of = session.state.n_answers
            self.told.value = f"{count(given, 'answer')} added."

        self.progress.value = 0
        self._act(run)

    def follow(self, session: Session) -> None:
        """Offer simulated answers only where the truth is known."""
        if self._told_of not in (None, session.state.n_answers):  # answers were given since
            self._told_of = None
            self._show()
        has_truth = session.dataset.y is not None
        if has_truth != self._has_truth:
            self._has_truth = has_truth
            self.oracle.disabled = not has_truth
            self.oracle.value = self.oracle.value if has_truth else ""
            self._show()
