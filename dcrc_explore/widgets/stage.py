"""The part of the Explorer that the browser draws: picture, question, list of answers, panels."""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets

_STATIC = Path(__file__).parent / "static"


class Stage(anywidget.AnyWidget):
    """What ``static/explorer.js`` shows. Python sets the traits; actions come back as custom messages.

    Arrays travel as bytes. A message is ``{"do": action, "request": number, ...}``; setting `done` to that number
    tells the browser that the action is complete and that the next one may come.
    """

    _esm = _STATIC / "explorer.js"
    _css = _STATIC / "explorer.css"

    points = traitlets.Dict().tag(sync=True)  # once per data set
    scene = traitlets.Dict().tag(sync=True)  # once per refresh: labels, map, answers, status
    question = traitlets.Dict().tag(sync=True)
    panels = traitlets.Dict().tag(sync=True)  # sent when the browser asks, after the picture
    options = traitlets.Dict().tag(sync=True)  # which map, which answers, truth or not
    notice = traitlets.Dict().tag(sync=True)
    hidden: traitlets.List[str] = traitlets.List().tag(sync=True)
    busy = traitlets.Bool(False).tag(sync=True)
    done = traitlets.Int(0).tag(sync=True)

    def __repr__(self) -> str:
        return "Stage()"
