"""The one thread that writes, with group commit: all waiting changes share one commit.

A commit waits for the disk, so it costs nearly the same for one append as for hundreds. The caller
gets a future, which resolves after the commit: an acknowledged change is durable.
"""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from sqlalchemy import Connection
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from holmgang.errors import Conflict, StoreError
from holmgang.store import ratings
from holmgang.store.database import PATIENCE, Database, cause, is_passing, lock
from holmgang.store.log import Append, LogStatements, last_seq
from holmgang.store.watching import PostgresWatcher, SqliteWatcher, Watcher

LARGEST_GROUP = 1000
"""Changes that share one commit at most, so that the first of them does not wait long."""
GATHERING = 0.004
"""Seconds that a group waits for more changes if the last group had more than one. Larger groups
save processor time: at 2,000 appends a second, a wait of 1 ms saved about a fifth.
"""
SHORTEST_PAUSE = 0.05
"""Seconds until a transaction is tried again; each time twice as long."""


Change = Callable[[Connection], object]
"""A change other than an append; it returns the result of its future."""


class Queued(NamedTuple):
    what: Append | Change | None
    """None tells the thread to stop."""
    future: "Future[Any]"


Settled = tuple[Queued, object]
"""A change, and its result or exception."""


@dataclass
class StoreStats:
    """Counts of a store since it was opened, and its queue."""

    queued: int = 0
    """Changes that wait for the writer."""
    commits: int = 0
    events: int = 0
    conflicts: int = 0
    failures: int = 0
    """Transactions that failed."""
    commit_seconds: float = 0.0
    """Time spent in transactions, including waiting for the disk."""


class Writer:
    """Carries out changes in the order they came, in as few transactions as possible.

    It survives every error: the callers concerned get it, and the writer continues.
    """

    def __init__(self, database: Database) -> None:
        self._stats = StoreStats()
        self.watcher: Watcher = (
            SqliteWatcher(lambda look: self.submit(look).result())
            if database.is_sqlite
            else PostgresWatcher(database)
        )
        self._database = database
        self._statements = LogStatements(database.writer.dialect)
        self._queue: SimpleQueue[Queued] = SimpleQueue()
        self._lock = threading.Lock()
        self._is_closed = False
        self._thread = threading.Thread(target=self._work, name="holmgang-writer", daemon=True)
        self._thread.start()

    def stats(self) -> StoreStats:
        return replace(self._stats, queued=self._queue.qsize())

    def submit(self, what: Append | Change) -> "Future[Any]":
        """Queues the change. The future gives its result, Conflict, or StoreError."""
        future: Future[Any] = Future()
        # Nobody can cancel it any more: a caller that stops waiting does not undo the change.
        future.set_running_or_notify_cancel()
        with self._lock:
            if not self._is_closed:
                self._queue.put(Queued(what, future))
                return future
        future.set_exception(StoreError("the database is closed"))
        return future

    def close(self) -> None:
        """Finishes what is queued, and stops the thread."""
        self.watcher.close()
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                self._queue.put(Queued(None, Future()))  # the last one
        self._thread.join()

    def _work(self) -> None:
        is_closing = False
        size = 0
        while not is_closing:
            first = self._queue.get()
            if size > 1:
                time.sleep(GATHERING)
            group = [first, *self._take_waiting()]
            size = len(group)
            changes = [change for change in group if change.what is not None]
            is_closing = len(changes) < size
            if changes:
                self._carry_out(changes)

    def _take_waiting(self) -> list[Queued]:
        changes: list[Queued] = []
        try:
            while len(changes) < LARGEST_GROUP:
                changes.append(self._queue.get_nowait())
        except Empty:
            pass
        return changes

    def _carry_out(self, changes: list[Queued]) -> None:
        began = time.perf_counter()
        try:
            answers = self._transact(changes)
        except SQLAlchemyError as error:
            self._fail(changes, f"cannot write the database: {cause(error)}", error)
            return
        except Exception as error:  # noqa: BLE001 - a mistake of ours must not stop all matches
            self._fail(changes, f"cannot write the database: {error!r}", error)
            return
        self._stats.commits += 1
        self._stats.commit_seconds += time.perf_counter() - began
        for (what, future), answer in answers:
            if isinstance(answer, Exception):
                self._stats.conflicts += isinstance(answer, Conflict)
                future.set_exception(answer)
            else:
                if isinstance(what, Append):
                    self._stats.events += len(what.rows)
                    self._statements.appended(what)
                future.set_result(answer)

    def _transact(self, changes: list[Queued]) -> list[Settled]:
        """Carries out the changes in one transaction. Retries if a server is restarted, unless
        that is during the commit: then it is unknown whether the commit happened.
        """
        until = time.monotonic() + PATIENCE
        pause = SHORTEST_PAUSE
        while True:
            is_committing = False
            try:
                with self._database.writer.connect() as connection, connection.begin() as whole:
                    answers = self._answers(connection, changes)
                    is_committing = True
                    whole.commit()
                    return answers
            except DBAPIError as error:
                if is_committing or not is_passing(error) or time.monotonic() > until:
                    raise
            time.sleep(pause)
            pause *= 2

    def _fail(self, changes: list[Queued], message: str, error: Exception) -> None:
        self._stats.failures += 1
        self.watcher.undone()
        for change in changes:
            told = StoreError(message)
            told.__cause__ = error
            change.future.set_exception(told)

    def _answers(self, connection: Connection, changes: list[Queued]) -> list[Settled]:
        """Carries out the changes; pairs each with its result or exception."""
        answers: list[Settled] = []
        appends: list[tuple[Append, Queued]] = []
        for change in changes:
            if isinstance(change.what, Append):
                appends.append((change.what, change))
            elif change.what is not None:
                answers.append((change, attempt(connection, change.what)))
        if appends:
            # In one order in all processes, so that no two of them wait for each other.
            appends.sort(key=lambda pair: pair[0].match)
            if any(append.rated for append, _ in appends):
                lock(connection, ratings.LOCK)
            results = self._append(connection, [append for append, _ in appends])
            answers += zip((change for _, change in appends), results, strict=True)
            done = [
                append
                for (append, _), result in zip(appends, results, strict=True)
                if not isinstance(result, Exception)
            ]
            if done:
                self.watcher.appended(connection, done)
        return answers

    def _append(self, connection: Connection, appends: list[Append]) -> list[object]:
        """The results of the appends. All together if possible, otherwise one at a time, so that a
        conflict concerns nobody else.
        """
        results = attempt(connection, lambda c: self._append_together(c, appends))
        if isinstance(results, list):
            return results
        return [self._append_one(connection, append) for append in appends]

    def _append_together(self, connection: Connection, appends: list[Append]) -> list[object]:
        if not self._statements.append(connection, appends):
            raise Conflict
        return [self._settle(connection, append) for append in appends]

    def _append_one(self, connection: Connection, append: Append) -> object:
        result = attempt(connection, lambda c: self._append_together(c, [append]))
        if isinstance(result, list):
            return result[0]
        known = last_seq(connection, append.match)
        if known == append.expected_seq:
            return result
        return Conflict(f"match {append.match} has {known} events, not {append.expected_seq}")

    def _settle(self, connection: Connection, append: Append) -> object:
        """The result for the caller: the changes of the ratings, if any."""
        if append.rated is None:
            return None
        return ratings.apply(connection, append.match, append.at, append.rated)


def attempt(connection: Connection, run: Change) -> object:
    """The result, or the exception if it concerns only this change, which then has no effect."""
    try:
        with savepoint(connection):
            return run(connection)
    except (IntegrityError, DataError) as error:
        told = StoreError(f"cannot write the database: {cause(error)}")
        told.__cause__ = error
        return told
    except SQLAlchemyError:
        raise  # of the connection or the disk: it concerns everyone
    except Exception as error:  # noqa: BLE001 - whoever asked gets it
        return error


@contextmanager
def savepoint(connection: Connection) -> Iterator[None]:
    """Undoes what happens inside if it fails. SQLAlchemy's own would be compiled each time."""
    connection.exec_driver_sql("SAVEPOINT change")
    try:
        yield
    except Exception as error:
        if not (isinstance(error, DBAPIError) and error.connection_invalidated):
            connection.exec_driver_sql("ROLLBACK TO SAVEPOINT change")
            connection.exec_driver_sql("RELEASE SAVEPOINT change")
        raise
    connection.exec_driver_sql("RELEASE SAVEPOINT change")
