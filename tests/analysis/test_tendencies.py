"""A player over several duels: frequencies, and what knowing them is worth."""

import random

import pytest
from tests.analysis.duels import CITY_DUEL, SMALL, mixed_duel

from holmgang.analysis.analyse import analyse
from holmgang.analysis.position import assess
from holmgang.analysis.tendencies import tendencies_of
from holmgang.engine.duel import Duel
from holmgang.errors import UsageError

DUELS = 30


@pytest.fixture(scope="module")
def analyses(solved):
    """Ann plays the mixes of the table, Bob at random."""
    names = {"red": "Ann", "blue": "Bob"}
    return [analyse(mixed_duel(SMALL, seed, "red"), players=names) for seed in range(DUELS)]


@pytest.fixture(scope="module")
def bob(analyses):
    return tendencies_of("Bob", analyses)


def test_perfect_play_is_as_frequent_as_it_should_be(analyses):
    tendencies = tendencies_of("Ann", analyses)
    assert tendencies.duels == DUELS
    assert tendencies.error == pytest.approx(0, abs=1e-6)
    assert tendencies.accuracy == pytest.approx(100, abs=1e-3)
    assert sum(kind.rounds for kind in tendencies.kinds) == tendencies.rounds
    for kind in tendencies.kinds:
        assert sum(kind.frequencies.values()) == pytest.approx(1)
        assert sum(kind.equilibrium.values()) == pytest.approx(1, abs=0.02)
        near = 4 * (0.25 / kind.rounds) ** 0.5
        for word, share in kind.frequencies.items():
            assert share == pytest.approx(kind.equilibrium[word], abs=near)
    clear = [
        kind for kind in tendencies.kinds if kind.gain is not None and kind.gain > kind.gain_limit
    ]
    assert len(clear) <= 1


def test_random_play_can_be_exploited(bob):
    assert bob.error > 1
    largest = max((kind for kind in bob.kinds if kind.gain), key=lambda kind: kind.rounds)
    assert largest.gain > largest.gain_limit > largest.gain_by_chance > 0
    assert largest.gain >= largest.error - 1e-9
    assert bob.gain > 0


def test_score_errors_and_luck_add_up(analyses, bob):
    start = -sum(analysis.start_value for analysis in analyses)
    endings = -sum(analysis.ending for analysis in analyses)
    explained = start - bob.error + bob.opponent_error + bob.luck + endings
    assert bob.score == pytest.approx(explained)


def test_predictable_play_costs_though_no_round_shows_it(solved):
    """Always the same choice of the mix is no error in any round, and can be exploited."""
    rng, found = random.Random(1), []
    for seed in range(12):
        duel = Duel(SMALL, seed=seed)
        while not duel.is_over and len(duel.rounds) < 6:
            mix = assess(SMALL, duel.state).as_json()["red_mix"]
            duel.choose("red", min(word for word, share in mix.items() if share > 0.05))
            duel.choose("blue", rng.choice(duel.choices("blue")))
            duel.reveal()
        found.append(analyse(duel, players={"red": "Ann"}))
    tendencies = tendencies_of("Ann", found)
    assert tendencies.error == pytest.approx(0, abs=1e-6)
    assert tendencies.gain > 0.02


def test_it_needs_the_player_and_one_ruleset(analyses):
    with pytest.raises(
        UsageError, match="no record has a player called 'Eve'; the players are Ann"
    ):
        tendencies_of("Eve", analyses)
    other = analyse(mixed_duel(CITY_DUEL, 1), players={"red": "Ann", "blue": "Bob"})
    with pytest.raises(UsageError, match="the records must be of one ruleset"):
        tendencies_of("Ann", [*analyses, other])
