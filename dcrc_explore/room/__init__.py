"""Many people answer, each on a phone: the server, its page, and studies that follow a plan.

A :class:`Source` decides what each participant sees and takes what they answer. A :class:`Room` knows who is there and
accepts only what was asked of them. A :class:`Server` lets phones in.
"""

from dcrc_explore.room.cards import Cards
from dcrc_explore.room.limits import Limits
from dcrc_explore.room.names import nickname
from dcrc_explore.room.qr import qr_svg
from dcrc_explore.room.room import Refused, Room
from dcrc_explore.room.server import Server
from dcrc_explore.room.source import FixedQuestions, Source
from dcrc_explore.room.steps import Field, FormPage, QuestionPage, TextPage
