"""A class with phones: everybody answers, the session learns, and a page remains."""

from dcrc_explore.room.classroom.classroom import Classroom
from dcrc_explore.room.classroom.rehearsal import rehearse
from dcrc_explore.room.classroom.report import write_report
from dcrc_explore.room.classroom.standing import alike, guests
from dcrc_explore.room.classroom.vote import Vote

__all__ = ["Classroom", "rehearse", "write_report"]
