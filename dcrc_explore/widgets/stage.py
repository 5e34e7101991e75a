"""What the browser draws: a widget for each tool, whose traits are set by Python alone."""

from __future__ import annotations

import anywidget
import traitlets

from dcrc_explore.browser import script, style


class BaseStage(anywidget.AnyWidget):
    """What the browser draws. Python sets the traits; actions come back as custom messages.

    Arrays travel as bytes. A message is ``{"do": action, "request": id, ...}``; setting `done` to that id tells the
    browser that the action is complete and that the next one may come. Until then the browser sends it again, also
    through the `door`, a comm target.
    """

    points = traitlets.Dict().tag(sync=True)  # once per data set
    answers = traitlets.Dict().tag(sync=True)  # those that are new
    scene = traitlets.Dict().tag(sync=True)  # once per refresh: labels, map, status
    sharp = traitlets.Dict().tag(sync=True)  # maps of the window that is in sight, unless that is the whole picture
    question = traitlets.Dict().tag(sync=True)
    options = traitlets.Dict().tag(sync=True)  # which map, which answers, truth or not
    notice = traitlets.Dict().tag(sync=True)
    busy = traitlets.Bool(False).tag(sync=True)
    doing = traitlets.Unicode("").tag(sync=True)  # what a control has begun, as long as that lasts
    done = traitlets.Unicode("").tag(sync=True)
    door = traitlets.Unicode("").tag(sync=True)
    view = traitlets.Unicode("whole").tag(sync=True)  # or "lecture"; a person changes it in the browser
    hidden: traitlets.List[str] = traitlets.List().tag(sync=True)  # groups of controls that a teacher leaves out

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class ExplorerStage(BaseStage):
    """What ``static/explorer.js`` shows: picture, question, list of answers, panels."""

    _esm = script("explorer.js")
    _css = style(
        *("theme.css", "parts.css", "controls.css", "panels.css", "inspection.css", "layout.css", "items.css"),
        *("people.css", "gallery.css", "zoom.css", "lecture.css", "columns.css"),
    )

    panels = traitlets.Dict().tag(sync=True)  # sent when the browser asks, after the picture
    why = traitlets.Dict().tag(sync=True)  # sent when the browser asks: a point explained, or answers disbelieved
    gallery = traitlets.Dict().tag(sync=True)  # sent when the browser asks: what is in each cluster
    people = traitlets.Dict().tag(sync=True)  # sent when the browser asks: how each person errs, and how they agree
    sweep = traitlets.Dict().tag(sync=True)


class CompareStage(BaseStage):
    """What ``static/compare.js`` shows: two pictures, their difference, the question, and the disputed answers."""

    _esm = script("compare.js")
    _css = style(
        *("theme.css", "parts.css", "controls.css", "panels.css", "inspection.css", "layout.css", "items.css"),
        *("people.css", "compare.css", "zoom.css", "lecture.css"),
    )

    why = traitlets.Dict().tag(sync=True)  # sent when the browser asks: a point explained for both models
