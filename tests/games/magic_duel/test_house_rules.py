"""Every rule that can be changed changes what it says."""

import pytest
from tests.games.cases import cases, played

from holmgang.engine import step

TABLES = {
    "magic-duel:max_hp=30,heal=7": """
max_hp and heal
    r2/25.0.0.0/25.0.0.0: heal 0 -> r1/30.0.0.0/25.0.0.0
    r2/20.0.0.0/25.0.0.0: heal 0 -> r1/27.0.0.0/25.0.0.0
""",
    "magic-duel:normal_damage=4,pierce_damage=6,max_burn=4": """
normal_damage, pierce_damage and max_burn
    r2/25.1.0.0/25.0.0.0: normal 4 player -> r1/25.0.0.0/20.0.4.0
    r2/25.0.0.0/25.0.0.0: normal 3 player -> r1/25.0.0.0/21.0.3.0
    r2/25.0.0.0/25.0.0.0: pierce player -> r1/25.0.0.0/19.0.0.0
M8 the highest burn at the last target is still a normal attack
    r2/25.1.0.0/25.0.0.0+b6@0+b9@0: normal 4 2 -> r1/25.0.0.0/25.0.0.0+b6@0+b4@0
""",
    "magic-duel:magic_gain=7,moves=3": """
magic_gain and moves
    r3/25.0.0.0/25.0.0.0: magic; magic -> r1/25.14.0.0/25.0.0.0
    r1/25.0.0.0/25.0.0.0: magic -> b3/25.7.0.0/25.0.0.0
""",
    "magic-duel:minions=1": """
minions are how many a player may have
    r2/25.9.0.0+b6@0/25.0.0.0: bubble -> refused
    r2/25.9.0.0+b6@0/25.0.0.0: specter -> refused
    r2/25.9.0.0+b6@0/25.0.0.0: bubble 1 -> r1/25.7.0.0+b8@0/25.0.0.0
""",
    "magic-duel:minions=0": """
minions may be none
    r2/25.9.0.0/25.0.0.0: bubble -> refused
""",
    "magic-duel:bubble_cost=3,bubble_hp=9,bubble_magic=2,bubble_fuse=2,bubble_buff_hp=4": """
the numbers of a bubble
    r2/25.3.0.0/25.0.0.0: bubble -> r1/25.0.0.0+b9@0/25.0.0.0
    r2/25.2.0.0/25.0.0.0: bubble -> refused
    b1/25.0.0.0+b9@0/25.0.0.0: magic -> r2/25.2.0.0+b9@1/25.4.0.0
    b1/25.0.0.0+b9@1/25.0.0.0: magic -> r2/25.11.0.0/25.4.0.0
    r2/25.3.0.0+b9@0+b9@0/25.0.0.0: bubble 1 -> r1/25.0.0.0+b13@0+b9@0/25.0.0.0
""",
    "magic-duel:specter_cost=3,specter_hp=9,specter_attack=2,specter_burn=3,"
    "specter_buff_hp=4,specter_buff_attack=5": """
the numbers of a specter
    r2/25.3.0.0/25.0.0.0: specter -> r1/25.0.0.0+s9x2@0/25.0.0.0
    r2/25.2.0.0/25.0.0.0: specter -> refused
    r0s0/25.0.0.0+s9x2@0/25.0.0.0: player -> b2/25.0.0.0+s9x2@0/20.0.3.0
    r2/25.3.0.0+s9x2@0+s9x2@0/25.0.0.0: specter 1 -> r1/25.0.0.0+s13x7@0+s9x2@0/25.0.0.0
""",
    "magic-duel:shield_decay=3": """
shield_decay, down to 0
    r1/25.0.0.0/25.0.0.7: magic -> b2/25.4.0.0/25.0.0.4
    r1/25.0.0.0/25.0.0.2: magic -> b2/25.4.0.0/25.0.0.0
""",
}


@pytest.mark.parametrize(
    "case", [case for ruleset, table in TABLES.items() for case in cases(table, ruleset)]
)
def test_house_rule(case):
    assert played(case) == case.after


def test_max_hp_is_what_players_start_with():
    state = step.answer({"game": "magic-duel:max_hp=40,moves=5", "ask": "start"})["state"]
    assert (state["red"]["hp"], state["blue"]["hp"], state["moves_left"]) == (40, 40, 5)
