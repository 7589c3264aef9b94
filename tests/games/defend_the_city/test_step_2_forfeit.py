"""Step 2: the scores are revealed, and the lower offense may be forfeited.

A state in that step has each side's stamina.offense.defense.
"""

import pytest
from tests.games.cases import cases, played

from holmgang.engine import step

TABLE = """
D1 the seat with the lower offense is asked, either seat
    30/30/0: 2/4, 5/0 -> 30.2.4/30.5.0/0
    30/30/0: 5/0, 2/4 -> 30.5.0/30.2.4/0
    2/30/3: 1/5, 2/0 -> 2.1.5/30.2.0/3
    30/30/0: 2/0, 1/5 -> 30.2.0/30.1.5/0
D1 not asked if the offenses are equal
    30/30/0: 3/3, 3/3 (red_roll=0 blue_roll=0) -> 24/24/0
D1 not asked if the lower offense is 0 already
    30/30/0: 0/5, 4/0 (red_roll=0 blue_roll=0) -> 25/26/0
D1 not asked if that seat is spent
    0/30/0: 4/0 (red_roll=0 blue_roll=4) -> 0/26/0

D1 a forfeited offense becomes 0 and costs nothing; the defense stays and is paid
    30.2.4/30.5.0/0: forfeit (red_roll=0 blue_roll=4) -> 26/25/0
    30.2.4/30.5.0/0: forfeit (red_roll=null blue_roll=0) -> 26/25/0, blue wins by wounded
    30.5.0/30.2.4/0: forfeit (red_roll=4 blue_roll=0) -> 25/26/0
D1 a kept one is paid and strikes
    30.2.4/30.5.0/0: keep (red_roll=4 blue_roll=4) -> 24/25/0
    30.2.4/30.5.0/0: keep (red_roll=1 blue_roll=4) -> 30/30/1
    30.5.0/30.2.4/0: keep (red_roll=4 blue_roll=0) -> 25/24/0, blue wins by wounded

D1 only the seat with the lower offense answers
    30.2.4/30.5.0/0: keep, keep -> refused
D1 keep or forfeit is all it may choose
    30.2.4/30.5.0/0: 0/4 -> refused
"""


@pytest.mark.parametrize("case", cases(TABLE, "defend-the-city"))
def test_forfeit(case):
    assert played(case) == case.after


@pytest.mark.parametrize(
    ("stamina", "scores", "choices"),
    [
        pytest.param(30, ([2, 4], [5, 0]), (["keep", "forfeit"], []), id="D1 red is asked"),
        pytest.param(30, ([5, 0], [2, 4]), ([], ["keep", "forfeit"]), id="D1 blue is asked"),
        pytest.param(0, ([2, 4], [5, 0]), ([], []), id="D1 red is spent and not asked"),
        pytest.param(0, ([5, 0], [2, 4]), ([], []), id="D1 blue is spent and not asked"),
    ],
)
def test_d1_who_is_asked(stamina, scores, choices):
    state = {
        "phase": "react",
        "red": {"stamina": stamina},
        "blue": {"stamina": stamina},
        "defeated": 0,
        "scores": {"red": scores[0], "blue": scores[1]},
    }
    answer = step.answer({"game": "defend-the-city", "state": state, "ask": "choices"})
    assert answer["choices"] == {"red": choices[0], "blue": choices[1]}
