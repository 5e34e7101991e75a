"""The settings of a model: one list that controls, addresses, session files, words and the reference follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, log2
from typing import Any, Literal, NamedTuple

from dcrc_explore import values
from dcrc_explore.values import Rule, one_of, shown

# Labels, maps and colours have a byte for the number of a cluster.
MOST_CLUSTERS = 255
IGNORED = 2 / 3  # the epsilon at which answers carry nothing, Table I
_SWITCH = Rule("True or False", lambda value: value in (True, False), bool)
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Option(NamedTuple):
    """One of the values that a setting can be given by a button: its label, what it does, and what it is called."""

    value: Any
    label: str
    help: str
    words: str = ""


@dataclass(frozen=True)
class Setting:
    """A setting, and everything that is known of it.

    Examples
    --------
    >>> setting = find("tau")
    >>> setting.default, setting.label, setting.in_words(0.5)
    (1.0, 'Separation τ', '0.5')
    """

    name: str
    kind: Literal["number", "whole", "switch", "choice"]
    default: Any
    label: str  # label of its control, with the symbol of the paper
    about: str  # what it is, for the reference
    help: str = ""  # what changes when a person changes it, for the tip of its control
    # What it is called in a description; the label by default, "" for one that is described with another
    title: str | None = None
    # Limits of a number
    low: float = 0
    high: float | None = None
    most: float = inf  # a wider limit that errors name only when it is exceeded
    positive: bool = False  # whether 0 is too small
    word: str = ""  # a word that may be given instead of a number
    options: tuple[Option, ...] = ()  # values that are offered as buttons
    scale: tuple[float, float, float] | None = None  # lowest and highest value and step of a slider
    powers: tuple[int, int] | None = None  # exponents of a slider on powers of two
    marks: tuple[tuple[float, str], ...] = ()  # values that a slider marks
    states: tuple[str, str] = ("on", "off")  # what a switch is called in a description, on and off
    # Another setting and those of its values with which this one makes sense
    needs: tuple[str, tuple[Any, ...]] | None = None
    of_model: bool = True  # whether it is a parameter of DCRC
    reshapes: bool = False  # whether a change needs a new initialisation
    say: Callable[[Any], str] | None = None  # writes a value in words

    def checked(self, value: Any) -> Any:
        """Return a value as plain Python has it; ValueError when the setting cannot have it.

        Examples
        --------
        >>> find("n_clusters").checked(4)
        4
        >>> find("kernel").checked("cubic")
        Traceback (most recent call last):
            ...
        ValueError: kernel must be one of linear, rbf, poly, got 'cubic'
        """
        if self.kind == "switch":
            return _SWITCH.checked(value, self.name)
        if self.kind == "choice":
            return one_of(option.value for option in self.options).checked(value, self.name)
        return value if self.word and value == self.word else self._number(value)

    def _number(self, value: Any) -> float:
        # Plain Python numbers: they print and save the same wherever they came from.
        kind, rule = ("whole number", values.whole) if self.kind == "whole" else ("number", values.number)
        checked = rule(self.low, self.most if self.high is None else self.high)
        if not checked.fits(value):
            limits = f"of at least {self.low}" if self.high is None else f"between {self.low} and {self.high:.3g}"
            if self.high is None and values.number(self.most, inf).fits(value):
                limits = f"of at most {self.most:g}"
            raise ValueError(f"{self.name} must be a {kind} {limits}, got {shown(value)}")
        if self.positive and value == 0:
            raise ValueError(f"{self.name} must be larger than 0 or {self.word!r}, got 0")
        return checked.make(value)

    def in_words(self, value: Any) -> str:
        """Write a value in words.

        Examples
        --------
        >>> find("lam").in_words(2**-6), find("epsilon").in_words(0.0), find("kernel").in_words("rbf")
        ('2⁻⁶', 'hard, ε = 0', 'RBF')
        """
        if self.say is not None:
            return self.say(value)
        if self.kind == "switch":
            return self.states[not value]
        chosen = [option.words or option.label.lower() for option in self.options if option.value == value]
        return chosen[0] if chosen else number(value)

    def makes_sense(self, settings: object) -> bool:
        """Whether the setting has an effect, given the others."""
        return self.needs is None or getattr(settings, self.needs[0]) in self.needs[1]


def number(value: float | str) -> str:
    """Write a number, powers of two as such; a word stays as it is.

    Examples
    --------
    >>> number(2**-6), number(0.25), number(1e-6), number("auto")
    ('2⁻⁶', '2⁻²', '1e-06', 'auto')
    """
    if isinstance(value, int | float) and value > 0 and log2(value).is_integer() and not 1 <= value <= 8:
        return "2" + str(int(log2(value))).translate(_SUPERSCRIPT)
    return value if isinstance(value, str) else f"{value:.3g}"


def _say_epsilon(epsilon: float) -> str:
    return f"{'hard' if epsilon == 0 else 'ignored' if epsilon == IGNORED else 'soft'}, ε = {epsilon:.3g}"


_KERNELS = (
    Option("linear", "Linear", "Straight boundaries: the simplest, and right for round groups"),
    Option("rbf", "RBF", "Curved boundaries that can go around a group (Gaussian kernel): for moons and rings", "RBF"),
    Option("poly", "Poly", "Gently curved boundaries (polynomial kernel)", "polynomial"),
)
# fmt: off
SETTINGS: tuple[Setting, ...] = (
    Setting("n_clusters", "whole", 3, "K", "K, the number of clusters.", "K, the number of clusters", "Clusters K",
            low=2, most=MOST_CLUSTERS, reshapes=True, say=str),
    Setting("epsilon", "number", 0.05, "Error ε",
            "Probability of a wrong answer, Table I: 0 makes answers hard, at 2/3 they are ignored.",
            "ε: probability that an answer is wrong. Raise it and answers count less, positions of points more; "
            "0 makes answers hard, 2/3 ignores them. The paper uses 0.05 and 0.15. Repeated "
            "questions correct it: see below", "Answers",
            high=IGNORED, scale=(0.0, IGNORED, 0.01), marks=((0.05, ".05"), (0.15, ".15"), (IGNORED, "⅔")),
            say=_say_epsilon),
    Setting("repeats", "switch", True, "Repeats",
            "Whether a person is asked every tenth question about three points again, with B and C exchanged, and the "
            "share of different answers corrects epsilon.",
            "On: every tenth question repeats an earlier one. How often the two answers differ shows how often you "
            "err, and ε is only where this estimate begins. Soft answers only",
            options=(Option(True, "ask again, to estimate ε", ""),), of_model=False),
    Setting("tau", "number", 1.0, "Separation τ", "Weight of separation and balance, Eqs. (8) and (9).",
            "τ: raise it and boundaries move into gaps between the points, so that few points are in doubt",
            most=1e6, scale=(0.0, 3.0, 0.1), say=lambda tau: f"{tau:.3g}"),
    Setting("lam", "number", 2.0**-6, "Weights λ", "Weight of the regulariser, Eqs. (8) and (9).",
            "λ: raise it and the uncertain bands along the boundaries get wider; lower it for a more certain model",
            most=1e6, powers=(-14, 4)),
    Setting("balance", "switch", True, "Balance",
            "Whether clusters of similar size are preferred, Eq. (9) instead of Eq. (8).",
            "On: prefer clusters of similar size. Turn it off when some groups are much smaller than others",
            options=(Option(True, "clusters of similar size", ""),)),
    Setting("use_dnk", "switch", True, "Don't know",
            "Whether don't-know answers count; off is the paper's DCRC-YN.",
            "Whether don't-know answers count; off is the paper's DCRC-YN", "Don't know",
            options=(Option(True, "these answers count", ""),), states=("counts", "ignored")),
    Setting("weighting", "choice", "steady", "Weighting",
            "Weight of the answers beside the points without answers; as in :class:`~dcrc_explore.DCRC`.",
            options=(
                Option("steady", "Steady", "The first answers weigh little, and later ones never lose their weight"),
                Option("paper", "As in the paper", "The answers' term is divided by M: one answer has the weight of "
                       "all points, and so have a thousand", "as in the paper"),
            )),
    Setting("per_person", "switch", True, "People",
            "Whether, once several people have answered, each person's errors are learned from the answers, starting "
            "from epsilon. Hard answers are treated alike.",
            states=("a noise model each", "one noise model"), of_model=False),
    Setting("kernel", "choice", "linear", "Boundary", 'Which boundaries are possible; "poly" is of degree 3.',
            options=_KERNELS, reshapes=True),
    Setting("gamma", "number", "scale", "Width γ", 'Width of the kernel, or "scale"; without effect for "linear".',
            "Raise it and curved boundaries bend more, around fewer points; auto follows the data", "",
            most=1e12, positive=True, word="scale", options=(Option("scale", "auto", ""),), powers=(-8, 6),
            needs=("kernel", tuple(option.value for option in _KERNELS if option.value != "linear")), reshapes=True),
    Setting("restart", "switch", False, "Each fit",
            "True: every fit starts from the initialisation. False: it continues from the model on the screen; with "
            "few answers the initialisation is tried too, and taken when it ends with a better bound.",
            options=(
                Option(False, "Continue",
                       "Each fit continues from the model on the screen, or restarts where that is better"),
                Option(True, "Restart", "Each fit starts from K-means, whatever is on the screen"),
            ), states=("restarts", "continues"), of_model=False),
    Setting("random_state", "whole", 0, "Seed", "Seed of the initialisation.",
            high=2**32 - 1, reshapes=True, say=str),
    Setting("open_k", "switch", False, "New groups",
            "Whether there may be more groups than K: every fourth guided question then looks for one. True for data "
            "without true classes until a person chooses K.",
            "On: every fourth guided question looks for a group that is not among the K clusters yet",
            states=("looked for", "not looked for"), of_model=False),
)
# fmt: on


def find(name: str) -> Setting:
    """Return the setting of a name.

    Examples
    --------
    >>> find("tau").label
    'Separation τ'
    """
    return next(setting for setting in SETTINGS if setting.name == name)


def reference() -> str:
    """Return the settings as the lines of a numpydoc section.

    Examples
    --------
    >>> print(reference().splitlines()[0])
    n_clusters : int, default=3
    """
    types = {"number": "float", "whole": "int", "switch": "bool"}
    lines = []
    for each in SETTINGS:
        options = [f'"{option.value}"' for option in each.options]
        kind = types.get(each.kind, f"{{{', '.join(options)}}}") + (f' or "{each.word}"' if each.word else "")
        lines += [f"{each.name} : {kind}, default={each.default!r}".replace("'", '"'), f"    {each.about}"]
    return "\n".join(lines)
