"""Counting tables: how many states a duel can have come to after so many rounds.

The cheapest strong test of rules there is: almost any change of a rule changes a number here. Each
pair counts the different undecided states, and the different endings (a last state and its
outcome), that can be reached within 1, 2, 3 … rounds. Where the last two pairs are the same, that
is all there is. The numbers were found by two programs that share no code.
"""

import json

import pytest

from holmgang.games.contract import NO_CHOICE
from holmgang.games.ruleset import load

pytestmark = pytest.mark.thorough

TABLES = {
    "bagh": [(16, 0), (95, 0), (339, 63), (904, 190), (2057, 461), (4147, 976)],
    "bagh-advantage": [(16, 0), (95, 0), (337, 63), (890, 190), (2007, 461), (4006, 976)],
    "bagh:max_boost=1": [
        *[(16, 0), (76, 0), (215, 28), (395, 72), (597, 144), (823, 180), (1081, 216)],
        *[(1338, 252), (1504, 288), (1578, 324), (1596, 352), (1600, 366), (1600, 366)],
    ],
    "fencing:league=1": [(26, 0), (337, 0), (2621, 2), (12061, 172)],
    "fencing:league=2": [(50, 0), (1104, 0), (13442, 2)],
    "fencing": [(226, 0), (18926, 0)],
    "fencing-codingame": [(199, 0), (14831, 0)],
    "fencing:league=1,red_start=240,blue_start=260,turns=5,points_to_win=2,lead_to_win=1": [
        *[(24, 0), (328, 20), (2678, 792), (6139, 10221), (6139, 19691)],
    ],
    "defend-the-city": [(840, 80)],
    "defend-the-city-duel": [(839, 197)],
    "defend-the-city:stamina=5,max_score=2,soldiers=2": [
        *[(44, 14), (558, 77), (1030, 135), (1030, 145)],
    ],
    "defend-the-city:stamina=5,max_score=2,soldiers=2,overspend=0": [
        *[(44, 14), (294, 45), (502, 61), (502, 61)],
    ],
    "defend-the-city-duel:stamina=5,max_score=2": [(43, 33), (515, 185), (515, 205)],
    "magic-duel": [(8, 0), (39, 0), (206, 0), (861, 0), (3805, 0), (13153, 0)],
    "magic-duel:max_hp=10,shield_limit=0,magic_gain=5": [
        *[(7, 0), (26, 3), (127, 3), (425, 57), (1521, 354), (4008, 2078), (13149, 4262)],
    ],
    "magic-duel:max_hp=4,shield_limit=1,specter_cost=4": [
        *[(7, 1), (18, 21), (75, 31), (177, 181), (535, 446), (1255, 1567), (3574, 3131)],
    ],
}


def successors(ruleset, state):
    game, rules = ruleset.game.rules, ruleset.rules
    for red in ruleset.choices(state, 0) or [NO_CHOICE]:
        for blue in ruleset.choices(state, 1) or [NO_CHOICE]:
            for face in range(game.chance(rules, state, red, blue)):
                yield game.resolve(rules, state, red, blue, face)


def ending(ruleset, state) -> str:
    """The last state and its outcome as they are told, which is all that anyone can see of them."""
    shown = ruleset.format_state(state)
    return json.dumps([shown, ruleset.outcome(state).as_json()])


def counted(ruleset, depth: int) -> list[tuple[int, int]]:
    new = {ruleset.initial()}
    found, last, endings, table = set(new), set(), set(), []
    for _ in range(depth):
        reached = {after for state in new for after in successors(ruleset, state)} - found - last
        over = {state for state in reached if ruleset.outcome(state)}
        new = reached - over
        found |= new
        last |= over
        endings |= {ending(ruleset, state) for state in over}
        table.append((len(found), len(endings)))
    return table


@pytest.mark.parametrize("name", TABLES)
def test_states_by_depth(name):
    assert counted(load(name), len(TABLES[name])) == TABLES[name]
