import pytest
from tests.games.cases import cases, played

TABLE = """
F7 the edges 0 and 500 are inside
    0/20/300: retreat, break -> 1/0.19/300
    0/200/480: break, retreat -> 1/200/500.19
    0/0/500: break, break -> 1/0/500

F7 beyond them the other fencer scores, and both respawn
    0/19/300: retreat, break -> 2/200.19/300.20.1
    0/200/481: break, retreat -> 2/200.20.1/300.19
F7 forwards as well
    0/481/490: walk, break -> 2/200.19/300.20.1
    0/10/19: break, walk -> 2/200.20.1/300.19
F7 both out, both score
    0/19/481: retreat, retreat -> 2/200.19.1/300.19.1
    0/481/19: walk, walk -> 2/200.19.1/300.19.1

F7 if anyone is out, no assault resolves
    0/19/30: retreat, lunge -> 2/200.19/300.15.1
    0/470/481: lunge, retreat -> 2/200.15.1/300.19

F7, F10 the position is stopped at the edge, as the end of the game shows
    0/19/300.20.19: retreat, break -> 1/0.19/300.20.20, blue wins by score 0:1
    0/200.20.19/481: break, double_retreat -> 1/200.20.20/500.16, red wins by score 1:0
    0/481/490.20.19: walk, break -> 1/500.19/490.20.20, blue wins by score 0:1
    0/5.20.19/10: break, walk -> 1/5.20.20/0.19, red wins by score 1:0
"""


@pytest.mark.parametrize("case", cases(TABLE, "fencing"))
def test_off_piste(case):
    assert played(case) == case.after
