import pytest
from tests.games.cases import cases, played

TABLE = """
an attack does a point of damage
    3.0.0.0/3.0.0.0: attack, boost -> 3.0.0.0/2.1.0.0
    3.0.0.0/3.0.0.0: attack, heal -> 3.0.0.0/2.0.0.0

a boosted attack does one more for each boost: boost 2 does 3
    3.2.0.0/9.0.0.0: attack, boost -> 3.0.0.0/6.1.0.0
    3.6.0.0/9.0.0.0: attack, boost -> 3.0.0.0/2.1.0.0

if both attack, each damages the other
    3.0.0.0/3.0.0.0: attack, attack -> 2.0.0.0/2.0.0.0
    9.3.0.0/9.1.0.0: attack, attack -> 7.0.0.0/5.0.0.0

who brings the opponent to 0 wins
    3.2.0.0/3.0.0.0: attack, boost -> 3.2.0.0/0.1.0.0, red wins by hp
    1.0.0.0/3.0.0.0: heal, attack -> 0.0.0.0/3.0.0.0, blue wins by hp
    1.0.0.0/2.0.0.0: attack, attack -> 0.0.0.0/1.0.0.0, blue wins by hp

B3 both at 0 or below in one round is a draw, however far below
    1.0.0.0/1.0.0.0: attack, attack -> 0.0.0.0/0.0.0.0, draw by hp
    1.0.0.0/1.6.0.0: attack, attack -> 0.0.0.0/0.6.0.0, draw by hp
    7.6.0.0/2.6.0.0: attack, attack -> 0.6.0.0/0.6.0.0, draw by hp

B2, B8 if both attack, only the strictly higher priority hits
    3.0.1.0/3.0.0.0: attack, attack -> 3.0.0.0/2.0.0.0
    3.6.1.0/3.1.3.0: attack, attack -> 1.0.0.0/3.0.2.0
    1.6.0.0/1.0.1.0: attack, attack -> 0.6.0.0/1.0.1.0, blue wins by hp

B8 with equal priority, also above 0, both hit
    3.0.2.0/3.0.2.0: attack, attack -> 2.0.1.0/2.0.1.0
    3.1.1.0/3.0.1.0: attack, attack -> 2.0.0.0/1.0.0.0

1 hp is enough to win
    1.0.0.0/1.0.0.0: attack, boost -> 1.0.0.0/0.1.0.0, red wins by hp
    1.0.0.0/1.0.0.0: boost, attack -> 0.1.0.0/1.0.0.0, blue wins by hp
"""


@pytest.mark.parametrize("case", cases(TABLE, "bagh", "bagh-advantage"))
def test_attack(case):
    assert played(case) == case.after
