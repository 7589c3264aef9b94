from collections import Counter
from itertools import product

import pytest
from tests.games.cases import cases, played

from holmgang.engine import step
from holmgang.games.bagh.rules import face_group, face_groups
from holmgang.games.ruleset import load

TABLE = """
B4 a guard with less boost than the attack breaks the shield by the difference: 1 against 0
    3.1.0.0/3.0.0.0: attack, guard -> 3.0.0.0/3.0.0.1
B4 a guard with less boost than the attack breaks the shield by the difference: 5 against 2
    3.5.0.0/3.2.0.0: attack, guard -> 3.0.0.0/3.0.0.3

B4 a shield broken this round does not lose damage this round
    3.6.0.0/3.0.0.0: attack, guard -> 3.0.0.0/3.0.0.6

B4 if it does not mend, its damage falls by 1, until it is whole
    3.0.0.0/3.0.0.1: boost, boost (blue_mends=false) -> 3.1.0.0/3.1.0.0
    3.0.0.0/3.0.0.3: boost, boost (blue_mends=false) -> 3.1.0.0/3.1.0.2
    3.0.0.2/3.0.0.5: boost, heal (red_mends=false blue_mends=false) -> 3.1.0.1/4.0.0.4

B4 it is whole after as many rounds as the boost difference was
    3.0.0.0/3.0.0.2: guard, guard (blue_mends=false); guard, guard (blue_mends=false); \
attack, guard -> 3.0.0.0/3.0.1.0

B4 a shield that mends this round guards this round
    3.0.0.3/3.0.0.0: guard, attack (red_mends=true) -> 3.0.1.0/3.0.0.0
    3.0.0.6/3.0.0.0: boost, boost (red_mends=true) -> 3.1.0.0/3.1.0.0
B4 and can break again at once
    3.3.0.0/3.2.0.3: attack, guard (blue_mends=true) -> 3.0.0.0/3.0.0.1

B4 each shield has a roll of its own
    3.0.0.2/3.0.0.2: boost, boost (red_mends=true blue_mends=false) -> 3.1.0.0/3.1.0.1
    3.0.0.2/3.0.0.2: boost, boost (red_mends=false blue_mends=true) -> 3.1.0.1/3.1.0.0
"""


@pytest.mark.parametrize("case", cases(TABLE, "bagh", "bagh-advantage"))
def test_shield(case):
    assert played(case) == case.after


@pytest.mark.parametrize(
    ("red_damage", "blue_damage", "total", "weights"),
    [
        pytest.param(1, 0, 2, {(True, None): 1, (False, None): 1}, id="B4 damage 1: 1 in 2"),
        pytest.param(0, 3, 4, {(None, True): 1, (None, False): 3}, id="B4 damage 3: 1 in 4"),
        pytest.param(0, 2, 3, {(None, True): 1, (None, False): 2}, id="B4 damage 2: 1 in 3"),
        pytest.param(0, 0, 1, {None: 1}, id="B4 nothing is rolled for whole shields"),
        pytest.param(
            1,
            2,
            6,
            {(True, True): 1, (True, False): 2, (False, True): 1, (False, False): 2},
            id="B4 two broken shields are independent",
        ),
    ],
)
def test_mend_chances(red_damage, blue_damage, total, weights):
    def fighter(damage):
        return {"hp": 3, "boost": 0, "priority": 0, "shield_damage": damage}

    state = {"red": fighter(red_damage), "blue": fighter(blue_damage)}
    request = {"game": "bagh", "state": state, "ask": "choices", "red": "guard", "blue": "heal"}
    chance = step.answer(request)["chance"]
    mends = {
        outcome["chance"] and tuple(outcome["chance"].values()): outcome["weight"]
        for outcome in chance["outcomes"]
    }
    assert (chance["total"], mends) == (total, weights)


@pytest.mark.parametrize(("red_damage", "blue_damage"), list(product(range(4), repeat=2)))
def test_faces_are_grouped_by_their_result(red_damage, blue_damage):
    """Both shields are seldom broken at once, so random play does not find such states."""
    ruleset = load("bagh")
    start = ruleset.initial()
    state = start._replace(
        red=start.red._replace(shield_damage=red_damage),
        blue=start.blue._replace(shield_damage=blue_damage),
    )
    red, blue = (ruleset.parse_choice(state, seat, "boost") for seat in (0, 1))
    grouped, thrown = Counter(), Counter()
    for group in range(face_groups(ruleset.rules, state, red, blue)):
        face, weight = face_group(ruleset.rules, state, red, blue, group)
        grouped[ruleset.resolve(state, red, blue, face)] += weight
    for face in range(ruleset.chance(state, red, blue)):
        thrown[ruleset.resolve(state, red, blue, face)] += 1
    assert grouped == thrown
