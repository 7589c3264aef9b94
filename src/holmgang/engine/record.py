"""Records: a duel as JSON Lines, written as it is played, and replayed from the file.

A record has a header line, a line for each decision round, and a result line;
docs/record-format.md lists the fields. Chance outcomes are stored, so that a record can be replayed
even if the random generator changes.
"""

import fcntl
import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path

from holmgang.engine.duel import DISQUALIFIED, Duel
from holmgang.engine.events import Created, Ended, Event, Revealed
from holmgang.errors import HolmgangError, RecordError, ReplayError, RulesetError
from holmgang.games.contract import SEATS
from holmgang.games.outcome import Outcome
from holmgang.games.ruleset import Ruleset, load_stored
from holmgang.games.shape import JsonObject, brief
from holmgang.version import VERSION

FORMAT = 1
LARGEST_FILE = 100_000_000

LONGEST_MS = 10**12
"""Longer times are ignored as implausible."""

encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


# The lines


def header_line(
    created: Created, seats: Mapping[str, object], extra: Mapping[str, object]
) -> bytes:
    start = created.start_json()
    return encoded(
        {
            "holmgang": FORMAT,
            "ruleset": created.ruleset.text,
            "ruleset_hash": created.ruleset.hash,
            "engine": VERSION,
            "seats": {seat: seats.get(seat, {"name": seat}) for seat in SEATS},
            "seed": created.seed,
            "round_limit": created.round_limit,
            **({} if start is None else {"start": start}),
            **extra,
        }
    )


def round_line(
    number: int,
    public: bytes,
    red_ms: float | None,
    blue_ms: float | None,
    state: bytes,
    mix: bytes | None = None,
) -> bytes:
    """The line of a round, from parts that are encoded already: `public` is an object with both
    choices and the chance outcome, `mix` one with the mixes that choices were drawn from. A seat
    without a choice has no time. Times are rounded.
    """
    if blue_ms is None:
        ms = b"" if red_ms is None else b'"red":%d' % (red_ms + 0.5)
    elif red_ms is None:
        ms = b'"blue":%d' % (blue_ms + 0.5)
    else:
        ms = b'"red":%d,"blue":%d' % (red_ms + 0.5, blue_ms + 0.5)
    line = b'{"round":%d,%b,"ms":{%b},"state":"%b"' % (number, public[1:-1], ms, state)
    return line + b"}\n" if mix is None else b'%b,"mix":%b}\n' % (line, mix)


def revealed_line(event: Revealed) -> bytes:
    public = encode({"red": event.red, "blue": event.blue, "chance": event.chance}).encode()
    red_ms, blue_ms = (event.ms.get(seat) for seat in SEATS)
    return round_line(event.round, public, red_ms, blue_ms, event.state.encode())


def result_line(outcome: Outcome, rounds: int) -> bytes:
    return encoded({"result": outcome.as_json(), "rounds": rounds})


def encoded(line: JsonObject) -> bytes:
    """A line of a record. A lone surrogate, which UTF-8 cannot encode, is escaped."""
    return f"{encode(line)}\n".encode(errors="backslashreplace")


# Writing


class RecordWriter:
    """Follows a duel and writes its record line by line, so that an interruption loses nothing.

    The file is locked while it is open. Raises `RecordError` if a line cannot be written, as on a
    full disk. The file then ends with the last whole line; an empty file is removed.
    """

    def __init__(
        self, path: Path, *, seats: Mapping[str, object] | None = None, **extra: object
    ) -> None:
        """The file must not exist, unless it is reopened. `extra` is added to the header."""
        self.path = path
        self._seats = seats or {}
        self._extra = extra
        self._file: FileIO | None = None

    def start(self, duel: Duel) -> None:
        """Creates the file and writes the header."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = FileIO(self.path, "x")
            lock(self._file)
        except OSError as error:
            raise self._failed(error) from None
        started = datetime.now(UTC).isoformat(timespec="seconds")
        self._write(header_line(duel.created, self._seats, {"started": started, **self._extra}))

    def reopen(self, duel: Duel) -> None:
        """Continues the file of that duel after its last whole line. Raises `RecordError` if
        another process is writing it, or has written to it since it was read.
        """
        try:
            self._file = FileIO(self.path, "r+")
            lock(self._file)
            content = self.path.read_bytes()
            if content.count(b"\n") != 1 + len(duel.rounds) + duel.is_over:
                self.close()
                raise RecordError(f"{self.path} was continued by another process meanwhile")
            self._file.truncate(content.rfind(b"\n") + 1)
            self._file.seek(0, os.SEEK_END)
        except BlockingIOError:
            self.close()
            raise RecordError(f"{self.path} is being written by another process") from None
        except OSError as error:
            raise self._failed(error) from None

    def close(self) -> None:
        """Closes the file; `reopen` can continue it."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def on_event(self, duel: Duel, event: Event) -> None:
        if not isinstance(event, Created | Revealed | Ended):
            return
        if self._file is None:
            self.start(duel)
        if isinstance(event, Revealed):
            self._write(revealed_line(event))
        elif isinstance(event, Ended):
            self._write(result_line(event.outcome, len(duel.rounds)))
            self._finish()

    def _write(self, line: bytes) -> None:
        assert self._file is not None  # noqa: S101 - start has opened it
        whole = self._file.tell()
        try:
            while line:
                line = line[self._file.write(line) :]
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(whole)
                self._file.close()
                if whole == 0:
                    self.path.unlink()
            raise self._failed(error) from None

    def _finish(self) -> None:
        assert self._file is not None  # noqa: S101 - start has opened it
        try:
            os.fsync(self._file.fileno())
            self._file.close()
        except OSError as error:
            raise self._failed(error) from None

    def _failed(self, error: OSError) -> RecordError:
        return RecordError(f"cannot write the record {self.path}: {error.strerror}")


def lock(file: FileIO) -> None:
    """Locks the file for writing. Raises `BlockingIOError` if another process has locked it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        pass  # a file system without locks


def is_locked(path: Path) -> bool:
    """Whether a process is writing this record now."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def record_lines(duel: Duel, seats: Mapping[str, object] | None = None) -> list[bytes]:
    """The lines of the record of a duel so far."""
    lines = [header_line(duel.created, seats or {}, {})]
    lines += [revealed_line(event) for event in duel.events if isinstance(event, Revealed)]
    if duel.outcome is not None:
        lines.append(result_line(duel.outcome, len(duel.rounds)))
    return lines


def save(duel: Duel, path: str | Path, seats: Mapping[str, object] | None = None) -> Path:
    """Writes the record of a duel so far; the file must not exist yet."""
    path = Path(path)
    lines = record_lines(duel, seats)
    try:
        with path.open("xb") as file:
            file.writelines(lines)
    except OSError as error:
        if not isinstance(error, FileExistsError):
            path.unlink(missing_ok=True)
        raise RecordError(f"cannot write the record {path}: {error.strerror}") from None
    return path


# Reading


@dataclass(frozen=True)
class Record:
    """A record as read from its file: the format is checked, but the duel is not replayed yet."""

    name: str
    ruleset: Ruleset
    header: JsonObject
    rounds: list[JsonObject] = field(default_factory=list)
    result: JsonObject | None = None

    @property
    def is_complete(self) -> bool:
        return self.result is not None


def read(path: str | Path) -> Record:
    """The record in a file. Raises `RecordError`, which names the wrong line."""
    return parse(read_text(Path(path)), str(path))


def read_so_far(path: str | Path) -> Record:
    """The record in a file that may end in the middle of a line, as after a power cut."""
    return parse(read_text(Path(path), whole_lines=True), str(path))


def read_text(path: Path, *, whole_lines: bool = False) -> str:
    try:
        if not path.is_file() and path.exists():
            raise RecordError(f"{path} is not a file")
        if path.stat().st_size > LARGEST_FILE:
            raise RecordError(f"{path} is too large for a record")
        content = path.read_bytes()
        if whole_lines:
            content = content[: content.rfind(b"\n") + 1]
        return content.decode("utf-8")
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RecordError(f"{path} is not a record: it is not text") from None


def parse(text: str, name: str = "record") -> Record:
    if text and not text.endswith("\n"):
        raise RecordError(f"{name} is cut off: its last line is incomplete")
    lines = list(parse_lines(text, name))
    if not lines or "holmgang" not in lines[0]:
        raise RecordError(f"{name} is not a Holmgang record: its first line is not a header")
    header = lines[0]
    ruleset = parse_header(header, name)
    result = lines.pop() if len(lines) > 1 and "result" in lines[-1] else None
    for number, line in enumerate(lines[1:], start=2):
        check_round(line, number, name)
    if result is not None:
        check_result(result, len(lines) + 1, name, rounds=len(lines) - 1)
    return Record(name, ruleset, header, lines[1:], result)


def parse_lines(text: str, name: str) -> Iterator[JsonObject]:
    lines = text.split("\n")[:-1]  # not splitlines: names may contain other line separators
    for number, line in enumerate(lines, start=1):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise RecordError(f"{name}, line {number}: not JSON: {brief(line)}") from None
        if not isinstance(value, dict):
            raise RecordError(f"{name}, line {number}: not a JSON object: {brief(value)}")
        yield value


def parse_header(header: JsonObject, name: str) -> Ruleset:
    if type(header["holmgang"]) is not int or header["holmgang"] != FORMAT:
        raise RecordError(
            f"{name} is a record of format {brief(header['holmgang'])}; Holmgang {VERSION} reads "
            f"format {FORMAT}"
        )
    try:
        ruleset = load_stored(header.get("ruleset", ""), header.get("ruleset_hash"))
    except RulesetError as error:
        raise RecordError(f"{name}, line 1: {error}") from None
    for key in ("seed", "round_limit"):
        if type(header.get(key)) is not int or header[key] < 0:
            raise RecordError(f"{name}, line 1: {key} must be a whole number")
    if not isinstance(header.get("seats"), dict):
        raise RecordError(f"{name}, line 1: seats must be a JSON object")
    return ruleset


def check_round(line: JsonObject, number: int, name: str) -> None:
    if "result" in line:
        raise RecordError(f"{name}, line {number}: something follows the result")
    if line.get("round") != number - 1:
        raise RecordError(f"{name}, line {number}: expected round {number - 1}")
    for key in ("red", "blue", "chance", "state"):
        if key not in line:
            raise RecordError(f"{name}, line {number}: {key} is missing")


def check_result(line: JsonObject, number: int, name: str, *, rounds: int) -> None:
    result = line["result"]
    if (
        not isinstance(result, dict)
        or result.get("winner", "") not in (*SEATS, None)
        or not isinstance(result.get("reason"), str)
    ):
        raise RecordError(f"{name}, line {number}: not a result: {brief(result)}")
    if line.get("rounds") != rounds:
        raise RecordError(
            f"{name}, line {number}: the result claims {brief(line.get('rounds'))} rounds, the "
            f"record has {rounds}"
        )


# Replaying


def replay(record: Record | str | Path) -> Duel:
    """Replays the record, checking every state and the result, and returns the duel at its end.
    Raises `ReplayError` at the first difference.
    """
    if not isinstance(record, Record):
        record = read(record)
    *_, duel = replaying(record)
    return duel


def resume(record: Record) -> Duel:
    """The duel of an unfinished record, ready to be continued with the same dice. Raises like
    `replay`.
    """
    duel = replay(record)
    duel.set_clock(time.monotonic)
    return duel


def replaying(record: Record) -> Iterator[Duel]:
    """Yields the duel at its start and after each round: one duel that changes, not copies. Its
    clock shows the times of the record.
    """
    header, now = record.header, 0.0
    try:
        duel = Duel(
            record.ruleset,
            seed=header["seed"],
            start=header.get("start"),
            round_limit=header["round_limit"],
            clock=lambda: now,
        )
    except HolmgangError as error:
        raise RecordError(f"{record.name}, line 1: {error}") from None
    yield duel
    for line in record.rounds:
        where, opened = f"{record.name}, round {line['round']}", now
        took = {seat: seconds_of(line, seat) for seat in SEATS if line[seat] is not None}
        try:
            for seat in sorted(took, key=took.__getitem__):
                now = opened + took[seat]
                duel.choose(seat, line[seat])
            revealed = duel.reveal(chance=line["chance"])
        except HolmgangError as error:
            raise ReplayError(f"{where}: {error}") from None
        here = state_after(duel)
        if line["state"] != here:
            raise ReplayError(
                f"{where}: the record has state {brief(line['state'])}, played {here}"
            )
        if revealed.chance != line["chance"]:
            raise ReplayError(f"{where}: chance is written as {brief(line['chance'])}")
        yield duel
    if record.result is not None:
        finish(duel, record)
        yield duel


def seconds_of(line: JsonObject, seat: str) -> float:
    """The time that a choice took; 0 if the record has no plausible one."""
    times = line.get("ms")
    ms = times.get(seat) if isinstance(times, dict) else None
    return ms / 1000 if type(ms) is int and 0 <= ms <= LONGEST_MS else 0.0


def state_after(duel: Duel) -> str:
    """The hash of the state after the last round."""
    return next(event.state for event in reversed(duel.events) if isinstance(event, Revealed))


def finish(duel: Duel, record: Record) -> None:
    """Checks the result against the duel; an ending outside the rules is applied to it first."""
    assert record.result is not None  # noqa: S101 - checked by the caller
    result = record.result["result"]
    losers = [seat for seat in SEATS if seat != result["winner"]]
    if duel.outcome is None:
        match result["reason"]:
            case "forfeit":
                duel.forfeit(losers[0])
            case "agreement":
                for seat in SEATS:
                    duel.offer_draw(seat)
            case "abandoned":
                duel.abandon()
            case reason if reason in DISQUALIFIED:
                duel.disqualify(losers, reason)
            case reason:
                raise ReplayError(
                    f"{record.name}: it ends with {brief(reason)}, but the duel is not over"
                )
    ended = duel.outcome and duel.outcome.as_json()
    if result != ended:
        raise ReplayError(
            f"{record.name}: the record's result is {encode(result)}, the duel's {encode(ended)}"
        )
