import pytest
from tests.games.cases import cases, played

TABLE = """
a bubble costs 2 magic and starts with 6 hp
    r2/25.3.0.0/25.0.0.0: bubble -> r1/25.1.0.0+b6@0/25.0.0.0
    r2/25.2.0.0+s10x1@3/25.0.0.0: bubble -> r1/25.0.0.0+s10x1@3+b6@0/25.0.0.0
M10 without 2 magic it is no choice
    r2/25.1.0.0/25.0.0.0: bubble -> refused

at the start of its owner's turn it gives 1 magic
    b1/25.0.0.0+b6@0/25.0.0.0: magic -> r2/25.1.0.0+b6@1/25.4.0.0
    b1/25.5.0.0+b6@0+b3@2/25.0.0.0: magic -> r2/25.7.0.0+b6@1+b3@3/25.4.0.0
not at the start of the other's
    r1/25.0.0.0+b6@0/25.0.0.0: magic -> b2/25.4.0.0+b6@0/25.0.0.0

M3 it explodes at its owner's 4th turn start after the summoning
    b1/25.0.0.0+b6@2/25.0.0.0: magic -> r2/25.1.0.0+b6@3/25.4.0.0
    b1/25.0.0.0+b6@3/25.0.0.0: magic -> r2/25.7.0.0/25.4.0.0
M2 for its remaining hp, and gives its 1 magic on that turn too
    b1/25.0.0.0+b2@3/25.0.0.0: magic -> r2/25.3.0.0/25.4.0.0
    b1/25.0.0.0+b10@3/25.0.0.0: magic -> r2/25.11.0.0/25.4.0.0
M3 from its summoning to the explosion
    r2/25.2.0.0/25.0.0.0: bubble; heal 0; heal 0; heal 0; heal 0; heal 0; heal 0; heal 0; \
heal 0; heal 0; heal 0; heal 0; heal 0; heal 0; heal 0; heal 0 -> r2/25.10.0.0/25.0.0.0
M2, M3 two explode at once
    b1/25.0.0.0+b6@3+b4@3/25.0.0.0: magic -> r2/25.12.0.0/25.4.0.0
the minion that is left moves up
    b1/25.0.0.0+b6@3+b4@1/25.0.0.0: magic -> r2/25.8.0.0+b4@2/25.4.0.0
    b1/25.0.0.0+b6@3+s10x2@5/25.0.0.0: magic -> r2/25.7.0.0+s10x2@6/25.4.0.0
    b1/25.0.0.0+s10x2@5+b6@3/25.0.0.0: magic -> r2/25.7.0.0+s10x2@6/25.4.0.0
M13 the freed place and the magic are usable in that turn
    b1/25.0.0.0+b6@3+b4@1/25.0.0.0: magic; specter -> r1/25.3.0.0+b4@2+s10x1@0/25.4.0.0

M10 with two minions it buffs a bubble of one's choice by 2 hp, for the full price
    r2/25.2.0.0+b6@0+b4@3/25.0.0.0: bubble 1 -> r1/25.0.0.0+b8@0+b4@3/25.0.0.0
    r2/25.5.0.0+b6@0+b4@3/25.0.0.0: bubble 2 -> r1/25.3.0.0+b6@0+b6@3/25.0.0.0
M3, M10 a buff does not touch the timer
    r1/25.2.0.0+b6@3+b4@0/25.0.0.0: bubble 1; magic; magic -> r2/25.10.0.0+b4@1/25.8.0.0
M10 not a specter
    r2/25.2.0.0+b6@0+s10x1@0/25.0.0.0: bubble 2 -> refused
    r2/25.2.0.0+s10x1@0+s10x1@0/25.0.0.0: bubble 1 -> refused
M10 not while there is room, and no third one
    r2/25.2.0.0+b6@0/25.0.0.0: bubble 1 -> refused
    r2/25.2.0.0+b6@0+b6@0/25.0.0.0: bubble -> refused
M10 not with too little magic
    r2/25.1.0.0+b6@0+b6@0/25.0.0.0: bubble 1 -> refused
"""


@pytest.mark.parametrize("case", cases(TABLE, "magic-duel"))
def test_bubble(case):
    assert played(case) == case.after
