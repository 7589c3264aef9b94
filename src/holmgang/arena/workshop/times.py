"""The times of a bot's answers, compared with their limits."""

from typing import NamedTuple

from holmgang.arena.task import JudgeSettings, SeatReport
from holmgang.stats import percentiles

MOST_SLOWEST = 3


class Timed(NamedTuple):
    """One answer and its time."""

    ms: float
    wall_ms: float
    where: str
    is_first: bool
    """Whether it is the first answer of a game, which has its own limit."""


class TimeProfile(NamedTuple):
    """A summary of the times of some answers."""

    allowed_ms: float
    answers: int
    latency_ms: dict[str, float | None]
    wall_ms: dict[str, float | None]


class Times:
    """The times of all answers of a bot."""

    def __init__(self, settings: JudgeSettings) -> None:
        self._settings = settings
        self._answers: list[Timed] = []

    def __len__(self) -> int:
        return len(self._answers)

    def add(self, report: SeatReport, where: str) -> None:
        both = zip(report.latencies_ms, report.wall_ms, strict=True)
        self._answers += [
            Timed(ms, wall_ms, f"{where}, answer {number}", number == 1)
            for number, (ms, wall_ms) in enumerate(both, start=1)
        ]

    def slowest(self) -> list[Timed]:
        """The answers that took the largest share of their limit."""
        return sorted(self._answers, key=self.share, reverse=True)[:MOST_SLOWEST]

    def share(self, timed: Timed) -> float:
        """The share of its limit that an answer took; above 1 if it was late."""
        return timed.ms / self.allowed_ms(is_first=timed.is_first)

    def allowed_ms(self, *, is_first: bool) -> float:
        return self._settings.first_ms if is_first else self._settings.turn_ms

    def profile(self, *, is_first: bool) -> TimeProfile:
        """The profile of the first answers of games, or of all others."""
        times = [each for each in self._answers if each.is_first == is_first]
        return TimeProfile(
            self.allowed_ms(is_first=is_first),
            len(times),
            percentiles(each.ms for each in times),
            percentiles(each.wall_ms for each in times),
        )
