"""Every rule that can be changed changes what it says."""

import pytest
from tests.games.cases import cases, played

from holmgang.games.contract import BLUE, NOBODY
from holmgang.games.defend_the_city.rules import endless
from holmgang.games.ruleset import load

TABLES = {
    "defend-the-city:soldiers=2": """
soldiers are how many red must defeat
    30/30/0: 5/0, 0/0 (red_roll=0 blue_roll=null) -> 30/30/1
    30/30/1: 5/0, 0/0 (red_roll=0 blue_roll=null) -> 30/30/2, red wins by defended
""",
    "defend-the-city:stamina=12": """
stamina is what both are back at
    5/6/0: 5/0, 0/0 (red_roll=0 blue_roll=null) -> 12/12/1
    5/6/0: 0/5, 3/3 (red_roll=0 blue_roll=0) -> 12/12/0
""",
    "defend-the-city:max_score=6": """
max_score is the highest score
    30/30/0: 6/6, 6/6 (red_roll=0 blue_roll=0) -> 18/18/0
    30/30/0: 7/0, 0/0 -> refused
""",
    "defend-the-city:max_score=1": """
max_score is the highest score
    30/30/0: 1/1, 1/1 (red_roll=0 blue_roll=0) -> 28/28/0
    30/30/0: 2/0, 0/0 -> refused
""",
    "defend-the-city:die=10": """
die is what the chances to hit are counted in
    30/30/0: 5/0, 0/0 (red_roll=4 blue_roll=null) -> 30/30/1
    30/30/0: 5/0, 0/0 (red_roll=9 blue_roll=9) -> 25/30/0
""",
    "defend-the-city:duel=1": """
duel=1 is one symmetric encounter
    30/30/0: 5/0, 0/0 (red_roll=0 blue_roll=null) -> 25/30/0, red wins by wounded
""",
}


@pytest.mark.parametrize(
    "case", [case for ruleset, table in TABLES.items() for case in cases(table, ruleset)]
)
def test_house_rule(case):
    assert played(case) == case.after


@pytest.mark.parametrize(
    ("ruleset", "winner"),
    [
        ("defend-the-city", BLUE),
        ("defend-the-city:endless_loses=0", NOBODY),
        ("defend-the-city:duel=1,endless_loses=1", NOBODY),
        ("defend-the-city-duel", NOBODY),
    ],
)
def test_endless_play_does_not_hold_the_city(ruleset, winner):
    """An endless campaign is lost (D9)."""
    assert endless(load(ruleset).rules).winner == winner
