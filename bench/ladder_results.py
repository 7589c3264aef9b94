"""The result of two contenders of `bench.ladder`, exact or sampled."""

from math import log10
from typing import NamedTuple

from holmgang.players.ladder import Grade

Contender = str | Grade
"""`random`, `greedy`, `perfect`, or a graded level by its grade."""


class Result(NamedTuple):
    """Red's chances against blue, and the course of their games."""

    score: float
    rounds: float
    unfinished: float
    """The chance to reach the round limit."""
    disqualified: float
    """The chance that the game ends by a disqualification."""
    picks: tuple[dict[str, float], dict[str, float]]
    """How often each seat makes each choice, of its rounds."""
    games: int
    """The number of games played; 0 if the figures are exact."""
    error: float
    """The standard error of the score."""


def elo(score: float) -> float:
    """The difference in rating that a score implies."""
    score = min(1 - 1e-6, max(1e-6, score))
    return 400 * log10(score / (1 - score))
