"""Play time: the wall clock without the periods in which no server was running."""

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
        self,
        outages: Sequence[Outage] = (),
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] | None = None,
    ) -> None:
        """`wall` is the machine's clock, which someone may set. `monotonic` measures time between
        two calls of `follow` (default: `time.monotonic`, or a `wall` that is given).
        """
        self.actual = wall
        self._monotonic = monotonic or (time.monotonic if wall is time.time else wall)
        self.follow()
        self.learn(outages)

    def wall(self) -> float:
        """The time in seconds since 1970. It never jumps, except when `follow` is called."""
        return self._monotonic() + self._offset

    def follow(self) -> None:
        """Takes over the time of the machine's clock."""
        self._offset = self.actual() - self._monotonic()

    def learn(self, outages: Sequence[Outage]) -> None:
        """Replaces the list of outages."""
        self._outages = list(outages)
        self._total = sum(end - start for start, end in outages)
        self._last = max((end for _, end in outages), default=0.0)

    def now(self) -> float:
        """The current play time."""
        return self.play_time(self.wall())

    def play_time(self, wall: float) -> float:
        """The play time at that wall-clock time."""
        if wall >= self._last:
            return wall - self._total
        return wall - sum(min(end, wall) - start for start, end in self._outages if start < wall)

    def wall_time(self, play: float) -> float:
        """The wall-clock time for a play time after the last outage."""
        return play + self._total
