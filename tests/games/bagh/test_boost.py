import pytest
from tests.games.cases import cases, played

TABLE = """
boosting increases the boost by 1, and successive boosts increase it further
    3.0.0.0/3.0.0.0: boost, boost -> 3.1.0.0/3.1.0.0
    3.0.0.0/3.0.0.0: boost, guard; boost, guard; boost, guard -> 3.3.0.0/3.0.0.0
    3.4.0.0/3.5.0.0: boost, boost -> 3.5.0.0/3.6.0.0

B7 boost 6 stays 6
    3.6.0.0/3.0.0.0: boost, guard -> 3.6.0.0/3.0.0.0
    3.5.0.0/3.6.0.0: boost, boost; boost, boost -> 3.6.0.0/3.6.0.0

B7 being attacked does not interrupt a boost
    3.0.0.0/3.0.0.0: boost, attack -> 2.1.0.0/3.0.0.0
    9.2.0.0/3.5.0.0: boost, attack -> 3.3.0.0/3.0.0.0

any other action spends all of the boost
    3.4.0.0/9.0.0.0: attack, boost -> 3.0.0.0/4.1.0.0
    3.4.0.0/3.0.0.0: guard, attack -> 3.0.5.0/3.0.0.0
    3.2.0.0/3.0.0.0: heal, boost -> 6.0.0.0/3.1.0.0

boost is spent even if the action is unsuccessful or has no effect
    3.4.0.0/3.0.0.0: guard, boost -> 3.0.0.0/3.1.0.0
    3.4.0.0/3.0.0.0: heal, attack -> 2.0.0.0/3.0.0.0
    20.4.0.0/3.0.0.0: heal, boost -> 20.0.0.0/3.1.0.0
    3.4.0.0/3.4.0.0: attack, guard -> 3.0.0.0/3.0.1.0
    3.4.0.0/3.0.1.0: attack, attack -> 2.0.0.0/3.0.0.0
"""


@pytest.mark.parametrize("case", cases(TABLE, "bagh"))
def test_boost(case):
    assert played(case) == case.after
