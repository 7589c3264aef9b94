import pytest
from tests.games.cases import cases, played

TABLE = """
a guard with the same boost as the attack gains 1 priority
    3.0.0.0/3.0.0.0: guard, attack -> 3.0.1.0/3.0.0.0
    3.4.0.0/3.4.0.0: guard, attack -> 3.0.1.0/3.0.0.0

P2 and 1 more for every boost above the attacker's: boost 5 against 2 gains 4
    3.5.0.0/3.2.0.0: guard, attack -> 3.0.4.0/3.0.0.0
    3.6.0.0/3.0.0.0: guard, attack -> 3.0.7.0/3.0.0.0

P2 who has priority already gains the boost difference only
    3.5.1.0/3.2.0.0: guard, attack -> 3.0.4.0/3.0.0.0
    3.3.4.0/3.2.0.0: guard, attack -> 3.0.5.0/3.0.0.0
    3.0.1.0/3.0.0.0: guard, attack -> 3.0.1.0/3.0.0.0

P2, P3 an attacker's priority dampens the gain by 1: priority 1 with boost 2 against 2 gains 1
    3.2.1.0/3.0.2.0: guard, attack -> 3.0.2.0/3.0.1.0

P3 by exactly 1, however large the attacker's priority
    3.4.0.0/3.0.1.0: guard, attack -> 3.0.4.0/3.0.0.0
    3.4.0.0/3.0.9.0: guard, attack -> 3.0.4.0/3.0.8.0

P3 also if it is smaller than the guarder's
    3.2.5.0/3.0.1.0: guard, attack -> 3.0.6.0/3.0.0.0

P2 an effective guard keeps priority even if nothing was gained
    3.0.2.0/3.0.1.0: guard, attack -> 3.0.2.0/3.0.0.0
    3.0.1.0/3.0.2.0: guard, attack -> 3.0.1.0/3.0.1.0
    3.1.3.0/3.0.9.0: guard, attack -> 3.0.3.0/3.0.8.0
    3.0.0.0/3.0.1.0: guard, attack -> 3.0.0.0/3.0.0.0

priority drops by 1 every round until it reaches 0, whatever is done
    3.0.2.0/3.0.3.0: boost, boost -> 3.1.1.0/3.1.2.0
    3.0.2.0/3.0.1.0: heal, guard -> 4.0.1.0/3.0.0.0
    3.0.1.0/3.0.0.0: boost, boost; boost, boost -> 3.2.0.0/3.2.0.0

B2 priorities are compared as they were at the start of the round
    3.0.1.0/3.0.0.0: attack, attack -> 3.0.0.0/2.0.0.0
    3.0.0.0/3.0.1.0: guard, attack -> 3.0.0.0/3.0.0.0
"""


@pytest.mark.parametrize("case", cases(TABLE, "bagh"))
def test_priority(case):
    assert played(case) == case.after
