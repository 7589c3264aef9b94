import pytest
from tests.games.cases import cases, played

TABLE = """
a guard takes no damage from an attack
    1.0.0.0/3.0.0.0: guard, attack -> 1.0.1.0/3.0.0.0
    1.0.0.0/3.6.0.0: guard, attack -> 1.0.0.6/3.0.0.0

a guard only has an effect if the other attacks
    3.0.0.0/3.0.0.0: guard, guard -> 3.0.0.0/3.0.0.0
    3.0.0.0/1.2.0.0: guard, heal -> 3.0.0.0/4.0.0.0
    3.0.0.0/3.2.0.0: guard, boost -> 3.0.0.0/3.3.0.0

B5 with a broken shield: full damage, nothing gained, boost spent, shield no worse
    3.0.0.1/3.0.0.0: guard, attack (red_mends=false) -> 2.0.0.0/3.0.0.0
    9.2.0.3/3.4.0.0: guard, attack (red_mends=false) -> 4.0.0.2/3.0.0.0
    3.6.2.3/3.0.0.0: guard, attack (red_mends=false) -> 2.0.1.2/3.0.0.0

B5 an attack on someone who does not guard never touches the shield
    9.0.0.0/3.5.0.0: boost, attack -> 3.1.0.0/3.0.0.0
    9.0.0.0/3.5.0.0: attack, attack -> 3.0.0.0/2.0.0.0
    9.0.0.0/3.5.0.0: heal, attack -> 3.0.0.0/3.0.0.0
    9.0.0.4/3.5.0.0: boost, attack (red_mends=false) -> 3.1.0.3/3.0.0.0

B6 a guard that breaks gives nothing, and priority falls by 1
    3.0.2.0/3.1.0.0: guard, attack -> 3.0.1.1/3.0.0.0
B6 a guard with a broken shield gives nothing, and priority falls by 1
    3.3.2.1/3.1.0.0: guard, attack (red_mends=false) -> 1.0.1.0/3.0.0.0
B6 a guard against no attack gives nothing, and priority falls by 1
    3.3.2.0/3.0.0.0: guard, boost -> 3.0.1.0/3.1.0.0
    3.3.2.0/3.0.0.0: guard, guard -> 3.0.1.0/3.0.0.0

B8 priority never pierces a guard
    1.0.0.0/3.0.5.0: guard, attack -> 1.0.0.0/3.0.4.0
    1.1.0.0/3.0.9.0: guard, attack -> 1.0.1.0/3.0.8.0
"""


@pytest.mark.parametrize("case", cases(TABLE, "bagh", "bagh-advantage"))
def test_guard(case):
    assert played(case) == case.after
