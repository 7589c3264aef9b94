"""The heartbeat of a server process: it tells the store that the process is alive, and notices when
players could not have been served.

A gap between two successful beats is such a time, whatever its cause: the process was frozen, the
machine was paused, the database could not be written, or the clock of the machine was set.
"""

import asyncio
from collections.abc import Awaitable, Callable

from holmgang.live.clock import PlayClock
from holmgang.live.presence import Presence
from holmgang.store import Store
from holmgang.store.outages import LONGEST_SILENCE

FRESH = 1.0
"""Seconds for which a beat is a fresh one."""
STEP = 1.0
"""Seconds by which the clock of the machine must be set back to be noticed."""

OnGap = Callable[[float, float], Awaitable[None]]


class Heartbeat:
    """The beats of this process."""

    def __init__(self, store: Store, clock: PlayClock, presence: Presence, on_gap: OnGap) -> None:
        """`on_gap` is called with the times of two successful beats that are too far apart. The
        second one is earlier if the clock was set back.
        """
        self._store, self._clock, self._presence, self._on_gap = store, clock, presence, on_gap
        self._beating = asyncio.Lock()
        self._last = clock.wall()

    def begin(self) -> None:
        """Counts from now on."""
        self._last = self._clock.wall()

    async def beat(self) -> None:
        """Returns after a successful beat; a gap has been dealt with then. Raises `StoreError`."""
        async with self._beating:
            self._clock.follow()
            now = self._clock.wall()
            await asyncio.wrap_future(self._store.outages.beat(now))
            await self._presence.note(is_beat=True)
            if not -STEP <= now - self._last <= LONGEST_SILENCE:
                await self._on_gap(self._last, now)
            self._last = now

    async def refresh(self) -> None:
        """The same unless the last successful beat is fresh."""
        if not -STEP <= self._clock.actual() - self._last <= FRESH:
            await self.beat()
