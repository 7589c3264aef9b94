"""The start of a turn: the shield decays, burn hurts, bubbles give and explode."""

import pytest
from tests.games.cases import cases, played

from holmgang.engine import step

TABLE = """
M5 the shield loses 1 at the start of its owner's turn
    r1/25.0.0.4/25.0.0.7: magic -> b2/25.4.0.4/25.0.0.6
    b1/25.0.0.4/25.0.0.7: magic -> r2/25.0.0.3/25.4.0.7
M5 down to 0
    r1/25.0.0.0/25.0.0.0: magic -> b2/25.4.0.0/25.0.0.0
    r1/25.0.0.0/25.0.0.1: magic -> b2/25.4.0.0/25.0.0.0

M1 burn hurts at the start of the burned player's own turn
    r1/25.0.2.0/25.0.3.0: magic -> b2/25.4.2.0/22.0.3.0
    b1/25.0.2.0/25.0.3.0: magic -> r2/23.0.2.0/25.4.3.0
M1 it bypasses the shield
    r1/25.0.0.0/25.0.3.9: magic -> b2/25.4.0.0/22.0.3.8
M1 it stays until a heal clears it
    r1/25.0.0.0/25.0.2.0: magic; magic; magic; magic; magic -> b2/25.12.0.0/21.8.2.0
    b2/25.0.0.0/20.0.2.0: heal 0; magic; magic; magic -> b2/25.8.0.0/25.4.0.0
M1 dying of it loses at once, before any move
    r1/25.0.0.0/3.0.3.0: magic -> b2/25.4.0.0/0.0.3.0, red wins by hp
    r1/25.0.0.0/3.0.5.0: magic -> b2/25.4.0.0/-2.0.5.0, red wins by hp
    b1/2.0.2.0/25.0.0.0: magic -> r2/0.0.2.0/25.4.0.0, blue wins by hp
M1 shield first, then burn, and bubbles only for the living
    r1/25.0.0.0/3.0.3.4+b6@3: magic -> b2/25.4.0.0/0.0.3.3+b6@3, red wins by hp
    r1/25.0.0.0/4.0.3.4+b6@3: magic -> b2/25.4.0.0/1.7.3.3
M1 burn given this turn hurts at the next start
    r1/25.0.0.0/25.0.0.0: normal 2 player -> b2/25.0.0.0/20.0.2.0

M13 red moves first, with both moves
    r2/25.0.0.0/25.0.0.0: magic -> r1/25.4.0.0/25.0.0.0
    r2/25.0.0.0/25.0.0.0: magic; magic -> b2/25.8.0.0/25.0.0.0
    r2/25.0.0.0/25.0.0.0: magic; magic; magic; magic -> r2/25.8.0.0/25.8.0.0
M13 no passing
    r2/25.0.0.0/25.0.0.0: pass -> refused
"""


@pytest.mark.parametrize("case", cases(TABLE, "magic-duel"))
def test_turn_start(case):
    assert played(case) == case.after


def test_start():
    player = {"hp": 25, "magic": 0, "burn": 0, "shield": 0, "minions": []}
    assert step.answer({"game": "magic-duel", "ask": "start"})["state"] == {
        "to_move": "red",
        "phase": "move",
        "moves_left": 2,
        "specter": 0,
        "red": player,
        "blue": player,
    }
