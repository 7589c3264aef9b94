"""Where games are played: processes of this machine, or a Dask cluster.

Both are a `concurrent.futures.Executor` that is handed batches of games. Workers may die at any
moment, by themselves or with this process; `run.py` plays again whatever they have not delivered.
"""

import os
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import perf_counter
from typing import Any, NamedTuple, Protocol

from holmgang.arena.judge.referee import play_games
from holmgang.arena.task import GameResult, GameTask
from holmgang.errors import UsageError
from holmgang.games.shape import brief
from holmgang.machine import available_cores

CLUSTER_SECONDS = 10


class Batch(NamedTuple):
    results: list[GameResult]
    seconds: float


def play_batch(tasks: Sequence[GameTask]) -> Batch:
    """Plays the games, in a worker."""
    started = perf_counter()
    results = list(play_games(tasks))
    return Batch(results, perf_counter() - started)


class Workers(Protocol):
    """Somewhere to send batches to."""

    @property
    def slots(self) -> int:
        """How many batches can be played at once."""
        ...

    def submit(self, tasks: Sequence[GameTask]) -> Future[Batch]: ...

    def is_loss(self, error: BaseException) -> bool:
        """Whether it means that a worker died, and not that a game cannot be played."""
        ...

    def renew(self) -> None:
        """Makes it usable again after a loss. What was submitted before may never be done."""
        ...

    def close(self) -> None:
        """Ends whatever is still going on, at once."""
        ...


# This machine


class LocalWorkers:
    """A pool of processes, each on a leash: a pipe whose other end this process holds. When it lets
    go, on purpose or because it was killed, they end at once.
    """

    def __init__(self, count: int) -> None:
        self.slots = count
        self._begin()

    def _begin(self) -> None:
        context = get_context("spawn")  # a copy of this process would hold what it has open
        end, self._leash = context.Pipe(duplex=False)
        self._end = end
        self._pool: Executor = ProcessPoolExecutor(
            self.slots, context, initializer=begin_work, initargs=(end,)
        )

    def submit(self, tasks: Sequence[GameTask]) -> Future[Batch]:
        with interrupts_held():  # this may start a process, which must not be interrupted as we are
            return self._pool.submit(play_batch, list(tasks))

    def is_loss(self, error: BaseException) -> bool:
        return isinstance(error, BrokenExecutor | CancelledError)

    def renew(self) -> None:
        self.close()
        self._begin()

    def close(self) -> None:
        self._leash.close()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._end.close()


def begin_work(leash: Connection) -> None:
    """In a new worker: Ctrl-C is for whoever holds the leash, who will let go of it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=end_with, args=(leash,), daemon=True).start()


def end_with(leash: Connection) -> None:
    try:
        leash.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)  # bots see to it themselves that they end with their judge


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Ctrl-C waits until the end of the block."""
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


# A cluster


class ClusterWorkers:
    """The workers of a Dask cluster, which need this version of holmgang, and the same bots under
    the same paths. Dask itself gives the batch of a dead worker to another.
    """

    def __init__(self, address: str) -> None:
        """Raises UsageError if Dask is not installed or there is no scheduler with workers."""
        try:
            import distributed
        except ImportError:
            raise UsageError("--cluster needs Dask: pip install 'holmgang[cluster]'") from None
        dask: Any = distributed  # which has types in part
        self._lost = dask.KilledWorker, CancelledError, BrokenExecutor
        try:
            self._client = dask.Client(address, timeout=CLUSTER_SECONDS)
            self._client.wait_for_workers(1, timeout=CLUSTER_SECONDS)
        except (OSError, TimeoutError, ValueError) as error:
            raise UsageError(
                f"no Dask cluster answers at {brief(address)}: {error}; an address is such as"
                " tcp://10.0.0.1:8786, and there must be a worker"
            ) from None
        self._pool: Executor = self._client.get_executor(pure=False)

    @property
    def slots(self) -> int:
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def submit(self, tasks: Sequence[GameTask]) -> Future[Batch]:
        return self._pool.submit(play_batch, list(tasks))

    def is_loss(self, error: BaseException) -> bool:
        return isinstance(error, self._lost)

    def renew(self) -> None:
        self._client.wait_for_workers(1, timeout=CLUSTER_SECONDS)

    def close(self) -> None:
        self._pool.shutdown(wait=False)  # with Dask, this cancels what is under way
        self._client.close(timeout=CLUSTER_SECONDS)


def workers_at(cluster: str | None, count: int | None) -> Workers:
    """The workers of that cluster, or so many processes here; as many as cores, if not said."""
    if cluster is not None:
        return ClusterWorkers(cluster)
    return LocalWorkers(available_cores() if count is None else count)
