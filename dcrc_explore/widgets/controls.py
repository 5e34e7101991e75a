"""The controls around the picture, as ipywidgets; each group changes a session and follows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import ipywidgets as ipw

from dcrc_explore.datasets import Dataset, list_datasets
from dcrc_explore.session import Session

Act = Callable[..., object]  # calls a function of the session; shows what goes wrong in the interface

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_TITLES = {"n_per_cluster": "Size", "n_clusters": "Clusters"}
_SOFT = 0.05


def power(exponent: int) -> str:
    """Write a power of two, as 2⁻⁶."""
    return "2" + str(exponent).translate(_SUPERSCRIPT)


class Group(ipw.Box):
    """Controls that belong together; `follow` shows a session's state without changing it."""

    name = ""

    def __init__(self, act: Act) -> None:
        self._act = act
        self._following = False
        super().__init__(_dom_classes=("dcrc-group", f"dcrc-group-{self.name}"))

    def follow(self, session: Session) -> None:
        """Show the state of the session."""
        raise NotImplementedError

    def _watch(self, control: ipw.Widget, action: Callable[[Any], object]) -> None:
        """Call `action` with the value when a person changes it, not when the session did."""

        def changed(change: dict[str, Any]) -> None:
            value = change["new"]
            # A slider in the browser turns 0.05 into 0.05000000000000001; that is no change of the setting.
            value = float(f"{value:.9g}") if isinstance(value, float) else value
            if not self._following:
                action(value)

        control.observe(changed, "value")

    @contextmanager
    def _quiet(self) -> Iterator[None]:
        self._following = True
        try:
            yield
        finally:
            self._following = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


def line(label: str, *controls: ipw.Widget, tooltip: str) -> ipw.HBox:
    """One row: what it is, and the control."""
    for control in controls:
        control.tooltip = tooltip
    return ipw.HBox([ipw.Label(label, tooltip=tooltip), *controls], _dom_classes=("dcrc-line",))


def pair(label: str, control: ipw.Widget) -> ipw.Box:
    """Put its name before a control of the top bar."""
    return ipw.Box([ipw.Label(label), control], _dom_classes=("dcrc-pair",))


def choice(options: list[tuple[str, Any]], tooltips: list[str], label: str) -> ipw.ToggleButtons:
    """Segmented buttons."""
    control = ipw.ToggleButtons(options=options, tooltips=tooltips, style={"button_width": "auto"})
    control.add_class("dcrc-segments")
    control.tooltip = label
    return control


class DataControls(Group):
    """Size, shape and seed of generated points, or a file with one's own."""

    name = "data"

    def __init__(self, act: Act) -> None:
        super().__init__(act)
        self.sliders: dict[str, ipw.Widget] = {}
        self.about = ipw.HTML(_dom_classes=("dcrc-about",))
        self.file = ipw.Text(placeholder="points.csv or points.npz", continuous_update=False)
        self.file_button = ipw.Button(description="Open", tooltip="Read points from this file")
        self._own = line("Own data", self.file, self.file_button, tooltip="A .csv or .npz file with one row per point")
        self._name = ""
        self.file_button.on_click(lambda _: self._act(lambda session: session.set_data(self.file.value.strip())))

    def follow(self, session: Session) -> None:
        """Show a slider for each parameter of the current generator."""
        dataset = session.dataset
        spec = list_datasets().get(dataset.name)
        with self._quiet():
            if dataset.name != self._name:
                self._name = dataset.name
                self.sliders = {} if spec is None else {p.name: self._slider(p) for p in spec.parameters}
                rows = (
                    []
                    if spec is None
                    else [
                        line(
                            _TITLES.get(p.name, p.name.capitalize()),
                            self.sliders[p.name],
                            tooltip=p.description.capitalize(),
                        )
                        for p in spec.parameters
                    ]
                )
                self.children = (self.about, *rows, self._own)
            self.about.value = dataset.description or f"{len(dataset.X)} points with {dataset.X.shape[1]} features"
            for name, value in dataset.parameters.items():
                if name in self.sliders:
                    self.sliders[name].value = value

    def _slider(self, parameter: Any) -> ipw.Widget:
        whole = float(parameter.step).is_integer() and float(parameter.low).is_integer()
        cls, cast = (ipw.IntSlider, int) if whole else (ipw.FloatSlider, float)
        slider = cls(
            value=cast(parameter.default),
            min=cast(parameter.low),
            max=cast(parameter.high),
            step=cast(parameter.step),
            continuous_update=False,
        )
        self._watch(slider, lambda value: self._act(lambda session: session.regenerate(**{parameter.name: value})))
        return slider


class ModelControls(Group):
    """Everything that decides how the model learns from the answers."""

    name = "model"

    def __init__(self, act: Act) -> None:
        super().__init__(act)
        self.hardness = choice(
            [("Soft", "soft"), ("Hard", "hard")],
            ["An answer may be wrong with probability ε", "ε = 0: every answer must hold, Eq. (14)"],
            "Soft answers may be wrong, hard ones must hold",
        )
        self.epsilon = ipw.FloatSlider(_SOFT, min=0.0, max=0.66, step=0.01, readout_format=".2f")
        self.epsilon.add_class("dcrc-epsilon")
        self.tau = ipw.FloatSlider(1.0, min=0.0, max=3.0, step=0.1, readout_format=".1f")
        self.lam = ipw.SelectionSlider(options=[(power(e), 2.0**e) for e in range(-14, 5)], value=2.0**-6)
        self.balance = ipw.Checkbox(True, description="clusters of similar size", indent=False)
        self.use_dnk = ipw.Checkbox(True, description="don't-know answers count", indent=False)
        self.kernel = choice(
            [("Linear", "linear"), ("RBF", "rbf"), ("Poly", "poly")],
            ["Straight boundaries", "Curved boundaries: Gaussian kernel", "Curved boundaries: polynomial kernel"],
            "Features in which the boundary is straight",
        )
        self.gamma = ipw.SelectionSlider(options=[("auto", "scale")] + [(power(e), 2.0**e) for e in range(-8, 7)])
        self.restart = choice(
            [("Go on", False), ("From the start", True)],
            ["Each fit goes on from the model on the screen", "Each fit starts from K-means"],
            "Where a fit starts",
        )
        self.children = (
            line(
                "Answers are",
                self.hardness,
                tooltip="Soft answers may be wrong with probability ε; hard ones must hold",
            ),
            line(
                "Error ε",
                self.epsilon,
                tooltip="ε, Table I: probability that an answer is wrong. The paper uses 0.05 "
                "and 0.15; 0 is hard; at 2/3 answers carry nothing",
            ),
            line(
                "Separation τ",
                self.tau,
                tooltip="τ, Eqs. (8), (9): weight of confident assignments of the points without answers",
            ),
            line(
                "Weights λ",
                self.lam,
                tooltip="λ, Eqs. (8), (9): penalty on large weights W; larger gives softer boundaries",
            ),
            line("Balance", self.balance, tooltip="Eq. (9) instead of Eq. (8): prefer clusters of similar size"),
            line("Use dnk", self.use_dnk, tooltip="Whether don't-know answers count; off is the paper's DCRC-YN"),
            line("Boundary", self.kernel, tooltip="Kernel: the features in which P(y|x;W), Eq. (6), is linear"),
            line("Width γ", self.gamma, tooltip="Width of the curved kernels; auto is 1 / (features * variance)"),  # noqa: RUF001
            line("Each fit", self.restart, tooltip="Go on from the model on the screen, or start again from K-means"),
        )
        self._watch(self.hardness, lambda kind: self._set("epsilon", 0.0 if kind == "hard" else self._last_soft))
        for name in ("balance", "use_dnk", "kernel", "restart"):
            self._watch(getattr(self, name), partial(self._set, name))
        for name in ("epsilon", "tau", "lam", "gamma"):  # all places of a slider that is drawn are one step to undo
            self._watch(getattr(self, name), partial(self._set, name, merge=True))
        self._last_soft = _SOFT

    def _set(self, name: str, value: Any, *, merge: bool = False) -> None:
        self._act(lambda session: session.set(merge=merge, **{name: value}))

    def follow(self, session: Session) -> None:
        """Show the settings."""
        settings = session.settings
        with self._quiet():
            hard = settings.epsilon == 0
            self._last_soft = self._last_soft if hard else settings.epsilon
            self.hardness.value = "hard" if hard else "soft"
            self.epsilon.value = settings.epsilon
            self.tau.value = settings.tau
            nearest(self.lam, settings.lam)
            self.balance.value = settings.balance
            self.use_dnk.value = settings.use_dnk
            self.kernel.value = settings.kernel
            nearest(self.gamma, settings.gamma)
            self.restart.value = settings.restart
            self.gamma.disabled = settings.kernel == "linear"


def nearest(slider: ipw.SelectionSlider, value: float | str) -> None:
    """Move a slider to the option nearest to a value that may lie between two of them."""
    numbers = [option for _, option in slider.options if not isinstance(option, str)]
    slider.value = value if isinstance(value, str) else min(numbers, key=lambda option: abs(option - float(value)))


class AskControls(Group):
    """Which question comes next, and who answers it."""

    name = "ask"

    def __init__(self, act: Act, choose_strategy: Callable[[str], object]) -> None:
        super().__init__(act)
        self.strategy = choice(
            [("By hand", ""), ("Random", "random"), ("Boundary", "boundary"), ("Informative", "informative")],
            [
                "You choose the three points",
                "Any three points",
                "Three points near a decision boundary",
                "The question whose answer is worth most bits under the current model",
            ],
            "Which question comes next",
        )
        self.oracle = choice(
            [("Me", ""), ("Truth", "truth"), ("Noisy", "noisy"), ("People", "people")],
            [
                "You answer",
                "The true classes answer, Eq. (1)",
                "The true classes answer, wrongly at the rate below, Table I",
                "Answers as confused as those of the people in the paper's study, Table V",
            ],
            "Who answers",
        )
        self.error = ipw.FloatSlider(0.1, min=0.0, max=0.66, step=0.01, readout_format=".2f")
        self.buttons = [
            ipw.Button(description=str(n), tooltip=tooltip)
            for n, tooltip in [
                (1, "One question, one answer"),
                (10, "Ten at once, one fit"),
                (500, "500 at once, one fit"),
            ]
        ]
        self.progress = ipw.IntProgress(0, min=0, max=1)
        self.told = ipw.HTML(_dom_classes=("dcrc-about",))
        for button, n in zip(self.buttons, (1, 10, 500), strict=True):
            button.tooltip = f"Ask {n} and have {'it' if n == 1 else 'them'} answered: one fit, one undo step"
            button.on_click(lambda _, n=n: self._ask_many(n))
        self.children = (
            line("Question", self.strategy, tooltip="Which three points come next; Enter suggests one"),
            line("Answered by", self.oracle, tooltip="Who answers the questions asked below"),
            line(
                "Wrong",
                self.error,
                tooltip="Share of wrong answers that the noisy user gives; it need not be the model's ε",
            ),
            line("Ask at once", *self.buttons, tooltip=""),
            line("", self.progress, tooltip="Answers given so far"),
            self.told,
        )
        self._watch(self.strategy, choose_strategy)
        self._watch(self.oracle, lambda _: self._show())
        self._truth = True
        self._show()

    def _show(self) -> None:
        self.error.disabled = self.oracle.value != "noisy"
        for button in self.buttons:
            button.disabled = not self.oracle.value
        if not self._truth:
            self.told.value = "These data have no true classes, so only you can answer."
        elif not self.oracle.value:
            self.told.value = (
                "You answer with Yes, No or Don't know. Let the truth or a noisy user answer to ask many at once."
            )
        else:
            self.told.value = ""

    def _ask_many(self, n: int) -> None:
        def progress(done: int, total: int) -> None:
            self.progress.max, self.progress.value = total, done

        def run(session: Session) -> None:
            given = session.answer_by_oracle(
                n,
                strategy=self.strategy.value or "random",
                oracle=self.oracle.value,
                epsilon=self.error.value if self.oracle.value == "noisy" else None,
                progress=progress,
            )
            self.told.value = f"{given} answers added." if given != 1 else "One answer added."

        self.progress.value = 0
        self._act(run)

    def follow(self, session: Session) -> None:
        """Offer simulated answers only where the truth is known."""
        self._truth = session.dataset.y is not None
        self.oracle.disabled = not self._truth
        if not self._truth:
            self.oracle.value = ""
        self._show()


class SessionControls(Group):
    """Saving, restoring, export."""

    name = "session"

    def __init__(self, act: Act, load: Callable[[str], object], export: Callable[[str], object]) -> None:
        super().__init__(act)
        self.path = ipw.Text(placeholder="answers.dcrc.json", continuous_update=False)
        self.save_button = ipw.Button(
            description="Save", tooltip="Write data, settings and answers into this file and keep it up to date"
        )
        self.load_button = ipw.Button(description="Load", tooltip="Go on with the session in this file")
        self.exports = {
            kind: ipw.Button(description=label, tooltip=tooltip)
            for kind, label, tooltip in [
                ("png", "PNG", "The picture and the panels as PNG"),
                ("svg", "SVG", "The picture and the panels as SVG"),
                ("csv", "CSV", "The answers as a table"),
                ("code", "Code", "A short Python program that makes this model again"),
            ]
        }
        self.refit_button = ipw.Button(
            description="Fit again from the start",
            tooltip="Forget the way to this model: start from K-means, same data, settings and answers",
        )
        self.about = ipw.HTML(_dom_classes=("dcrc-about",))
        self.children = (
            line("File", self.path, tooltip="Name of a session file, beside the notebook"),
            line("", self.save_button, self.load_button, tooltip=""),
            line("Export", *self.exports.values(), tooltip=""),
            line("Model", self.refit_button, tooltip=""),
            self.about,
        )
        self.save_button.on_click(lambda _: self._act(lambda session: session.save(self.path.value.strip())))
        self.load_button.on_click(lambda _: self._act(lambda session: load(self.path.value.strip())))
        self.refit_button.on_click(lambda _: self._act(lambda session: session.refit()))
        for kind, button in self.exports.items():
            button.on_click(lambda _, kind=kind: export(kind))

    def follow(self, session: Session) -> None:
        """Show where the session is kept."""
        if session.save_error:
            self.about.value = f"Not saved: {session.save_error}"
        elif session.path is None:
            self.about.value = "Nothing is on disk yet: the first answer is."
        else:
            self.about.value = f"Every answer is on disk, in {session.path.name}."


class TopBar(Group):
    """Data and view, always in sight."""

    name = "top"

    def __init__(self, act: Act, show: Callable[..., object]) -> None:
        super().__init__(act)
        self._own: Dataset | None = None
        self.generator = ipw.Dropdown(tooltip="Which points to explore; answers on the present ones stay in Undo")
        self.generator.add_class("dcrc-generator")
        self.clusters = ipw.Dropdown(tooltip="K, the number of clusters")
        self.new_points = ipw.Button(description="↻ New points", tooltip="Other points of the same kind: the next seed")
        self.map = choice(
            [("Entropy", "entropy"), ("Regions", "regions"), ("P(y)", "probability"), ("None", "none")],
            [
                "Entropy of P(y|x): darker is less certain",
                "The most probable cluster",
                "Probability of one cluster; choose it in the legend under the picture",
                "Boundaries only",
            ],
            "What lies under the points",
        )
        self.links = ipw.Dropdown(
            options=[
                ("Last + violated", "last + violated"),
                ("All", "all"),
                ("Last", "last"),
                ("Violated", "violated"),
                ("None", "none"),
            ],
            tooltip="Answers drawn: solid to the more similar point, dashed to the other, dotted for don't know",
        )
        self.truth = ipw.ToggleButton(description="○ hidden", tooltip="Show the true classes as rings")
        self.data_part = ipw.Box([pair("Data", self.generator), pair("K", self.clusters), self.new_points])
        view = [pair("Map", self.map), pair("Answers", self.links), pair("Truth", self.truth)]
        self.children = (self.data_part, ipw.Box(view))
        self._watch(self.generator, self._choose)
        self._watch(self.clusters, lambda K: act(lambda session: session.set(n_clusters=K)))
        self._watch(self.map, lambda kind: show(map=kind))
        self._watch(self.links, lambda kind: show(links=kind))
        self._watch(self.truth, lambda shown: self._show_truth(shown, show))
        self.new_points.on_click(lambda _: act(self._renew))

    def _choose(self, name: str) -> None:
        # One's own data stay in the list, so that one can come back to them.
        data = self._own if self._own is not None and name == self._own.name else name
        self._act(lambda session: session.set_data(data))

    def _show_truth(self, shown: bool, show: Callable[..., object]) -> None:
        self.truth.description = "◉ shown" if shown else "○ hidden"
        show(truth=shown)

    @staticmethod
    def _renew(session: Session) -> None:
        session.regenerate(seed=int(session.dataset.parameters["seed"]) + 1)

    def follow(self, session: Session) -> None:
        """Show name and K of the current data."""
        specs, dataset, K = list_datasets(), session.dataset, session.settings.n_clusters
        if dataset.name not in specs:
            self._own = dataset
        titles = [] if self._own is None else [(self._own.name, self._own.name)]
        titles += [(spec.title, spec.name) for spec in specs.values()]
        numbers = [(str(k), k) for k in range(2, max(12, K) + 1)]
        with self._quiet():
            if self.generator.options != tuple(titles):
                self.generator.options = titles
            self.generator.value = dataset.name
            if self.clusters.options != tuple(numbers):
                self.clusters.options = numbers
            self.clusters.value = K
            self.new_points.disabled = "seed" not in dataset.parameters
            self.truth.disabled = session.dataset.y is None
