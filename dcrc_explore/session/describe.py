"""Settings in words."""

from __future__ import annotations

from math import ceil, log2
from typing import NamedTuple

from dcrc_explore.model.weighting import full_weight
from dcrc_explore.session.settings import Settings

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Difference(NamedTuple):
    """A setting in which two models differ, in words.

    Examples
    --------
    >>> print(Difference("Answers", "soft, ε = 0.05", "hard, ε = 0"))
    Answers: soft, ε = 0.05 against hard, ε = 0
    """

    setting: str
    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.setting}: {self.first} against {self.second}"


def describe(settings: Settings) -> dict[str, str]:
    """Say in words what the settings are.

    Examples
    --------
    >>> describe(Settings(epsilon=0, kernel="rbf"))["Answers"], describe(Settings())["Weights λ"]
    ('hard, ε = 0', '2⁻⁶')
    """
    hardness = "hard" if settings.epsilon == 0 else "ignored" if settings.epsilon == 2 / 3 else "soft"
    boundary = {"linear": "linear", "rbf": "RBF", "poly": "polynomial"}.get(settings.kernel, settings.kernel)
    if settings.kernel != "linear":
        boundary += f", γ = {'auto' if settings.gamma == 'scale' else _number(settings.gamma)}"
    return {
        "Answers": f"{hardness}, ε = {settings.epsilon:.3g}",
        "Weighting": "as in the paper" if settings.weighting == "paper" else settings.weighting,
        "People": "each by own errors" if settings.per_person else "all alike",
        "Don't know": "counts" if settings.use_dnk else "ignored",
        "Balance": "on" if settings.balance else "off",
        "Separation τ": f"{settings.tau:.3g}",
        "Weights λ": _number(settings.lam),
        "Boundary": boundary,
        "Clusters K": str(settings.n_clusters),
        "Each fit": "restarts" if settings.restart else "continues",
        "Seed": str(settings.random_state),
    }


def weight_in_words(n_answers: int, n_points: int, weighting: str) -> str:
    """Say how much the answers weigh; their full weight is as much as that of all points without answers together.

    Examples
    --------
    >>> weight_in_words(2, 150, "steady"), weight_in_words(12, 150, "steady")
    ('2 answers weigh 27 % of what they will from 8 on.', '12 answers have their full weight.')
    >>> weight_in_words(1, 150, "paper")
    '1 answer has its full weight, as in the paper.'
    """
    needed = full_weight(n_points) if weighting == "steady" else 1
    full = ceil(needed)
    one = n_answers == 1
    if not n_answers:
        return (
            f"Answers have their full weight {f'from {full} on' if full > 1 else 'from the first on, as in the paper'}."
        )
    if n_answers < full:
        share = 100 * n_answers / needed
        weigh = "1 answer weighs" if one else f"{n_answers} answers weigh"
        return f"{weigh} {share:.0f} % of what they will from {full} on."
    has = "1 answer has its" if one else f"{n_answers} answers have their"
    return f"{has} full weight{', as in the paper' if weighting == 'paper' else ''}."


def empty_clusters(n_empty: int, settings: Settings, *, scaled: bool) -> str:
    """Say that a fit leaves clusters empty, and what helps; nothing when there are none.

    Examples
    --------
    >>> empty_clusters(2, Settings(), scaled=False)
    '2 of 3 clusters are empty: standardise the features, lower λ or ask for fewer clusters.'
    """
    if not n_empty:
        return ""
    K = settings.n_clusters
    helpful = {
        "standardise the features": not scaled,
        "switch balance on": not settings.balance,
        "lower λ": settings.lam > 0,
        "ask for fewer clusters": K > 2,
    }
    *ways, last = [way for way, helps in helpful.items() if helps] or ["give more answers"]
    advice = f"{', '.join(ways)} or {last}" if ways else last
    return f"{n_empty} of {K} clusters {'is' if n_empty == 1 else 'are'} empty: {advice}."


def _number(value: float | str) -> str:
    """Write powers of two as such."""
    if isinstance(value, float) and value > 0 and log2(value).is_integer() and not 1 <= value <= 8:
        return "2" + str(int(log2(value))).translate(_SUPERSCRIPT)
    return str(value) if isinstance(value, str) else f"{value:.3g}"


def differences(first: Settings, second: Settings) -> list[Difference]:
    """Return every difference of two settings, in words.

    Examples
    --------
    >>> [str(difference) for difference in differences(Settings(), Settings(balance=False))]
    ['Balance: on against off']
    """
    words = describe(first), describe(second)
    return [Difference(name, text, words[1][name]) for name, text in words[0].items() if text != words[1][name]]
