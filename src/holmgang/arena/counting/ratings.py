"""Ratings from games: the Bradley–Terry model with Davidson's draws and an advantage for red.

Every bot has a strength. If red is stronger by x, the expected ratio of wins, draws and losses is
e^(x/2) : e^d : e^(-x/2), where d is the drawishness of the game, the same for all pairs, and x
includes the advantage of red's seat. Without draws this is the Bradley–Terry model. With draws, the
ratings are still those at which every bot's expected score, a draw being half a win, equals its
actual score. But the uncertainty is smaller, because draws reduce the variance of the score;
counting draws as half wins in the plain model makes the intervals too wide.

Only counts matter, not the order of games. A weak prior, worth half a game for each bot, keeps
ratings finite if a bot has won or lost every game, and bounds the distance between groups that have
never met. docs/decisions/0007-counting.md describes how the intervals were checked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from operator import mul
from typing import NamedTuple

from holmgang.arena.counting import linear
from holmgang.stats import Z

POINTS = 400 / log(10)
"""Elo points in a unit of strength: 400 points are ten wins to a loss."""

PRIOR_SPREAD = 500 / POINTS  # prior deviation of strengths: worth half a game between equals
SEAT_SPREAD = 200 / POINTS
DRAWS_MEAN, DRAWS_SPREAD = -2.0, 2.0  # prior of the drawishness: 6 % draws between equals
MOST_STEPS = 100
SMALLEST_STEP = 1e-9
ROUNDING = 1e-12  # relative rounding error of a sum
TINY = 1e-300


class Counts(NamedTuple):
    """The games between two bots, from red's point of view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    def __add__(self, other: object) -> "Counts":
        """The sum of both (instead of a longer tuple)."""
        if not isinstance(other, Counts):
            return NotImplemented
        return Counts(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def reversed(self) -> "Counts":
        """The same games from the other side's point of view."""
        return Counts(self.losses, self.draws, self.wins)


Games = Mapping[tuple[str, str], Counts]
"""The counts of all games, by (red, blue)."""


class Estimate(NamedTuple):
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        return (self.high - self.low) / 2


class Chances(NamedTuple):
    """The probabilities of the outcomes of a game, from red's point of view."""

    win: float
    draw: float
    loss: float

    @property
    def score(self) -> float:
        return self.win + self.draw / 2

    @property
    def variance(self) -> float:
        """The variance of the score; also the information of the game about the difference."""
        return (self.win + self.loss - (self.win - self.loss) ** 2) / 4


def chances(edge: float, drawishness: float) -> Chances:
    """The probabilities of a game if red is stronger by `edge`.

    >>> [round(p, 3) for p in chances(log(10), -100.0)]
    [0.909, 0.0, 0.091]
    """
    most = max(abs(edge) / 2, drawishness)  # prevents overflow
    win, draw, loss = exp(edge / 2 - most), exp(drawishness - most), exp(-edge / 2 - most)
    total = win + draw + loss
    return Chances(win / total, draw / total, loss / total)


@dataclass(frozen=True)
class Ratings:
    """The ratings of some bots. Their mean, weighted by games played, is 0, so that a new bot with
    few games does not make the ratings of others less certain.
    """

    bots: tuple[str, ...]
    strengths: Sequence[float]
    covariance: linear.Rows
    """The covariance of the strengths, before their mean is subtracted."""
    weights: Sequence[float]
    """Each bot's weight in the mean."""
    edge: float
    """The advantage of red's seat, in units of strength."""
    edge_deviation: float
    drawishness: float

    def __getitem__(self, bot: str) -> Estimate:
        """The rating of a bot in Elo points, relative to the mean."""
        i = self.bots.index(bot)
        from_mean = [float(i == j) - weight for j, weight in enumerate(self.weights)]
        variance = sum(
            step * sum(map(mul, row, from_mean))
            for step, row in zip(from_mean, self.covariance, strict=True)
            if step
        )
        return in_points(self.strengths[i], variance)

    def expected_score(self, bot: str, other: str, luck: float = 0.0) -> float:
        """The expected score of a bot against another, averaged over both seats, if the difference
        of their ratings is too high by `luck` standard deviations.
        """
        i, j = self.bots.index(bot), self.bots.index(other)
        gap = self.strengths[i] - self.strengths[j] - luck * sqrt(self.variance_between(i, j))
        as_red = chances(gap + self.edge, self.drawishness)
        as_blue = chances(gap - self.edge, self.drawishness)
        return (as_red.score + as_blue.score) / 2

    @property
    def seat(self) -> Estimate:
        """The advantage of red's seat, in Elo points."""
        return in_points(self.edge, self.edge_deviation**2)

    def variance_between(self, i: int, j: int) -> float:
        """The variance of the difference in strength of bots number i and j."""
        covariance = self.covariance
        return covariance[i][i] + covariance[j][j] - 2 * covariance[i][j]


def in_points(strength: float, variance: float) -> Estimate:
    margin = Z * sqrt(max(0.0, variance))
    return Estimate(POINTS * strength, POINTS * (strength - margin), POINTS * (strength + margin))


def rate(bots: Sequence[str], games: Games) -> Ratings:
    """The ratings of these bots. A bot without games has the mean and a wide interval.

    >>> games = {("ann", "bob"): Counts(15, 0, 5), ("bob", "ann"): Counts(5, 0, 15)}
    >>> [round(rate(["ann", "bob"], games)[bot].value) for bot in ("ann", "bob")]
    [96, -96]
    """
    bots = tuple(sorted(bots))
    places = {bot: place for place, bot in enumerate(bots)}
    meetings = sorted(
        (places[red], places[blue], counts)
        for (red, blue), counts in games.items()
        if counts.games and red != blue
    )
    model = Posterior(len(bots), meetings)
    point, covariance = model.peak()
    size = len(bots)
    played = [0] * size
    for red, blue, counts in meetings:
        played[red] += counts.games
        played[blue] += counts.games
    weights = [games / sum(played) if any(played) else 1 / size for games in played]
    mean = sum(map(mul, weights, point))
    return Ratings(
        bots=bots,
        strengths=[strength - mean for strength in point[:size]],
        covariance=[row[:size] for row in covariance[:size]],
        weights=weights,
        edge=point[size],
        edge_deviation=sqrt(covariance[size][size]),
        drawishness=point[size + 1],
    )


class Survey(NamedTuple):
    """The logarithm of the posterior at a point."""

    height: float
    slope: list[float]
    curvature: linear.Rows
    """The negated second derivatives, lower triangle: the information of the games and prior."""


class Posterior:
    """The logarithm of the posterior. It is concave, so it has one peak. Its unknowns are the
    strengths of the bots, the advantage of red's seat, and the drawishness.
    """

    def __init__(self, size: int, meetings: Sequence[tuple[int, int, Counts]]) -> None:
        self.size = size
        self.meetings = meetings
        self.means = [0.0] * (size + 1) + [DRAWS_MEAN]
        self.weights = [PRIOR_SPREAD**-2] * size + [SEAT_SPREAD**-2, DRAWS_SPREAD**-2]

    def peak(self) -> tuple[list[float], linear.Rows]:
        """The point with the highest posterior, and the covariance there, by Newton's method. A
        step that leads downwards is halved.
        """
        point = list(self.means)
        here = self.survey(point)
        lower = linear.factor(here.curvature)
        step = linear.solve(lower, here.slope)
        for _ in range(MOST_STEPS):
            if max(map(abs, step)) < SMALLEST_STEP:
                break
            next_point = [x + dx for x, dx in zip(point, step, strict=True)]
            there = self.survey(next_point)
            if there.height >= here.height - ROUNDING * abs(here.height):
                point, here = next_point, there
                lower = linear.factor(here.curvature)
                step = linear.solve(lower, here.slope)
            else:
                step = [dx / 2 for dx in step]
        return point, linear.inverse(lower)

    def survey(self, point: Sequence[float]) -> Survey:
        """Height, slope and curvature at a point, in one pass through the games."""
        height = 0.0
        slope, curvature = [], []
        for place, (x, mean, weight) in enumerate(
            zip(point, self.means, self.weights, strict=True)
        ):
            height -= weight * (x - mean) ** 2 / 2
            slope.append(weight * (mean - x))
            curvature.append([0.0] * place + [weight])
        seat, drawish = curvature[-2], curvature[-1]
        for red, blue, counts in self.meetings:
            expected = chances(point[red] - point[blue] + point[-2], point[-1])
            for count, probability in zip(counts, expected, strict=True):
                if count:
                    height += count * log(max(probability, TINY))
            games = counts.games
            surplus = counts.points - games * expected.score
            slope[red] += surplus
            slope[blue] -= surplus
            slope[-2] += surplus
            slope[-1] += counts.draws - games * expected.draw
            told = games * expected.variance
            curvature[red][red] += told
            curvature[blue][blue] += told
            curvature[max(red, blue)][min(red, blue)] -= told
            seat[red] += told
            seat[blue] -= told
            seat[-1] += told
            shared = games * expected.draw * (expected.win - expected.loss) / 2
            drawish[red] -= shared
            drawish[blue] += shared
            drawish[-2] -= shared
            drawish[-1] += games * expected.draw * (1 - expected.draw)
        return Survey(height, slope, curvature)
