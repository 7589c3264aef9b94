"""The eight drugs of league 3.

A fencer's numbers are position, energy, score, drug count, energy maximum, then the skills: break,
walk, double walk, retreat, double retreat, lunge, parry.
"""

import pytest
from tests.games.cases import cases, played

TABLE = """
every drug costs 5 energy, counts as one, and raises its number
    0/200/300: energy_max_drug, break -> 1/200.15.0.1.25/300
    0/200/300: break_drug, break -> 1/200.15.0.1.20.10/300
    0/200/300: walk_drug, break -> 1/200.15.0.1.20.0.5/300
    0/200/300: double_walk_drug, break -> 1/200.15.0.1.20.0.0.10/300
    0/200/300: retreat_drug, break -> 1/200.15.0.1.20.0.0.0.5/300
    0/200/300: double_retreat_drug, break -> 1/200.15.0.1.20.0.0.0.0.10/300
    0/200/300: lunge_drug, break -> 1/200.15.0.1.20.0.0.0.0.0.5/300

F4 PARRY_DRUG works and counts like the others
    0/200/300: parry_drug, break -> 1/200.15.0.1.20.0.0.0.0.0.0.-5/300

drugs of one kind add up
    0/200/300: walk_drug, break; walk_drug, break; walk_drug, break -> 3/200.5.0.3.20.0.15/300

F13 the 7th drug is still allowed
    0/200.20.3.6/300: lunge_drug, break -> 1/200.15.3.7.20.0.0.0.0.0.5/300
F13 the 8th: energy paid, no effect, the count stays 7, the game ends
    0/200.20.3.7/300: lunge_drug, break -> 1/200.15.3.7!/300, blue wins by doping -1:1
    0/200/300.20.3.7: break, energy_max_drug -> 1/200/300.15.3.7!, red wins by doping 1:-1
    0/200.20.3.7/300: parry_drug, break -> 1/200.15.3.7!/300, blue wins by doping -1:1
F13 with the last of one's energy it is doping all the same
    0/200.5.3.7/300: lunge_drug, break -> 1/200.0.3.7!/300, blue wins by doping -1:1
    0/200/300.5.3.7: break, lunge_drug -> 1/200/300.0.3.7!, red wins by doping 1:-1
F13 the opponent's action still resolves
    0/200.20.3.7/240: lunge_drug, lunge -> 1/200.15.3.7!/240.15.1, blue wins by doping -1:1
"""


@pytest.mark.parametrize("case", cases(TABLE, "fencing"))
def test_drugs(case):
    assert played(case) == case.after
