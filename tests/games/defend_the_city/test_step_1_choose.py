"""Step 1: the scores are chosen. A state is red's stamina, blue's, and the soldiers defeated."""

import pytest
from tests.games.cases import cases, played

from holmgang.engine import step
from holmgang.games.defend_the_city.rules import FORFEIT, KEEP

PAIRS = [f"{offense}/{defense}" for offense in range(6) for defense in range(6)]


def offered(stamina: int, ruleset: str = "defend-the-city") -> list[str]:
    state = {
        "phase": "choose",
        "red": {"stamina": stamina},
        "blue": {"stamina": 30},
        "defeated": 0,
        "scores": None,
    }
    return step.answer({"game": ruleset, "state": state, "ask": "choices"})["choices"]["red"]


@pytest.mark.parametrize(
    ("stamina", "pairs"),
    [
        pytest.param(30, PAIRS, id="D7 any pair from 0/0 to 5/5, whatever its sum"),
        pytest.param(1, PAIRS, id="D2 any pair with stamina above 0, even one that costs more"),
        pytest.param(0, [], id="D3 none at 0"),
        pytest.param(-4, [], id="D3 none below 0"),
    ],
)
def test_pairs(stamina, pairs):
    assert offered(stamina) == pairs


@pytest.mark.parametrize(
    ("stamina", "pairs"),
    [
        pytest.param(30, PAIRS, id="D2 overspend=0: all that stamina pays for"),
        pytest.param(10, PAIRS, id="D2 overspend=0: to the last point"),
        pytest.param(
            2, ["0/0", "0/1", "0/2", "1/0", "1/1", "2/0"], id="D2 overspend=0: and no more"
        ),
        pytest.param(0, [], id="D2 overspend=0: none at 0"),
    ],
)
def test_pairs_without_overspending(stamina, pairs):
    assert offered(stamina, "defend-the-city:overspend=0") == pairs


def test_d7_as_many_pairs_as_the_highest_scores_allow():
    pairs = [f"{offense}/{defense}" for offense in range(7) for defense in range(7)]
    assert offered(30, "defend-the-city:max_score=6") == pairs


def test_every_choice_fits_the_set_of_63():
    assert 49 <= KEEP < 63
    assert 49 <= FORFEIT < 63


TABLE = """
D7 0/0 is legal and free
    30/30/0: 0/0, 0/0 (red_roll=0 blue_roll=0) -> 30/30/0
D7 the sum of a pair is not limited
    30/30/0: 5/5, 5/5 (red_roll=0 blue_roll=0) -> 20/20/0
D2 stamina may go below 0
    1/30/0: 5/5, 5/5 (red_roll=0 blue_roll=0) -> -9/20/0
    30/3/0: 0/5, 0/5 (red_roll=0 blue_roll=0) -> 25/-2/0

D3 who has no stamina at the start of a turn is at 0/0, and does not defend either
    -3/30/0: 1/0 (red_roll=null blue_roll=0) -> -3/29/0, blue wins by wounded
    -3/30/0: 1/0 (red_roll=0 blue_roll=1) -> -3/29/0
    30/0/0: 3/0 (red_roll=2 blue_roll=null) -> 30/30/1
    30/0/0: 1/0 (red_roll=0 blue_roll=null) -> 30/30/1
    30/0/0: 1/0 (red_roll=1 blue_roll=null) -> 29/0/0
D3 and has no choice
    0/30/0: 0/0, 1/0 -> refused
    30/0/0: 1/0, 0/0 -> refused

scores are whole numbers from 0 to 5
    30/30/0: 6/0, 0/0 -> refused
    30/30/0: 0/0, 0/6 -> refused
    30/30/0: 0/0, -1/0 -> refused
    30/30/0: 0/0, 1.5/0 -> refused
    30/30/0: 0/0, keep -> refused
"""


@pytest.mark.parametrize("case", cases(TABLE, "defend-the-city"))
def test_choose(case):
    assert played(case) == case.after


STRICT = """
D2 overspend=0: a pair may not cost more than the stamina left
    3/30/0: 2/2, 0/0 -> refused
    3/30/0: 2/1, 0/0 (red_roll=4 blue_roll=0) -> 0/30/0
"""


@pytest.mark.parametrize("case", cases(STRICT, "defend-the-city:overspend=0"))
def test_choose_without_overspending(case):
    assert played(case) == case.after
