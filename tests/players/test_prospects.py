"""What the catalogue promises a person against a level is what best play scores, exactly.

Only one best reply to `random` is computed here, as that of the whole campaign takes minutes:
`python -m bench.exact_levels --best-replies` has all of them.
"""

import pytest
from bench.exact_levels import States, best_replies

from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load
from holmgang.players import KINDS
from holmgang.solver.exact.solve import solve_whole

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("name", [name for name, entry in CATALOGUE.items() if entry.prospects])
def test_against_perfect_it_is_the_value(name):
    solution = solve_whole(load(name))
    value = solution.values[solution.table.start]
    promised = CATALOGUE[name].prospects["perfect"]
    assert promised == (round(50 * (1 + value)), round(50 * (1 - value)))


def test_against_random_it_is_what_the_best_reply_gets():
    states = States(solve_whole(load("defend-the-city-duel"), mirror=False))
    scores = tuple(round(50 * (1 + value)) for value in best_replies(states, "random"))
    assert scores == CATALOGUE["defend-the-city-duel"].prospects["random"]


def test_the_best_reply_to_perfect_play_gains_nothing():
    for name in ("bagh:max_boost=2,heal_limit=4", "defend-the-city-duel:stamina=5,max_score=2"):
        states = States(solve_whole(load(name), mirror=False))
        assert best_replies(states, "perfect") == pytest.approx((0, 0), abs=1e-8)


def test_the_suggested_opponents_are_levels():
    assert {entry.opponent for entry in CATALOGUE.values()} <= set(KINDS)


def test_the_suggested_opponent_of_a_solved_game_can_be_beaten():
    for entry in CATALOGUE.values():
        if entry.opponent in entry.prospects:
            assert min(entry.prospects[entry.opponent]) > 50
