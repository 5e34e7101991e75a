"""DCRC with part of its information withheld."""

from __future__ import annotations

from typing import Any, Self

from numpy.typing import ArrayLike

from dcrc_explore.constraints import AnswerLike, check_not_answers
from dcrc_explore.model import DCRC
from dcrc_explore.model.validation import validated


class DCRCWithoutAnswers(DCRC):
    r"""DCRC that uses no answers: discriminative clustering by separation and balance alone.

    .. math:: \max_W -\lambda R(W) + \tau [H(\hat y | X; W) - H(Y | X; W)]

    Parameters
    ----------
    n_clusters, tau, lam, balance, random_state
        As in :class:`DCRC`.

    Examples
    --------
    >>> labels = DCRCWithoutAnswers(2, random_state=0).fit([[0.0], [0.1], [5.0], [5.1]]).labels_
    >>> bool(labels[0] == labels[1] != labels[2] == labels[3])
    True
    """

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        tau: float = 1.0,
        lam: float = 2**-6,
        balance: bool = True,
        random_state: int | None = None,
    ) -> None:
        super().__init__(n_clusters, tau=tau, lam=lam, balance=balance, random_state=random_state)

    def fit(self, X: ArrayLike, y: object = None, answers: AnswerLike | None = None, **given: Any) -> Self:
        """Check the answers, ignore them, and cluster X."""
        check_not_answers(y)
        array, _ = validated(self, X, answers=answers, **({"triplets": None} | given))
        return super().fit(array)
