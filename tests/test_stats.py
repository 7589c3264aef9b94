"""Percentiles and intervals, where they are easy to get wrong."""

import pytest

from holmgang.stats import percentiles, wilson


def test_percentiles():
    assert percentiles([]) == {"p50": None, "p90": None, "p99": None, "max": None}
    hundred = percentiles(map(float, range(100)))
    assert hundred == {"p50": 50.0, "p90": 90.0, "p99": 99.0, "max": 99.0}


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [  # published values, rounded to three places
        (0, 10, 0.0, 0.278),
        (10, 10, 0.722, 1.0),
        (5, 10, 0.237, 0.763),
        (1, 100, 0.002, 0.054),
        (0, 0, 0.0, 1.0),
    ],
)
def test_wilson(successes, trials, low, high):
    assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-4)
