"""A log of one game for people: every line that a bot was sent and answered, and what it wrote to
standard error. Only games that are logged go through here.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from holmgang.arena.judge.clock import Clock
from holmgang.arena.judge.process import KEPT_OF_STDERR, Process
from holmgang.arena.task import GameResult, GameTask
from holmgang.games.shape import printable
from holmgang.machine import write_whole

SENT, ANSWERED, STDERR = ">", "<", "!"
LEGEND = (
    f"Times are in milliseconds. {SENT} was sent to the bot, {ANSWERED} is an answer, {STDERR} is"
    " standard error, shown\nbefore the next request."
)


class TranscriptLine(NamedTuple):
    """Something that was said."""

    moment: float
    mark: str
    text: bytes


class LoggedProcess:
    """A bot's process, and all that is said to it and by it."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._lines: list[TranscriptLine] = []
        self._stderr = b""

    def take_lines(self) -> list[TranscriptLine]:
        """What was said since this was called last."""
        said, self._lines = self._lines, []
        return said

    def _note(self, mark: str, text: bytes) -> None:
        self._lines.append(TranscriptLine(perf_counter(), mark, text))

    def _read_stderr(self) -> None:
        said = self._process.take_stderr()
        if said:
            self._note(STDERR, said)
            self._stderr = (self._stderr + said)[-KEPT_OF_STDERR:]

    # As a process

    @property
    def clock(self) -> Clock:
        return self._process.clock

    @property
    def is_running(self) -> bool:
        return self._process.is_running

    @property
    def is_slow(self) -> bool:
        return self._process.is_slow

    def end_turn(self) -> tuple[float, float]:
        return self._process.end_turn()

    def take_stderr(self) -> bytes:
        self._read_stderr()
        said, self._stderr = self._stderr, b""
        return said

    def tell(self, lines: bytes) -> None:
        self._note(SENT, lines)
        self._process.tell(lines)

    def has_started(self) -> None:
        self._process.has_started()

    def flush(self) -> None:
        self._process.flush()

    def ask(self, line: bytes, limit_ms: float, hard_ms: float) -> bytes:
        self._read_stderr()
        self._note(SENT, line)
        answer = self._process.ask(line, limit_ms, hard_ms)
        self._note(ANSWERED, answer)
        return answer

    def hear(self, limit_ms: float, hard_ms: float) -> bytes:
        answer = self._process.hear(limit_ms, hard_ms)
        self._note(ANSWERED, answer)
        return answer

    def time_left(self, limit_ms: float, hard_ms: float) -> float:
        return self._process.time_left(limit_ms, hard_ms)

    def end(self, grace_ms: int = 0) -> int | None:
        return self._process.end(grace_ms)


def write_log(
    path: Path,
    task: GameTask,
    result: GameResult,
    said: Mapping[str, list[TranscriptLine]],
    started: float,
) -> None:
    """Writes the log of a game that started at that moment, in which the seats said this."""
    began = datetime.now(UTC) - timedelta(seconds=perf_counter() - started)
    text = "\n".join(
        [
            *head(task, began),
            "",
            *exchange(said, started),
            "",
            *ending(result),
        ]
    )
    write_whole(path, text + "\n", sync=False)


def head(task: GameTask, began: datetime) -> list[str]:
    names = task.names or ("", "")
    return [
        f"Game {task.id}: {task.ruleset}, {began.isoformat(timespec='seconds')}",
        *(
            printable(f"{seat}: {name} ({text})" if name not in ("", text) else f"{seat}: {text}")
            for seat, name, text in zip(("red", "blue"), names, (task.red, task.blue), strict=True)
        ),
        *([] if task.start is None else [f"start: {task.start}"]),
        LEGEND,
    ]


def exchange(said: Mapping[str, list[TranscriptLine]], started: float) -> list[str]:
    """All that was said by both sides, in order."""
    order = sorted((line, seat) for seat, lines in said.items() for line in lines)
    return [
        f"{(line.moment - started) * 1000:12.3f}  {seat:<4} {line.mark} {printable(text)}"
        for line, seat in order
        for text in line.text.decode(errors="replace").removesuffix("\n").split("\n")
    ]


def ending(result: GameResult) -> list[str]:
    won = "a draw" if result.winner is None else f"{result.winner} wins"
    reports = {"red": result.red, "blue": result.blue}
    return [
        f"{won} ({result.reason}) after {result.rounds} rounds",
        *(
            printable(f"{seat}: {report.status}" + (f": {report.detail}" if report.detail else ""))
            for seat, report in reports.items()
        ),
    ]
