"""What the estimator refuses before any work, parameters and data that make no sense; and what it warns of after."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning

from dcrc_explore.annotators import as_confusion, error_matrix, forced
from dcrc_explore.arrays import FloatArray, IntArray
from dcrc_explore.constraints import Answer, AnswerLike, Log, Pairs, Triplets
from dcrc_explore.model.features import KERNELS
from dcrc_explore.model.instances import as_instances
from dcrc_explore.model.n_clusters import FEWEST
from dcrc_explore.model.noise import NoiseModel, may_have_had_to_choose, numbered
from dcrc_explore.model.weighting import WEIGHTINGS
from dcrc_explore.values import finite

if TYPE_CHECKING:
    from dcrc_explore.model.estimator import DCRC


# Squares of larger values, and sums of them, may not be numbers any more.
LARGEST_VALUE = 1e50
# Beyond, a term of the objective drowns all others in rounding errors.
LARGEST_FACTOR = 1e6
# Whole numbers, with the least value of each. One cluster is a trivial model, but scikit-learn's own checks ask every
# clusterer for it.
LEAST = {"n_clusters": 1, "max_iter": 0, "n_init": 1, "degree": 1, "n_components": 1, "verbose": 0}


@dataclass(frozen=True, eq=False)
class AnswersByKind:
    """The answers of people.

    Attributes
    ----------
    triplets : Triplets
    pairs : Pairs
        Without dnk, which says nothing about a pair.
    people : ndarray of shape (M + P,)
        Who gave them, triplets first: numbers of `names`.
    names : tuple of str
    """

    triplets: Triplets
    pairs: Pairs
    people: IntArray
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.people)

    def __getitem__(self, places: NDArray[np.integer]) -> AnswersByKind:
        """Return some of the answers, by their numbers, triplets first."""
        M = len(self.triplets)
        first, second = places[places < M], places[places >= M]
        by = [self.names[person] for person in self.people[np.concatenate([first, second])]]
        people, names = numbered(by, len(by))
        return AnswersByKind(self.triplets[first], self.pairs[second - M], people, names)

    def without_dnk(self) -> AnswersByKind:
        """Return only what was decided."""
        kept = self.triplets.answers != Answer.DNK
        people = np.concatenate([self.people[: len(kept)][kept], self.people[len(kept) :]])
        return replace(self, triplets=self.triplets[kept], people=people)


# A feature whose deviation is so many times that of a usual one decides nearly alone.
_DOMINATES = 100


class GivenAnswers:
    """Answers that an estimator brings along, checked against the number of rows that they are about.

    Parameters
    ----------
    n_samples : int
    triplets, answers, pairs, pair_answers, annotators
        As in :meth:`DCRC.fit`.
    """

    def __init__(
        self,
        n_samples: int,
        triplets: ArrayLike | Triplets | Log | None = None,
        answers: AnswerLike | None = None,
        pairs: ArrayLike | Pairs | None = None,
        pair_answers: AnswerLike | None = None,
        annotators: Sequence[str] | None = None,
    ) -> None:
        check_number("n_samples", n_samples, 1, whole=True)
        self.n_samples, self.annotators = n_samples, annotators
        self.triplets: Triplets | Log
        self.pairs = None if pairs is None else Pairs.of(pairs, pair_answers, n_samples)
        if isinstance(triplets, Log):
            self.triplets = triplets
            if answers is not None:
                raise ValueError("a log has its own answers: pass either a Log or answers, got both")
            Triplets.of(triplets.triplets, None, n_samples)
            Pairs.of(triplets.pairs, None, n_samples)
        else:
            self.triplets = Triplets.of(triplets, answers, n_samples)

    def __repr__(self) -> str:
        known = [repr(each) for each in (self.triplets, self.pairs) if each is not None and len(each)]
        return f"<{' and '.join(known) or 'no answers'} about {self.n_samples} rows>"

    def of(self, X: FloatArray) -> tuple[Any, Any, Any]:
        """Return triplets, pairs and annotators for an X; ValueError when it has other rows."""
        if len(X) != self.n_samples:
            raise ValueError(
                f"the answers of this estimator are about {self.n_samples} rows, got {len(X)}: fit it to all of them. "
                "To choose parameters take DCRCCV, which hides answers where GridSearchCV would leave out rows"
            )
        return self.triplets, self.pairs, self.annotators


NOTHING = AnswersByKind(Triplets(), Pairs(), np.empty(0, dtype=np.int64), ("",))


def validated(
    model: DCRC,
    X: ArrayLike,
    triplets: ArrayLike | Triplets | Log | None,
    answers: AnswerLike | None,
    pairs: ArrayLike | Pairs | None = None,
    pair_answers: AnswerLike | None = None,
    annotators: Sequence[str] | None = None,
) -> tuple[FloatArray, AnswersByKind]:
    """Check parameters, data and answers before any work, and return the latter as arrays."""
    check_parameters(model)
    given_X, X = X, as_instances(model, X)
    check_instances(model, X)
    if model.given is not None:
        if not all(each is None for each in (triplets, answers, pairs, pair_answers, annotators)):
            raise ValueError("this estimator brings its own answers: pass answers to fit or to with_answers, got both")
        triplets, pairs, annotators = model.given.of(X)
    if isinstance(triplets, Log):  # everything that was answered, in one
        if pairs is not None or annotators is not None:
            raise ValueError("a log has its own pairs and annotators: pass either a Log or these, got both")
        annotators = None if model.confusion is None else triplets.annotators
        pairs = triplets.pairs
        triplets = triplets.triplets
    checked = Triplets.of(triplets, answers, len(X))
    links = Pairs.of(pairs, pair_answers, len(X))
    if len(checked) or len(links):
        _warn_of_index(given_X)
    if annotators is not None and model.confusion is None:
        raise ValueError("annotators need DCRC(confusion='learned'), got confusion=None")
    people, names = numbered(annotators, len(checked) + len(links))
    decided = links.answers != Answer.DNK
    people = np.concatenate([people[: len(checked)], people[len(checked) :][decided]])
    constraints = AnswersByKind(checked, links[decided], people, names)
    dnk = np.flatnonzero(checked.answers == Answer.DNK)
    if is_word(model.confusion, "forced") and model.use_dnk and len(dnk):
        raise ValueError(
            "confusion='forced' is for people who may not say don't know, got one (answer number "
            f"{dnk[0]}): use confusion='learned', or use_dnk=False to leave it out"
        )
    if is_word(model.n_clusters, "auto"):
        check_can_choose(model, constraints)
    elif int(model.n_clusters) < 2 and len(constraints):
        raise ValueError(f"answers need n_clusters >= 2, got n_clusters={model.n_clusters}")
    if model.epsilon > 2 / 3 and not ignores_answers(model.epsilon):
        warnings.warn(
            f"epsilon={model.epsilon} is above 2/3: the model will contradict the answers. Choose a smaller one "
            "unless this is intended.",
            UserWarning,
            stacklevel=3,
        )
    return X, constraints


def _warn_of_index(X: Any) -> None:
    """Warn where a DataFrame numbers its rows in another way than answers do, as after rows were left out."""
    index = np.asarray(X.index) if hasattr(X, "iloc") else np.empty(0)
    if index.dtype.kind in "iu" and not np.array_equal(index, np.arange(len(index))):
        warnings.warn(
            f"answers name rows of X by their places 0 to {len(index) - 1}, but X has an index of its own, "
            f"{', '.join(map(str, index[:3]))}, ...: pass X.reset_index(drop=True) if places are meant",
            UserWarning,
            stacklevel=4,
        )


def check_can_choose(model: DCRC, given: AnswersByKind) -> None:
    """Raise unless there is what the number of clusters is chosen by, and nothing that presupposes it."""
    given = given if model.use_dnk else given.without_dnk()
    if not len(given) or (model.confusion is None and ignores_answers(model.epsilon)):
        what = "none" if not len(given) else f"epsilon={model.epsilon:.3g}, which ignores them"
        raise ValueError(f"n_clusters='auto' is chosen by the answers, got {what}: pass answers, or a number")
    if not is_word(model.init, "kmeans"):
        raise ValueError("n_clusters='auto' needs init='kmeans', because cluster numbers belong to one K, got an array")


def noise_model(model: DCRC, given: AnswersByKind, *, is_forced: bool = False) -> NoiseModel | None:
    """Return the noise model of the answers; None has one error rate epsilon for all, Table I."""
    is_forced = is_forced or is_word(model.confusion, "forced")
    if (model.confusion is None and not is_forced) or not len(given):
        return None
    is_learned = is_word(model.confusion, "learned")
    if is_forced:
        matrix = forced(error_matrix(model.epsilon))
    elif model.confusion is None or is_learned:
        matrix = error_matrix(model.epsilon)
    else:
        matrix = as_confusion(model.confusion)
    who = given.people, given.names
    noise = NoiseModel.of(given.triplets, given.pairs, *who, matrix, model.epsilon, is_learned=is_learned)
    # Of one source alone the fit finds out whether its don't knows were dropped; of several each has its own beginning.
    return noise.beginning_forced() if is_learned and len(given.names) > 1 else noise


def is_word(value: object, word: str) -> bool:
    """Whether a parameter that may be an array is this word."""
    return isinstance(value, str) and value == word


def detects_forced(model: DCRC, given: AnswersByKind) -> bool:
    """Whether the fit is to find out by itself that people had to choose: their noise is not given, and dnk counts."""
    unknown = model.confusion is None or is_word(model.confusion, "learned")
    return unknown and model.use_dnk and 0 < model.epsilon < 0.5 and may_have_had_to_choose(given.triplets)


def ignores_answers(epsilon: float) -> bool:
    """Whether epsilon is 2/3, where every answer is equally likely whatever the clusters are."""
    return bool(np.isclose(epsilon, 2 / 3))


def check_parameters(model: DCRC) -> None:
    """Raise if a parameter has a type or value that is not allowed."""
    for name, least in LEAST.items():
        word = "auto" if name == "n_clusters" else None
        if word is None or not is_word(getattr(model, name), word):
            check_number(name, getattr(model, name), least, whole=True, word=word)
    check_number("epsilon", model.epsilon, 0.0, below=1.0)
    check_number("tol", model.tol, 0.0)
    for name in ("tau", "lam"):
        check_number(name, getattr(model, name), 0.0, most=LARGEST_FACTOR)
    if not isinstance(model.weighting, str) or model.weighting not in WEIGHTINGS:
        raise ValueError(f"weighting must be one of {', '.join(WEIGHTINGS)}, got {model.weighting!r}")
    check_number("coef0", model.coef0)
    if not (isinstance(model.gamma, str) and model.gamma == "scale"):
        check_number("gamma", model.gamma, above=0.0, word="scale")
    seed = model.random_state
    if not (seed is None or isinstance(seed, np.random.RandomState)):
        check_number("random_state", seed, 0, most=2**32 - 1, whole=True)
    if model.given is not None and not isinstance(model.given, GivenAnswers):
        raise TypeError(f"given must be None or made by DCRC.with_answers, got {model.given!r:.60}")
    for name in ("balance", "use_dnk", "soft_start", "warm_start"):
        value = getattr(model, name)
        if not isinstance(value, bool | np.bool_):
            raise TypeError(f"{name} must be True or False, got {value!r}")
    if isinstance(model.confusion, str) and model.confusion not in ("learned", "forced"):
        raise ValueError(
            f"confusion must be None, 'learned', 'forced' or a matrix of shape (3, 3), got {model.confusion!r}"
        )
    if model.confusion is not None and not isinstance(model.confusion, str):
        as_confusion(model.confusion)
    if not callable(model.kernel) and not (isinstance(model.kernel, str) and model.kernel in KERNELS):
        raise ValueError(f"kernel must be a callable or one of {', '.join(KERNELS)}, got {model.kernel!r}")


def check_number(
    name: str,
    value: object,
    least: float | None = None,
    *,
    above: float | None = None,
    below: float | None = None,
    most: float | None = None,
    whole: bool = False,
    word: str | None = None,
) -> None:
    """Raise unless a parameter is a finite number within its limits; a `word` that it may be instead is named.

    Examples
    --------
    >>> check_number("tau", -1.0, 0.0, most=10.0)
    Traceback (most recent call last):
    ValueError: tau must be a number of at least 0 and at most 10, got -1.0
    """
    kind = Integral if whole else Real
    rule = finite(kind, least=least, above=above, below=below, most=most)
    what = rule.expected + (f" or {word!r}" if word else "")
    if isinstance(value, bool) or not isinstance(value, kind):
        raise TypeError(f"{name} must be {what}, got {value!r:.60}")
    if not rule.fits(value):
        raise ValueError(f"{name} must be {what}, got {value}")


def check_instances(model: DCRC, X: FloatArray) -> None:
    """Raise if the instances do not fit the parameters."""
    N, K = len(X), FEWEST if is_word(model.n_clusters, "auto") else int(model.n_clusters)
    if N < K:
        raise ValueError(f"n_samples={N} should be >= n_clusters={K}")
    largest = float(np.abs(X).max(initial=0.0))
    if largest > LARGEST_VALUE:
        raise ValueError(f"X must hold values up to {LARGEST_VALUE:g} in size, got {largest:.3g}: change its unit")
    if model.kernel == "precomputed" and (X.shape[0] != X.shape[1] or not np.allclose(X, X.T)):
        what = f"shape {X.shape}" if X.shape[0] != X.shape[1] else "one that is not symmetric"
        raise ValueError(f"a precomputed kernel must be a square, symmetric matrix, got {what}")
    if isinstance(model.init, str) and model.init == "kmeans":
        return
    try:
        labels = np.asarray(model.init)
    except ValueError:
        labels = np.empty(())
    if labels.shape != (N,) or labels.dtype.kind not in "iuf" or not np.isin(labels, np.arange(K)).all():
        got = (
            f"{model.init!r:.60}" if labels.ndim == 0 else f"shape {labels.shape} with values like {labels.ravel()[:5]}"
        )
        raise ValueError(
            f"init must be 'kmeans' or {N} cluster numbers from 0 to {K - 1}, one for each row of X, got {got}"
        )


def warn_of_fit(model: DCRC) -> None:
    """Warn the caller of the estimator when its fit is not what was asked for, and say what helps."""
    if model.forced_ and (model.confusion is None or is_word(model.confusion, "learned")):
        warnings.warn(
            "none of the answers is don't know, and clusters agreed with less than half of them: they are taken as "
            "forced choices. Pass confusion='forced' to confirm this, or confusion=error_matrix(epsilon) if don't "
            "know was allowed.",
            UserWarning,
            stacklevel=3,
        )
    if model.max_iter and not model.converged_:
        warnings.warn(
            f"EM stopped after max_iter={model.max_iter} iterations while the bound was still rising: "
            "raise max_iter, or raise tol if a rougher fit will do.",
            ConvergenceWarning,
            stacklevel=3,
        )
    n_empty = model.n_clusters_ - len(np.unique(model.labels_))
    if n_empty:
        warnings.warn(
            f"{n_empty} of {model.n_clusters_} clusters {'is' if n_empty == 1 else 'are'} empty: lower lam, "
            "standardise X (lam has more effect on small values), or ask for fewer clusters.",
            ConvergenceWarning,
            stacklevel=3,
        )


def warn_of_scales(model: DCRC, X: FloatArray) -> None:
    """Warn the caller of the estimator when one feature decides nearly alone, and say what helps."""
    deviations = X.std(axis=0) if model.kernel in ("linear", "rbf", "poly") else np.empty(0)
    usual = float(np.median(deviations[deviations > 0])) if deviations.any() else np.inf
    if deviations.max(initial=0.0) > _DOMINATES * usual:
        warnings.warn(
            f"feature {deviations.argmax()} has a standard deviation of {deviations.max():.3g}, the others of about "
            f"{usual:.3g}: it decides nearly alone. Put a StandardScaler before DCRC unless this is intended.",
            UserWarning,
            stacklevel=3,
        )
