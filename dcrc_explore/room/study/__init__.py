"""A study: a protocol from consent to completion code, its data, and its report."""

from dcrc_explore.room.study.plan import PAPER, TEMPLATE, Plan, PlanError, parse_plan, read_plan
from dcrc_explore.room.study.records import Answered, Records, read_records
from dcrc_explore.room.study.schedule import schedule
from dcrc_explore.room.study.study import Study
