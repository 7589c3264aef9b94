"""`python -m bench.storing`: appends a second, and how long one takes, against a bare group commit.

The bare one is a thread that inserts each event into one table of an SQLite file with the same
settings, and commits once for all that wait: the least that a durable log can do. It has no list of
matches, finds no conflicts and knows no other process. `--postgres` also measures PostgreSQL, on a
server of its own that writes through to the disk.
"""

import argparse
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from statistics import median
from typing import Any, NamedTuple

import orjson
from tests.postgres import running_postgres

from bench.page import table
from holmgang.store import MatchSummary, Store, StoredEvent

MATCHES = 250
BODY = {"type": "chosen", "seat": "red", "game": 1, "round": 7, "choice": "attack", "id": "k1x9"}
PLAYING = MatchSummary(
    status="playing",
    visibility="lobby",
    ruleset="bagh",
    game="bagh",
    wins_needed=3,
    seconds=60,
    red_person=None,
    blue_person=None,
    red_name="Ann",
    blue_name="Bob",
    red_kind="guest",
    blue_kind="guest",
    red_wins=0,
    blue_wins=0,
    draws=0,
    games=0,
    rounds=0,
    winner=None,
    reason=None,
    rated=False,
    deadline=1e9,
)

Appending = Callable[[str, int, float], "Future[Any]"]
"""Appends one event to a match: its id, the number of its last event, the time."""


class Bare:
    """A group commit and nothing else."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._jobs: SimpleQueue[tuple[tuple[Any, ...], Future[Any]] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work)
        self._thread.start()

    def append(self, match: str, seq: int, at: float) -> "Future[Any]":
        future: Future[Any] = Future()
        self._jobs.put(((match, seq + 1, at, orjson.dumps(BODY).decode()), future))
        return future

    def close(self) -> None:
        self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        connection = sqlite3.connect(self._path, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE log (m TEXT, seq INT, at REAL, body TEXT, UNIQUE(m, seq))")
        while (job := self._jobs.get()) is not None:
            group = [job]
            try:
                while len(group) < 1000 and (more := self._jobs.get_nowait()) is not None:
                    group.append(more)
            except Empty:
                pass
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT INTO log VALUES (?, ?, ?, ?)", [row for row, _ in group])
            connection.execute("COMMIT")
            for _, future in group:
                future.set_result(None)
        connection.close()


@contextmanager
def bare(folder: Path) -> Iterator[Appending]:
    log = Bare(folder / "bare.sqlite3")
    try:
        yield log.append
    finally:
        log.close()


@contextmanager
def stored(url: str) -> Iterator[Appending]:
    with Store.open(url) as store:

        def append(match: str, seq: int, at: float) -> "Future[Any]":
            return store.append(match, seq, [StoredEvent(seq + 1, at, BODY)], PLAYING)

        yield append


class Run(NamedTuple):
    rate: float
    """Appends a second."""
    p50: float
    p99: float
    """Milliseconds until an append is acknowledged."""
    cpu: float
    """Microseconds of this process for an append, its client included."""


def measure(append: Appending, clients: int, seconds: float, rate: float | None = None) -> Run:
    """Each client appends to a match of its own, again as soon as it was acknowledged; or all of
    them together at a given rate.
    """
    acknowledged: SimpleQueue[tuple[int, float, BaseException | None]] = SimpleQueue()
    last = [0] * clients
    sent = [0.0] * clients
    took: list[float] = []

    def send(client: int) -> None:
        sent[client] = time.perf_counter()
        future = append(f"match{client:04}", last[client], time.time())
        last[client] += 1
        future.add_done_callback(lambda done: tell(client, done))

    def tell(client: int, done: "Future[Any]") -> None:
        acknowledged.put((client, time.perf_counter(), done.exception()))

    began, cpu = time.perf_counter(), time.process_time()
    for client in range(clients):
        if rate is not None:
            wait_until(began + client / rate)
        send(client)
    for number in range(clients, 10**9):
        client, now, error = acknowledged.get()
        if error is not None:
            raise error
        took.append(now - sent[client])
        if now - began > seconds:
            break
        if rate is not None:
            wait_until(began + number / rate)
        send(client)
    elapsed, cpu = time.perf_counter() - began, time.process_time() - cpu
    for _ in range(clients - 1):
        acknowledged.get()
    took.sort()
    milliseconds = [1000 * took[int(len(took) * share)] for share in (0.5, 0.99)]
    return Run(len(took) / elapsed, *milliseconds, 1e6 * cpu / len(took))


def wait_until(moment: float) -> None:
    time.sleep(max(0.0, moment - time.perf_counter()))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.storing", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="length of a run (default: 3)")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each (default: 5)")
    parser.add_argument("--folder", type=Path, help="on the disk to measure (default: temporary)")
    parser.add_argument("--postgres", action="store_true", help="measure PostgreSQL too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        if options.postgres:
            with running_postgres(durable=True) as server:
                report(options, Path(folder), server.new_database)
        else:
            report(options, Path(folder), None)


def report(options: argparse.Namespace, folder: Path, postgres: Callable[[], str] | None) -> None:
    fresh = iter(range(10**9))

    def empty() -> Path:
        path = folder / str(next(fresh))
        path.mkdir()
        return path

    kinds: dict[str, Callable[[], AbstractContextManager[Appending]]] = {
        "bare group commit": lambda: bare(empty()),
        "store, SQLite": lambda: stored(f"sqlite:///{empty()}/h.sqlite3"),
    }
    if postgres is not None:
        kinds["store, PostgreSQL"] = lambda: stored(postgres())
    loads: Sequence[tuple[str, int, float | None]] = [
        ("250 clients, as fast as they can", MATCHES, None),
        ("250 clients, 2,000 a second", MATCHES, 2000.0),
        ("1 client, as fast as it can", 1, None),
    ]
    for title, clients, rate in loads:
        runs: dict[str, list[Run]] = {name: [] for name in kinds}
        for _ in range(options.repeats):
            for name, kind in kinds.items():
                with kind() as append:
                    runs[name].append(measure(append, clients, options.seconds, rate))
        first = median(run.rate for run in runs["bare group commit"])
        rows = [
            [
                name,
                f"{median(run.rate for run in each):,.0f}",
                f"{median(run.rate for run in each) / first:.2f}",
                f"{median(run.p50 for run in each):.1f}",
                f"{median(run.p99 for run in each):.1f}",
                f"{median(run.cpu for run in each):.0f}",
            ]
            for name, each in runs.items()
        ]
        heads = [title, "appends/s", "ratio", "p50 ms", "p99 ms", "CPU µs"]
        print("\n".join(table(heads, rows)), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
