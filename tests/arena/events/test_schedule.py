"""Who meets whom, in every format; and that results alone decide what is due."""

from collections import Counter
from random import Random

import pytest
from tests.arena.results import played, won_by

from holmgang.arena.counting.results import Results
from holmgang.arena.counting.tally import ResultTally
from holmgang.arena.events.knockout import EXTRA_PAIRS, Knockout
from holmgang.arena.events.pairing import MostInformative, all_couples, informative
from holmgang.arena.events.schedule import Gauntlet, RoundRobin
from holmgang.arena.events.swiss import Swiss
from holmgang.arena.fixture import pair

BOTS = ["ann", "bob", "cid", "dan", "eve"]


def strongest(fixture):
    """The bot that is first in the alphabet wins."""
    return min(fixture[:2])


def met(results):
    return Counter(frozenset(entry.fixture[:2]) for entry in results.values())


SCHEDULES = [
    lambda: RoundRobin(BOTS, 3),
    lambda: Gauntlet(BOTS, 3),
    lambda: Swiss(BOTS, 2),
    lambda: Knockout(BOTS, 2),
]


@pytest.mark.parametrize("make", SCHEDULES, ids=["round robin", "gauntlet", "swiss", "knockout"])
def test_it_comes_to_an_end_with_every_seat_as_often(make):
    results, _ = played(make(), strongest)
    seats = Counter(
        (bot, seat) for each in results.values() for seat, bot in enumerate(each.fixture[:2])
    )
    assert all(seats[bot, 0] == seats[bot, 1] for bot in BOTS)
    assert make().games in (None, len(results))


@pytest.mark.parametrize("make", SCHEDULES, ids=["round robin", "gauntlet", "swiss", "knockout"])
def test_interrupted_anywhere_and_in_any_order_it_comes_to_the_same(make):
    """The games due depend on nothing but the results."""
    expected, _ = played(make(), strongest)
    chance = Random(5)
    results = Results()
    while due := make().due(results):  # a new schedule each time, as after an interruption
        chance.shuffle(due)
        results.add(won_by(each, strongest(each)) for each in due[: chance.randint(1, 3)])
    assert sorted(results) == sorted(expected)


def test_round_robin_everyone_meets_everyone():
    results, rounds = played(RoundRobin(BOTS, 3), strongest)
    assert met(results) == {frozenset(couple): 6 for couple in all_couples(BOTS)}
    assert len(rounds) == 1


def test_half_of_a_round_robin_is_a_fair_table():
    due = RoundRobin(BOTS, 10).due(Results())
    half = Counter(frozenset(each[:2]) for each in due[: len(due) // 2])
    assert set(half.values()) == {10}


def test_gauntlet_the_first_meets_the_others():
    results, _ = played(Gauntlet(BOTS, 2), strongest)
    assert met(results) == {frozenset(("ann", other)): 4 for other in BOTS[1:]}


# Swiss


@pytest.mark.parametrize("size", range(2, 13))
def test_swiss_nobody_meets_twice_or_rests_twice(size):
    bots = [f"b{i}" for i in range(size)]
    schedule = Swiss(bots, 1)
    results, rounds = played(schedule, lambda each: max(each[:2]))
    assert len(rounds) == schedule.rounds == (size - 1).bit_length()
    assert set(met(results).values()) == {2}
    for due in rounds:
        busy = Counter(bot for each in due for bot in each[:2])
        assert set(busy.values()) == {2}
        assert len(busy) == size - size % 2
    resting = [each.resting for each in schedule.played(results)]
    assert len(set(resting)) == (len(resting) if size % 2 else 1)


def test_swiss_the_best_comes_out_first_and_equals_meet():
    bots = [f"b{i}" for i in range(8)]
    schedule = Swiss(bots, 1)
    results, rounds = played(schedule, lambda each: max(each[:2]))
    assert schedule.standings(results)[0][:2] == ("b7", 6.0)
    points = schedule.points(schedule.played(results)[:2], results)
    for each in rounds[2]:
        assert points[each.red] == points[each.blue]


def test_swiss_as_many_rounds_as_asked_for_even_all_of_them():
    results, rounds = played(Swiss(BOTS[:4], 1, rounds=3), strongest)
    assert len(rounds) == 3
    assert set(met(results).values()) == {2}
    assert len(met(results)) == 6


def test_swiss_a_rest_is_half_of_the_points():
    schedule = Swiss(["ann", "bob", "cid"], 3, rounds=1)
    results, _ = played(schedule, strongest)
    assert {bot: points for bot, points, _ in schedule.standings(results)} == {
        "ann": 6.0,
        "cid": 3.0,
        "bob": 0.0,
    }


# Knockout


@pytest.mark.parametrize("size", range(2, 18))
def test_knockout_the_best_wins_and_the_best_two_meet_last(size):
    bots = [f"b{i:02}" for i in range(size)]
    schedule = Knockout(bots, 1)
    results, rounds = played(schedule, strongest)
    assert len(met(results)) == size - 1  # each but one has lost once
    assert {frozenset(each[:2]) for each in rounds[-1]} == {frozenset(bots[:2])}
    order = [bot for bot, _ in schedule.standings(results)]
    assert order[:2] == bots[:2]


def test_knockout_an_upset():
    schedule = Knockout(["ann", "bob", "cid", "dan"], 1)
    results, _ = played(schedule, lambda each: max(each[:2]))
    assert schedule.standings(results) == [("dan", 2), ("cid", 1), ("ann", 0), ("bob", 0)]


def test_knockout_a_tie_is_prolonged_and_then_the_seeding_decides():
    schedule = Knockout(["ann", "bob"], 2)
    results, rounds = played(schedule, lambda each: each.red)
    assert len(results) == 2 * (2 + EXTRA_PAIRS)
    assert len(rounds) == 1 + EXTRA_PAIRS
    assert schedule.standings(results) == [("ann", 1), ("bob", 0)]


def test_knockout_an_extra_pair_that_is_won_decides():
    schedule = Knockout(["ann", "bob"], 1)
    results, _ = played(schedule, lambda each: each.red if each.number == 0 else "bob")
    assert len(results) == 4
    assert schedule.standings(results)[0] == ("bob", 1)


# The league's


def results_of(*meetings):
    """Results of meetings (bot, other, pairs), of which each wins its games as red."""
    results = Results()
    for bot, other, pairs in meetings:
        for number in range(pairs):
            results.add(won_by(each, each.red) for each in pair(bot, other, number))
    return results


def test_a_new_bot_plays_first():
    tally = ResultTally().add(
        results_of(("ann", "bob", 40), ("bob", "cid", 40), ("ann", "cid", 40)).values()
    )
    couples = all_couples(["ann", "bob", "cid", "new"])
    for couple in informative(couples, tally, 3):
        assert "new" in couple


def test_likes_meet_more_often_than_others():
    results = Results()
    for number in range(30):
        for weak in ("low1", "low2"):
            for strong in ("top1", "top2"):
                results.add(won_by(each, strong) for each in pair(strong, weak, number))
        for bot, other in (("top1", "top2"), ("low1", "low2")):
            results.add(won_by(each, each.red) for each in pair(bot, other, number))
    couples = all_couples(["low1", "low2", "top1", "top2"])
    chosen = Counter(informative(couples, ResultTally().add(results.values()), 40))
    likes = chosen["low1", "low2"] + chosen["top1", "top2"]
    assert likes >= 28  # three quarters of them, but for a few
    assert all(chosen[couple] for couple in couples)  # and nobody is left out of the matrix


def test_pairs_that_were_cut_apart_are_completed_first():
    results = Results()
    one, twin = pair("ann", "bob", 0)
    results.add([won_by(one, "ann")])
    assert MostInformative(lambda: [("ann", "bob")]).due(results)[0] == twin


def test_numbers_go_on_and_games_under_way_are_not_repeated():
    schedule = MostInformative(lambda: [("ann", "bob")])
    results = results_of(("ann", "bob", 3))
    first = schedule.due(results, wanted=8)
    assert min(each.number for each in first) == 3
    more = schedule.due(results, {each.id for each in first}, wanted=8)
    assert not set(first) & set(more)
    assert len(set(more)) == len(more) >= 8


def test_a_bot_that_is_added_meanwhile_takes_part():
    couples = [("ann", "bob")]
    schedule = MostInformative(lambda: couples)
    assert {"new"}.isdisjoint(bot for each in schedule.due(Results()) for bot in each[:2])
    couples = [*couples, ("ann", "new")]
    assert "new" in {bot for each in schedule.due(Results()) for bot in each[:2]}


def test_nobody_to_play():
    assert MostInformative(list).due(Results()) == []
