"""A class with phones: everybody answers, the session learns, and a page remains."""

from dcrc_explore.room.classroom.classroom import Classroom
from dcrc_explore.room.classroom.journal import Given
from dcrc_explore.room.classroom.vote import Vote

__all__ = ["Classroom", "Given", "Vote"]
