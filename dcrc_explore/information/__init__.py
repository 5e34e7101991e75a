r"""Information: what an answer is worth, how far it surprised, and what is left to learn.

Everything is in bits. Y are the memberships of the points of a question, a the answer that they imply by Eq. (1) or
(2), l the answer that a person gives, and C the noise model P(l|a): Table I with epsilon, or a learned matrix.

**By K.** For three points of which nothing is known but that the K clusters have equal size, and a person without
errors, I(Y; l) has the closed forms of Eqs. (3) to (5): :func:`relative_information`, :func:`pairwise_information`,
:func:`relative_information_without_dnk`. For clusters with shares p and any C, the exact sum is short, because l
depends on Y only through a,

.. math:: I(Y; l) = \sum_{a,l} P(a)\,C_{al} \log_2 \frac{C_{al}}{\sum_{a'} P(a')\,C_{a'l}},
          \qquad P(yes) = P(no) = \sum_k p_k^2 (1 - p_k),

and for a pair :math:`P(together) = \sum_k p_k^2`: :func:`expected_relative_information` and
:func:`expected_pairwise_information`. :func:`information_curves` has all of them over K, where a model with K clusters
says how unequal the clusters are for any other number (:func:`as_unequal`).

**One question.** A model that was fitted to the t - 1 answers before has :math:`P_{t-1}(y|x)` for each point, which
gives P(a) for the points of question t. The same sum is what its answer is *worth*, :math:`I_t`
(:func:`expected_answers`). The *surprise* of the answer is :math:`s_t = -\log_2 P_{t-1}(l_t)`. On average it is

.. math:: E[s_t] = H(l_t) = I_t + H(l_t|Y_t):

the worth, and the noise that the model expects. When the same question was answered before, its earlier answers
l' multiply P(a) by :math:`C_{al'}`, so a repetition is worth little.

**By answers.** :class:`AnswerCurves` adds up, answer by answer, the worth :math:`\sum_t I_t`, the surprise
:math:`\sum_t s_t`, and what as many random questions were worth to the same models, :math:`\sum_t r_t` with
:math:`r_t` the mean worth of all questions of the same kind under :math:`P_{t-1}` (:func:`random_worth`). The
uncertainty that is left is :math:`\sum_i H(P_t(y|x_i))` over all points, :func:`entropy`; a part of it belongs to the
points that were asked about.

**Bounds.** :math:`I_t \le H(l_t) \le \log_2 3`, and :math:`I_t` is at most the entropy of the memberships of its
points. So the worth of all questions is at most what these memberships had to give when they were asked. Questions
without a common point, asked of one model, are together worth at most all the uncertainty that there is. Several
answers about the same points share information, so their values in bits do not add up.
"""

from dcrc_explore.information.curves import AnswerCurves, ClusterCurves, Left
from dcrc_explore.information.expectation import (
    Expectation,
    entropy,
    expected_answer,
    expected_answers,
    random_worth,
    surprise,
    surprises,
)
from dcrc_explore.information.formulas import (
    as_unequal,
    dnk_share,
    expected_pairwise_information,
    expected_relative_information,
    information_curves,
    pairwise_information,
    relative_information,
    relative_information_without_dnk,
)
from dcrc_explore.questions import pair_information, question_information

__all__ = [
    "expected_relative_information",
    "pairwise_information",
    "relative_information",
    "relative_information_without_dnk",
]
