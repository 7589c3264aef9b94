"""Specters. `r0s1` is a state in which red's specter at place 1 attacks."""

import pytest
from tests.games.cases import cases, played

TABLE = """
a specter costs 5 magic and starts with 10 hp and 1 attack
    r2/25.6.0.0/25.0.0.0: specter -> r1/25.1.0.0+s10x1@0/25.0.0.0
    r2/25.5.0.0+b6@2/25.0.0.0: specter -> r1/25.0.0.0+b6@2+s10x1@0/25.0.0.0
M10 without 5 magic it is no choice
    r2/25.4.0.0/25.0.0.0: specter -> refused

M11 after the two moves every specter attacks, in order
    r1/25.0.0.0+s10x1@1/25.0.0.0: magic -> r0s0/25.4.0.0+s10x1@1/25.0.0.0
    r1/25.0.0.0+b6@0+s10x1@1/25.0.0.0: magic -> r0s1/25.4.0.0+b6@0+s10x1@1/25.0.0.0
    r1/25.0.0.0+s9x1@1+s8x2@1/25.0.0.0: magic -> r0s0/25.4.0.0+s9x1@1+s8x2@1/25.0.0.0
    r0s0/25.0.0.0+s9x1@1+s8x2@1/25.0.0.0: player -> r0s1/25.0.0.0+s9x1@1+s8x2@1/24.0.1.0
    r0s1/25.0.0.0+s9x1@1+s8x2@1/25.0.0.0: player -> b2/25.0.0.0+s9x1@1+s8x2@1/22.0.1.0
M11 the turn passes after the last one, whatever moves a state says are left
    r1s0/25.0.0.0+s9x1@1/25.0.0.0: player -> b2/25.0.0.0+s9x1@1/23.0.1.0
M4 also one that was summoned this turn
    r1/25.5.0.0/25.0.0.0: specter -> r0s0/25.0.0.0+s10x1@0/25.0.0.0
M11 not before the second move
    r2/25.5.0.0/25.0.0.0: specter -> r1/25.0.0.0+s10x1@0/25.0.0.0

M11 it does normal damage, which the shield absorbs
    r0s0/25.0.0.0+s10x3@1/25.0.0.2: player -> b2/25.0.0.0+s10x3@1/23.0.1.0
    r0s0/25.0.0.0+s10x3@1/25.0.0.9: player -> b2/25.0.0.0+s10x3@1/25.0.0.5
M11 its burn is 1, only on hp loss
    r0s0/25.0.0.0+s10x1@1/25.0.0.0: player -> b2/25.0.0.0+s10x1@1/23.0.1.0
    r0s0/25.0.0.0+s10x1@1/25.0.0.1: player -> b2/25.0.0.0+s10x1@1/25.0.0.0
M11 its burn does not grow with buffs
    r0s0/25.0.0.0+s13x4@1/25.0.0.0: player -> b2/25.0.0.0+s13x4@1/20.0.1.0
M11 its owner's magic makes it no stronger
    r0s0/25.9.0.0+s10x1@1/25.0.0.0: player -> b2/25.9.0.0+s10x1@1/23.0.1.0

M11 it may attack the enemy's minions
    r0s0/25.0.0.0+s10x2@1/25.0.0.9+b6@0+s10x1@0: 1 -> b2/25.0.0.0+s10x2@1/25.1.0.8+b4@1+s10x1@1
    r0s0/25.0.0.0+s10x2@1/25.0.0.9+b6@0+s10x1@0: 2 -> b2/25.0.0.0+s10x2@1/25.1.0.8+b6@1+s8x1@1
    r0s0/25.0.0.0+s10x2@1/25.0.0.0+b2@0: 1 -> b2/25.0.0.0+s10x2@1/25.0.0.0
M11 each target is chosen after the previous attack resolved
    r0s0/25.0.0.0+s9x3@1+s9x3@1/25.0.0.0+b3@0+b5@0: 1; 1 -> \
b2/25.0.0.0+s9x3@1+s9x3@1/25.1.0.0+b2@1
    r0s0/25.0.0.0+s9x3@1+s9x3@1/25.0.0.0+b3@0: 1; 1 -> refused
M11 only such as there are
    r0s0/25.0.0.0+s10x1@1/25.0.0.0: 1 -> refused
M11 it must attack: no other choice then
    r0s0/25.0.0.0+s10x1@1/25.0.0.0: magic -> refused
    r0s0/25.0.0.0+s10x1@1/25.0.0.0: heal 0 -> refused
    r1/25.0.0.0+s10x1@1/25.0.0.0: player -> refused

M10 with two minions it buffs a specter of one's choice: 1 hp and 1 attack, for the full price
    r2/25.5.0.0+s10x1@0+s4x2@3/25.0.0.0: specter 1 -> r1/25.0.0.0+s11x2@0+s4x2@3/25.0.0.0
    r2/25.6.0.0+b6@0+s4x2@3/25.0.0.0: specter 2 -> r1/25.1.0.0+b6@0+s5x3@3/25.0.0.0
M10 not a bubble
    r2/25.5.0.0+b6@0+s10x1@0/25.0.0.0: specter 1 -> refused
M10 not while there is room, and no third one
    r2/25.5.0.0+s10x1@0/25.0.0.0: specter 1 -> refused
    r2/25.5.0.0+s10x1@0+s10x1@0/25.0.0.0: specter -> refused
M10 not with too little magic
    r2/25.4.0.0+s10x1@0+s10x1@0/25.0.0.0: specter 1 -> refused
"""


@pytest.mark.parametrize("case", cases(TABLE, "magic-duel"))
def test_specter(case):
    assert played(case) == case.after
