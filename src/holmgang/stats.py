"""Statistics of results: intervals of shares, and percentiles."""

from collections.abc import Iterable, Sequence
from math import sqrt

Z = 1.959963984540054
"""95 % of a normal distribution lie within this many standard deviations."""
PERCENTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "max": 1.0}


def wilson(successes: float, trials: int) -> tuple[float, float]:
    """The 95 % interval of a share by Wilson's method; valid at 0 and 1 too.

    >>> low, high = wilson(0, 100)
    >>> low, round(high, 3)
    (0.0, 0.037)
    """
    if trials == 0:
        return 0.0, 1.0
    share = successes / trials
    scale = 1 + Z * Z / trials
    centre = (share + Z * Z / (2 * trials)) / scale
    spread = Z * sqrt(share * (1 - share) / trials + Z * Z / (4 * trials * trials)) / scale
    low = 0.0 if successes == 0 else max(0.0, centre - spread)
    high = 1.0 if successes == trials else min(1.0, centre + spread)
    return low, high


def percentiles(times: Iterable[float]) -> dict[str, float | None]:
    """The median, the tail and the maximum of some times.

    >>> percentiles([3.0, 1.0, 2.0])
    {'p50': 2.0, 'p90': 3.0, 'p99': 3.0, 'max': 3.0}
    """
    ordered = sorted(times)
    if not ordered:
        return dict.fromkeys(PERCENTILES)
    return {name: percentile(ordered, share) for name, share in PERCENTILES.items()}


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value with this share of the others below it."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
