"""The level `perfect` in kernels: exact chances, and no access out of bounds."""

from math import sqrt

import pytest
from tests.solver.exact.checked import checked

import holmgang
from holmgang.engine.compiled.native import Kernels, zeros
from holmgang.games.contract import BLUE, RED
from holmgang.games.ruleset import load
from holmgang.lab.balance import balance
from holmgang.lab.chain import Chain
from holmgang.lab.solved import solved_game
from holmgang.simulation.perfect import TOTAL, perfect_policies
from holmgang.simulation.simulate import simulated_duel
from holmgang.solver.tables import find_table

SMALL = "bagh:start_hp=2,max_boost=2,heal_limit=3"
GAMES = 200_000


def is_near(count, games, chance):
    """Within five standard deviations."""
    return abs(count / games - chance) < 5 * sqrt(chance * (1 - chance) / games) + 1e-9


@pytest.fixture(scope="module")
def solved():
    return solved_game(load(SMALL))


def test_perfect_against_perfect_ends_with_the_exact_chances(solved):
    done = holmgang.simulate(SMALL, GAMES, seed=3, red="perfect", blue="perfect")
    assert done.compiled
    sums = Chain(solved.arrays, solved.picked, solved.mixes).sums
    for count, chance in (
        (done.red_wins, sums.endings.red),
        (done.blue_wins, sums.endings.blue),
        (done.draws, sums.endings.draw),
    ):
        assert is_near(count, GAMES, chance)
    for rounds, chance in enumerate(sums.lengths[:20], start=1):
        assert is_near(done.tally.lengths[rounds], GAMES, chance)


@pytest.mark.parametrize(("red", "blue"), [("perfect", "random"), ("random", "perfect")])
def test_perfect_against_random_scores_the_exact_value(red, blue):
    done = holmgang.simulate(SMALL, GAMES, seed=4, red=red, blue=blue)
    assert done.compiled
    value = (done.red_wins - done.blue_wins) / GAMES
    exact = balance(SMALL).red.against_random
    assert value == pytest.approx(exact if red == "perfect" else -exact, abs=5 / sqrt(GAMES))


def test_threads_make_no_difference():
    one, two = (
        holmgang.simulate(SMALL, 500, seed=5, red="perfect", blue="perfect", threads=threads)
        for threads in (1, 2)
    )
    assert (one.tally.ends, one.tally.lengths) == (two.tally.ends, two.tally.lengths)


def test_the_weights_are_those_of_the_table(solved):
    ruleset = load(SMALL)
    policies = perfect_policies(ruleset)
    table = find_table(ruleset)
    unpack = solved.arrays.table.kernels.bound.kernels["unpack"]
    fields = solved.arrays.table.fields
    assert policies[RED].rows == solved.arrays.count
    for row in range(policies[RED].rows):
        state = unpack(policies[RED].states, row * fields)
        found = table.evaluate(state)
        for seat, mix in ((RED, found.red), (BLUE, found.blue)):
            weights = {choice: policies[seat].weight(row, choice) / TOTAL for choice in mix}
            assert weights == pytest.approx(mix, abs=1e-8)
            assert sum(weights.values()) == 1


def test_no_kernel_leaves_its_arrays():
    ruleset = load(SMALL)
    arguments = [part for policy in perfect_policies(ruleset) for part in policy.arguments]
    results = []
    for kernels in (Kernels(ruleset, interpret=True), Kernels(ruleset)):
        sums = zeros(48), zeros(1001), zeros(128)
        room = zeros(len(kernels.layout.names))
        given = (9, 0, 300, 1000, *sums, room, 1, *arguments)
        if not kernels.is_compiled:
            given = tuple(map(checked, given))
        results.append((kernels("policy_playouts")(*given), *map(list, sums)))
    assert results[0] == results[1]


class Listener:
    def __init__(self):
        self.events = []

    def on_event(self, duel, event):
        self.events.append((type(event), getattr(event, "choice", None)))


def test_games_that_are_followed_are_those_of_the_level_itself():
    duel, followed = Listener(), Listener()
    simulated_duel(load(SMALL), 7, 0, "perfect", "perfect", follower=duel)
    players = {"red": "perfect", "blue": "perfect"}
    done = holmgang.simulate(SMALL, 1, seed=7, **players, followers=[followed])
    assert not done.compiled
    assert followed.events == duel.events != []


def test_answers_to_a_reveal_are_left_to_the_level():
    game = "defend-the-city:stamina=3,max_score=2,soldiers=1"
    done = holmgang.simulate(game, 20, seed=1, red="perfect", blue="perfect")
    assert find_table(load(game)).header["answers"]
    assert (done.games, done.compiled) == (20, False)
