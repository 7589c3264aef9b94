"""Chances of a win, a draw and a loss are those of the mixes; where not known, none are given."""

import random
from math import sqrt

import pytest
from tests.solver.layered.test_layers import SYMMETRIC

from holmgang.games.ruleset import load
from holmgang.solver.layered.layers import solve_layers
from holmgang.solver.oracle import Oracle
from holmgang.solver.search.chances import chance_decided
from holmgang.solver.search.dispatch import search
from holmgang.solver.tables import build_table, layers_path

BAGH, CITY = "bagh:max_boost=1,heal_limit=4", "defend-the-city-duel:stamina=6,max_score=3,die=3"
LEAGUE_2 = "198/230.20.1/250.5.1"
GAMES = 1500
DEVIATIONS = 4.0  # of a frequency: beyond them, once in 16,000 tests by accident


@pytest.fixture(scope="module", autouse=True)
def solved(tables):
    for text in (BAGH, CITY):
        build_table(load(text), most_states=10_000)
    solve_layers(SYMMETRIC, layers_path(load(SYMMETRIC)), workers=1)


def played(oracle, state, games, most_rounds):
    """How often red wins and blue does, if both draw from the mixes of the oracle."""
    ruleset = oracle.ruleset
    game, rules, parse = ruleset.game.rules, ruleset.rules, ruleset.game.notation.parse_choice
    dice, mixes, wins = random.Random(1), {}, [0, 0, 0]
    for _ in range(games):
        now = state
        for _ in range(most_rounds):
            if now not in mixes:
                position = oracle.position(now, with_chances=False)
                mixes[now] = [
                    ([parse(rules, word) for word in mix] or [-1], list(mix.values()) or [1.0])
                    for mix in (position.red, position.blue)
                ]
            red, blue = (dice.choices(*mix)[0] for mix in mixes[now])
            face = dice.randrange(game.chance(rules, now, red, blue))
            now = game.resolve(rules, now, red, blue, face)
            ended = game.outcome(rules, now)
            if ended.reason:
                wins[ended.winner] += 1
                break
    return wins[0] / games, wins[1] / games


@pytest.mark.parametrize(
    ("text", "state", "is_tabled", "games"),
    [
        (BAGH, "3.0.0.0/3.0.0.0", True, GAMES),
        (BAGH, "3.0.0.0/1.0.0.0", True, GAMES),
        ("defend-the-city-duel:stamina=6,max_score=3,die=4", "1.2.2/4.3.1/0", False, GAMES),
        (CITY, None, True, GAMES),
        (SYMMETRIC, None, True, GAMES),
        (SYMMETRIC, "3/20.4.1/40.5.1", True, GAMES),
        ("fencing:league=1", "196/100.11.5/200.17.4", False, GAMES),
        ("fencing:league=1", "197/240.17.3/260.17.3", False, GAMES),
        ("fencing:league=2", LEAGUE_2, False, GAMES),
        ("fencing", LEAGUE_2, False, GAMES),
        ("magic-duel", None, False, 1),
    ],
)
def test_told_chances_are_those_of_a_simulation_of_the_mixes(text, state, is_tabled, games):
    oracle = Oracle(text, budget_ms=2000 if games > 1 else 20, build=False)
    assert oracle.has_table == is_tabled
    state = oracle._parse(state)
    position = oracle.position(state)
    assert position.is_exact
    assert position.win - position.loss == pytest.approx(position.value, abs=1e-8)
    assert position.win + position.draw + position.loss == pytest.approx(1)
    seen = played(oracle, state, games, most_rounds=1000 if games > 1 else 40)
    for chance, frequency in zip((position.win, position.loss), seen, strict=True):
        assert abs(chance - frequency) <= DEVIATIONS * sqrt(chance * (1 - chance) / games) + 1e-6


def test_the_mixes_of_a_search_decide_the_chances():
    """Two turns before the end. The value, 1/6, would also go with a win in 1 of 6 and no loss."""
    position = Oracle("fencing:league=2", build=False).position(LEAGUE_2)
    chances = position.win, position.draw, position.loss
    assert chances == pytest.approx((2 / 9, 13 / 18, 1 / 18))


@pytest.mark.parametrize("text", ["fencing", "fencing:league=1", "bagh", "defend-the-city"])
def test_chances_that_are_not_known_are_not_told(text, tmp_path, monkeypatch):
    monkeypatch.setenv("HOLMGANG_TABLES", str(tmp_path))
    position = Oracle(text, budget_ms=20, build=False).position()
    assert not position.is_exact
    assert position.win is position.draw is position.loss is None


def test_chances_are_given_up_when_the_time_is():
    ruleset = load("fencing:league=2")
    state = ruleset.parse_state(LEAGUE_2)
    evaluation = search(ruleset, state, depth=4)
    assert evaluation.is_exact
    assert chance_decided(ruleset, state, evaluation, budget_ms=0) is None
    assert chance_decided(ruleset, state, evaluation, budget_ms=60_000) is not None
