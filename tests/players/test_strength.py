"""The order of the levels: search beats greedy, greedy beats random, and nobody beats perfect.

Searches have a depth in place of a budget, and seeds are fixed, so these duels are always the same.
Luck is taken out of them (`bench.contest`), so few are enough. `python -m bench.levels`
measures the levels as they are played, with the same intervals of 95 %.
"""

from itertools import islice

import pytest
from bench.contest import (
    at_random,
    contest,
    interval,
    looking,
    perfect,
    seat_gains,
    worth_of,
)
from bench.levels import busy, lateness

from holmgang.games.ruleset import load
from holmgang.solver.tables import build_table, find_table

pytestmark = pytest.mark.thorough


def gained(duels, count):
    """What the first of two levels gets in the mean, of both seats, and in each of them."""
    results = list(islice(duels, count))
    return (
        interval([(red + blue) / 2 for red, blue in results]),
        interval([red for red, _ in results]),
        interval([blue for _, blue in results]),
    )


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("bagh", 40),
        ("bagh-advantage", 40),
        ("defend-the-city-duel", 30),
        ("fencing:league=1", 10),
        ("fencing:league=2", 10),
        ("fencing", 10),
        ("magic-duel", 10),
    ],
)
def test_greedy_beats_random(text, pairs):
    ruleset = load(text)
    both, _, _ = gained(contest(ruleset, looking(ruleset, 1), at_random(ruleset)), pairs)
    assert both.low > 0, both


@pytest.mark.parametrize(
    ("text", "depth", "pairs"),
    [
        ("bagh", 3, 100),
        ("bagh-advantage", 3, 100),
        ("fencing:league=1", 3, 24),
        ("fencing:league=2", 3, 16),
        ("fencing", 3, 4),
    ],
)
def test_search_beats_greedy(text, depth, pairs):
    ruleset = load(text)
    duels = contest(ruleset, looking(ruleset, depth), looking(ruleset, 1), worth_of(ruleset))
    both, _, _ = gained(duels, pairs)
    assert both.low > 0, both


def test_search_beats_greedy_in_a_game_without_chance():
    ruleset = load("magic-duel")
    duels = contest(ruleset, looking(ruleset, 6), looking(ruleset, 1), opening=8)
    both, _, _ = gained(duels, 15)
    assert both.low > 0, both


# In a city a better choice counts most in the last encounter, and it takes exact values to see how
# much: the tables of a single one are small.
CITY, DUEL = "defend-the-city:soldiers=1", "defend-the-city-duel"


@pytest.fixture(params=[CITY, DUEL])
def solved(request):
    ruleset = load(request.param)
    build_table(ruleset, most_states=10_000)
    return ruleset


def test_greedy_beats_random_in_either_seat_of_a_city():
    ruleset = load(CITY)
    for seat in gained(seat_gains(ruleset, looking(ruleset, 1), at_random(ruleset)), 40):
        assert seat.low > 0, seat


def test_search_beats_greedy_in_either_seat_of_a_city(solved):
    searching, greedy = looking(solved, 2), looking(solved, 1)
    for seat in gained(seat_gains(solved, searching, greedy, worth_of(solved)), 100):
        assert seat.low > 0, seat


@pytest.mark.parametrize(
    "text", [CITY, DUEL, pytest.param("bagh:max_boost=1,heal_limit=4", id="bagh, small")]
)
def test_nobody_beats_perfect(text):
    """By exact values no duel without its luck is worth more than its start, in whatever seat."""
    ruleset = load(text)
    build_table(ruleset, most_states=10_000)
    best, worth = perfect(find_table(ruleset)), worth_of(ruleset)
    start = worth(ruleset.initial())
    for level in (at_random(ruleset), looking(ruleset, 1), looking(ruleset, 2)):
        for as_red, as_blue in islice(contest(ruleset, level, best, worth), 5):
            assert as_red < start + 1e-6
            assert as_blue < -start + 1e-6


@pytest.mark.timed
@pytest.mark.parametrize("text", ["bagh", "defend-the-city", "fencing", "magic-duel"])
def test_a_search_answers_in_time_on_a_busy_machine(text):
    with busy():
        late = lateness(load(text), count=12)
    assert late[-3] < 10  # beside the busy programs, a host may take the processor away
