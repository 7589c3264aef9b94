import pytest
from tests.games.cases import cases, played

TABLE = """
red advances upwards, blue downwards
    0/200/300: walk, walk -> 1/220.19/280.19
    0/200/300: retreat, retreat -> 1/180.19/320.19
    0/200/300: double_walk, break -> 1/240.16/300
    0/200/300: double_retreat, break -> 1/170.16/300
    0/200/300: break, double_walk -> 1/200/260.16
    0/200/300: break, double_retreat -> 1/200/330.16

the other actions do not move
    0/200/300: lunge, break -> 1/200.15/300
    0/200/300: walk_drug, parry -> 1/200.15.0.1.20.0.5/300.18

F4 every skill is added to the printed number: a walk of 20 + 5
    0/200.20.0.1.20.0.5/300: walk, break -> 1/225.19.0.1.20.0.5/300
    0/200/300.20.0.1.20.0.5: break, walk -> 1/200/275.19.0.1.20.0.5
F4 a double walk of 40 + 10
    0/200.20.0.1.20.0.0.10/300: double_walk, break -> 1/250.16.0.1.20.0.0.10/300
F4 a retreat of 20 - 5, as the drug shortens it
    0/200.20.0.1.20.0.0.0.5/300: retreat, break -> 1/185.19.0.1.20.0.0.0.5/300
F4 a double retreat of 30 - 10
    0/200.20.0.1.20.0.0.0.0.10/300: double_retreat, break -> 1/180.16.0.1.20.0.0.0.0.10/300
F4 four retreat drugs leave no retreat, five make it an advance
    0/200.20.0.4.20.0.0.0.20/300: retreat, break -> 1/200.19.0.4.20.0.0.0.20/300
    0/200.20.0.5.20.0.0.0.25/300: retreat, break -> 1/205.19.0.5.20.0.0.0.25/300

F3 level positions are no collision
    0/280/300: walk, break -> 1/300.19/300
    0/280/320: walk, walk -> 1/300.19/300.19
F3, F6 past each other is a collision: no score, both respawn
    0/281/300: walk, break -> 2/200.19/300
    0/290/300: walk, walk -> 2/200.19/300.19
F15 a respawn resets positions only
    9/290.7.3.2.25.0.5/300.4.1: walk, walk -> 11/200.6.3.2.25.0.5/300.3.1
"""


@pytest.mark.parametrize("case", cases(TABLE, "fencing"))
def test_moves(case):
    assert played(case) == case.after
