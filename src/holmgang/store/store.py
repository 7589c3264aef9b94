"""`Store`: one object for all persistent data. The other modules of the package are its parts."""

import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from holmgang.errors import StoreError
from holmgang.store import log, outages, people, presence, puzzles, ratings, uploads
from holmgang.store.backup import backup
from holmgang.store.database import Database, cause, make_file, parse_url
from holmgang.store.discord import DiscordStore
from holmgang.store.log import MatchRow, RatedResult, StoredEvent, Summary
from holmgang.store.migrating import migrate
from holmgang.store.people import Person
from holmgang.store.presence import Served
from holmgang.store.puzzles import Attempt, NewPuzzle, PuzzleRating, PuzzleRow
from holmgang.store.ratings import Rating
from holmgang.store.writer import Write, Writer

Result = TypeVar("Result")


class StoreStats(NamedTuple):
    """Counts of a store since it was opened, and its queue."""

    queued: int
    """Changes that wait for the writer."""
    commits: int
    events: int
    conflicts: int
    failures: int
    """Transactions that failed."""
    commit_seconds: float
    """Spent in transactions, the waiting for the disk included."""


class Store:
    """A database of matches and people.

    All calls block until they are done, except `append` and `beat`. They can come from any thread.
    They raise StoreError if the database fails.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._writer = Writer(database)
        self.discord = DiscordStore(self._read, self._write)
        self.url = database.url.render_as_string(hide_password=True)

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

    def _write(self, change: Callable[[Connection], Result]) -> Result:
        result: Result = self._writer.submit(Write(change)).result()
        return result

    def _read(self, query: Callable[[Connection], Result]) -> Result:
        with self._database.reading() as connection:
            return query(connection)

    def close(self) -> None:
        """Finishes what is queued, and closes all connections."""
        self._writer.close()
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    # The log

    def append(
        self,
        match: str,
        expected_seq: int,
        events: Sequence[StoredEvent],
        summary: Summary,
        rated: RatedResult | None = None,
    ) -> Future[dict[str, Any] | None]:
        """Appends events to a match whose last event is `expected_seq` (0: a new match).

        The future resolves when they are durable: to the changes of the ratings if `rated` is
        given, otherwise to None. It raises Conflict if the match has other events by now; then
        nothing was changed. It raises StoreError if they cannot be written, or if a server was lost
        during the commit, so that it is not known whether they were.
        """
        given = log.parse_append(match, expected_seq, events, summary, rated)
        return self._writer.submit(given)

    def add_upload(
        self, match: str, given: Sequence[StoredEvent], summary: Summary, most_bytes: int
    ) -> None:
        """Stores the match of an uploaded record. Raises UploadsFull if all uploads together
        would take more than so many bytes.
        """
        whole = log.parse_append(match, 0, given, summary, None)
        self._write(lambda connection: uploads.add(connection, whole, most_bytes))

    def see_upload(self, match: str, now: float) -> None:
        """Notes that somebody looks at an upload, at most once a day."""
        self._write(lambda connection: uploads.see(connection, match, now))

    def delete_unseen_uploads(self, since: float) -> list[str]:
        """Deletes uploads that nobody has looked at since then, and returns their ids."""
        return self._write(lambda connection: uploads.delete_unseen(connection, since))

    def read(self, match: str, after: int = 0) -> list[StoredEvent]:
        """The events with a number above `after`; none of a match that does not exist."""
        return self._read(lambda connection: log.read(connection, match, after))

    def on_append(self, callback: Callable[[str, int], None]) -> None:
        """Calls `callback(match, last_seq)`, in another thread, when another process appends.

        PostgreSQL tells at once, SQLite within a second. `callback("", 0)` means that notifications
        may have been lost: check everything.
        """
        self._writer.watcher.add(callback)

    # Lists

    def matches(
        self,
        *,
        status: str | Collection[str] | None = None,
        visibility: str | Collection[str] | None = None,
        person: int | None = None,
        game: str | None = None,
        before: float | None = None,
        is_free: bool | None = None,
        is_attended: bool | None = None,
        now: float = 0.0,
        limit: int = 50,
    ) -> list[MatchRow]:
        """The matches to which everything that is given applies, the newest first.

        `person` is in either seat; `before` is a time of creation. `is_free`: a seat is free;
        `is_attended`: a player is there `now`.
        """
        return self._read(
            lambda connection: log.list_matches(
                connection,
                status=status,
                visibility=visibility,
                person=person,
                game=game,
                before=before,
                is_free=is_free,
                is_attended=is_attended,
                now=now,
                limit=limit,
            )
        )

    def count_matches(self, status: str, visibility: str, person: int) -> int:
        """The number of a person's matches."""
        return self._read(lambda c: log.count_matches(c, status, visibility, person))

    def match_row(self, match: str) -> MatchRow | None:
        return self._read(lambda connection: log.match_row(connection, match))

    def count_solo(self, person: int, since: float) -> int:
        """The number of a person's unfinished matches against levels and bots that went on since
        then.
        """
        return self._read(lambda connection: log.count_solo(connection, person, since))

    def playing(self) -> list[str]:
        """The ids of all matches that are `open` or `playing`, the oldest first."""
        return self._read(log.live_matches)

    def timed(self) -> list[str]:
        """The ids of matches with an open round that has a time limit."""
        return self._read(log.timed)

    def due(self, now: float) -> list[str]:
        """The ids of matches whose open round has run out by then, the longest overdue first."""
        return self._read(lambda connection: log.due(connection, now))

    @property
    def path(self) -> Path | None:
        """The file of an embedded database."""
        return self._database.path if self._database.is_sqlite else None

    @property
    def is_shared(self) -> bool:
        """Whether several servers may use this database at the same time."""
        return not self._database.is_sqlite

    # People

    def new_guest(self) -> Person:
        """A new person, called `guest 417` or the like."""
        return self._write(people.new_guest)

    def person(self, person: int) -> Person | None:
        return self._read(lambda connection: people.by_id(connection, person))

    def person_by_name(self, name: str) -> Person | None:
        return self._read(lambda connection: people.by_name(connection, name))

    def claim(self, person: int, name: str, password_hash: str) -> Person:
        """Turns a guest into an account with that name.

        Raises NameTaken, also for names that read alike; StoreError for anyone but a guest.
        """
        return self._write(lambda c: people.claim(c, person, name, password_hash))

    def password_hash(self, name: str) -> tuple[Person, str] | None:
        """The account of that name with the hash of its password."""
        return self._read(lambda connection: people.password_hash(connection, name))

    def set_password_hash(self, person: int, password_hash: str) -> None:
        self._write(lambda c: people.set_password_hash(c, person, password_hash))

    def new_session(self, person: int, token_hash: bytes, expires: float) -> None:
        """Signs a person in, until `expires` (seconds since 1970)."""
        self._write(lambda c: people.new_session(c, person, token_hash, expires))

    def session(self, token_hash: bytes) -> Person | None:
        """The person of a session; None if it has ended or expired."""
        return self._read(lambda connection: people.of_session(connection, token_hash))

    def current_sessions(self, token_hashes: Sequence[bytes]) -> set[bytes]:
        """Those of the sessions that have neither ended nor expired."""
        return self._read(lambda c: people.current_sessions(c, token_hashes))

    def end_session(self, token_hash: bytes) -> None:
        self._write(lambda connection: people.end_session(connection, token_hash))

    def new_device(self, token_hash: bytes, person: int) -> None:
        """Remembers a device on which a person has signed in."""
        self._write(lambda c: people.new_device(c, token_hash, person))

    def device_owners(self, token_hash: bytes) -> set[int]:
        """The ids of the people who have signed in on that device."""
        return self._read(lambda c: people.device_owners(c, token_hash))

    # Ratings

    def ratings(self, person: int) -> dict[str, Rating]:
        """The ratings of a person, by game, as they are now."""
        return self._read(lambda connection: ratings.of_person(connection, person))

    def rating_history(self, person: int, game: str) -> list[tuple[float, float]]:
        """Times of rated matches and the ratings after them, in order."""
        return self._read(lambda connection: ratings.history(connection, person, game))

    def leaderboard(self, game: str, limit: int = 50) -> list[tuple[Person, Rating]]:
        """The best accounts that played in the last 90 days and whose rating is not provisional."""
        return self._read(lambda connection: ratings.leaderboard(connection, game, limit))

    def rating_changes(self, match: str) -> dict[str, list[float]] | None:
        """The ratings before and after the match, by seat; None if it was not rated."""
        return self._read(lambda connection: ratings.changes(connection, match))

    def rated_between(self, two: Sequence[int | None], game: str, since: float) -> int:
        """The number of rated matches of two people that were opened since then, including those
        that go on.
        """
        return self._read(lambda connection: log.rated_between(connection, two, game, since))

    # Puzzles

    def add_puzzles(self, given: Sequence[NewPuzzle]) -> int:
        """Stores the puzzles that are new, and returns their number."""
        return self._write(lambda connection: puzzles.add(connection, given))

    def puzzle(self, puzzle: str) -> PuzzleRow | None:
        return self._read(lambda connection: puzzles.find(connection, puzzle))

    def puzzle_solution(self, puzzle: str) -> dict[str, Any] | None:
        """The solution of a puzzle, to be shown only to people who have attempted it."""
        return self._read(lambda connection: puzzles.solution(connection, puzzle))

    def puzzles(self, game: str | None = None, limit: int = 1000) -> list[PuzzleRow]:
        """Puzzles, of one game or of all, the easiest first."""
        return self._read(lambda connection: puzzles.listed(connection, game, limit))

    def puzzle_ids(self, kind: str) -> list[tuple[str, float]]:
        """The ids of all puzzles of a kind with the times at which they were kept, the oldest
        first.
        """
        return self._read(lambda connection: puzzles.ids(connection, kind))

    def puzzle_counts(self) -> dict[str, int]:
        """Number of puzzles by game."""
        return self._read(puzzles.counts)

    def nearest_puzzles(
        self, game: str | None, person: int | None, rating: float, limit: int = 10
    ) -> list[PuzzleRow]:
        """Puzzles that the person has not attempted, those with the nearest rating first."""
        return self._read(lambda c: puzzles.nearest(c, game, person, rating, limit))

    def attempt_puzzle(self, puzzle: str, person: int, answer: Any, *, solved: bool) -> Attempt:
        """Keeps and rates a person's attempt; if there is one already, that one is returned and
        nothing changes. A guest's is not rated.
        """
        now = time.time()
        return self._write(
            lambda c: puzzles.attempt(c, puzzle, person, answer, solved=solved, at=now)
        )

    def puzzle_attempt(self, puzzle: str, person: int) -> Attempt | None:
        """The person's attempt at the puzzle."""
        return self._read(lambda connection: puzzles.attempt_of(connection, puzzle, person))

    def puzzle_ratings(self, person: int) -> dict[str, PuzzleRating]:
        """The puzzle ratings of a person, by game, as they are now."""
        return self._read(lambda connection: puzzles.ratings_of(connection, person))

    # Outages

    def begin(self, now: float) -> None:
        """Notes that a server starts. If none was alive for more than 3 seconds, that time becomes
        an outage.
        """
        self._write(lambda connection: outages.begin(connection, now))

    def beat(self, now: float | None = None) -> Future[None]:
        """Notes that a server is alive. The future resolves when that is durable."""
        at = time.time() if now is None else now
        return self._writer.submit(Write(lambda connection: outages.beat(connection, at)))

    def outages(self) -> list[tuple[float, float]]:
        """All times in which no server was alive, as (began, ended), in order."""
        return self._read(outages.listed)

    # Presence

    def note_presence(
        self, process: str, now: float, here: Collection[tuple[str, str]] | None
    ) -> None:
        """Notes who is there in a process: matches and seats; None if that has not changed."""
        self._write(lambda connection: presence.note(connection, process, now, here))

    def connections(self, match: str) -> list[Served]:
        """The players of a match by the process that they are, or were last, connected to."""
        return self._read(lambda connection: presence.connections(connection, match))

    def disconnect(self, match: str, processes: Collection[str]) -> None:
        """Removes the players of a match from processes that are down."""
        self._write(lambda connection: presence.disconnect(connection, match, processes))

    def is_served(self, since: float, *, apart_from: str) -> bool:
        """Whether another process has beaten since then."""
        return self._read(lambda connection: presence.is_alive(connection, since, apart_from))

    def end_presence(self, process: str) -> None:
        """Notes that a process stops."""
        self._write(lambda connection: presence.end(connection, process))

    def present_seats(
        self, matches: Collection[str], now: float, *, apart_from: str = ""
    ) -> dict[str, list[str]]:
        """The seats of these matches whose players are there, in any process apart from one."""
        return self._read(lambda c: presence.seats(c, matches, now, apart_from))

    # Operations

    def backup(self, path: Path) -> None:
        """Writes a consistent copy of an SQLite database to a new file, while others write to it.

        Raises StoreError, also for PostgreSQL, which has tools of its own.
        """
        backup(self._database, path)

    def stats(self) -> StoreStats:
        counters = self._writer.counters
        return StoreStats(
            self._writer.queued,
            counters.commits,
            counters.events,
            counters.conflicts,
            counters.failures,
            counters.seconds,
        )
