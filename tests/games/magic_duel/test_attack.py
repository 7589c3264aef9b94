"""Attacks by the players.

A state is who moves with how many moves left, then each player's hp.magic.burn.shield and minions:
`+b6@1` is a bubble of 6 hp and age 1, `+s10x1@0` a specter of 10 hp that attacks for 1.
"""

import pytest
from tests.games.cases import cases, played

NORMAL = """
a normal attack does 3 damage and all magic, which is spent
    r2/25.0.0.0/25.0.0.0: normal 0 player -> r1/25.0.0.0/22.0.0.0
    r2/25.4.0.0/25.0.0.0: normal 0 player -> r1/25.0.0.0/18.0.0.0
    b2/25.0.0.0/25.4.0.0: normal 0 player -> b1/18.0.0.0/25.0.0.0

the shield reduces it
    r2/25.0.0.0/25.0.0.2: normal 0 player -> r1/25.0.0.0/24.0.0.0
    r2/25.4.0.0/25.0.0.7: normal 0 player -> r1/25.0.0.0/25.0.0.0
M5 the shield is used up by what it absorbs, and what is left persists
    r2/25.0.0.0/25.0.0.9: normal 0 player -> r1/25.0.0.0/25.0.0.6

M7 the attacker chooses how much burn is added, from 0 to 2
    r2/25.0.0.0/25.0.0.0: normal 1 player -> r1/25.0.0.0/22.0.1.0
    r2/25.0.0.0/25.0.0.0: normal 2 player -> r1/25.0.0.0/22.0.2.0
    r2/25.0.0.0/25.0.0.0: normal 3 player -> refused
M7 burn stacks
    r2/25.0.0.0/25.0.3.0: normal 2 player -> r1/25.0.0.0/22.0.5.0
M7 burn ignores the shield, if at least 1 hp was lost
    r2/25.0.0.0/25.0.0.2: normal 2 player -> r1/25.0.0.0/24.0.2.0
M7 no burn if the shield absorbed it all
    r2/25.0.0.0/25.0.0.3: normal 2 player -> r1/25.0.0.0/25.0.0.0
M7 burn is free
    r2/25.0.0.0/25.0.0.0: normal 2 player; normal 2 player -> b2/25.0.0.0/15.0.4.0

M8 a minion may be the target: no burn, no shield, and magic is spent all the same
    r2/25.2.0.0/25.0.0.9+s10x1@0: normal 2 1 -> r1/25.0.0.0/25.0.0.9+s5x1@0
    r2/25.0.0.0/25.0.1.0+b6@0+b6@1: normal 1 1 -> r1/25.0.0.0/25.0.1.0+b3@0+b6@1
    r2/25.0.0.0/25.0.0.0+b6@0+b6@1: normal 0 2 -> r1/25.0.0.0/25.0.0.0+b6@0+b3@1
M8 with 1 hp left it lives
    r2/25.0.0.0/25.0.0.0+b4@2: normal 0 1 -> r1/25.0.0.0/25.0.0.0+b1@2
    r2/25.0.0.0/25.0.0.0+b6@0+s6x1@1: pierce 2 -> r1/25.0.0.0/25.0.0.0+b6@0+s1x1@1
M8 at 0 hp or below it dies, and what is over is lost
    r2/25.3.0.0/25.0.0.0+b6@2: normal 0 1 -> r1/25.0.0.0/25.0.0.0
    r2/25.9.0.0/25.0.0.0+b6@2+s10x1@1: normal 0 1 -> r1/25.0.0.0/25.0.0.0+s10x1@1
    r2/25.9.0.0/25.0.0.0+b6@2+s10x1@1: normal 0 2 -> r1/25.0.0.0/25.0.0.0+b6@2
M8 there must be such a minion
    r2/25.0.0.0/25.0.0.0: normal 0 1 -> refused
    r2/25.0.0.0/25.0.0.0+b6@0: normal 0 2 -> refused
"""

PIERCING = """
M9 a piercing attack does 5, and leaves the shield untouched
    r2/25.0.0.0/25.0.0.0: pierce player -> r1/25.0.0.0/20.0.0.0
    r2/25.0.0.0/25.0.0.9: pierce player -> r1/25.0.0.0/20.0.0.9
M9 it spends no magic and gains nothing by it
    r2/25.8.0.0/25.0.0.0: pierce player -> r1/25.8.0.0/20.0.0.0
M9 it cannot apply burn
    r2/25.0.0.0/25.0.1.0: pierce player -> r1/25.0.0.0/20.0.1.0
M8, M9 a minion may be the target
    r2/25.0.0.0/25.0.0.9+s10x1@0: pierce 1 -> r1/25.0.0.0/25.0.0.9+s5x1@0
    r2/25.0.0.0/25.0.0.0+s10x1@0+b4@1: pierce 2 -> r1/25.0.0.0/25.0.0.0+s10x1@0
    r2/25.0.0.0/25.0.0.0: pierce 1 -> refused
"""


@pytest.mark.parametrize("case", cases(NORMAL + PIERCING, "magic-duel"))
def test_attack(case):
    assert played(case) == case.after
