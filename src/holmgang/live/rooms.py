"""The matches that this process has in memory, kept in sync with the log."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from holmgang.errors import HolmgangError, UnknownGame
from holmgang.live.background import BackgroundTasks
from holmgang.live.clock import PlayClock
from holmgang.live.events import Cancelled, LogEntry, as_stored
from holmgang.live.match import RULES_CHANGED, LiveMatch
from holmgang.live.refusal import Refused
from holmgang.live.room import Room, read_match
from holmgang.live.slow_work import SlowWork
from holmgang.live.terms import DAY, MATCH_ID
from holmgang.live.view import Extras
from holmgang.store import Conflict, Store, StoreError
from holmgang.store.log import LIVE

UNKNOWN_SEQ = 2**63 - 1
"""Number used for the last event when there may be new events but their number is unknown."""
UNREADABLE = "the rules of this game have changed since the match; it can no longer be replayed"
NOT_HERE = "this server does not have the game of this match at the moment"
KEPT_WITHOUT_GAME = DAY
"""Seconds after which a match is cancelled whose game is not loaded. The operator may have
forgotten it, so the match waits for a while."""
FEW_EVENTS = 50
"""Up to this many events are replayed at once; more are replayed in a thread."""

log = logging.getLogger(__name__)


class Rooms:
    """Rooms by the id of their match."""

    def __init__(
        self,
        store: Store,
        clock: PlayClock,
        slow_work: SlowWork,
        background: BackgroundTasks,
        extras: Callable[[Room], Extras],
        on_load: Callable[[Room], None],
        on_remote: Callable[[Room], None],
    ) -> None:
        """`on_load` is called for a match read from the log before it is used, `on_remote` whenever
        the log had new events.
        """
        self.loaded: dict[str, Room] = {}
        self.store, self.clock = store, clock
        self._slow_work, self.background = slow_work, background
        self._extras, self._on_load, self._on_remote = extras, on_load, on_remote
        self._loading: dict[str, asyncio.Future[Room]] = {}
        self._heard: dict[str, int] = {}
        """Appends of other processes to matches that are being read or opened."""

    def new(self, match: LiveMatch) -> Room:
        """A room that is not among the others yet."""
        return Room(match, self._extras, self.clock.wall())

    async def find(self, match: str) -> Room:
        """The match in this process, read from the log if necessary. Raises `Refused`."""
        room = self.loaded.get(match)
        if room is not None:
            return room
        if not MATCH_ID.fullmatch(match):
            raise Refused("not found", "there is no such match")
        loading = self._loading.get(match)
        if loading is None:
            loading = self._loading[match] = asyncio.ensure_future(self._load(match))
            loading.add_done_callback(lambda _: self._loading.pop(match, None))
        return await asyncio.shield(loading)

    async def find_current(self, match: str) -> Room:
        """The same with all events of the log, so that someone who was shown them by another
        process sees nothing older.
        """
        room = await self.find(match)
        if self.store.is_shared and not room.match.is_over:
            async with room.lock:
                await self.settle(room, asks=True)
        return room

    async def find_readable(self, match: str) -> Room | None:
        """The match; None if its log cannot be read, as after a change of the rules."""
        try:
            return await self.find(match)
        except HolmgangError as error:
            log.warning("match %s cannot be read: %s", match, error)
            return None

    async def _load(self, match: str) -> Room:
        async with self.hearing(match):
            live = await self._read(match)
            if live.seq <= FEW_EVENTS and live.terms.visibility != "uploaded":
                room = self.new(live)
            else:  # its rounds are put into words
                room = await self._slow_work.run("reading", self.new, live)
            if live.status == "over" and live.is_rated:
                room.rating_changes = await asyncio.to_thread(self.store.ratings.changes, match)
            self._on_load(room)
            room = self.add(room)
        self._on_remote(room)
        return room

    @asynccontextmanager
    async def hearing(self, match: str) -> AsyncIterator[None]:
        """Collects announcements about a match until it is among the rooms."""
        self._heard.setdefault(match, 0)
        try:
            yield
        finally:
            self._heard.pop(match, None)

    def add(self, room: Room) -> Room:
        """Adds the room, and returns it or the one that was added in the meantime."""
        match = room.match.id
        if match not in self.loaded:
            self.loaded[match] = room
            room.remote_seq = self._heard.get(match, UNKNOWN_SEQ)
            if room.remote_seq > room.match.seq:
                self.background.start(self._refresh(room))
        return self.loaded[match]

    def drop(self, match: str) -> None:
        """Drops a match from memory; it can be read again."""
        room = self.loaded.pop(match, None)
        if room is not None:
            room.close()

    # Synchronisation with the log

    async def settle(self, room: Room, *, asks: bool = False) -> None:
        """Brings the match up to the last event this process knows of; with `asks`, up to the
        current log, so that someone who was connected to another process sees nothing older.
        """
        told = room.remote_seq
        if told > room.match.seq or (asks and self.store.is_shared):
            await self.catch_up(room)
        else:
            return
        room.publish()
        if room.remote_seq == told:
            room.remote_seq = 0

    async def catch_up(self, room: Room) -> bool:
        """Adds the appends of other processes. Returns whether there were any."""
        events = await asyncio.to_thread(self.store.read, room.match.id, room.match.seq)
        if not events:
            return False
        match = room.match.fork()
        try:
            match.apply(events)
        except HolmgangError as error:  # a server with other rules has gone on with the match
            log.warning("match %s: %s", match.id, error)
            self.drop(match.id)
            raise Refused("stopping", "the match is being reloaded; try again") from None
        room.show(match)
        return True

    def on_append(self, match: str, seq: int) -> None:
        """Handles an append of another process to a match, or to any match if none is named."""
        for each in [match] if match else list(self._heard):
            if each in self._heard:
                self._heard[each] = max(self._heard[each], seq or UNKNOWN_SEQ)
        for each in [match] if match else list(self.loaded):
            room = self.loaded.get(each)
            if room is not None and (not match or seq > room.match.seq):
                room.remote_seq = max(room.remote_seq, seq or UNKNOWN_SEQ)
                self.background.start(self._refresh(room))

    async def _refresh(self, room: Room) -> None:
        async with room.lock:
            await self.settle(room)
        self._on_remote(room)

    async def _read(self, match: str) -> LiveMatch:
        events = await asyncio.to_thread(self.store.read, match)
        if not events:
            raise Refused("not found", "there is no such match")
        try:
            is_upload = events[0].body.get("visibility") == "uploaded"
            if len(events) <= FEW_EVENTS and not is_upload:
                return read_match(match, events, self.clock)
            return await self._slow_work.run("reading", read_match, match, events, self.clock)
        except UnknownGame as error:
            log.warning("match %s: %s", match, error)
            problem = NOT_HERE
            if self.clock.wall() - events[-1].at < KEPT_WITHOUT_GAME:
                raise Refused("closed", problem) from None
        except HolmgangError as error:
            log.warning("match %s can no longer be replayed: %s", match, error)
            problem = UNREADABLE
        if not await asyncio.to_thread(self._cancel, match, events[-1].seq):
            raise Refused("closed", problem)
        return await self._read(match)

    def _cancel(self, match: str, seq: int) -> bool:
        """Cancels a match whose log can no longer be replayed; it is not rated. Returns whether the
        log has grown: that of a match that is over does not.
        """
        row = self.store.matches.row(match)
        if row is None or row.summary.status not in LIVE:
            return bool(self.store.read(match, seq))  # perhaps another process has just done so
        summary = row.summary._replace(
            status="cancelled", winner=None, reason=RULES_CHANGED, rated=False, deadline=None
        )
        event = as_stored(LogEntry(seq + 1, self.clock.wall(), Cancelled(RULES_CHANGED)))
        with suppress(Conflict):  # another process has done so, or has gone on
            self.store.append(match, seq, [event], summary).result()
        return True

    async def cancel_unreadable(self) -> None:
        """Looks for live matches whose logs can no longer be replayed, and cancels them."""
        for match in await asyncio.to_thread(self.store.matches.live):
            if match not in self.loaded and match not in self._loading:
                with suppress(Refused, StoreError):
                    await self._read(match)
