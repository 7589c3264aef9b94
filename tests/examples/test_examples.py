"""The games in `examples/`: solved, compared with backward induction in exact fractions, and with
figures that others have published.
"""

from fractions import Fraction
from pathlib import Path

import pytest
from tests.examples.matrix import matrix_game

import holmgang
from holmgang.games import conformance
from holmgang.games.contract import NO_CHOICE
from holmgang.solver.tables import solve

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def example(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLMGANG_TABLES", str(tmp_path))

    def load(text):
        return holmgang.load(str(EXAMPLES / text))

    return load


def menu(game, state, seat):
    return game.choices(state, seat) or [NO_CHOICE]


def after(game, state, red, blue):
    faces = game.chance(state, red, blue)
    return [(game.resolve(state, red, blue, face), Fraction(1, faces)) for face in range(faces)]


def backward(game):
    """The values of all states of a game without cycles, and optimal mixes of red."""
    known = {}

    def value(state):
        if game.ending(state).reason:
            return Fraction(int(game.utility(state)))
        if state not in known:
            known[state] = matrix_game([
                [
                    sum(chance * value(each) for each, chance in after(game, state, red, blue))
                    for blue in menu(game, state, 1)
                ]
                for red in menu(game, state, 0)
            ])  # fmt: skip
        return known[state][0]

    value(game.initial())
    return known


def best_response(game, seat):
    """The value to `seat` of the best response to an opponent who chooses all alike."""
    known = {}

    def value(state):
        if game.ending(state).reason:
            return (1 if seat == 0 else -1) * game.utility(state)
        if state not in known:
            theirs = menu(game, state, 1 - seat)
            known[state] = max(
                sum(
                    float(chance) * value(each) / len(theirs)
                    for other in theirs
                    for each, chance in after(game, state, *((mine, other)[:: 1 - 2 * seat]))
                )
                for mine in menu(game, state, seat)
            )
        return known[state]

    return value(game.initial())


@pytest.mark.parametrize("text", ["oshi_zumo.py:coins=6", "goofspiel.py"])
def test_examples_pass_every_check(example, text):
    conformance.check(example(text))


@pytest.mark.parametrize(
    "text",
    [
        "oshi_zumo.py:coins=8,size=2",
        "oshi_zumo.py:coins=5,min_bid=0,turns=5",
        "goofspiel.py:cards=4",
    ],
)
def test_solved_values_are_those_of_backward_induction(example, text):
    game = example(text)
    solve(game)
    oracle = holmgang.Oracle(game, build=False)
    known = backward(game)
    uneven = 0
    for state, (value, _) in known.items():
        found = oracle.evaluate(state)
        assert found.is_exact
        assert found.value == pytest.approx(float(value), abs=1e-8)
        uneven += 0 < abs(value) < 1
    assert uneven > 5  # symmetric and decided states alone would prove little


def test_oshi_zumo_against_the_uniform_policy_as_published(example):
    """NashConv of the uniform policy, in the tests of OpenSpiel: 10 coins, minimum bid 1."""
    game = example("oshi_zumo.py:coins=10")
    both = best_response(game, 0) + best_response(game, 1)
    assert both == pytest.approx(1.988311287477953, abs=1e-12)


def test_oshi_zumo_with_a_horizon_as_published(example):
    """The best response to the uniform policy, there: 5 coins, minimum bid 0, 5 turns."""
    game = example("oshi_zumo.py:coins=5,min_bid=0,turns=5")
    assert best_response(game, 0) == pytest.approx(0.856471051954, abs=1e-12)


def test_goofspiel_as_published(example):
    """The published mix for 5 cards, a first prize of 5 and the others in random order."""
    game = example("goofspiel.py")
    solve(game)
    mix = holmgang.Oracle(game, build=False).evaluate().red
    published = {1: 0.14442317, 2: 0.01535358, 3: 0, 4: 0, 5: 0.84022325}
    for card, chance in published.items():
        assert mix.get(card, 0.0) == pytest.approx(chance, abs=1e-7)


@pytest.mark.thorough
def test_oshi_zumo_with_50_coins(example):
    game = example("oshi_zumo.py")
    assert len(game.choices(game.initial(), 0)) == 50
    summary = solve(game)
    assert summary.value == pytest.approx(0, abs=1e-8)
