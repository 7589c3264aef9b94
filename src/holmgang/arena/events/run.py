"""Plays the games of a schedule until none is due: the loop behind all contests.

Whatever happens to the workers, this process or the machine, the log has each game once or not at
all, and running again plays the missing games.
"""

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass, field
from math import inf

from holmgang.arena.counting.results import Log
from holmgang.arena.events.executor import PlayedBatch, Workers
from holmgang.arena.events.schedule import Schedule
from holmgang.arena.fixture import Fixture
from holmgang.arena.task import GameTask
from holmgang.engine.progress import Progress
from holmgang.errors import UsageError

BATCH_SECONDS = 1.5
AHEAD = 2  # batches under way for each worker: one being played, and one waiting
MOST_LOSSES = 5  # consecutive deaths of workers without a finished game
PATIENCE = 0.2  # polling interval of `is_over` in seconds


@dataclass
class BatchPace:
    """The number of games in a batch, adjusted so that a batch takes about `BATCH_SECONDS`."""

    size: int = 2

    def learn(self, batch: PlayedBatch) -> None:
        if batch.results:
            fitting = BATCH_SECONDS * len(batch.results) / max(batch.seconds, 1e-6)
            self.size = max(2, min(round(fitting), 4 * self.size))


@dataclass
class Run:
    """Games under way between a schedule, workers and a log."""

    schedule: Schedule
    task_of: Callable[[Fixture], GameTask]
    log: Log
    workers: Workers
    limit: int | None = None
    """The maximum number of games to play."""
    is_over: Callable[[], bool] = lambda: False
    """Whether to start no more games; polled several times a second."""
    played: int = 0

    pace: BatchPace = field(default_factory=BatchPace)
    _waiting: deque[Fixture] = field(default_factory=deque)
    _flying: dict[Future[PlayedBatch], list[Fixture]] = field(default_factory=dict)
    _losses: int = 0

    def play(self, progress: Progress = lambda played: None) -> int:
        """Plays until no game is due. Returns the number of games played. Raises UsageError."""
        while True:
            self._send()
            if not self._flying:
                return self.played
            done, _ = wait(self._flying, timeout=PATIENCE, return_when=FIRST_COMPLETED)
            received = [self._receive(future) for future in sorted(done, key=has_failed)]
            if not all(received):
                self._recover()
            progress(self.played)

    def _send(self) -> None:
        slots = self.workers.slots
        while len(self._flying) < AHEAD * slots and self._room() > 0 and not self.is_over():
            if not self._waiting:
                self._waiting.extend(self._due(slots))
            fixtures = self._next_batch(slots)
            if not fixtures:
                return
            try:
                future = self.workers.submit([self.task_of(each) for each in fixtures])
                self._flying[future] = fixtures
            except BrokenExecutor:
                self._waiting.extendleft(reversed(fixtures))
                self._recover()

    def _room(self) -> float:
        """The number of games that may still be sent."""
        if self.limit is None:
            return inf
        return self.limit - self.played - sum(map(len, self._flying.values()))

    def _due(self, slots: int) -> Iterable[Fixture]:
        under_way = {each.id for fixtures in self._flying.values() for each in fixtures}
        wanted = (AHEAD * slots - len(self._flying)) * self.pace.size
        due = self.schedule.due(self.log.results, under_way, wanted)
        return (each for each in due if each.id not in under_way)

    def _next_batch(self, slots: int) -> list[Fixture]:
        """The next games due; smaller batches towards the end, so that all workers stay busy."""
        left = int(min(len(self._waiting), self._room()))
        size = min(self.pace.size, max(2, -(-left // (AHEAD * slots))), left)
        return [self._waiting.popleft() for _ in range(size)]

    def _receive(self, future: Future[PlayedBatch]) -> bool:
        """Logs the results of a batch. Returns False if it was lost. Raises a game's exception."""
        if future.cancelled():
            return False
        error = future.exception()
        if error is not None and self.workers.is_loss(error):
            return False
        batch = future.result()
        del self._flying[future]
        self.log.add(batch.results)
        self.played += len(batch.results)
        self.pace.learn(batch)
        self._losses = 0
        return True

    def _recover(self) -> None:
        """After the death of a worker: sends all unfinished games again, in small batches."""
        self._losses += 1
        for future in list(self._flying):
            if not (future.done() and self._receive(future)):
                self._waiting.extendleft(reversed(self._flying.pop(future)))
        if self._losses > MOST_LOSSES:
            raise UsageError(
                f"workers died {self._losses} times without finishing a game; the games due next"
                f" are {', '.join(each.id for each in list(self._waiting)[:3])}"
            )
        self.pace = BatchPace()
        self.workers.renew()


def has_failed(future: Future[PlayedBatch]) -> bool:
    """A sort key that puts failed batches last, so that finished ones are logged first."""
    return future.cancelled() or future.exception() is not None
