"""Search where both choose at once, against the same thing done plainly: every choice, every face,
a whole matrix at every node, straight from the rules.
"""

import random
import threading
import time
from functools import cache
from importlib import import_module

import pytest

from holmgang.engine import rounds
from holmgang.errors import StateError, UsageError
from holmgang.games.conformance import playout
from holmgang.games.contract import BLUE, NO_CHOICE, RED
from holmgang.games.ruleset import load
from holmgang.solver.matrix import solve_matrix
from holmgang.solver.simultaneous import MOST_DEPTH, Pace, search_simultaneous
from holmgang.solver.solve import solve

CASES = [
    ("bagh", 3),
    ("bagh-advantage:start_hp=2", 3),
    ("fencing:league=1", 3),
    ("fencing:league=2", 2),
    ("fencing", 1),
    ("fencing:turns=4,points_to_win=2", 2),
    ("defend-the-city:max_score=2,stamina=4,die=2", 2),
    ("defend-the-city:max_score=1,stamina=3,die=2,overspend=0", 3),
    ("defend-the-city-duel:max_score=2,stamina=4,die=3", 2),
]
"""Rulesets, and how deep the plain way is quick enough."""

QUICK = [(text, min(depth, 2)) for text, depth in CASES[:3] + CASES[6:7]]


# The plain way


def plain_matrix(ruleset, state, depth, is_answer=False):
    """What every pair of choices is worth, by rows of red's."""
    game, rules = ruleset.game.rules, ruleset.rules
    menus = [rounds.menu(ruleset, state, seat) or [NO_CHOICE] for seat in (RED, BLUE)]
    matrix = []
    for red in menus[RED]:
        row = []
        for blue in menus[BLUE]:
            faces = game.chance(rules, state, red, blue)
            total = sum(
                plain_value(ruleset, game.resolve(rules, state, red, blue, face), depth, is_answer)
                for face in range(faces)
            )
            row.append(total / faces)
        matrix.append(row)
    return matrix


@cache
def plain_value(ruleset, state, depth, is_answer):
    """A state that `depth` rounds, counted with the one before it, have led to."""
    ended = rounds.outcome(ruleset, state)
    if ended is not None:
        return {"red": 1.0, "blue": -1.0, None: 0.0}[ended.winner]
    menus = [rounds.menu(ruleset, state, seat) for seat in (RED, BLUE)]
    answers = not is_answer and not all(menus) and 0 < len(menus[RED] + menus[BLUE]) <= 2
    left = depth if answers else depth - 1
    if left == 0:
        estimates = import_module(f"holmgang.games.{ruleset.game.folder}.estimate")
        return estimates.estimate(ruleset.rules, state)
    return solve_matrix(plain_matrix(ruleset, state, left, answers)).value


def random_states(ruleset, count, seed=1):
    """Undecided states that random play comes to."""
    dice = random.Random(seed)
    states = []
    while len(states) < count:
        played = [step.before for step in playout(ruleset, dice)]
        states.append(dice.choice(played))
    return states


def gap(matrix, red, blue):
    best = max(sum(share * cell for share, cell in zip(blue, row, strict=True)) for row in matrix)
    columns = zip(*matrix, strict=True)
    worst = min(sum(share * cell for share, cell in zip(red, col, strict=True)) for col in columns)
    return best - worst


# The same values, and mixes that are sure of them


@pytest.mark.parametrize(("text", "most"), CASES)
def test_finds_what_the_plain_way_finds(text, most):
    ruleset = load(text)
    for state in random_states(ruleset, 4):
        for depth in range(1, most + 1):
            matrix = plain_matrix(ruleset, state, depth)
            for is_full in (False, True):
                found = search_simultaneous(ruleset, state, depth=depth, is_full=is_full)
                assert found.value == pytest.approx(solve_matrix(matrix).value, abs=1e-9)
                mixes = [list(mix.values()) or [1.0] for mix in (found.red, found.blue)]
                assert gap(matrix, *mixes) < 1e-9
                for seat, mix in ((RED, found.red), (BLUE, found.blue)):
                    assert list(mix) == rounds.menu(ruleset, state, seat)
                    assert not mix or sum(mix.values()) == pytest.approx(1)
                assert found.depth == depth or found.is_exact
