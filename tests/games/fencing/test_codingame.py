"""What the published referee does otherwise: four rules, and nothing else."""

import pytest
from tests.games.cases import cases, played

from holmgang.games.ruleset import load

TABLE = """
F2 a lead of 1 is enough
    0/260.20.19/300.20.19: lunge, break -> 1/260.15.20/300.20.19, red wins by score 1:0
F3 level positions collide too
    0/280/300: walk, break -> 2/200.19/300
F4 PARRY_DRUG only costs energy, does not count and never dopes
    0/200/300: parry_drug, break -> 1/200.15/300
    0/200.20.0.7/300: parry_drug, break -> 1/200.15.0.7/300
F5 a game ended by doping at 0-0 gives both -1
    0/200.20.0.7/300: walk_drug, break -> 1/200.15.0.7!/300, draw by doping -1:-1
F5 not once there is a score
    0/200.20.0.7/300.20.1: walk_drug, break -> 1/200.15.0.7!/300.20.1, blue wins by doping -1:1
    0/200.20.1.7/300: walk_drug, break -> 1/200.15.1.7!/300, blue wins by doping -1:1
    0/260.20.0.7/300: walk_drug, lunge -> 1/260.15.0.7!/300.15.1, blue wins by doping -1:1
F5 nor for running out of energy
    0/200.0/300: walk, break -> 1/200.-1/300, blue wins by energy -1:1
"""


@pytest.mark.parametrize("case", cases(TABLE, "fencing-codingame"))
def test_codingame(case):
    assert played(case) == case.after


def test_it_differs_in_four_rules():
    ours, theirs = load("fencing").rules._asdict(), load("fencing-codingame").rules._asdict()
    assert {rule: theirs[rule] for rule in ours if ours[rule] != theirs[rule]} == {
        "lead_to_win": 1,
        "level_collides": 1,
        "parry_drug_works": 0,
        "scoreless_doping_fails_both": 1,
    }
