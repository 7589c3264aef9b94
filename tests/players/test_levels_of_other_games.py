"""Games in one file get levels at once, by the same method, without calibration. The rules of the
ladder that hold for them are checked here exactly, on games of different kinds.
"""

from itertools import pairwise
from pathlib import Path

import pytest
from bench.ladder import NAMES, Meetings
from bench.ladder_exact import SolvedGame
from bench.ladder_sampled import Effort

from holmgang.games import starter
from holmgang.games.finding import load
from holmgang.players.ladder import GRADED, LADDER, grade_of

LEDGE = '''"""Ledge: push the other over the edge. A retreat on the last step loses at once."""

from enum import IntEnum
from typing import Annotated, NamedTuple

from holmgang.game import BLUE, NOBODY, RED, Outcome, choice_set

class Rules(NamedTuple):
    room: Annotated[int, range(1, 10), "steps to the edge at the start"] = 3

class State(NamedTuple):
    red: int
    blue: int

Choice = IntEnum("Choice", "PUSH DODGE BRACE RETREAT", start=0)
Reason = IntEnum("Reason", "ON FALLEN", start=0)

def initial(rules):
    return State(rules.room, rules.room)

def choices(rules, state, seat):
    return choice_set(Choice.PUSH, Choice.DODGE, Choice.BRACE, Choice.RETREAT)

def resolve(rules, state, red, blue, face):
    return State(state.red - lost(red, blue), state.blue - lost(blue, red))

def lost(mine, other):
    is_beaten = (
        (mine == Choice.BRACE and other == Choice.PUSH)
        or (mine == Choice.DODGE and other == Choice.BRACE)
        or (mine == Choice.PUSH and other == Choice.DODGE)
    )
    return 1 if is_beaten or mine == Choice.RETREAT else 0

def outcome(rules, state):
    if state.red > 0 and state.blue > 0:
        return Outcome(Reason.ON, NOBODY)
    if state.red > 0:
        return Outcome(Reason.FALLEN, RED)
    if state.blue > 0:
        return Outcome(Reason.FALLEN, BLUE)
    return Outcome(Reason.FALLEN, NOBODY)
'''

GAMES = (
    "standoff.py",
    "ledge.py",
    "examples/oshi_zumo.py:coins=12,size=2",
    "examples/goofspiel.py:cards=4",
)


@pytest.fixture(scope="module", params=GAMES)
def ruleset(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("games")
    (folder / "ledge.py").write_text(LEDGE)
    (folder / "standoff.py").write_text(Path(starter.__file__).read_text())
    name = request.param
    return load(name if name.startswith("examples") else str(folder / name))


@pytest.fixture(scope="module")
def meetings(ruleset):
    return Meetings(SolvedGame(ruleset, Effort(0.01, 200)))


@pytest.fixture(scope="module")
def contenders(ruleset):
    return {
        name: grade_of(name, ruleset)._replace(notices=False) if name in GRADED else name
        for name in NAMES
    }


def test_every_level_is_stronger_than_the_one_below_and_random(meetings, contenders):
    for below, above in pairwise(("random", *LADDER)):
        assert meetings.as_red(contenders[above], contenders[below]) > 0.503, (above, below)


def test_games_have_an_ordinary_length_and_variety(meetings, contenders):
    usual = meetings.result("perfect", "perfect")
    most_usual = max(usual.picks[0].values())
    for level in GRADED:
        own = meetings.result(contenders[level], contenders[level])
        assert usual.rounds / 2 < own.rounds < usual.rounds * 2, level
        assert own.unfinished < 0.01, level
        assert max(own.picks[0].values()) <= max(0.6, most_usual), level
