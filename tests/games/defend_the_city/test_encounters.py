import pytest
from tests.games.cases import cases, played

from holmgang.engine import step
from holmgang.games.ruleset import load

TABLE = """
D8 a soldier defeated: the next one comes, and both are back at 30
    12/7/0: 5/0, 0/0 (red_roll=0 blue_roll=null) -> 30/30/1
    12/7/3: 5/0, 0/0 (red_roll=0 blue_roll=null) -> 30/30/4
D8 red wins by defeating 5
    12/7/4: 5/0, 0/0 (red_roll=0 blue_roll=null) -> 30/30/5, red wins by defended

D4 both at or below 0: a new soldier comes, nobody is defeated, both are back at 30
    3/4/2: 0/3, 0/4 (red_roll=0 blue_roll=0) -> 30/30/2
    1/1/0: 5/5, 5/5 (red_roll=0 blue_roll=0) -> 30/30/0
    5/-2/1: 0/5 (red_roll=0 blue_roll=0) -> 30/30/1
D4 the encounter goes on while one of them has any left
    5/4/2: 0/4, 0/4 (red_roll=0 blue_roll=0) -> 1/0/2
    -4/9/2: 3/0 (red_roll=0 blue_roll=4) -> -4/6/2
D4, D5 a wound counts, also if both are spent
    5/5/2: 5/0, 5/0 (red_roll=4 blue_roll=4) -> 0/0/2, blue wins by wounded
    5/5/2: 5/0, 5/5 (red_roll=0 blue_roll=0) -> 0/-5/2, blue wins by wounded
    5/5/2: 5/5, 5/0 (red_roll=0 blue_roll=0) -> 30/30/3

a wound of red's ends the game
    30/30/0: 0/0, 5/0 (red_roll=null blue_roll=0) -> 30/25/0, blue wins by wounded
"""


@pytest.mark.parametrize("case", cases(TABLE, "defend-the-city"))
def test_encounter(case):
    assert played(case) == case.after


DUEL = """
the first wound wins, either way
    30/30/0: 5/0, 0/0 (red_roll=0 blue_roll=null) -> 25/30/0, red wins by wounded
    30/30/0: 0/0, 5/0 (red_roll=null blue_roll=0) -> 30/25/0, blue wins by wounded
D6 the higher attacks first, so the lower cannot hit as well
    30.5.0/30.4.1/0: keep (red_roll=0 blue_roll=null) -> 25/25/0, red wins by wounded
    30.4.1/30.5.0/0: keep (red_roll=null blue_roll=0) -> 25/25/0, blue wins by wounded
both wounded is a draw
    30/30/0: 5/0, 5/0 (red_roll=4 blue_roll=4) -> 25/25/0, draw by wounded
both spent is a draw
    3/4/0: 0/3, 0/4 (red_roll=0 blue_roll=0) -> 0/0/0, draw by spent
the encounter goes on while one of them has any left
    4/4/0: 0/3, 0/4 (red_roll=0 blue_roll=0) -> 1/0/0
    3/5/0: 0/3, 0/4 (red_roll=0 blue_roll=0) -> 0/1/0
a wound counts, also if both are spent
    3/4/0: 5/0, 0/4 (red_roll=0 blue_roll=null) -> -2/0/0, red wins by wounded
D1, D3 a turn is played as in the campaign
    30/30/0: 2/4, 5/0 -> 30.2.4/30.5.0/0
    0/30/0: 4/0 (red_roll=0 blue_roll=4) -> 0/26/0
"""


@pytest.mark.parametrize("case", cases(DUEL, "defend-the-city-duel"))
def test_duel(case):
    assert played(case) == case.after


@pytest.mark.parametrize("name", ["defend-the-city", "defend-the-city-duel"])
def test_start(name):
    ruleset = load(name)
    start = ruleset.parse_state("30/30/0")
    assert ruleset.initial() == start
    assert step.answer({"game": name, "ask": "start"})["state"] == {
        "phase": "choose",
        "red": {"stamina": 30},
        "blue": {"stamina": 30},
        "defeated": 0,
        "scores": None,
    }
