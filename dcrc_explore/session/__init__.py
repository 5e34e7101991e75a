"""An exploration without any interface: data, settings, answers, undo, fits, numbers for pictures, saving and export.

:class:`Session` has every action of the interface as a method, and parts to look at: its :class:`History`, the
:class:`FittedModel`, the :class:`Search` in the background, the :class:`Questioner` that chooses questions, the file
(:class:`Saver`) and :class:`Export`. Views call it and ask for what they draw; :meth:`Session.observe` reports what
changed. :class:`Asking` is a conversation with a person: ask for a question, give an answer. :class:`Pair` puts a
second model beside it, :func:`run_methods` other methods, :func:`sweep_epsilon` varies epsilon, and the functions of
`inspection` explain the model.
"""

from dcrc_explore.session.answering import suggest_names
from dcrc_explore.session.asking import Asking, Question, Questioner
from dcrc_explore.session.background import Gathering
from dcrc_explore.session.comparison import Companion, Pair, run_methods
from dcrc_explore.session.export import Export
from dcrc_explore.session.fit import Fit, Objective, Quality
from dcrc_explore.session.fitted import FittedModel
from dcrc_explore.session.format import SavedSession
from dcrc_explore.session.gestures import Gesture, Gestures
from dcrc_explore.session.inspection import explain_point, find_errors, known_errors, plant, sweep_epsilon
from dcrc_explore.session.saving import Saver, find_sessions
from dcrc_explore.session.search import Search
from dcrc_explore.session.session import Session
from dcrc_explore.session.state import Change, SessionError, Settings
from dcrc_explore.session.steps import Event, Exploration, History, Steps
from dcrc_explore.session.story import differences

__all__ = ["Export", "Fit", "Gestures", "Pair", "Session", "SessionError", "Settings"]
