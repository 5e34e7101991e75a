"""An exploration without any interface: data, settings, answers, undo, fits, pictures' numbers, saving and export.

:class:`Session` holds the whole state; every action of the interface is one of its methods. Views call it, ask for
what they draw, and are told what changed through :meth:`Session.observe`.
"""

from dcrc_explore.session.fit import Fit, Objective, Surface
from dcrc_explore.session.records import Change, Event, Expectation, GivenAnswer, SessionError, Settings
from dcrc_explore.session.session import Quality, Session
from dcrc_explore.session.storage import SavedSession

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
