"""Every rule that can be changed changes what it says."""

import pytest
from tests.games.cases import cases, played

TABLES = {
    "bagh:start_hp=5,max_boost=1": """
max_boost is the most that can be held
    5.0.0.0/5.0.0.0: boost, boost; boost, boost -> 5.1.0.0/5.1.0.0
""",
    "bagh:max_boost=0": """
max_boost may be 0
    3.0.0.0/3.0.0.0: boost, boost -> 3.0.0.0/3.0.0.0
""",
    "bagh:boost_gain=4": """
boost_gain is what a boost adds, up to max_boost
    3.0.0.0/3.4.0.0: boost, boost -> 3.4.0.0/3.6.0.0
""",
    "bagh:attack_damage=2": """
attack_damage is what an attack does without boost
    9.0.0.0/9.0.0.0: attack, boost -> 9.0.0.0/7.1.0.0
    9.3.0.0/9.0.0.0: attack, boost -> 9.0.0.0/4.1.0.0
""",
    "bagh:guard_gain=3": """
guard_gain is the base of what an effective guard earns
    3.1.0.0/3.0.0.0: guard, attack -> 3.0.4.0/3.0.0.0
""",
    "bagh-advantage:guard_gain=3": """
guard_gain is the base of what an effective guard earns
    3.1.0.0/3.0.0.0: guard, attack -> 3.0.4.0/3.0.0.0
    3.1.0.0/3.0.1.0: guard, attack -> 3.0.1.0/3.0.0.0
""",
    "bagh:priority_damping=2": """
priority_damping is what the attacker's priority takes off
    3.5.0.0/3.0.1.0: guard, attack -> 3.0.4.0/3.0.0.0
""",
    "bagh:priority_fall=2": """
priority_fall is what priority loses, down to 0
    3.0.5.0/3.0.1.0: boost, boost -> 3.1.3.0/3.1.0.0
""",
    "bagh:shield_repair=2": """
shield_repair is what shield damage loses, down to 0
    3.0.0.5/3.0.0.1: boost, boost (red_mends=false blue_mends=false) -> 3.1.0.3/3.1.0.0
""",
    "bagh:heal_amount=3": """
heal_amount is what a heal restores without boost
    3.0.0.0/3.1.0.0: heal, heal -> 6.0.0.0/7.0.0.0
""",
    "bagh:heal_limit=5,heal_limit_per_boost=2": """
heal_limit and heal_limit_per_boost are how far a heal goes
    5.0.0.0/5.1.0.0: heal, heal -> 5.0.0.0/7.0.0.0
""",
    "bagh:advantage=1": """
A2 advantage=1 earns by the earlier rulebook
    3.0.1.0/3.0.2.0: guard, attack -> 3.0.0.0/3.0.1.0
""",
}


@pytest.mark.parametrize(
    "case", [case for ruleset, table in TABLES.items() for case in cases(table, ruleset)]
)
def test_house_rule(case):
    assert played(case) == case.after
