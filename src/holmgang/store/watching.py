"""Notices what other processes append to the same database.

With PostgreSQL, each transaction announces its appends, and a thread listens on its own connection.
SQLite is polled once a second, which costs almost nothing.
"""

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from secrets import token_hex

import orjson
from sqlalchemy import ColumnElement, Connection, bindparam, func, literal_column, select

from holmgang.errors import StoreError
from holmgang.store.database import Database
from holmgang.store.log import Append
from holmgang.store.schema import events

CHANNEL = "holmgang"
LARGEST_MESSAGE = 7000
"""Bytes; PostgreSQL takes just under 8000."""
INTERVAL = 1.0
"""Seconds between two questions to SQLite."""
LISTENING = 0.25
"""Seconds of listening after which a PostgreSQL listener looks whether it shall stop."""
PAUSES = (0.1, 0.5, 1.0, 2.0)
"""Seconds between attempts to connect again; the last one is repeated."""

Callback = Callable[[str, int], None]
Told = dict[str, int]
"""The number of the last event, by match."""

logger = logging.getLogger(__name__)
notify = select(func.pg_notify(CHANNEL, bindparam("message")))


class Watcher:
    """Tells callbacks of appends by other processes: `callback(match, last_seq)`.

    `callback("", 0)` means that some may have been missed, of any match. Callbacks are called in
    the thread of the watcher.
    """

    def __init__(self, name: str) -> None:
        self._callbacks: list[Callback] = []
        self._stop = threading.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)

    def add(self, callback: Callback) -> None:
        """Adds a callback, which is called for every append after this returns."""
        self._callbacks.append(callback)
        if self._thread.ident is None:
            self._thread.start()
        self._ready.wait()

    def close(self) -> None:
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()

    def appended(self, connection: Connection, appends: Iterable[Append]) -> None:
        """Called with our own appends, in the transaction that makes them."""
        raise NotImplementedError

    def undone(self) -> None:
        """Called when a transaction failed."""

    def _work(self) -> None:
        raise NotImplementedError

    def _tell(self, told: Told) -> None:
        for match, seq in told.items():
            for callback in self._callbacks:
                try:
                    callback(match, seq)
                except Exception:
                    logger.exception("a callback of on_append failed")


class SqliteWatcher(Watcher):
    """Asks once a second whether another process has changed the file.

    The writer's connection is asked: SQLite then does not count what this process wrote itself.
    """

    def __init__(self, write: Callable[[Callable[[Connection], Told]], Told]) -> None:
        super().__init__("holmgang-watcher")
        self._write = write
        self._version: int | None = None
        self._row = 0
        self._own: Told = {}

    def appended(self, connection: Connection, appends: Iterable[Append]) -> None:
        del connection
        if self._thread.ident is not None:
            self._own.update((append.match, append.last_seq) for append in appends)

    def undone(self) -> None:
        self._own.clear()

    def _work(self) -> None:
        is_sure = True
        while True:
            try:
                told = self._write(self._look)
            except StoreError:  # whoever wants to write is told why
                is_sure = False
            else:
                self._tell(told if is_sure else {"": 0})
                is_sure = True
            self._ready.set()
            if self._stop.wait(INTERVAL):
                return

    def _look(self, connection: Connection) -> Told:
        """What others have appended since the last time. Runs in the writer's thread."""
        version = connection.exec_driver_sql("PRAGMA data_version").scalar_one()
        row: ColumnElement[int] = literal_column("rowid")
        told: Told = {}
        if self._version not in {None, version}:
            found = connection.execute(
                select(events.c.match, func.max(events.c.seq))
                .where(row > self._row)
                .group_by(events.c.match)
            )
            told = {match: seq for match, seq in found if self._own.get(match) != seq}
        self._version = version
        self._row = connection.scalar(select(func.max(row)).select_from(events)) or 0
        self._own.clear()
        return told


class PostgresWatcher(Watcher):
    """Listens on a connection of its own, and connects again when it is lost."""

    def __init__(self, database: Database) -> None:
        super().__init__("holmgang-listener")
        self._origin = token_hex(8)
        self._url = database.url.set(drivername="postgresql").render_as_string(hide_password=False)

    def appended(self, connection: Connection, appends: Iterable[Append]) -> None:
        last = {append.match: append.last_seq for append in appends}
        for message in messages(self._origin, last):
            connection.execute(notify, {"message": message})

    def _work(self) -> None:
        import psycopg

        attempts = 0
        is_first = True
        while not self._stop.is_set():
            try:
                with psycopg.connect(
                    self._url, autocommit=True, application_name="holmgang listener"
                ) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    if not is_first:
                        self._tell({"": 0})
                    is_first, attempts = False, 0
                    self._ready.set()
                    while not self._stop.is_set():
                        for notice in connection.notifies(timeout=LISTENING):
                            self._hear(notice.payload)
            except psycopg.Error as error:
                logger.warning("no notifications from PostgreSQL: %s", error)
                is_first = False
                self._ready.set()
                self._stop.wait(PAUSES[min(attempts, len(PAUSES) - 1)])
                attempts += 1

    def _hear(self, message: str) -> None:
        try:
            origin, last = orjson.loads(message)
            told = {str(match): int(seq) for match, seq in last.items()}
        except (ValueError, TypeError, AttributeError):
            logger.warning("not a notification of ours: %r", message)
        else:
            if origin != self._origin:
                self._tell(told)


def messages(origin: str, last: Told) -> Iterator[str]:
    """The appends as messages that PostgreSQL takes."""
    part: Told = {}
    size = 0
    for match, seq in last.items():
        size += len(match.encode()) + 20
        if size > LARGEST_MESSAGE and part:
            yield orjson.dumps([origin, part]).decode()
            part, size = {}, len(match.encode()) + 20
        part[match] = seq
    yield orjson.dumps([origin, part]).decode()
