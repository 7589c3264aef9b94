"""Carries out changes of a match and stores the resulting events.

An act is tried on a fork of the match in memory, and the new events are appended to the log. Only
when they are durable does the fork take the place of the match, and are followers told; until then,
and if the append fails, nothing else can see it. If another process has appended first, its events
are added to the match and the act is tried again.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial

from holmgang.live.background import COMMIT, BackgroundTasks
from holmgang.live.inbox import Inbox
from holmgang.live.match import LiveMatch
from holmgang.live.refusal import Refused
from holmgang.live.room import Room
from holmgang.live.rooms import UNKNOWN_SEQ, Rooms
from holmgang.live.slow_work import client
from holmgang.store import Conflict, Store, StoreError

MOST_TRIES = 20
"""Attempts to append while other processes append to the same match."""
TRY_AGAIN = 1.0
"""Seconds before the next attempt after a failure of the store."""
CANNOT_STORE = "the server cannot store anything now; try again"

Act = Callable[[LiveMatch], None]
Changes = dict[str, list[float]] | None
"""The changes of ratings by an append."""
Done = asyncio.Future[None]

log = logging.getLogger(__name__)


class Commits:
    """The commits of one process."""

    def __init__(
        self,
        store: Store,
        rooms: Rooms,
        background: BackgroundTasks,
        inbox: Callable[[], Inbox],
        on_stored: Callable[[], None],
        on_end: Callable[[Room], None],
    ) -> None:
        """`on_stored` is called when events have become durable, `on_end` when an act is over."""
        self._store, self._rooms, self._background = store, rooms, background
        self._inbox, self._on_stored, self._on_end = inbox, on_stored, on_end
        self._storing = 0
        """Appends that are not durable yet."""
        self._all_stored: asyncio.Event | None = None

    async def drain(self) -> None:
        """Waits until every append in progress is durable or has failed."""
        self._all_stored = asyncio.Event()
        if self._storing:
            await self._all_stored.wait()

    async def commit(self, room: Room, act: Act) -> None:
        """Carries out an act, and returns when its events are durable and published. Raises
        `Refused`. Once begun it is finished, even if the caller is cancelled.
        """
        await room.lock.acquire()
        done: Done = asyncio.get_running_loop().create_future()
        if not self._begin(room, act, done):
            self._background.start(self._commit_slowly(room, act, done), name=COMMIT)
        await done

    async def commit_new(self, match: LiveMatch) -> None:
        """Stores a new match, adds it to the rooms, and returns when it is durable. Raises
        `Refused`, and `Conflict` if its id is already in use.
        """
        await self._background.finish(self._commit_new(match))

    async def _commit_new(self, match: LiveMatch) -> None:
        async with self._rooms.hearing(match.id):
            await self.store_finished(match)
            self._on_stored()
            room = self._rooms.add(self._rooms.new(match))
            room.client = client.get()
            self._on_end(room)

    async def store_finished(self, match: LiveMatch) -> None:
        """Stores a whole match, such as one played elsewhere. Raises `Refused` or `Conflict`."""
        try:
            await asyncio.shield(asyncio.wrap_future(self._append_events(match)))
        except Conflict:
            raise
        except StoreError as error:
            raise cannot_store(match, error) from None
        match.note_stored()

    def _begin(self, room: Room, act: Act, done: Done) -> bool:
        """Tries an act on a match that is up to date, the usual case, and starts storing its
        events. Returns whether that was possible; otherwise nothing has changed.
        """
        if room.remote_seq > room.match.seq:
            return False
        draft = room.match.fork()
        try:
            act(draft)
            stored = self._append_events(draft) if draft.has_new else None
        except Exception:  # noqa: BLE001 - it happens again on the slow way, which tells of it
            return False
        if stored is None:
            self._end(room, done)
        else:
            self._storing += 1
            inbox, finish = self._inbox(), self._finish
            stored.add_done_callback(
                lambda stored: inbox.put(partial(finish, room, draft, act, done, stored))
            )
        return True

    def _finish(
        self, room: Room, draft: LiveMatch, act: Act, done: Done, stored: Future[Changes]
    ) -> None:
        """Continues when the store has written the events, or failed to."""
        self._storing -= 1
        if self._all_stored is not None and not self._storing:
            self._all_stored.set()
        error = stored.exception()
        if error is None:
            self._note_stored(room, draft, stored.result())
            self._end(room, done)
        else:
            self._background.start(self._commit_slowly(room, act, done, error), name=COMMIT)

    def _end(self, room: Room, done: Done) -> None:
        try:
            room.publish()
        finally:
            room.lock.release()
            if not done.done():
                done.set_result(None)
        self._on_end(room)

    async def _commit_slowly(
        self, room: Room, act: Act, done: Done, error: BaseException | None = None
    ) -> None:
        """The same for a match that is not up to date, for an act that was refused, and after an
        `error` of the store.
        """
        try:
            if error is not None:
                await self._look_after_failure(room, error)
            await self._append_repeatedly(room, act)
        except BaseException as problem:
            room.lock.release()
            if not done.done():
                done.set_exception(problem)
            elif not isinstance(problem, Refused):
                raise
        else:
            self._end(room, done)

    async def _append_repeatedly(self, room: Room, act: Act) -> None:
        for _ in range(MOST_TRIES):
            await self._rooms.settle(room)
            draft = room.match.fork()
            try:
                act(draft)
            except Refused:  # perhaps only because another process has gone on
                if not await self._rooms.catch_up(room):
                    raise
                room.publish()
                continue
            if not draft.has_new:
                return
            try:
                changes = await asyncio.wrap_future(self._append_events(draft))
            except StoreError as error:
                await self._look_after_failure(room, error)
            else:
                self._note_stored(room, draft, changes)
                return
        raise Refused("stopping", "the match is busy; try again")

    def _append_events(self, match: LiveMatch) -> Future[Changes]:
        """Appends the new events of a match to the store."""
        rated = match.rated_result() if match.has_just_ended else None
        new = match.take_new()
        return self._store.append(match.id, match.stored_seq, new, match.summary(), rated)

    def _note_stored(self, room: Room, draft: LiveMatch, changes: Changes) -> None:
        """Shows the match with the events that have become durable."""
        draft.note_stored()
        room.show(draft)
        if changes is not None:
            room.rating_changes = changes
        self._on_stored()

    async def _look_after_failure(self, room: Room, error: BaseException) -> None:
        """After an append that failed: the log may have other events by now, or even these. Raises
        `Refused` unless the append only came too late.
        """
        room.remote_seq = UNKNOWN_SEQ
        if isinstance(error, Conflict):
            return
        loop = asyncio.get_running_loop()
        loop.call_later(TRY_AGAIN, self._on_end, room)  # clocks and computer players go on then
        with suppress(StoreError):
            await self._rooms.settle(room)
        raise cannot_store(room.match, error)


def cannot_store(match: LiveMatch, error: BaseException) -> Refused:
    log.warning("match %s: %s", match.id, error)
    return Refused("stopping", CANNOT_STORE)
