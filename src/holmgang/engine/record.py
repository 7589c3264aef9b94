"""Records: a duel as JSON Lines, written as it happens, and played again from the file.

A header line, a line for each decision round, a result line; docs/record-format.md has the fields.
Chance outcomes are stored, so a record replays whatever becomes of the generator.
"""

import fcntl
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from typing import Any

from holmgang.engine.duel import DISQUALIFIED, ENDINGS, Duel, Round
from holmgang.errors import HolmgangError, RecordError, ReplayError, RulesetError
from holmgang.games.contract import SEATS
from holmgang.games.outcome import Outcome
from holmgang.games.ruleset import Ruleset, load
from holmgang.games.shape import brief
from holmgang.version import VERSION

FORMAT = 1
LARGEST_FILE = 100_000_000

encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def state_hash(state_json: Mapping[str, Any]) -> str:
    """16 hex digits over a state, the same on every machine."""
    text = json.dumps(state_json, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# Writing


def header_line(duel: Duel, seats: Mapping[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    started_elsewhere = duel.start != duel.ruleset.initial()
    return {
        "holmgang": FORMAT,
        "ruleset": duel.ruleset.text,
        "ruleset_hash": duel.ruleset.hash,
        "engine": VERSION,
        "seats": {seat: seats.get(seat, {"name": seat}) for seat in SEATS},
        "seed": duel.seed,
        "round_limit": duel.round_limit,
        **({"start": duel.ruleset.format_state(duel.start)} if started_elsewhere else {}),
        **extra,
    }


def round_line(revealed: Round, state_json: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "round": revealed.number,
        "red": revealed.red,
        "blue": revealed.blue,
        "chance": revealed.chance,
        "ms": revealed.ms,
        "state": state_hash(state_json),
    }


def result_line(duel: Duel, outcome: Outcome) -> dict[str, Any]:
    return {"result": outcome.as_json(), "rounds": len(duel.rounds)}


class RecordWriter:
    """Follows a duel and writes its record line by line, so that an interruption loses nothing.

    The file is locked while it is being written. Raises RecordError if a line cannot be written, as
    on a full disk. The file then ends with the last whole line; without any it is removed.
    """

    def __init__(self, path: Path, *, seats: Mapping[str, Any] | None = None, **extra: Any) -> None:
        """Makes the file, which must not exist yet; `extra` goes into the header."""
        self.path = path
        self._seats = seats or {}
        self._extra = extra
        self._file: FileIO | None = None

    def on_start(self, duel: Duel) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = FileIO(self.path, "x")
            lock(self._file)
        except OSError as error:
            raise self._failed(error) from None
        started = datetime.now(UTC).isoformat(timespec="seconds")
        self._write(header_line(duel, self._seats, {"started": started, **self._extra}))

    def reopen(self) -> None:
        """Goes on with the file, after its last whole line. Raises `RecordError` if another process
        is writing it.
        """
        try:
            self._file = FileIO(self.path, "r+")
            lock(self._file)
            self._file.truncate(self.path.read_bytes().rfind(b"\n") + 1)
            self._file.seek(0, os.SEEK_END)
        except BlockingIOError:
            self.close()
            raise RecordError(f"{self.path} is being written by another process") from None
        except OSError as error:
            raise self._failed(error) from None

    def close(self) -> None:
        """Stops here; the record can be taken up again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def on_round(self, duel: Duel, revealed: Round) -> None:
        if self._file is None:
            self.on_start(duel)
        self._write(round_line(revealed, duel.state_json))

    def on_end(self, duel: Duel, outcome: Outcome) -> None:
        if self._file is None:
            self.on_start(duel)
        self._write(result_line(duel, outcome))
        assert self._file is not None  # noqa: S101 - on_start has opened it
        try:
            os.fsync(self._file.fileno())
            self._file.close()
        except OSError as error:
            raise self._failed(error) from None

    def _write(self, line: dict[str, Any]) -> None:
        assert self._file is not None  # noqa: S101 - on_start has opened it
        whole = self._file.tell()
        rest = encoded(line)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(whole)
                self._file.close()
                if whole == 0:
                    self.path.unlink()
            raise self._failed(error) from None

    def _failed(self, error: OSError) -> RecordError:
        return RecordError(f"cannot write the record {self.path}: {error.strerror}")


def encoded(line: dict[str, Any]) -> bytes:
    """A line of a record. Half a surrogate pair, being no text, becomes JSON's own escape."""
    return f"{encode(line)}\n".encode(errors="backslashreplace")


def lock(file: FileIO) -> None:
    """Keeps other processes from writing the file. Raises BlockingIOError if one is writing it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        pass  # a file system without locks


def is_locked(path: Path) -> bool:
    """Whether someone is writing this record just now."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def save(duel: Duel, path: str | Path, seats: Mapping[str, Any] | None = None) -> Path:
    """Writes the record of a duel as far as it has come; the file must not exist yet."""
    path = Path(path)
    lines = [header_line(duel, seats or {}, {})]
    replayed = Duel(duel.ruleset, seed=duel.seed, start=start_of(duel), round_limit=0)
    for revealed in duel.rounds:
        replay_round(replayed, revealed)
        lines.append(round_line(revealed, replayed.state_json))
    if duel.outcome is not None:
        lines.append(result_line(duel, duel.outcome))
    try:
        with path.open("xb") as file:
            file.writelines(map(encoded, lines))
    except OSError as error:
        if not isinstance(error, FileExistsError):
            path.unlink(missing_ok=True)
        raise RecordError(f"cannot write the record {path}: {error.strerror}") from None
    return path


def start_of(duel: Duel) -> dict[str, Any]:
    return duel.ruleset.format_state(duel.start)


# Reading


@dataclass(frozen=True)
class Record:
    """A record as it stands in its file: the shape is checked, the duel is not played yet."""

    name: str
    ruleset: Ruleset
    header: dict[str, Any]
    rounds: list[dict[str, Any]] = field(default_factory=list)
    result: dict[str, Any] | None = None

    @property
    def is_complete(self) -> bool:
        return self.result is not None


def read(path: str | Path) -> Record:
    """The record in a file. Raises `RecordError` naming the line that is wrong."""
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
        raise RecordError(f"{name} is cut off: its last line has no end")
    lines = list(parse_lines(text, name))
    if not lines or "holmgang" not in lines[0]:
        raise RecordError(f"{name} is not a Holmgang record: its first line is no header")
    header = lines[0]
    ruleset = parse_header(header, name)
    result = lines.pop() if len(lines) > 1 and "result" in lines[-1] else None
    for number, line in enumerate(lines[1:], start=2):
        check_round(line, number, name)
    if result is not None:
        check_result(result, len(lines) + 1, name, rounds=len(lines) - 1)
    return Record(name, ruleset, header, lines[1:], result)


def parse_lines(text: str, name: str) -> Iterator[dict[str, Any]]:
    lines = text.split("\n")[:-1]  # and nowhere else: a name may hold what Unicode calls a line end
    for number, line in enumerate(lines, start=1):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise RecordError(f"{name}, line {number}: not JSON: {brief(line)}") from None
        if not isinstance(value, dict):
            raise RecordError(f"{name}, line {number}: not a JSON object: {brief(value)}")
        yield value


def parse_header(header: dict[str, Any], name: str) -> Ruleset:
    if type(header["holmgang"]) is not int or header["holmgang"] != FORMAT:
        raise RecordError(
            f"{name} is a record of format {brief(header['holmgang'])}; Holmgang {VERSION} reads "
            f"format {FORMAT}"
        )
    try:
        ruleset = load(header.get("ruleset", ""))
    except RulesetError as error:
        raise RecordError(f"{name}, line 1: {error}") from None
    if header.get("ruleset_hash") != ruleset.hash:
        raise RecordError(
            f"{name}, line 1: it was played by other rules of {ruleset.text} (hash "
            f"{brief(header.get('ruleset_hash'))}, here {ruleset.hash})"
        )
    for key in ("seed", "round_limit"):
        if type(header.get(key)) is not int or header[key] < 0:
            raise RecordError(f"{name}, line 1: {key} must be a whole number")
    if not isinstance(header.get("seats"), dict):
        raise RecordError(f"{name}, line 1: seats must be a JSON object")
    return ruleset


def check_round(line: dict[str, Any], number: int, name: str) -> None:
    if "result" in line:
        raise RecordError(f"{name}, line {number}: something follows the result")
    if line.get("round") != number - 1:
        raise RecordError(f"{name}, line {number}: expected round {number - 1}")
    for key in ("red", "blue", "chance", "state"):
        if key not in line:
            raise RecordError(f"{name}, line {number}: {key} is missing")


def check_result(line: dict[str, Any], number: int, name: str, *, rounds: int) -> None:
    result = line["result"]
    if (
        not isinstance(result, dict)
        or result.get("winner", "") not in (*SEATS, None)
        or not isinstance(result.get("reason"), str)
    ):
        raise RecordError(f"{name}, line {number}: not a result: {brief(result)}")
    if line.get("rounds") != rounds:
        raise RecordError(
            f"{name}, line {number}: the result tells of {brief(line.get('rounds'))} rounds, the "
            f"record has {rounds}"
        )


# Replaying


def replay_round(duel: Duel, revealed: Round) -> None:
    for seat, choice in (("red", revealed.red), ("blue", revealed.blue)):
        if choice is not None:
            duel.choose(seat, choice)
    duel.reveal(chance=revealed.chance)


def replay(record: Record | str | Path) -> Duel:
    """Plays the record again, checking every state and the result, and gives the duel as it stood
    at the end. Raises `ReplayError` at the first difference.
    """
    if not isinstance(record, Record):
        record = read(record)
    *_, duel = replaying(record)
    return duel


def resume(record: Record) -> Duel:
    """The duel of an unfinished record, ready to go on with the dice that it would have had. Raises
    as `replay` does.
    """
    *_, duel = replaying(record, clock=time.monotonic)
    return duel


def replaying(record: Record, clock: Callable[[], float] = lambda: 0.0) -> Iterator[Duel]:
    """The duel at its start and after each round. It is one duel that moves on, not a copy each."""
    header = record.header
    try:
        duel = Duel(
            record.ruleset,
            seed=header["seed"],
            start=header.get("start"),
            round_limit=header["round_limit"],
            clock=clock,
        )
    except HolmgangError as error:
        raise RecordError(f"{record.name}, line 1: {error}") from None
    yield duel
    for line in record.rounds:
        where = f"{record.name}, round {line['round']}"
        revealed = Round(line["round"], line["red"], line["blue"], line["chance"], {}, [])
        try:
            replay_round(duel, revealed)
        except HolmgangError as error:
            raise ReplayError(f"{where}: {error}") from None
        here = state_hash(duel.state_json)
        if line["state"] != here:
            raise ReplayError(
                f"{where}: the record has state {brief(line['state'])}, played {here}"
            )
        if duel.rounds[-1].chance != line["chance"]:
            raise ReplayError(f"{where}: chance is written as {brief(line['chance'])}")
        yield duel
    if record.result is not None:
        finish(duel, record)
        yield duel


def finish(duel: Duel, record: Record) -> None:
    """Checks the result against the duel, or gives it the ending that the rules do not know of."""
    assert record.result is not None  # noqa: S101 - the caller has looked
    result = record.result["result"]
    if duel.outcome is None:
        if result["reason"] not in ENDINGS or result["reason"] == "limit":
            raise ReplayError(
                f"{record.name}: it ends with {brief(result['reason'])}, but the duel goes on"
            )
        if result["reason"] in DISQUALIFIED:
            failed = [seat for seat in SEATS if seat != result["winner"]]
            duel.course.end(duel.ruleset.disqualification(failed, result["reason"]))
        elif (result["winner"] is None) == (result["reason"] == "forfeit"):
            raise ReplayError(f"{record.name}: no {result['reason']} has that winner")
        else:
            duel.course.end(Outcome(result["winner"], result["reason"]))
    if duel.outcome is None or result != duel.outcome.as_json():
        raise ReplayError(
            f"{record.name}: the record's result is {encode(result)}, the duel's "
            f"{encode(duel.outcome.as_json()) if duel.outcome else None}"
        )
