"""The numbers of the panels and of the tabs Clusters, People, Why and Methods, and what a person does there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from dcrc_explore.arrays import PackedArray, packed
from dcrc_explore.baselines import MethodResult
from dcrc_explore.information import random_worth
from dcrc_explore.inspection import SweepPoint
from dcrc_explore.metrics import align_clusters
from dcrc_explore.page.curves import pack_answer_curves, pack_cluster_curves
from dcrc_explore.session import Exploration, Fit, Gathering, Gesture, Gestures, Pair, Session, SessionError, inspection
from dcrc_explore.session.fit import MEASURES
from dcrc_explore.session.search import EARLY
from dcrc_explore.session.story import forced_choices, repeats_in_words
from dcrc_explore.widgets.protocol import Verbs, numbers
from dcrc_explore.words import count

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure


# The panels: static/panels.js draws them ----------------------------------------------------------------------------


def pack_panels(session: Session, fit: Fit, iteration: int | None, version: int, *, truth: bool) -> numbers.Panels:
    """Pack the numbers of the panels; `iteration` is the EM iteration on show, None for the last.

    Without `truth` nothing that is computed from the true classes is among them.
    """
    objective, quality = session.model.trace.objective, session.model.quality if truth else []
    final = len(objective) - 1
    return {
        "information": pack_information(session, fit),
        "objective": {
            "terms": [{"name": name, "values": values.tolist()} for name, values in objective.terms().items()],
            "iteration": final if iteration is None else iteration,
            "iterations": final,
            "ending": "cycles" if objective.cycling else "" if objective.converged else "not converged",
        },
        "quality": None
        if not quality
        else {
            "answers": [record.n_answers for record in quality],
            "curves": [
                {"name": name, "values": [getattr(record, field) for record in quality]}
                for name, field in MEASURES.items()
            ],
        },
        "answers": {"counts": fit.answer_table.tolist()} if fit.answer_table.any() else None,
        "balance": {"shares": fit.shares.tolist()},
        "version": version,
    }


def pack_information(session: Exploration, fit: Fit) -> numbers.Information:
    """Pack the information curves of a model, as it is now or at an EM iteration."""
    settings = session.model.trace.settings
    return {
        "answers": pack_answer_curves(session.model.answer_curves),
        "clusters": pack_cluster_curves(session.model.cluster_curves(fit)),
        "random": random_worth(fit.proba, settings.epsilon, use_dnk=settings.use_dnk),
    }


# The tabs -----------------------------------------------------------------------------------------------------------

_GALLERY = 8  # items of each kind


def pack_gallery(fit: Fit, *, truth: bool) -> list[numbers.ClusterSent]:
    """Pack the most certain, the most doubtful and, where the truth is shown, the mistaken points of each cluster.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> first, *_ = pack_gallery(Session("moons", autosave=None).fit, truth=False)
    >>> len(first["certain"]), first["mistaken"]
    (8, [])
    """
    galleries = [fit.gallery(k, _GALLERY)._asdict() for k in range(fit.n_clusters)]
    return [cast(numbers.ClusterSent, each if truth else {**each, "mistaken": []}) for each in galleries]


def pack_order(fit: Fit) -> PackedArray:
    """Pack the numbers of all points, those first of whose cluster the model is most certain.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> pack_order(Session("moons", autosave=None).fit)["shape"]
    [100]
    """
    certainty = fit.proba[np.arange(len(fit.labels)), fit.labels]
    return packed(np.argsort(-certainty, kind="stable"), "int32")


class Proposals:
    """The gesture that a person looks at before it counts.

    Examples
    --------
    >>> proposals = Proposals(lambda sent: print(sent["proposal"]["title"]))
    >>> message = {"gesture": "merge", "clusters": [0, 1], "rows": []}
    >>> proposals.verbs["propose"](Session("far", autosave=None), message)
    Cluster 1 and cluster 2 belong together.
    """

    def __init__(self, send: Callable[[dict[str, numbers.Proposal]], object]) -> None:
        self._send = send
        self._number = 0
        self._gesture: Gesture | None = None
        self.verbs: Verbs = {"propose": self._propose, "confirm": self._confirm}

    def _propose(self, session: Session, message: Mapping[str, Any]) -> None:
        """Choose the answers of a gesture and send them."""
        gestures, kind = Gestures(session), message["gesture"]
        clusters, rows = message["clusters"], message["rows"]
        needed, propose = {
            "merge": (2, lambda: gestures.merge(*clusters)),
            "split": (1, lambda: gestures.split(clusters[0], rows or None)),
            "move": (1, lambda: gestures.move(rows, clusters[0])),
            "together": (0, lambda: gestures.together(rows)),
            "group": (0, lambda: gestures.new_group(rows)),
        }[kind]
        if len(clusters) != needed:
            raise SessionError(f"the gesture {kind!r} is about {count(needed, 'cluster')}, got {len(clusters)}")
        gesture = propose()
        self._number, self._gesture = self._number + 1, gesture
        proposal: numbers.Proposal = {
            "number": self._number,
            "title": gesture.title,
            "points": [list(points) for points in gesture.points],
            "clusters": [session.settings.n_clusters, gesture.n_clusters],
        }
        self._send({"proposal": proposal})

    def _confirm(self, session: Session, message: Mapping[str, Any]) -> str:
        """Do the gesture that was proposed under a number, and say what came of it."""
        gesture, lines = self._gesture, sorted(set(message["lines"]))
        if gesture is None or message["number"] != self._number:
            raise SessionError("another gesture was proposed since: look at its answers first")
        if lines and not 0 <= lines[0] <= lines[-1] < len(gesture.points):
            raise SessionError(f"the lines of this gesture are 0 to {len(gesture.points) - 1}, got {lines}")
        self._gesture = None
        Gestures(session).do(gesture, change_k=message["clusters"], lines=lines)
        return f"{count(len(lines), 'answer')} added. Undo (Z) takes them back in one step."


def pack_groups(session: Session) -> numbers.GroupsSent | None:
    """Pack how well other numbers of clusters fit the answers; None where the number is known."""
    if session.dataset.y is not None and not session.settings.open_k:
        return None
    scan, M, K = session.search.scan, session.state.n_answers, session.settings.n_clusters
    if scan is None:
        words = "Pause, and this shows how many groups your answers fit."
        if M < EARLY:
            words = f"From {EARLY} answers on, this shows how many groups they fit; now there are {M}."
        return {"words": words, "numbers": [], "values": [], "best": K, "current": K}
    words = f"{count(scan.n_answers, 'answer')} {scan.words(K)}. {scan.both(K)}".strip()
    return {
        "words": words,
        "numbers": [each.n_clusters for each in scan.found],
        "values": [each.value for each in scan.found],
        "best": scan.best,
        "current": K,
    }


_MOST_AGREEMENTS = 20
_FEW = 10  # questions in common below which no kappa is shown: its standard error is about 0.3 there


def pack_people(session: Session, version: int) -> numbers.PeopleSent:
    """Pack what the tab People shows."""
    forced = forced_choices(session.fit.forced)
    return {
        "version": version,
        "people": [cast(numbers.PersonSent, _plain(person._asdict())) for person in inspection.people(session)],
        "agreements": [
            {
                "names": [each.first, each.second],
                "common": each.n_common,
                "share": None if isnan(each.share) else each.share,
                "kappa": None if isnan(each.kappa) or each.n_common < _FEW else each.kappa,
                "few": each.n_common < _FEW,
            }
            for each in inspection.agreements(session)[:_MOST_AGREEMENTS]
        ],
        "noise": " ".join(filter(None, [_noise_model(session), repeats_in_words(session.state), forced])),
        "several": session.settings.per_person,
    }


def _plain(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record with lists in the place of its arrays."""
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in record.items()}


def _noise_model(session: Session) -> str:
    """Say which noise model there is."""
    n_people, epsilon = len(session.log.names), session.state.fit_settings.epsilon
    if session.fit.people:
        return (
            f"{n_people} people: each has a noise model of their own, which is learned from the answers, beginning "
            f"with ε = {epsilon:.3g}."
        )
    if n_people < 2:
        then = "; from a second name on, each person has one of their own" if session.settings.per_person else ""
        return f"All answers share one noise model, with ε = {epsilon:.3g}{then}."
    return f"{n_people} people share one noise model, with ε = {epsilon:.3g}."


# What a person does there -------------------------------------------------------------------------------------------


def _plant(session: Session, message: Mapping[str, Any]) -> None:
    seed = int(inspection.known_errors(session).sum())
    inspection.plant(session, message["errors"], seed=seed, person=message.get("person"))


IN_TABS: Verbs = {
    "flip": lambda session, message: session.flip(message["index"], message["answer"]),
    "delete": lambda session, message: session.delete(message["index"]),
    "apart": lambda session, message: session.set(per_person=message["on"]),
    "plant": _plant,
    "epsilon": lambda session, message: session.set(epsilon=message["value"]),
    "follow": lambda session, _: session.set(**session.search.suggested),  # the advice
    "name": lambda session, message: session.name_cluster(message["cluster"], message["name"]),
    "person": lambda session, message: setattr(session, "person", message["name"]),
}

# Rows of the ranking that the browser shows.
_MOST_ROWS = 200


def pack_point(session: Exploration, point: int, iteration: int | None) -> numbers.PointWhy | numbers.NoPoint:
    """Pack how q(y) of a point comes about: P(y|x), F(y) answer by answer, alpha^F(y); -1 is no point."""
    if not 0 <= point < len(session.dataset.X):
        return {"point": -1}
    return _point(session, point, iteration)


def _point(session: Exploration, point: int, iteration: int | None) -> numbers.PointWhy:
    why = inspection.explain_point(session, point, iteration)
    fit = session.fit if iteration is None else session.model.trace.replay(iteration)
    unused = int((fit.log.points == point).any(axis=1).sum()) - len(why.contributions)
    return {
        "point": point,
        "sentence": inspection.why(why, int(fit.labels[point]), session.state.cluster_name),
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


def pack_both(pair: Pair, point: int) -> numbers.BothWhy | numbers.NoPoint:
    """Pack a point under two models: where they part in a sentence, and each model's own explanation."""
    if not 0 <= point < len(pair.first.dataset.X):
        return {"point": -1}
    models = [_point(each, point, None) for each in (pair.first, pair.second)]
    labels = [int(each.fit.labels[point]) for each in (pair.first, pair.second)]
    why = [inspection.explain_point(each, point) for each in (pair.first, pair.second)]
    sentence = inspection.where_they_part(why, labels, pair.first.state.cluster_name)
    return {"point": point, "sentence": sentence, "models": models}


def pack_errors(session: Session) -> numbers.ErrorsWhy:
    """Pack the answers by how little the model believes them, and how well that finds the known errors."""
    found, bits = inspection.find_errors(session), inspection.doubts(session)
    rows = zip(found.order.tolist(), found.planted.tolist(), strict=True)
    return {
        "answers": len(found.order),
        "errors": found.n_errors,
        "found": found.found,
        "precision": found.precision.tolist(),
        "recall": found.recall.tolist(),
        "rows": [(t, float(bits[t]), planted) for t, planted in rows][:_MOST_ROWS],
    }


def pack_sweep(sweep: Gathering[SweepPoint]) -> numbers.SweepState:
    """Pack what is known of the sweep over epsilon."""
    return {"points": [*sweep.results], **_progress(sweep)}


def figures(session: Session, sweep: Gathering[SweepPoint], point: int, iteration: int | None) -> dict[str, Figure]:
    """Return by name, as matplotlib figures, the pictures of the tab Why that there is something to show in."""
    from dcrc_explore import plotting

    pictures = {}
    if 0 <= point < len(session.dataset.X):
        pictures["why"], ax = plotting.new_figure((7.6, 2.6))
        why = inspection.explain_point(session, point, iteration)
        plotting.plot_explanation(why, name=session.dataset.called(point), ax=ax)
    if sweep.results:  # others may come when the session is not locked any more
        pictures["sweep"], ax = plotting.new_figure((4.8, 3.6))
        plotting.plot_sweep(sweep.results, epsilon=session.state.fit_settings.epsilon, ax=ax)
    if session.log:
        pictures["errors"], ax = plotting.new_figure((4.6, 3.0))
        plotting.plot_recovery(inspection.find_errors(session), ax=ax)
    return pictures


def pack_methods(methods: Gathering[MethodResult], *, truth: bool) -> numbers.MethodsState:
    """Pack the results, with clusters numbered like those of the session's model; with `truth` the ARI too."""
    return {
        "results": [_pack_method(methods.results[0], each, truth=truth) for each in methods.results],
        **_progress(methods),
    }


def _progress(work: Gathering[Any]) -> numbers.GatheringSent:
    return {"total": work.total, "running": work.running, "current": work.current, "error": work.error}


def _pack_method(model: MethodResult, found: MethodResult, *, truth: bool) -> numbers.MethodSent:
    labels = None
    if found.labels is not None and model.labels is not None:
        numbered = np.unique(found.labels, return_inverse=True)[1]
        labels = packed(align_clusters(model.labels, numbered)[numbered], "uint8")
    return cast(numbers.MethodSent, {**vars(found), "labels": labels, "ari": found.ari if truth else None})
