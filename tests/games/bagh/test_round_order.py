"""A round: mend rolls, boosts rise, actions resolve, game over?, then what is not kept falls."""

import pytest
from tests.games.cases import cases, played

from holmgang.engine import step
from holmgang.games.bagh.rules import Action, Fighter, State, resolve
from holmgang.games.ruleset import load

TABLE = """
B4 mend rolls come before the actions
    1.0.0.1/3.0.0.0: guard, attack (red_mends=true) -> 1.0.1.0/3.0.0.0

B7 boosts rise before the actions resolve, and stay risen
    3.0.0.0/3.5.0.0: attack, boost -> 3.0.0.0/2.6.0.0

B2 actions resolve at once, on the values before any of them
    3.1.0.0/3.0.0.0: attack, guard -> 3.0.0.0/3.0.0.1
    2.1.0.0/2.1.0.0: attack, attack -> 0.1.0.0/0.1.0.0, draw by hp

B3 once the game is over nothing falls any more
    3.2.3.0/1.0.2.4: attack, boost (blue_mends=false) -> 3.2.3.0/0.1.2.4, red wins by hp
    3.2.3.0/1.0.2.4: attack, guard (blue_mends=false) -> 3.2.3.0/0.0.2.4, red wins by hp
    3.2.3.5/1.0.2.0: attack, boost (red_mends=true) -> 3.2.3.0/0.1.2.0, red wins by hp
"""


@pytest.mark.parametrize("case", cases(TABLE, "bagh", "bagh-advantage"))
def test_round_order(case):
    assert played(case) == case.after


@pytest.mark.parametrize("name", ["bagh", "bagh-advantage"])
def test_start(name):
    condition = "priority" if name == "bagh" else "advantage"
    fighter = {"hp": 3, "boost": 0, condition: 0, "shield_damage": 0}
    assert step.answer({"game": name, "ask": "start"}) == {
        "state": {"red": fighter, "blue": fighter}
    }


@pytest.mark.parametrize("text", ["3.0.0.0/3.0.0.0", "1.6.9.0/20.0.0.6"])
def test_choices_are_always_all_four(text):
    bagh = load("bagh")
    state = bagh.game.notation.parse_text(bagh.rules, text)
    for seat in (0, 1):
        assert bagh.words(state, seat) == ["boost", "attack", "guard", "heal"]


def test_b11_the_rules_set_no_limit_on_rounds():
    bagh = load("bagh")
    state = bagh.game.rules.initial(bagh.rules)
    for _ in range(5000):
        state = resolve(bagh.rules, state, Action.BOOST, Action.BOOST, 0)
    assert state == State(Fighter(3, 6, 0, 0), Fighter(3, 6, 0, 0))
    assert bagh.outcome(state) is None
