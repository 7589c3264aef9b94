import pytest
from tests.games.cases import cases, played

from holmgang.engine import step

LEAGUE_1 = ["break", "walk", "retreat", "lunge", "parry"]
LEAGUE_2 = [*LEAGUE_1, "double_walk", "double_retreat"]
LEAGUE_3 = [
    *LEAGUE_2,
    "lunge_drug",
    "parry_drug",
    "energy_max_drug",
    "walk_drug",
    "retreat_drug",
    "double_walk_drug",
    "double_retreat_drug",
    "break_drug",
]
LEAGUES = {
    "fencing:league=1": LEAGUE_1,
    "fencing:league=2": LEAGUE_2,
    "fencing": LEAGUE_3,
    "fencing-codingame": LEAGUE_3,
    "fencing-codingame:league=1": LEAGUE_1,
}


@pytest.mark.parametrize("ruleset", LEAGUES)
def test_f16_the_words_of_each_league(ruleset):
    state = step.answer({"game": ruleset, "ask": "start"})["state"]
    choices = step.answer({"game": ruleset, "state": state, "ask": "choices"})["choices"]
    assert choices == {"red": LEAGUES[ruleset], "blue": LEAGUES[ruleset]}


HIGHER = """
F16 a word of a higher league is refused
    0/200/300: double_walk, walk -> refused
    0/200/300: walk, double_retreat -> refused
    0/200/300: walk_drug, walk -> refused
"""
ANYWHERE = """
F16 anything but a word of the game is refused
    0/200/300: WALK, walk -> refused
    0/200/300: walk, dance -> refused
    0/200/300: walk, walk drug -> refused
"""


@pytest.mark.parametrize(
    "case", [*cases(HIGHER, "fencing:league=1"), *cases(ANYWHERE, "fencing", "fencing:league=1")]
)
def test_league(case):
    assert played(case) == case.after
