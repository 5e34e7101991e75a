"""Constraints: answers to "is x_i more similar to x_j than to x_k?" and to "do x_i and x_j belong together?".

Every function of the library takes questions and answers through :class:`Triplets` and :class:`Pairs`, the one place
where shapes, indices and answer names are checked. A :class:`Log` holds all answers in order, with who gave each of
them and when.
"""

from dcrc_explore.constraints.answers import (
    ANSWER_CLASSES,
    Answer,
    AnswerLike,
    answer_columns,
    answers_in_columns,
    as_answers,
    count_answers,
    other_answers,
)
from dcrc_explore.constraints.formats import AmbiguousAnswers, read_answers
from dcrc_explore.constraints.implied import answer_proba, implied_answers, to_pairs
from dcrc_explore.constraints.log import LONGEST_NAME, MOST_ANSWERS, Entry, Log, as_log, checked_answers
from dcrc_explore.constraints.triplets import (
    Pairs,
    Triplets,
    as_pairs,
    as_questions,
    as_triplets,
    check_not_answers,
    same_question,
)
from dcrc_explore.constraints.writing import write_answers

__all__ = ["Answer", "Pairs", "Triplets", "implied_answers", "read_answers", "write_answers"]
