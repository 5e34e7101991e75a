"""An exploration without any interface: data, settings, answers, undo, fits, pictures' numbers, saving and export.

:class:`Session` holds the whole state; every action of the interface is one of its methods. Views call it, ask for
what they draw, and are told what changed through :meth:`Session.observe`.
"""

from dcrc_explore.session.fit import Fit, Objective
from dcrc_explore.session.records import Change, Event, Expectation, GivenAnswer, Quality, SessionError, Settings
from dcrc_explore.session.session import Session
from dcrc_explore.session.storage import SavedSession
from dcrc_explore.surface import Surface

__all__ = [
    "Change",
    "Event",
    "Expectation",
    "Fit",
    "GivenAnswer",
    "Objective",
    "Quality",
    "SavedSession",
    "Session",
    "SessionError",
    "Settings",
    "Surface",
]
