"""Glicko-2, as Mark Glickman describes it, with the constants and habits of Lichess.

The steps are those of "Example of the Glicko-2 system" (Glickman, http://www.glicko.net/glicko/
glicko2.pdf). The constants are those of Lichess: lichess-org/lila, `modules/rating/src/main/
Glicko.scala`, and lichess-org/scalachess, `rating/src/main/scala/glicko/model.scala`. As on
Lichess, each match is a rating period of its own, for which no deviation grows; instead it grows
with the time between matches, in fractions of a period.
"""

from collections.abc import Sequence
from math import exp, log, pi, sqrt
from typing import NamedTuple

TAU = 0.75
"""How fast volatility changes."""
SCALE = 173.7178
CENTRE = 1500.0
TOLERANCE = 1e-6
LEAST_RATING, GREATEST_RATING = 400.0, 4000.0
LEAST_DEVIATION, GREATEST_DEVIATION = 45.0, 500.0
GREATEST_VOLATILITY = 0.1
GREATEST_CHANGE = 700.0
"""Of a rating, in one match."""
PROVISIONAL = 110.0
"""The deviation from which on a rating says little."""
PERIODS_PER_DAY = 0.21436
"""So that a deviation of 60 grows to 110 in a year without a match."""


class Glicko(NamedTuple):
    rating: float
    deviation: float
    volatility: float


START = Glicko(CENTRE, GREATEST_DEVIATION, 0.09)
"""Of a new player."""


def after_match(red: Glicko, blue: Glicko, score: float) -> tuple[Glicko, Glicko]:
    """Both after a match that begins with these ratings. `score` is red's: 1, 0.5 or 0.

    >>> [round(after.rating) for after in after_match(START, START, 1)]
    [1741, 1259]
    """
    return (
        _limited(red, after_period(red, [(blue, score)])),
        _limited(blue, after_period(blue, [(red, 1 - score)])),
    )


def after_rest(before: Glicko, seconds: float) -> Glicko:
    """The same after a time without a match: the deviation has grown."""
    periods = max(0.0, seconds) / 86400 * PERIODS_PER_DAY
    grown = SCALE * _grown(before.deviation / SCALE, before.volatility, periods)
    return before._replace(deviation=min(max(grown, LEAST_DEVIATION), GREATEST_DEVIATION))


def after_period(
    before: Glicko,
    results: Sequence[tuple[Glicko, float]],
    *,
    tau: float = TAU,
    periods: float = 0.0,
) -> Glicko:
    """The new rating after results (opponent, score) that count as simultaneous; without limits.

    `periods` is by how many rating periods the deviation grows; Glickman's paper has 1.
    """
    # Step 2
    mu = (before.rating - CENTRE) / SCALE
    phi = before.deviation / SCALE
    # Steps 3 and 4
    information = improvement = 0.0
    for opponent, score in results:
        weight = 1 / sqrt(1 + 3 * (opponent.deviation / SCALE) ** 2 / pi**2)
        expected = 1 / (1 + exp(-weight * (mu - (opponent.rating - CENTRE) / SCALE)))
        information += weight**2 * expected * (1 - expected)
        improvement += weight * (score - expected)
    variance = 1 / information
    # Step 5
    volatility = _new_volatility(phi, before.volatility, variance, variance * improvement, tau)
    # Steps 6 to 8
    grown = _grown(phi, volatility, periods)
    new_phi = 1 / sqrt(1 / grown**2 + 1 / variance)
    new_mu = mu + new_phi**2 * improvement
    return Glicko(SCALE * new_mu + CENTRE, SCALE * new_phi, volatility)


def _new_volatility(phi: float, sigma: float, variance: float, delta: float, tau: float) -> float:
    """Step 5: the root of a function, by regula falsi in the form called Illinois."""
    start = log(sigma**2)

    def f(x: float) -> float:
        total = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - total) / (2 * total**2) - (x - start) / tau**2

    a = start
    if delta**2 > phi**2 + variance:
        b = log(delta**2 - phi**2 - variance)
    else:
        b = start - tau
        while f(b) < 0:
            b -= tau
    at_a, at_b = f(a), f(b)
    while abs(b - a) > TOLERANCE:
        c = a + (a - b) * at_a / (at_b - at_a)
        at_c = f(c)
        if at_c * at_b <= 0:
            a, at_a = b, at_b
        else:
            at_a /= 2
        b, at_b = c, at_c
    return exp(a / 2)


def _grown(phi: float, sigma: float, periods: float) -> float:
    return sqrt(phi**2 + periods * sigma**2)


def _limited(before: Glicko, after: Glicko) -> Glicko:
    change = min(max(after.rating - before.rating, -GREATEST_CHANGE), GREATEST_CHANGE)
    return Glicko(
        min(max(before.rating + change, LEAST_RATING), GREATEST_RATING),
        min(max(after.deviation, LEAST_DEVIATION), GREATEST_DEVIATION),
        min(after.volatility, GREATEST_VOLATILITY),
    )
