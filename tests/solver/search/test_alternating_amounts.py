"""MagicDuel's heals: an amount that a person would say, wherever it is as good as a huge one."""

import random

import pytest

from holmgang.games.magic_duel.rules import HEAL
from holmgang.games.ruleset import load
from holmgang.solver.search.alternating import is_held
from holmgang.solver.search.dispatch import search

MODEST = 100  # hp are 25


def positions(count):
    """States of duels in which half of the choices are made by chance."""
    ruleset, found = load("magic-duel"), []
    for seed in range(count):
        dice, state = random.Random(seed), ruleset.initial()
        for _ in range(12):
            seat = 0 if ruleset.choices(state, 0) else 1
            choice = dice.choice(ruleset.choices(state, seat))
            after = ruleset.resolve_unchecked(
                state, *((choice, -1) if seat == 0 else (-1, choice)), 0
            )
            if ruleset.ending(after).reason:
                break
            state = after
        found.append((state, 0 if ruleset.choices(state, 0) else 1))
    return ruleset, found


@pytest.mark.parametrize("depth", [1, 4, 8])
def test_a_heal_is_modest_and_keeps_what_is_held(depth):
    ruleset, found = positions(60)
    heals = 0
    for state, seat in found:
        evaluation = search(ruleset, state, depth=depth)
        [choice] = evaluation.red or evaluation.blue
        if choice < HEAL:
            continue
        heals += 1
        assert choice - HEAL <= MODEST, ruleset.word(choice)
        assert ruleset.is_legal(state, seat, choice)
        if depth > 1 and is_held(ruleset, state, seat):
            after = ruleset.resolve_unchecked(
                state, *((choice, -1) if seat == 0 else (-1, choice)), 0
            )
            assert is_held(ruleset, after, seat)
    assert heals >= 5
