"""The log of results: one line of JSON for each game, append-only. All tables are derived from it.

Every table, rating and page is derived from it. A game is known by its id and counts once, however
often it was played. A last line that was cut off by a crash is dropped, and its game played again.
A damaged line elsewhere is skipped and reported; its game counts as not played.
"""

import fcntl
import os
import time
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, NoReturn, Protocol, Self

import orjson

from holmgang.arena.fields import known
from holmgang.arena.fixture import Fixture, parse_fixture
from holmgang.arena.task import GameResult, SeatReport
from holmgang.errors import RecordError, UsageError
from holmgang.stats import percentile

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
    strikes: int = 0
    dropped: int = 0
    latencies_ms: list[float] = field(default_factory=list)
    """The time charged for each answer, if the log keeps times."""
    wall_ms: list[float] = field(default_factory=list)

    @classmethod
    def of(cls, report: SeatReport, *, with_times: bool = False) -> "Conduct":
        times = sorted(report.latencies_ms)
        return cls(
            status=report.status,
            detail=report.detail,
            answers=len(times),
            median_ms=round(percentile(times, 0.5), 3) if times else 0.0,
            slowest_ms=round(times[-1], 3) if times else 0.0,
            strikes=report.strikes,
            dropped=report.dropped,
            latencies_ms=[round(ms, 3) for ms in report.latencies_ms] if with_times else [],
            wall_ms=[round(ms, 3) for ms in report.wall_ms] if with_times else [],
        )

    def as_json(self) -> dict[str, Any]:
        """The fields, without the times if they are not kept."""
        return {
            name: value
            for name, value in asdict(self).items()
            if value or name not in ("latencies_ms", "wall_ms")
        }


@dataclass(frozen=True, slots=True)
class ResultEntry:
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
    def of(
        cls, result: GameResult, folder: Path | None = None, *, with_times: bool = False
    ) -> "ResultEntry":
        """The entry of a result in a log of that folder. Of the times of answers it has the median
        and the largest, or all `with_times`.
        """
        red, blue = (Conduct.of(each, with_times=with_times) for each in (result.red, result.blue))
        record = result.record
        if record is not None and folder is not None:
            record = os.path.relpath(record, folder)
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


def format_entry(entry: ResultEntry) -> bytes:
    seats = {"red": entry.red.as_json(), "blue": entry.blue.as_json()}
    return orjson.dumps({**asdict(entry), **seats}) + b"\n"


def parse_entry(line: bytes) -> ResultEntry:
    """The entry that a line holds; fields that are not known are passed over. Raises ValueError."""
    try:
        value = orjson.loads(line)
        seats = {seat: Conduct(**known(Conduct, value[seat])) for seat in ("red", "blue")}
        entry = ResultEntry(**known(ResultEntry, {**value, **seats}))
        parse_fixture(entry.id)
    except orjson.JSONDecodeError:
        raise ValueError("not JSON") from None
    except KeyError as error:
        raise ValueError(f"{error} is missing") from None
    except (TypeError, AttributeError, UsageError) as error:
        raise ValueError(str(error)) from None
    if entry.winner not in ("red", "blue", None):
        raise ValueError(f"unknown seat {entry.winner}")
    for conduct in (entry.red, entry.blue):
        if not all(type(ms) in (float, int) for ms in (*conduct.latencies_ms, *conduct.wall_ms)):
            raise ValueError("times must be numbers")
    return entry


class Results(dict[str, ResultEntry]):
    """The entries of a log by id, in the order in which they came."""

    def __init__(self) -> None:
        super().__init__()
        self.damage: list[str] = []
        """The lines of the log that cannot be read, in words."""

    def add(self, entries: Iterable[ResultEntry]) -> list[ResultEntry]:
        """Those of them that are new; a game counts once."""
        new = []
        for entry in entries:
            if entry.id not in self:
                self[entry.id] = entry
                new.append(entry)
        return new


def read_results(path: Path) -> Results:
    """All that a log says, without waiting for whoever writes to it. A missing log is empty.

    Lines that cannot be read are in `damage`. Raises RecordError if no line can be read, as such a
    file is no log.
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
            results.add([parse_entry(line)])
        except ValueError as error:
            if number == len(lines):  # the writer was stopped in the middle of it
                break
            results.damage.append(f"{path.name}, line {number}: {error}")
        size += len(line)
    if results.damage and not results:
        raise RecordError(f"{path} is not a log of results: {results.damage[0]}")
    return results, size


class Log(Protocol):
    """Where results go."""

    results: Results

    def add(self, results: Iterable[GameResult]) -> list[ResultEntry]:
        """Keeps those that are new, and returns them."""
        ...


class MemoryLog:
    """Results that are gone when the process ends. It keeps the times of all answers."""

    def __init__(self) -> None:
        self.results = Results()

    def add(self, results: Iterable[GameResult]) -> list[ResultEntry]:
        return self.results.add(ResultEntry.of(each, with_times=True) for each in results)


class ResultLog:
    """A log that is open for writing, by nobody else at the same time.

    The lock is the kernel's: it goes when the process does, however it ends, and workers that were
    started meanwhile do not hold it.
    """

    def __init__(self, path: Path, *, with_times: bool = False) -> None:
        """`with_times` keeps the times of all answers. Raises UsageError if another process writes
        to it.
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

    def add(self, results: Iterable[GameResult]) -> list[ResultEntry]:
        folder = self.path.parent.resolve()
        new = self.results.add(
            ResultEntry.of(result, folder, with_times=self._with_times) for result in results
        )
        lines = memoryview(b"".join(map(format_entry, new)))
        size = self._size + len(lines)
        try:
            while lines:
                lines = lines[self._file.write(lines) :]
        except OSError as error:
            self._file.truncate(self._size)  # a part of a line is of no use
            self._refuse(error)
        self._size = size
        if time.monotonic() - self._synced > SYNC_SECONDS:
            self.sync()
        return new

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
