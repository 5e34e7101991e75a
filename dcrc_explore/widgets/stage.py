"""What the browser draws: the traits of a tool, which Python alone sets, and a picture for where no kernel runs."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from dcrc_explore.browser import style
from dcrc_explore.widgets.hosts import is_page
from dcrc_explore.widgets.picture import small_png

if TYPE_CHECKING:
    from dcrc_explore.plotting import Figure

_STYLES = (
    *(
        "theme.css",
        "parts.css",
        "controls.css",
        "panels.css",
        "inspection.css",
        "layout.css",
        "items.css",
        "people.css",
        "playing.css",
    ),
    *("gallery.css", "compare.css", "zoom.css", "gestures.css", "lecture.css", "classroom.css", "columns.css"),
)


class BaseStage(anywidget.AnyWidget):
    """What the browser draws. Python sets the traits; actions come back as custom messages.

    Arrays travel as bytes. A message is ``{"do": action, "request": id, ...}``; setting `done` to that id shows the
    browser that the action is complete and that the next one may come. Until then the browser sends it again, also
    through the `door`, a comm target.
    """

    _css = style(*_STYLES)
    _ipython_display_ = None  # with that of ipywidgets 7 a notebook would have no picture of the tool

    points = traitlets.Dict().tag(sync=True)  # once per data set
    given = traitlets.Dict().tag(sync=True)  # the answers that are new
    scene = traitlets.Dict().tag(sync=True)  # once per refresh: labels, map, status
    sharp = traitlets.Dict().tag(sync=True)  # maps of the window that is in sight, unless that is the whole picture
    question = traitlets.Dict().tag(sync=True)
    options = traitlets.Dict().tag(sync=True)  # which map, which answers, truth or not
    controls = traitlets.Dict().tag(sync=True)  # groups of controls, and how they look
    values = traitlets.Dict().tag(sync=True)  # what each control shows
    notice = traitlets.Dict().tag(sync=True)
    playing = traitlets.Dict().tag(sync=True)  # the card of a scene that leads through the tool, while there is one
    busy = traitlets.Bool(False).tag(sync=True)
    doing = traitlets.Unicode("").tag(sync=True)  # what code has begun, as long as that lasts
    done = traitlets.Unicode("").tag(sync=True)
    door = traitlets.Unicode("").tag(sync=True)
    view = traitlets.Unicode("whole").tag(sync=True)  # or "lecture"; a person changes it in the browser
    hidden: traitlets.List[str] = traitlets.List().tag(sync=True)  # groups of controls that a teacher leaves out
    why = traitlets.Dict().tag(sync=True)  # sent when the browser asks: a point explained, or answers disbelieved

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the view and, for where no kernel runs, a picture of now; a page without code is never saved."""
        shown, about = super()._repr_mimebundle_(**kwargs) or ({}, {})
        if not is_page():
            try:
                figure, dpi, words = self._picture()
                shown |= {"image/png": small_png(figure, dpi)}
                about |= {"image/png": {"alt": words}}
            except Exception as error:  # the tool itself must open
                warnings.warn(f"no picture of the tool can be saved: {error!r}", RuntimeWarning, stacklevel=2)
        return shown, about

    def _picture(self) -> tuple[Figure, float, str]:
        """Return what the tool shows now, dots per inch, and what is to be seen, in words."""
        raise NotImplementedError
