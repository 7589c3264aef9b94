"""Carries out changes of a match and stores the resulting events.

An act is carried out on the match in memory, and its events are appended to the log. Followers are
told only when the events are durable. If another process has appended first, the match is read
again and the act is tried again.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any, NoReturn

from holmgang.live.background import COMMIT, Background
from holmgang.live.inbox import Inbox
from holmgang.live.match import LiveMatch
from holmgang.live.refusal import Refused
from holmgang.live.room import Room
from holmgang.live.rooms import Rooms
from holmgang.store import Conflict, Store, StoredEvent, StoreError

MOST_TRIES = 20
"""Attempts to append while other processes append to the same match."""
TRY_AGAIN = 1.0
"""Seconds before the next attempt after a failure of the store."""
CANNOT_STORE = "the server cannot store anything now; try again"

Act = Callable[[LiveMatch], None]
Changes = dict[str, Any] | None
"""The changes of ratings by an append."""
Done = asyncio.Future[None]

log = logging.getLogger(__name__)


class Commits:
    """The commits of one process."""

    def __init__(
        self,
        store: Store,
        rooms: Rooms,
        background: Background,
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

    async def commit_new(self, room: Room, act: Act) -> None:
        """The same for a new match. Raises `Conflict` if its id is already in use."""
        await self._background.finish(self._commit_new(room, act))

    async def _commit_new(self, room: Room, act: Act) -> None:
        async with self._rooms.hearing(room.match.id):
            async with room.lock:
                await self._append(room, act)
            self._on_end(self._rooms.add(room))

    async def store_finished(self, match: LiveMatch) -> None:
        """Stores a whole match that was played elsewhere. Raises `Refused`."""
        try:
            await asyncio.shield(asyncio.wrap_future(self._append_events(match, 0)))
        except StoreError as error:
            raise cannot_store(match, error) from None

    def _begin(self, room: Room, act: Act, done: Done) -> bool:
        """Carries out an act on a match that is up to date, the usual case, and starts storing its
        events. Returns whether that was possible; otherwise nothing has changed.
        """
        match = room.match
        if room.is_ahead or room.remote_seq > match.seq:
            return False
        before = match.seq
        room.is_ahead = True
        try:
            act(match)
            stored = self._append_events(match, before) if match.has_new else None
        except Refused:
            room.is_ahead = bool(match.take_new())
            return False
        except Exception:  # noqa: BLE001 - it happens again on the slow way, which tells of it
            return False
        if stored is None:
            room.is_ahead = False
            self._end(room, done)
        else:
            self._storing += 1
            inbox, finish = self._inbox(), self._finish
            stored.add_done_callback(
                lambda stored: inbox.put(partial(finish, room, act, done, stored))
            )
        return True

    def _finish(self, room: Room, act: Act, done: Done, stored: Future[Changes]) -> None:
        """Continues when the store has written the events, or failed to."""
        self._storing -= 1
        if self._all_stored is not None and not self._storing:
            self._all_stored.set()
        error = stored.exception()
        if error is None:
            self._note_stored(room, stored.result())
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
            if error is not None and not isinstance(error, Conflict):
                await self._forget_failed(room, error)
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
            try:
                await self._append(room, act)
            except Conflict:
                await self._rooms.reload(room)
                room.publish()
            except Refused:  # perhaps only because another process has gone on
                if not await self._rooms.catch_up(room):
                    raise
                room.publish()
            else:
                return
        raise Refused("stopping", "the match is busy; try again")

    async def _append(self, room: Room, act: Act) -> None:
        """Carries out an act and stores its events. Raises `Conflict` or `Refused`; events that are
        not stored are discarded, at the latest when the match is used next.
        """
        match = room.match
        before = match.seq
        room.is_ahead = True
        try:
            act(match)
        except Refused:
            if match.take_new():
                await self._rooms.reload(room)
            room.is_ahead = False
            raise
        except BaseException:
            await self._rooms.reload(room)
            raise
        if match.has_new:
            try:
                changes = await asyncio.wrap_future(self._append_events(match, before))
            except Conflict:
                raise
            except StoreError as error:
                await self._forget_failed(room, error)
            else:
                self._note_stored(room, changes)
        room.is_ahead = False

    def _append_events(self, match: LiveMatch, before: int) -> Future[Changes]:
        """Appends the new events of a match to the store, after event number `before`."""
        new: Sequence[StoredEvent] = match.take_new()
        is_end = any(event.body["event"] == "over" for event in new)
        rated = match.rated_result() if is_end else None
        return self._store.append(match.id, before, new, match.summary(), rated)

    def _note_stored(self, room: Room, changes: Changes) -> None:
        room.is_ahead = False
        if changes is not None:
            room.rating_changes = changes
        self._on_stored()

    async def _forget_failed(self, room: Room, error: BaseException) -> NoReturn:
        """Resets the match to what is stored, and refuses the act."""
        refusal = cannot_store(room.match, error)
        loop = asyncio.get_running_loop()
        loop.call_later(TRY_AGAIN, self._on_end, room)  # clocks and computer players go on then
        await self._rooms.reload(room)
        room.publish()
        raise refusal


def cannot_store(match: LiveMatch, error: BaseException) -> Refused:
    log.warning("match %s: %s", match.id, error)
    return Refused("stopping", CANNOT_STORE)
