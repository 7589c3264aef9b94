"""The order of a turn, the respawn, and the 200 turns."""

import pytest
from tests.games.cases import cases, played

from holmgang.engine import step
from holmgang.games.fencing.rules import Action
from holmgang.games.ruleset import load

TABLE = """
F6 a turn uses one of the 200
    0/200/300: break, break; walk, break -> 2/220.19/300
F6 a respawn uses another, after a touch
    10/260/300: lunge, break -> 12/200.15.1/300
F6 after a collision
    10/290/300: walk, walk -> 12/200.19/300.19
F6 and after leaving the piste
    10/10/300: retreat, break -> 12/200.19/300.20.1

F6 the respawn turn is the last one: the game ends with it
    198/260/300: lunge, break -> 200/200.15.1/300, red wins by turns 1:0
F6 never past 200: a respawn on the last turn
    199/260/300: lunge, break -> 200/200.15.1/300, red wins by turns 1:0
    199/290.20.1/300: walk, walk -> 200/200.19.1/300.19, red wins by turns 1:0
F6 the 200th turn is played
    199/200.20.1/300: walk, walk -> 200/220.19.1/280.19, red wins by turns 1:0
    198/200/300: walk, walk -> 199/220.19/280.19

F10 energy comes before drugs: a BREAK_DRUG pays first
    0/200.5/300: break_drug, break -> 1/200.0.0.1.20.10/300
F10 drugs come before anything they change
    0/200.20/300: energy_max_drug, break; break, break -> 2/200.17.0.1.25/300
F10 moves come before assaults
    0/220/280: walk, lunge -> 2/200.19/300.15.1
F10 the end of the game comes before the respawn
    0/260.20.19/300: lunge, break -> 1/260.15.20/300, red wins by score 1:0
    0/290.0/300: walk, break -> 1/290.-1/300, blue wins by energy -1:1
    0/290.0/300: walk, double_walk -> 1/290.-1/260.16, blue wins by energy -1:1
    0/290/300.0: double_walk, walk -> 1/330.16/300.-1, red wins by energy 1:-1
    0/290.20.0.7/300: break_drug, double_walk -> 1/290.15.0.7!/260.16, blue wins by doping -1:1
"""


@pytest.mark.parametrize("case", cases(TABLE, "fencing"))
def test_turns(case):
    assert played(case) == case.after


def test_nothing_is_thrown():
    fencing = load("fencing")
    start = fencing.game.rules.initial(fencing.rules)
    assert fencing.game.rules.chance(fencing.rules, start, Action.WALK, Action.LUNGE) == 1


def test_start():
    skills = (
        "break_skill walk_skill double_walk_skill retreat_skill double_retreat_skill "
        "lunge_distance_skill parry_distance_skill"
    )
    fencer = {
        "energy": 20,
        "score": 0,
        "drug_count": 0,
        "energy_max": 20,
        **dict.fromkeys(skills.split(), 0),
        "doped": False,
    }
    assert step.answer({"game": "fencing", "ask": "start"})["state"] == {
        "turn": 0,
        "red": {"position": 200, **fencer},
        "blue": {"position": 300, **fencer},
    }
