"""A class with phones: everybody answers, the session learns, and a page remains."""

from dcrc_explore.room.classroom.classroom import Classroom
from dcrc_explore.room.classroom.journal import Given
from dcrc_explore.room.classroom.rehearsal import rehearse
from dcrc_explore.room.classroom.report import as_table, write_report
from dcrc_explore.room.classroom.standing import Alike, Guest, alike, guests
from dcrc_explore.room.classroom.vote import Vote

__all__ = ["Alike", "Classroom", "Given", "Guest", "Vote", "alike", "as_table", "guests", "rehearse", "write_report"]
