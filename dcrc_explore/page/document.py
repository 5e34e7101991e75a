"""The HTML file: numbers as base64, our own scripts and styles, and a policy that lets nothing else in or out."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import escape
from math import isfinite, isnan
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from dcrc_explore import __version__
from dcrc_explore.arrays import FloatArray, PackedArray, Sendable, packed
from dcrc_explore.browser import script, style, zipped
from dcrc_explore.datasets import Items
from dcrc_explore.datasets.pictures import lighter
from dcrc_explore.page.curves import pack_answer_curves, pack_cluster_curves, pack_curves
from dcrc_explore.page.recording import Film, Recording
from dcrc_explore.page.sent import Curve, FilmSent, PageItem, PageSent
from dcrc_explore.palette import cluster_colour, cluster_marker

_STYLES = ("theme.css", "parts.css", "controls.css", "panels.css", "page.css")
_ITEM_SIZE = 56  # pixels
_MOST_ITEMS = 600_000  # bytes that all pictures together may need; what does not fit is named in words
_DEEPEST = 16.0  # natural logarithms below the most probable cluster; what lies deeper is as good as impossible


def document(recording: Recording, *, after: str = "", live: str = "") -> str:
    """Return the page as text: the film, and below it `after`, which is HTML in which every text is escaped.

    With the script of a `live` page, whoever watches the film may continue from any of its frames.

    Examples
    --------
    >>> from dcrc_explore.session import Session
    >>> from dcrc_explore.page.film import record
    >>> document(record(Session("moons", autosave=None)))[:15]
    '<!doctype html>'
    """
    body = f"""<main class="dcrc-explorer dcrc-page"></main>{after}"""
    data, css = {"recording": _pack(recording)}, style(*_STYLES)
    return html(recording.name, body, data=data, code=script("page.js"), css=css, live=live)


def html(
    title: str,
    body: str,
    *,
    data: Mapping[str, object] = MappingProxyType({}),
    code: str,
    css: str = "",
    live: str = "",
) -> str:
    """Return a page that may run our script and nothing else, and ask nobody for anything.

    Texts in `body` are escaped; `data` become elements with JSON, by id. `code` may put another script, `live`, into
    the page, which may work in the background too.
    """
    policy = (
        f"default-src 'none'; script-src {' '.join(map(_hashed, filter(None, (code, live))))}; "
        "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    if live:
        policy = policy.replace("img-src data:", "img-src data: blob:") + "; worker-src blob:"
    elements = "\n".join(
        f'<script type="application/json" id="{name}">{_safe(each)}</script>' for name, each in data.items()
    )
    packed_code = f'<script type="text/plain" id="zipped">{zipped(live)}</script>\n' if live else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="dcrc_explore {__version__}">
<title>{escape(title)} · dcrc_explore</title>
<style>{css}</style>
</head>
<body>
{body}
<noscript>This page draws its pictures with JavaScript, which is switched off here.
In JupyterLab, press Trust HTML above the page.</noscript>
{elements}
{packed_code}<script type="module">{code}</script>
</body>
</html>
"""


def _hashed(code: str) -> str:
    return f"'sha256-{b64encode(sha256(code.encode()).digest()).decode()}'"


def _safe(data: object) -> str:
    """Return JSON in which no text can end the element that holds it."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


def _pack(recording: Recording) -> PageSent:
    log, most = recording.log, max(film.n_clusters for film in recording.films)
    answered = np.unique(log.points[log.points >= 0]).tolist()
    examples = [i for film in recording.films for rows in film.examples for i in rows]
    fitted = recording.steps if recording.frames == "answers" else np.full(len(recording.steps), len(log))
    return {
        "name": recording.name,
        "about": list(recording.about),
        "version": __version__,
        "points": {
            "xy": packed(recording.points, "float32", as_text=True),
            "extent": list(recording.extent),
            "names": None if recording.names is None else list(recording.names),
            "classes": None if recording.classes is None else list(recording.classes),
            "colours": [cluster_colour(k) for k in range(most)],
            "markers": [cluster_marker(k) for k in range(most)],
        },
        "triplets": packed(np.column_stack([log.triplets.indices, log.triplets.answers]), "int32", as_text=True),
        "pairs": packed(np.column_stack([log.pairs.indices, log.pairs.answers]), "int32", as_text=True),
        "triplet_steps": np.searchsorted(log.triplet_positions, fitted).tolist(),
        "pair_steps": np.searchsorted(log.pair_positions, fitted).tolist(),
        "triplet_numbers": log.triplet_positions.tolist(),
        "pair_numbers": log.pair_positions.tolist(),
        # JSON has neither a word for what is not known nor for infinity, the surprise of what was held impossible.
        "surprise": [None if isnan(bits) else bits if isfinite(bits) else "infinite" for bits in log.surprise.tolist()],
        "frames": recording.frames,
        "steps": recording.steps.tolist(),
        "items": None if recording.items is None else _pack_items(recording.items, [*answered, *examples]),
        "films": [_pack_film(film) for film in recording.films],
    }


def _pack_film(film: Film) -> FilmSent:
    depths, deepest = _pack_scores(film.scores)
    return {
        "title": film.title,
        "settings": dict(film.settings),
        "names": list(film.names),
        "truth": _as_text(film.truth, "uint8"),
        "labels": packed(film.labels, "uint8", as_text=True),
        "weights": _as_text(film.weights, "float32"),
        "depths": depths,
        "deepest": deepest,
        "entropy": None if film.entropy is None else _as_text(np.rint(255 * film.entropy), "uint8"),
        "captions": list(film.captions),
        "why": list(film.why),
        "examples": [list(rows) for rows in film.examples],
        "quality": None if film.quality is None else _curves(film.quality),
        "terms": None if film.terms is None else _curves(film.terms),
        "by_answers": None if film.by_answers is None else pack_answer_curves(film.by_answers),
        "worth": pack_cluster_curves(film.worth[-1]) if film.worth else None,
        "worths": [[each["values"] for each in pack_curves(curves.model)] for curves in film.worth],
    }


def _curves(curves: Mapping[str, Sequence[float]]) -> list[Curve]:
    return [{"name": name, "values": list(values)} for name, values in curves.items()]


def _as_text(values: ArrayLike | None, dtype: Sendable) -> PackedArray | None:
    return None if values is None else packed(values, dtype, as_text=True)


def _pack_scores(scores: FloatArray | None) -> tuple[PackedArray | None, list[float] | None]:
    """Pack how far each cluster's score lies below the highest; 255 stands for the deepest of its frame."""
    if scores is None:
        return None, None
    depths = np.minimum(scores.max(axis=1, keepdims=True) - scores, _DEEPEST)
    deepest = np.maximum(depths.max(axis=(1, 2, 3)), 1e-6)
    shares = depths / deepest[:, None, None, None]
    return packed(np.rint(255 * shares), "uint8", as_text=True), deepest.tolist()


def _pack_items(items: Items, first: Sequence[int]) -> list[PageItem]:
    """Pack a text for each point and, for those that come first, pictures, then of all as long as there is room."""
    sent: list[PageItem] = [{"text": items.text(i)[:300]} for i in range(len(items))]
    room = _MOST_ITEMS
    for i in dict.fromkeys([*first, *np.random.default_rng(0).permutation(len(items)).tolist()]):
        media = items.thumbnail(i, _ITEM_SIZE)
        if room <= 0 or media.mime != "image/png":
            break
        mime, data = lighter(media.data)
        sent[i]["image"] = f"data:{mime};base64,{b64encode(data).decode()}"
        room -= len(sent[i]["image"])
    return sent
