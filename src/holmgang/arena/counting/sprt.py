"""A sequential probability ratio test (SPRT) of whether a version is better, on pairs of games.

Two games with the seats swapped are one observation: the points of the new version in both, 0, ½,
1, 1½ or 2. The advantage of the better seat cancels out, so pairs vary less than single games, and
fewer games are needed.

After every pair the test compares two hypotheses about the expected score: the new version is at
most `elo0` Elo points stronger (H0), or at least `elo1` (H1). For each, it takes the likeliest
distribution of the five results with that mean, and computes the logarithm of the likelihood ratio.
The test ends when this leaves Wald's bounds. If H0 is true it says "better" with probability
`alpha` at most; if H1 is true it says "not better" with probability `beta` at most.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import exp, log, sqrt
from operator import mul

from holmgang.arena.counting.ratings import Estimate
from holmgang.errors import UsageError
from holmgang.games.shape import JsonObject
from holmgang.stats import Z

PAIR_POINTS = (0.0, 0.5, 1.0, 1.5, 2.0)
SCORES = tuple(points / 2 for points in PAIR_POINTS)
FEWEST_PAIRS = 20
"""With fewer, the variance of the results is too uncertain for a decision."""
PRIOR = 0.5
"""Pseudo-count of each result, so that no result is impossible."""
MOST_STEPS = 100
PRECISION = 1e-12


class SprtVerdict(Enum):
    BETTER = "better"
    NOT_BETTER = "not better"
    UNDECIDED = "undecided"


def expected_score(elo: float) -> float:
    """The expected score of a bot that is stronger by `elo` points.

    >>> expected_score(0), round(expected_score(400), 4)
    (0.5, 0.9091)
    """
    return 1 / (1 + exp(-elo * log(10) / 400))


def elo_of(score: float) -> float:
    """The difference in Elo points that gives this expected score."""
    score = min(1 - 1e-6, max(1e-6, score))
    return 400 * log(score / (1 - score)) / log(10)


@dataclass(frozen=True)
class Hypotheses:
    """The two hypotheses and the error rates. Raises UsageError."""

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
    """A running test; `add` takes the points of each pair, in order."""

    hypotheses: Hypotheses = field(default_factory=Hypotheses)
    counts: list[int] = field(default_factory=lambda: [0] * len(PAIR_POINTS))
    """The number of pairs with each result, from 0 points to 2."""
    verdict: SprtVerdict = SprtVerdict.UNDECIDED

    @property
    def pairs(self) -> int:
        return sum(self.counts)

    @property
    def llr(self) -> float:
        """The logarithm of the likelihood ratio of the two hypotheses."""
        hypotheses = self.hypotheses
        return log_ratio(
            self.counts, expected_score(hypotheses.elo0), expected_score(hypotheses.elo1)
        )

    def add(self, points: float) -> SprtVerdict:
        """The verdict after one more pair. Once decided, it is final and pairs are ignored."""
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
        """The new version's share of the points with its 95 % interval. Because the test stops
        early, it is slightly biased towards the verdict.
        """
        shares = smoothed(self.counts)
        mean = mean_of(shares)
        variance = sum(p * (s - mean) ** 2 for p, s in zip(shares, SCORES, strict=True))
        margin = Z * sqrt(variance / (self.pairs + PRIOR * len(SCORES)))
        return Estimate(mean, max(0.0, mean - margin), min(1.0, mean + margin))

    @property
    def elo(self) -> Estimate:
        return Estimate(*map(elo_of, self.score))

    def as_json(self) -> JsonObject:
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
    """The logarithm of the likelihood ratio of the expected scores `score1` and `score0`."""
    shares = smoothed(counts)
    under0, under1 = likeliest(shares, score0), likeliest(shares, score1)
    return sum(count * log(p1 / p0) for count, p0, p1 in zip(counts, under0, under1, strict=True))


def likeliest(shares: Sequence[float], mean: float) -> list[float]:
    """The distribution of scores with this mean under which the shares are likeliest.

    >>> [round(p, 3) for p in likeliest([0.2, 0.2, 0.2, 0.2, 0.2], 0.5)]
    [0.2, 0.2, 0.2, 0.2, 0.2]

    With a Lagrange multiplier t, each probability is share / (1 + t (score - mean)), where t is the
    root of a decreasing function. Newton's method finds it; steps that leave the range in which all
    probabilities are positive are replaced by bisection.
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
