"""Who beats whom: the score of every bot against every other, and the mix of bots that nobody beats.

Duels are intransitive: rock beats scissors, scissors beat paper. A rating is one number and cannot
say so. The pay-off matrix can, and the *maximin mixture* sums it up: shares of bots such that
whoever meets a bot drawn by these shares scores at most one half. A bot with a share is one that a
field of these bots cannot do without; one without any is beaten by some mix of the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from operator import mul
from random import Random
from typing import NamedTuple

from holmgang.arena.ratings import Counts, Estimate, Games, Ratings
from holmgang.simulation.report import wilson
from holmgang.solver.matrix import LIMIT, solve_matrix

Matrix = list[list[float]]

RESAMPLES = 100
WORK = 400_000  # entries of matrices to be solved for all resamples together
TINY = 1e-9  # a share that is rounding
NO_GAIN = 1e-9


@dataclass(frozen=True)
class Payoffs:
    """The score of every bot against every other, both seats together."""

    bots: tuple[str, ...]
    cells: dict[tuple[str, str], Counts]
    """By (bot, other), as the bot sees it; only pairs that have met."""
    ratings: Ratings

    def counts(self, bot: str, other: str) -> Counts:
        return self.cells.get((bot, other), Counts())

    def score(self, bot: str, other: str) -> Estimate | None:
        """The bot's share of the points, with the interval of Wilson; None if they never met."""
        counts = self.cells.get((bot, other))
        if counts is None:
            return None
        return Estimate(counts.points / counts.games, *wilson(counts.points, counts.games))

    def matrix(self) -> Matrix:
        """What each bot gains on each other, from -1 for all games lost to 1 for all games won.

        For two that have not met, it is what their ratings let one expect.
        """
        return self._filled(
            lambda counts: (counts.wins - counts.losses) / counts.games,
            lambda bot, other: 2 * self.ratings.expected_score(bot, other) - 1,
        )

    def resampled(self, chance: Random) -> Matrix:
        """A matrix that could just as well be the true one, going by the games."""

        def gain(counts: Counts) -> float:
            win, draw, loss = (chance.gammavariate(count + 0.5, 1) for count in counts)
            return (win - loss) / (win + draw + loss)

        def expected(bot: str, other: str) -> float:
            spread = 2 / sqrt(counts_needed(self.ratings, bot, other))
            middle = 2 * self.ratings.expected_score(bot, other) - 1
            return min(1.0, max(-1.0, chance.gauss(middle, spread)))

        return self._filled(gain, expected)

    def _filled(self, gain, expected) -> Matrix:  # type: ignore[no-untyped-def]
        size = len(self.bots)
        matrix = [[0.0] * size for _ in self.bots]
        for i, bot in enumerate(self.bots):
            for j in range(i):
                counts = self.cells.get((bot, self.bots[j]))
                entry = expected(bot, self.bots[j]) if counts is None else gain(counts)
                matrix[i][j], matrix[j][i] = entry, -entry
        return matrix
