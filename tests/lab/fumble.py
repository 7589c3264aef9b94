"""Fumble: rock, paper, scissors, and a choice that loses to all of them.

A tie is played again.
"""

from enum import IntEnum
from typing import NamedTuple

from holmgang.game import BLUE, NOBODY, RED, Outcome, choice_set


class Rules(NamedTuple):
    pass


class Player(NamedTuple):
    points: int


class State(NamedTuple):
    red: Player
    blue: Player


class Choice(IntEnum):
    ROCK = 0
    PAPER = 1
    SCISSORS = 2
    FUMBLE = 3


class Reason(IntEnum):
    ON = 0
    BEATEN = 1


def initial(rules: Rules) -> State:
    return State(Player(0), Player(0))


def choices(rules: Rules, state: State, seat: int) -> int:
    return choice_set(Choice.ROCK, Choice.PAPER, Choice.SCISSORS, Choice.FUMBLE)


def beats(mine: int, theirs: int) -> int:
    if mine == Choice.FUMBLE:
        return 0
    if theirs == Choice.FUMBLE:
        return 1
    return 1 if (mine - theirs) % 3 == 1 else 0


def resolve(rules: Rules, state: State, red: int, blue: int, face: int) -> State:
    return State(Player(beats(red, blue)), Player(beats(blue, red)))


def outcome(rules: Rules, state: State) -> Outcome:
    if state.red.points == state.blue.points:
        return Outcome(Reason.ON, NOBODY)
    return Outcome(Reason.BEATEN, RED if state.red.points > state.blue.points else BLUE)
