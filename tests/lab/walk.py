"""Walk: a coin moves the line one step in each round, until it reaches an end."""

from enum import IntEnum
from typing import Annotated, NamedTuple

from holmgang.game import BLUE, NOBODY, RED, Outcome, choice_set


class Rules(NamedTuple):
    steps: Annotated[int, range(1, 10), "steps to an end"] = 3


class State(NamedTuple):
    place: int


class Choice(IntEnum):
    STEP = 0
    HOP = 1


class Reason(IntEnum):
    ON = 0
    THERE = 1


def initial(rules: Rules) -> State:
    return State(0)


def choices(rules: Rules, state: State, seat: int) -> int:
    return choice_set(Choice.STEP, Choice.HOP)


def chance(rules: Rules, state: State, red: int, blue: int) -> int:
    return 2


def resolve(rules: Rules, state: State, red: int, blue: int, face: int) -> State:
    return State(state.place + 1 if face == 1 else state.place - 1)


def outcome(rules: Rules, state: State) -> Outcome:
    if state.place >= rules.steps:
        return Outcome(Reason.THERE, RED)
    if state.place <= -rules.steps:
        return Outcome(Reason.THERE, BLUE)
    return Outcome(Reason.ON, NOBODY)
