import pytest
from tests.games.cases import cases, played

TABLE = """
A2 a guard with the same boost as the attack earns an advantage of 1
    3.0.0.0/3.0.0.0: guard, attack -> 3.0.1.0/3.0.0.0
    3.4.0.0/3.4.0.0: guard, attack -> 3.0.1.0/3.0.0.0

A2 and 1 more for every boost above the attacker's: boost 5 against 2 earns 4
    3.5.0.0/3.2.0.0: guard, attack -> 3.0.4.0/3.0.0.0

A2 the higher of the old and the new counts: 1 with boost 2 against 2 without earns 2
    3.2.1.0/3.0.2.0: guard, attack -> 3.0.2.0/3.0.1.0

A2 an old advantage of 3 against a gain of 1 stays 3
    3.0.3.0/3.0.1.0: guard, attack -> 3.0.3.0/3.0.0.0
    3.1.3.0/3.0.3.0: guard, attack -> 3.0.3.0/3.0.2.0

A2 only the base point is withheld if the attacker's advantage is higher
    3.3.0.0/3.0.1.0: guard, attack -> 3.0.3.0/3.0.0.0
    3.1.0.0/3.0.9.0: guard, attack -> 3.0.1.0/3.0.8.0

A2, B2 an equal advantage is not higher
    3.0.1.0/3.0.1.0: guard, attack -> 3.0.1.0/3.0.0.0
    3.1.1.0/3.0.1.0: guard, attack -> 3.0.2.0/3.0.0.0

A2 if nothing is earned, advantage falls by 1
    3.0.1.0/3.0.2.0: guard, attack -> 3.0.0.0/3.0.1.0
    3.0.4.0/3.0.5.0: guard, attack -> 3.0.3.0/3.0.4.0
    3.0.0.0/3.0.2.0: guard, attack -> 3.0.0.0/3.0.1.0

advantage drops by 1 every round until it reaches 0, whatever is done
    3.0.2.0/3.0.3.0: boost, boost -> 3.1.1.0/3.1.2.0
    3.0.1.0/3.0.0.0: boost, boost; boost, boost -> 3.2.0.0/3.2.0.0
"""


@pytest.mark.parametrize("case", cases(TABLE, "bagh-advantage"))
def test_advantage(case):
    assert played(case) == case.after
