import pytest
from tests.games.cases import cases, played

from holmgang.games.outcome import Outcome
from holmgang.games.ruleset import load

TABLE = """
M12 0 hp or less loses at once, with moves left
    r2/25.0.0.0/3.0.0.0: normal 0 player -> r1/25.0.0.0/0.0.0.0, red wins by hp
    b2/5.0.0.0/25.0.0.0: pierce player -> b1/0.0.0.0/25.0.0.0, blue wins by hp
M12 on the last move, before the specters attack or the turn passes
    r1/25.0.0.0+s10x1@0/2.0.0.0+b6@3: pierce player -> \
r0/25.0.0.0+s10x1@0/-3.0.0.0+b6@3, red wins by hp
M12 by a specter, before the next one attacks
    r0s0/25.0.0.0+s10x1@0+s10x1@0/1.0.0.0: player -> \
r0s0/25.0.0.0+s10x1@0+s10x1@0/0.0.1.0, red wins by hp
M12 1 hp is enough to live
    r2/25.0.0.0/4.0.0.0: normal 0 player -> r1/25.0.0.0/1.0.0.0
    r2/25.0.0.0/6.0.0.0: pierce player -> r1/25.0.0.0/1.0.0.0
    b2/4.0.0.0/25.0.0.0: normal 0 player -> b1/1.0.0.0/25.0.0.0
    r1/25.0.0.0/4.0.0.0: normal 0 player -> b2/25.0.0.0/1.0.0.0
M12 and to win
    r2/1.0.0.0/3.0.0.0: normal 0 player -> r1/1.0.0.0/0.0.0.0, red wins by hp
    b2/3.0.0.0/1.0.0.0: normal 0 player -> b1/0.0.0.0/1.0.0.0, blue wins by hp
"""


@pytest.mark.parametrize("case", cases(TABLE, "magic-duel"))
def test_ending(case):
    assert played(case) == case.after


@pytest.mark.parametrize("text", ["r1/0.0.0.0/-2.0.0.0", "r1/-2.0.0.0/0.0.0.0"])
def test_m12_both_dead_would_be_a_tie(text):
    magic = load("magic-duel")
    state = magic.game.notation.parse_text(magic.rules, text)
    assert magic.outcome(state) == Outcome(winner=None, reason="hp")
