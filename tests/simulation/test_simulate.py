"""Simulations: the same games whatever runs them, counted honestly."""

from fractions import Fraction
from math import inf, nan

import pytest

import holmgang
from holmgang.engine.record import read, replay
from holmgang.errors import ChoiceError, HolmgangError, RulesetError, StateError, UsageError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load
from holmgang.simulation.policy import Policy
from holmgang.simulation.simulate import simulate, simulated_duel
from holmgang.simulation.tally import SimulationTally


def counts(simulation):
    tally = simulation.tally
    return tally.games, tally.rounds, tally.ends, tally.lengths, tally.picks


@pytest.mark.parametrize("text", CATALOGUE)
def test_a_duel_of_random_players_is_the_game_of_that_number(text):
    """Played through Duel and Player, round by round in words, it is the kernel's game."""
    by_hand = SimulationTally(1000)
    for index in range(25):
        by_hand.count(simulated_duel(load(text), 9, index).course)
    simulated = simulate(text, 25, seed=9, limit=1000)
    assert counts(simulated)[2:] == (by_hand.ends, by_hand.lengths, by_hand.picks)
    assert simulated.rounds == by_hand.rounds


def test_threads_make_no_difference():
    one, many = (simulate("bagh", 5000, seed=4, threads=threads) for threads in (1, 7))
    assert counts(one) == counts(many)
    assert many.threads == 7


def test_interpreted_makes_no_difference():
    compiled = simulate("defend-the-city", 300, seed=4)
    interpreted = simulate("defend-the-city", 300, seed=4, interpret=True)
    assert counts(compiled) == counts(interpreted)
    assert (compiled.compiled, interpreted.compiled) == (True, False)


def test_more_games_begin_with_the_same_games():
    few, more = (simulate("bagh", games, seed=4, limit=3) for games in (1, 2))
    assert few.tally.picks[0] <= more.tally.picks[0]
    assert sum(more.tally.lengths) == 2


def test_another_seed_plays_other_games():
    assert counts(simulate("bagh", 100, seed=1)) != counts(simulate("bagh", 100, seed=2))


def test_every_game_is_counted_once():
    done = simulate("fencing", 3001, seed=2)
    assert done.games == done.red_wins + done.blue_wins + done.draws == 3001
    assert sum(done.tally.lengths) == sum(done.reasons().values()) == 3001
    assert sum(done.choices(0).values()) == done.rounds
    assert done.rounds == sum(n * games for n, games in enumerate(done.tally.lengths))


def test_a_game_at_the_limit_is_a_draw():
    done = simulate("bagh", 200, seed=1, limit=2)
    assert done.reasons() == {"limit": 200}
    assert (done.draws, done.rounds, done.tally.length_at(1)) == (200, 400, 2)


@pytest.mark.parametrize("level", ["random", "greedy"])
def test_a_campaign_at_the_limit_is_lost_for_red(level):
    """D9, compiled and by courses."""
    done = simulate("defend-the-city", 20, seed=1, limit=1, red=level, blue=level)
    assert done.compiled == (level == "random")
    assert done.reasons()["besieged"] >= 15
    assert done.draws == 0
    drawn = simulate("defend-the-city:endless_loses=0", 20, seed=1, limit=1)
    assert drawn.draws == drawn.reasons()["limit"] >= 15


def test_json_has_what_it_promises():
    json = simulate("bagh", 100, seed=3).as_json()
    assert json["ruleset"] == "bagh"
    assert json["games"] == json["red"] + json["blue"] + json["draws"] == 100
    assert json["rounds"] == sum(json["choices"]["red"].values())
    assert json["compute_seconds"] > 0
    assert json["levels"] == {"red": "random", "blue": "random"}
    low, high = json["intervals"]["red"]
    assert low < json["red"] / 100 < high


# Policies


def test_a_policy_of_equal_weights_plays_evenly():
    done = simulate("bagh", 2000, seed=1, red={"attack": 1}, blue={"attack": 1})
    assert done.choices(0) == {"attack": done.rounds}
    assert done.draws == 2000  # attack against attack, blow for blow


def test_weights_are_shares():
    done = simulate("bagh", 2000, seed=1, red={"attack": 3, "guard": 1}, blue="random")
    attacks, guards = done.choices(0)["attack"], done.choices(0)["guard"]
    assert set(done.choices(0)) == {"attack", "guard"}
    assert attacks / guards == pytest.approx(3, rel=0.05)


@pytest.mark.parametrize(
    "weights",
    [
        {"attack": Fraction(1, 2), "guard": Fraction(1, 6)},
        {"attack": 0.75, "guard": 0.25},
        {"attack": 3.0, "guard": 1},
        {"attack": 3 * 2**30, "guard": 2**30},
    ],
)
def test_weights_may_be_fractions(weights):
    def choices(weights):
        return simulate("bagh", 300, seed=1, red=weights, blue="random").choices(0)

    whole = choices({"attack": 3, "guard": 1})
    assert choices(weights) == whole


def test_fractions_without_a_common_denominator_are_rounded():
    third = Policy("bagh", {"attack": 1 / 3, "guard": Fraction(2, 3)}).weights
    guard, attack = sorted(third)[:-3:-1]
    assert guard / (guard + attack) == pytest.approx(2 / 3, abs=1e-9)
    assert guard + attack < 2**32


def test_a_table_has_its_own_weights_for_a_state():
    start = "3.0.0.0/3.0.0.0"
    policy = Policy(load("bagh"), {"guard": 1}, {start: {"boost": 1}})
    done = simulate("bagh", 100, seed=1, red=policy, blue=policy, limit=2)
    assert done.choices(0) == {"boost": 100, "guard": 100}


def test_no_weight_at_all_is_as_good_as_any():
    plain, policy = simulate("bagh", 500, seed=6), simulate("bagh", 500, seed=6, red={}, blue={})
    assert counts(plain) == counts(policy)


@pytest.mark.parametrize(
    ("weights", "table", "error"),
    [
        ({"jump": 1}, {}, ChoiceError),
        ({"attack": -1}, {}, ChoiceError),
        ({"attack": Fraction(-1, 3)}, {}, ChoiceError),
        ({"attack": nan}, {}, ChoiceError),
        ({"attack": inf}, {}, ChoiceError),
        ({"attack": "1/3"}, {}, ChoiceError),
        ({"attack": True}, {}, ChoiceError),
        ({"attack": 2**32}, {}, ChoiceError),
        ({"attack": 2**64}, {}, ChoiceError),
        (None, {}, UsageError),
        ({}, [1], UsageError),
        ({}, {"3.0.0.0/3.0.0.0": None}, UsageError),
        ({}, {"nonsense": {"attack": 1}}, StateError),
        ({}, {"3.0.0.0/3.0.0.0": {}, "03.0.0.0/3.0.0.0": {}}, StateError),
    ],
)
def test_a_policy_that_makes_no_sense_is_refused(weights, table, error):
    with pytest.raises(error):
        Policy(load("bagh"), weights, table)


def test_a_policy_of_other_rules_is_refused():
    policy = Policy("bagh", {"attack": 1})
    with pytest.raises(UsageError, match="is for bagh, not for fencing"):
        simulate("fencing", 10, red=policy)
    with pytest.raises(UsageError, match="is for bagh, not for bagh:max_boost=4"):
        simulate("bagh:max_boost=4", 10, red=policy)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"ruleset": None}, RulesetError),
        ({"ruleset": "bagh", "games": 1.5}, UsageError),
        ({"ruleset": "bagh", "games": True}, UsageError),
        ({"ruleset": "bagh", "threads": "x"}, UsageError),
        ({"ruleset": "bagh", "red": 5}, UsageError),
        ({"ruleset": "bagh", "red": None}, UsageError),
        ({"ruleset": "bagh", "red": [("attack", 1)]}, UsageError),
        ({"ruleset": "chess"}, RulesetError),
        ({"ruleset": "bagh", "games": 0}, UsageError),
        ({"ruleset": "bagh", "threads": 0}, UsageError),
        ({"ruleset": "bagh", "limit": 0}, UsageError),
        ({"ruleset": "bagh", "red": "grandmaster"}, UsageError),
        ({"ruleset": "bagh", "seed": -1}, HolmgangError),
        ({"ruleset": "bagh", "seed": 2**64}, HolmgangError),
    ],
)
def test_bad_arguments_are_refused(arguments, error):
    with pytest.raises(error):
        holmgang.simulate(**arguments)


# Records and intervals


def test_a_simulated_game_replays_exactly(tmp_path):
    duel = simulated_duel(load("magic-duel"), 5, 17)
    path = holmgang.save(duel, tmp_path / "game.jsonl")
    again = replay(read(path))
    assert (again.state, again.outcome, again.story) == (duel.state, duel.outcome, duel.story)


def test_intervals_cover_what_is_true():
    """Of 200 simulations, about 95 in 100 intervals hold the share that 400,000 games show."""
    many = simulate("bagh", 400_000, seed=99)
    truth = many.red_wins / many.games
    covered = 0
    for seed in range(200):
        low, high = simulate("bagh", 500, seed=seed).as_json()["intervals"]["red"]
        covered += low <= truth <= high
    assert 182 <= covered <= 198
