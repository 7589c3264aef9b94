"""The time of play: the wall clock without the time in which no server ran."""

import time
from collections.abc import Callable, Sequence

Outage = tuple[float, float]
"""When all servers stopped and when the first one started again, in seconds since 1970."""


class PlayClock:
    """Players are not charged for outages.

    >>> clock = PlayClock([(100.0, 130.0)])
    >>> clock.play_time(140.0) - clock.play_time(90.0)
    20.0
    >>> clock.wall_time(clock.play_time(140.0))
    140.0
    """

    def __init__(
        self, outages: Sequence[Outage] = (), wall: Callable[[], float] = time.time
    ) -> None:
        self.wall = wall
        self.learn(outages)

    def learn(self, outages: Sequence[Outage]) -> None:
        """Takes these for all the outages there were."""
        self._outages = list(outages)
        self._total = sum(end - start for start, end in outages)
        self._last = max((end for _, end in outages), default=0.0)

    def now(self) -> float:
        """The time of play now."""
        return self.play_time(self.wall())

    def play_time(self, wall: float) -> float:
        """The time of play at that time on the wall."""
        if wall >= self._last:
            return wall - self._total
        return wall - sum(min(end, wall) - start for start, end in self._outages if start < wall)

    def wall_time(self, play: float) -> float:
        """When the wall clock shows it, for a time of play after the last outage."""
        return play + self._total
