"""Is the new version better? A sequential test on pairs of games, with stated error rates.

Two games with the seats swapped are one observation, the points of the new version in both: 0, ½,
1, 1½ or 2. What the better seat gives in one game it takes in the other, so pairs differ less than
single games do and fewer of them decide.

Two hypotheses about the expected score are weighed against each other after every pair: that the
new version is better by `elo0` points at most, and that it is better by `elo1` at least. For each,
the likeliest distribution of the five results with that mean is taken; what the pairs say is the
logarithm of the ratio of the two likelihoods. The test ends when it leaves the bounds of Wald. It
says "better" of a version that is no better than `elo0` with probability `alpha` at most, and "not
better" of one that is better by `elo1` with probability `beta` at most.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import exp, log, sqrt
from operator import mul
from typing import Any

from holmgang.arena.counting.ratings import Estimate
from holmgang.errors import UsageError
from holmgang.stats import Z

PAIR_POINTS = (0.0, 0.5, 1.0, 1.5, 2.0)
SCORES = tuple(points / 2 for points in PAIR_POINTS)
FEWEST_PAIRS = 20
"""Before that, the spread of the results is not known well enough to go by it."""
PRIOR = 0.5
"""Pairs of each result that are supposed to have been seen: a result is never impossible."""
MOST_STEPS = 100
PRECISION = 1e-12


class SprtVerdict(Enum):
    BETTER = "better"
    NOT_BETTER = "not better"
    UNDECIDED = "undecided"


def expected_score(elo: float) -> float:
    """The share of points that a bot gets which is better by so many Elo points.

    >>> expected_score(0), round(expected_score(400), 4)
    (0.5, 0.9091)
    """
    return 1 / (1 + exp(-elo * log(10) / 400))


def elo_of(score: float) -> float:
    """How many Elo points better a bot is that gets this share of the points."""
    score = min(1 - 1e-6, max(1e-6, score))
    return 400 * log(score / (1 - score)) / log(10)


@dataclass(frozen=True)
class Hypotheses:
    """What is tested, and how often the answer may be wrong. Raises UsageError."""

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -2000 <= self.elo0 < self.elo1 <= 2000:
            raise UsageError(
                f"elo0 must be less than elo1, both from -2000 to 2000;"
                f" not {self.elo0:g} and {self.elo1:g}"
            )
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0.0001 <= rate < 0.5:
                raise UsageError(f"{name} must be from 0.0001 to less than 0.5; not {rate:g}")

    @property
    def lower(self) -> float:
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        return log((1 - self.beta) / self.alpha)


@dataclass
class Sprt:
    """The test as it goes on. `add` is told the points of each pair, in order."""

    hypotheses: Hypotheses = field(default_factory=Hypotheses)
    counts: list[int] = field(default_factory=lambda: [0] * len(PAIR_POINTS))
    """How often each result of a pair was seen, from 0 points to 2."""
    verdict: SprtVerdict = SprtVerdict.UNDECIDED

    @property
    def pairs(self) -> int:
        return sum(self.counts)

    @property
    def llr(self) -> float:
        """The logarithm of the ratio of likelihoods of the two hypotheses."""
        hypotheses = self.hypotheses
        return log_ratio(
            self.counts, expected_score(hypotheses.elo0), expected_score(hypotheses.elo1)
        )

    def add(self, points: float) -> SprtVerdict:
        """What is known after one more pair. Once decided, it stays so and pairs do not count."""
        if self.verdict is not SprtVerdict.UNDECIDED:
            return self.verdict
        self.counts[round(2 * points)] += 1
        if self.pairs >= FEWEST_PAIRS:
            llr = self.llr
            if llr >= self.hypotheses.upper:
                self.verdict = SprtVerdict.BETTER
            elif llr <= self.hypotheses.lower:
                self.verdict = SprtVerdict.NOT_BETTER
        return self.verdict

    @property
    def score(self) -> Estimate:
        """The new version's share of the points with its 95 % interval, going by the pairs.

        A test that stops when it has seen enough leans a little towards what it decided.
        """
        shares = smoothed(self.counts)
        mean = mean_of(shares)
        variance = sum(p * (s - mean) ** 2 for p, s in zip(shares, SCORES, strict=True))
        margin = Z * sqrt(variance / (self.pairs + PRIOR * len(SCORES)))
        return Estimate(mean, max(0.0, mean - margin), min(1.0, mean + margin))

    @property
    def elo(self) -> Estimate:
        return Estimate(*map(elo_of, self.score))

    def as_json(self) -> dict[str, Any]:
        hypotheses, score, elo = self.hypotheses, self.score, self.elo
        pairs = zip(PAIR_POINTS, self.counts, strict=True)
        return {
            "verdict": self.verdict.value,
            "games": 2 * self.pairs,
            "pairs": {f"{points:g}": count for points, count in pairs},
            "llr": self.llr,
            "bounds": [hypotheses.lower, hypotheses.upper],
            "elo0": hypotheses.elo0,
            "elo1": hypotheses.elo1,
            "alpha": hypotheses.alpha,
            "beta": hypotheses.beta,
            "score": score.value,
            "score_interval": [score.low, score.high],
            "elo": elo.value,
            "elo_interval": [elo.low, elo.high],
        }


def mean_of(shares: Sequence[float]) -> float:
    return sum(share * score for share, score in zip(shares, SCORES, strict=True))


def smoothed(counts: Sequence[int]) -> list[float]:
    total = sum(counts) + PRIOR * len(counts)
    return [(count + PRIOR) / total for count in counts]


def log_ratio(counts: Sequence[int], score0: float, score1: float) -> float:
    """How much likelier these results are if the expected score is `score1` than if `score0`."""
    shares = smoothed(counts)
    under0, under1 = likeliest(shares, score0), likeliest(shares, score1)
    return sum(count * log(p1 / p0) for count, p0, p1 in zip(counts, under0, under1, strict=True))


def likeliest(shares: Sequence[float], mean: float) -> list[float]:
    """Of all distributions of scores with this mean, the one that makes the shares likeliest.

    >>> [round(p, 3) for p in likeliest([0.2, 0.2, 0.2, 0.2, 0.2], 0.5)]
    [0.2, 0.2, 0.2, 0.2, 0.2]

    By Lagrange it is share / (1 + t (score - mean)) with the t at which the mean is right: a root
    of a falling function, found by Newton's method, or by halving where that would leave the range
    in which all of it is positive.
    """
    steps = [score - mean for score in SCORES]
    low, high, t = -1 / steps[-1], -1 / steps[0], 0.0
    for _ in range(MOST_STEPS):
        terms = [step / (1 + t * step) for step in steps]
        excess = sum(map(mul, shares, terms))
        if abs(excess) < PRECISION:
            break
        low, high = (t, high) if excess > 0 else (low, t)
        t += excess / sum(share * term * term for share, term in zip(shares, terms, strict=True))
        if not low < t < high:
            t = (low + high) / 2
    return [share / (1 + t * step) for share, step in zip(shares, steps, strict=True)]
