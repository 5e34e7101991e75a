"""What an answer would do to the picture, if everybody gave it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Thread

from dcrc_explore.constraints import Answer
from dcrc_explore.room.classroom.vote import Vote
from dcrc_explore.session import Session
from dcrc_explore.session.story import moves
from dcrc_explore.session.trace import Request, Trace


def would_do(session: Session, rows: Sequence[int], answer: Answer, by: Sequence[str]) -> Callable[[], str]:
    """Return a function that computes what an answer of these people would do.

    It may be called in any thread, and does not change the session.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> session = Session("close", autosave=None)
    >>> would_do(session, (0, 1, 149), Answer.YES, ["guest 1"])()[:32]
    '25 points would change cluster, '
    """
    request, fit = session.model.trace.request, session.fit
    log = request.log.plus([tuple(rows)] * len(by), [answer] * len(by), by=list(by))
    people = replace(session.state, log=log).annotators

    def find_out() -> str:
        changed: Request = replace(request, log=log, people=people, start=fit.weights, reference=fit.proba)
        trace = Trace(changed, list(changed.steps()), 0.0)
        text = moves(fit.labels, trace.fit.labels, None, session.state.cluster_name)
        return text.replace(" changed ", " would change ")

    return find_out


def find_effects(session: Session, vote: Vote, by: Sequence[str], finished: Callable[[], object]) -> None:
    """Find out, in a thread of its own, what each answer of a vote would do to the session as it is now."""
    work = [would_do(session, vote.rows, answer, by or ["guest 1"]) for answer in Answer]

    def find_out() -> None:
        vote.would = tuple(each() for each in work)
        finished()

    Thread(target=find_out, daemon=True).start()
