"""Periodic cleaning: drops idle matches from memory, cancels open matches whose player has left,
deletes uploads that nobody views, and ends rounds that no other process has ended.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from holmgang.live.commits import Commits
from holmgang.live.computers import Computers
from holmgang.live.match import LiveMatch
from holmgang.live.refusal import Refused
from holmgang.live.room import Room
from holmgang.live.rooms import Rooms
from holmgang.store import StoreError

SWEEP_EVERY = 10.0
"""Seconds between two sweeps."""
IDLE = 60.0
"""Seconds after which a match that nobody follows is dropped from memory."""
OPENER_AWAY = 60.0
"""Seconds after which an open match of the lobby is cancelled if its player has left."""

log = logging.getLogger("holmgang.live")


class Sweeper:
    def __init__(
        self,
        rooms: Rooms,
        commits: Commits,
        computers: Computers,
        look_after: Callable[[Room], None],
        upload_days: int | None,
    ) -> None:
        """`look_after` sets the timer of a match again. Uploads that nobody views are kept for
        `upload_days` (None: for ever).
        """
        self._rooms, self._store, self._clock = rooms, rooms.store, rooms.clock
        self._commits, self._computers = commits, computers
        self._look_after, self.upload_days = look_after, upload_days
        self._away_since: dict[str, float] = {}
        """When players of open matches in the lobby were found missing."""

    async def run(self) -> None:
        while True:
            try:
                await self.sweep(self._clock.wall())
            except (StoreError, Refused) as error:
                log.warning("%s", error)
            await asyncio.sleep(SWEEP_EVERY)

    async def sweep(self, now: float) -> None:
        await self._delete_uploads(now)
        await self._end_overdue(now)
        await self._cancel_left(now)
        self._drop_idle(now)

    async def see_upload(self, match: str) -> None:
        """Records that somebody views an upload."""
        with suppress(StoreError):  # the next view is recorded
            await asyncio.to_thread(self._store.uploads.see, match, self._clock.wall())

    async def _delete_uploads(self, now: float) -> None:
        if self.upload_days is not None:
            since = now - self.upload_days * 86_400
            for match in await asyncio.to_thread(self._store.uploads.delete_unseen, since):
                self._rooms.drop(match)

    async def _end_overdue(self, now: float) -> None:
        for match in await asyncio.to_thread(self._store.matches.due, now - SWEEP_EVERY / 2):
            if match in self._rooms.loaded:
                self._look_after(self._rooms.loaded[match])
            else:
                await self._rooms.find_readable(match)  # which looks after it

    async def _cancel_left(self, now: float) -> None:
        away = await asyncio.to_thread(
            self._store.matches.find,
            status="open",
            visibility="lobby",
            is_attended=False,
            now=now,
            limit=100,
        )
        self._away_since = {row.id: self._away_since.get(row.id, now) for row in away}
        for match, since in self._away_since.items():
            if now - since > OPENER_AWAY:
                room = await self._rooms.find_readable(match)
                if room is not None:
                    await self._commits.commit(room, LiveMatch.expire)

    def _drop_idle(self, now: float) -> None:
        for match, room in list(self._rooms.loaded.items()):
            is_busy = room.is_followed or room.thinking or room.lock.locked()
            if not is_busy and now - room.used_at > IDLE:
                self._rooms.drop(match)
                self._computers.forget(match)
