"""The lobby: matches waiting for a player, and live ones, of players who are there."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from msgspec.structs import asdict

from holmgang.live.clock import PlayClock
from holmgang.live.listing import match_line
from holmgang.live.presence import Presence
from holmgang.live.refusal import Refused
from holmgang.live.round_log import encode
from holmgang.live.subscription import Subscription
from holmgang.store import MatchRow, Store, StoreError
from holmgang.wire.lists import LiveMatchLine, LobbyFrame

MOST_LISTED = 20
MOST_READ = 200
"""Matches from which the listed ones are taken."""
MOST_OF_PERSON = 3
"""Matches of a person that wait in the lobby at the same time."""
MOST_OF_CLIENT = 5
"""Matches of a client's address that do so, as far as this process has opened them."""
MOST_CLIENTS = 1000
"""Matches whose clients are remembered, the newest."""
TELL_EVERY = 1.0
"""Seconds between two updates of the lists."""

log = logging.getLogger(__name__)


class Lobby:
    """The lists, and everyone who follows them."""

    def __init__(self, store: Store, clock: PlayClock, presence: Presence) -> None:
        self.has_changed = True
        """Set when the lists may have changed."""
        self._store, self._clock, self._presence = store, clock, presence
        self._placing = asyncio.Lock()
        self._clients: dict[str, str] = {}
        """Addresses of clients by the matches that they have opened here."""
        self._followers: set[Subscription] = set()
        self._frame = b""

    async def lists(self) -> LobbyFrame:
        await self._presence.note_if_possible()
        return await asyncio.to_thread(self._read)

    def _read(self) -> LobbyFrame:
        now = self._clock.wall()
        opened = self._store.matches.find(
            status="open",
            visibility="lobby",
            is_free=True,
            is_attended=True,
            now=now,
            limit=MOST_READ,
        )
        live = self._store.matches.find(
            status="playing",
            visibility="lobby",
            is_attended=True,
            now=now,
            limit=MOST_READ,
        )
        opened, live = (self._in_turn(rows)[:MOST_LISTED] for rows in (opened, live))
        present = self._store.presence.seats([row.id for row in live], now)
        return LobbyFrame(
            open=[match_line(row) for row in opened],
            live=[
                LiveMatchLine(**asdict(match_line(row)), present=present.get(row.id, []))
                for row in live
            ],
        )

    def _in_turn(self, rows: Sequence[MatchRow]) -> list[MatchRow]:
        """The matches in turn by who has opened them: everyone's newest, then the next."""
        count: Counter[object] = Counter()
        turns = []
        for row in rows:
            people = row.summary.red_person, row.summary.blue_person
            opener = self._clients.get(row.id) or people[0] or people[1]
            turns.append((count[opener], row))
            count[opener] += 1
        return [row for _, row in sorted(turns, key=lambda turn: turn[0])]

    @asynccontextmanager
    async def place(self, match: str, person: int, client: str | None) -> AsyncIterator[None]:
        """A place in the lobby for a match that is opened within the context. Raises `Refused` if
        the person or the client's address has as many there as it may.
        """
        async with self._placing:
            for closed in await asyncio.to_thread(self._check_place, person, client):
                del self._clients[closed]
            if client is not None:
                self._clients[match] = client
                if len(self._clients) > MOST_CLIENTS:
                    del self._clients[next(iter(self._clients))]
            yield

    def _check_place(self, person: int, client: str | None) -> list[str]:
        """The client's matches that are no longer open."""
        if self._store.matches.count(person, "open", "lobby") >= MOST_OF_PERSON:
            raise Refused(
                "too many",
                f"you already have {MOST_OF_PERSON} open matches in the lobby; cancel one of them",
            )
        if client is None:
            return []
        own = [match for match, who in self._clients.items() if who == client]
        closed = [match for match in own if not self._is_open(match)]
        if len(own) - len(closed) >= MOST_OF_CLIENT:
            raise Refused(
                "too many",
                f"the lobby already has {MOST_OF_CLIENT} matches from your address; join one",
            )
        return closed

    def _is_open(self, match: str) -> bool:
        row = self._store.matches.row(match)
        return row is not None and row.summary.status == "open"

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
        frame = encode(await self.lists())
        if frame != self._frame:
            self._frame = frame
            for follower in self._followers:
                follower.put(frame)

    def close(self) -> None:
        for follower in self._followers:
            follower.close()
