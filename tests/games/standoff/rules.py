"""Standoff, as pure functions: a shot needs a bullet and hits whoever does not shield."""

from enum import IntEnum
from typing import Annotated, NamedTuple

RED, BLUE, NOBODY = 0, 1, -1


class Rules(NamedTuple):
    """Every number of the rulebook, with the values it may take."""

    bullets: Annotated[int, range(1, 10)] = 3  # that a gun holds


class State(NamedTuple):
    red: int  # bullets loaded; less than 0 when hit
    blue: int


class Act(IntEnum):
    RELOAD = 0
    SHIELD = 1
    SHOOT = 2


class Reason(IntEnum):
    ON = 0
    HIT = 1


class Outcome(NamedTuple):
    reason: int
    winner: int


def initial(rules: Rules) -> State:
    return State(0, 0)


def choices(rules: Rules, state: State, seat: int) -> int:
    loaded = state.red if seat == RED else state.blue
    return 0b111 if loaded > 0 else 0b011


def chance(rules: Rules, state: State, red: int, blue: int) -> int:
    return 1


def after(rules: Rules, loaded: int, mine: int, other: int) -> int:
    """What is in a gun after the round; -1 if its owner was hit. Two shots meet in the air."""
    if other == Act.SHOOT and mine == Act.RELOAD:
        return -1
    if mine == Act.RELOAD:
        return min(rules.bullets, loaded + 1)
    return loaded - 1 if mine == Act.SHOOT else loaded


def resolve(rules: Rules, state: State, red: int, blue: int, face: int) -> State:
    return State(after(rules, state.red, red, blue), after(rules, state.blue, blue, red))


def outcome(rules: Rules, state: State) -> Outcome:
    if state.red < 0:
        return Outcome(Reason.HIT, BLUE)
    if state.blue < 0:
        return Outcome(Reason.HIT, RED)
    return Outcome(Reason.ON, NOBODY)
