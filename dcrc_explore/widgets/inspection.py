"""The numbers of the tab Why: a point explained, epsilon swept, errors planted and found."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from dcrc_explore.inspection import SweepPoint
from dcrc_explore.session import Exploration, Gathering, Pair, Session, explain_point, find_errors
from dcrc_explore.session.inspection import doubts, where_they_part
from dcrc_explore.session.inspection import why as in_words
from dcrc_explore.widgets.protocol.numbers import BothWhy, ErrorsWhy, NoPoint, PointWhy, SweepState

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure

# Rows of the ranking that the browser shows.
_MOST_ROWS = 200


def pack_point(session: Exploration, point: int, iteration: int | None) -> PointWhy | NoPoint:
    """Pack how q(y) of a point comes about: P(y|x), F(y) answer by answer, alpha^F(y); -1 is no point."""
    if not 0 <= point < len(session.dataset.X):
        return {"point": -1}
    return _point(session, point, iteration)


def _point(session: Exploration, point: int, iteration: int | None) -> PointWhy:
    why = explain_point(session, point, iteration)
    fit = session.fit if iteration is None else session.model.trace.replay(iteration)
    unused = int((fit.log.points == point).any(axis=1).sum()) - len(why.contributions)
    return {
        "point": point,
        "sentence": in_words(why, int(fit.labels[point]), session.state.cluster_name),
        "proba": why.proba.tolist(),
        "compatibility": why.compatibility.tolist(),
        "factor": why.factor.tolist(),
        "q": why.q.tolist(),
        "epsilon": why.epsilon,
        "alpha": why.alpha if isfinite(why.alpha) else None,
        "set": why.max_compatible.tolist(),
        "parts": [
            {
                "index": part.index,
                "answer": int(part.answer),
                "place": part.place,
                "values": part.values.tolist(),
                "pair": list(part.question) if part.is_pair else None,
            }
            for part in why.contributions
        ],
        "unused": unused,  # don't-know answers that the model ignores
    }


def pack_both(pair: Pair, point: int) -> BothWhy | NoPoint:
    """Pack a point under two models: where they part in a sentence, and each model's own explanation."""
    if not 0 <= point < len(pair.first.dataset.X):
        return {"point": -1}
    models = [_point(each, point, None) for each in (pair.first, pair.second)]
    labels = [int(each.fit.labels[point]) for each in (pair.first, pair.second)]
    why = [explain_point(each, point) for each in (pair.first, pair.second)]
    return {"point": point, "sentence": where_they_part(why, labels, pair.first.state.cluster_name), "models": models}


def pack_errors(session: Session) -> ErrorsWhy:
    """Pack the answers by how little the model believes them, and how well that finds the known errors."""
    found, bits = find_errors(session), doubts(session)
    rows = zip(found.order.tolist(), found.planted.tolist(), strict=True)
    return {
        "answers": len(found.order),
        "errors": found.n_errors,
        "found": found.found,
        "precision": found.precision.tolist(),
        "recall": found.recall.tolist(),
        "rows": [(t, float(bits[t]), planted) for t, planted in rows][:_MOST_ROWS],
    }


def pack_sweep(sweep: Gathering[SweepPoint]) -> SweepState:
    """Pack what is known of the sweep over epsilon."""
    return {
        "points": [*sweep.results],
        "total": sweep.total,
        "running": sweep.running,
        "current": sweep.current,
        "error": sweep.error,
    }


def figures(session: Session, sweep: Gathering[SweepPoint], point: int, iteration: int | None) -> dict[str, Figure]:
    """Return by name, as matplotlib figures, the pictures of the tab Why that there is something to show in."""
    from dcrc_explore import plotting

    pictures = {}
    if 0 <= point < len(session.dataset.X):
        pictures["why"], ax = plotting.new_figure((7.6, 2.6))
        plotting.plot_explanation(explain_point(session, point, iteration), ax=ax)
    if sweep.results:  # others may come when the session is not locked any more
        pictures["sweep"], ax = plotting.new_figure((4.8, 3.6))
        plotting.plot_sweep(sweep.results, epsilon=session.settings.epsilon, ax=ax)
    if session.log:
        pictures["errors"], ax = plotting.new_figure((4.6, 3.0))
        plotting.plot_recovery(find_errors(session), ax=ax)
    return pictures
