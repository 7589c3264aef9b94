"""Time limits: the timer of each open round, and credit for time in which players could not be
served.
"""

import asyncio
import logging
from contextlib import suppress

from holmgang.games.contract import SEATS
from holmgang.live.commits import Commits
from holmgang.live.heartbeat import Heartbeat
from holmgang.live.match import LiveMatch
from holmgang.live.presence import Presence
from holmgang.live.refusal import Refused
from holmgang.live.room import Room
from holmgang.live.rooms import Rooms
from holmgang.store import StoreError
from holmgang.store.outages import LONGEST_SILENCE

LOOK_AGAIN = 1.0
"""Seconds until the next attempt to end a round that is overdue but could not be ended."""
LONGEST_WAIT = 300.0
"""Seconds for which a player waits for an opponent whose server process is down."""
LONGEST_ABSENCE = 3600.0
"""The same if neither player is connected."""

log = logging.getLogger("holmgang.live")


class Timeouts:
    """The time limits of the matches in this process."""

    def __init__(self, rooms: Rooms, commits: Commits, presence: Presence) -> None:
        self._rooms, self._commits, self._presence = rooms, commits, presence
        self._store, self._clock, self._background = rooms.store, rooms.clock, rooms.background
        self.heartbeat = Heartbeat(self._store, self._clock, presence, self._credit)
        self._is_closed = False

    def close(self) -> None:
        """Sets no timer from now on."""
        self._is_closed = True

    def set_timer(self, room: Room) -> None:
        """Replaces the timer of the open round."""
        if room.timer is not None:
            room.timer.cancel()
            room.timer = None
        deadline = room.match.deadline
        if deadline is not None:
            self._end_later(room, max(0.0, deadline - self._clock.wall()) + 0.01)

    def _end_later(self, room: Room, seconds: float) -> None:
        def end() -> None:
            room.timer = None
            self._background.start(self.end_round(room))

        if not self._is_closed:
            room.timer = asyncio.get_running_loop().call_later(seconds, end)

    async def end_round(self, room: Room) -> None:
        """Applies the time limit to a round that is overdue; otherwise sets its timer again."""
        try:
            if await self.is_overdue(room):
                await self._background.finish(self._commits.commit(room, LiveMatch.run_out))
                return
        except StoreError as error:
            log.warning("%s", error)
        if room.timer is None:
            self._end_later(
                room, max(LOOK_AGAIN, (room.match.deadline or 0.0) - self._clock.wall())
            )

    async def is_overdue(self, room: Room) -> bool:
        """Whether the time for the open round is up, not counting time in which this process, or
        the processes that its players were connected to, could not serve them. Raises `StoreError`.
        """
        await self.heartbeat.refresh()
        match, now = room.match, self._clock.wall()
        if not match.is_overdue:
            return False
        served = await asyncio.to_thread(self._store.presence.connections, match.id)
        is_down = {each.process: now - each.at > LONGEST_SILENCE for each in served}
        there = {each.seat for each in served if not is_down[each.process]}
        there |= {seat for seat in SEATS if self._presence.is_here(match.id, seat)}
        lost = [each for each in served if is_down[each.process] and each.seat in match.late_seats]
        if not lost:
            # Another process may just have credited the round and removed who was lost.
            async with room.lock:
                if await self._rooms.catch_up(room):
                    room.publish()
            return room.match.is_overdue
        since = min(each.at for each in lost)
        is_back = all(each.seat in there for each in lost)
        if not is_back and now - since < (LONGEST_WAIT if there else LONGEST_ABSENCE):
            return False
        await self._commits.commit(room, lambda live: live.pause(since, now))
        down = [each.process for each in lost]
        await asyncio.to_thread(self._store.presence.disconnect, match.id, down)
        return room.match.is_overdue

    async def _credit(self, began: float, ended: float) -> None:
        """Credits open rounds with a gap between two beats of this process: of all matches if no
        other process was there to serve them, or if the clock was set; otherwise of those that
        this process has in memory. Raises `StoreError`.
        """
        log.info("no successful beat for %.1f s; clocks are credited with it", ended - began)
        rooms = self._rooms.loaded.values()
        matches = [room.match.id for room in rooms if room.match.deadline is not None]
        process = self._presence.process
        is_served = self._store.presence.is_served
        if ended < began or not await asyncio.to_thread(is_served, began, apart_from=process):
            matches = await asyncio.to_thread(self._store.matches.timed)
        await asyncio.gather(*(self._pause(match, began, ended) for match in matches))

    async def _pause(self, match: str, began: float, ended: float) -> None:
        room = await self._rooms.find_readable(match)
        if room is not None:
            with suppress(Refused):
                await self._commits.commit(room, lambda live: live.pause(began, ended))
