"""An exploration without any interface: data, settings, answers, undo, fits, pictures' numbers, saving and export.

:class:`Session` holds the whole state; every action of the interface is one of its methods. Views call it, ask for
what they draw, and are told what changed through :meth:`Session.observe`. :class:`Asking` is a conversation with a
person: ask for a question, give an answer. :class:`Pair` puts a second model beside it, :class:`Methods` other
methods, :class:`Sweep` varies epsilon, and the functions of `inspection` say why the model does what it does.
"""

from dcrc_explore.constraints import Entry, Log
from dcrc_explore.plane import Surface
from dcrc_explore.session.asking import Asking, Expectation, Question, taken_back
from dcrc_explore.session.comparison import Companion, Methods, Pair
from dcrc_explore.session.exploration import Exploration
from dcrc_explore.session.fit import Fit, Objective, Quality
from dcrc_explore.session.gestures import Gesture, Gestures
from dcrc_explore.session.home import Sorted
from dcrc_explore.session.inspection import Sweep, explain_point, find_errors, known_errors, plant
from dcrc_explore.session.reading import SavedSession
from dcrc_explore.session.session import Session
from dcrc_explore.session.settings import SessionError, Settings
from dcrc_explore.session.state import Change, Event
from dcrc_explore.session.story import Difference, differences

__all__ = [
    "Asking",
    "Change",
    "Companion",
    "Difference",
    "Entry",
    "Event",
    "Expectation",
    "Exploration",
    "Fit",
    "Gesture",
    "Gestures",
    "Log",
    "Methods",
    "Objective",
    "Pair",
    "Quality",
    "Question",
    "SavedSession",
    "Session",
    "SessionError",
    "Settings",
    "Sorted",
    "Surface",
    "Sweep",
    "differences",
    "explain_point",
    "find_errors",
    "known_errors",
    "plant",
    "taken_back",
]
