"""The database behind a store: its address, its connections, and its errors as plain messages.

SQLite in WAL mode with `synchronous=FULL`, or PostgreSQL through psycopg. Changes go through the
one connection of `Database.writing`; any thread can read through `Database.reading`.
"""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError, SQLAlchemyError

from holmgang.errors import StoreError
from holmgang.machine import data_folder

FILE = "holmgang.sqlite3"
PATIENCE = 10.0
"""Seconds to wait for another process that writes, or for a server that does not answer."""
FORMS = "sqlite:///PATH or postgresql://USER@HOST/NAME"


class Database:
    """A database that is known to exist, with engines for reading and for writing."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self.is_sqlite = url.get_backend_name() == "sqlite"
        connect = _connect_sqlite if self.is_sqlite else _connect_postgres
        # All reads are single statements, so they need no transaction.
        self._reader = connect(url, readers=True).execution_options(isolation_level="AUTOCOMMIT")
        self.writer = connect(url, readers=False)
        self._is_closed = False

    @property
    def path(self) -> Path:
        """The file of an SQLite database."""
        return Path(self.url.database or "")

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for reads. Raises StoreError."""
        if self._is_closed:  # a thread that was late; nobody would close its connection
            raise StoreError("cannot read the database: it was closed")
        try:
            with self._reader.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise StoreError(f"cannot read the database: {cause(error)}") from error

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection in a transaction of its own. Errors are left as they are."""
        with self.writer.begin() as connection:
            yield connection

    def close(self) -> None:
        """Closes all connections. Waits for reads in other threads, whose connections would stay
        open otherwise.
        """
        self._is_closed = True
        until = time.monotonic() + PATIENCE
        while self._reader.pool.checkedout() and time.monotonic() < until:  # type: ignore[attr-defined] # of QueuePool
            time.sleep(0.005)
        self._reader.dispose()
        self.writer.dispose()


def parse_url(given: str | None) -> URL:
    """The address of a database, with the driver that is used for it. None is the user's own file.

    Raises StoreError.
    """
    if given is None:
        return URL.create("sqlite", database=str(data_folder() / FILE))
    try:
        url = make_url(given)
        backend = url.get_backend_name()
    except (ArgumentError, ValueError):
        raise StoreError(f"not the address of a database: {given!r}; use {FORMS}") from None
    if backend == "sqlite":
        if url.database in {None, "", ":memory:"} or url.query:
            raise StoreError(f"an SQLite database has to be a file: {FORMS}")
        return url.set(drivername="sqlite")
    if backend in {"postgresql", "postgres"}:
        return url.set(drivername="postgresql+psycopg")
    raise StoreError(f"no such kind of database: {url.drivername!r}; use {FORMS}")


def cause(error: SQLAlchemyError) -> str:
    """The database's own error message, without the statement and its parameters."""
    told = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    return told.strip().partition("\n")[0] or type(error).__name__


PASSING = {
    "40001",  # serialization failure
    "40P01",  # deadlock
    "53300",  # too many connections
    "57P01",  # the server is shut down
    "57P02",  # it crashed
    "57P03",  # it starts
}
"""PostgreSQL's codes of temporary errors."""


def is_passing(error: DBAPIError) -> bool:
    """Whether a retry may succeed a moment later. SQLite has already waited by itself."""
    if not isinstance(error, OperationalError) or isinstance(error.orig, sqlite3.Error):
        return False
    code = getattr(error.orig, "sqlstate", None)  # none if the server could not be reached
    return code is None or code in PASSING


def is_storable(given: str) -> bool:
    """Whether both databases accept the string: PostgreSQL rejects NUL, both reject surrogates."""
    return "\0" not in given and given.isprintable()


def lock(connection: Connection, number: int) -> None:
    """Makes other processes that take the lock wait until the transaction ends. On SQLite the
    transaction itself is the lock.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": number})


def _connect_sqlite(url: URL, *, readers: bool) -> Engine:
    engine = create_engine(
        url,
        hide_parameters=True,  # errors may be logged, and choices and hashes are secret
        # Without isolation_level the driver begins no transactions by itself.
        connect_args={"timeout": PATIENCE, "isolation_level": None, "check_same_thread": False},
        pool_size=8 if readers else 1,
        max_overflow=32 if readers else 0,
    )

    @event.listens_for(engine, "connect")
    def _prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA journal_size_limit = 67108864")  # after a long backup

    if not readers:

        @event.listens_for(engine, "begin")
        def _begin(connection: Connection) -> None:
            # A transaction that began by reading could not wait for another process that writes.
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _connect_postgres(url: URL, *, readers: bool) -> Engine:
    try:
        return create_engine(
            url,
            hide_parameters=True,
            paramstyle="format",  # positional, as for SQLite
            connect_args={"connect_timeout": int(PATIENCE), "application_name": "holmgang"},
            pool_size=8 if readers else 1,
            max_overflow=32 if readers else 0,
            pool_pre_ping=readers,
        )
    except ImportError:
        raise StoreError(
            "PostgreSQL needs the package psycopg: pip install 'holmgang[postgres]'"
        ) from None


def make_file(path: Path) -> None:
    """Creates the file of an SQLite database, for its owner alone: it has password hashes.

    Raises StoreError.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError(f"cannot open the database {path}: {error.strerror}") from None
