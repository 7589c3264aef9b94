"""The lobby: matches waiting for a player, and live ones, of players who are there."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import orjson

from holmgang.live.clock import PlayClock
from holmgang.live.listing import match_line
from holmgang.live.presence import Presence
from holmgang.live.subscription import Subscription
from holmgang.store import Store, StoreError

MOST_LISTED = 20
TELL_EVERY = 1.0
"""Seconds between two updates of the lists."""

log = logging.getLogger(__name__)


class Lobby:
    """The lists, and everyone who follows them."""

    def __init__(self, store: Store, clock: PlayClock, presence: Presence) -> None:
        self.has_changed = True
        """Set when the lists may have changed."""
        self._store, self._clock, self._presence = store, clock, presence
        self._followers: set[Subscription] = set()
        self._frame = b""

    async def lists(self) -> dict[str, Any]:
        await self._presence.note()
        return await asyncio.to_thread(self._read)

    def _read(self) -> dict[str, Any]:
        now = self._clock.wall()
        opened = self._store.matches(
            status="open",
            visibility="lobby",
            is_free=True,
            is_attended=True,
            now=now,
            limit=MOST_LISTED,
        )
        live = self._store.matches(
            status="playing",
            visibility=("lobby", "solo"),
            is_attended=True,
            now=now,
            limit=MOST_LISTED,
        )
        present = self._store.present_seats([row.id for row in live], now)
        return {
            "open": [match_line(row) for row in opened],
            "live": [{**match_line(row), "present": present.get(row.id, [])} for row in live],
        }

    @asynccontextmanager
    async def follow(self) -> AsyncIterator[Subscription]:
        """The lists as they change, at most once a second."""
        if not self._frame:
            await self._tell()
        follower = Subscription(lambda: self._frame)
        follower.put(self._frame)
        self._followers.add(follower)
        try:
            yield follower
        finally:
            self._followers.discard(follower)

    async def keep_telling(self) -> None:
        """Sends changes to followers until cancelled."""
        while True:
            if self.has_changed and self._followers:
                self.has_changed = False
                try:
                    await self._tell()
                except StoreError as error:
                    log.warning("%s", error)
            await asyncio.sleep(TELL_EVERY)

    async def _tell(self) -> None:
        frame = orjson.dumps({"type": "lobby", **await self.lists()})
        if frame != self._frame:
            self._frame = frame
            for follower in self._followers:
                follower.put(frame)

    def close(self) -> None:
        for follower in self._followers:
            follower.close()
