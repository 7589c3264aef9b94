"""Scores of players who look ever further ahead, and of simple plans."""

from itertools import islice
from pathlib import Path

import pytest

import holmgang
from holmgang.games.ruleset import load
from holmgang.lab.balance import balance
from holmgang.lab.look_ahead import RoundSweeper, far_enough, look_ahead
from holmgang.lab.solved import solved_game
from holmgang.solver.search.simultaneous import search_simultaneous

HERE = Path(__file__).parent
SMALL = "bagh:start_hp=2,max_boost=1,heal_limit=3"
CITY = "defend-the-city:stamina=2,max_score=1,soldiers=2"  # a seat answers here


def traced(text):
    return look_ahead(solved_game(holmgang.load(text)), lambda said: None)


def test_one_round_is_all_of_rock_paper_scissors():
    (found,) = traced(str(HERE / "fumble.py"))
    # Against random choices, each good choice wins 1/2, loses 1/4 and ties 1/4.
    assert found.rounds == 1
    assert found.against_half == pytest.approx(50 + 50 / 3)
    assert found.against_perfect == pytest.approx(50)


def test_looking_ahead_is_no_use_where_choices_do_not_matter():
    found = traced(str(HERE / "walk.py"))
    assert [each.against_half for each in found] == pytest.approx([50] * len(found))
    assert far_enough(found) == 0


@pytest.mark.parametrize("text", [SMALL, CITY])
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_values_are_those_of_the_search(text, rounds):
    game = solved_game(load(text))
    _, values = RoundSweeper(game).to_depth(rounds)
    for number, state in islice(game.arrays.table, 0, None, 7):
        found = search_simultaneous(game.ruleset, state, depth=rounds, is_full=True)
        assert values[number] == pytest.approx(found.value, abs=1e-6)


def test_looking_further_comes_near_to_perfect_play():
    found = traced("bagh:start_hp=2,max_boost=2,heal_limit=3")
    assert [each.rounds for each in found] == [1, 2, 4, 8, 16, 32][: len(found)]
    assert found[0].against_perfect < found[-1].against_perfect == pytest.approx(50, abs=0.1)
    assert all(each.against_perfect < 50 + 1e-6 for each in found)


def test_plans_in_rock_paper_scissors_beat_each_other_in_a_circle():
    found = balance(holmgang.load(str(HERE / "fumble.py"))).simple_plans
    plans = [f"always {word}" for word in ("rock", "paper", "scissors", "fumble")]
    assert found.players == ("perfect", "greedy", *plans, "random")
    rock = dict(zip(found.players, found.points[2], strict=True))
    # A tie goes on for ever. Random choices beat rock in 1/4 of the rounds, and lose in 1/2.
    assert rock == pytest.approx(
        {"perfect": 50, "greedy": 50, "random": 100 * 2 / 3}
        | dict(zip(plans, (50, 0, 100, 100), strict=True)),
        abs=1e-4,
    )
    assert found.circles == [tuple(plans[:3])]
    assert found.clusters[-1] == ("always fumble",)


def test_scores_of_plans_are_those_of_simulated_games():
    """In BAGH, by games between functions that do not know the lab."""
    ruleset = load("bagh:start_hp=2,max_boost=2,heal_limit=3")
    found = balance(ruleset).simple_plans
    attack, random = (found.players.index(name) for name in ("always attack", "random"))
    games = holmgang.simulate(ruleset, 4000, seed=1, red={"attack": 1}, blue="random")
    played = 50 + 50 * (games.red_wins - games.blue_wins) / games.games
    assert found.points[attack][random] == pytest.approx(played, abs=5 * 50 / 4000**0.5)
