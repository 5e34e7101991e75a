"""The numbers of the panels and of the tabs, sent when the browser asks for them."""

from __future__ import annotations

from typing import Literal, TypedDict

from dcrc_explore.arrays import PackedArray
from dcrc_explore.page.sent import AnswerInformation, ClusterInformation, Curve


class Information(TypedDict):
    """What answers told, what one is worth over K, and what a random question is worth to the model now."""

    answers: AnswerInformation
    clusters: ClusterInformation
    random: float


class ObjectiveTerms(TypedDict):
    """The bound and its terms at each EM iteration; `ending` says how EM ended, if not well."""

    terms: list[Curve]
    iteration: int
    iterations: int
    ending: str


class QualityCurves(TypedDict):
    """Agreement with the truth by number of answers."""

    answers: list[int]
    curves: list[Curve]


class AnswerTable(TypedDict):
    """Answers given (rows) and implied by the model (columns), in the order yes, no, don't know."""

    counts: list[list[int]]


class Balance(TypedDict):
    """The share of the points in each cluster."""

    shares: list[float]


class Panels(TypedDict):
    """The panels of the picture with this version; no quality without a truth, no answers before the first."""

    information: Information
    objective: ObjectiveTerms
    quality: QualityCurves | None
    answers: AnswerTable | None
    balance: Balance
    version: int


class AnswerPart(TypedDict):
    """What one answer contributes to F(y) of a point, which stands at `place` in it; `pair` names those of a pair."""

    index: int
    answer: int
    place: int
    values: list[float]
    pair: list[int] | None


class NoPoint(TypedDict):
    """There is no such point to explain: -1."""

    point: int


class PointWhy(TypedDict):
    """How q(y) of a point comes about; alpha is None for hard answers, `unused` are ignored don't-know answers."""

    point: int
    sentence: str
    proba: list[float]
    compatibility: list[float]
    factor: list[float]
    q: list[float]
    epsilon: float
    alpha: float | None
    set: list[int]
    parts: list[AnswerPart]
    unused: int


class BothWhy(TypedDict):
    """A point under two models: where they part in a sentence, and each model's own explanation."""

    point: int
    sentence: str
    models: list[PointWhy]


class ErrorsWhy(TypedDict):
    """The answers by how little the model believes them: number, bits of doubt, whether it is known to be wrong."""

    answers: int
    errors: int
    found: int
    precision: list[float]
    recall: list[float]
    rows: list[tuple[int, float, bool]]


class WhyHead(TypedDict):
    """Which view of the tab Why its numbers are for; `key` is that of the message which asked."""

    view: Literal["point", "errors"]
    key: str


class ClusterSent(TypedDict):
    """What is in a cluster: how many points, and some of them."""

    size: int
    certain: list[int]
    doubtful: list[int]
    mistaken: list[int]


class GroupsSent(TypedDict):
    """How well numbers of clusters fit the answers: the bound less a penalty; no numbers before that is known."""

    words: str
    numbers: list[int]
    values: list[float]
    best: int
    current: int


class Proposal(TypedDict):
    """The answers of a gesture, all of them yes, and K before and after."""

    number: int
    title: str
    points: list[list[int]]
    clusters: list[int]


class GallerySent(TypedDict):
    """What is in each cluster of the picture with this version, and names for each that are suggested.

    `order` has all points, the most certain first.
    """

    clusters: list[ClusterSent]
    names: list[list[str]]
    order: PackedArray
    groups: GroupsSent | None
    version: int


class PersonSent(TypedDict):
    """What is known of one person.

    The matrix has counts where its source is the truth, probabilities where it is learned: answers implied in rows,
    answers given in columns. `pairs_right` is the share of right answers about pairs, `n_errors` how many are known.
    `learned` has the probabilities that are learned beside the truth; `dnk_rate` is the share of don't know, `surprise`
    a mean in bits, and `forced` says whether it seems that they had to choose. `habit` is in words.
    """

    name: str
    n_triplets: int
    n_pairs: int
    matrix: list[list[float]] | None
    source: str
    pairs_right: float | None
    n_errors: int
    learned: list[list[float]] | None
    dnk_rate: float | None
    surprise: float | None
    forced: bool
    habit: str


class AgreementSent(TypedDict):
    """How far two people agree where both answered the same question; of a `few` questions there is no kappa."""

    names: list[str]
    common: int
    share: float | None
    kappa: float | None
    few: bool


class PeopleSent(TypedDict):
    """Who answered the picture with this version, their noise model, and whether several have one each."""

    version: int
    people: list[PersonSent]
    agreements: list[AgreementSent]
    noise: str
    several: bool


class GatheringSent(TypedDict):
    """How results that come one after another stand; `error` is empty if there is none."""

    total: int
    running: bool
    current: bool
    error: str


class SweepState(GatheringSent):
    """What is known of the sweep: epsilon, share satisfied, entropy in bits, agreement, EM iterations of each point."""

    points: list[tuple[float, float, float, float | None, int]]


class MethodSent(TypedDict):
    """What a method made of the answers: its clusters, or why there are none, and how far they agree with the truth."""

    method: str
    labels: PackedArray | None
    ari: float | None
    satisfied: float | None
    held_out: float | None
    seconds: float
    note: str


class MethodsState(GatheringSent):
    """What is known of the other methods, the session's model first."""

    results: list[MethodSent]
