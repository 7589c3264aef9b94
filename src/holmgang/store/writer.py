"""The one thread that writes, and group commit: everything that waits shares one commit.

A commit waits for the disk, so its cost is nearly the same for one append and for hundreds.
The caller gets a future, which resolves after the commit: an acknowledged change is durable.
"""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from sqlalchemy import Connection
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from holmgang.errors import Conflict, StoreError
from holmgang.store import ratings
from holmgang.store.database import PATIENCE, Database, cause, is_passing
from holmgang.store.log import Append, LogStatements, last_seq
from holmgang.store.watching import PostgresWatcher, SqliteWatcher, Watcher

LARGEST_GROUP = 1000
"""Jobs that share one commit at most, so that the first of them does not wait long."""
GATHERING = 0.004
"""Seconds that a group waits for more jobs, if the last one had more than one. Larger groups save
processor time: at 2,000 appends a second, a wait of 1 ms saved about a fifth.
"""
SHORTEST_PAUSE = 0.05
"""Seconds until a transaction is tried again; each time twice as long."""


class Write(NamedTuple):
    """A change other than an append; it returns the result of its future."""

    run: Callable[[Connection], Any]


class Job(NamedTuple):
    what: Append | Write | None
    """None tells the thread to stop."""
    future: "Future[Any]"


class Counters:
    """Counts of the writer's work so far."""

    def __init__(self) -> None:
        self.commits = 0
        self.events = 0
        self.conflicts = 0
        self.failures = 0
        self.seconds = 0.0
        """Spent in transactions, the waiting for the disk included."""


class Writer:
    """Carries out jobs in the order they came, in as few transactions as possible.

    It survives every error: the callers concerned are told, and it continues.
    """

    def __init__(self, database: Database) -> None:
        self.counters = Counters()
        self.watcher: Watcher = (
            SqliteWatcher(lambda look: self.submit(Write(look)).result())
            if database.is_sqlite
            else PostgresWatcher(database)
        )
        self._database = database
        self._statements = LogStatements(database.writer.dialect)
        self._jobs: SimpleQueue[Job] = SimpleQueue()
        self._lock = threading.Lock()
        self._is_closed = False
        self._thread = threading.Thread(target=self._work, name="holmgang-writer", daemon=True)
        self._thread.start()

    @property
    def queued(self) -> int:
        return self._jobs.qsize()

    def submit(self, what: Append | Write) -> "Future[Any]":
        """Queues the job. The future gives its result, Conflict, or StoreError."""
        future: Future[Any] = Future()
        # Nobody can cancel it any more: a caller that stops waiting does not undo the job.
        future.set_running_or_notify_cancel()
        with self._lock:
            if not self._is_closed:
                self._jobs.put(Job(what, future))
                return future
        future.set_exception(StoreError("the database is closed"))
        return future

    def close(self) -> None:
        """Finishes what is queued, and stops the thread."""
        self.watcher.close()
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                self._jobs.put(Job(None, Future()))  # the last one
        self._thread.join()

    def _work(self) -> None:
        is_closing = False
        size = 0
        while not is_closing:
            first = self._jobs.get()
            if size > 1:
                time.sleep(GATHERING)
            group = [first, *self._take_waiting()]
            size = len(group)
            jobs = [job for job in group if job.what is not None]
            is_closing = len(jobs) < size
            if jobs:
                self._carry_out(jobs)

    def _take_waiting(self) -> list[Job]:
        jobs: list[Job] = []
        try:
            while len(jobs) < LARGEST_GROUP:
                jobs.append(self._jobs.get_nowait())
        except Empty:
            pass
        return jobs

    def _carry_out(self, jobs: list[Job]) -> None:
        began = time.perf_counter()
        try:
            answers = self._transact(jobs)
        except SQLAlchemyError as error:
            self._fail(jobs, f"cannot write the database: {cause(error)}", error)
            return
        except Exception as error:  # noqa: BLE001 - a mistake of ours must not stop all matches
            self._fail(jobs, f"cannot write the database: {error!r}", error)
            return
        self.counters.commits += 1
        self.counters.seconds += time.perf_counter() - began
        for (what, future), answer in answers:
            if isinstance(answer, Exception):
                self.counters.conflicts += isinstance(answer, Conflict)
                future.set_exception(answer)
            else:
                if isinstance(what, Append):
                    self.counters.events += len(what.rows)
                    self._statements.appended(what)
                future.set_result(answer)

    def _transact(self, jobs: list[Job]) -> list[tuple[Job, Any]]:
        """Carries out the jobs in one transaction; again if a server is restarted, unless that is
        during the commit: then nobody knows whether it happened.
        """
        until = time.monotonic() + PATIENCE
        pause = SHORTEST_PAUSE
        while True:
            is_committing = False
            try:
                with self._database.writer.connect() as connection, connection.begin() as whole:
                    answers = self._answers(connection, jobs)
                    is_committing = True
                    whole.commit()
                    return answers
            except DBAPIError as error:
                if is_committing or not is_passing(error) or time.monotonic() > until:
                    raise
            time.sleep(pause)
            pause *= 2

    def _fail(self, jobs: list[Job], message: str, error: Exception) -> None:
        self.counters.failures += 1
        self.watcher.undone()
        for job in jobs:
            told = StoreError(message)
            told.__cause__ = error
            job.future.set_exception(told)

    def _answers(self, connection: Connection, jobs: list[Job]) -> list[tuple[Job, Any]]:
        """Carries out the jobs; pairs each with its result or exception."""
        answers: list[tuple[Job, Any]] = []
        appends: list[tuple[Append, Job]] = []
        for job in jobs:
            if isinstance(job.what, Append):
                appends.append((job.what, job))
            elif job.what is not None:
                answers.append((job, attempt(connection, job.what.run)))
        if appends:
            # In one order in all processes, so that no two of them wait for each other.
            appends.sort(key=lambda pair: pair[0].match)
            if any(append.rated for append, _ in appends):
                ratings.lock(connection)
            results = self._append(connection, [append for append, _ in appends])
            answers += zip((job for _, job in appends), results, strict=True)
            done = [
                append
                for (append, _), result in zip(appends, results, strict=True)
                if not isinstance(result, Exception)
            ]
            if done:
                self.watcher.appended(connection, done)
        return answers

    def _append(self, connection: Connection, appends: list[Append]) -> list[Any]:
        """The results of the appends. All together if possible, otherwise one at a time, so that a
        conflict concerns nobody else.
        """
        results = attempt(connection, lambda c: self._append_together(c, appends))
        if isinstance(results, list):
            return results
        return [self._append_one(connection, append) for append in appends]

    def _append_together(self, connection: Connection, appends: list[Append]) -> list[Any]:
        if not self._statements.append(connection, appends):
            raise Conflict
        return [self._settle(connection, append) for append in appends]

    def _append_one(self, connection: Connection, append: Append) -> Any:
        result = attempt(connection, lambda c: self._append_together(c, [append]))
        if isinstance(result, list):
            return result[0]
        known = last_seq(connection, append.match)
        if known == append.expected_seq:
            return result
        return Conflict(f"match {append.match} has {known} events, not {append.expected_seq}")

    def _settle(self, connection: Connection, append: Append) -> Any:
        """The result for the caller: the changes of the ratings, if any."""
        if append.rated is None:
            return None
        return ratings.apply(connection, append.match, append.at, append.rated)


def attempt(connection: Connection, run: Callable[[Connection], Any]) -> Any:
    """The result, or the exception if it concerns this job alone. Then the job has no effect."""
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
    connection.exec_driver_sql("SAVEPOINT job")
    try:
        yield
    except Exception as error:
        if not (isinstance(error, DBAPIError) and error.connection_invalidated):
            connection.exec_driver_sql("ROLLBACK TO SAVEPOINT job")
            connection.exec_driver_sql("RELEASE SAVEPOINT job")
        raise
    connection.exec_driver_sql("RELEASE SAVEPOINT job")
