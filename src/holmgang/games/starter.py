"""Standoff: reload, shield, shoot or blast; two lives.

Both players start with two lives and an empty gun. Each round both choose in secret:

- reload: one more round in the gun
- shield: safe from a shot, but not from a blast
- shoot: costs one round, and hits whoever does not shield
- blast: costs three rounds, and hits in any case

Whoever has no life left has lost; if that happens to both at once, it is a draw.
"""

from enum import IntEnum
from typing import Annotated, NamedTuple

from holmgang.game import BLUE, NOBODY, RED, Outcome, choice_set


# Every number of the rules, with its range, its meaning and its default. Any of them can be changed
# when the game is named: ./standoff.py:lives=3
class Rules(NamedTuple):
    lives: Annotated[int, range(1, 10), "lives at the start"] = 2
    max_ammo: Annotated[int, range(1, 10), "most rounds in the gun"] = 3
    blast_ammo: Annotated[int, range(1, 10), "rounds that a blast costs"] = 3


class Fighter(NamedTuple):
    lives: int
    ammo: int


# Everything that both players know between two rounds: whole numbers, and tuples of them.
class State(NamedTuple):
    red: Fighter
    blue: Fighter


class Choice(IntEnum):
    RELOAD = 0
    SHIELD = 1
    SHOOT = 2
    BLAST = 3


# How a duel can end. 0 means that it goes on.
class Reason(IntEnum):
    ON = 0
    SHOT = 1


def initial(rules: Rules) -> State:
    """The state in which the duel starts."""
    return State(Fighter(rules.lives, 0), Fighter(rules.lives, 0))


def choices(rules: Rules, state: State, seat: int) -> int:
    """What a seat may choose; 0 if it has nothing to choose in this round."""
    ammo = state.red.ammo if seat == RED else state.blue.ammo
    allowed = choice_set(Choice.SHIELD)
    if ammo < rules.max_ammo:
        allowed |= choice_set(Choice.RELOAD)
    if ammo >= 1:
        allowed |= choice_set(Choice.SHOOT)
    if ammo >= rules.blast_ammo:
        allowed |= choice_set(Choice.BLAST)
    return allowed


def is_hit(mine: int, theirs: int) -> bool:
    return theirs == Choice.BLAST or (theirs == Choice.SHOOT and mine != Choice.SHIELD)


def after(rules: Rules, me: Fighter, mine: int, theirs: int) -> Fighter:
    """A fighter after the round. Tuples are built with all their fields, so that this compiles."""
    ammo = me.ammo
    if mine == Choice.RELOAD:
        ammo += 1
    elif mine == Choice.SHOOT:
        ammo -= 1
    elif mine == Choice.BLAST:
        ammo -= rules.blast_ammo
    return Fighter(me.lives - 1 if is_hit(mine, theirs) else me.lives, ammo)


def resolve(rules: Rules, state: State, red: int, blue: int, face: int) -> State:
    """The state after a round. `face` is a die's: add chance(rules, state, red, blue), which
    returns its number of faces, to throw one.
    """
    return State(after(rules, state.red, red, blue), after(rules, state.blue, blue, red))


def outcome(rules: Rules, state: State) -> Outcome:
    if state.red.lives > 0 and state.blue.lives > 0:
        return Outcome(Reason.ON, NOBODY)
    if state.red.lives > 0:
        return Outcome(Reason.SHOT, RED)
    if state.blue.lives > 0:
        return Outcome(Reason.SHOT, BLUE)
    return Outcome(Reason.SHOT, NOBODY)


# Words, stories, the board and the picture are made from these names. To replace one of them, write
# a function of its name: docs/add-a-game.md lists them.
