"""Blast: reload, shield, shoot or blast, with several lives. The rules and as much notation as the
solver needs. It is symmetric, and its states form many components.
"""

from enum import IntEnum
from typing import Annotated, NamedTuple

RED, BLUE, NOBODY = 0, 1, -1


class Rules(NamedTuple):
    lives: Annotated[int, range(1, 10)] = 3
    bullets: Annotated[int, range(1, 10)] = 3
    blast: Annotated[int, range(1, 10)] = 2  # bullets that a blast takes; no shield stops it


class State(NamedTuple):
    red: int
    blue: int
    red_lives: int
    blue_lives: int


class Act(IntEnum):
    SHOOT = 0
    RELOAD = 1
    SHIELD = 2
    BLAST = 3


class Reason(IntEnum):
    ON = 0
    HIT = 1


class Outcome(NamedTuple):
    reason: int
    winner: int


def initial(rules: Rules) -> State:
    return State(0, 0, rules.lives, rules.lives)


def choices(rules: Rules, state: State, seat: int) -> int:
    loaded = state.red if seat == RED else state.blue
    can_shoot = 0b0001 if loaded > 0 else 0
    can_reload = 0b0010 if loaded < rules.bullets else 0
    can_blast = 0b1000 if loaded >= rules.blast else 0
    return can_shoot | can_reload | 0b0100 | can_blast


def chance(rules: Rules, state: State, red: int, blue: int) -> int:
    return 1


def loaded_after(rules: Rules, loaded: int, act: int) -> int:
    if act == Act.RELOAD:
        return loaded + 1
    if act == Act.SHIELD:
        return loaded
    return loaded - (1 if act == Act.SHOOT else rules.blast)


def is_hit(mine: int, other: int) -> int:
    """A shot hits whoever reloads; a blast hits whoever does not blast too."""
    if other == Act.BLAST:
        return 1 if mine != Act.BLAST else 0
    return 1 if other == Act.SHOOT and mine == Act.RELOAD else 0


def resolve(rules: Rules, state: State, red: int, blue: int, face: int) -> State:
    return State(
        loaded_after(rules, state.red, red),
        loaded_after(rules, state.blue, blue),
        state.red_lives - is_hit(red, blue),
        state.blue_lives - is_hit(blue, red),
    )


def outcome(rules: Rules, state: State) -> Outcome:
    if state.red_lives == 0:
        return Outcome(Reason.HIT, BLUE)
    if state.blue_lives == 0:
        return Outcome(Reason.HIT, RED)
    return Outcome(Reason.ON, NOBODY)


def is_symmetric(rules: Rules) -> bool:
    return True


def mirror(rules: Rules, state: State) -> State:
    return State(state.blue, state.red, state.blue_lives, state.red_lives)


def choice_count(rules: Rules) -> int:
    return len(Act)
