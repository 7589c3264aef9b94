"""Two rooms that take turns while red waits. If red slips, blue may strike and win, or let it go.
The rules and as much notation as the solver needs.
"""

from enum import IntEnum
from typing import NamedTuple

WAIT, SLIP = range(2)  # choices of red, in the two rooms
LET_GO, STRIKE = range(2)  # choices of blue, after a slip
SLIPPED, OVER = range(2, 4)  # places besides the two rooms


class Rules(NamedTuple):
    pass


class State(NamedTuple):
    place: int


class Reason(IntEnum):
    ON = 0
    STRUCK = 1


class Outcome(NamedTuple):
    reason: int
    winner: int


def initial(rules: Rules) -> State:
    return State(0)


def choices(rules: Rules, state: State, seat: int) -> int:
    return 0b11 if seat == (1 if state.place == SLIPPED else 0) else 0b01


def chance(rules: Rules, state: State, red: int, blue: int) -> int:
    return 1


def resolve(rules: Rules, state: State, red: int, blue: int, face: int) -> State:
    if state.place == SLIPPED:
        return State(OVER if blue == STRIKE else 0)
    return State(SLIPPED if red == SLIP else 1 - state.place)


def outcome(rules: Rules, state: State) -> Outcome:
    return Outcome(Reason.STRUCK, 1) if state.place == OVER else Outcome(Reason.ON, -1)


def is_symmetric(rules: Rules) -> bool:
    return False


def mirror(rules: Rules, state: State) -> State:
    return state


def choice_count(rules: Rules) -> int:
    return 2
