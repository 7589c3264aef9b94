"""Workers that play games: local processes, or a Dask cluster.

Both take batches of games and return a future for each. Workers may die at any moment; `run.py`
then plays the missing games again.
"""

import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from queue import SimpleQueue
from socket import socketpair
from time import perf_counter
from traceback import format_exception
from typing import Any, NamedTuple, Protocol, TypeVar

from holmgang.arena.judge.referee import play_games
from holmgang.arena.task import GameResult, GameTask
from holmgang.errors import UsageError
from holmgang.games.finding import ENVIRONMENT, add_all, load_environment
from holmgang.games.shape import brief
from holmgang.machine import available_cores

CLUSTER_SECONDS = 10
Result = TypeVar("Result")


class PlayedBatch(NamedTuple):
    results: list[GameResult]
    seconds: float


def play_batch_of(games: str, tasks: Sequence[GameTask]) -> PlayedBatch:
    """Plays the games in a process that lacks our environment variables; `games` is one of them:
    the list of games to load.
    """
    for source in filter(None, games.split(os.pathsep)):
        add_all(source)
    return play_batch(tasks)


def play_batch(tasks: Sequence[GameTask]) -> PlayedBatch:
    """Plays the games; runs in a worker."""
    started = perf_counter()
    results = list(play_games(tasks))
    return PlayedBatch(results, perf_counter() - started)


class Workers(Protocol):
    """Plays batches of games."""

    @property
    def slots(self) -> int:
        """The number of batches that can be played at once."""
        ...

    def submit(self, tasks: Sequence[GameTask]) -> Future[PlayedBatch]: ...

    def is_loss(self, error: BaseException) -> bool:
        """Whether an error means that a worker died, not that a game cannot be played."""
        ...

    def renew(self) -> None:
        """Makes the workers usable again after a loss. Earlier batches may never finish."""
        ...

    def close(self) -> None:
        """Ends all workers at once."""
        ...


# This machine


class WorkerLost(BrokenExecutor):
    """A process ended before it returned its batch."""


class LocalWorkers:
    """Local processes, each with a thread here that sends it one batch at a time.

    It cannot deadlock: a thread waits only for its own process, over a socket that no other process
    has open, and `close` kills the processes before it waits for the threads.
    (`ProcessPoolExecutor` shares its pipes between all workers and can deadlock when one of them
    dies: python/cpython#94777.)
    """

    def __init__(self, count: int) -> None:
        self.slots = count
        self._lock = threading.Lock()
        self._begin()

    def _begin(self) -> None:
        self._threads = ThreadPoolExecutor(self.slots)
        self._started: list[Worker] = []
        self._idle: list[Worker] = []
        self._is_closed = False

    def submit(self, tasks: Sequence[GameTask]) -> Future[PlayedBatch]:
        return self._threads.submit(self._play, list(tasks))

    def _play(self, tasks: list[GameTask]) -> PlayedBatch:
        with self._lock:
            if self._is_closed:
                raise WorkerLost
            if self._idle:
                worker = self._idle.pop()
            else:
                worker = Worker()
                self._started.append(worker)
        batch = worker.play(tasks)
        self._idle.append(worker)  # not reached if it has failed
        return batch

    def is_loss(self, error: BaseException) -> bool:
        return isinstance(error, BrokenExecutor | CancelledError)

    def renew(self) -> None:
        self.close()
        self._begin()

    def close(self) -> None:
        with interrupts_held():  # if Ctrl-C interrupted this, the exit would wait for games
            with self._lock:  # from here on, no worker is started
                self._is_closed = True
                for worker in self._started:
                    worker.kill()
            self._threads.shutdown(wait=True, cancel_futures=True)
            for worker in self._started:
                worker.connection.close()


class Worker:
    """A process that plays batches, one after the other. It ends when our end of its socket is
    closed, even if this process is killed.
    """

    def __init__(self) -> None:
        ours, theirs = socketpair()
        self.connection = Connection(ours.detach())
        # A fork would inherit all open files. Ctrl-C is for this process only, so it is blocked
        # until the worker ignores it.
        with theirs, interrupts_held():
            self._process = subprocess.Popen(  # noqa: S603 - a module of ours
                [sys.executable, "-P", "-c", WORK, str(theirs.fileno()), *sys.path],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )

    def play(self, tasks: list[GameTask]) -> PlayedBatch:
        """The results. Raises `WorkerLost` if the process ends, and any exception of a game."""
        try:
            self.connection.send(tasks)
            answer: PlayedBatch | Exception = self.connection.recv()
        except (EOFError, OSError):
            raise WorkerLost("a worker died") from None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def kill(self) -> None:
        self._process.kill()  # its keeper ends its bots
        self._process.wait()


WORK = """\
import signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
sys.path[:] = sys.argv[2:]
from holmgang.arena.events.executor import work
work(int(sys.argv[1]))
"""


def work(file: int) -> None:
    """The program of a worker; `file` is its end of the socket."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    os.set_inheritable(file, False)
    load_environment()
    connection = Connection(file)
    batches: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=receive, args=(connection, batches), daemon=True).start()
    while True:
        answer: PlayedBatch | Exception
        try:
            answer = play_batch(pickle.loads(batches.get()))  # noqa: S301 - our own
        except Exception as error:  # noqa: BLE001 - it is raised where the batch came from
            error.add_note("".join(format_exception(error)))
            answer = error
        with suppress(BrokenPipeError):  # `receive` is about to end this process
            connection.send(answer)


def receive(connection: Connection, batches: SimpleQueue[bytes]) -> None:
    """Receives batches until the other end is closed, then exits at once; runs in a worker."""
    try:
        while True:
            batches.put(connection.recv_bytes())
    except (EOFError, OSError):
        os._exit(1)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Delays Ctrl-C until the end of the block."""
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


# A cluster


class ClusterWorkers:
    """The workers of a Dask cluster. They need this version of holmgang, and bots and games under
    the same paths. Dask itself moves the batch of a dead worker to another.
    """

    def __init__(self, address: str) -> None:
        """Raises UsageError if Dask is not installed, or no scheduler with workers answers."""
        try:
            import distributed
        except ImportError:
            raise UsageError("--cluster needs Dask: pip install 'holmgang[cluster]'") from None
        dask: Any = distributed  # only partly typed
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

    def submit(self, tasks: Sequence[GameTask]) -> Future[PlayedBatch]:
        games = os.environ.get(ENVIRONMENT, "")
        return self.call(play_batch_of, games, list(tasks))

    def call(self, function: Callable[..., Result], *arguments: object) -> Future[Result]:
        """Calls any function of this package on the cluster."""
        return self._pool.submit(function, *arguments)

    def is_loss(self, error: BaseException) -> bool:
        return isinstance(error, self._lost)

    def renew(self) -> None:
        self._client.wait_for_workers(1, timeout=CLUSTER_SECONDS)

    def close(self) -> None:
        self._pool.shutdown(wait=False)  # Dask then cancels unfinished batches
        self._client.close(timeout=CLUSTER_SECONDS)


def workers_at(cluster: str | None, count: int | None) -> Workers:
    """The workers of a cluster, or `count` local processes (default: one for each core)."""
    if cluster is not None:
        return ClusterWorkers(cluster)
    return LocalWorkers(available_cores() if count is None else count)
