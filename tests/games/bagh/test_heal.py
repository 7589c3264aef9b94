import pytest
from tests.games.cases import cases, played

BOTH = """
healing restores a point, and one more for each boost
    1.0.0.0/3.0.0.0: heal, guard -> 2.0.0.0/3.0.0.0
    1.1.0.0/3.0.0.0: heal, guard -> 3.0.0.0/3.0.0.0

B9 an attack interrupts a heal: full damage and no healing
    3.0.0.0/3.0.0.0: heal, attack -> 2.0.0.0/3.0.0.0
    3.5.0.0/3.1.0.0: heal, attack -> 1.0.0.0/3.0.0.0
B9 also if the healer's priority is equal or lower
    3.0.2.0/3.0.2.0: heal, attack -> 2.0.1.0/3.0.1.0
    3.0.1.0/3.0.2.0: heal, attack -> 2.0.0.0/3.0.1.0

B1, B9 with the higher priority healing goes through: 1 damage and 1 healed is no change
    3.0.1.0/3.0.0.0: heal, attack -> 3.0.0.0/3.0.0.0
    3.0.3.0/3.0.2.0: heal, attack -> 3.0.2.0/3.0.1.0

B1 damage is not stopped at 0 before the heal
    1.0.1.0/3.0.0.0: heal, attack -> 1.0.0.0/3.0.0.0
    1.2.1.0/3.2.0.0: heal, attack -> 1.0.0.0/3.0.0.0
    1.6.2.0/3.2.1.0: heal, attack -> 5.0.1.0/3.0.0.0
B1 at 0 or below after the heal is dead
    1.0.1.0/3.1.0.0: heal, attack -> 0.0.1.0/3.1.0.0, blue wins by hp
    1.0.1.0/3.6.0.0: heal, attack -> 0.0.1.0/3.6.0.0, blue wins by hp
B1 it is the same for blue
    3.2.0.0/1.2.1.0: attack, heal -> 3.0.0.0/1.0.0.0
    3.1.0.0/1.0.1.0: attack, heal -> 3.1.0.0/0.0.1.0, red wins by hp

B10 a heal never lowers hp above its limit, but spends the boost
    20.0.0.0/3.0.0.0: heal, boost -> 20.0.0.0/3.1.0.0
    20.3.0.0/3.0.0.0: heal, boost -> 20.0.0.0/3.1.0.0
    20.3.1.0/3.1.0.0: heal, attack -> 18.0.0.0/3.0.0.0
"""

PRIORITY = """
P1 boosted: 3 hp with boost 2 heal to 6
    3.2.0.0/3.0.0.0: heal, boost -> 6.0.0.0/3.1.0.0
P1 the limit is 10, whatever the boost
    9.0.0.0/3.0.0.0: heal, boost -> 10.0.0.0/3.1.0.0
    10.0.0.0/3.0.0.0: heal, boost -> 10.0.0.0/3.1.0.0
    9.6.0.0/3.0.0.0: heal, boost -> 10.0.0.0/3.1.0.0
    3.6.0.0/3.0.0.0: heal, boost -> 10.0.0.0/3.1.0.0
B1 damage first, then the heal up to the limit
    10.3.1.0/3.0.0.0: heal, attack -> 10.0.0.0/3.0.0.0
    10.1.1.0/3.3.0.0: heal, attack -> 8.0.0.0/3.0.0.0
"""

ADVANTAGE = """
A1 the limit of an unboosted heal is 4
    3.0.0.0/3.0.0.0: heal, boost -> 4.0.0.0/3.1.0.0
    4.0.0.0/3.0.0.0: heal, boost -> 4.0.0.0/3.1.0.0
A1 and 1 more for each boost of that heal: 4 hp with boost 2 heal to 6
    4.2.0.0/3.0.0.0: heal, boost -> 6.0.0.0/3.1.0.0
    1.6.0.0/3.0.0.0: heal, boost -> 8.0.0.0/3.1.0.0
    9.6.0.0/3.0.0.0: heal, boost -> 10.0.0.0/3.1.0.0
A1, B10 hp above the limit of a later heal stays
    6.0.0.0/3.0.0.0: heal, boost -> 6.0.0.0/3.1.0.0
    6.1.0.0/3.0.0.0: heal, boost -> 6.0.0.0/3.1.0.0
B1 damage first, then the heal up to the limit
    4.0.1.0/3.0.0.0: heal, attack -> 4.0.0.0/3.0.0.0
    6.0.1.0/3.0.0.0: heal, attack -> 5.0.0.0/3.0.0.0
"""


@pytest.mark.parametrize(
    "case",
    [
        *cases(BOTH, "bagh", "bagh-advantage"),
        *cases(PRIORITY, "bagh"),
        *cases(ADVANTAGE, "bagh-advantage"),
    ],
)
def test_heal(case):
    assert played(case) == case.after
