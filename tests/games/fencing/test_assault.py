import pytest
from tests.games.cases import cases, played

TABLE = """
F1 a lunge touches when the distance is at most 40
    0/260/300: lunge, break -> 2/200.15.1/300
    0/280/300: lunge, break -> 2/200.15.1/300
    0/300/300: lunge, break -> 2/200.15.1/300
F1 and does not beyond
    0/259/300: lunge, break -> 1/259.15/300
    0/200/300: lunge, break -> 1/200.15/300
F1 it is the same for blue
    0/200/240: break, lunge -> 2/200/300.15.1
    0/200/241: break, lunge -> 1/200/241.15

F1, F4 the lunge skill lengthens the reach: 40 + 5
    0/255.20.0.1.20.0.0.0.0.0.5/300: lunge, break -> 2/200.15.1.1.20.0.0.0.0.0.5/300
    0/254.20.0.1.20.0.0.0.0.0.5/300: lunge, break -> 1/254.15.0.1.20.0.0.0.0.0.5/300

F1 against a parry the reach is 40 - 40
    0/300/300: lunge, parry -> 2/200.15.1/300.18
    0/299/300: lunge, parry -> 1/299.13/300
F1, F4 against a parry with lunge skill it is 40 + 5 - 40
    0/295.20.0.1.20.0.0.0.0.0.5/300: lunge, parry -> 2/200.15.1.1.20.0.0.0.0.0.5/300.18
    0/294.20.0.1.20.0.0.0.0.0.5/300: lunge, parry -> 1/294.13.0.1.20.0.0.0.0.0.5/300
F4 with parry skill it is 40 - 40 - 5: not even level fencers touch
    0/300/300.20.0.1.20.0.0.0.0.0.0.-5: lunge, parry -> \
1/300.13/300.20.0.1.20.0.0.0.0.0.0.-5
F4 lunge and parry skill balance
    0/300.20.0.1.20.0.0.0.0.0.5/300.20.0.1.20.0.0.0.0.0.0.-5: lunge, parry -> \
2/200.15.1.1.20.0.0.0.0.0.5/300.18.0.1.20.0.0.0.0.0.0.-5
F4 a skill does nothing without its action
    0/260/300.20.0.1.20.0.0.0.0.0.0.-5: lunge, break -> \
2/200.15.1/300.20.0.1.20.0.0.0.0.0.0.-5

F12 lunge against lunge is tested for each side: both score
    0/260/300: lunge, lunge -> 2/200.15.1/300.15.1
F12 or only the longer one
    0/255.20.0.1.20.0.0.0.0.0.5/300: lunge, lunge -> 2/200.15.1.1.20.0.0.0.0.0.5/300.15
    0/259/300: lunge, lunge -> 1/259.15/300.15

F9 a lunge that is parried gives 2 energy to the parrier, at any distance
    0/200/300.10: lunge, parry -> 1/200.13/300.10
    0/0/500.10: lunge, parry -> 1/0.13/500.10
    0/299.10/300: parry, lunge -> 1/299.10/300.13
F9 also at his maximum, which may be a raised one
    0/200/300: lunge, parry -> 1/200.13/300
    0/200/300.21.0.1.25: lunge, parry -> 1/200.13/300.21.0.1.25
F9 the loss can put the lunger out
    0/200.6/300: lunge, parry -> 1/200.-1/300, blue wins by energy -1:1
    0/200.7/300: lunge, parry -> 1/200.0/300
F9 nothing is transferred if the lunge touches, or without a lunge
    0/300/300.10: lunge, parry -> 2/200.15.1/300.8
    0/300.10/300: parry, lunge -> 2/200.8/300.15.1
    0/200/300.10: walk, parry -> 1/220.19/300.8
    0/200.10/300.10: parry, parry -> 1/200.8/300.8

F11 distance is measured after the moves: walking into reach
    0/240/300: walk, lunge -> 2/200.19/300.15.1
    0/239/300: walk, lunge -> 1/259.19/300.15
F11 or out of it
    0/260/300: retreat, lunge -> 1/240.19/300.15
F11 fencers who crossed this turn can touch
    0/290/300: walk, lunge -> 2/200.19/300.15.1
    0/300/300: double_walk, lunge -> 2/200.16/300.15.1
F11 and a collision without a touch scores nothing
    0/290.20.0.6.20.0.0.30/300: double_walk, lunge -> 2/200.16.0.6.20.0.0.30/300.15

F4 a drug of this turn does not lunge or parry
    0/260/300: lunge_drug, lunge -> 2/200.15.0.1.20.0.0.0.0.0.5/300.15.1
    0/260/300: parry_drug, lunge -> 2/200.15.0.1.20.0.0.0.0.0.0.-5/300.15.1
"""


@pytest.mark.parametrize("case", cases(TABLE, "fencing"))
def test_assault(case):
    assert played(case) == case.after
