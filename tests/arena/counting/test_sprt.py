"""The sequential test: how often it errs, in simulation, and what it makes of its pairs."""

from math import log
from random import Random

import pytest
from tests.arena.results import won_by

from holmgang.arena.counting.results import Results
from holmgang.arena.counting.sprt import (
    PAIR_POINTS,
    SCORES,
    Hypotheses,
    Sprt,
    SprtVerdict,
    expected_score,
    likeliest,
)
from holmgang.arena.events.paired_test import PairedTest
from holmgang.arena.fixture import pair
from holmgang.errors import UsageError

RUNS = 1000


def independent(score):
    """Pairs of two independent games without draws."""
    return [(1 - score) ** 2, 0, 2 * score * (1 - score), 0, score**2]


def drawish(score):
    """Games of which four in five are drawn."""
    win, draw = score - 0.4, 0.8
    loss = 0.2 - win
    return [loss**2, 2 * loss * draw, draw**2 + 2 * win * loss, 2 * win * draw, win**2]


def lopsided(score):
    """Red wins nine games in ten between equals."""
    as_red, as_blue = score + 0.4, score - 0.4
    both = as_red * as_blue
    none = (1 - as_red) * (1 - as_blue)
    return [none, 0, 1 - both - none, 0, both]


def after(test, pairs):
    """The verdict of the test when it has seen these pairs too."""
    for points in pairs:
        test.add(points)
    return test.verdict


def share_of(wrong, weights, hypotheses):
    """How often the test says `wrong` if pairs come with these weights."""
    chance = Random(12)
    told = 0
    for _ in range(RUNS):
        test = Sprt(hypotheses)
        while test.verdict is SprtVerdict.UNDECIDED:
            after(test, chance.choices(PAIR_POINTS, weights, k=5))
        told += test.verdict is wrong
    return told / RUNS


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("pairs", "hypotheses"),
    [
        (independent, Hypotheses(0, 100)),
        (independent, Hypotheses(100, 220, alpha=0.1, beta=0.02)),
        (drawish, Hypotheses(0, 60)),
        (lopsided, Hypotheses(-35, 35)),
    ],
    ids=["no draws", "other rates", "drawish", "red's advantage"],
)
def test_the_error_rates_are_within_the_stated_ones(pairs, hypotheses):
    worse, better = (expected_score(elo) for elo in (hypotheses.elo0, hypotheses.elo1))
    assert share_of(SprtVerdict.BETTER, pairs(worse), hypotheses) <= hypotheses.alpha
    assert share_of(SprtVerdict.NOT_BETTER, pairs(better), hypotheses) <= hypotheses.beta


def test_what_is_clear_is_decided_soon():
    test = Sprt()
    assert after(test, [2.0] * 19) is SprtVerdict.UNDECIDED
    after(test, [2.0] * 100)
    assert test.verdict is SprtVerdict.BETTER
    assert test.pairs < 60
    worse = Sprt()
    after(worse, [0.0] * 100)
    assert worse.verdict is SprtVerdict.NOT_BETTER
    assert worse.pairs < 60


def test_after_the_decision_nothing_counts():
    test = Sprt()
    after(test, [2.0] * 60)
    known = test.pairs, test.llr
    assert after(test, [0.0] * 100) is SprtVerdict.BETTER
    assert (test.pairs, test.llr) == known


def test_pairs_need_fewer_games_than_single_games_would():
    """Red's advantage cancels out within a pair."""
    score = expected_score(40)

    def games(weights):
        chance, total = Random(2), 0
        for _ in range(100):
            test = Sprt(Hypotheses(0, 40))
            while test.add(chance.choices(PAIR_POINTS, weights)[0]) is SprtVerdict.UNDECIDED:
                pass
            total += test.pairs
        return total

    assert games(lopsided(score)) < 0.6 * games(independent(score))


def test_the_bounds_are_wald_s():
    hypotheses = Hypotheses(0, 10, alpha=0.01, beta=0.1)
    assert hypotheses.upper == pytest.approx(log(0.9 / 0.01))
    assert hypotheses.lower == pytest.approx(log(0.1 / 0.99))


@pytest.mark.parametrize("mean", [0.1, 0.4, 0.5, 0.75, 0.97])
def test_the_likeliest_distribution_has_the_mean_and_no_neighbour_is_likelier(mean):
    shares = [0.1, 0.15, 0.4, 0.2, 0.15]
    found = likeliest(shares, mean)
    assert sum(found) == pytest.approx(1)
    assert sum(p * s for p, s in zip(found, SCORES, strict=True)) == pytest.approx(mean)
    height = sum(share * log(p) for share, p in zip(shares, found, strict=True))
    chance = Random(1)
    for _ in range(100):  # moves that keep the sum and the mean
        a, b = chance.uniform(-1, 1) * 1e-3, chance.uniform(-1, 1) * 1e-3
        moved = [p + d for p, d in zip(found, (a, b - 2 * a, a - 2 * b, b, 0), strict=True)]
        if min(moved) > 0:
            there = sum(share * log(p) for share, p in zip(shares, moved, strict=True))
            assert there <= height + 1e-12


def test_the_score_and_its_elo():
    test = Sprt()
    after(test, [1.0, 1.5, 2.0, 1.0] * 4)
    assert 0.5 < test.score.low < test.score.value < test.score.high < 1
    assert test.elo.low < test.elo.value < test.elo.high
    assert test.elo.value > 0


@pytest.mark.parametrize(
    "numbers", [(20, 10, 0.05, 0.05), (0, 10, 0, 0.05), (0, 10, 0.05, 0.5), (0, 9999, 0.1, 0.1)]
)
def test_hypotheses_that_make_no_sense_are_refused(numbers):
    with pytest.raises(UsageError):
        Hypotheses(*numbers)


# The games it asks for


def test_pairs_count_in_order_and_the_test_ends_the_games():
    schedule = PairedTest("new", "old", Hypotheses(0, 100), 1000)
    results = Results()
    due = schedule.due(results)
    assert due[:4] == [*pair("new", "old", 0), *pair("new", "old", 1)]
    results.add(won_by(each, "new") for each in due[2:])  # the first pair is late
    assert schedule.sprt(results).pairs == 0
    results.add(won_by(each, "new") for each in due[:2])
    assert schedule.sprt(results).verdict is SprtVerdict.BETTER
    assert schedule.due(results) == []


def test_it_ends_undecided_when_there_are_enough():
    schedule = PairedTest("new", "old", Hypotheses(0, 1), 30)
    results = Results()
    while due := schedule.due(results):
        results.add(won_by(each, each.red) for each in due)
    assert len(results) == 60
    assert schedule.sprt(results).verdict is SprtVerdict.UNDECIDED


def test_games_under_way_are_not_asked_for_again():
    schedule = PairedTest("new", "old", Hypotheses(), 100)
    first = {each.id for each in schedule.due(Results())}
    assert schedule.due(Results(), first) == []
