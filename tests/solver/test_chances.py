"""Chances of a win, a draw and a loss are those of the mixes; where not known, none are given."""

import json
import random
import re
from collections import Counter
from math import sqrt

import pytest
from tests.solver.layered.test_layers import SYMMETRIC

from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import NO_CHOICE
from holmgang.games.ruleset import load
from holmgang.solver.layered.layers import solve_layers
from holmgang.solver.oracle import Oracle
from holmgang.solver.search.chances import chance_decided
from holmgang.solver.search.dispatch import search
from holmgang.solver.tables import alone, build_table, layers_path
from holmgang.terminal.value import show_value

pytestmark = pytest.mark.thorough

BAGH, CITY = "bagh:max_boost=1,heal_limit=4", "defend-the-city-duel:stamina=6,max_score=3,die=3"
LEAGUE_2 = "198/230.20.1/250.5.1"
GAMES = 1500
DEVIATIONS = 4.0  # of a frequency: beyond them, once in 16,000 tests by accident


@pytest.fixture(scope="module", autouse=True)
def solved(tables):
    for text in (BAGH, CITY):
        build_table(load(text), most_states=10_000)
    path = layers_path(load(SYMMETRIC))
    with alone(path):
        if not path.exists():
            solve_layers(SYMMETRIC, path, workers=1)


def played(oracle, state, games, most_rounds):
    """How often red wins and blue does, if both draw from the mixes of the oracle."""
    ruleset, dice, mixes, ends = oracle.ruleset, random.Random(1), {}, Counter()
    for _ in range(games):
        now = state
        for _ in range(most_rounds):
            if now not in mixes:
                evaluation = oracle.evaluate(now, with_chances=False)
                mixes[now] = [
                    (list(mix) or [NO_CHOICE], list(mix.values()) or [1.0])
                    for mix in (evaluation.red, evaluation.blue)
                ]
            red, blue = (dice.choices(*mix)[0] for mix in mixes[now])
            face = dice.randrange(ruleset.chance(now, red, blue))
            now = ruleset.resolve(now, red, blue, face)
            utility = ruleset.utility(now)
            if utility is not None:
                ends[utility] += 1
                break
    return ends[1] / games, ends[-1] / games


def agree(chance, frequency, games):
    """Whether a chance may be what was seen so often."""
    return abs(chance - frequency) <= DEVIATIONS * sqrt(chance * (1 - chance) / games) + 1e-6


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
    state = oracle.ruleset.parse_state(state)
    told = oracle.evaluate(state)
    assert told.is_exact
    assert told.win - told.loss == pytest.approx(told.value, abs=1e-8)
    assert told.win + told.draw + told.loss == pytest.approx(1)
    seen = played(oracle, state, games, most_rounds=1000 if games > 1 else 40)
    for chance, frequency in zip((told.win, told.loss), seen, strict=True):
        assert agree(chance, frequency, games)


@pytest.mark.parametrize("name", CATALOGUE)
def test_printed_chances_are_those_of_a_simulation_of_the_mixes(name, capsys):
    """`holmgang value`, for every game: nothing is printed that is not known."""
    show_value(name, None, after="", budget_ms=100, as_json=False)
    printed = re.search(r"red wins (.+)%, a draw (.+)%, blue wins (.+)%", capsys.readouterr().out)
    show_value(name, None, after="", budget_ms=100, as_json=True)
    told = json.loads(capsys.readouterr().out)
    is_known = not name.startswith("fencing")
    assert (printed is not None) is is_known
    assert [told[end] is not None for end in ("win", "draw", "loss")] == [is_known] * 3
    if printed is None:
        return
    win, draw, loss = (float(percent) / 100 for percent in printed.groups())
    assert (win, draw, loss) == pytest.approx((told["win"], told["draw"], told["loss"]), abs=5e-4)
    games = GAMES if name != "magic-duel" else 1
    oracle = Oracle(name, budget_ms=20, build=False)
    seen = played(oracle, oracle.ruleset.initial(), games, most_rounds=1000 if games > 1 else 40)
    assert agree(told["win"], seen[0], games)
    assert agree(told["loss"], seen[1], games)
    assert agree(told["draw"], 1 - sum(seen), games)


def test_the_mixes_of_a_search_decide_the_chances():
    """Two turns before the end. The value, 1/6, would also go with a win in 1 of 6 and no loss."""
    told = Oracle("fencing:league=2", build=False).evaluate(LEAGUE_2)
    assert (told.win, told.draw, told.loss) == pytest.approx((2 / 9, 13 / 18, 1 / 18))


@pytest.mark.parametrize("text", ["fencing", "fencing:league=1", "bagh", "defend-the-city"])
def test_chances_that_are_not_known_are_not_told(text, tmp_path, monkeypatch):
    monkeypatch.setenv("HOLMGANG_TABLES", str(tmp_path))
    told = Oracle(text, budget_ms=20, build=False).evaluate()
    assert not told.is_exact
    assert told.win is told.draw is told.loss is None


def test_chances_are_given_up_when_the_time_is():
    ruleset = load("fencing:league=2")
    state = ruleset.parse_state(LEAGUE_2)
    evaluation = search(ruleset, state, depth=4)
    assert evaluation.is_exact
    assert chance_decided(ruleset, state, evaluation, budget_ms=0) is None
    assert chance_decided(ruleset, state, evaluation, budget_ms=60_000) is not None
