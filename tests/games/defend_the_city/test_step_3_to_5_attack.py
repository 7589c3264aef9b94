"""Steps 3 to 5: costs are paid, offenses compared, attacks rolled in their order.

A roll below (offense - target's defense) hits, so 0 hits if anything can.
"""

import pytest
from tests.games.cases import cases, played

from holmgang.engine import step

TABLE = """
D6 the cost of both scores is paid, before the rolls
    30/30/0: 3/2, 3/4 (red_roll=4 blue_roll=4) -> 25/23/0
    30/30/0: 5/0, 5/1 (red_roll=4 blue_roll=0) -> 25/24/0, blue wins by wounded

to hit: (offense - target's defense) in 5
    30/30/0: 4/0, 0/1 (red_roll=2 blue_roll=null) -> 30/30/1
    30/30/0: 4/0, 0/1 (red_roll=3 blue_roll=0) -> 26/29/0
    30/30/0: 5/0, 0/0 (red_roll=4 blue_roll=null) -> 30/30/1
    30/30/0: 3/0, 0/3 (red_roll=0 blue_roll=0) -> 27/27/0
negative values are 0
    30/30/0: 2/0, 0/5 (red_roll=0 blue_roll=0) -> 28/25/0

D6 equal offense: both attacks are rolled, each for itself
    30/30/0: 3/1, 3/2 (red_roll=4 blue_roll=4) -> 26/25/0
    30/30/0: 3/1, 3/2 (red_roll=0 blue_roll=4) -> 30/30/1
    30/30/0: 3/1, 3/2 (red_roll=4 blue_roll=1) -> 26/25/0, blue wins by wounded
D5 a double kill: red loses, and the soldier does not count
    30/30/0: 3/1, 3/2 (red_roll=0 blue_roll=1) -> 26/25/0, blue wins by wounded
D5 also on the fifth soldier
    30/30/4: 5/0, 5/0 (red_roll=4 blue_roll=4) -> 25/25/4, blue wins by wounded

D5, D6 otherwise the higher attacks first, and the lower is rolled only if that missed
    30.5.0/30.4.1/0: keep (red_roll=0 blue_roll=null) -> 30/30/1
    30.5.0/30.4.1/0: keep (red_roll=4 blue_roll=4) -> 25/25/0
    30.5.0/30.4.1/0: keep (red_roll=4 blue_roll=3) -> 25/25/0, blue wins by wounded
    30.4.1/30.5.0/0: keep (red_roll=null blue_roll=0) -> 25/25/0, blue wins by wounded
    30.4.1/30.5.0/0: keep (red_roll=3 blue_roll=4) -> 30/30/1

a roll that cannot hit need not be told
    30/30/0: 3/0, 0/3 (red_roll=null blue_roll=null) -> 27/27/0
    30/30/0: 3/0, 0/3 -> 27/27/0
"""


@pytest.mark.parametrize("case", cases(TABLE, "defend-the-city"))
def test_attack(case):
    assert played(case) == case.after


def weights(red, blue, scores=None):
    state = {
        "phase": "react" if scores else "choose",
        "red": {"stamina": 30},
        "blue": {"stamina": 30},
        "defeated": 0,
        "scores": scores,
    }
    request = {"game": "defend-the-city", "state": state, "red": red, "blue": blue}
    chance = step.answer({**request, "ask": "choices"})["chance"]
    return chance["total"], {
        outcome["chance"] and tuple(outcome["chance"].values()): outcome["weight"]
        for outcome in chance["outcomes"]
    }


def test_nothing_is_rolled_before_the_forfeit_is_settled():
    assert weights("2/4", "5/0") == (1, {None: 1})


def test_d6_equal_offense_both_rolls_are_independent():
    total, rolls = weights("3/0", "3/0")
    assert (total, set(rolls.values()), len(rolls)) == (25, {1}, 25)


def test_d6_a_first_attack_that_hits_leaves_the_other_unrolled():
    total, rolls = weights(None, "keep", scores={"red": [5, 0], "blue": [2, 2]})
    unrolled = dict.fromkeys(((0, None), (1, None), (2, None)), 5)
    rolled = {(red, blue): 1 for red in (3, 4) for blue in range(5)}
    assert (total, rolls) == (25, unrolled | rolled)
