"""Draws of played games: reproducible from the seed, and independent of each other."""

from collections import Counter
from hashlib import blake2b
from itertools import islice

import pytest

from holmgang.engine.duel import Duel
from holmgang.engine.keys import derive, draw, draw_below, game_seed, new_seed, parse_seed, steps
from holmgang.engine.match import Match
from holmgang.errors import DuelError

SEEDS = (0, 1, 7, 2**63, 2**64 - 1)
PURPOSES = ("dice", "red", "blue", "red ids", "blue ids")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_key_is_blake2b_of_the_purpose_under_the_seed(seed):
    """As docs/record-format.md has it, for others to check."""
    for purpose in PURPOSES:
        key = seed.to_bytes(8, "big")
        hashed = blake2b(purpose.encode(), digest_size=8, key=key, person=b"holmgang").digest()
        assert derive(seed, purpose) == int.from_bytes(hashed, "big")
    assert game_seed(seed, 3) == derive(seed, "game 3")
    assert draw(seed, 5) == derive(seed, "round 5")


def test_no_two_draws_of_a_run_are_the_same():
    drawn = [
        draw(derive(game_seed(seed, game), purpose), number)
        for seed in SEEDS
        for game in (1, 2, "ann--bob--1", "bob--ann--1")
        for purpose in PURPOSES
        for number in range(1, 51)
    ]
    assert len(set(drawn)) == len(drawn)


@pytest.mark.parametrize(
    "other",
    [
        lambda seed, n: draw_below(derive(seed, "blue"), n, 4),  # the other seat
        lambda seed, n: draw_below(derive(seed, "dice"), n, 4),
        lambda seed, n: draw_below(derive(seed, "red"), n + 1, 4),  # the next round
        lambda seed, n: draw_below(derive(seed + 1, "red"), n, 4),  # the next seed
    ],
)
def test_a_draw_says_nothing_about_another(other):
    """Every pair of results is as frequent as any other."""
    pairs = Counter(
        (draw_below(derive(seed, "red"), n, 4), other(seed, n))
        for seed in range(200)
        for n in range(1, 41)
    )
    expected = 200 * 40 / 16
    chi_square = sum((pairs[a, b] - expected) ** 2 / expected for a in range(4) for b in range(4))
    assert chi_square < 45  # 15 degrees of freedom; the draws are fixed


def test_steps_are_even_and_never_zero():
    seen = Counter(islice(steps(9), 25_600))
    assert set(seen) == set(range(1, 257))
    assert all(50 < times < 160 for times in seen.values())
    assert list(islice(steps(9), 200)) == list(islice(steps(9), 200))
    assert list(islice(steps(8), 200)) != list(islice(steps(9), 200))


def test_default_seeds_are_random_and_of_64_bits():
    seeds = [new_seed() for _ in range(200)]
    assert len(set(seeds)) == 200
    assert all(any(seed >> bit & 1 for seed in seeds) for bit in range(64))
    assert parse_seed(None) != parse_seed(None)
    assert Match("bagh").seed != Match("bagh").seed
    assert [parse_seed(seed) for seed in SEEDS] == list(SEEDS)
    for wrong in (-1, 2**64, 1.5, "1", True):
        with pytest.raises(DuelError, match="a seed must be a whole number"):
            parse_seed(wrong)


def test_dice_are_thrown_from_the_key_for_dice():
    duel = Duel("defend-the-city-duel", seed=3)
    thrown = []
    while len(thrown) < 20 and not duel.is_over:
        for seat in duel.waiting_for:
            duel.choose(seat, duel.choices(seat)[0])
        game, rules, state = duel.ruleset.game, duel.ruleset.rules, duel.state
        red, blue = (duel._chosen.get(seat, -1) for seat in (0, 1))
        faces = game.rules.chance(rules, state, red, blue)
        face = draw_below(derive(3, "dice"), duel.round, faces)
        expected = game.notation.format_chance(rules, state, red, blue, face)
        assert duel.reveal().chance == expected
        thrown.append(expected)
    assert any(thrown)
