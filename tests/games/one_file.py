"""Standoff as one file, as a new user would write it, and loading it from a temporary folder."""

import pytest

STANDOFF = '''"""Standoff: reload, shield, shoot or blast; two lives."""

from enum import IntEnum
from typing import Annotated, NamedTuple

from holmgang.game import BLUE, NOBODY, RED, Outcome, choice_set

class Rules(NamedTuple):
    lives: Annotated[int, range(1, 10), "lives at the start"] = 2
    max_ammo: Annotated[int, range(1, 10), "most rounds in the gun"] = 3
    blast_ammo: Annotated[int, range(1, 10), "rounds that a blast costs"] = 3

class Fighter(NamedTuple):
    lives: int
    ammo: int

class State(NamedTuple):
    red: Fighter
    blue: Fighter

Choice = IntEnum("Choice", "RELOAD SHIELD SHOOT BLAST", start=0)
Reason = IntEnum("Reason", "ON SHOT", start=0)

def initial(rules):
    return State(Fighter(rules.lives, 0), Fighter(rules.lives, 0))

def choices(rules, state, seat):
    ammo = state.red.ammo if seat == RED else state.blue.ammo
    reload = choice_set(Choice.RELOAD) if ammo < rules.max_ammo else 0
    shoot = choice_set(Choice.SHOOT) if ammo > 0 else 0
    blast = choice_set(Choice.BLAST) if ammo >= rules.blast_ammo else 0
    return choice_set(Choice.SHIELD) | reload | shoot | blast

def after(rules, me, mine, theirs):
    cost = (-1, 0, 1, rules.blast_ammo)[mine]
    hit = theirs == Choice.BLAST or (theirs == Choice.SHOOT and mine != Choice.SHIELD)
    return Fighter(me.lives - (1 if hit else 0), me.ammo - cost)

def resolve(rules, state, red, blue, face):
    return State(after(rules, state.red, red, blue), after(rules, state.blue, blue, red))

def outcome(rules, state):
    if state.red.lives > 0 and state.blue.lives > 0:
        return Outcome(Reason.ON, NOBODY)
    if state.red.lives == state.blue.lives:
        return Outcome(Reason.SHOT, NOBODY)
    return Outcome(Reason.SHOT, RED if state.red.lives > 0 else BLUE)
'''
LINES = [line for line in STANDOFF.splitlines() if line.strip()]


@pytest.fixture
def standoff(tmp_path):
    """The path of Standoff in a folder of its own."""
    path = tmp_path / "standoff.py"
    path.write_text(STANDOFF)
    return path
