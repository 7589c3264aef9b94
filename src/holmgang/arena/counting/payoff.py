"""The pay-off matrix: the score of every bot against every other, with intervals.

`mixture.py` derives from it the mix of bots that no bot beats.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from holmgang.arena.counting.ratings import Counts, Estimate, Games, Ratings
from holmgang.stats import wilson

Matrix = list[list[float]]


@dataclass(frozen=True)
class BotPayoffs:
    """The score of every bot against every other, both seats together."""

    bots: tuple[str, ...]
    cells: dict[tuple[str, str], Counts]
    """By (bot, other), from the bot's point of view; only pairs that have met."""
    ratings: Ratings

    def counts(self, bot: str, other: str) -> Counts:
        return self.cells.get((bot, other), Counts())

    def score(self, bot: str, other: str) -> Estimate | None:
        """The bot's share of the points with its 95 % interval; None if they never met.

        The interval is Wilson's for games without draws; draws only make it too wide.
        """
        counts = self.cells.get((bot, other))
        if counts is None:
            return None
        return Estimate(counts.points / counts.games, *wilson(counts.points, counts.games))

    def matrix(self) -> Matrix:
        """The mean result of each bot against each other, from -1 (lost) to 1 (won). For bots that
        have not met, it is the expectation by their ratings.
        """
        return self._filled(
            lambda counts: (counts.wins - counts.losses) / counts.games,
            lambda bot, other: 2 * self.ratings.expected_score(bot, other) - 1,
        )

    def resampled(self, chance: Random) -> Matrix:
        """A random matrix that is as plausible as `matrix`, given the games."""

        def gain(counts: Counts) -> float:
            win, draw, loss = (chance.gammavariate(count + 1 / 2, 1) for count in counts)
            return (win - loss) / (win + draw + loss)

        def expected(bot: str, other: str) -> float:
            return 2 * self.ratings.expected_score(bot, other, luck=chance.gauss()) - 1

        return self._filled(gain, expected)

    def _filled(
        self, gain: Callable[[Counts], float], expected: Callable[[str, str], float]
    ) -> Matrix:
        matrix = [[0.0] * len(self.bots) for _ in self.bots]
        for i, bot in enumerate(self.bots):
            for j, other in enumerate(self.bots[:i]):
                counts = self.cells.get((bot, other))
                entry = expected(bot, other) if counts is None else gain(counts)
                matrix[i][j], matrix[j][i] = entry, -entry
        return matrix


def payoffs(bots: Sequence[str], games: Games, ratings: Ratings) -> BotPayoffs:
    cells: dict[tuple[str, str], Counts] = {}
    for (red, blue), counts in games.items():
        if red != blue and counts.games:
            cells[red, blue] = cells.get((red, blue), Counts()) + counts
            cells[blue, red] = cells.get((blue, red), Counts()) + counts.reversed()
    return BotPayoffs(tuple(bots), cells, ratings)
