"""The log of results: one line of JSON for each game, append-only.

All tables, ratings and pages are derived from it. A game is identified by its id and counts once,
however often it was played. If a crash cut off the last line, the line is dropped and its game
played again. A damaged line elsewhere is skipped and reported; its game counts as not played.
"""

import fcntl
import os
import time
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import IO, NoReturn, Self

import msgspec
from msgspec.structs import replace

from holmgang.arena.fixture import parse_fixture
from holmgang.arena.task import GameResult
from holmgang.errors import RecordError, UsageError
from holmgang.games.contract import SEATS

SYNC_SECONDS = 0.5
"""Seconds of play that a power failure may lose. A crash of the process loses none."""

decode = msgspec.json.Decoder(GameResult).decode


def parse_result(line: bytes) -> GameResult:
    """The result in a line of the log; unknown fields are ignored. Raises ValueError."""
    try:
        result = decode(line)
        parse_fixture(result.id)
    except (RecursionError, UsageError) as error:
        raise ValueError(str(error)) from None
    return result


def format_result(result: GameResult) -> bytes:
    """The line of the log. Empty lists of times are left out."""
    value = msgspec.to_builtins(result)
    for seat in SEATS:
        for times in ("latencies_ms", "wall_ms"):
            if not value[seat][times]:
                del value[seat][times]
    return msgspec.json.encode(value) + b"\n"


class Results(dict[str, GameResult]):
    """The results in a log by id, in the order of the log."""

    def __init__(self) -> None:
        super().__init__()
        self.damage: list[str] = []
        """A sentence for each line of the log that cannot be read."""

    def add(self, results: Iterable[GameResult]) -> list[GameResult]:
        """Adds the results of new games and returns them."""
        new = []
        for result in results:
            if result.id not in self:
                self[result.id] = result
                new.append(result)
        return new


def read_results(path: Path) -> Results:
    """The results in a log, without waiting for its writer. A missing log is empty.

    Lines that cannot be read are reported in `damage`. Raises RecordError if no line can be read:
    then the file is not a log.
    """
    return scan(path)[0]


def scan(path: Path) -> tuple[Results, int]:
    """The results in a log, and its length without a last line that was cut off."""
    results, size = Results(), 0
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except FileNotFoundError:
        return results, size
    except OSError as error:
        raise RecordError(f"cannot read the results {path}: {error.strerror}") from None
    for number, line in enumerate(lines, start=1):
        try:
            if not line.endswith(b"\n"):
                raise ValueError("cut off")
            results.add([parse_result(line)])
        except ValueError as error:
            if number == len(lines):  # the writer was interrupted
                break
            results.damage.append(f"{path.name}, line {number}: {error}")
        size += len(line)
    if results.damage and not results:
        raise RecordError(f"{path} is not a log of results: {results.damage[0]}")
    return results, size


class Log:
    """Keeps results in memory, with all times."""

    def __init__(self) -> None:
        self.results = Results()

    def add(self, results: Iterable[GameResult]) -> list[GameResult]:
        """Stores the results of new games and returns them."""
        return self.results.add(results)


class ResultLog(Log):
    """A log that is open for writing, by only one process at a time.

    The kernel holds the lock: it is released when the process ends, however that happens, and
    workers do not inherit it.
    """

    def __init__(self, path: Path, *, with_times: bool = False) -> None:
        """`with_times` stores the times of all answers. Raises UsageError if another process has
        the log open for writing.
        """
        self.path = path
        self._with_times = with_times
        with ExitStack() as opened:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                opened.enter_context(lock(path.with_suffix(".lock")))
                self.results, self._size = scan(path)
                self._file = opened.enter_context(path.open("ab", buffering=0))
                self._file.truncate(self._size)
            except OSError as error:
                self._refuse(error)
            self._opened = opened.pop_all()
        self._synced = time.monotonic()

    def add(self, results: Iterable[GameResult]) -> list[GameResult]:
        folder = self.path.parent.resolve()
        new = self.results.add(self._stored(result, folder) for result in results)
        lines = memoryview(b"".join(map(format_result, new)))
        size = self._size + len(lines)
        try:
            while lines:
                lines = lines[self._file.write(lines) :]
        except OSError as error:
            self._file.truncate(self._size)  # removes a partly written line
            self._refuse(error)
        self._size = size
        if time.monotonic() - self._synced > SYNC_SECONDS:
            self.sync()
        return new

    def _stored(self, result: GameResult, folder: Path) -> GameResult:
        """The result as this log stores it. The path of its record is relative to the log, so that
        both can be moved together.
        """
        record = result.record and os.path.relpath(result.record, folder)
        if self._with_times:
            return replace(result, record=record)
        red, blue = (
            replace(seat, latencies_ms=[], wall_ms=[]) for seat in (result.red, result.blue)
        )
        return replace(result, record=record, red=red, blue=blue)

    def _refuse(self, error: OSError) -> NoReturn:
        raise UsageError(f"cannot write the results {self.path}: {error.strerror}") from None

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
