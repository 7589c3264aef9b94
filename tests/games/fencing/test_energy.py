"""Energy: what actions cost and give, the maximum, and running out."""

import pytest
from tests.games.cases import cases, played

TABLE = """
BREAK gives 2 energy
    0/200.10/300: break, walk -> 1/200.12/280.19
WALK and RETREAT cost 1
    0/200/300: walk, retreat -> 1/220.19/320.19
LUNGE costs 5, in any case
    0/200/300: lunge, walk -> 1/200.15/280.19
PARRY costs 2, in any case
    0/200/300: parry, walk -> 1/200.18/280.19
DOUBLE_WALK and DOUBLE_RETREAT cost 4
    0/200/300: double_walk, double_retreat -> 1/240.16/330.16

F15 BREAK stops at the fencer's maximum
    0/200.19/300: break, break -> 1/200/300
F15 BREAK gives 2 and the break skill
    0/200.3.0.1.20.10/300: break, break -> 1/200.15.0.1.20.10/300
    0/200.13.0.1.20.10/300: break, break -> 1/200.20.0.1.20.10/300
    0/200.23.0.1.25/300: break, break -> 1/200.25.0.1.25/300
F4, F15 the break skill is added to a BREAK only
    0/200.9.0.1.20.10/300: walk, break -> 1/220.8.0.1.20.10/300
    0/200.9.0.1.20.10/300: parry, break -> 1/200.7.0.1.20.10/300
F15 the maximum stops gains, not what is there already
    0/200.25/300: walk, break -> 1/220.24/300
F15 ENERGY_MAX_DRUG raises only the maximum
    0/200/300: energy_max_drug, walk -> 1/200.15.0.1.25/280.19

F8 exactly 0 is fine
    0/200.5/300: lunge, break -> 1/200.0/300
    0/200.1/300.2: walk, parry -> 1/220.0/300.0
    0/260.5/300: lunge, break -> 2/200.0.1/300
    0/260/300.5: break, lunge -> 2/200/300.0.1
F8 an action that takes its fencer below 0 is charged, and the game ends
    0/200.0/300: walk, break -> 1/200.-1/300, blue wins by energy -1:1
    0/200/300.4: break, lunge -> 1/200/300.-1, red wins by energy 1:-1
F8 it has no other effect: no touch
    0/260.4/300: lunge, break -> 1/260.-1/300, blue wins by energy -1:1
F8 it has no other effect: no move
    0/200.3/300: double_walk, break -> 1/200.-1/300, blue wins by energy -1:1
F8 it has no other effect: no parry
    0/260.1/300: parry, lunge -> 1/260.-1/300.15.1, blue wins by energy -1:1
    0/200.1/300: parry, lunge -> 1/200.-1/300.15, blue wins by energy -1:1
F8 it has no other effect: no drug
    0/200.4/300: walk_drug, break -> 1/200.-1/300, blue wins by energy -1:1
F8, F13 it has no other effect: no overdose
    0/200.4.0.7/300: walk_drug, break -> 1/200.-1.0.7/300, blue wins by energy -1:1
F8 the opponent's action still resolves
    0/200.0/260: walk, walk -> 1/200.-1/240.19, blue wins by energy -1:1
    0/200.0/240: walk, lunge -> 1/200.-1/240.15.1, blue wins by energy -1:1
    0/200.0/490: walk, retreat -> 1/200.-1.1/500.19, blue wins by energy -1:1
F8, F9 nothing is transferred from a lunge without effect
    0/200.4/300.10: lunge, parry -> 1/200.-1/300.8, blue wins by energy -1:1
"""


@pytest.mark.parametrize("case", cases(TABLE, "fencing", "fencing-codingame"))
def test_energy(case):
    assert played(case) == case.after
