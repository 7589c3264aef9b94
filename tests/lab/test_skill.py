"""Scores between the levels, against other ways to calculate them."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest

import holmgang
from holmgang.analysis.strategies import mixes_of
from holmgang.games.contract import BLUE, RED, SEATS
from holmgang.games.ruleset import load
from holmgang.lab import skill
from holmgang.lab.replies import Replier
from holmgang.lab.skill import PLAYERS, clusters, cyclic_share, level_scores
from holmgang.lab.solved import plain_game, solved_game
from holmgang.players.graded import pair_values
from holmgang.players.ladder import grade_of
from holmgang.solver.exact.scores import tabulate_all
from holmgang.solver.oracle import oracle_of

SMALL = "bagh:start_hp=1,max_boost=1,heal_limit=2"
CITY = "defend-the-city:stamina=2,max_score=1,soldiers=2"  # a seat answers here


@pytest.fixture(scope="module", params=[SMALL, CITY])
def game(request):
    ruleset = load(request.param)
    return ruleset, level_scores(ruleset, lambda said: None)


def test_scores_lie_within_the_bounds_of_exact_scores(game):
    ruleset, found = game
    for row, red in enumerate(PLAYERS):
        for column, blue in enumerate(PLAYERS):
            if ruleset == load(CITY) and blue in ("medium", "hard"):
                # These soldiers end so few games that the rest counts as endless.
                assert found.values[row][column] < holmgang.value_against(ruleset, red, blue).value
                continue
            exact = holmgang.value_against(ruleset, red, blue)
            assert found.values[row][column] == pytest.approx(exact.value, abs=1e-6 + exact.error)


def test_only_perfect_play_is_not_exploitable(game):
    ruleset, found = game
    for name, gain in zip(PLAYERS, found.exploitable, strict=True):
        exact = holmgang.exploitability(ruleset, name)
        assert gain.value == pytest.approx(exact.value, abs=1e-6)
    assert found.exploitable[-1].high < 1e-6
    assert found.exploitable[0].low > 0.01


def test_points_of_both_seats_add_up(game):
    points = game[1].points
    for row, scores in enumerate(points):
        for column, score in enumerate(scores):
            assert score + points[column][row] == pytest.approx(100)


@pytest.mark.parametrize("name", ["beginner", "hard"])
def test_mixes_of_a_level_are_those_it_plays(name):
    """The kernel over the whole table agrees with the level in each state."""
    ruleset = load(SMALL)
    table = tabulate_all(ruleset)
    mixes, starts = mixes_of(table, name, RED), table.numbers.red_starts
    oracle, grade = oracle_of(ruleset), grade_of(name, ruleset)
    for number, state in table:
        there = mixes[starts[number] : starts[number + 1]]
        assert list(there) == pytest.approx(pair_values(oracle, state).mixes(grade).row, abs=2e-3)


def test_a_game_that_is_too_large_is_left_out(monkeypatch):
    monkeypatch.setattr(skill, "tabulate_all", partial(tabulate_all, most_states=10))
    assert level_scores(load(SMALL), lambda said: None) is None


def test_an_order_of_strength_is_not_cyclic():
    strengths = np.array([0.0, 0.1, 0.3])
    assert cyclic_share(strengths[:, None] - strengths[None, :]) == pytest.approx(0)


def test_rock_paper_scissors_is_cyclic():
    assert cyclic_share(np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0.0]])) == pytest.approx(1)


def test_the_worth_of_a_seat_is_no_cycle():
    assert cyclic_share(np.full((3, 3), 0.4)) == 0


def test_levels_in_a_circle_are_one_cluster():
    circle = np.array([[0, -1, 1, 1], [1, 0, -1, 1], [-1, 1, 0, 1], [-1, -1, -1, 0.0]])
    assert clusters(circle, PLAYERS) == (PLAYERS[:3], PLAYERS[3:4])


def test_levels_in_an_order_are_clusters_of_one():
    strengths = np.array([0.0, 0.1, 0.3])
    found = clusters(strengths[:, None] - strengths[None, :], PLAYERS)
    assert found == ((PLAYERS[2],), (PLAYERS[1],), (PLAYERS[0],))


def test_best_replies_are_those_of_the_exact_solver(game):
    ruleset, _ = game
    solved = plain_game(solved_game(ruleset))
    arrays = solved.arrays
    for seat in (RED, BLUE):
        mix = np.array(mixes_of(arrays.table, "easy", 1 - seat))
        found = Replier(solved).reply(seat, arrays.normalised(1 - seat, mix))
        exact = holmgang.best_response(ruleset, "easy", SEATS[seat])
        assert found.value == pytest.approx(exact.value, abs=1e-6)


def test_a_game_in_one_file():
    path = Path(__file__).with_name("fumble.py")
    found = level_scores(holmgang.load(str(path)), lambda said: None)
    # In each round: 1/4 fumble, otherwise 1/3 win, tie, loss. Win 1/2, loss 1/4, tie 1/4.
    assert found.values[PLAYERS.index("perfect")][0] == pytest.approx((1 / 2 - 1 / 4) / (3 / 4))
