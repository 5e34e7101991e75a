"""The tool as one HTML file that lives without Python: what the page needs of Python, and the page."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from functools import cache
from typing import Any

import numpy as np

from dcrc_explore.arrays import packed
from dcrc_explore.browser import bare, script, style, variable
from dcrc_explore.constraints import Answer, Log
from dcrc_explore.datasets import Dataset, list_datasets, make_dataset
from dcrc_explore.datasets.drawn import Drawing
from dcrc_explore.datasets.pictures import lighter
from dcrc_explore.page.document import html
from dcrc_explore.palette import cluster_colour, cluster_marker
from dcrc_explore.scenes import Scene, playable_scenes
from dcrc_explore.scenes.performing import play
from dcrc_explore.scenes.playing import opening_settings, scene_data, shares_answers
from dcrc_explore.session import Session, SessionError, Settings
from dcrc_explore.session.format import FORMAT, VERSION
from dcrc_explore.session.state import State, Subject
from dcrc_explore.session.story import asserts
from dcrc_explore.widgets.controls import Control
from dcrc_explore.widgets.data import drawing_controls, subject_controls
from dcrc_explore.widgets.explorer import Explorer
from dcrc_explore.widgets.files import LIVE_CLUSTERS, LIVE_FEATURES, LIVE_KERNELS, LIVE_POINTS, not_live
from dcrc_explore.widgets.hosts import STYLES
from dcrc_explore.widgets.protocol.sent import ControlSent
from dcrc_explore.widgets.scene import kind_of_items, plain_options

_HIDDEN = ("people", "clusters", "why", "information", "methods")
_FIRST = "answers-pay"
_CARD = 96  # pixels of an item
_LONGEST = 400  # characters of its text
_LIVE = variable("live.js")
_SERVE = f"if (typeof document === 'undefined') {variable('live/work.js')}.serve();"
# The controls of each group that the page's engine has something behind.
_KEPT = {
    "top": ("data", "n_clusters", "renew", "hardness"),
    "scenes": ("scene",),
    "view": ("map", "links", "truth", "compare"),
    "ask": ("strategy", "oracle", "error", "ask.1", "ask.10", "asked", "told"),
    "model": (
        *("soft", "epsilon", "tau", "lam", "balance", "use_dnk", "weighting", "kernel", "gamma", "restart", "reset"),
    ),
}
_KEPT_OF_TWO = {
    **{group: _KEPT[group] for group in ("scenes", "view", "ask")},
    "top": ("back", "data", "n_clusters", "renew"),
    "first": _KEPT["model"],
    "second": tuple(f"second.{name}" for name in _KEPT["model"]),
}
_WORDS = {
    "kept": "Answers stay in this browser, on this machine alone.",
    "lost": "This browser keeps nothing for this page: take the session file or the link.",
    "browser": "this browser",
    "link": "A link to this page with its data, settings and answers",
    "frame": "A frame for slides or a course: put the file beside them, and this where the page is to appear",
    "random": "Drawn at random.",
    "again": "Taken back: answer again, or press Enter for another.",
    "yourself": "You answer with Yes, No and Don't know. To ask many at once, let someone else answer.",
    "gone": "{} went with the points. Undo (Z) leads back.",
    "unknown": "These data have no true classes, so only you can answer.",
}
_SAVED = "What this page has, as a file that the Python tool opens: dcrc_explore.widgets.Explorer.load"
_OWN_BUTTONS = (
    Control("saved", "words"),
    Control("csv", "button", "Answers", "Table (CSV)", "A line for each answer; every program here reads it"),
    Control("file", "button", "", "Session file", _SAVED),
    Control("link", "button", "Share", "Link", _WORDS["link"]),
    Control("frame", "button", "", "Frame", _WORDS["frame"]),
    Control(
        "forget", "button", "Begin again", "Forget these answers", "The same data without answers; Undo (Z) leads back"
    ),
)


def live_page(session: Session | None = None, *, scene: str = "") -> str:
    """Return the tool as a page that answers, fits and draws without Python.

    Parameters
    ----------
    session : Session, optional
        The page begins with its data, settings and answers: up to 1,000 points with 20 features, and their pictures
        or texts.
    scene : str, optional
        Or with a scene, by name; by default with the first one.

    Examples
    --------
    >>> live_page(scene="answers-pay")[:15]
    '<!doctype html>'
    """
    title = session.dataset.name if session is not None else _scenes()[_known(scene)]["title"]
    body = '<main class="dcrc-live"></main>'
    return html(f"{title} · DCRC Explorer", body, code=script("unzip.js"), live=live_code(session, scene=scene))


def live_code(session: Session | None = None, *, scene: str = "") -> str:
    """Return the script that makes a page live: that of :func:`live_page`, and of a film that goes on."""
    return f"{_parts(session, scene, 'live.css')}{_SERVE} else {_LIVE}.show(page(), style);\n"


def code_after_film(session: Session) -> str:
    """Return the script by which a film goes on; nothing for sessions that a live page does not take."""
    return "" if not_live(session) else live_code(session)


def live_module(session: Session | None = None, *, scene: str = "") -> str:
    """Return an ES module with ``render({ model, el })``: a widget without a kernel, for MyST or marimo.

    Parameters are those of :func:`live_page`. A host whose model has a value "scene" begins with that scene.

    Examples
    --------
    >>> "export default { render:" in live_module()
    True
    """
    place = f"(widget) => {_LIVE}.place(page(), style, import.meta.url, widget)"
    return f"{_parts(session, scene)}{_SERVE}\nexport default {{ render: {place} }};\n"


def _parts(session: Session | None, scene: str, *styles: str) -> str:
    """Return the script of the page, its data as a function, and its style."""
    start = _start(session) if session is not None else {"scene": _known(scene)}
    data = json.dumps({**_common(), "start": start}, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    text, css = json.dumps(data), json.dumps(style(*STYLES, *styles))
    return f"{bare(script('live.js'))}const page = () => JSON.parse({text});\nconst style = {css};\n"


def _known(scene: str) -> str:
    if (scene or _FIRST) not in _scenes():
        raise SessionError(f"a live page can begin with one of {', '.join(_scenes())}, got {scene!r}")
    return scene or _FIRST


@cache
def _scenes() -> dict[str, Any]:
    return {name: sent for name, each in playable_scenes().items() if (sent := _scene(each)) is not None}


@cache
def _common() -> dict[str, Any]:
    """Return what every page has: data, scenes, controls, settings and words."""
    scenes = _scenes()
    one, two = (Explorer("close", autosave=None, hide=("people", "clusters", "why"), models=n) for n in (1, 2))
    controls, pair = (
        {
            group: [_fitting(each, list(scenes)) for each in explorer.controls[group] if each["name"] in names]
            for group, names in kept.items()
        }
        for explorer, kept in ((one, _KEPT), (two, _KEPT_OF_TWO))
    )
    controls["session"] = _sent(_OWN_BUTTONS)
    drawn = Session(Drawing(np.arange(2)).dataset([[0, 0], [1, 1]]), autosave=None)
    drawing = _sent(drawing_controls(drawn, lambda _, mode: None))
    names = [name for name in list_datasets() if len(make_dataset(name).X) <= LIVE_POINTS]
    about = {name: _sent(subject_controls(Session(name, autosave=None))) for name in names}
    return {
        "subjects": {name: _data(make_dataset(name)) for name in names},
        "scenes": scenes,
        "controls": controls,
        "pair": pair,
        "data": {"": drawing, **{name: [*drawing, *about[name]] for name in names}},
        "settings": asdict(Settings()),
        "options": plain_options(),
        "asserts": {
            f"{points} {K}": [asserts(answer, K, points) for answer in Answer] for points in (2, 3) for K in (2, 3)
        },
        "words": _WORDS,
        "format": {"format": FORMAT, "version": VERSION},
        "palette": {
            "colours": [cluster_colour(k) for k in range(LIVE_CLUSTERS + 2)],
            "markers": [cluster_marker(k) for k in range(LIVE_CLUSTERS + 2)],
        },
        "hidden": list(_HIDDEN),
    }


def _sent(controls: Iterable[Control]) -> list[dict[str, Any]]:
    return [{**each.sent} for each in controls]


def _fitting(control: ControlSent, scenes: Sequence[str]) -> dict[str, Any]:
    """Return a control with the options that the page has something behind."""
    allowed = {
        "data": tuple(list_datasets()),
        "n_clusters": range(2, LIVE_CLUSTERS + 1),
        "kernel": LIVE_KERNELS,
        "scene": ("", *scenes),
    }.get(control["name"])
    if allowed is None:
        return {**control}
    return {**control, "options": [each for each in control["options"] if each["value"] in allowed]}


def _data(data: Dataset) -> dict[str, Any]:
    named, drawn = data.name in list_datasets() and data.parameters, data.drawing
    return {
        "name": data.name,
        "title": list_datasets()[data.name].title if named else data.name,
        "drawing": None if drawn is None else {"classes": drawn.classes.tolist(), "isTruth": drawn.is_truth},
        "about": data.description,
        "X": packed(data.X, "float32", as_text=True),
        "y": None if data.y is None else packed(data.y, "uint8", as_text=True),
        "classes": list(data.class_names),
        "d": data.X.shape[1],
        "features": list(data.feature_names),
        "names": data.names,
        **_plane(Subject(data)),
        "items": _items(data),
        "K": opening_settings(data, 0).n_clusters,
        "parameters": dict(data.parameters) if named else None,
    }


def _plane(subject: Subject) -> dict[str, Any]:
    """Return where the points are seen."""
    d = subject.dataset.X.shape[1]
    return {
        "xy": packed(subject.points, "float32", as_text=True) if d > 2 else None,
        "extent": list(subject.extent),
        "note": f"{d} features, shown in two (PCA)" if d > 2 else "",
    }


def _items(data: Dataset) -> dict[str, Any] | None:
    """Return what a person sees of each point; None where that is its place."""
    kind = kind_of_items(data)
    if kind is None:
        return None
    sent = []
    for row in range(len(data.X)):
        media = data.cards.thumbnail(row, _CARD)
        mime, content = lighter(media.data) if media.mime == "image/png" else (media.mime, media.data)
        sent.append({"text": data.cards.text(row)[:_LONGEST], "mime": mime, "data": b64encode(content).decode()})
    return {"kind": kind, "cards": sent}


def _scene(scene: Scene) -> dict[str, Any] | None:
    """Play a scene and return what each step changes; None for one that needs more than the page has."""
    data = scene_data(scene) if shares_answers(scene) else None
    if data is None or data.X.shape[1] > LIVE_FEATURES or len(data.X) > LIVE_POINTS or kind_of_items(data) is not None:
        return None
    sides = play(scene)
    states = [first.state for first, *_ in sides]
    if any(len(state.log.names) > 1 or state.settings.kernel not in LIVE_KERNELS for state in states):
        return None
    besides = [[asdict(each.state.settings) for each in both] for both in sides]
    begun = State(Subject(data), opening_settings(data, scene.seed))
    views = [scene.view]
    for step in scene.steps:
        views.append(replace(views[-1], **step.view))
    opening, *changes = [
        {**_change(before, after), "beside": _differing(*both), "view": asdict(view)}
        for before, after, both, view in zip([begun, *states], states, besides, views, strict=False)
    ]
    return {
        "title": scene.title,
        "promise": scene.promise,
        "data": _data(data),
        "opening": opening,
        "steps": [
            {"text": step.text, "acts": step.acts, "change": change}
            for step, change in zip(scene.steps, changes, strict=True)
        ],
    }


def _differing(first: dict[str, Any], *second: dict[str, Any]) -> dict[str, Any] | None:
    """Return in which settings a second model differs; None where there is none."""
    return {name: value for name, value in second[0].items() if first[name] != value} if second else None


def _change(before: State, after: State) -> dict[str, Any]:
    """Return what leads from one state to another: settings, answers that become others, and new ones."""
    old, log, was = before.log, after.log, asdict(before.settings)
    shared = len(old)
    return {
        "settings": {name: value for name, value in asdict(after.settings).items() if value != was[name]},
        "revised": [[t, int(log.answers[t])] for t in np.flatnonzero(log.answers[:shared] != old.answers).tolist()],
        "answers": _answers(log)[shared:],
    }


def _answers(log: Log) -> list[list[Any]]:
    points = [row if row[2] >= 0 else row[:2] for row in log.points.tolist()]
    rows = zip(points, log.answers.tolist(), log.by, log.planted.tolist(), strict=True)
    return [list(row) for row in rows]


def _start(session: Session) -> dict[str, Any]:
    data, log = session.dataset, session.log
    if problem := not_live(session):
        raise SessionError(f"a live page takes {problem}")
    labels, weights = packed(session.fit.labels, "uint8", as_text=True), session.fit.weights
    # The page computes the features of kernels by itself, so only a linear model can go on from here.
    W = packed(weights.matrix(), "float32", as_text=True) if session.settings.kernel == "linear" else None
    settings = asdict(session.state.fit_settings)
    return {"data": _data(data), "settings": settings, "log": _answers(log), "labels": labels, "W": W}
