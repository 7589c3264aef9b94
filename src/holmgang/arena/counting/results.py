"""The log of results: one line of JSON for each game, only ever added to. It is the truth.

Every table, rating and page is derived from it. A game is known by its id and counts once, however
often it was played. A last line that was cut off by a crash is dropped, and its game played again.
"""

import fcntl
import os
import time
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Self

import orjson

from holmgang.arena.fields import known
from holmgang.arena.fixture import Fixture, parse_fixture
from holmgang.arena.task import GameResult, SeatReport
from holmgang.errors import RecordError, UsageError

SYNC_SECONDS = 0.5
"""How much play a power failure may cost. The end of the process, however sudden, costs nothing."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """How a bot behaved in a game, whoever won."""

    status: str = "ok"
    detail: str = ""
    answers: int = 0
    median_ms: float = 0.0
    slowest_ms: float = 0.0

    @classmethod
    def of(cls, report: SeatReport) -> "Conduct":
        times = sorted(report.latencies_ms)
        middle = round(times[len(times) // 2], 3) if times else 0.0
        slowest = round(times[-1], 3) if times else 0.0
        return cls(report.status, report.detail, len(times), middle, slowest)


@dataclass(frozen=True, slots=True)
class Entry:
    """What the log keeps of a game. `winner` is "red", "blue" or None for a draw."""

    id: str
    ruleset: str
    seed: int
    winner: str | None
    reason: str
    rounds: int
    red: Conduct
    blue: Conduct
    record: str | None = None
    """The file of the record, from where the log is: both may be moved together."""

    @classmethod
    def of(cls, result: GameResult, folder: Path) -> "Entry":
        """The entry of a result: all of it, but of its latencies the middle and the largest."""
        red, blue = Conduct.of(result.red), Conduct.of(result.blue)
        record = None if result.record is None else os.path.relpath(result.record, folder)
        return cls(
            result.id,
            result.ruleset,
            result.seed,
            result.winner,
            result.reason,
            result.rounds,
            red,
            blue,
            record,
        )

    @property
    def fixture(self) -> Fixture:
        return parse_fixture(self.id)

    @property
    def red_points(self) -> float:
        return 0.5 if self.winner is None else float(self.winner == "red")


def format_entry(entry: Entry) -> bytes:
    return orjson.dumps(asdict(entry)) + b"\n"


def parse_entry(line: bytes) -> Entry:
    """The entry that a line holds; fields that are not known are passed over. Raises ValueError."""
    try:
        value = orjson.loads(line)
        seats = {seat: Conduct(**known(Conduct, value[seat])) for seat in ("red", "blue")}
        entry = Entry(**known(Entry, {**value, **seats}))
        parse_fixture(entry.id)
    except (TypeError, KeyError, AttributeError, UsageError) as error:
        raise ValueError(str(error)) from None
    if entry.winner not in ("red", "blue", None):
        raise ValueError(f"no seat is called {entry.winner}")
    return entry


class Results(dict[str, Entry]):
    """The entries of a log by id, in the order in which they came."""

    def add(self, entries: Iterable[Entry]) -> list[Entry]:
        """Those of them that are new; a game counts once."""
        new = []
        for entry in entries:
            if entry.id not in self:
                self[entry.id] = entry
                new.append(entry)
        return new


def read_results(path: Path) -> Results:
    """All that a log says, without waiting for who writes it. A log that is not there is empty.

    Raises RecordError if a line other than the last cannot be read.
    """
    return scan(path)[0]


def scan(path: Path) -> tuple[Results, int]:
    """The results in a log, and how many of its bytes are sound."""
    results, sound = Results(), 0
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except FileNotFoundError:
        return results, sound
    except OSError as error:
        raise RecordError(f"cannot read the results {path}: {error.strerror}") from None
    for number, line in enumerate(lines, start=1):
        try:
            if not line.endswith(b"\n"):
                raise ValueError("cut off")
            results.add([parse_entry(line)])
        except ValueError as error:
            if number == len(lines):  # the writer was stopped in the middle of it
                break
            raise RecordError(f"{path}, line {number} is no result: {error}") from None
        sound += len(line)
    return results, sound


class ResultLog:
    """A log that is open for writing, by nobody else at the same time.

    The lock is the kernel's: it goes when the process does, however it ends, and workers that were
    started meanwhile do not hold it.
    """

    def __init__(self, path: Path) -> None:
        """Raises UsageError if another process writes to it."""
        self.path = path
        with ExitStack() as opened:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                opened.enter_context(lock(path.with_suffix(".lock")))
                self.results, sound = scan(path)
                self._file: IO[bytes] = opened.enter_context(path.open("ab"))
                self._file.truncate(sound)
            except OSError as error:
                raise UsageError(f"cannot write the results {path}: {error.strerror}") from None
            self._opened = opened.pop_all()
        self._synced = time.monotonic()

    def add(self, results: Iterable[GameResult]) -> list[Entry]:
        """Writes those that are new, and gives them back."""
        folder = self.path.parent.resolve()
        new = self.results.add(Entry.of(result, folder) for result in results)
        self._file.write(b"".join(map(format_entry, new)))
        self._file.flush()
        if time.monotonic() - self._synced > SYNC_SECONDS:
            self.sync()
        return new

    def sync(self) -> None:
        os.fsync(self._file.fileno())
        self._synced = time.monotonic()

    def close(self) -> None:
        if not self._file.closed:
            self.sync()
            self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def lock(path: Path) -> IO[bytes]:
    file = path.open("ab")
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise UsageError(
            f"{path.parent} is in use: another process is adding results to it"
        ) from None
    return file
