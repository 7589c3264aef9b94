"""The live service: every shell opens, joins, plays and watches matches through it.

All changes of a match go through `Commits`, so that any process can serve any match and none owns
one; `Rooms` has the matches in memory. This module has the requests of people. What happens without
them is elsewhere: `computer_turns.py` has the choices of levels and bots, `timeouts.py` the clocks,
`opening.py` rematches, `sweeping.py` the cleaning.
"""

import asyncio
import logging
import secrets as random_secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from msgspec import structs
from msgspec.structs import asdict

from holmgang.errors import RecordError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import SEATS, other_seat
from holmgang.live import records
from holmgang.live.background import BackgroundTasks
from holmgang.live.clock import PlayClock
from holmgang.live.commands import check_command
from holmgang.live.commits import Commits, cannot_store
from holmgang.live.computer_turns import ComputerTurns
from holmgang.live.computers import Computers
from holmgang.live.inbox import Inbox
from holmgang.live.listing import match_line
from holmgang.live.lobby import MOST_LISTED, Lobby
from holmgang.live.match import RULES_CHANGED, LiveMatch, find_game
from holmgang.live.opening import MatchOpener
from holmgang.live.presence import Presence
from holmgang.live.previewing import Previews
from holmgang.live.refusal import Refused, TimeUp
from holmgang.live.room import Room
from holmgang.live.rooms import Rooms
from holmgang.live.slow_work import SlowWork, client
from holmgang.live.study import Study
from holmgang.live.subscription import Subscription
from holmgang.live.sweeping import Sweeper
from holmgang.live.terms import (
    DAY,
    MatchRequest,
    SeatedPlayer,
    Terms,
    new_id,
    secret_hash,
)
from holmgang.live.timeouts import Timeouts
from holmgang.live.view import UNRATED, Extras, as_svg, drawn, game_line, rated, round_line
from holmgang.players.naming import Bot, has_codingame
from holmgang.solver.search.outside import Interpreters
from holmgang.store import Conflict, Person, Store, StoreError, UploadsFull
from holmgang.wire.lists import LobbyLists, OwnMatchLine, WaitingList
from holmgang.wire.match import Command, GameFrame, GameLog, MatchView, SeatGrant

BEAT_EVERY = 1.0
"""Seconds between two beats."""
CANCELLED_SECONDS = 7.0 * DAY
"""Seconds for which players find a match in their lists that was cancelled without them."""

log = logging.getLogger("holmgang.live")


@dataclass(frozen=True)
class Viewer:
    """A viewer: a seat, or a spectator."""

    seat: str | None = None
    picture: bool = False


class Service:
    """All live matches of this process."""

    def __init__(
        self,
        store: Store,
        *,
        bots: Mapping[str, Bot] | None = None,
        trust: bool = False,
        thinkers: int | None = None,
        clock: PlayClock | None = None,
        upload_days: int | None = None,
        upload_mb: int = 1000,
    ) -> None:
        """`bots` are the available opponents, by name; `trust` runs them without the sandbox.
        `thinkers` is the number of levels that think at the same time (default: one per core).
        Uploads that nobody looks at are kept for `upload_days` (None: for ever), and all together
        take at most `upload_mb` megabytes.
        """
        self.store = store
        self._upload_bytes = upload_mb * 1_000_000
        self.bots: Mapping[str, Bot] = bots or {}
        self._interpreters = Interpreters()
        self.computers = Computers(
            self.bots,
            trust=trust,
            secrets=secret_folders(store),
            threads=thinkers,
            interpret=self._interpreters.search,
        )
        self._clock = clock or PlayClock()
        self.slow_work = SlowWork(self._interpreters.search)
        self._background = BackgroundTasks()
        self.rooms = Rooms(
            store,
            self._clock,
            self.slow_work,
            self._background,
            self._extras,
            on_load=self._get_ready,
            on_remote=partial(self._look_after, is_remote=True),
        )
        self._commits = Commits(
            store,
            self.rooms,
            self._background,
            lambda: self._inbox,
            on_stored=self._note_change,
            on_end=self._look_after,
        )
        self.presence = Presence(store, self._clock)
        self._timeouts = Timeouts(self.rooms, self._commits, self.presence)
        self._computer_turns = ComputerTurns(self.computers, self._commits, self._background)
        self._opener = MatchOpener(self.rooms, self._commits, self.presence, self.computers)
        self._sweeper = Sweeper(
            self.rooms, self._commits, self.computers, self._look_after, upload_days
        )
        self._lobby = Lobby(store, self._clock, self.presence)
        self.study = Study(self.rooms, self.slow_work)
        self.previews = Previews()
        self._is_closing = False

    # Beginning and end

    async def start(self) -> None:
        """Starts the service: credits clocks with the time in which no server was running, and
        resumes live matches.
        """
        await asyncio.to_thread(self.store.outages.begin, self._clock.wall())
        outages = await asyncio.to_thread(self.store.outages.all)
        self._clock.learn(outages)
        self._timeouts.heartbeat.begin()
        inbox = self._inbox
        self.store.on_append(lambda match, seq: inbox.put(partial(self._on_append, match, seq)))
        self._background.start(self._beat())
        self._background.start(self._sweeper.run())
        self._background.start(self.rooms.cancel_unreadable())
        self._background.start(self._lobby.keep_telling())

    async def close(self, grace: float = 5.0) -> None:
        """Finishes the commands in progress, notifies followers and stops."""
        self._is_closing = True
        self._timeouts.close()
        for room in self.rooms.loaded.values():
            room.close()
        self._lobby.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(grace):
                await self._background.close()
                await self._commits.drain()
        await self.presence.close()
        self.study.close()
        await self.previews.close()
        self.slow_work.close()
        self._interpreters.close()
        await asyncio.to_thread(self.computers.close)

    def now(self) -> float:
        """The current time of the service's clock, in seconds since 1970."""
        return self._clock.wall()

    @property
    def counts(self) -> dict[str, int]:
        """For metrics: matches in memory, followers, computer players at work."""
        rooms = self.rooms.loaded.values()
        return {
            "matches": len(rooms),
            "followers": sum(len(g.followers) for room in rooms for g in room.groups.values()),
            "thinking": sum(len(room.thinking) for room in rooms),
        }

    @cached_property
    def _inbox(self) -> Inbox:
        return Inbox(asyncio.get_running_loop())

    # Opening and joining

    async def open(self, person: Person, request: MatchRequest) -> SeatGrant:
        """Opens a match for a person, who is given a seat."""
        self._check_serving()
        seat = random_secrets.choice(SEATS) if request.seat == "random" else request.seat
        secret = new_secret()
        terms = Terms.agreed(request)
        opener = await self._opener.seat(person, terms, secret)
        opponent = None
        if request.opponent in ("level", "bot"):
            if request.opponent == "bot":
                self._check_bot(request)
            await self._opener.check_solo(person)
            opponent = SeatedPlayer(request.opponent_name, request.opponent)
        seats = {seat: opener}
        if opponent is not None:
            seats[other_seat(seat)] = opponent
        match = new_id()
        if request.opponent == "lobby":
            async with self._lobby.place(match, person.id, client.get()):
                await self._opener.open(match, terms, seats)
        else:
            await self._opener.open(match, terms, seats)
        self.presence.see(match, seat)
        return SeatGrant(match=match, seat=seat, secret=secret)

    async def open_between(
        self, match: str, request: MatchRequest, people: Mapping[str, Person]
    ) -> None:
        """Opens a match under an id from `new_id`, with both seats taken: by people, or by the
        request's level where there is no person. It begins at once: whoever calls this knows that
        they are there. Does nothing if the match already exists, so it can be repeated after any
        failure.
        """
        self._check_serving()
        terms = replace(Terms.agreed(request), waits=False)
        computer = SeatedPlayer(request.opponent_name, request.opponent)
        seats = {
            seat: await self._opener.seat(people[seat], terms, new_secret())
            if seat in people
            else computer
            for seat in SEATS
        }
        with suppress(Conflict):
            await self._opener.open(match, terms, seats)

    def _check_bot(self, request: MatchRequest) -> None:
        """Raises `Refused` unless the bot is hosted here and supports this game."""
        bot = self.bots.get(request.opponent_name)
        if bot is None:
            hosted = ", ".join(self.bots) or "none"
            raise Refused("bad", f"there is no such bot here; hosted bots: {hosted}")
        if bot.protocol == "codingame" and not has_codingame(request.ruleset):
            raise Refused("bad", f"{bot.name} plays fencing only")

    async def rated_if_joined(self, match: str, person: Person | None) -> tuple[bool | None, str]:
        """Whether the match is rated if the person joins it now, and why not, as a sentence. None
        for the player who waits: it depends on who joins.
        """
        live = (await self.rooms.find(match)).match
        terms, there = live.terms, [who for who in live.seated if who is not None]
        if not live.may_be_rated:
            reason = live.unrated or ""
            if live.free_seats:
                reason = "host" if terms.can_be_rated else "terms"
            return live.is_rated, UNRATED.get(reason, "")
        if person is None or person.is_guest:
            return False, UNRATED["guest"]
        if live.seat_of(person=person.id) is not None:
            return None, ""
        unrated = await self._opener.why_unrated(
            terms, [*there, await self._opener.seat(person, terms, "")]
        )
        return unrated is None, UNRATED.get(unrated or "", "")

    async def join(self, match: str, person: Person, seat: str | None = None) -> SeatGrant:
        """Takes a free seat. A person who already has a seat gets the same one again, without a
        secret. The first game begins if the other player is there too, or need not be; a match in
        the lobby cannot be joined while its player is away.
        """
        self._check_serving()
        room = await self.rooms.find(match)
        own = room.match.seat_of(person=person.id)
        if own is not None:
            return SeatGrant(match=match, seat=own, secret="")
        if seat is not None and seat not in SEATS:
            raise Refused("bad", "seat is red or blue")
        secret = new_secret()
        terms = room.match.terms
        player = await self._opener.seat(person, terms, secret)
        seats = {each: who for each, who in room.match.players.items() if who is not None}
        unrated = await self._opener.why_unrated(terms, [*seats.values(), player])
        is_there = await self.presence.are_there(match, room.match.people)
        if terms.visibility == "lobby" and not is_there:
            raise Refused("closed", "the player who opened this match has left")
        taken: list[str] = []

        def act(live: LiveMatch) -> None:
            if live.seat_of(person=person.id) is not None or not live.free_seats:
                raise Refused("closed", "this match is not waiting for a player")
            taken[:] = [seat or live.free_seats[0]]
            begins = is_there or not terms.waits
            live.join(taken[0], player, begins=begins, unrated=unrated)

        await self._commits.commit(room, act)
        self._seen(room, taken[0])
        return SeatGrant(match=match, seat=taken[0], secret=secret)

    async def seat_of(
        self, match: str, *, secret: str | None = None, person: int | None = None
    ) -> str | None:
        """The seat that belongs to this secret or this person; None for a spectator."""
        room = await self.rooms.find(match)
        hashed = None if secret is None else secret_hash(secret)
        seat = room.match.seat_of(secret=hashed, person=person)
        if seat is None and room.match.free_seats:  # taken in another process a moment ago?
            async with room.lock:
                await self.rooms.settle(room, asks=True)
            seat = room.match.seat_of(secret=hashed, person=person)
        return seat

    # Looking

    async def view(self, match: str, viewer: Viewer) -> MatchView:
        room = await self.rooms.find(match)
        async with room.lock:
            await self.rooms.settle(room, asks=True)
            self._seen(room, viewer.seat)
            return room.view(viewer.seat, picture=viewer.picture)

    async def wait(self, match: str, viewer: Viewer, since: int, seconds: float) -> MatchView:
        """The view as soon as it is newer than the version `since`, or after the timeout."""
        room = await self.rooms.find(match)
        room.waiters += 1
        try:
            with self.presence.connected(match, viewer.seat):
                async with asyncio.timeout(seconds):
                    while room.match.versions[viewer.seat] <= since and not self._is_closing:
                        self._seen(room, viewer.seat)
                        await room.changed.wait()
        except TimeoutError:
            pass
        finally:
            room.waiters -= 1
        return await self.view(match, viewer)

    @asynccontextmanager
    async def follow(
        self, match: str, viewer: Viewer, serves: Sequence[str] = ()
    ) -> AsyncIterator[Subscription]:
        """The frames of a match for a viewer, the whole view first. The players of the seats that
        the follower serves count as connected.
        """
        self._check_serving()
        room = await self.rooms.find(match)
        async with room.lock:
            await self.rooms.settle(room, asks=True)
            follower = room.follow(viewer.seat, picture=viewer.picture)
        try:
            with ExitStack() as stack:
                for seat in (viewer.seat, *serves):
                    stack.enter_context(self.presence.connected(match, seat))
                self._seen(room, viewer.seat)
                yield follower
        finally:
            room.leave(follower, viewer.seat, picture=viewer.picture)
            self._seen(room, viewer.seat)

    def _seen(self, room: Room, seat: str | None) -> None:
        room.used_at = self._clock.wall()
        if seat is not None:
            room.client = client.get() or room.client
            self.presence.see(room.match.id, seat)
            if room.match.is_waiting:
                self._background.start(self._begin(room))

    async def _begin(self, room: Room) -> None:
        """Begins the first game of a match if both players are there."""
        if await self.presence.are_there(room.match.id, room.match.people):
            await self._commits.commit(room, LiveMatch.begin)

    async def game(self, match: str, number: int) -> GameLog:
        """One game of a match, with all its rounds."""
        room = await self.rooms.find_current(match)
        duel = find_game(room.match, number)
        log = room.views.rounds(number)
        return GameLog(**asdict(game_line(number, duel)), is_over=duel.is_over, log=log)

    async def frame(
        self, match: str, number: int, round: int, *, prefix: str = "", has_last: bool = True
    ) -> GameFrame:
        """The state of a game after this number of rounds, with its picture. Ids in it begin with
        the prefix, and it shows the choices of the last round if requested.
        """
        room = await self.rooms.find_current(match)
        live, duel = room.match, find_game(room.match, number)
        if not 0 <= round <= len(duel.rounds):
            raise Refused("not found", f"game {number} has {len(duel.rounds)} rounds")
        steps = duel.course.steps
        state = steps[round - 1].after.state if round else duel.start
        last = duel.rounds[round - 1] if round else None
        return GameFrame(
            game=number,
            round=round,
            state=duel.ruleset.format_state(state),
            picture=as_svg(drawn(live, duel, rounds=round, prefix=prefix, has_last=has_last)),
            revealed=None if last is None else round_line(live, number, last),
        )

    async def board(self, match: str) -> str:
        """The board of a match as everyone may see it, as a picture by itself: without choices that
        are not revealed.
        """
        live = (await self.rooms.find_current(match)).match
        return as_svg(drawn(live, live.duel, has_style=True))

    # Records

    async def record(self, match: str, number: int) -> bytes:
        """The record of a game that is over, made once."""
        room = await self.rooms.find_current(match)
        key = number, room.match.is_over
        making = room.records.get(key)
        if making is None:
            duel = find_game(room.match, number)
            work = self.slow_work.run("record", records.record_of, room.match, number, duel)
            making = room.records[key] = asyncio.create_task(work)
            making.add_done_callback(partial(forget_failed, room, key))
        return await asyncio.shield(making)

    async def upload(self, text: str) -> str:
        """Stores a record that was made elsewhere as a match to watch. Returns its id."""
        self._check_serving()
        try:
            match = await self.slow_work.run("upload", records.read_upload, text, self._clock)
        except RecordError as error:
            raise Refused("bad", str(error)) from None
        new, summary = match.take_new(), match.summary()
        try:
            await asyncio.to_thread(
                self.store.uploads.add, match.id, new, summary, self._upload_bytes
            )
        except UploadsFull:
            raise Refused("closed", "there is no room for uploads on this server now") from None
        except StoreError as error:
            raise cannot_store(match, error) from None
        return match.id

    # Lists

    async def lobby(self, person: int | None = None) -> LobbyLists:
        """Matches waiting for a player, live ones, and those of a person."""
        lists = await self._lobby.lists()
        own = [] if person is None else await self._own(person)
        return LobbyLists(open=lists.open, live=lists.live, yours=own)

    async def waiting(self, person: int) -> WaitingList:
        """The matches in which it is a person's turn, whether or not the other has chosen."""
        own = await self._own(person)
        return WaitingList(
            matches=[
                structs.replace(line, waiting_for=[line.you])
                for line in own
                if line.you in line.waiting_for
            ]
        )

    async def _own(self, person: int) -> list[OwnMatchLine]:
        """The unfinished matches of a person, with the seats that have to choose; after them those
        that were cancelled lately because the rules have changed.
        """
        list_own = partial(self.store.matches.find, person=person, limit=MOST_LISTED)
        rows = await asyncio.to_thread(list_own, status=("playing", "open"))
        cancelled = await asyncio.to_thread(list_own, status="cancelled")
        since = self._clock.wall() - CANCELLED_SECONDS
        found = []
        for row in (*rows, *cancelled):
            you = "red" if row.summary.red_person == person else "blue"
            if row.summary.status == "cancelled":
                if row.summary.reason == RULES_CHANGED and row.updated_at > since:
                    found.append(OwnMatchLine(**asdict(match_line(row)), you=you, waiting_for=[]))
                continue
            room, line = await self.rooms.find_readable(row.id), asdict(match_line(row))
            if room is not None:
                line |= {"rated": rated(room.match)}
                found.append(OwnMatchLine(**line, you=you, waiting_for=room.match.waiting_for))
            elif row.summary.game not in CATALOGUE:  # the match waits until the game is loaded
                found.append(OwnMatchLine(**line, you=you, waiting_for=[]))
        return found

    @asynccontextmanager
    async def follow_lobby(self) -> AsyncIterator[Subscription]:
        """The lobby as it changes, at most once a second."""
        self._check_serving()
        async with self._lobby.follow() as follower:
            yield follower

    # Commands

    async def command(self, match: str, seat: str | None, command: Command) -> None:
        """Carries out a command of a seat; when this returns, it is durable. Raises `Refused`."""
        self._check_serving()
        check_command(command)
        room = await self.rooms.find(match)
        self._seen(room, seat)
        try:
            await self._commits.commit(room, lambda live: live.carry_out(seat, command))
        except TimeUp:
            if await self._timeouts.is_overdue(room):
                raise
            await self._commits.commit(room, lambda live: live.carry_out(seat, command))

    # Events of rooms

    def _on_append(self, match: str, seq: int) -> None:
        """Handles an append of another process to a match, or to any match if none is named."""
        self._note_change()
        self.rooms.on_append(match, seq)

    def _note_change(self) -> None:
        self._lobby.has_changed = True

    def _get_ready(self, room: Room) -> None:
        """Prepares a match that was loaded."""
        if room.match.terms.visibility == "uploaded":
            self._background.start(self._sweeper.see_upload(room.match.id))
        self._computer_turns.get_ready(room.match)

    def _extras(self, room: Room) -> Extras:
        is_upload = room.match.terms.visibility == "uploaded"
        kept_days = self._sweeper.upload_days if is_upload else None
        notes = self._computer_turns.notes(room.match)
        return Extras(room.rating_changes, room.watching, kept_days, notes)

    # What happens without a request

    def _look_after(self, room: Room, *, is_remote: bool = False) -> None:
        """Sets the timer of the open round, asks computer players, and opens a rematch."""
        match = room.match
        room.used_at = self._clock.wall()
        if self._is_closing or match.status == "new":
            return
        self._timeouts.set_timer(room)
        self._computer_turns.ask(room, is_remote=is_remote)
        if match.is_rematch_due:
            self._background.start(self._opener.open_rematch(room))
        if match.is_over:
            self.computers.forget(match.id)

    async def _beat(self) -> None:
        """Tells the store that a server is alive."""
        while True:
            try:
                await self._timeouts.heartbeat.beat()
            except StoreError as error:
                log.warning("%s", error)
            self._note_change()  # someone may have come or gone, in any process
            for match, _ in self.presence.here():
                room = self.rooms.loaded.get(match)
                if room is not None and room.match.is_waiting:
                    self._background.start(self._begin(room))
            await asyncio.sleep(BEAT_EVERY)

    def _check_serving(self) -> None:
        if self._is_closing:
            raise Refused("stopping", "the server is shutting down")


def forget_failed(room: Room, key: tuple[int, bool], making: "asyncio.Task[bytes]") -> None:
    if making.cancelled() or making.exception() is not None:
        del room.records[key]


def new_secret() -> str:
    return random_secrets.token_urlsafe(24)


def secret_folders(store: Store) -> tuple[str, ...]:
    """The folder of an SQLite database, which contains hidden choices and seeds."""
    path = store.path
    return () if path is None else (str(Path(path).parent),)
