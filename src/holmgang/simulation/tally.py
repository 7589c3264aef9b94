"""Counts of simulated games: outcomes, lengths and choices."""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field

from holmgang.engine.compiled.kernels import WIDTH
from holmgang.engine.compiled.native import zeros
from holmgang.engine.course import Course

MOST_REASONS = 16


@dataclass
class SimulationTally:
    """Sums over games, in the layout of the kernels."""

    limit: int
    games: int = 0
    rounds: int = 0
    ends: "array[int]" = field(default_factory=lambda: zeros(3 * MOST_REASONS))
    picks: "array[int]" = field(default_factory=lambda: zeros(2 * WIDTH))
    lengths: "array[int]" = field(init=False)

    def __post_init__(self) -> None:
        self.lengths = zeros(self.limit + 1)

    def add(self, other: "SimulationTally") -> None:
        """Adds the sums of another tally; the order of additions does not matter."""
        self.games += other.games
        self.rounds += other.rounds
        for mine, theirs in (
            (self.ends, other.ends),
            (self.picks, other.picks),
            (self.lengths, other.lengths),
        ):
            for place, value in enumerate(theirs):
                if value:
                    mine[place] += value

    def count_end(self, reason: int, winner: int, rounds: int) -> None:
        """Counts one game; reason 0 is a draw by the round limit."""
        self.games += 1
        self.rounds += rounds
        self.ends[3 * reason + winner + 1 if reason else 0] += 1
        self.lengths[rounds] += 1

    def count(self, course: Course) -> None:
        """Counts a finished game, like the kernels."""
        ended = course.ruleset.ending(course.position.state)
        if not ended.reason:
            ended = course.ruleset.endless_ending
        self.count_end(ended.reason, ended.winner, len(course.steps))
        for step in course.steps:
            for seat, choice in enumerate((step.red, step.blue)):
                if 0 <= choice < WIDTH:
                    self.picks[WIDTH * seat + choice] += 1

    def endings(self) -> Iterator[tuple[int, int, int]]:
        """Each reason and winner that occurred, with the number of games."""
        for place, games in enumerate(self.ends):
            if games:
                reason = place // 3
                yield reason, place % 3 - 1 if reason else -1, games

    def wins(self, winner: int) -> int:
        return sum(games for _, won, games in self.endings() if won == winner)

    def length_at(self, share: float) -> int:
        """The number of rounds that this share of the games does not exceed (a quantile)."""
        below = 0
        for rounds, games in enumerate(self.lengths):
            below += games
            if below and below >= share * self.games:
                return rounds
        return self.limit
