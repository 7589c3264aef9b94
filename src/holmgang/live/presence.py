"""Which players are there: those with a socket or a waiting request, and those who sent one lately.

The store knows about all processes: each notes who is connected to it with every beat.
"""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from secrets import token_hex

from holmgang.live.clock import PlayClock
from holmgang.store import Store, StoreError

LINGER = 5.0
"""Seconds for which a player counts as there after a request, or after a socket was closed: time
to load a page again, and for a script between two requests."""
PATIENCE = 1.0
"""Seconds that a list waits until it is noted who is here."""

SeatKey = tuple[str, str]
"""A match and a seat."""


class Presence:
    """The players who are connected to this process, and through the store everyone else."""

    def __init__(self, store: Store, clock: PlayClock) -> None:
        self._store, self._clock = store, clock
        self.process = token_hex(8)
        self._connected: Counter[SeatKey] = Counter()
        self._seen: dict[SeatKey, float] = {}
        self._noted: frozenset[SeatKey] | None = None
        self._noting = asyncio.Lock()

    def see(self, match: str, seat: str) -> None:
        """Notes a sign of life of a player."""
        self._seen[match, seat] = self._clock.wall()

    @contextmanager
    def connected(self, match: str, seat: str | None) -> Iterator[None]:
        """The player is there within the context, and lingers for a while."""
        if seat is None:
            yield
            return
        key = match, seat
        self._connected[key] += 1
        try:
            yield
        finally:
            self._connected[key] -= 1
            if not self._connected[key]:
                del self._connected[key]
            self.see(match, seat)

    def here(self) -> frozenset[SeatKey]:
        """Everyone who is connected to this process."""
        since = self._clock.wall() - LINGER
        self._seen = {key: at for key, at in self._seen.items() if at > since}
        return frozenset(self._connected) | frozenset(self._seen)

    def is_here(self, match: str, seat: str) -> bool:
        key = match, seat
        at = self._seen.get(key)
        return key in self._connected or (at is not None and at > self._clock.wall() - LINGER)

    async def are_there(self, match: str, seats: Collection[str]) -> bool:
        """Whether the players of all these seats are connected to any process."""
        missing = [seat for seat in seats if not self.is_here(match, seat)]
        if not missing:
            return True
        now, process = self._clock.wall(), self.process
        found = await asyncio.to_thread(
            self._store.presence.seats, [match], now, apart_from=process
        )
        return all(seat in found.get(match, ()) for seat in missing)

    async def note(self, *, is_beat: bool = False) -> None:
        """Tells the store who is here, if that has changed, and with every beat. Raises
        `StoreError`.
        """
        async with self._noting:
            here, known = self.here(), self._noted
            if here == known and not is_beat:
                return
            self._noted = None  # unknown, should this fail
            news = None if here == known else here
            now = self._clock.wall()
            await asyncio.to_thread(self._store.presence.note, self.process, now, news)
            self._noted = here

    async def note_if_possible(self) -> None:
        """The same before lists are read, which must not fail or wait because of it."""
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self.note()

    async def close(self) -> None:
        """Tells the store that nobody is connected to this process any more."""
        with suppress(StoreError):  # what this process has noted expires
            await asyncio.to_thread(self._store.presence.end, self.process)
