"""`Store`: one object for all persistent data. It appends to the logs of matches and reads them;
its attributes, such as `store.people`, have the rest.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Self

import orjson
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from holmgang.errors import StoreError
from holmgang.games.shape import JsonObject
from holmgang.store.database import Database, cause, is_storable, make_file, parse_url
from holmgang.store.discord import DiscordStore
from holmgang.store.log import MatchSummary, RatedResult, StoredEvent, parse_append
from holmgang.store.matches import MatchStore
from holmgang.store.migrating import migrate
from holmgang.store.outages import OutageStore
from holmgang.store.people import PeopleStore
from holmgang.store.presence import PresenceStore
from holmgang.store.puzzles import PuzzleStore
from holmgang.store.ratings import RatingStore
from holmgang.store.schema import events
from holmgang.store.substore import Substore
from holmgang.store.uploads import UploadStore
from holmgang.store.writer import StoreStats, Writer


class Store(Substore):
    """A database of matches and people.

    All calls block until they are done, except those that return a future. They can come from any
    thread. They raise StoreError if the database fails.
    """

    def __init__(self, database: Database) -> None:
        self._writer = Writer(database)
        super().__init__(database, self._writer.submit)
        self.url = database.url.render_as_string(hide_password=True)
        self.discord = DiscordStore(database, self._submit)
        self.matches = MatchStore(database, self._submit)
        self.outages = OutageStore(database, self._submit)
        self.people = PeopleStore(database, self._submit)
        self.presence = PresenceStore(database, self._submit)
        self.puzzles = PuzzleStore(database, self._submit)
        self.ratings = RatingStore(database, self._submit)
        self.uploads = UploadStore(database, self._submit)

    @classmethod
    def open(cls, url: str | None = None) -> Self:
        """The database at the address, created or migrated as needed.

        `sqlite:///PATH` or `postgresql://USER@HOST/NAME`; None is a file in the user's data folder.
        Raises StoreError.
        """
        address = parse_url(url)
        database = Database(address)
        try:
            if database.is_sqlite:
                make_file(database.path)
            migrate(database)
        except SQLAlchemyError as error:
            database.close()
            shown = address.render_as_string(hide_password=True)
            raise StoreError(f"cannot open the database {shown}: {cause(error)}") from error
        except StoreError:
            database.close()
            raise
        return cls(database)

    def close(self) -> None:
        """Finishes what is queued, and closes all connections."""
        self._writer.close()
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def append(
        self,
        match: str,
        expected_seq: int,
        new: Sequence[StoredEvent],
        summary: MatchSummary,
        rated: RatedResult | None = None,
    ) -> Future[JsonObject | None]:
        """Appends events to a match whose last event is `expected_seq` (0: a new match).

        The future resolves when they are durable: to the changes of the ratings if `rated` is
        given, otherwise to None. It raises Conflict if the match has other events by now; then
        nothing was changed. It raises StoreError if they cannot be written, or if a server was lost
        during the commit, so that it is not known whether they were.
        """
        return self._writer.submit(parse_append(match, expected_seq, new, summary, rated))

    def read(self, match: str, after: int = 0) -> list[StoredEvent]:
        """The events with a number above `after`; none of a match that does not exist."""
        if not is_storable(match):
            return []
        query = select(events.c.seq, events.c.at, events.c.body)
        after_it = query.where(events.c.match == match, events.c.seq > after)
        rows = self._rows(after_it.order_by(events.c.seq))
        return [StoredEvent(seq, at, orjson.loads(body)) for seq, at, body in rows]

    def on_append(self, callback: Callable[[str, int], None]) -> None:
        """Calls `callback(match, last_seq)`, in another thread, when another process appends.

        PostgreSQL tells at once, SQLite within a second. `callback("", 0)` means that notifications
        may have been lost: check everything.
        """
        self._writer.watcher.add(callback)

    @property
    def path(self) -> Path | None:
        """The file of an embedded database."""
        return self._database.path if self._database.is_sqlite else None

    @property
    def is_shared(self) -> bool:
        """Whether several servers may use this database at the same time."""
        return not self._database.is_sqlite

    def stats(self) -> StoreStats:
        return self._writer.stats()
