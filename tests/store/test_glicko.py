"""Glicko-2 against published figures."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holmgang.store.glicko import START, Glicko, after_match, after_period, after_rest

YEAR = 365 * 86400.0


def test_the_worked_example_of_glickman():
    """http://www.glicko.net/glicko/glicko2.pdf: one player, three opponents, tau 0.5."""
    player = Glicko(1500, 200, 0.06)
    results = [
        (Glicko(1400, 30, 0.06), 1.0),
        (Glicko(1550, 100, 0.06), 0.0),
        (Glicko(1700, 300, 0.06), 0.0),
    ]
    after = after_period(player, results, tau=0.5, periods=1)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


MIXED = Glicko(1400, 79, 0.06), Glicko(1550, 110, 0.065)
FAR = Glicko(1200, 60, 0.053), Glicko(1850, 200, 0.062)


@pytest.mark.parametrize(
    ("players", "score", "red", "blue"),
    [
        ((START, START), 1, (1741, 396, 0.0899983), (1258.5, 396, 0.0899983)),
        ((START, START), 0.5, (1500, 396, 0.0899954), (1500, 396, 0.0899954)),
        (MIXED, 1, (1422, 77.5, 0.06), (1506, 105.5, 0.065)),
        (MIXED, 0, (1389, 78, 0.06), (1568, 105.5, 0.065)),
        (FAR, 1, (1216.7, 59.9, 0.053013), (1636, 196.9, 0.062028)),
        (FAR, 0, (1199.3, 59.9, 0.052999), (1855.4, 196.9, 0.061999)),
        (FAR, 0.5, (1208.0, 59.90056, 0.053002), (1745.7, 196.98729, 0.062006)),
    ],
)
def test_the_figures_that_lichess_tests_for(players, score, red, blue):
    """lichess-org/lila, modules/rating/src/test/RatingCalculatorTest.scala."""
    for after, expected in zip(after_match(*players, score), (red, blue), strict=True):
        assert after.rating == pytest.approx(expected[0], abs=1)
        assert after.deviation == pytest.approx(expected[1], abs=1)
        assert after.volatility == pytest.approx(expected[2], abs=0.00001)


def test_a_deviation_of_60_grows_to_110_in_a_year():
    """What Lichess chose the length of its rating periods for."""
    assert after_rest(Glicko(1500, 60, 0.06), YEAR).deviation == pytest.approx(110, abs=0.5)


def test_a_deviation_has_limits():
    assert after_rest(START, 10 * YEAR).deviation == 500
    assert after_rest(Glicko(1500, 60, 0.06), -YEAR).deviation == pytest.approx(60)
    red, blue = Glicko(1500, 45, 0.06), Glicko(1500, 45, 0.06)
    assert after_match(red, blue, 1)[0].deviation == 45


ratings = st.builds(Glicko, st.floats(400, 4000), st.floats(45, 500), st.floats(0.01, 0.1))


@given(ratings, ratings, st.sampled_from([1, 0.5, 0]))
def test_every_match_gives_sound_ratings(red, blue, score):
    after = after_match(red, blue, score)
    for before, new in zip((red, blue), after, strict=True):
        assert all(map(math.isfinite, new))
        assert 400 <= new.rating <= 4000
        assert 45 <= new.deviation <= 500
        assert 0 < new.volatility <= 0.1
        assert abs(new.rating - before.rating) <= 700
    if score == 1:
        assert after[0].rating >= red.rating
        assert after[1].rating <= blue.rating
    assert after_match(blue, red, 1 - score) == after[::-1]
