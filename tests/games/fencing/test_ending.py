import pytest
from tests.games.cases import cases, played

from holmgang.games.fencing.story import ending
from holmgang.games.ruleset import load

TABLE = """
F2, F14 20 points with a lead of 2 win: 1 point and 0
    0/260.20.19/300.20.18: lunge, break -> 1/260.15.20/300.20.18, red wins by score 1:0
    0/260.20.3/300.20.19: break, lunge -> 1/260.20.3/300.15.20, blue wins by score 0:1
F2 a lead of 1 is not enough
    0/260.20.19/300.20.19: lunge, break -> 2/200.15.20/300.20.19
    0/260.20.20/300.20.20: lunge, break -> 2/200.15.21/300.20.20
F2 beyond 20 a lead of 2 wins
    0/260.20.21/300.20.20: lunge, break -> 1/260.15.22/300.20.20, red wins by score 1:0
F2 both may score at once and go on
    0/260.20.19/300.20.19: lunge, lunge -> 2/200.15.20/300.15.20
F2 19 points do not win, whatever the lead
    0/260.20.18/300: lunge, break -> 2/200.15.19/300

F14 after 200 turns the higher score wins
    199/200.20.2/300.20.3: break, break -> 200/200.20.2/300.20.3, blue wins by turns 0:1
    199/200/300.20.1: break, break -> 200/200/300.20.1, blue wins by turns 0:1
    199/200.20.1/300: break, break -> 200/200.20.1/300, red wins by turns 1:0
F14 20-19 after 200 turns is a win
    199/200.20.20/300.20.19: break, break -> 200/200.20.20/300.20.19, red wins by turns 1:0
F14 a level score other than 0-0 gives 0 and 0
    199/200.20.3/300.20.3: break, break -> 200/200.20.3/300.20.3, draw by turns 0:0
F14 a score that decides on the last turn is by score
    199/260.20.19/300.20.18: lunge, break -> 200/260.15.20/300.20.18, red wins by score 1:0

F5 0-0 after 200 turns disqualifies both
    199/200/300: break, break -> 200/200/300, draw by non_combativity -1:-1
    198/290/300: walk, walk -> 200/200.19/300.19, draw by non_combativity -1:-1
F5 but not if anyone is otherwise disqualified
    199/200.0/300: walk, break -> 200/200.-1/300, blue wins by energy -1:1
    199/200.20.0.7/300: walk_drug, break -> 200/200.15.0.7!/300, blue wins by doping -1:1

F14 disqualification beats score
    0/200.0.19/300: walk, break -> 1/200.-1.19/300, blue wins by energy -1:1
    0/260.5.19.7/300: walk_drug, break -> 1/260.0.19.7!/300, blue wins by doping -1:1
    0/260.20.19/300.1: lunge, parry -> 1/260.15.20/300.-1, red wins by energy 1:-1
F14 both disqualified get -1
    0/200.0/300.0: walk, walk -> 1/200.-1/300.-1, draw by energy -1:-1
    0/200.20.1.7/300.20.0.7: walk_drug, walk_drug -> \
1/200.15.1.7!/300.15.0.7!, draw by doping -1:-1
F14 energy is named before doping
    0/200.0.1/300.20.0.7: walk, walk_drug -> 1/200.-1.1/300.15.0.7!, draw by energy -1:-1
"""


@pytest.mark.parametrize("case", cases(TABLE, "fencing"))
def test_ending(case):
    assert played(case) == case.after


def test_the_score_of_the_winner_comes_first():
    fencing = load("fencing")
    state = fencing.parse_state("200/200/300.20.10")
    assert ending(fencing.rules, state, fencing.ending(state)) == "Blue wins 10-0 after 200 turns."
