import pytest
from tests.games.cases import cases, played

HEAL = """
M13 a heal gives 5 hp
    r2/10.0.0.0/25.0.0.0: heal 0 -> r1/15.0.0.0/25.0.0.0
M13 up to 25
    r2/22.0.0.0/25.0.0.0: heal 0 -> r1/25.0.0.0/25.0.0.0
    r2/25.0.0.0/25.0.0.0: heal 0 -> r1/25.0.0.0/25.0.0.0
M13 it clears burn
    r2/10.0.4.0/25.0.2.0: heal 0 -> r1/15.0.0.0/25.0.2.0
M13 and adds to the shield
    r2/10.0.0.3/25.0.0.0: heal 4 -> r1/15.0.0.7/25.0.0.0
    b2/25.0.0.0/10.0.2.0: heal 1 -> b1/25.0.0.0/15.0.0.1

M6 the shield is free and unlimited
    r2/25.0.0.0/25.0.0.0: heal 1000000 -> r1/25.0.0.1000000/25.0.0.0
    r2/25.0.0.0/25.0.0.0: heal 999999999999999 -> r1/25.0.0.999999999999999/25.0.0.0
M6 any non-negative whole number
    r2/25.0.0.0/25.0.0.0: heal -1 -> refused
    r2/25.0.0.0/25.0.0.0: heal 1.5 -> refused
    r2/25.0.0.0/25.0.0.0: heal -> refused
"""

LIMITED = """
M6 shield_limit is the most that one heal may add
    r2/25.0.0.0/25.0.0.0: heal 3 -> r1/25.0.0.3/25.0.0.0
    r2/25.0.0.0/25.0.0.0: heal 4 -> refused
M6 it does not limit the whole shield
    r2/25.0.0.9/25.0.0.0: heal 3 -> r1/25.0.0.12/25.0.0.0
"""

NO_SHIELD = """
M6 shield_limit may be 0
    r2/20.0.0.0/25.0.0.0: heal 0 -> r1/25.0.0.0/25.0.0.0
    r2/20.0.0.0/25.0.0.0: heal 1 -> refused
"""

HIGH_LIMIT = """
M6 a high shield_limit holds also for amounts that are not on the menu
    r2/25.0.0.0/25.0.0.0: heal 50 -> r1/25.0.0.50/25.0.0.0
    r2/25.0.0.0/25.0.0.0: heal 51 -> refused
"""

MAGIC = """
gaining magic gives 4
    r2/25.0.0.0/25.0.0.0: magic -> r1/25.4.0.0/25.0.0.0
    r2/25.7.0.0/25.0.0.0: magic; magic -> b2/25.15.0.0/25.0.0.0
"""


@pytest.mark.parametrize(
    "case",
    [
        *cases(HEAL + MAGIC, "magic-duel"),
        *cases(LIMITED, "magic-duel:shield_limit=3"),
        *cases(NO_SHIELD, "magic-duel:shield_limit=0"),
        *cases(HIGH_LIMIT, "magic-duel:shield_limit=50"),
    ],
)
def test_heal_and_magic(case):
    assert played(case) == case.after
